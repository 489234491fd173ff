"""Findings that show only when a scope is resolved over time (contract 3.4, 3.8, 3.9)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.findings import Code, Finding
from workbench.validity.precedence import NOTHING, Kind, Outcome, ScopeRows
from workbench.validity.precedence_checks import cyclic_relations, revivals
from workbench.validity.register import Register
from workbench.validity.rows import ScopeKey

BLOCKED = {
    Kind.GAP: (Code.NO_APPLICABLE_REVISION, "nothing applies", "approve a revision for it, or accept the gap"),
    Kind.CONFLICT: (Code.UNRESOLVED_AUTHORITY, "several apply", "decide which one, and record a supersession"),
    Kind.UNKNOWN: (Code.SUCCESSOR_UNKNOWN, "the successor is not recorded", "record the successor"),
}


@dataclass(frozen=True, slots=True)
class _Seen:
    """A finding in one scope, before the scopes that show the same are told together."""

    code: Code
    table: str
    row: int | None
    what: str
    interval: Interval
    remedy: str
    owner: str | None


def scope_findings(register: Register) -> Iterator[Finding]:
    """Conflicts, gaps, cycles and revivals of all scopes, each told once for all scopes that its rows stand for."""
    found: dict[_Seen, list[ScopeKey]] = {}
    for key in sorted(register.by_scope):
        for seen in _in_scope(register, key):
            found.setdefault(seen, []).append(key)
    spell = register.settings.valid.spell
    for seen, keys in found.items():
        more = f" and {len(keys) - 1} more scopes" if len(keys) > 1 else ""
        at = f" in [{spell(seen.interval.start)},{spell(seen.interval.end)})"
        message = f"{seen.what}{at} for {' / '.join(keys[0][1:])}{more}"
        yield Finding(seen.code, seen.table, seen.row, message, seen.owner, seen.remedy)


def _in_scope(register: Register, key: ScopeKey) -> Iterator[_Seen]:
    scope = register.scope_rows(key, None)
    timeline = register.timeline(key, None)
    pieces = list(zip(timeline.spans(), timeline.outcomes, strict=True))
    for interval, outcome in pieces:
        if outcome.kind is Kind.CONFLICT:
            yield _conflict(register, key, scope, interval, outcome)
    if register.settings.gaps_reported:
        yield from _gaps(register, key, scope, pieces)
    if scope.relations:
        yield from _relations(register, key, scope)


def _conflict(register: Register, key: ScopeKey, scope: ScopeRows, interval: Interval, outcome: Outcome) -> _Seen:
    rows = [r for r in scope.rows if r.revision_id in outcome.revisions and r.valid.holds(interval.start)]
    levels = {(r.scope.configuration, r.scope.region) for r in rows}
    code = Code.OVERLAP if len(levels) == 1 else Code.HIERARCHY_CONFLICT
    what = f"{', '.join(outcome.revisions)} apply without precedence"
    remedy = "record which one supersedes, or close the others"
    owner = register.owner_of(key.family, key.procedure, outcome.revisions)
    return _Seen(code, "applicability", max(r.row for r in rows), what, interval, remedy, owner)


def _gaps(
    register: Register, key: ScopeKey, scope: ScopeRows, pieces: list[tuple[Interval, Outcome]]
) -> Iterator[_Seen]:
    """Only gaps between two stretches: before the first and after the last one, nothing was promised."""
    for (interval, outcome), _ in itertools.pairwise(pieces):
        if outcome.kind is Kind.GAP:
            ending = [r for r in scope.rows if r.valid.end <= interval.start] or list(scope.rows)
            last = max(ending, key=lambda r: (r.valid.end, r.row), default=None)
            owner = register.owner_of(key.family, key.procedure, [last.revision_id] if last else [])
            remedy = "approve a revision for it, or allow gaps"
            row = last.row if last else None
            yield _Seen(Code.GAP, "applicability", row, "nothing applies", interval, remedy, owner)


def _relations(register: Register, key: ScopeKey, scope: ScopeRows) -> Iterator[_Seen]:
    transitive = register.settings.rules == "transitive"
    for relation in cyclic_relations(scope, transitive=transitive):
        owner = register.owner_of(key.family, key.procedure, [relation.superseded])
        what = f"{relation.superseding} and {relation.superseded} supersede each other, so neither does,"
        remedy = "close the relation that is wrong"
        yield _Seen(Code.CYCLE, "supersessions", relation.row, what, relation.effective, remedy, owner)
    joined: list[_Seen] = []
    stretches = sorted(revivals(scope, transitive=transitive), key=lambda found: (found[1], found[2].row, found[0]))
    for interval, revision, relation in stretches:
        owner = register.owner_of(key.family, key.procedure, [revision])
        what = f"{revision} stays superseded by {relation.superseding}, which no longer acts,"
        remedy = "close the predecessor's row, or write revives = true"
        found = _Seen(Code.REVIVAL, "supersessions", relation.row, what, interval, remedy, owner)
        if joined and replace(joined[-1], interval=interval) == found and joined[-1].interval.end == interval.start:
            joined[-1] = replace(found, interval=Interval(joined[-1].interval.start, interval.end))
        else:
            joined.append(found)
    yield from joined


def every_scope_findings(register: Register) -> Iterator[Finding]:
    """Each combination of declared scope values over each elementary interval that is not one revision.

    Per tenant: the families and procedures that its rows speak of, with every declared configuration and region; where
    none are declared, with those that its rows speak of.
    """
    spell = register.settings.valid.spell
    for key in _combinations(register):
        here = {row.revision_id for row in register.scope_rows(key, None).rows}
        for interval, outcome in _over_time(register, key):
            if outcome.kind is Kind.REVISION:
                continue
            code, said, remedy = BLOCKED[outcome.kind]
            start = spell(interval.start) if interval.start > -UNBOUNDED else "ever"
            who = f" ({', '.join(outcome.revisions)})" if outcome.revisions else ""
            message = f"{said}{who} in [{start},{spell(interval.end)}) for {' / '.join(key[1:])}"
            owner = register.owner_of(key.family, key.procedure, outcome.revisions or here)
            yield Finding(code, "applicability", None, message, owner, remedy)


def _over_time(register: Register, key: ScopeKey) -> Iterator[tuple[Interval, Outcome]]:
    timeline = register.timeline(key, None)
    if not timeline.starts:
        yield Interval(-UNBOUNDED, UNBOUNDED), NOTHING
    yield from zip(timeline.spans(), timeline.outcomes, strict=True)


def _combinations(register: Register) -> Iterator[ScopeKey]:
    spoken: dict[str, set[tuple[str, str]]] = {}
    configurations: dict[str, set[str]] = {}
    regions: dict[str, set[str]] = {}
    for key in register.by_scope:
        rows = register.scope_rows(key, None)
        if rows.rows or rows.relations:
            spoken.setdefault(key.tenant, set()).add((key.family, key.procedure))
            configurations.setdefault(key.tenant, set()).add(key.configuration)
            regions.setdefault(key.tenant, set()).add(key.region)
    for tenant in sorted(spoken):
        all_configurations = register.configurations.all_leaves() or sorted(configurations[tenant])
        all_regions = register.regions.all_leaves() or sorted(regions[tenant])
        pairs = sorted(spoken[tenant])
        for (family, procedure), configuration, region in itertools.product(pairs, all_configurations, all_regions):
            yield ScopeKey(tenant, family, procedure, configuration, region)
