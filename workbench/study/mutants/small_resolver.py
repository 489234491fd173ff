"""S1's resolver once more, written plainly for its own small register, with every step replaceable.

As it stands it is right, and holds all 21 checks; a mutant is this value with one step replaced
(:mod:`workbench.study.mutants`). It knows a logical register with direct rules, relations that end with what they
replace, and no hierarchies; nothing in the workbench uses it for work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from workbench.contract import (
    Actor,
    Allowed,
    Clock,
    Context,
    Decision,
    Request,
    Status,
    access_digest,
    digest,
)
from workbench.errors import ContextError
from workbench.evidence.corpus import Corpus
from workbench.intervals import Interval
from workbench.pipeline.ask import Answer
from workbench.study.proof.rows import Mutant
from workbench.validity.register import Register
from workbench.validity.rows import Applicability, Equivalence

Rows = Sequence[Applicability]


# --- the steps ------------------------------------------------------------------------------------------------------


def complete(request: Request, _register: Register, now: int | None) -> Request | tuple[str, ...]:
    """Step (a): the request with its time, or the fields that it lacks."""
    names = ("family", "procedure", "configuration", "region")
    missing = [name for name, value in zip(names, request.scope.parts(), strict=True) if value is None]
    if request.at is None and (request.mode == "historical" or now is None):
        missing.append("time")
    return tuple(missing) if missing else replace(request, at=now if request.at is None else request.at)


def in_scope(row: Applicability, request: Request, actor: Actor) -> bool:
    """Step (b): the row is for this scope, within the tenant."""
    return tuple(row.scope) == (actor.tenant, *request.scope.parts())


def holds(valid: Interval, t: int) -> bool:
    """Step (b): half-open, so that the end belongs to what comes next."""
    return valid.start <= t < valid.end


def every_row(rows: Rows, _register: Register, _actor: Actor) -> Rows:
    """Step (b): whatever the actor may see."""
    return rows


def superseded(register: Register, rows: Rows, t: int) -> set[str]:
    """Step (c): what an approved relation has replaced by now."""
    valid = {row.revision_id for row in rows}
    return {
        relation.superseded
        for relation in register.supersessions
        if relation.effective.start <= t and relation.superseding in valid
    }


def unsettled(_rows: Rows) -> str | None:
    """Step (d): several are left, and none of them is chosen."""
    return None


def refused(_register: Register, _request: Request, _actor: Actor, _revision: str) -> str | None:
    """Step (e): what the actor may not read is not replaced by anything."""
    return None


def of_revision(equivalence: Equivalence, revision: str, _register: Register) -> bool:
    """Step (f): an edition is one of exactly this revision."""
    return equivalence.of_revision == revision


def mode_of(request: Request, now: int | None, asked: Request) -> str:
    """Every result about a given time says so."""
    if asked.at is None:
        return "current"
    return "planned" if now is not None and int(str(request.at)) > now else "historical"


def whole(context: Context) -> Context:
    """What of a context a cache key is made of: all of it."""
    return replace(context, id="")


def same_answer(query: str) -> object:
    """What of a question a cache key is made of."""
    return query


@dataclass(frozen=True, slots=True)
class SmallResolver:
    """The steps in their order; replace one, and it is a mutant."""

    name: str = "small"
    complete: Callable[[Request, Register, int | None], Request | tuple[str, ...]] = complete
    in_scope: Callable[[Applicability, Request, Actor], bool] = in_scope
    holds: Callable[[Interval, int], bool] = holds
    visible: Callable[[Rows, Register, Actor], Rows] = every_row
    superseded: Callable[[Register, Rows, int], set[str]] = superseded
    settled: Callable[[Rows], str | None] = unsettled
    instead: Callable[[Register, Request, Actor, str], str | None] = refused
    translates: Callable[[Equivalence, str, Register], bool] = of_revision
    language_counts: bool = True
    source_suffices: bool = False
    equivalence_named: bool = True
    mode: Callable[[Request, int | None, Request], str] = mode_of
    search_first: bool = False
    keyed: Callable[[Context], Context] = whole
    asked: Callable[[str], object] = same_answer

    def resolve(self, register: Register, request: Request, actor: Actor, *, clock: Clock | None = None) -> Decision:
        """The decision, step by step."""
        now = None if clock is None else int(str(clock()))
        full = self.complete(request, register, now)
        if isinstance(full, tuple):
            return Decision(Status.MISSING_SCOPE, missing=full)
        t = int(str(full.at))
        scope = [row for row in register.applicability if self.in_scope(row, full, actor)]
        rows = self.visible([row for row in scope if self.holds(row.valid, t)], register, actor)
        gone = self.superseded(register, rows, t)
        left = [row for row in rows if row.revision_id not in gone]
        found = sorted({row.revision_id for row in left})
        if not found:
            return Decision(Status.UNAVAILABLE)
        chosen = found[0] if len(found) == 1 else self.settled(left)
        if chosen is None:
            return Decision(Status.UNRESOLVED_AUTHORITY, rivals=tuple(found))
        revision = register.revisions[chosen]
        if not actor.may(revision.tenant, revision.groups):
            other = self.instead(register, full, actor, chosen)
            if other is None:
                return Decision(Status.UNAVAILABLE)
            revision = register.revisions[other]
        edition = self._edition(register, full, actor, revision.id)
        wants_other = full.language not in (None, revision.source_language) and self.language_counts
        if edition is None and wants_other and not self.source_suffices:
            return Decision(Status.NO_EQUIVALENT_EDITION)
        return self._resolved(register, full, actor, revision.id, edition, self.mode(full, now, request))

    def ask(
        self, corpus: Corpus, register: Register, query: str, *, actor: Actor, request: Request, clock: Clock
    ) -> Answer:
        """The decision first; then its view, and nothing else, is searched."""
        hits = corpus.view(actor).search(query) if self.search_first else []
        decision = self.resolve(register, request, actor, clock=clock)
        if decision.status is not Status.RESOLVED:
            return Answer(decision)
        try:
            return Answer(decision, tuple(hits or corpus.view(actor, decision).search(query)))
        except ContextError:
            return Answer(Decision(Status.UNAVAILABLE))

    def key(self, context: Context, query: str) -> str:
        """A digest of the decision and the question."""
        return digest([self.keyed(context).computed_id(), self.asked(query)])

    def _edition(self, register: Register, request: Request, actor: Actor, revision: str) -> Equivalence | None:
        for equivalence in register.equivalences if self.language_counts else ():
            edition = register.revisions[equivalence.edition]
            fits = equivalence.language == request.language and actor.may(edition.tenant, edition.groups)
            if fits and self.translates(equivalence, revision, register):
                return equivalence
        return None

    def _resolved(
        self, register: Register, request: Request, actor: Actor, revision: str, edition: Equivalence | None, mode: str
    ) -> Decision:
        governing = register.revisions[revision]
        document = register.revisions[edition.edition] if edition else governing
        context = Context(
            tenant=actor.tenant,
            access=access_digest(actor, {document.id: True}),
            scope=request.scope,
            mode=mode,
            at=str(request.at),
            known_at=None,
            language=request.language,
            source_language=governing.source_language,
            answer_language=document.source_language,
            revision_id=revision,
            revision_sha256=governing.source_digest,
            edition_id=edition.edition if edition else None,
            equivalence_id=edition.id if edition and self.equivalence_named else None,
            equivalence_status="reviewed" if edition else "source",
            allowed=(Allowed(document.id, document.source_digest),),
            valid_from=str(request.at),
            valid_to=str(request.at),
            snapshot=register.snapshot(),
            rules=register.settings.rule_set,
        )
        return Decision(
            Status.RESOLVED, revision_id=revision, edition_id=context.edition_id, mode=mode, context=context
        )


RIGHT: Final = SmallResolver()
"""The small resolver without a mistake."""


def mutants(*lines: tuple[str, SmallResolver, tuple[int, ...]]) -> tuple[Mutant[SmallResolver], ...]:
    """The lines of a table as mutants that bear their names."""
    return tuple(Mutant(name, replace(made, name=name), rows) for name, made, rows in lines)
