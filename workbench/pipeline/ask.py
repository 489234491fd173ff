"""One question under one decision: decision → view → hits → manifests, with no way around (contract 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workbench.contract import Actor, Clock, Decision, Hit, Request, Status
from workbench.errors import ContextError
from workbench.evidence.corpus import Corpus
from workbench.pipeline.manifest import Manifest, cite
from workbench.validity.register import Register


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


def ask(
    corpus: Corpus,
    register: Register,
    query: str,
    *,
    actor: Actor,
    request: Request,
    match: Literal["all", "any"] = "all",
    depth: int | None = None,
    clock: Clock | None = None,
) -> Answer:
    """The answer to one question: the decision first, then a search in its view only, then a manifest for each hit.

    With all words and no ``depth`` it is the strict search with its limit of 3; otherwise ``view.rank``. Where register
    and corpus disagree about access or text, or the procedure is not located in the document, the decision is
    UNAVAILABLE (contract 3.11, 3.13). Raises QueryRefused and RequestError.
    """
    decision = register.resolve(request, actor, clock=clock)
    if decision.status is not Status.RESOLVED:
        return Answer(decision)
    try:
        view = corpus.view(actor, decision)
    except ContextError:
        return Answer(Decision(Status.UNAVAILABLE))
    if match == "all" and depth is None:
        hits = tuple(view.search(query))
    else:
        hits = tuple(view.rank(query, depth=10 if depth is None else depth, match=match))
    return Answer(decision, hits, tuple(cite(hit, decision) for hit in hits))
