"""One question and its answer, and what the audit log is told of the way between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from workbench.contract import Actor, Decision, Hit, Request, Status, card
from workbench.evidence.cuts import Cut, Paragraphs
from workbench.pipeline.finders import Finder, Strict
from workbench.pipeline.manifest import Manifest

STRICT: Final = Strict()
PARAGRAPHS: Final = Paragraphs()


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Who asks what, for which scope and time, found how and in which passages."""

    query: str
    actor: Actor
    request: Request
    find: Finder = STRICT
    cut: Cut = PARAGRAPHS


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision and the evidence found under it, in this run's order; no evidence under a refusal.

    An empty ``hits`` under a RESOLVED decision means: no matching passage in the accessible corpus (contract 2.9).
    """

    decision: Decision
    hits: tuple[Hit, ...] = ()
    manifests: tuple[Manifest, ...] = ()

    def __repr__(self) -> str:
        return f"Answer({self.decision!r}, {len(self.hits)} hits)"

    def _repr_html_(self) -> str:
        decided = self.decision.status is Status.RESOLVED
        nothing = card("No matching passage in the accessible corpus", []) if decided and not self.hits else ""
        return self.decision._repr_html_() + nothing + "".join(one._repr_html_() for one in self.manifests)


class Step(StrEnum):
    """What a request has done so far; between any two of them the world may change."""

    RESOLVED = "resolved"
    VIEWED = "viewed"
    FOUND = "found"
    CITED = "cited"
    CHECKED = "checked"


@dataclass(slots=True)
class Trace:
    """What one request did, for the audit log alone: how long each step took, where the answer came from, and why."""

    clock: Callable[[], int]
    microseconds: dict[str, int] = field(default_factory=dict)
    cache: str | None = None
    protected: Mapping[str, object] | None = None
    began: int = 0

    def begin(self) -> None:
        """A step begins; what passed since the last one ended is not counted."""
        self.began = self.clock()

    def end(self, step: Step) -> Step:
        """The step has ended."""
        self.microseconds[step] = (self.clock() - self.began) // 1000
        return step
