"""What an actor may read, before anything is indexed or counted (contract 2.1; S0, "Berechtigung vor Index")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from workbench.contract import Actor, Context, Decision, Document, Spans, Status, access_digest
from workbench.errors import ContextError

# Fixed texts that name no record: they are shown to whoever asks (contract 2.11).
NOT_RESOLVED: Final = "This decision is not RESOLVED; there is nothing to search under it."
NOT_YOURS: Final = "This decision is not this actor's or not of this corpus; ask again."
NO_ACTOR: Final = "Evidence is for an Actor only."
NO_DECISION: Final = "The second argument is a Decision of the register, or None."

Admitted = Mapping[str, Spans | None]
"""The documents that may be used, by id, and of each the spans (``None``: the whole text)."""


def need_actor(actor: object) -> Actor:
    """The actor itself; anything else, the operator too, is a TypeError: there is no search without an actor."""
    if not isinstance(actor, Actor):
        raise TypeError(NO_ACTOR)
    return actor


def readable(actor: Actor, classes: Mapping[tuple[str, frozenset[str]], Sequence[str]]) -> dict[str, Spans | None]:
    """The documents that the actor may read, whole, given their ids by tenant and groups.

    >>> ids = {("nord", frozenset({"wartung"})): ["a"], ("nord", frozenset({"leitung"})): ["b"]}
    >>> readable(Actor("nord", {"wartung"}), ids), readable(Actor("nord", {"wartung"}, active=False), ids)
    ({'a': None}, {})
    """
    return {name: None for (tenant, groups), names in classes.items() if actor.may(tenant, groups) for name in names}


def context_of(decision: object) -> Context:
    """The context of a RESOLVED decision; ContextError for every refusal and for a context that was altered."""
    if not isinstance(decision, Decision):
        raise TypeError(NO_DECISION)
    context = decision.context
    if decision.status is not Status.RESOLVED or context is None:
        raise ContextError(NOT_RESOLVED)
    if context.computed_id() != context.id:
        raise ContextError(NOT_YOURS)
    return context


def admitted(
    actor: Actor,
    context: Context,
    *,
    documents: Mapping[str, Document],
    fingerprints: Mapping[str, str],
) -> dict[str, Spans | None]:
    """The documents that the context allows, checked against the corpus as it is now (contract 3.13, 4.1, 4.2).

    Tenant, access digest, existence, access and fingerprint must all hold, or a ContextError stops the request: nothing
    falls back to fewer documents or to a wider search. The error is one text for every reason.
    """
    found = {a.document_id: documents.get(a.document_id) for a in context.allowed}
    verdicts = {name: d is not None and actor.may(d.tenant, d.groups) for name, d in found.items()}
    holds = (
        context.tenant == actor.tenant
        and len(found) == len(context.allowed)
        and all(verdicts.values())
        and access_digest(actor, verdicts) == context.access
        and all(fingerprints[a.document_id] == a.content_sha256 for a in context.allowed)
        and all(_spans_hold(a.spans, found[a.document_id]) for a in context.allowed)
        and (not context.allowed or _governed(actor, context, documents, fingerprints))
    )
    if not holds:
        raise ContextError(NOT_YOURS)
    return {a.document_id: a.spans for a in context.allowed}


def _governed(
    actor: Actor, context: Context, documents: Mapping[str, Document], fingerprints: Mapping[str, str]
) -> bool:
    """Whether the governing revision is here, unchanged and readable, also where an edition of it is searched."""
    governing = documents.get(context.revision_id)
    return (
        governing is not None
        and actor.may(governing.tenant, governing.groups)
        and fingerprints[governing.id] == context.revision_sha256
    )


def _spans_hold(spans: Spans | None, document: Document | None) -> bool:
    """Whether the spans are ascending, disjoint, not empty, and inside the text.

    No span at all means that the procedure is not located in the document: its view is refused (contract 3.11).
    """
    if spans is None or document is None:
        return document is not None
    inside = spans != () and all(0 <= s.start < s.end <= len(document.text) for s in spans)
    return inside and all(left.end <= right.start for left, right in pairwise(spans))
