"""How the search panel writes: a hit in its paragraph, where it stands, and what its place in the order is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from workbench.contract import MODES, Hit
from workbench.evidence.cuts import Paragraphs
from workbench.evidence.explain import Share
from workbench.evidence.view import View
from workbench.intervals import Interval
from workbench.pipeline.manifest import Manifest
from workbench.show.widgets_writing import boxed, inked, language_of, safe, table

AROUND: Final = 600
"""At most so many code points of the neighbours are shown on each side."""

NOT_FOUND: Final = "No matching passage in the accessible corpus. Fewer words, or any of them, find more."
NO_REGISTER: Final = "NO AUTHORITY · no register is asked: nothing here says that a passage applies"
NO_WORDS: Final = "Write what to look for, then press Enter or Search."
NO_SCORE: Final = "An order of this search only: no percentage, no confidence, not comparable with another search."


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands before and after a quote, as far as its view reaches; cut short with an ellipsis."""

    before: str
    after: str


def surroundings(view: View, hit: Hit) -> Surroundings:
    """The rest of a hit's paragraphs, and the paragraph before and after it; nothing from outside the view.

    Where a decision allows parts of a document, the neighbours end where its part ends: what stands next to it may be
    a replaced instruction (contract 3.11). Nothing, where the view no longer holds the hit.

    >>> from workbench.contract import Actor, Document
    >>> from workbench.evidence.corpus import Corpus
    >>> document = Document("a", "nord", {"w"}, "1", "Eins.\\n\\nZwei.\\n\\nDrei.\\n\\nVier.")
    >>> view = Corpus([document]).view(Actor("nord", {"w"}))
    >>> surroundings(view, view.search("zwei")[0])
    Surroundings(before='Eins.\\n\\n', after='\\n\\nDrei.')
    """
    now = view.now()
    document = now.state.documents.get(hit.document_id)
    if document is None or hit.document_id not in now.admitted or hit.view_id != now.id:
        return Surroundings("", "")
    spans = now.admitted[hit.document_id]
    passage = Interval(hit.start, hit.end)
    part = next((s for s in spans or () if s.covers(passage)), None) if spans is not None else None
    if part is None:
        if spans is not None:
            return Surroundings("", "")
        part = Interval(0, len(document.text))
    found = [p for p in Paragraphs().passages(document.text, spans) if part.covers(Interval(p.start, p.end))]
    touched = [n for n, p in enumerate(found) if p.start < hit.end and p.end > hit.start]
    if not touched:
        return Surroundings("", "")
    first, last = found[max(touched[0] - 1, 0)], found[min(touched[-1] + 1, len(found) - 1)]
    before = document.text[min(first.start, hit.start) : hit.start]
    after = document.text[hit.end : max(last.end, hit.end)]
    return Surroundings(
        before if len(before) <= AROUND else f"…{before[-AROUND:]}",
        after if len(after) <= AROUND else f"{after[:AROUND]}…",
    )


def place(hit: Hit) -> str:
    """Where a hit stands, as every picture says it; a passage of another cut is not called a paragraph."""
    number = f"paragraph {hit.paragraph}" if hit.cut == repr(Paragraphs()) else f"passage {hit.paragraph} of {hit.cut}"
    where = f"characters {hit.start} to {hit.end}"
    return f"{hit.document_id} · version {hit.version} · {number} · {where} · {hit.content_sha256[:12]}"


def under(manifest: Manifest) -> tuple[str, str]:
    """By whose authority a hit is shown: its state's name, and the badge in words."""
    context = manifest.context
    if context is None:
        return "refusal", "NO AUTHORITY · no decision says that this applies"
    span = f"[{context.valid_from},{context.valid_to})"
    return context.mode, f"RESOLVED · {context.revision_id} · {span} · {MODES[context.mode]} · asked for {context.at}"


def passage(manifest: Manifest, hit: Hit, number: int, around: Surroundings, language: str | None) -> str:
    """A hit as HTML: badge, quote between its greyed neighbours, place."""
    name, words = under(manifest)
    speaks = language_of(language)
    grey = f'style="{inked("aside")}"'
    return (
        f'<article class="wb-hit" aria-label="Passage {number}" style="{inked("text")}">'
        f'<p style="{boxed(name)}"><strong>{number}</strong> · {safe(words)}</p>'
        f'<blockquote style="{inked("text")};margin:.2em .6em;white-space:pre-wrap;overflow-wrap:anywhere"{speaks}>'
        f'<bdi class="wb-before" {grey}>{safe(around.before)}</bdi>'
        f'<mark class="wb-quote" style="{inked("quote")}"><bdi>{safe(hit.quote)}</bdi></mark>'
        f'<bdi class="wb-after" {grey}>{safe(around.after)}</bdi></blockquote>'
        f'<p class="wb-place" style="{inked("text")};margin:0 .6em">{safe(place(hit))}</p></article>'
    )


def composition(shares: Sequence[Share], number: int, count: int) -> str:
    """A hit's place in the order and what it is made of: never a bar, never a percentage."""
    columns = ("word", "times here", "passages with it", "of passages", "adds")
    rows = [(s.word, s.tf, s.df, s.passages, f"{s.contribution:.4f}") for s in shares]
    made = table(
        f"Place {number} of {count} in this order: what each word adds (the smaller the sum, the earlier)",
        columns,
        rows,
    )
    return f'{made}<p style="{inked("aside")};margin:0">{NO_SCORE}</p>'
