"""The last check: is what was decided still what would be decided now? (contract 4.8; S1)."""

from __future__ import annotations

from dataclasses import replace

from workbench.contract import Actor, Clock, Context, Decision, Request, Status
from workbench.errors import ContextError, RequestError
from workbench.evidence.corpus import Corpus
from workbench.validity.register import Register


def request_again(context: Context, *, at: str | None) -> Request:
    """The request that led to a context, asked anew about its own instant, or (``at=None``) about the present."""
    return Request(
        context.scope,
        at=at,
        language=context.language,
        known_at=context.known_at,
        source_language=context.equivalence_status == "none",
    )


def still_valid(
    decision: Decision, actor: Actor, corpus: Corpus, register: Register, *, clock: Clock | None = None
) -> Decision:
    """The decision itself where the newest register and access still give it, else ``CONTEXT_EXPIRED``.

    Everything that the evidence says of itself is compared: revision, edition, equivalence, languages, digests, spans,
    validity interval, rule set and mode. Another register snapshot alone changes nothing. A ``current`` decision is
    resolved again at the present of ``clock`` (the wall clock by default in a ``utc`` register; a logical register
    without one is asked about the decision's own instant, and says nothing about the mode), so that it expires when its
    interval ends. A refusal carries no evidence and is returned as it is. Access is the given actor's, as of now, by
    register and corpus.

    >>> from workbench.contract import Scope
    >>> corpus, register = Corpus.read("data/pumps"), Register.read("data/pump-seal")
    >>> mechanic = Actor("werk-nord", {"wartung"})
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> decision = register.resolve(Request(seal), mechanic, clock=lambda: 9)
    >>> still_valid(decision, mechanic, corpus, register, clock=lambda: 9) == decision
    True
    >>> still_valid(decision, mechanic, corpus, register, clock=lambda: 10)
    Decision(CONTEXT_EXPIRED)
    """
    context = decision.context
    if decision.status is not Status.RESOLVED:
        return decision
    if context is None or context.computed_id() != context.id:
        return decision.expired()
    timeless = clock is None and register.settings.valid.kind == "logical"
    present = context.mode == "current" and not timeless
    try:
        again = register.resolve(request_again(context, at=None if present else context.at), actor, clock=clock)
        if _promised(again, timeless=timeless) != _promised(decision, timeless=timeless):
            return decision.expired()
        corpus.view(actor, decision)
    except (ContextError, RequestError):
        return decision.expired()
    return decision


def _promised(decision: Decision, *, timeless: bool) -> object:
    """What a decision says that the evidence carries on; not the instant and the snapshot that it was taken from."""
    context = decision.context
    kept = replace(decision, context=None, at=None, mode=None if timeless else decision.mode)
    if context is None:
        return kept
    mode = "" if timeless else context.mode
    return kept, replace(context, id="", at="", snapshot="", mode=mode)
