"""Tables with drawn lines, as pdfplumber finds them: the one place that talks to pdfplumber."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import pdfplumber

from workbench.convert.pdf_glyphs import turned
from workbench.convert.pdf_ligatures import Named, named
from workbench.convert.places import Box
from workbench.convert.refusals import refuse

LIBRARY: Final = ("pdfplumber", str(pdfplumber.__version__))
NEAR: Final = 3.0
Rect = tuple[float, float, float, float]


class Slot(NamedTuple):
    """A cell of a drawn table: rows and columns half-open, and its box in reading position."""

    row: int
    column: int
    row_end: int
    column_end: int
    at: Rect


class Grid(NamedTuple):
    """A drawn table: its box in reading position and its cells."""

    at: Rect
    slots: tuple[Slot, ...]


class Ruled:
    """The same PDF in pdfplumber's eyes."""

    def __init__(self, raw: bytes) -> None:
        try:
            self.document = pdfplumber.open(io.BytesIO(raw))
            self.count = len(self.document.pages)
        except Exception as error:  # pdfminer raises whatever it meets in a broken file
            raise refuse("damaged", f"a second reader cannot open it ({type(error).__name__})") from None

    def __enter__(self) -> Ruled:
        return self

    def __exit__(self, *_: object) -> None:
        self.document.close()

    def page(self, number: int, turn: int) -> tuple[Counter[str], list[Grid], list[Rect]]:
        """The page's letters, its drawn tables, and its level lines, in reading position; Refused where it breaks."""
        try:
            page = self.document.pages[number - 1]
            letters = Counter(str(char["text"]) for char in page.chars)
            grids = [grid for table in page.find_tables() if (grid := _grid(table.cells, page, turn)) is not None]
            rules = _whole(_rules(page, turn))
            page.close()
        except Exception as error:
            raise refuse("damaged", f"a second reader cannot read it ({type(error).__name__})", page=number) from None
        return letters, grids, rules

    def ligatures(self, number: int) -> dict[str, list[Named]]:
        """For each font of the page the ligatures whose text layer keeps one letter only."""
        try:
            return named(self.document.rsrcmgr, self.document.pages[number - 1].page_obj.resources)
        except Exception:  # a font that cannot be asked names nothing; its letters' widths are looked at all the same
            return {}


def _grid(cells: Sequence[Any], page: Any, turn: int) -> Grid | None:
    """The drawn cells with their rows and columns; a frame around one or two texts is no table."""
    boxes = sorted({turned(_user(cell, page), turn) for cell in cells})
    if len(boxes) < 4:
        return None
    across, down = (
        _edges([b[0] for b in boxes] + [b[2] for b in boxes]),
        _edges([b[1] for b in boxes] + [b[3] for b in boxes]),
    )
    slots = []
    for x0, top, x1, bottom in boxes:
        row, row_end, column, column_end = (_at(down, top), _at(down, bottom), _at(across, x0), _at(across, x1))
        if row < row_end and column < column_end:
            slots.append(Slot(row, column, row_end, column_end, (x0, top, x1, bottom)))
    if len(across) < 3 or len(down) < 3:
        return None
    return Grid((across[0], down[0], across[-1], down[-1]), tuple(sorted(slots)))


def _edges(values: list[float]) -> list[float]:
    made: list[float] = []
    for value in sorted(values):
        if not made or value - made[-1] > NEAR:
            made.append(value)
    return made


def _at(edges: list[float], value: float) -> int:
    return min(range(len(edges)), key=lambda at: abs(edges[at] - value))


def _rules(page: Any, turn: int) -> Iterator[Rect]:
    for edge in page.edges:
        x0, top, x1, bottom = turned(_user((edge["x0"], edge["top"], edge["x1"], edge["bottom"]), page), turn)
        if x1 - x0 > 20 and bottom - top < 3:
            yield x0, top, x1, bottom


def _whole(parts: Iterable[Rect]) -> list[Rect]:
    """Lines that go on from each other as one line."""
    made: list[Rect] = []
    for part in sorted(parts, key=lambda r: (round(r[1]), r[0])):
        if made and abs(made[-1][1] - part[1]) < 1.5 and part[0] <= made[-1][2] + 2:
            last = made[-1]
            made[-1] = (last[0], min(last[1], part[1]), max(last[2], part[2]), max(last[3], part[3]))
        else:
            made.append(part)
    return made


def _user(box: Sequence[float], page: Any) -> Box:
    """pdfplumber's box (from the top left of the page as it is shown) in the page's own coordinates."""
    left, low, right, high = page.mediabox
    x0, top, x1, bottom = (float(value) for value in box)
    # pdfplumber counts from the shown page's corner, plus the media box's own origin.
    a0, a1 = x0 - page.bbox[0], x1 - page.bbox[0]
    b0, b1 = float(page.height) - (bottom - page.bbox[1]), float(page.height) - (top - page.bbox[1])
    if page.rotation == 90:
        return Box(0, right - b1, low + a0, right - b0, low + a1)
    if page.rotation == 180:
        return Box(0, right - a1, high - b1, right - a0, high - b0)
    if page.rotation == 270:
        return Box(0, left + b0, high - a1, left + b1, high - a0)
    return Box(0, left + a0, low + b0, left + a1, low + b1)
