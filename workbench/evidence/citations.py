"""Whether a citation still holds, against today's corpus and today's access (contract 2.7; S0, "Auflösung")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from workbench.contract import Actor, Citation, Document, Hit, Spans, Verdict
from workbench.evidence.access import need_actor
from workbench.evidence.cuts import Cut, Paragraphs, Passage, paragraph_borders
from workbench.evidence.labels import parse
from workbench.intervals import Interval

if TYPE_CHECKING:
    from workbench.evidence.corpus import Corpus

UNAVAILABLE: Final = Verdict(False, "unavailable")
SOURCE_CHANGED: Final = Verdict(False, "source_changed")
QUOTE_MISMATCH: Final = Verdict(False, "quote_mismatch")


def resolve_citation(actor: Actor, citation: Citation | Hit | Mapping[str, object], corpus: Corpus) -> Verdict:
    """Whether the cited passage stands, whole and verbatim, at its own position in what the actor may read today.

    In this order: ``unavailable`` (gone or not accessible, indistinguishably), ``source_changed``, ``quote_mismatch``,
    ok. It is ok and ``historical`` where it cites a replaced state that the archive holds and the actor may read, too
    (contract 2.8). A similar string elsewhere is never looked for. ``cut``, ``start``, ``end`` and ``within`` are
    compared where given. No value in the citation raises; what is neither a citation nor a mapping is a TypeError.

    >>> from workbench.evidence.corpus import Corpus
    >>> corpus = Corpus([Document("a", "nord", frozenset({"wartung"}), "1", "Zwei Personen.\\n\\nFreigabe")])
    >>> actor = Actor("nord", {"wartung"})
    >>> [hit] = corpus.view(actor).search("Freigabe")
    >>> resolve_citation(actor, hit, corpus), resolve_citation(Actor("nord", set()), hit, corpus)
    (Verdict(ok), Verdict(unavailable))
    """
    need_actor(actor)
    given = _given(citation)
    state = corpus.state
    name = _text(given.get("document_id"))
    document = None if name is None else state.documents.get(name)
    if document is None or not actor.may(document.tenant, document.groups):
        return UNAVAILABLE
    version, sha256 = _text(given.get("version")), _text(given.get("content_sha256"))
    if version == document.version and sha256 == state.fingerprints[document.id]:
        return quoted(document, given)
    # What was replaced can be cited as such, by whoever may read both that state and today's (contract 2.8).
    replaced = state.archive.get((document.id, version or "", sha256 or ""))
    if replaced is None or not actor.may(replaced.tenant, replaced.groups):
        return SOURCE_CHANGED
    verdict = quoted(replaced, given)
    return replace(verdict, historical=True) if verdict.ok else verdict


def quoted(document: Document, given: Mapping[str, object]) -> Verdict:
    """Whether the citation's passage is exactly that passage of the text: the last step, for any state of it."""
    number, quote = given.get("paragraph"), _text(given.get("quote"))
    cut = _cut(given.get("cut"))
    within = given.get("within")
    spans = _spans(within, document.text)
    if type(number) is not int or quote is None or cut is None or (spans is None and within is not None):
        return QUOTE_MISMATCH
    passage = cut.passage(document.text, number, spans)
    if passage is None or not _offsets_hold(passage, given):
        return QUOTE_MISMATCH
    if document.text[passage.start : passage.end] != quote:
        return QUOTE_MISMATCH
    return Verdict(True, document_id=document.id, paragraph=number, quote=quote)


def _given(citation: object) -> Mapping[str, object]:
    if isinstance(citation, Mapping):
        return citation
    if isinstance(citation, Citation | Hit):
        return {f.name: getattr(citation, f.name) for f in fields(citation)}
    raise TypeError("a citation is a Citation, a Hit or a mapping")


def _text(value: object) -> str | None:
    # An exact str: a subclass could compare or hash as it likes.
    return str.__str__(value) if isinstance(value, str) else None


def _cut(label: object) -> Cut | None:
    return Paragraphs() if label is None else parse(_text(label))


def _offsets_hold(passage: Passage, given: Mapping[str, object]) -> bool:
    for name, wanted in (("start", passage.start), ("end", passage.end)):
        value = given.get(name)
        if value is not None and (type(value) is not int or value != wanted):
            return False
    return True


def _spans(value: object, text: str) -> Spans | None:
    """The spans that a citation names; ``None`` for what is no ascending list of parts of the text.

    Sections stand on paragraph borders (contract 3.11), and so do a citation's spans: otherwise they could be drawn
    around any half sentence, and that would then be the whole passage.
    """
    if not isinstance(value, list | tuple):
        return None
    pairs = [pair for pair in value if isinstance(pair, list | tuple) and len(pair) == 2]
    if len(pairs) != len(value) or not all(type(part) is int for pair in pairs for part in pair):
        return None
    spans = tuple(Interval(start, end) for start, end in pairs)
    if not all(0 <= s.start < s.end <= len(text) for s in spans):
        return None
    starts, ends = paragraph_borders(text)
    on_borders = all(s.start in starts and s.end in ends for s in spans)
    return spans if on_borders and all(left.end <= right.start for left, right in pairwise(spans)) else None
