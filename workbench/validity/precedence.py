"""Which revisions are left at an instant, once the supersessions of their scope have been applied (contract 3.4, 3.9).

Pure: takes the rows of one scope, as known at one recorded time, and an instant. Knows no actor, text or title.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import itemgetter
from typing import Final, NamedTuple

from workbench.intervals import UNBOUNDED, Interval, elementary
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


NOTHING: Final = Outcome(Kind.GAP)
Force = tuple[Supersession, tuple[Interval, ...]]
"""A relation and the intervals in which it is in force."""


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


class Timeline:
    """The canonical projection of one scope: each outcome holds from its start to the next one's, the last for ever.

    Before the first start there is a gap. Neighbours differ, so each interval is the maximal one (contract 3.6, 3.9).
    """

    __slots__ = ("outcomes", "starts")

    def __init__(self, pieces: Iterable[tuple[Interval, Outcome]]) -> None:
        kept = list(pieces)
        self.starts = [interval.start for interval, _ in kept]
        self.outcomes = [outcome for _, outcome in kept]

    def spans(self) -> list[Interval]:
        """The interval of each outcome, the last one unbounded."""
        return [Interval(*pair) for pair in itertools.pairwise([*self.starts, UNBOUNDED])]

    def at(self, t: int) -> tuple[Interval, Outcome] | None:
        """The outcome at ``t`` with its interval; ``None`` before the first row or relation begins."""
        place = bisect_right(self.starts, t)
        if place == 0:
            return None
        end = self.starts[place] if place < len(self.starts) else UNBOUNDED
        return Interval(self.starts[place - 1], end), self.outcomes[place - 1]


def outcome_at(scope: ScopeRows, t: int, *, transitive: bool) -> Outcome:
    """The outcome of the scope at ``t``: contract 3.3 steps (b) to (d)."""
    acting = _acting(forces(scope), t)
    return _outcome(scope.valid_at(t), acting, _removed(acting, transitive=transitive))


def _outcome(valid: Iterable[str], acting: _Acting, gone: Mapping[str, Supersession]) -> Outcome:
    if acting.unknown:
        return Outcome(Kind.UNKNOWN)
    left = [revision for revision in valid if revision not in gone] if gone else list(valid)
    if not left:
        return NOTHING
    if len(left) == 1:
        return Outcome(Kind.REVISION, (left[0],))
    return Outcome(Kind.CONFLICT, tuple(sorted(left)))


def outcomes(scope: ScopeRows, *, transitive: bool) -> Iterator[tuple[Interval, Outcome]]:
    """The canonical projection of one scope: maximal intervals of one outcome, from the first boundary on.

    Before the first boundary there is a gap, which is not listed. A sweep: the valid revisions are kept up to date from
    one boundary to the next, and the supersessions are looked at anew only where one of them begins or ceases to act.
    """
    changes = [(row.valid.start, 1, row.revision_id) for row in scope.rows]
    changes += [(row.valid.end, -1, row.revision_id) for row in scope.rows]
    forced = forces(scope)
    turns = set(_turns(scope, forced))
    changes += [(t, 0, "") for t in turns]
    changes.sort()
    counts: dict[str, int] = {}
    acting = _Acting()
    gone: Mapping[str, Supersession] = {}
    start, current = 0, None
    for t, together in itertools.groupby(changes, key=_instant):
        if t == UNBOUNDED:
            break
        for _, step, revision in together:
            if step:
                counts[revision] = counts.get(revision, 0) + step
                if not counts[revision]:
                    del counts[revision]
        if t in turns:
            acting = _acting(forced, t)
            gone = _removed(acting, transitive=transitive)
        found = _outcome(counts, acting, gone)
        if found != current:
            if current is not None:
                yield Interval(start, t), current
            start, current = t, found
    if current is not None:
        yield Interval(start, UNBOUNDED), current


_instant = itemgetter(0)


def forces(scope: ScopeRows) -> list[Force]:
    """Each relation with the intervals in which it is in force, by its own two sides alone.

    It has taken effect at t when there was an instant u <= t at which its superseding revision was valid and it was
    effective. One that ``revives`` must be so at t itself. An ``unknown`` successor counts as valid throughout.
    """
    if not scope.relations:
        return []
    valid: dict[str, list[Interval]] = {}
    for row in scope.rows:
        valid.setdefault(row.revision_id, []).append(row.valid)
    found: list[Force] = []
    for relation in scope.relations:
        if relation.superseding == UNKNOWN:
            spans = [relation.effective]
        else:
            meets = (span.meet(relation.effective) for span in valid.get(relation.superseding, ()))
            spans = [meet for meet in meets if not meet.empty]
        if spans and not relation.revives:
            spans = [Interval(min(spans).start, UNBOUNDED)]
        found.append((relation, tuple(spans)))
    return found


def removals(scope: ScopeRows, t: int, *, transitive: bool) -> dict[str, Supersession]:
    """The revisions that are superseded at ``t``, each with a relation that removes it (unknown successors apart)."""
    return _removed(_acting(forces(scope), t), transitive=transitive)


def unknown_in_force(scope: ScopeRows, t: int) -> bool:
    """Whether a successor that is known to exist, but not recorded, rules the scope at ``t``."""
    return _acting(forces(scope), t).unknown


class _Acting(NamedTuple):
    """The relations that matter at one instant: in force by themselves, and those a chain may run along."""

    direct: Sequence[Supersession] = ()
    links: Sequence[Supersession] = ()
    unknown: bool = False


def _acting(forced: Iterable[Force], t: int) -> _Acting:
    """A chain's links are effective by ``t``; one that revives only while it is in force itself."""
    direct: list[Supersession] = []
    links: list[Supersession] = []
    unknown = False
    for relation, spans in forced:
        holds = any(span.holds(t) for span in spans)
        if relation.superseding == UNKNOWN:
            unknown = unknown or holds
            continue
        if holds:
            direct.append(relation)
        if holds or (not relation.revives and relation.effective.start <= t):
            links.append(relation)
    return _Acting(direct, links, unknown)


