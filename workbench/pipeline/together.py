"""A set of scopes searched together: the union of what its decisions allow, and nothing in place of its refusals.

Contract 3.12: ``register.applicable`` gives one decision for each family and procedure; the view is the union of the
resolved ones. A hit is then cited under the one decision that allows its passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from workbench.contract import Actor, Allowed, Context, Decision, Hit, Scope, Spans, Status, access_digest
from workbench.errors import ContextError, EvidenceError
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs
from workbench.evidence.view import View
from workbench.intervals import Interval
from workbench.pipeline.gate import OUTSIDE, context_of
from workbench.pipeline.manifest import Manifest, cite


@dataclass(frozen=True, slots=True)
class Together:
    """The one view of several decisions, and the decisions as they turned out against the corpus.

    ``decisions`` holds UNAVAILABLE where register and corpus disagree (contract 3.13). Where nothing is resolved the
    view is empty, and finds nothing.
    """

    view: View
    decisions: Mapping[Scope, Decision]

    def decision_of(self, hit: Hit) -> Decision:
        """The decision whose view the hit's passage belongs to; EvidenceError where it is none of them."""
        for decision in self.decisions.values():
            if decision.status is Status.RESOLVED and _rebound(hit, decision) is not None:
                return decision
        raise EvidenceError(OUTSIDE)

    def cite(self, hit: Hit) -> Manifest:
        """The hit's manifest under its own decision.

        Windows over a document of which several procedures apply are numbered over all of them; they cannot be cited
        under one, and raise EvidenceError: search under that one decision.
        """
        decision = self.decision_of(hit)
        rebound = _rebound(hit, decision)
        if rebound is None:
            raise EvidenceError(OUTSIDE)
        return cite(rebound, decision)


def together(corpus: Corpus, actor: Actor, decisions: Mapping[Scope, Decision]) -> Together:
    """The union of the resolved decisions of a set, as one view of this corpus for this actor.

    >>> from workbench.validity.register import Register
    >>> corpus, register = Corpus.read("data/pumps"), Register.read("data/pump-seal")
    >>> mechanic = Actor("werk-nord", {"wartung"})
    >>> found = together(corpus, mechanic, register.applicable("C2", "EU", actor=mechanic, at=6))
    >>> found.cite(found.view.search("Anzugsmoment")[0])
    Manifest('bulletin-B', paragraph 3, bulletin-B, historical at 6, valid [5,10))
    """
    checked = {scope: _against(corpus, actor, decision) for scope, decision in decisions.items()}
    resolved = [decision for decision in checked.values() if decision.status is Status.RESOLVED]
    return Together(corpus.view(actor, _union(actor, resolved)), checked)


def _against(corpus: Corpus, actor: Actor, decision: Decision) -> Decision:
    if decision.status is not Status.RESOLVED:
        return decision
    try:
        corpus.view(actor, decision)
    except ContextError:
        return Decision(Status.UNAVAILABLE)
    return decision


def _union(actor: Actor, decisions: Iterable[Decision]) -> Decision:
    """One decision that allows what these allow, each document once; of no one scope, so nothing is cited under it."""
    contexts = [context_of(decision) for decision in decisions]
    allowed: dict[str, Allowed] = {}
    for context in contexts:
        for one in context.allowed:
            before = allowed.get(one.document_id)
            allowed[one.document_id] = one if before is None else replace(one, spans=_both(before.spans, one.spans))
    if not contexts:
        return Decision(Status.RESOLVED, context=_nothing(actor))
    context = replace(
        contexts[0],
        access=access_digest(actor, dict.fromkeys(allowed, True)),
        scope=Scope(None, None, contexts[0].scope.configuration, contexts[0].scope.region),
        allowed=tuple(allowed[name] for name in sorted(allowed)),
        id="",
    )
    return Decision(Status.RESOLVED, context=context)


def _nothing(actor: Actor) -> Context:
    """A context that allows nothing: the empty set never means everything."""
    texts = dict.fromkeys(
        ("mode", "at", "source_language", "answer_language", "revision_id", "revision_sha256", "equivalence_status"), ""
    )
    return Context(
        tenant=actor.tenant,
        access=access_digest(actor, {}),
        scope=Scope(None, None, None, None),
        known_at=None,
        language=None,
        edition_id=None,
        equivalence_id=None,
        allowed=(),
        valid_from="",
        valid_to="",
        snapshot="",
        rules="",
        **texts,
    )


def _both(one: Spans | None, other: Spans | None) -> Spans | None:
    """The spans of two procedures of one document, which are disjoint; touching ones stay two, and are cut as two."""
    return None if one is None or other is None else tuple(sorted({*one, *other}))


def _rebound(hit: Hit, decision: Decision) -> Hit | None:
    """The hit as the decision's own view would give it, or ``None`` where it would not."""
    for allowed in context_of(decision).allowed:
        if allowed.document_id != hit.document_id or allowed.content_sha256 != hit.content_sha256:
            continue
        if allowed.spans == hit.within:
            return hit
        passage = Interval(hit.start, hit.end)
        # Paragraph numbers count over the whole text, so they do not depend on the spans; other numbers do.
        if hit.cut == repr(Paragraphs()) and any(span.covers(passage) for span in allowed.spans or ()):
            return replace(hit, within=allowed.spans)
    return None
