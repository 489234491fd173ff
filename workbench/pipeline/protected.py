"""The protected part of a decision: by which approvals, and what its access reference stands for (contract 4.5).

It is for stewards and the operator, is written into the audit log, and never into a decision or a manifest.
"""

from __future__ import annotations

from workbench.contract import Actor, Clock, Context, Decision, Operator, Request, Status
from workbench.errors import ContextError
from workbench.validity.precedence import removals
from workbench.validity.register import Register
from workbench.validity.rows import ScopeKey

STEWARDS_ONLY = "the record behind a decision is for stewards and the operator"


def protected_record(
    register: Register,
    decision: Decision,
    actor: Actor,
    *,
    reader: Actor | Operator,
    request: Request | None = None,
    clock: Clock | None = None,
) -> dict[str, object]:
    """What stands behind a decision, as JSON values: the reason, the approvals and their rows, the access verdicts.

    ``reader`` is who looks; raises ContextError for anybody but a steward of the actor's tenant and the operator. The
    register is the one that decided. A refusal carries nothing that it could be explained from: its reason is given
    where the ``request`` (and the ``clock`` that it was resolved with) is given too.

    >>> from workbench.contract import OPERATOR, Scope
    >>> register, mechanic = Register.read("data/pump-seal"), Actor("werk-nord", {"wartung"})
    >>> request = Request(Scope("pump-seal", "seal-torque", "C2", "EU"), at=6)
    >>> record = protected_record(register, register.resolve(request, mechanic), mechanic, reader=OPERATOR)
    >>> [row["approval_ref"] for row in record["approvals"]], record["access"]
    (['FG-0002'], {'bulletin-B': True})
    """
    if not register.is_steward(reader, actor.tenant):
        raise ContextError(STEWARDS_ONLY)
    context = decision.context
    who = {"tenant": actor.tenant, "groups": sorted(actor.groups), "active": actor.active}
    if decision.status is not Status.RESOLVED or context is None:
        why = None if request is None else register.explain(request, actor, reader=reader, clock=clock)
        return {
            "reason": decision.status.value if why is None else why.reason.value,
            "actor": who,
            "access_reference": None,
            "access": {} if why is None else dict(why.access),
            **_approvals(register, actor, None),
        }
    documents = sorted({context.revision_id, *(a.document_id for a in context.allowed)})
    revisions = [register.revisions[name] for name in documents]
    return {
        "reason": decision.status.value,
        "actor": who,
        "access_reference": context.access,
        "access": {revision.id: actor.may(revision.tenant, revision.groups) for revision in revisions},
        **_approvals(register, actor, context),
    }


def _approvals(register: Register, actor: Actor, context: Context | None) -> dict[str, object]:
    """The rows that the decision rests on: those that apply, the supersessions in force, the equivalence."""
    if context is None:
        return {"approvals": [], "supersessions": [], "review_ref": None}
    valid, recorded = register.settings.valid, register.settings.recorded
    at = valid.read(context.at)
    known_at = None if context.known_at is None else recorded.read(context.known_at)
    scope = context.scope
    key = ScopeKey(
        actor.tenant, scope.family or "", scope.procedure or "", scope.configuration or "", scope.region or ""
    )
    rows = register.scope_rows(key, known_at)
    removed = removals(rows, at, transitive=register.settings.rules == "transitive")
    reviews = [e.review_ref for e in register.equivalences if e.id == context.equivalence_id]
    return {
        "approvals": [
            {"row": row.row, "approval_ref": row.approval_ref}
            for row in rows.rows
            if row.revision_id == context.revision_id and row.valid.holds(at)
        ],
        "supersessions": [
            {"row": r.row, "superseding": r.superseding, "superseded": r.superseded, "approval_ref": r.approval_ref}
            for r in sorted(set(removed.values()), key=lambda relation: relation.row)
        ],
        "review_ref": reviews[0] if reviews else None,
    }
