"""Tables as paragraphs: each row by itself says what its values mean (contract 2.11; S0, "Absätze ... verbinden").

A row becomes one paragraph: the table's caption, and each value behind the headings of its column; the first column is
the row's label. Every character keeps its own place, the repeated headings too, so that the picture of the page shows
them. Between the parts stands ``" | "``, between headings and value ``": "``, after the caption ``" · "``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from workbench.convert.cleaning import SUPERSCRIPTS
from workbench.convert.places import Block, Cell, Char, TableInfo, plain, squeeze, written
from workbench.convert.refusals import refuse

BETWEEN: Final = " | "
AFTER_HEADING: Final = ": "
AFTER_CAPTION: Final = " · "
OVER: Final = " / "
NOTE_MARK: Final = re.compile(r"^(\*{1,3}|†|‡|[¹²³⁴⁵⁶⁷⁸⁹]|\(?[a-z0-9]{1,2}\))\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table: rows and columns from 0, half-open; ``heading`` where the source says so."""

    row: int
    column: int
    row_end: int
    column_end: int
    text: Block
    heading: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing stands in it."""
        return not plain(self.text).strip()


@dataclass(slots=True)
class Table:
    """A table as it stands in the source; ``heading_rows`` counts the rows of column headings at its top."""

    cells: list[TableCell]
    caption: Block = field(default_factory=list)
    heading_rows: int = 0
    notes: list[Block] = field(default_factory=list)
    page: int | None = None
    rows_before: int = 0
    number: int | None = None

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return max((cell.row_end for cell in self.cells), default=0)

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return max((cell.column_end for cell in self.cells), default=0)


def settled(cells: Iterable[TableCell]) -> list[TableCell]:
    """The cells without overlaps: what stands where another cell begins already is added to that one, never lost."""
    made: list[TableCell] = []
    owner: dict[tuple[int, int], int] = {}
    for cell in sorted(cells, key=lambda c: (c.row, c.column, c.row_end, c.column_end)):
        at = owner.get((cell.row, cell.column))
        if at is not None:
            first = made[at]
            text = [*first.text, *(written(" ") if first.text and cell.text else []), *cell.text]
            made[at] = replace(first, text=text)
            continue
        column_end = next((c for c in range(cell.column, cell.column_end) if (cell.row, c) in owner), cell.column_end)
        made.append(replace(cell, column_end=column_end))
        for row in range(cell.row, cell.row_end):
            for column in range(cell.column, column_end):
                owner.setdefault((row, column), len(made) - 1)
    return made


def info(number: int, table: Table) -> TableInfo:
    """What the provenance says of a table."""
    return TableInfo(number, plain(table.caption), table.page, table.rows, table.columns, table.heading_rows)


def paragraphs(table: Table, number: int, *, most_cells: int) -> list[Block]:
    """The rows below the headings as paragraphs; a table that has headings only gives those.

    ``number`` is the table's in the document. Raises Refused beyond ``most_cells``.
    """
    if table.rows * table.columns > most_cells:
        raise refuse("bomb", f"a table has {table.rows} × {table.columns} cells")
    grid: dict[tuple[int, int], TableCell] = {}
    for cell in table.cells:
        for row in range(cell.row, cell.row_end):
            for column in range(cell.column, cell.column_end):
                grid.setdefault((row, column), cell)
    top = table.heading_rows if table.heading_rows < table.rows else 0
    headings = {column: _headings(grid, column, top) for column in range(table.columns)}
    notes = [*table.notes, *_own_notes(table, number)]
    made = []
    alone = _headings_alone(grid, top, table)
    if alone:
        block: Block = []
        for cell in alone:
            block += [*(written(BETWEEN) if block else []), *placed(cell, table, number)]
        made.append(block)
    for row in range(top, table.rows):
        parts = list(_parts(grid, row, headings, table, number))
        if not parts:
            continue
        block = []
        if table.caption:
            block += [*squeeze(table.caption), *written(AFTER_CAPTION)]
        for at, part in enumerate(parts):
            block += [*(written(BETWEEN) if at else []), *part]
        made.append(block + _notes(block, notes))
    return made


def _parts(
    grid: dict[tuple[int, int], TableCell], row: int, headings: dict[int, list[TableCell]], table: Table, number: int
) -> Iterable[Block]:
    seen: set[int] = set()
    for column in range(table.columns):
        cell = grid.get((row, column))
        if cell is None or cell.empty or id(cell) in seen:
            continue
        seen.add(id(cell))
        value = placed(cell, table, number)
        above = [one for c in range(cell.column, cell.column_end) for one in headings[c]]
        heading = joined((placed(one, table, number) for one in above), OVER)
        whole = cell.column == 0 and cell.column_end == table.columns  # a line across the table has no heading
        yield value if not heading or whole else [*_without_colon(heading), *written(AFTER_HEADING), *value]


def _headings_alone(grid: dict[tuple[int, int], TableCell], top: int, table: Table) -> list[TableCell]:
    """The headings of columns without any value, as in a form: no row carries them, so they are a paragraph."""
    filled = {
        column
        for (row, column), cell in grid.items()
        if row >= top and not cell.empty and not (cell.column == 0 and cell.column_end == table.columns)
    }
    return [
        cell
        for cell in table.cells
        if cell.row < top and not cell.empty and filled.isdisjoint(range(cell.column, cell.column_end))
    ]


def _without_colon(heading: Block) -> Block:
    return heading[:-1] if heading[-1].text == ":" else heading


def _headings(grid: dict[tuple[int, int], TableCell], column: int, top: int) -> list[TableCell]:
    """The headings over a column, from top to bottom."""
    return [cell for row in range(top) if (cell := grid.get((row, column))) is not None and not cell.empty]


def placed(cell: TableCell, table: Table, number: int) -> Block:
    """The cell's text, each character knowing its cell."""
    where = Cell(number, cell.row + 1 + table.rows_before, cell.column + 1)
    return [Char(c.text, c.place, where) for c in squeeze(cell.text)]


