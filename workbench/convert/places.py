"""Where a character stands in its source, and text whose every character knows that.

A converter makes blocks of :class:`Char`; :func:`assemble` joins them into the text of a document and the ranges of its
provenance. A character without a place was written by the converter: a separator, or a space for a line break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Box(NamedTuple):
    """A box on a page: PDF points in the page's own coordinates (origin bottom left unless the page says otherwise)."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Line(NamedTuple):
    """A line of a text file, from 1, and its code points ``[start, end)``."""

    line: int
    start: int
    end: int


class Element(NamedTuple):
    """An element of an HTML file, by its number in the list of elements, and line (from 1) and column in the file."""

    element: int
    line: int
    start: int
    end: int


class Cell(NamedTuple):
    """A cell of the source's table: the table's number in the document, row and column, each from 1."""

    table: int
    row: int
    column: int


Place = Box | Line | Element


class Char(NamedTuple):
    """One character, where it stands in the source, and in which cell of a table."""

    text: str
    place: Place | None = None
    cell: Cell | None = None


Block = list[Char]


class Range(NamedTuple):
    """Code points ``[start, end)`` of the document's text, and the place they come from."""

    start: int
    end: int
    place: Place


class CellRange(NamedTuple):
    """Code points ``[start, end)`` of the document's text, and the cell they come from."""

    start: int
    end: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that an import changed: what stood in the source, what became of it, and where it stood."""

    code: str
    found: str
    became: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table of the source: its number, its caption, the page it begins on, its size, its rows of headings."""

    number: int
    caption: str
    page: int | None
    rows: int
    columns: int
    heading_rows: int = 0


@dataclass(frozen=True, slots=True)
class Converted:
    """What became of one file: the text, where every part of it stands, and what was changed."""

    text: str
    ranges: tuple[Range, ...]
    cells: tuple[CellRange, ...]
    changes: tuple[Change, ...]
    tables: tuple[TableInfo, ...] = ()
    elements: tuple[tuple[str, str], ...] = ()
    pages: int | None = None
    kind: str = ""
    libraries: tuple[tuple[str, str], ...] = field(default=())

    def __repr__(self) -> str:
        pages = "" if self.pages is None else f", {self.pages} pages"
        return f"Converted({self.kind}, {len(self.text)} characters{pages}, {len(self.changes)} changes)"


def written(text: str) -> Block:
    """Characters that stand in no source."""
    return [Char(c) for c in text]


def plain(block: Iterable[Char]) -> str:
    """The text of a block."""
    return "".join(char.text for char in block)


def strip(block: Sequence[Char], blank: Callable[[str], bool] = str.isspace) -> Block:
    """The block without the white space around it."""
    start, end = 0, len(block)
    while start < end and blank(block[start].text):
        start += 1
    while end > start and blank(block[end - 1].text):
        end -= 1
    return list(block[start:end])


def squeeze(block: Sequence[Char]) -> Block:
    """The block with each run of white space as one space, and none around it."""
    made: Block = []
    for char in block:
        if not char.text.isspace():
            made.append(char)
        elif made and made[-1].text != " ":
            made.append(Char(" ", char.place, char.cell))
    return strip(made)


def assemble(blocks: Iterable[Sequence[Char]], separator: str = "\n\n") -> tuple[str, list[Range], list[CellRange]]:
    """The blocks as one text, with the ranges that say where each part of it stands.

    >>> text, ranges, _ = assemble([[Char("a", Line(1, 0, 1)), Char("b", Line(1, 1, 2))], [Char("c", Line(3, 0, 1))]])
    >>> text, [tuple(r.place) for r in ranges]
    ('ab\\n\\nc', [(1, 0, 2), (3, 0, 1)])
    """
    parts: list[str] = []
    ranges: list[Range] = []
    cells: list[CellRange] = []
    at = 0
    for number, block in enumerate(blocks):
        if number:
            parts.append(separator)
            at += len(separator)
        for char in block:
            end = at + len(char.text)
            if char.place is not None and not (char.text.isspace() and isinstance(char.place, Box)):
                last = ranges[-1] if ranges else None
                joined = join_places(last.place, char.place) if last is not None and last.end == at else None
                if last is not None and joined is not None:
                    ranges[-1] = Range(last.start, end, joined)
                else:
                    ranges.append(Range(at, end, char.place))
            if char.cell is not None:
                if cells and cells[-1].cell == char.cell and cells[-1].end == at:
                    cells[-1] = CellRange(cells[-1].start, end, char.cell)
                else:
                    cells.append(CellRange(at, end, char.cell))
            parts.append(char.text)
            at = end
    return "".join(parts), ranges, cells


def join_places(left: Place, right: Place) -> Place | None:
    """One place for two neighbouring characters, or ``None`` where the source has them apart."""
    if isinstance(left, Line) and isinstance(right, Line):
        if left == right:
            return left
        return Line(left.line, left.start, right.end) if (left.line, left.end) == (right.line, right.start) else None
    if isinstance(left, Element) and isinstance(right, Element):
        if left == right:
            return left
        same = left.element == right.element and (left.line, left.end) == (right.line, right.start)
        return Element(left.element, left.line, left.start, right.end) if same else None
    if isinstance(left, Box) and isinstance(right, Box) and left.page == right.page:
        return _together(left, right)
    return None


def _together(left: Box, right: Box) -> Box | None:
    """The box around two characters that touch; words of different lines and far columns stay apart."""
    high = max(left.y1 - left.y0, right.y1 - right.y0)
    wide = max(left.x1 - left.x0, right.x1 - right.x0)
    level = min(left.y1, right.y1) - max(left.y0, right.y0)
    upright = min(left.x1, right.x1) - max(left.x0, right.x0)
    beside = max(left.x0, right.x0) - min(left.x1, right.x1)
    above = max(left.y0, right.y0) - min(left.y1, right.y1)
    if (level > 0.4 * (right.y1 - right.y0) and beside < 0.5 * high) or (
        upright > 0.4 * (right.x1 - right.x0) and above < 0.5 * wide
    ):
        return around([left, right])
    return None


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around boxes of one page."""
    return Box(
        boxes[0].page,
        min(b.x0 for b in boxes),
        min(b.y0 for b in boxes),
        max(b.x1 for b in boxes),
        max(b.y1 for b in boxes),
    )
