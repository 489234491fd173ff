"""What the register check asks of precedence: relations on cycles, and revisions that stay away (contract 3.4, 3.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workbench.intervals import Interval, elementary
from workbench.validity.cycles import on_cycles
from workbench.validity.precedence import ScopeRows, acting_at, forces, removed_by, turning_points
from workbench.validity.rows import Supersession


def cyclic_relations(scope: ScopeRows, *, transitive: bool) -> list[Supersession]:
    """The relations that lie on a cycle of several revisions among those in force, at some instant."""
    forced = forces(scope)
    found: dict[int, Supersession] = {}
    for t in turning_points(scope, forced):
        acting = acting_at(forced, t)
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
    for interval in elementary(scope.boundaries() | set(turning_points(scope, forced))):
        acting = acting_at(forced, interval.start)
        gone = removed_by(acting, transitive=transitive)
        valid = scope.valid_at(interval.start).intersection(gone)
        if not valid or acting.unknown:
            continue
        now = [r for r in acting.direct if any(span.holds(interval.start) for span in momentary[id(r)])]
        still = removed_by(acting._replace(direct=now), transitive=transitive)
        for revision in sorted(valid.difference(still)):
            yield interval, revision, gone[revision]


def _momentary(scope: ScopeRows) -> list[tuple[Interval, ...]]:
    """For each relation the intervals in which its superseding revision is valid and it is effective."""
    as_if = tuple(replace(relation, revives=True) for relation in scope.relations)
    return [spans for _, spans in forces(ScopeRows(scope.rows, as_if))]
