"""Which revisions are left at an instant, once the supersessions of their scope have been applied (contract 3.4, 3.9).

Pure: takes the rows of one scope, as known at one recorded time, and an instant. Knows no actor, text or title.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import Final, NamedTuple

from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.cycles import on_cycles
from workbench.validity.rows import UNKNOWN, Applicability, Supersession


class Kind(StrEnum):
    """The four outcomes that an elementary interval can have."""

    REVISION = "revision"
    CONFLICT = "conflict"
    GAP = "gap"
    UNKNOWN = "unknown"


class Outcome(NamedTuple):
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

    __slots__ = ("_left", "starts")

    def __init__(self, scope: ScopeRows, *, transitive: bool) -> None:
        self.starts: list[int] = []
        self._left: list[tuple[str, ...] | Outcome] = []
        """What is left from each start: revisions alone where nothing supersedes, since most are never asked about."""
        if scope.relations:
            for start, outcome in _turning(scope, transitive=transitive):
                self.starts.append(start)
                self._left.append(outcome)
        else:
            _in_turn(scope.rows, self.starts, self._left)

    @property
    def outcomes(self) -> list[Outcome]:
        """What holds from each start."""
        return [_told(left) for left in self._left]

    def spans(self) -> list[Interval]:
        """The interval of each outcome, the last one unbounded."""
        return [Interval(*pair) for pair in itertools.pairwise([*self.starts, UNBOUNDED])]

    def at(self, t: int) -> tuple[Interval, Outcome] | None:
        """The outcome at ``t`` with its interval; ``None`` before the first row or relation begins."""
        place = bisect_right(self.starts, t)
        if place == 0:
            return None
        end = self.starts[place] if place < len(self.starts) else UNBOUNDED
        return Interval(self.starts[place - 1], end), _told(self._left[place - 1])


def outcome_at(scope: ScopeRows, t: int, *, transitive: bool) -> Outcome:
    """The outcome of the scope at ``t``: contract 3.3 steps (b) to (d)."""
    acting = acting_at(forces(scope), t)
    return _outcome(scope.valid_at(t), acting, removed_by(acting, transitive=transitive))


def _outcome(valid: Iterable[str], acting: Acting, gone: Mapping[str, Supersession]) -> Outcome:
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

    Before the first boundary there is a gap, which is not listed.
    """
    timeline = Timeline(scope, transitive=transitive)
    return zip(timeline.spans(), timeline.outcomes, strict=True)


def _told(left: tuple[str, ...] | Outcome) -> Outcome:
    return left if isinstance(left, Outcome) else Outcome(_KINDS[min(len(left), 2)], left)


_KINDS: Final = (Kind.GAP, Kind.REVISION, Kind.CONFLICT)
"""By how many revisions are left."""


def _in_turn(rows: Iterable[Applicability], starts: list[int], lefts: list[tuple[str, ...] | Outcome]) -> None:
    """Writes down who is valid from when, for a scope in which nothing supersedes anything, as in most.

    Most rows follow one another; where some overlap, a sweep over their starts and ends says who is valid.
    """
    spans = sorted([(*row.valid, row.revision_id) for row in rows])
    until: int = -UNBOUNDED
    current: str | None = None
    for start, end, revision in spans:
        if start < until:
            starts.clear()
            lefts.clear()
            _sweep(spans, starts, lefts)
            return
        if start > until and starts:
            starts.append(until)
            lefts.append(())
            current = None
        if revision != current:
            starts.append(start)
            lefts.append((revision,))
        until, current = end, revision
    if starts and until != UNBOUNDED:
        starts.append(until)
        lefts.append(())


def _sweep(spans: Iterable[tuple[int, int, str]], starts: list[int], lefts: list[tuple[str, ...] | Outcome]) -> None:
    changes = [change for start, end, name in spans for change in ((start, 1, name), (end, -1, name))]
    changes.sort()
    counts: dict[str, int] = {}
    current: tuple[str, ...] | None = None
    last = len(changes) - 1
    for place, (t, step, revision) in enumerate(changes):
        if t == UNBOUNDED:
            break
        count = counts.get(revision, 0) + step
        if count:
            counts[revision] = count
        else:
            del counts[revision]
        if place < last and changes[place + 1][0] == t:
            continue
        left = tuple(counts) if len(counts) < 2 else tuple(sorted(counts))
        if left != current:
            current = left
            starts.append(t)
            lefts.append(left)


def _turning(scope: ScopeRows, *, transitive: bool) -> Iterator[tuple[int, Outcome]]:
    """Where each outcome starts: a sweep that keeps the valid revisions up to date from one boundary to the next, and
    looks at the supersessions anew only where one of them begins or ceases to act.
    """
    changes = [(row.valid.start, 1, row.revision_id) for row in scope.rows]
    changes += [(row.valid.end, -1, row.revision_id) for row in scope.rows]
    forced = forces(scope)
    turns = set(turning_points(scope, forced))
    changes += [(t, 0, "") for t in turns]
    changes.sort()
    counts: dict[str, int] = {}
    acting = Acting()
    gone: Mapping[str, Supersession] = {}
    current = None
    for t, together in itertools.groupby(changes, key=_instant):
        if t == UNBOUNDED:
            break
        for _, step, revision in together:
            if step:
                counts[revision] = counts.get(revision, 0) + step
                if not counts[revision]:
                    del counts[revision]
        if t in turns:
            acting = acting_at(forced, t)
            gone = removed_by(acting, transitive=transitive)
        found = _outcome(counts, acting, gone)
        if found != current:
            current = found
            yield t, found


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
    return removed_by(acting_at(forces(scope), t), transitive=transitive)


class Acting(NamedTuple):
    """The relations that matter at one instant: in force by themselves, and those a chain may run along."""

    direct: Sequence[Supersession] = ()
    links: Sequence[Supersession] = ()
    unknown: bool = False


def acting_at(forced: Iterable[Force], t: int) -> Acting:
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
    return Acting(direct, links, unknown)


def removed_by(acting: Acting, *, transitive: bool) -> dict[str, Supersession]:
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


def turning_points(scope: ScopeRows, forced: Iterable[Force]) -> list[int]:
    """The instants at which a relation begins or ceases to act, or becomes effective."""
    turns = {bound for _, spans in forced for span in spans for bound in span}
    turns.update(relation.effective.start for relation in scope.relations)
    return sorted(turns - {UNBOUNDED})
