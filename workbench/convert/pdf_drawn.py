"""Tables with drawn lines, filled with the words that stand in their cells."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.convert.grid import Table, TableCell, settled
from workbench.convert.headings import guess_heading_rows, numeric
from workbench.convert.pdf_glyphs import Word
from workbench.convert.pdf_lines import lines, piece, pieces
from workbench.convert.pdf_paragraphs import joined
from workbench.convert.pdf_ruled import Grid, Rect, Slot
from workbench.convert.places import Change


class Found(NamedTuple):
    """A table, its box in reading position, and the words in it."""

    table: Table
    at: Rect
    words: frozenset[Word]


def fill(
    grid: Grid, rules: Sequence[Rect], words: Sequence[Word], vocabulary: Counter[str], changes: list[Change], page: int
) -> Found | None:
    """The drawn table with its words; ``None`` where only one column or row of it has any."""
    cells: list[TableCell] = []
    taken: set[Word] = set()
    inside: dict[int, list[Word]] = {}
    grid = _widened(grid, rules, words)
    for word in words:
        x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
        for number, slot in enumerate(grid.slots):
            x0, top, x1, bottom = slot.at
            if x0 <= x <= x1 and top <= y <= bottom:
                inside.setdefault(number, []).append(word)
                taken.add(word)
                break
    shift = 0
    bands: dict[int, list[int]] = {}
    for number, slot in enumerate(grid.slots):
        bands.setdefault(slot.row, []).append(number)
    for row in range(max(slot.row_end for slot in grid.slots)):
        here = bands.get(row, [])
        single = [n for n in here if grid.slots[n].row_end == row + 1]
        crossed = any(s.row < row < s.row_end or (s.row == row and s.row_end > row + 1) for s in grid.slots)
        levels = [] if crossed or len(single) < 2 else _levels([inside.get(n, []) for n in single])
        for number in here:
            slot = grid.slots[number]
            for at, part in enumerate(_by_level(inside.get(number, []), levels)):
                end = slot.row_end if not levels else row + at + 1
                for column, column_end, texts in _by_column(part, slot, grid):
                    text = joined([piece(line) for line in lines(texts)], vocabulary, changes) if texts else []
                    cells.append(TableCell(row + at + shift, column, end + shift, column_end, text))
        shift += max(0, len(levels) - 1)
    made = Table(settled(_without_gaps(cells)), page=page)
    if not is_table(made):
        return None
    made.heading_rows = guess_heading_rows(made)
    return Found(made, grid.at, frozenset(taken))


def _widened(grid: Grid, rules: Sequence[Rect], words: Sequence[Word]) -> Grid:
    """The table with the columns at its sides that its level lines reach over, but no upright line closes."""
    x0, top, x1, bottom = grid.at
    over = [r for r in rules if top - 4 <= r[1] <= bottom + 4 and r[0] < x1 and r[2] > x0]
    bands = sorted({(slot.at[1], slot.at[3], slot.row, slot.row_end) for slot in grid.slots})
    bands = [b for b in bands if b[3] == b[2] + 1]
    left, right = min((r[0] for r in over), default=x0), max((r[2] for r in over), default=x1)
    slots, columns = list(grid.slots), max(slot.column_end for slot in grid.slots)
    if _reached(over, x0, left, lambda r: r[0]) and _words_in(words, left, top, x0, bottom):
        slots = [s._replace(column=s.column + 1, column_end=s.column_end + 1) for s in slots]
        slots += [Slot(row, 0, row_end, 1, (left, high, x0, low)) for high, low, row, row_end in bands]
        x0, columns = left, columns + 1
    if _reached(over, x1, right, lambda r: r[2]) and _words_in(words, x1, top, right, bottom):
        slots += [Slot(row, columns, row_end, columns + 1, (x1, high, right, low)) for high, low, row, row_end in bands]
        x1 = right
    return Grid((x0, top, x1, bottom), tuple(sorted(set(slots))))


def _reached(over: Sequence[Rect], border: float, reach: float, end: Callable[[Rect], float]) -> bool:
    return abs(border - reach) > 15 and sum(abs(end(rule) - reach) < 3 for rule in over) >= 2


def _words_in(words: Sequence[Word], x0: float, top: float, x1: float, bottom: float) -> bool:
    return any(x0 < (w.x0 + w.x1) / 2 < x1 and top < (w.top + w.bottom) / 2 < bottom for w in words)


def _by_column(words: list[Word], slot: Slot, grid: Grid) -> list[tuple[int, int, list[Word]]]:
    """A wide cell on one line, parted where its words stand far apart and columns below it begin: several headings."""
    whole = [(slot.column, slot.column_end, words)]
    if slot.column_end - slot.column < 2 or not words:
        return whole
    found = pieces(words, gap=1.2)
    if len(found) < 2 or len(lines(words)) > 1:
        return whole
    edges = sorted({(round(s.at[0], 1), s.column) for s in grid.slots if slot.column < s.column < slot.column_end})
    made, start = [], slot.column
    for left, right in itertools.pairwise(found):
        middle = (left.x1 + right.x0) / 2
        between = [
            (abs(x - middle), column) for x, column in edges if left.x1 - 2 < x < right.x0 + 2 and column > start
        ]
        if not between:
            return whole
        end = min(between)[1]
        made.append((start, end, list(left.words)))
        start = end
    return [*made, (start, slot.column_end, list(found[-1].words))]


def _levels(columns: list[list[Word]]) -> list[float]:
    """The heights of the rows within a band that no line parts, where its columns hold one number below another."""
    per = [list(lines(words)) for words in columns]
    if max(map(len, per), default=0) < 2:
        return []
    values = [[" ".join(w.text for w in line) for line in found] for found in per[1:]]
    texts = [text for found in values for text in found]
    if sum(map(numeric, texts)) < 0.8 * max(1, len(texts)) or max(map(len, values), default=0) < 2:
        return []
    middles = sorted(line[0].base for found in per for line in found)
    made: list[float] = []
    for middle in middles:
        if not made or middle - made[-1] > 4:
            made.append(middle)
    return made if len(made) > 1 else []


def _by_level(words: list[Word], levels: list[float]) -> list[list[Word]]:
    if not levels:
        return [words]
    made: list[list[Word]] = [[] for _ in levels]
    for word in words:
        middle = word.base
        made[min(range(len(levels)), key=lambda at: abs(levels[at] - middle))].append(word)
    return made


def _without_gaps(cells: list[TableCell]) -> list[TableCell]:
    """Rows and columns in which nothing stands anywhere are lines drawn twice, or white: they are not counted."""
    rows = sorted({cell.row for cell in cells if not cell.empty})
    columns = sorted({cell.column for cell in cells if not cell.empty})
    made = []
    for cell in cells:
        row = [at for at, r in enumerate(rows) if cell.row <= r < cell.row_end]
        column = [at for at, c in enumerate(columns) if cell.column <= c < cell.column_end]
        if row and column:
            made.append(TableCell(row[0], column[0], row[-1] + 1, column[-1] + 1, cell.text, cell.heading))
    return made


def is_table(table: Table) -> bool:
    """Whether text stands in at least two of its rows and two of its columns."""
    full = [cell for cell in table.cells if not cell.empty]
    return len({c.row for c in full}) >= 2 and len({c.column for c in full}) >= 2 and len(full) >= 3
