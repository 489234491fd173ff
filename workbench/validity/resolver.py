"""The resolver: one request, one actor, one decision, in the contract's order (contract 3.3; S1).

(a) check the request; (b) the approved rows of the scope at the valid time, within the tenant; (c) apply
supersessions, whatever the actor may see; (d) require exactly one revision; (e) check the actor's access to it; (f)
choose the edition. No step looks at text, titles, file names, import dates or similarity.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from workbench.contract import (
    Actor,
    Allowed,
    Clock,
    Context,
    Decision,
    Operator,
    Request,
    Status,
    access_digest,
)
from workbench.errors import ContextError
from workbench.intervals import Interval
from workbench.validity.contents import is_known
from workbench.validity.precedence import NOTHING, Kind, Outcome, removals
from workbench.validity.requests import Asked, examine
from workbench.validity.rows import Equivalence, Revision, ScopeKey

if TYPE_CHECKING:
    from workbench.validity.register import Register


class Reason(StrEnum):
    """Why exactly, for the protected record only; the asker sees the status alone."""

    RESOLVED = "RESOLVED"
    INCOMPLETE = "INCOMPLETE"
    HISTORY_UNAVAILABLE = "HISTORY_UNAVAILABLE"
    UNKNOWN_SCOPE = "UNKNOWN_SCOPE"
    NO_APPLICABLE_REVISION = "NO_APPLICABLE_REVISION"
    SUCCESSOR_UNKNOWN = "SUCCESSOR_UNKNOWN"
    RIVALS = "RIVALS"
    RIVAL_ACCESS_DENIED = "RIVAL_ACCESS_DENIED"
    ACCESS_DENIED = "ACCESS_DENIED"
    NO_EDITION = "NO_EDITION"


@dataclass(frozen=True, slots=True)
class WhyNot:
    """One revision of the family and procedure, and what became of it at the requested instant."""

    revision_id: str
    verdict: str
    interval: str
    configuration: str
    region: str
    approval_ref: str | None
    row: int | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The protected record of a decision, for stewards and the operator."""

    decision: Decision
    reason: Reason
    outcome: str
    rows: tuple[WhyNot, ...]
    access: dict[str, bool]
    snapshot: str
    rules: str


class _Found(NamedTuple):
    """The decision with what it rests on: kept inside, since the asker must not see it."""

    decision: Decision
    reason: Reason
    asked: Asked | None = None
    outcome: Outcome | None = None
    window: Interval | None = None


def resolve(register: Register, request: Request, actor: Actor, *, clock: Clock | None = None) -> Decision:
    """The decision for one request and actor."""
    return _find(register, request, actor, clock).decision


def _find(register: Register, request: Request, actor: Actor, clock: Clock | None) -> _Found:
    if not isinstance(actor, Actor):
        raise TypeError("resolve decides for an Actor; the operator looks at explain, tables and checks")
    asked = examine(
        request,
        register.settings,
        configurations=register.configurations,
        regions=register.regions,
        clock=clock,
    )
    if isinstance(asked, Decision):
        incomplete = asked.status is Status.MISSING_SCOPE
        return _Found(asked, Reason.INCOMPLETE if incomplete else Reason.HISTORY_UNAVAILABLE)

    if "unknown" in (
        register.configurations.standing(asked.configuration),
        register.regions.standing(asked.region),
    ):
        return _Found(Decision(Status.UNAVAILABLE), Reason.UNKNOWN_SCOPE, asked)
    key = ScopeKey(actor.tenant, asked.family, asked.procedure, asked.configuration, asked.region)
    window, outcome = register.timeline(key, asked.known_at).at(asked.at) or (None, NOTHING)
    decision, reason = _judge(register, asked, actor, outcome, window)
    return _Found(decision, reason, asked, outcome, window)


def _judge(
    register: Register, asked: Asked, actor: Actor, outcome: Outcome, window: Interval | None
) -> tuple[Decision, Reason]:
    """Steps (d) to (f): exactly one revision, the actor's access to it, the edition."""
    if outcome.kind is Kind.UNKNOWN:
        return Decision(Status.UNAVAILABLE), Reason.SUCCESSOR_UNKNOWN
    if outcome.kind is Kind.GAP:
        return Decision(Status.UNAVAILABLE), Reason.NO_APPLICABLE_REVISION
    left = [register.revisions[revision] for revision in outcome.revisions]
    readable = all(actor.may(revision.tenant, revision.groups) for revision in left)
    if outcome.kind is Kind.CONFLICT:
        if not readable:
            return Decision(Status.UNAVAILABLE), Reason.RIVAL_ACCESS_DENIED
        owner = register.owner_of(asked.family, asked.procedure, outcome.revisions)
        return Decision(Status.UNRESOLVED_AUTHORITY, rivals=outcome.revisions, owner=owner), Reason.RIVALS
    if not readable:
        return Decision(Status.UNAVAILABLE), Reason.ACCESS_DENIED
    revision = left[0]
    edition: Equivalence | None = None
    if asked.language is not None and asked.language != revision.source_language:
        edition = edition_for(register, revision, asked.language, actor, known_at=asked.known_at)
        permitted = register.settings.source_language_permitted
        if edition is None and not (asked.source_language and permitted):
            return Decision(Status.NO_EQUIVALENT_EDITION, source_way=permitted), Reason.NO_EDITION
    assert window is not None, "a revision is left, so some interval holds the instant"
    return _resolved(register, asked, actor, revision, edition, window), Reason.RESOLVED