def joined(blocks: Iterable[Block], between: str) -> Block:
    """The blocks that are not empty, each once, with something between them."""
    made: Block = []
    said: set[str] = set()
    for block in blocks:
        if block and plain(block) not in said:
            said.add(plain(block))
            made += [*(written(between) if made else []), *block]
    return made


def notes_below(following: Sequence[Block | Table]) -> list[Block]:
    """The notes that stand right below a table: paragraphs that begin with a mark, five at most."""
    made: list[Block] = []
    for block in following[:5]:
        if isinstance(block, Table) or not NOTE_MARK.match(plain(block)):
            break
        made.append(block)
    return made


def _own_notes(table: Table, number: int) -> list[Block]:
    """Notes that a table holds itself, in a cell across all of its columns."""
    across = [c for c in table.cells if c.column == 0 and c.column_end == table.columns > 1]
    return [placed(c, table, number) for c in across if NOTE_MARK.match(plain(c.text).strip())]


def _notes(row: Block, notes: Iterable[Block]) -> Block:
    """The notes whose mark stands in the row."""
    made: Block = []
    text = plain(row)
    for note in notes:
        if text.endswith(plain(squeeze(note))):
            continue  # the note itself
        mark = NOTE_MARK.match(plain(note))
        if mark is not None and _marked(text, mark[1]):
            made += [*written(AFTER_CAPTION), *squeeze(note)]
    return made


def _marked(text: str, mark: str) -> bool:
    if mark.strip("()").isdigit() and mark.translate(_RAISED) in text:
        return True  # the mark is raised in the row and stands level before its note
    if mark.strip("()").isascii() and mark.strip("()").isalnum():
        return re.search(rf"(?<![\w(])?{re.escape(mark)}(?!\w)", text) is not None
    return mark in text


_RAISED: Final = str.maketrans(SUPERSCRIPTS)


def from_rows(rows: Sequence[Sequence[Block]], *, heading_rows: int) -> Table:
    """A table without merged cells."""
    cells = [
        TableCell(r, c, r + 1, c + 1, squeeze(text), heading=r < heading_rows)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    ]
    return Table(cells, heading_rows=heading_rows)
