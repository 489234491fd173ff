"""Does a manifest still hold? Offline, against corpus and register, naming the first part that fails (contract 4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workbench.contract import Actor, Clock, Context, Decision, Request, Status, Verdict, fingerprint
from workbench.errors import RequestError
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus
from workbench.intervals import Interval
from workbench.pipeline.manifest import Manifest, ManifestError
from workbench.pipeline.recheck import request_again
from workbench.validity.instants import InstantError
from workbench.validity.register import Register

MALFORMED = Verdict(False, "malformed")
UNAVAILABLE = Verdict(False, "unavailable")
CONTEXT_MISMATCH = Verdict(False, "context_mismatch")
SOURCE_CHANGED = Verdict(False, "source_changed")
QUOTE_MISMATCH = Verdict(False, "quote_mismatch")
SCOPE_MISMATCH = Verdict(False, "scope_mismatch")
DECISION_CHANGED = Verdict(False, "decision_changed")


def verify(
    manifest: Manifest | Mapping[str, object],
    actor: Actor,
    corpus: Corpus,
    register: Register,
    *,
    clock: Clock | None = None,
) -> Verdict:
    """Whether the manifest holds today, for this actor; the first failing part is named.

    In this order: ``malformed``, ``unavailable`` (revision or document: nothing more is said), ``context_mismatch``,
    ``source_changed``, ``quote_mismatch``, ``scope_mismatch``, ``decision_changed`` (re-resolved at its reference time,
    as known now). What holds is ``historical`` where the clock's current decision differs, or where there is no clock
    that could show it to be current.
    """
    if not isinstance(manifest, Manifest):
        try:
            manifest = Manifest.of(manifest)
        except ManifestError:
            return MALFORMED
    context, citation = manifest.context, manifest.citation
    names = {citation.document_id} if context is None else {citation.document_id, context.revision_id}
    if not all(_accessible(name, actor, corpus, register, bound=context is not None) for name in names):
        return UNAVAILABLE
    if context is not None and context.tenant != actor.tenant:
        return UNAVAILABLE
    cited = resolve_citation(actor, citation, corpus)
    if cited.reason == "unavailable":
        return UNAVAILABLE
    if context is not None and context.computed_id() != manifest.context_id:
        return CONTEXT_MISMATCH
    if context is not None and not _sources_hold(context, citation.document_id, corpus, register):
        return SOURCE_CHANGED
    if not cited.ok:
        return cited
    if fingerprint(citation.quote) != manifest.quote_sha256:
        return QUOTE_MISMATCH
    if context is None:
        return replace(cited, authority="none")
    if not _in_scope(manifest, context, register):
        return SCOPE_MISMATCH
    if not _decided_again(context, actor, register):
        return DECISION_CHANGED
    # A replaced text is historical even while the register still stands by it (contract 2.8).
    historical = cited.historical or not _is_current(context, actor, register, clock)
    return replace(cited, historical=historical, authority="register")


def _accessible(name: str, actor: Actor, corpus: Corpus, register: Register, *, bound: bool) -> bool:
    """Whether register and corpus both let the actor read a document (contract 3.13).

    Without a decision the register need not know the document; where it does, what it says counts.
    """
    document, revision = corpus.get(name), register.revisions.get(name)
    if document is None or not actor.may(document.tenant, document.groups):
        return False
    return not bound if revision is None else actor.may(revision.tenant, revision.groups)


def _sources_hold(context: Context, cited: str, corpus: Corpus, register: Register) -> bool:
    """Whether the governing revision is still the text that was decided on, also where an edition of it is cited."""
    governing = register.revisions[context.revision_id]
    if governing.source_digest != context.revision_sha256:
        return False
    return cited == governing.id or corpus.fingerprint(governing.id) == context.revision_sha256


def _in_scope(manifest: Manifest, context: Context, register: Register) -> bool:
    """Whether the cited document is the decision's own, and the passage stands in the procedure's sections of today."""
    citation = manifest.citation
    if citation.document_id != (context.edition_id or context.revision_id):
        return False
    allowed = [a for a in context.allowed if a.document_id == citation.document_id]
    if len(context.allowed) != 1 or len(allowed) != 1 or allowed[0].content_sha256 != citation.content_sha256:
        return False
    if register.revisions[citation.document_id].source_digest != citation.content_sha256:
        return False
    if citation.within != allowed[0].spans:
        return False  # a passage of other parts of the document is none of the decision's view
    spans = register.spans(citation.document_id, context.revision_id, context.scope.procedure or "")
    if spans is None:
        return True
    passage = Interval(citation.start or 0, citation.end or 0)
    return any(span.covers(passage) for span in spans)


def _request(context: Context, *, at: str | None) -> Request:
    """The request anew, as known now: what the register knew then is no reason to keep a passage (contract 4.6)."""
    return replace(request_again(context, at=at), known_at=None)


def _decided_again(context: Context, actor: Actor, register: Register) -> bool:
    try:
        again = register.resolve(_request(context, at=context.at), actor)
        then = again if context.known_at is None else register.resolve(request_again(context, at=context.at), actor)
        inside = _holds(context, register)
    except (RequestError, InstantError):
        return False
    if not _same(context, again) or again.context is None or not _same(context, then):
        return False
    if again.context.at != context.at or not inside:
        return False
    if context.known_at is None and again.context.snapshot == context.snapshot:
        # The very same register must say the very same; another snapshot may have moved the ends since.
        names = ("valid_from", "valid_to", "rules")
        return all(getattr(again.context, name) == getattr(context, name) for name in names)
    return True


def _holds(context: Context, register: Register) -> bool:
    """Whether the manifest's own interval is one, and holds its reference time."""
    rule = register.settings.valid
    return Interval(rule.read(context.valid_from), rule.read_end(context.valid_to)).holds(rule.read(context.at))


def _is_current(context: Context, actor: Actor, register: Register, clock: Clock | None) -> bool:
    return _same(context, register.resolve(_request(context, at=None), actor, clock=clock))


def _same(context: Context, decision: Decision) -> bool:
    """Whether a decision names the same revision, edition and languages as the context."""
    found = decision.context
    if decision.status is not Status.RESOLVED or found is None:
        return False
    names = ("revision_id", "edition_id", "equivalence_id", "equivalence_status", "source_language", "answer_language")
    return all(getattr(found, name) == getattr(context, name) for name in names)
