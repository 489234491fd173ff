"""What the bars of a timeline are: for stewards from the record, for anybody else from public answers alone (3.6).

Two ways lead to the same kind of bar. :func:`record_lanes` reads the register's rows. :func:`public_lanes` knows
nothing but what :meth:`~workbench.validity.register.Register.resolve` tells this actor, so that whatever it draws could
have been asked for: a row that the actor may read, but that ends early because of one it may not, ends early here too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from workbench.contract import Actor, Decision, Operator, Request, Scope, Status, scope_value
from workbench.errors import RequestError
from workbench.intervals import UNBOUNDED, Interval, elementary
from workbench.validity.precedence import Kind, Outcome, ScopeRows, outcome_at, outcomes, removals
from workbench.validity.register import Register
from workbench.validity.rows import UNKNOWN, Applicability, ScopeKey, Supersession

DECIDES = "decides"
ALWAYS = -UNBOUNDED
"""The start of a bar that has none: before the first boundary nothing applies, however far back."""


Piece = tuple[Interval, Mapping[str, Supersession] | None]
"""A stretch without boundaries, and what is removed in it (``None``: everything, by an unknown successor)."""


class BarKind(StrEnum):
    """What a bar says; each has a pattern of its own."""

    REVISION = "revision"
    SUPERSEDED = "superseded"
    CONFLICT = "conflict"
    GAP = "gap"
    UNKNOWN = "unknown"
    UNAVAILABLE = "unavailable"
    REFUSED = "refused"
    SEVERAL = "several"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: in its lane from ``span.start`` (included) to ``span.end`` (excluded)."""

    lane: str
    kind: BarKind
    span: Interval
    revision_id: str | None = None
    label: str = ""
    rivals: tuple[str, ...] = ()
    superseded_by: str | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """Who looks at which scope of which tenant, and as known when."""

    register: Register
    scope: Scope
    tenant: str
    actor: Actor | Operator
    known_at: object = None

    @property
    def reader(self) -> Actor:
        """Who asks the resolver: the actor, or for the operator somebody of the tenant who may read everything."""
        if isinstance(self.actor, Actor):
            return self.actor
        revisions = self.register.revisions.values()
        return Actor(self.tenant, {group for r in revisions if r.tenant == self.tenant for group in r.groups})

    @property
    def protected(self) -> bool:
        """Whether the actor may see the record behind the answers."""
        return self.register.is_steward(self.actor, self.tenant)

    def decide(self, at: int) -> Decision:
        """The public answer for an instant."""
        register = self.register
        request = Request(self.scope, at=register.settings.valid.public(at), known_at=self.known_at)
        return register.resolve(request, self.reader)

    def rows(self) -> ScopeRows:
        """The rows of the scope as known then; only for an examined, complete request."""
        recorded = self.register.settings.recorded
        known_at = None if self.known_at is None else recorded.read(self.known_at)
        return self.register.scope_rows(self._key, known_at)

    def all_rows(self) -> ScopeRows:
        """The rows of the scope over all recorded times."""
        return self.register.by_scope.get(self._key, ScopeRows())

    @property
    def _key(self) -> ScopeKey:
        family, procedure, configuration, region = (scope_value(part) or "" for part in self.scope.parts())
        return ScopeKey(self.tenant, family, procedure, configuration, region)

    def refusal(self) -> Decision | None:
        """The answer that is the same at every instant, where the request itself is refused."""
        decision = self.decide(0)
        refused = decision.status in (Status.MISSING_SCOPE, Status.HISTORY_UNAVAILABLE)
        return decision if refused else None


def seen_by(
    register: Register, scope: Scope, actor: Actor | Operator, *, known_at: object = None, tenant: str | None = None
) -> Seen:
    """Who looks at what; raises RequestError where the operator must name the tenant, or another may not."""
    parts = tuple(scope_value(part) if isinstance(part, str) else None for part in scope.parts())
    found = {key.tenant for key in register.by_scope if tuple(key[1:]) == parts} if tenant is None else set()
    return Seen(register, scope, tenant_of(register, actor, tenant, found), actor, known_at)


