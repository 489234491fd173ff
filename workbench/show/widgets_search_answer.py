"""What the search panel asks, what comes back, and what an asker can do about a refusal there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.contract import Actor, Clock, Decision, Hit, Request, Status
from workbench.errors import ContextError
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut
from workbench.evidence.query import Match
from workbench.evidence.view import View
from workbench.pipeline.audit import AuditLog
from workbench.pipeline.finders import Finder, Ranked, Strict
from workbench.pipeline.manifest import Manifest, cite
from workbench.pipeline.session import Session
from workbench.show.widgets_writing import line
from workbench.validity.register import Register

HERE: Final = {
    Status.UNRESOLVED_AUTHORITY: "no search has run; ask the owner which of the rivals applies, and use none of them.",
    Status.UNAVAILABLE: "no search has run; check scope and time above, or ask the stewards of the register.",
    Status.HISTORY_UNAVAILABLE: "no search has run; ask without a recorded time.",
    Status.CONTEXT_EXPIRED: "press Search again.",
}


@dataclass(frozen=True, slots=True)
class Posed:
    """One question as it stands in the controls."""

    query: str
    request: Request | None
    match: Match
    limit: int

    @property
    def find(self) -> Finder:
        """The search that it means: the strict one for all words, analysis for any (contract 2.5)."""
        return Strict(self.limit) if self.match == "all" else Ranked(self.limit, self.match)

    def words(self) -> str:
        """The question in words, with its scope and time."""
        under = ""
        if self.request is not None:
            scope = " / ".join(part or "?" for part in self.request.scope.parts())
            under = f", {scope}, as of {self.request.at or 'now'}"
            if self.request.known_at is not None:
                under += f", as known at {self.request.known_at}"
        return line(f"“{self.query}” ({self.match} of the words{under})")


@dataclass(frozen=True, slots=True)
class Found:
    """What a question found: the decision (``None`` without a register), and the evidence with the view it is from."""

    decision: Decision | None = None
    view: View | None = None
    hits: tuple[Hit, ...] = ()
    manifests: tuple[Manifest, ...] = ()


class Asker:
    """One actor's way to ask one corpus, under the decisions of a register where there is one."""

    def __init__(
        self,
        corpus: Corpus,
        register: Register | None,
        actor: Actor,
        *,
        cut: Cut,
        clock: Clock | None,
        audit: AuditLog | None,
    ) -> None:
        self._corpus, self._actor, self._cut = corpus, actor, cut
        self._session = None if register is None else Session(corpus, register, clock=clock, audit=audit)

    def found(self, posed: Posed) -> Found:
        """The decision and the evidence under it; raises what ``session.ask`` raises."""
        if self._session is None or posed.request is None:
            posed.find.check(posed.query)
            view = self._corpus.view(self._actor).cut(self._cut)
            hits = tuple(posed.find.find(view, posed.query))
            return Found(None, view, hits, tuple(cite(hit) for hit in hits))
        answer = self._session.ask(
            posed.query, actor=self._actor, request=posed.request, find=posed.find, cut=self._cut
        )
        if answer.decision.status is not Status.RESOLVED:
            return Found(answer.decision)
        try:
            view = self._corpus.view(self._actor, answer.decision).cut(self._cut)
        except ContextError:  # access was withdrawn while the answer was on its way
            return Found(answer.decision.expired())
        return Found(answer.decision, view, answer.hits, answer.manifests)


def here(decision: Decision) -> str:
    """What to do about a refusal in the panel; the same words for all that the asker must not tell apart.

    >>> here(Decision(Status.MISSING_SCOPE, missing=("region", "time")))
    'no search has run; fill in region, as of above.'
    """
    if decision.status is Status.MISSING_SCOPE:
        fields = ["as of" if name == "time" else name for name in decision.missing]
        return f"no search has run; fill in {', '.join(fields)} above."
    if decision.status is Status.NO_EQUIVALENT_EDITION:
        way = ", or tick “or the source”" if decision.source_way else ""
        return f"no search has run; choose another language above{way}."
    if decision.status is Status.UNRESOLVED_AUTHORITY and decision.owner:
        return f"no search has run; ask {decision.owner} which of {', '.join(decision.rivals)} applies."
    return HERE.get(decision.status, "")
