"""The gate: each piece of evidence is checked when it is handed on and again when it is cited (contract 4.2, 4.3).

An unknown id, another digest or a missing part stops the request with an error of one fixed text. Nothing is repaired
and nothing falls back to a wider search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from workbench.contract import Context, Decision, Hit, Spans, Status
from workbench.errors import ContextError, EvidenceError
from workbench.evidence.cuts import Cut
from workbench.evidence.view import Now, View
from workbench.intervals import Interval

OUTSIDE: Final = "This passage is not part of the decision's view; nothing was handed on."
ALTERED: Final = "This decision's context was altered; ask again."
NOT_RESOLVED: Final = "This decision is not RESOLVED; nothing can be cited under it."
OTHER_CONTEXT: Final = "This view was made under another decision; ask again."

Place = tuple[str, str, str, int, int, int, Spans | None]
"""Which passage a hit is: document, version, fingerprint, number, start, end, and the spans that were cut."""


def context_of(decision: Decision) -> Context:
    """The context of a RESOLVED decision, unaltered; ContextError otherwise."""
    context = decision.context
    if decision.status is not Status.RESOLVED or context is None:
        raise ContextError(NOT_RESOLVED)
    if context.computed_id() != context.id:
        raise ContextError(ALTERED)
    return context


def handed_on(hits: Sequence[Hit], view: View, decision: Decision) -> tuple[Hit, ...]:
    """The hits, each one shown to be a passage of the view as it is now, under this very decision.

    Whatever found them, ranked them or kept them: each must equal, part by part, the passage that the view's own cut
    gives today. Raises EvidenceError for a hit that does not, and ContextError where the view is another decision's or
    no longer holds.
    """
    context = context_of(decision)
    under = view.decision
    if under is None or context_of(under).id != context.id:
        raise ContextError(OTHER_CONTEXT)
    now, label = view.now(), repr(view.rule)
    for hit in hits:
        admit(hit, context)
    places = _places(now, view.rule, hits)
    for hit in hits:
        document = now.state.documents[hit.document_id]
        stands = _place(hit) in places and hit.cut == label and hit.view_id == now.id
        if not stands or document.text[hit.start : hit.end] != hit.quote:
            raise EvidenceError(OUTSIDE)
    return tuple(hits)


def admit(hit: object, context: Context) -> Hit:
    """Refuse a hit that the context does not allow: another document, another digest, or other parts of it.

    What a citation can check without the corpus: the document and its digest are allowed, its spans are the context's,
    the passage lies in one of them and is as long as its quote. Gives the hit; raises EvidenceError.
    """
    if not isinstance(hit, Hit) or not _complete(hit):
        raise EvidenceError(OUTSIDE)
    allowed = next((a for a in context.allowed if a.document_id == hit.document_id), None)
    if allowed is None or allowed.content_sha256 != hit.content_sha256 or allowed.spans != hit.within:
        raise EvidenceError(OUTSIDE)
    passage = Interval(hit.start, hit.end)
    if allowed.spans is not None and not any(span.covers(passage) for span in allowed.spans):
        raise EvidenceError(OUTSIDE)
    return hit


def _complete(hit: Hit) -> bool:
    texts = (hit.document_id, hit.version, hit.content_sha256, hit.cut, hit.quote)
    numbers = (hit.paragraph, hit.start, hit.end)
    return (
        all(isinstance(value, str) for value in texts)
        and all(type(value) is int for value in numbers)
        and 0 <= hit.start < hit.end
        and hit.end - hit.start == len(hit.quote)
    )


def _place(hit: Hit) -> Place:
    found = (hit.document_id, hit.version, hit.content_sha256, hit.paragraph, hit.start, hit.end)
    return (*found, hit.within)


def _places(now: Now, cut: Cut, hits: Iterable[Hit]) -> set[Place]:
    """Where the view's passages of these numbers stand today: each document is cut once, however many hits it has."""
    wanted: dict[str, set[int]] = {}
    for hit in hits:
        wanted.setdefault(hit.document_id, set()).add(hit.paragraph)
    found: set[Place] = set()
    for name, numbers in wanted.items():
        document, spans = now.state.documents[name], now.admitted[name]
        for passage in cut.passages(document.text, spans):
            if passage.number in numbers:
                version, sha256 = document.version, now.state.fingerprints[name]
                found.add((name, version, sha256, passage.number, passage.start, passage.end, spans))
    return found