def edition_for(
    register: Register, revision: Revision, language: str, actor: Actor, *, known_at: int | None
) -> Equivalence | None:
    """The reviewed edition with the lowest equivalence id that the actor may read; unreadable counts as absent."""
    for equivalence in register.editions_of.get(revision.id, ()):
        edition = register.revisions[equivalence.edition]
        if (
            equivalence.language == language
            and is_known(equivalence.recorded, known_at)
            and actor.may(edition.tenant, edition.groups)
        ):
            return equivalence
    return None


def _resolved(
    register: Register, asked: Asked, actor: Actor, revision: Revision, edition: Equivalence | None, window: Interval
) -> Decision:
    document = register.revisions[edition.edition] if edition else revision
    spans = register.spans(document.id, revision.id, asked.procedure)
    valid, recorded = register.settings.valid, register.settings.recorded
    answer = edition.language if edition else revision.source_language
    wants_other = asked.language is not None and asked.language != revision.source_language
    context = Context(
        tenant=actor.tenant,
        access=access_digest(actor, {document.id: True}),
        scope=asked.scope,
        mode=asked.mode,
        at=valid.spell(asked.at),
        known_at=None if asked.known_at is None else recorded.spell(asked.known_at),
        language=asked.language,
        source_language=revision.source_language,
        answer_language=answer,
        revision_id=revision.id,
        revision_sha256=revision.source_digest,
        edition_id=edition.edition if edition else None,
        equivalence_id=edition.id if edition else None,
        equivalence_status="reviewed" if edition else "none" if wants_other else "source",
        allowed=(Allowed(document.id, document.source_digest, spans),),
        valid_from=valid.spell(window.start),
        valid_to=valid.spell(window.end),
        snapshot=register.snapshot(asked.known_at),
        rules=register.settings.rule_set,
    )
    start = valid.public(window.start)
    assert not isinstance(start, str), "a window starts at a boundary, never at unbounded"
    return Decision(
        Status.RESOLVED,
        revision_id=revision.id,
        edition_id=context.edition_id,
        valid_from=start,
        valid_to=valid.public(window.end),
        at=context.at,
        mode=asked.mode,
        language=answer,
        context=context,
    )


# --- the protected record ---------------------------------------------------------------------------------------


def explain(
    register: Register, request: Request, actor: Actor, *, reader: Actor | Operator, clock: Clock | None = None
) -> Explanation:
    """The protected record behind the decision; for stewards of the actor's tenant and the operator."""
    if not register.is_steward(reader, actor.tenant):
        raise ContextError("the record behind a decision is for stewards and the operator")
    found = _find(register, request, actor, clock)
    asked = found.asked
    known_at = None if asked is None else asked.known_at
    return Explanation(
        decision=found.decision,
        reason=found.reason,
        outcome=repr(found.outcome) if found.outcome else "",
        rows=tuple(_why_not(register, actor.tenant, asked, found)) if asked else (),
        access=(
            {r: actor.may(register.revisions[r].tenant, register.revisions[r].groups) for r in found.outcome.revisions}
            if found.outcome
            else {}
        ),
        snapshot=register.snapshot(known_at),
        rules=register.settings.rule_set,
    )


def _why_not(register: Register, tenant: str, asked: Asked, found: _Found) -> list[WhyNot]:
    rule = register.settings.valid
    key = ScopeKey(tenant, asked.family, asked.procedure, asked.configuration, asked.region)
    scope = register.scope_rows(key, asked.known_at)
    removed = removals(scope, asked.at, transitive=register.settings.rules == "transitive")
    left = found.outcome.revisions if found.outcome else ()
    here = (asked.configuration, asked.region)
    rows: list[WhyNot] = []
    for row in register.applicability:
        if (row.scope.tenant, row.scope.family, row.scope.procedure) != (tenant, asked.family, asked.procedure):
            continue
        if here not in {(key.configuration, key.region) for key in register.leaf_scopes(row.scope)}:
            verdict = "OTHER_SCOPE"
        elif not is_known(row.recorded, asked.known_at):
            verdict = "NOT_SAID_THEN" if asked.known_at is not None else "CORRECTED"
        elif asked.at < row.valid.start:
            verdict = "NOT_YET_VALID"
        elif asked.at >= row.valid.end:
            verdict = "ENDED"
        elif row.revision_id in removed:
            verdict = f"SUPERSEDED_BY {removed[row.revision_id].superseding}"
        elif row.revision_id not in left:
            verdict = "SUCCESSOR_UNKNOWN"
        else:
            verdict = "RIVAL" if len(left) > 1 else "DECIDES"
        rows.append(
            WhyNot(
                revision_id=row.revision_id,
                verdict=verdict,
                interval=f"[{rule.spell(row.valid.start)},{rule.spell(row.valid.end)})",
                configuration=row.scope.configuration,
                region=row.scope.region,
                approval_ref=row.approval_ref,
                row=row.row,
            )
        )
    return rows