def _removed(acting: _Acting, *, transitive: bool) -> dict[str, Supersession]:
    """Relations that form a cycle among those in force remove nothing. Under transitive rules a relation in force also
    removes along the chain X→Y→Z, where Y itself need never have been valid; its relation must have become effective.
    """
    cyclic = on_cycles(acting.links if transitive else acting.direct)
    sound = [r for r in acting.direct if id(r) not in cyclic]
    if transitive:
        sound = _chained(sound, [r for r in acting.links if id(r) not in cyclic])
    return {r.superseded: r for r in reversed(sound)}


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


def on_cycles(relations: Sequence[Supersession]) -> set[int]:
    """The ids of the relations that lie on a cycle: both ends in one strongly connected component (Kosaraju)."""
    superseded = {r.superseded for r in relations}
    if not any(r.superseding in superseded for r in relations):
        return set()
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


# --- for the register check ---------------------------------------------------------------------------------------


def cyclic_relations(scope: ScopeRows, *, transitive: bool) -> list[Supersession]:
    """The relations that lie on a cycle of several revisions among those in force, at some instant."""
    forced = forces(scope)
    found: dict[int, Supersession] = {}
    for t in _turns(scope, forced):
        acting = _acting(forced, t)
        considered = acting.links if transitive else acting.direct
        cyclic = on_cycles([r for r in considered if r.superseding != r.superseded])
        found.update({id(r): r for r in considered if id(r) in cyclic})
    return list(found.values())


def revivals(scope: ScopeRows, *, transitive: bool) -> Iterator[tuple[Interval, str, Supersession]]:
    """The stretches in which a valid revision stays superseded although its successor no longer acts (contract 3.4).

    Each with the revision that would come back, and the relation that keeps it away.
    """
    forced = forces(scope)
    momentary = {id(r): spans for r, spans in zip(scope.relations, _momentary(scope), strict=True)}
    for interval in elementary(scope.boundaries() | set(_turns(scope, forced))):
        acting = _acting(forced, interval.start)
        gone = _removed(acting, transitive=transitive)
        valid = scope.valid_at(interval.start).intersection(gone)
        if not valid or acting.unknown:
            continue
        now = [r for r in acting.direct if any(span.holds(interval.start) for span in momentary[id(r)])]
        still = _removed(acting._replace(direct=now), transitive=transitive)
        for revision in sorted(valid.difference(still)):
            yield interval, revision, gone[revision]


def _momentary(scope: ScopeRows) -> list[tuple[Interval, ...]]:
    """For each relation the intervals in which its superseding revision is valid and it is effective."""
    as_if = tuple(replace(relation, revives=True) for relation in scope.relations)
    return [spans for _, spans in forces(ScopeRows(scope.rows, as_if))]


def _turns(scope: ScopeRows, forced: Iterable[Force]) -> list[int]:
    """The instants at which a relation begins or ceases to act, or becomes effective."""
    turns = {bound for _, spans in forced for span in spans for bound in span}
    turns.update(relation.effective.start for relation in scope.relations)
    return sorted(turns - {UNBOUNDED})
