"""Words on a page as lines, in the order in which one reads them: columns one after the other, headings across them."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final, NamedTuple

from workbench.convert.pdf_glyphs import Page, Word
from workbench.convert.places import Block, Change, Char

PIECE_GAP: Final = 0.75
"""Words further apart than this many letter heights stand in different pieces of a line."""
LEVEL: Final = 0.42
"""Base lines closer than this many letter heights are one."""
MARGIN: Final = 0.12
"""The share of a page at its top and bottom where repeated lines are page headers and footers."""
_MARKS: Final = {"\u00a8": "\u0308", "\u00b4": "\u0301", "\u0060": "\u0300", "\u02c6": "\u0302"}


class Piece(NamedTuple):
    """Words of one line that stand together."""

    words: tuple[Word, ...]
    x0: float
    top: float
    x1: float
    bottom: float
    base: float

    @property
    def text(self) -> str:
        """The words with a space between them."""
        return " ".join(word.text for word in self.words)

    @property
    def size(self) -> float:
        """The height of its lettering."""
        return median(word.size for word in self.words)

    @property
    def bold(self) -> bool:
        """Whether all of it is bold."""
        return all(glyph.bold for word in self.words for glyph in word.glyphs)


def piece(words: Sequence[Word]) -> Piece:
    """The piece that these words make."""
    return Piece(
        tuple(words),
        min(w.x0 for w in words),
        min(w.top for w in words),
        max(w.x1 for w in words),
        max(w.bottom for w in words),
        median(w.base for w in words),
    )


def lines(words: Iterable[Word]) -> list[list[Word]]:
    """Words on one base line, superscripts with them; each from left to right, the lines from top to bottom."""
    found: list[list[Word]] = []
    bases: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda w: (w.base, w.x0)):
        for at in range(len(found) - 1, max(-1, len(found) - 4), -1):
            base, size = bases[at]
            if abs(word.base - base) < LEVEL * max(size, word.size):
                found[at].append(word)
                if word.size > 1.2 * size:
                    bases[at] = word.base, word.size
                break
        else:
            found.append([word])
            bases.append((word.base, word.size))
    return [sorted(line, key=lambda w: w.x0) for line in found]


def pieces(words: Iterable[Word], gap: float = PIECE_GAP) -> list[Piece]:
    """The lines parted where words stand far apart."""
    made = []
    for line in lines(words):
        current = [line[0]]
        for left, right in itertools.pairwise(line):
            if right.x0 - max(w.x1 for w in current) > gap * max(left.size, right.size):
                made.append(piece(current))
                current = []
            current.append(right)
        made.append(piece(current))
    return made


def columns(found: Sequence[Piece], depth: int = 0) -> list[list[Piece]]:
    """The pieces in groups that are read one after the other."""
    cut = _gutter(found) if depth < 4 else None
    if cut is None:
        return [sorted(found, key=lambda p: (p.top, p.x0))] if found else []
    made: list[list[Piece]] = []
    across = sorted((p for p in found if p.x0 < cut < p.x1), key=lambda p: p.top)
    rest = [p for p in found if not p.x0 < cut < p.x1]
    for wall in [*across, None]:
        above = [p for p in rest if wall is None or (p.top + p.bottom) / 2 < wall.top]
        rest = [p for p in rest if p not in above]
        for side in ([p for p in above if p.x1 <= cut], [p for p in above if p.x0 >= cut]):
            made += columns(side, depth + 1)
        if wall is not None:
            made.append([wall])
    return _merged(made, across)


def _merged(groups: list[list[Piece]], across: list[Piece]) -> list[list[Piece]]:
    """Lines across the page that follow each other are one group."""
    made: list[list[Piece]] = []
    for group in groups:
        if made and len(group) == 1 and group[0] in across and made[-1][-1] in across:
            made[-1] += group
        else:
            made.append(list(group))
    return made


def _gutter(found: Sequence[Piece]) -> float | None:
    """Where a page of running text in columns is parted, or ``None``: rows of short cells are no columns of text."""
    if len(found) < 12:
        return None
    left, right = min(p.x0 for p in found), max(p.x1 for p in found)
    best: tuple[int, float] | None = None
    at = left + 0.2 * (right - left)
    while at < left + 0.8 * (right - left):
        sides = [p for p in found if p.x1 <= at - 2], [p for p in found if p.x0 >= at + 2]
        crossing = len(found) - len(sides[0]) - len(sides[1])
        fits = crossing <= 0.4 * len(found) and all(map(_prose, sides)) and _beside(*sides)
        if fits and (best is None or crossing < best[0]):
            best = crossing, at
        at += 3
    return None if best is None else best[1]


def _prose(side: list[Piece]) -> bool:
    if len(side) < 5:
        return False
    wide = max(p.x1 for p in side) - min(p.x0 for p in side)
    full = sum(p.x1 - p.x0 > 0.7 * wide for p in side)
    return median(len(p.words) for p in side) >= 4 and full >= 0.5 * len(side)


def _beside(left: list[Piece], right: list[Piece]) -> bool:
    top, bottom = (
        max(min(p.top for p in s) for s in (left, right)),
        min(max(p.bottom for p in s) for s in (left, right)),
    )
    low = min(max(p.bottom for p in s) - min(p.top for p in s) for s in (left, right))
    return bottom - top > 0.5 * low


def rows_of(found: Iterable[Piece]) -> list[list[Piece]]:
    """The pieces on one base line, each row from left to right, the rows from top to bottom."""
    made: list[list[Piece]] = []
    for p in sorted(found, key=lambda p: (p.base, p.x0)):
        if made and abs(p.base - median(q.base for q in made[-1])) < LEVEL * max(p.size, made[-1][0].size):
            made[-1].append(p)
        else:
            made.append([p])
    return [sorted(row, key=lambda p: p.x0) for row in made]


def furniture(pages: Sequence[Page], changes: list[Change]) -> list[set[Word]]:
    """For each page the words of its header and footer: lines at the same place, the same but for numbers."""
    seen: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    found: list[list[tuple[tuple[str, str], list[Word]]]] = []
    for at, page in enumerate(pages):
        _, top, _, bottom = page.bounds
        here = []
        for line in lines(page.words):
            middle = (line[0].top + line[0].bottom) / 2
            share = (middle - top) / max(bottom - top, 1)
            if share < MARGIN or share > 1 - MARGIN:
                text = " ".join(word.text for word in line)
                key = (re.sub(r"\d+", "#", text), "top" if share < 0.5 else "bottom")
                here.append((key, line))
                seen[key].add(at)
        found.append(here)
    gone: list[set[Word]] = []
    need = 2 if len(pages) == 2 else max(3, round(0.4 * len(pages)))
    for here in found:
        words: set[Word] = set()
        for key, line in here:
            if len(pages) > 1 and len(seen[key]) >= need:
                words |= set(line)
                code = "PAGE_HEADER" if key[1] == "top" else "PAGE_FOOTER"
                changes.append(Change(code, " ".join(word.text for word in line), "", line[0].glyphs[0].box))
        gone.append(words)
    return gone


def letters(word: Word, changes: list[Change]) -> Block:
    """A word's characters with their boxes; accents that a font draws apart from their letter are put on it."""
    made: Block = []
    glyphs = list(word.glyphs)
    at = 0
    while at < len(glyphs):
        glyph = glyphs[at]
        after = glyphs[at + 1] if at + 1 < len(glyphs) else None
        if glyph.text in _MARKS and after is not None and after.text.isalpha() and _over(glyph.x0, glyph.x1, after):
            made += [Char(after.text, after.box), Char(_MARKS[glyph.text], after.box)]
            changes.append(Change("ACCENT_APART", glyph.text + after.text, after.text + _MARKS[glyph.text], after.box))
            at += 2
        elif glyph.text in "\uf0b7\uf0a7\uf0d8\uf0fc\uf0a8\uf02d\uf076":
            changes.append(Change("SYMBOL", glyph.text, "•", glyph.box))
            made.append(Char("•", glyph.box))
            at += 1
        else:
            made += [Char(c, glyph.box) for c in glyph.text]
            at += 1
    return made


def _over(x0: float, x1: float, letter: Word | object) -> bool:
    left, right = letter.x0, letter.x1  # type: ignore[union-attr]
    return bool(left - 1 <= (x0 + x1) / 2 <= right + 1)


def text_of(words: Sequence[Word], changes: list[Change]) -> Block:
    """Words of one line with a space between them."""
    made: Block = []
    for word in words:
        made += [*([Char(" ")] if made else []), *letters(word, changes)]
    return made


def usual(values: Iterable[float], step: float = 0.5) -> float:
    """The commonest value, in steps; 0 where there is none."""
    counted = Counter(round(value / step) for value in values)
    return counted.most_common(1)[0][0] * step if counted else 0.0
