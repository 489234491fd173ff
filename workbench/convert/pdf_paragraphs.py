"""Lines as paragraphs: parted by distance, lettering, indents and list signs; words at line ends made whole."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from workbench.convert.cleaning import hyphen_goes, note_join
from workbench.convert.pdf_lines import Piece, piece, rows_of, text_of, usual
from workbench.convert.places import Block, Change, Char, plain

BULLET: Final = re.compile(r"^[•●▪■◦‣*·\uf0b7\uf0a7–—-](?:\s|$)")
NUMBERED: Final = re.compile(r"^(?:\(?[a-z0-9]{1,3}[.)]|\d+(?:\.\d+)+\.?|\d{1,2}\.?|§+)\s")
_SENTENCE_END: Final = re.compile(r"[.!?:;…»“”\")]\s*$")


def group_lines(found: Sequence[Piece]) -> list[Piece]:
    """The pieces of a group as whole lines, from top to bottom."""
    return [piece([word for p in row for word in p.words]) for row in rows_of(found)]


def pitch(lines: Sequence[Piece]) -> float:
    """The usual white between two lines of one paragraph, as a share of the lettering's height."""
    if len(lines) < 2:
        return 0.0
    right = max(row.x1 for row in lines)
    left = min(row.x0 for row in lines)
    full = [
        (after.top - before.bottom) / max(before.size, 1)
        for before, after in itertools.pairwise(lines)
        if before.x1 > right - 0.15 * (right - left) and -2.0 < (after.top - before.bottom) / max(before.size, 1) < 1.6
    ]
    return usual(full, 0.05) if full else 0.1


def parted(lines: Sequence[Piece], white: float) -> list[list[Piece]]:
    """The lines of each paragraph."""
    made: list[list[Piece]] = []
    for row in lines:
        if not made or _begins(made[-1], row, white, lines):
            made.append([row])
        else:
            made[-1].append(row)
    return made


def _begins(paragraph: list[Piece], row: Piece, white: float, lines: Sequence[Piece]) -> bool:
    before = paragraph[-1]
    size = max(before.size, 1)
    right, left = max(r.x1 for r in lines), min(r.x0 for r in lines)
    full = before.x1 > right - 0.15 * (right - left)
    text = row.text
    if (row.top - before.bottom) / size > white + 0.35:
        return True
    if abs(row.size - before.size) > 0.12 * size or (row.bold != before.bold and not full):
        return True
    if BULLET.match(text):
        return True
    if NUMBERED.match(text) and (not full or row.x0 < paragraph[0].x0 - 0.5 * size):
        return True
    listed = BULLET.match(paragraph[0].text) or NUMBERED.match(paragraph[0].text)
    if row.x0 - before.x0 > 0.8 * size and not listed and len(paragraph) > 1:
        return True
    return fits(before, row, right) and bool(_SENTENCE_END.search(before.text)) and text[:1].isupper()


def fits(before: Piece, row: Piece, right: float) -> bool:
    """Whether a line's first word would have had room on the line before: then the line ends there on purpose."""
    word = row.words[0]
    return before.x1 + 0.35 * before.size + (word.x1 - word.x0) < right - 0.1 * before.size


def joined(lines: Sequence[Piece], words: Counter[str], changes: list[Change]) -> Block:
    """The lines of a paragraph as one text."""
    made: Block = []
    for row in lines:
        append(made, text_of(row.words, changes), words, changes)
    return made


def append(block: Block, after: Block, words: Counter[str], changes: list[Change]) -> None:
    """Add a line to a paragraph: with a space, or whole where a hyphen parts a word."""
    if not block or not after:
        block += after
        return
    before, follows = plain(block[-60:]), plain(after[:60])
    if block[-1].text == "\u00ad":
        block += after  # cleaning takes the soft hyphen away
    elif block[-1].text in "-\u2010" and len(block) > 1 and block[-2].text.isalnum():
        if hyphen_goes(before[:-1], follows, words):
            note_join(before[:-1], "\n" + follows, block[-1], changes)
            block.pop()
        elif re.match(r"(?:und|oder|bzw|sowie|bis|and|or|to)\b", follows):
            block.append(Char(" "))
        block += after
    else:
        block += [Char(" "), *after]


def goes_on(before: Block, after: Block, *, full: bool) -> bool:
    """Whether a paragraph at the end of a page goes on at the top of the next one.

    It does where its sentence has not ended: in small letters, or after a ``full`` line in any. Where a sentence ends
    with the page, nobody can tell, and what follows is a paragraph of its own.
    """
    end, start = plain(before[-3:]), plain(after[:12])
    if not end or not start or BULLET.match(start) or NUMBERED.match(start) or _SENTENCE_END.search(end):
        return False
    return start[0].islower() or (full and start[0].isalnum())
