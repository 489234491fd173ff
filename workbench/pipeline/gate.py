"""The gate: every piece of evidence is checked against its decision before it is handed on (contract 4.2, 4.3)."""

from __future__ import annotations

from typing import Final

from workbench.contract import Context, Decision, Hit, Status
from workbench.errors import ContextError, EvidenceError
from workbench.intervals import Interval

OUTSIDE: Final = "This passage is not part of the decision's view; nothing was handed on."


def context_of(decision: Decision) -> Context:
    """The context of a RESOLVED decision, unaltered; ContextError otherwise."""
    context = decision.context
    if decision.status is not Status.RESOLVED or context is None:
        raise ContextError("This decision is not RESOLVED; nothing can be cited under it.")
    if context.computed_id() != context.id:
        raise ContextError("This decision's context was altered; ask again.")
    return context


def admit(hit: Hit, context: Context) -> None:
    """Refuse a hit that the context does not allow: another document, another digest, or outside the procedure.

    Raises :class:`~workbench.errors.EvidenceError` with one fixed text; there is no wider search to fall back on.
    """
    allowed = next((a for a in context.allowed if a.document_id == hit.document_id), None)
    if allowed is None or allowed.content_sha256 != hit.content_sha256:
        raise EvidenceError(OUTSIDE)
    if allowed.spans is not None:
        passage = Interval(hit.start, hit.end)
        if not any(span.covers(passage) for span in allowed.spans):
            raise EvidenceError(OUTSIDE)