def tenant_of(
    register: Register, actor: Actor | Operator, tenant: str | None, among: Collection[str] = frozenset()
) -> str:
    """Whose scopes are looked at: the actor's own, or what the operator names where there are several to choose from.

    ``among`` is what can be meant; all tenants if empty. Raises RequestError as :func:`seen_by`.
    """
    if isinstance(actor, Actor):
        if tenant not in (None, actor.tenant):
            raise RequestError("tenant", "only the operator looks into other tenants; leave it out")
        return actor.tenant
    if not isinstance(actor, Operator):
        raise TypeError(f"actor must be an Actor or OPERATOR, not {type(actor).__name__}")
    if tenant is not None:
        return tenant
    found = sorted(among or {revision.tenant for revision in register.revisions.values()}) or [""]
    if len(found) > 1:
        raise RequestError("tenant", f"say which tenant to look into: {', '.join(found)}")
    return found[0]


def bars(seen: Seen) -> list[Bar]:
    """The bars in drawing order: the lane ``decides`` first, then each revision's lane by its first start."""
    told = deciding(seen)
    if told[0].kind is BarKind.REFUSED:
        return told
    return [*told, *(record_lanes(seen) if seen.protected else public_lanes(told))]


def deciding(seen: Seen) -> list[Bar]:
    """The bars of the lane ``decides`` alone: all time, from always on to ever after."""
    refused = seen.refusal()
    if refused is not None:
        return [Bar(DECIDES, BarKind.REFUSED, Interval(ALWAYS, UNBOUNDED), label=repr(refused))]
    return answered(seen)


def answered(seen: Seen) -> list[Bar]:
    """The same for a request that is known not to be refused."""
    return _joined(_recorded(seen) if seen.protected else _told(seen))


# --- from the record ----------------------------------------------------------------------------------------------


def _recorded(seen: Seen) -> Iterator[Bar]:
    """What decides by the register's rows."""
    scope = seen.rows()
    yield _outcome_bar(_before(scope), Outcome(Kind.GAP))
    for span, outcome in outcomes(scope, transitive=seen.register.settings.rules == "transitive"):
        yield _outcome_bar(span, outcome)


def record_lanes(seen: Seen) -> list[Bar]:
    """What the register's rows say of each revision, for stewards and the operator."""
    scope, transitive = seen.rows(), seen.register.settings.rules == "transitive"
    pieces = [(span, _gone(scope, span.start, transitive)) for span in elementary(scope.boundaries())]
    lanes = [bar for row in scope.rows for bar in _joined(_row_bars(row, pieces))]
    return _in_lanes(lanes)


def _gone(scope: ScopeRows, t: int, transitive: bool) -> Mapping[str, Supersession] | None:
    if outcome_at(scope, t, transitive=transitive).kind is Kind.UNKNOWN:
        return None
    return removals(scope, t, transitive=transitive)


def _outcome_bar(span: Interval, outcome: Outcome) -> Bar:
    if outcome.kind is Kind.REVISION:
        return Bar(DECIDES, BarKind.REVISION, span, revision_id=outcome.revisions[0], label=outcome.revisions[0])
    if outcome.kind is Kind.CONFLICT:
        return _conflict(span, outcome.revisions)
    if outcome.kind is Kind.UNKNOWN:
        return Bar(DECIDES, BarKind.UNKNOWN, span, label="successor unknown")
    return Bar(DECIDES, BarKind.GAP, span, label="nothing applies")


