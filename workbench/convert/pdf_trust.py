"""Whether a PDF's text layer says what its pages show; where it does not, the file is refused by name (contract 2.11).

The checks: is there text at all; do its letters have a meaning; are they another alphabet's (shifted by some codes);
does it run backwards or in two directions at once; are there spaces; do two independent readers find the same letters.
Letter frequencies are those of German and English running text, rounded; they only have to tell text from noise.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from workbench.convert.limits import Options
from workbench.convert.pdf_glyphs import Glyph, Page
from workbench.convert.refusals import refuse

UNMAPPED_SHARE: Final = 0.01
TURNED_SHARE: Final = 0.05
TURNED_LEAST: Final = 50
GAPS_LEAST: Final = 200
SPACES_SHARE: Final = 0.02
DISAGREE_SHARE: Final = 0.1
SHIFT_LEAST: Final = 40
SHIFT_GAIN: Final = 0.3
SHIFT_DOUBT: Final = 14.0
"""How much more sense another alphabet must make; few letters say little, so they must say it louder."""
SHIFTS: Final = [k for k in range(-40, 41) if k]

_FREQUENCY: Final = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyzäöüß",
        (
            7.3,
            1.7,
            2.9,
            4.6,
            15.0,
            1.9,
            2.6,
            5.3,
            7.3,
            0.2,
            1.0,
            3.7,
            2.5,
            8.4,
            5.0,
            1.4,
            0.1,
            6.6,
            6.8,
            7.6,
            3.5,
            0.8,
            2.1,
            0.1,
            1.0,
            0.7,
            0.3,
            0.2,
            0.4,
            0.2,
        ),
        strict=True,
    )
)
_LOG: Final = {letter: math.log(percent / 100) for letter, percent in _FREQUENCY.items()}
_OTHER: Final = math.log(0.0005)
_ONE_WAY: Final = ("sch", "ch", "ck", "nd", "ng", "th", "qu", "pf", "ung", "wh", "str", "tz")
"""Letters that stand together in this order far more often than backwards."""


def need_text(pages: Sequence[Page], options: Options) -> list[int]:
    """The pages that show something but no text; Refused unless someone accepted them, and where no page has text."""
    counts = [sum(1 for _ in page.glyphs()) for page in pages]
    if not sum(counts):
        raise refuse("no_text_layer", "no page of it has text")
    found: list[int] = []
    for page, count in zip(pages, counts, strict=True):
        if page.picture_share > 0.5 and count < 20:
            message = "the page is a picture without text"
        elif not count and page.others > 200:
            message = "the page is a drawing without text"
        else:
            continue
        if not options.pages_without_text:
            raise refuse("no_text_layer", message, page=page.number)
        found.append(page.number)
    return found


def need_meaning(pages: Sequence[Page], others: Counter[str]) -> None:
    """Refuse where letters have no meaning: PDFium finds none, or the other reader writes (cid:NN)."""
    for page in pages:
        glyphs = list(page.glyphs())
        lost = sum(glyph.unmapped or _meaningless(glyph.text) for glyph in glyphs)
        if lost > max(2, UNMAPPED_SHARE * len(glyphs)):
            message = f"{lost} of {len(glyphs)} letters have no meaning that a reader could know"
            raise refuse("unmapped", message, page=page.number)
    cids = sum(count for text, count in others.items() if re.fullmatch(r"\(cid:\d+\)", text))
    if cids > max(2, UNMAPPED_SHARE * sum(others.values())):
        raise refuse("unmapped", f"{cids} letters have no meaning that a reader could know")


def _meaningless(text: str) -> bool:
    return unicodedata.category(text[0]) in ("Cc", "Cn", "Co", "Cs") and text not in _BULLETS


_BULLETS: Final = frozenset("\uf0b7\uf0a7\uf0d8\uf0fc\uf0a8\uf02d\uf076")  # what symbol fonts give for list signs


def need_alphabet(pages: Sequence[Page]) -> None:
    """Refuse where the letters of a font are all some codes away from those that are shown."""
    fonts: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        for glyph in page.glyphs():
            fonts[glyph.font].append(glyph.text)
    for letters in (*fonts.values(), [letter for found in fonts.values() for letter in found]):
        shift = shifted(letters)
        if shift:
            codes = "one code" if abs(shift) == 1 else f"{abs(shift)} codes"
            raise refuse("shifted", f"the letters of its text layer are {codes} off those that are shown")


def shifted(letters: Iterable[str]) -> int:
    """By how many codes letters are off, as their frequencies say; 0 where they make sense as they are.

    >>> text = "Vor dem Wiederanlauf einer Pumpe prüfen zwei Personen die Freigabe und die Drehrichtung des Motors"
    >>> shifted(text), shifted(chr(ord(c) + 1) for c in text)
    (0, -1)
    """
    found = Counter(letter for letter in letters if len(letter) == 1 and letter.isalpha())
    total = sum(found.values())
    if total < SHIFT_LEAST or len(found) < 8:
        return 0

    def sense(shift: int) -> float:
        return sum(n * _LOG.get(chr(max(0, ord(c) + shift)).lower(), _OTHER) for c, n in found.items()) / total

    best = max(SHIFTS, key=sense)
    return best if sense(best) - sense(0) > SHIFT_GAIN + SHIFT_DOUBT / total else 0


def need_direction(pages: Sequence[Page]) -> None:
    """Refuse text that runs backwards, and text in two directions, of which a reader gets one wrong."""
    words = [word for page in pages for part in (page.words, *page.turned) for word in part]
    backward = steps = 0
    for word in words:
        for left, right in zip(word.glyphs, word.glyphs[1:], strict=False):
            steps += 1
            backward += right.x0 < left.x0 - 0.2 * left.size
    reflected = sum(glyph.reflected for page in pages for glyph in page.glyphs())
    if (steps > 20 and backward > 0.3 * steps) or reflected > 20:
        raise refuse("mirrored", "its letters follow each other from right to left")
    if mirrored(word.text for word in words):
        raise refuse("mirrored", "its words are written backwards")
    letters = sum(1 for page in pages for _ in page.glyphs())
    turned = sum(len(word.glyphs) for page in pages for part in page.turned for word in part)
    if turned >= TURNED_LEAST and turned > TURNED_SHARE * letters:
        raise refuse("turned", f"{turned} of its {letters} letters run in another direction than the rest")


def mirrored(words: Iterable[str]) -> bool:
    """Whether words make sense only when read backwards.

    >>> mirrored(["Schreibweise", "verwenden", "Sie", "Prüfung"] * 5), mirrored(["esiewbierhcS", "gnufürP"] * 10)
    (False, True)
    """
    forward = backward = 0
    for word in words:
        low = word.lower()
        back = low[::-1]
        forward += sum(low.count(pair) for pair in _ONE_WAY)
        backward += sum(back.count(pair) for pair in _ONE_WAY)
        if re.fullmatch(r"[^\W\d_]{3,}[:.,;]?", word):
            forward += word[0].isupper() and word[1:].islower()
            backward += re.fullmatch(r"[^\W\d_A-ZÄÖÜ]+[A-ZÄÖÜ]", word) is not None
    return backward >= 10 and backward > 2 * forward


def need_spaces(pages: Sequence[Page], options: Options) -> int:
    """How many spaces were read off gaps; Refused where a running text has nothing else and no one accepted that."""
    spaces, gaps = sum(page.spaces for page in pages), sum(page.gaps for page in pages)
    if gaps >= GAPS_LEAST and spaces < SPACES_SHARE * gaps and not options.spaces_from_gaps:
        raise refuse("no_spaces", f"its text layer has {spaces} spaces; {gaps} borders of words would be guesses")
    lengths = [len(word.text) for page in pages for word in page.words if word.text.isalpha()]
    long = sum(length for length in lengths if length > 30)
    if long > 0.1 * sum(lengths) and long > 200:
        raise refuse("no_spaces", "most of its words are not parted from each other")
    return gaps


def need_agreement(pages: Sequence[Page], others: Counter[str]) -> None:
    """Refuse where another reader, of other descent, finds other letters: then nobody knows which are shown."""
    mine = _letters(glyph.text for page in pages for glyph in page.glyphs())
    theirs = _letters(text for text, count in others.items() for _ in range(count))
    apart = sum(((mine - theirs) + (theirs - mine)).values())
    total = sum(mine.values()) + sum(theirs.values())
    if total > 100 and apart > DISAGREE_SHARE * total:
        raise refuse("readers_disagree", f"two readers find different letters ({apart} of {total})")


def _letters(texts: Iterable[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in texts:
        found.update(c for c in unicodedata.normalize("NFKD", text) if c.isalnum())
    return found


def spread(glyphs: Iterable[Glyph]) -> Counter[str]:
    """How often each letter stands there; what :func:`need_agreement` compares."""
    return Counter(glyph.text for glyph in glyphs)
