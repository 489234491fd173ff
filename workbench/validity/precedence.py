"""Which revisions are left at an instant, once the supersessions of their scope have been applied (contract 3.4, 3.9).

Pure: takes the rows of one scope, as known at one recorded time, and an instant. Knows no actor, text or title.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from workbench.intervals import Interval, elementary
from workbench.validity.rows import UNKNOWN, Applicability, Supersession


class Kind(StrEnum):
    """The four outcomes that an elementary interval can have."""

    REVISION = "revision"
    CONFLICT = "conflict"
    GAP = "gap"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What holds at an instant: one revision, a conflict with its rivals, a gap, or an unknown successor."""

    kind: Kind
    revisions: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return " ".join((self.kind, *self.revisions))


@dataclass(frozen=True, slots=True)
class ScopeRows:
    """The approved rows and relations of one scope, as known at one recorded time."""

    rows: tuple[Applicability, ...] = ()
    relations: tuple[Supersession, ...] = ()

    def boundaries(self) -> set[int]:
        """Every instant at which an outcome of this scope can change."""
        spans = [row.valid for row in self.rows] + [relation.effective for relation in self.relations]
        return {bound for span in spans for bound in span}

    def valid_at(self, t: int) -> set[str]:
        """The revisions with an approved row at ``t``, before supersessions."""
        return {row.revision_id for row in self.rows if row.valid.holds(t)}


def outcome_at(scope: ScopeRows, t: int, *, transitive: bool) -> Outcome:
    """The outcome of the scope at ``t``: contract 3.3 steps (b) to (d)."""
    if unknown_in_force(scope, t):
        return Outcome(Kind.UNKNOWN)
    valid = scope.valid_at(t)
    left = sorted(valid.difference(removals(scope, t, transitive=transitive)))
    if not left:
        return Outcome(Kind.GAP)
    return Outcome(Kind.REVISION if len(left) == 1 else Kind.CONFLICT, tuple(left))


def outcomes(scope: ScopeRows, *, transitive: bool) -> Iterator[tuple[Interval, Outcome]]:
    """The canonical projection of one scope: maximal intervals of one outcome, from the first boundary on.

    Before the first boundary there is a gap, which is not listed.
    """
    start, current = 0, None
    end = 0
    for interval in elementary(scope.boundaries()):
        found = outcome_at(scope, interval.start, transitive=transitive)
        if found != current:
            if current is not None:
                yield Interval(start, interval.start), current
            start, current = interval.start, found
        end = interval.end
    if current is not None:
        yield Interval(start, end), current


def unknown_in_force(scope: ScopeRows, t: int) -> bool:
    """Whether a successor that is known to exist, but not recorded, rules the scope at ``t``."""
    return any(r.superseding == UNKNOWN and in_force(scope, r, t) for r in scope.relations)


def in_force(scope: ScopeRows, relation: Supersession, t: int) -> bool:
    """Whether the relation has taken effect by ``t``: there was an instant u <= t at which its superseding revision was
    valid and the relation effective. One that ``revives`` must be so at ``t`` itself.

    An ``unknown`` successor counts as valid throughout.
    """
    if relation.revives:
        return relation.effective.holds(t) and (
            relation.superseding == UNKNOWN or relation.superseding in scope.valid_at(t)
        )
    if relation.superseding == UNKNOWN:
        return relation.effective.start <= t
    meets = (row.valid.meet(relation.effective) for row in scope.rows if row.revision_id == relation.superseding)
    return any(not meet.empty and meet.start <= t for meet in meets)


def removals(scope: ScopeRows, t: int, *, transitive: bool) -> dict[str, Supersession]:
    """The revisions that are superseded at ``t``, each with a relation that removes it.

    Relations that form a cycle among those in force remove nothing. Under transitive rules a relation in force also
    removes along the chain X→Y→Z, where Y itself need never have been valid; its relation must have become effective.
    """
    known = [r for r in scope.relations if r.superseding != UNKNOWN]
    direct = [r for r in known if in_force(scope, r, t)]
    if not transitive:
        acting: Sequence[Supersession] = direct
    else:
        acting = _chained(direct, _links(known, direct, t))
    cyclic = _cyclic(acting)
    if cyclic:
        kept = [r for r in direct if id(r) not in cyclic]
        links = [r for r in acting if id(r) not in cyclic]
        acting = _chained(kept, links) if transitive else kept
    return {r.superseded: r for r in reversed(acting)}


def _links(known: Iterable[Supersession], direct: Collection[Supersession], t: int) -> list[Supersession]:
    """The relations along which a chain may run at ``t``: effective by then; one that revives only while in force."""
    in_force_now = {id(r) for r in direct}
    return [r for r in known if id(r) in in_force_now or (not r.revives and r.effective.start <= t)]


def _chained(direct: Sequence[Supersession], links: Sequence[Supersession]) -> list[Supersession]:
    by_superseding: dict[str, list[Supersession]] = {}
    for link in links:
        by_superseding.setdefault(link.superseding, []).append(link)
    acting = list(direct)
    seen = {id(r) for r in acting}
    for relation in acting:  # grows while it is walked: each link is added once
        for link in by_superseding.get(relation.superseded, ()):
            if id(link) not in seen:
                seen.add(id(link))
                acting.append(link)
    return acting


def _cyclic(relations: Sequence[Supersession]) -> set[int]:
    """The ids of the relations that lie on a cycle: both ends in one strongly connected component (Kosaraju)."""
    forward: dict[str, list[str]] = {}
    backward: dict[str, list[str]] = {}
    for r in relations:
        forward.setdefault(r.superseding, []).append(r.superseded)
        backward.setdefault(r.superseded, []).append(r.superseding)
    component: dict[str, str] = {}
    for node in reversed(_finished(forward)):
        pile = [node] if node not in component else []
        while pile:
            member = pile.pop()
            if member not in component:
                component[member] = node
                pile.extend(backward.get(member, ()))
    return {id(r) for r in relations if component[r.superseding] == component[r.superseded]}


def _finished(graph: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes in the order in which a depth-first walk leaves them (without recursion, so any depth ends)."""
    order: list[str] = []
    seen: set[str] = set()
    for root in graph:
        pile: list[tuple[str, bool]] = [(root, False)]
        while pile:
            node, leaving = pile.pop()
            if leaving:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                pile.append((node, True))
                pile.extend((after, False) for after in graph.get(node, ()) if after not in seen)
    return order