def _row_bars(row: Applicability, pieces: Sequence[Piece]) -> Iterator[Bar]:
    first = bisect_left(pieces, row.valid.start, key=lambda piece: piece[0].start)
    for span, removed in islice(pieces, first, None):
        if span.start >= row.valid.end:
            return
        remover = removed.get(row.revision_id) if removed is not None else None
        by = UNKNOWN if removed is None else remover.superseding if remover else None
        yield Bar(
            lane_of(row.revision_id),
            BarKind.REVISION if by is None else BarKind.SUPERSEDED,
            span,
            revision_id=row.revision_id,
            label=row.revision_id if by is None else f"superseded by {by}",
            superseded_by=by,
            row=row.row,
        )


# --- from public answers ------------------------------------------------------------------------------------------


def _told(seen: Seen) -> Iterator[Bar]:
    """What this actor would be told if it asked at every instant.

    Rows, supersessions and their numbers stay out: a bar that ended where its row does, beyond the public answer,
    would say that something hidden replaced it.
    """
    scope = seen.rows()
    yield _answer_bar(_before(scope), Decision(Status.UNAVAILABLE))
    boundaries = sorted({*scope.boundaries(), UNBOUNDED})
    at = boundaries[0]
    while at < UNBOUNDED:
        decision = seen.decide(at)
        if decision.status is Status.RESOLVED:  # its interval is maximal: the answer can only differ after it
            end = seen.register.settings.valid.read_end(decision.valid_to)
        else:
            end = boundaries[bisect_right(boundaries, at)]
        yield _answer_bar(Interval(at, end), decision)
        at = end


def public_lanes(told: Iterable[Bar]) -> list[Bar]:
    """When an actor is told of each revision; no lane for one that it is never told of."""
    named: dict[str, list[Bar]] = {}
    for bar in told:
        for revision in bar.rivals or filter(None, [bar.revision_id]):
            shown = Bar(lane_of(revision), BarKind.REVISION, bar.span, revision_id=revision, label=revision)
            named.setdefault(revision, []).append(shown)
    return _in_lanes(bar for lane in named.values() for bar in _joined(lane))


def _answer_bar(span: Interval, decision: Decision) -> Bar:
    if decision.status is Status.RESOLVED:
        return Bar(DECIDES, BarKind.REVISION, span, decision.revision_id, label=decision.revision_id or "")
    if decision.status is Status.UNRESOLVED_AUTHORITY:
        return _conflict(span, decision.rivals)
    return Bar(DECIDES, BarKind.UNAVAILABLE, span, label="unavailable")


# --- both ---------------------------------------------------------------------------------------------------------


def lane_of(revision_id: str) -> str:
    """The lane's name: the revision's id, told apart from the top lane should it have that very name."""
    return f"{revision_id} (revision)" if revision_id == DECIDES else revision_id


def _conflict(span: Interval, rivals: tuple[str, ...]) -> Bar:
    return Bar(DECIDES, BarKind.CONFLICT, span, label=f"conflict {', '.join(rivals)}", rivals=rivals)


def _before(scope: ScopeRows) -> Interval:
    """All time before the first boundary, where no row has begun."""
    return Interval(ALWAYS, min(scope.boundaries(), default=UNBOUNDED))


def _joined(found: Iterable[Bar]) -> list[Bar]:
    """Touching bars that say the same as one, so that no border is drawn where nothing changes."""
    joined: list[Bar] = []
    for bar in found:
        last = joined[-1] if joined else None
        if last is not None and last.span.end == bar.span.start and replace(last, span=bar.span) == bar:
            joined[-1] = replace(last, span=Interval(last.span.start, bar.span.end))
        elif not bar.span.empty:
            joined.append(bar)
    return joined


def _in_lanes(found: Iterable[Bar]) -> list[Bar]:
    ordered = sorted(found, key=lambda bar: (bar.span, bar.lane, bar.row or 0))
    first: dict[str, tuple[int, str]] = {}
    for bar in ordered:
        first.setdefault(bar.lane, (bar.span.start, bar.lane))
    return sorted(ordered, key=lambda bar: first[bar.lane])
