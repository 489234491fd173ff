"""Raised digits: exponents and marks of notes, which a plain row of letters would make part of the number before them.

``10`` with a small raised ``3`` is a thousand and no ``103``; ``21`` with a raised ``1`` is a value with a note. Digits
that are smaller than their neighbour and stand higher become superscripts (Unicode 1.1, "Superscripts and Subscripts"),
and each is listed as a change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from workbench.convert.cleaning import LONG_WORD, SUPERSCRIPTS
from workbench.convert.pdf_glyphs import Glyph, Page, Word, word
from workbench.convert.pdf_lines import lines
from workbench.convert.places import Change

SMALLER: Final = 0.8
HIGHER: Final = 0.15
NEAR: Final = 0.8
"""How far, in letter heights, the letter may be that a raised digit belongs to."""
_NUMBER: Final = re.compile(r"[+\-\u2212\u2013]?\d+|\d")


def raised(page: Page, changes: list[Change]) -> Page:
    """The page with raised digits as superscripts; behind a word of four letters or more they stand by themselves.

    So a word keeps its spelling beside the mark of a note, and ``mm²`` and ``min⁻¹`` stay whole.
    """
    return replace(
        page, words=tuple(_raised(page.words, changes)), turned=tuple(tuple(_raised(t, changes)) for t in page.turned)
    )


def _raised(words: Sequence[Word], changes: list[Change]) -> Iterator[Word]:
    became: dict[tuple[int, int], str] = {}
    at = {id(one): number for number, one in enumerate(words)}
    for line in lines(words):
        row = [(at[id(one)], number, glyph) for one in line for number, glyph in enumerate(one.glyphs)]
        for run in _runs(row):
            text = "".join(glyph.text for _, _, glyph in run)
            for found in _NUMBER.finditer(text):
                for (which, number, glyph), sign in zip(run[found.start() : found.end()], found[0], strict=True):
                    became[which, number] = SUPERSCRIPTS[sign]
                    changes.append(Change("SUPERSCRIPT", glyph.text, SUPERSCRIPTS[sign], glyph.box))
    for which, one in enumerate(words):
        if not any((which, number) in became for number in range(len(one.glyphs))):
            yield one
            continue
        glyphs = [g._replace(text=became.get((which, number), g.text)) for number, g in enumerate(one.glyphs)]
        cut = next((n for n in range(len(glyphs)) if (which, n) in became), 0)
        if LONG_WORD.search("".join(g.text for g in glyphs[:cut])):
            yield word(glyphs[:cut])
            yield word(glyphs[cut:])
        else:
            yield one._replace(glyphs=tuple(glyphs))


def _runs(row: list[tuple[int, int, Glyph]]) -> Iterator[list[tuple[int, int, Glyph]]]:
    """Neighbouring letters of a line that are smaller than, and stand above, the letter before or after them."""
    run: list[tuple[int, int, Glyph]] = []
    large: Glyph | None = None
    for index, item in enumerate(row):
        glyph = item[2]
        before = large if large is not None and _above(glyph, large, glyph.x0 - _end(run, large)) else None
        after = None
        if before is None and not run:
            after = next((g for _, _, g in row[index + 1 :] if g.size * SMALLER > glyph.size), None)
            if after is not None and not _above(glyph, after, after.x0 - glyph.x1):
                after = None
        if before is not None or after is not None or (run and _alike(run[-1][2], glyph)):
            run.append(item)
            continue
        if run:
            yield run
        run, large = [], glyph
    if run:
        yield run


def _end(run: list[tuple[int, int, Glyph]], large: Glyph) -> float:
    return run[-1][2].x1 if run else large.x1


def _above(small: Glyph, large: Glyph, gap: float) -> bool:
    return (
        small.size < SMALLER * large.size
        and HIGHER * large.size < large.base - small.base < large.size
        and -0.5 * large.size < gap < NEAR * large.size
    )


def _alike(left: Glyph, right: Glyph) -> bool:
    same = abs(left.size - right.size) < 0.1 * left.size and abs(left.base - right.base) < 0.1 * left.size
    return same and right.x0 - left.x1 < 0.3 * left.size
