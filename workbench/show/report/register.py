"""The points of S1's checklist that a register's own rows decide: what its check found, and what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from workbench.contract import Status
from workbench.show.report.probes import Seen
from workbench.show.report.world import World, bounded, spread
from workbench.validity.contents import known
from workbench.validity.findings import Code, Finding
from workbench.validity.precedence import Kind, outcome_at
from workbench.validity.rows import UNKNOWN

BLOCKED: Final = (Code.NO_APPLICABLE_REVISION, Code.UNRESOLVED_AUTHORITY, Code.SUCCESSOR_UNKNOWN)
"""What ``--every-scope`` lists a scope under; a finding of these without a row is a blocked case."""
OVERLAPS: Final = (Code.OVERLAP, Code.HIERARCHY_CONFLICT, Code.CYCLE)


def blocked(findings: Sequence[Finding]) -> list[Finding]:
    """The blocked cases: scopes over an interval in which nobody is given an instruction."""
    return [f for f in findings if f.code in BLOCKED and f.table == "applicability" and f.row is None]


def told(findings: Sequence[Finding]) -> tuple[str, ...]:
    """The findings in one line each."""
    return tuple(
        f"{f.code}, {f.table}{'' if f.row is None else f' row {f.row}'}: {f.message} (owner {f.owner or 'unstated'})"
        for f in findings
    )


def digests(world: World, findings: Sequence[Finding]) -> Seen:
    """Is every revision's text the one that was approved?"""
    revisions = world.register.revisions
    wrong = [f for f in findings if f.code in (Code.DIGEST_MISMATCH, Code.DOCUMENT_ABSENT)]
    right = len(revisions) - len({f.row for f in wrong})
    said = f"{right} of {len(revisions)} revisions have the text whose SHA-256 the register holds."
    return Seen(len(revisions), said, told(wrong))


def supersessions(world: World, findings: Sequence[Finding]) -> Seen:
    """Is every supersession approved, between known revisions, of matching scope, and part of no cycle?"""
    rows = known(world.register.supersessions, None)
    codes = (Code.APPROVAL_MISSING, Code.DANGLING_REFERENCE, Code.SCOPE_MISMATCH, Code.CYCLE, Code.SELF_SUPERSESSION)
    wrong = [f for f in findings if f.table == "supersessions" and f.code in (*codes, Code.MALFORMED)]
    approved = sum(bool(row.approval_ref) for row in rows)
    unknown = sum(row.superseding == UNKNOWN for row in rows)
    said = f"{approved} of {len(rows)} supersessions in force name their approval; {unknown} name an unknown successor."
    if not rows:
        said = "The register holds no supersession, so there was none to check."
    return Seen(len(rows), said, told(wrong))


def context_keys(world: World, findings: Sequence[Finding]) -> Seen:
    """Is every row's scope whole and declared, and is every incomplete request asked back?"""
    rows = known(world.register.applicability, None)
    codes = (Code.MALFORMED, Code.UNKNOWN_SCOPE_VALUE, Code.PROCEDURE_UNLOCATED)
    wrong = told([f for f in findings if f.code in codes])
    asked, given = 0, []
    for slot in spread(world.slots):
        request, actor = world.request(slot), world.reader(slot.key.tenant)
        for part in ("family", "procedure", "configuration", "region"):
            asked += 1
            scope = replace(request.scope, **{part: None})
            decision = world.register.resolve(replace(request, scope=scope), actor, clock=world.clock)
            if decision.status is not Status.MISSING_SCOPE or decision.missing != (part,):
                given.append(f"without {part} the answer was {decision!r} for {slot}")
    said = (
        f"{len(rows)} applicability rows name family, procedure, configuration and region. Of {asked} requests with "
        f"one of them left out, {asked - len(given)} were asked for it and not searched."
    )
    return Seen(len(rows), said, (*wrong, *given))


def time_semantics(world: World, findings: Sequence[Finding]) -> Seen:
    """Does the register say what its times mean, and does every instant have the outcome that the projection says?"""
    register = world.register
    malformed = told([f for f in findings if f.code is Code.MALFORMED])
    transitive = register.settings.rules == "transitive"
    asked, wrong = 0, []
    for slot in spread(world.slots, 200):
        rows = register.scope_rows(slot.key, None)
        last = slot.interval.end - 1 if bounded(slot.interval) else slot.interval.start
        for t in sorted({slot.interval.start, last}):
            asked += 1
            if outcome_at(rows, t, transitive=transitive) != slot.outcome:
                wrong.append(f"rows and projection differ at {register.settings.valid.spell(t)} for {slot}")
    written = register.settings.written()
    keys = ("time", "recorded_time", "history_from", "zone", "day_starts", "skipped_time", "doubled_time")
    stated = ", ".join(f"{key} = {written[key]}" for key in keys if key in written)
    said = (
        f"The register states {stated}. Intervals hold from their start, included, to their end, excluded; an open end "
        f"is written unbounded. At {asked} boundaries the rows themselves give what the projection says, "
        f"{len(wrong) or 'none'} differ."
    )
    return Seen(len(known(register.applicability, None)), said, (*malformed, *wrong))


def conflicts(world: World, findings: Sequence[Finding]) -> Seen:
    """Is every conflict listed with an owner, and refused to everybody?"""
    listed = [f for f in findings if f.code in OVERLAPS]
    listed += [f for f in blocked(findings) if f.code is Code.UNRESOLVED_AUTHORITY]
    unowned = told([f for f in listed if not f.owner])
    slots = world.of_kind(Kind.CONFLICT)
    asked, given = spread(slots), []
    for slot in asked:
        decision = world.register.resolve(world.request(slot), world.reader(slot.key.tenant), clock=world.clock)
        if decision.status is not Status.UNRESOLVED_AUTHORITY:
            given.append(f"the answer was {decision!r} for {slot}")
    said = (
        f"All {len(world.slots)} scopes and intervals were looked at: {len(slots)} in conflict, {len(listed)} "
        f"findings about it, {len(listed) - len(unowned)} with an owner. Asked for, {len(asked) - len(given)} of "
        f"{len(asked)} were refused as UNRESOLVED_AUTHORITY."
    )
    if not slots:
        said = f"All {len(world.slots)} scopes and intervals were looked at; none is in conflict."
    return Seen(len(world.slots), said, (*unowned, *given))


def responsibility(world: World, findings: Sequence[Finding]) -> Seen:
    """Does every revision have an id, a version's digest, and somebody who answers for it?"""
    revisions = world.register.revisions
    wrong = [f for f in findings if f.code is Code.OWNER_MISSING]
    said = f"{len(revisions) - len(wrong)} of {len(revisions)} revisions name who answers for them."
    return Seen(len(revisions), said, told(wrong))


def owners(world: World, findings: Sequence[Finding]) -> Seen:
    """Does every blocked case name who has to decide it?"""
    cases = blocked(findings)
    unowned = told([f for f in cases if not f.owner])
    said = f"{len(cases)} blocked cases, {len(cases) - len(unowned)} with an owner."
    if not cases:
        said = (
            "No case is blocked: each combination of declared scope values has one revision over each interval "
            "that its rows speak of."
        )
    return Seen(max(len(cases), len(world.slots)), said, unowned)
