"""Tables without drawn cells: rows of short texts that stand below each other, with white between their columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Final

from workbench.convert.grid import Table, TableCell, settled
from workbench.convert.headings import guess_heading_rows, numeric
from workbench.convert.pdf_drawn import Found, is_table
from workbench.convert.pdf_glyphs import Word
from workbench.convert.pdf_lines import Piece, piece, rows_of
from workbench.convert.pdf_paragraphs import BULLET, NUMBERED, joined
from workbench.convert.pdf_ruled import Rect
from workbench.convert.places import Change, plain

CAPTION: Final = re.compile(r"^\W*(?:Tabelle|Tab\.|Table|Exhibit|Übersicht)\s*[\w.:–-]*", re.IGNORECASE)
ROWS_LEAST: Final = 3
NUMBERS_LEAST: Final = 0.4


def aligned(
    found: Sequence[Piece], rules: Sequence[Rect], vocabulary: Counter[str], changes: list[Change], page: int
) -> list[Found]:
    """The tables among the pieces of one group: rows of short texts that stand below each other."""
    found_rows = rows_of(found)
    made: list[Found] = []
    at = 0
    while at < len(found_rows):
        end = _stretch(found_rows, at)
        table = _table(_with_heading(found_rows, at, end), rules, vocabulary, changes, page) if end - at >= 2 else None
        if table is None:
            at += 1
        else:
            made.append(table)
            at = end
    return made


def _with_heading(rows: list[list[Piece]], at: int, end: int) -> list[list[Piece]]:
    """The run with the line above it, where that is a heading over some of its columns."""
    run = rows[at:end]
    if at == 0 or len(rows[at - 1]) != 1 or not run:
        return run
    above, first = rows[at - 1][0], run[0]
    label = min(p.x1 for p in first)
    near = min(p.top for p in first) - above.bottom < 1.0 * above.size
    left, right = min(p.x0 for row in run for p in row), max(p.x1 for row in run for p in row)
    over = above.x0 > label and above.x1 - above.x0 < 0.6 * (right - left)
    return [rows[at - 1], *run] if near and over else run


def _stretch(rows: list[list[Piece]], at: int) -> int:
    """Where the run of rows ends that begins here: rows of several pieces, with at most two lone ones between."""
    if len(rows[at]) < 2:
        return at
    end, last, lone = at + 1, at + 1, 0
    while end < len(rows):
        before, here = rows[end - 1], rows[end]
        white = min(p.top for p in here) - max(p.bottom for p in before)
        lone = lone + 1 if len(here) < 2 else 0
        if white > 2.2 * before[0].size or lone > 2 or abs(here[0].size - before[0].size) > 0.4 * before[0].size:
            break
        end += 1
        if len(here) >= 2:
            last = end
    return last


def _table(
    rows: list[list[Piece]], rules: Sequence[Rect], vocabulary: Counter[str], changes: list[Change], page: int
) -> Found | None:
    rows = _without_caption(rows)
    several = [row for row in rows if len(row) >= 2]
    if len(several) < ROWS_LEAST:
        return None
    borders = _borders(several)
    if not borders:
        return None
    cells = _cells(rows, borders, rules)
    table = Table(settled(TableCell(r, c, r + 1, e, joined(p, vocabulary, [])) for r, c, e, p in cells), page=page)
    words = frozenset(w for row in rows for p in row for w in p.words)
    at = (
        min(w.x0 for w in words),
        min(w.top for w in words),
        max(w.x1 for w in words),
        max(w.bottom for w in words),
    )
    if not is_table(table) or not _plausible(table, rows, at, rules):
        return None
    for _, _, _, parts in cells:
        joined(parts, vocabulary, changes)  # now that it is one: what was changed in it
    table.heading_rows = guess_heading_rows(table)
    return Found(table, at, words)


def _without_caption(rows: list[list[Piece]]) -> list[list[Piece]]:
    """The rows below a line that names the table, and below its second line, set under the first one's text.

    What stands above that line is no part of the table, nor is running text between it and the headings.
    """
    named = [at for at, row in enumerate(rows[:5]) if CAPTION.match(" ".join(p.text for p in row))]
    at = named[0] if named and all(len(row) < 3 for row in rows[: named[0]]) else 0
    while at < len(rows) and CAPTION.match(" ".join(p.text for p in rows[at])):
        under = rows[at][-1].x0 if len(rows[at]) > 1 else None
        at += 1
        while at < len(rows) and len(rows[at]) == 1 and under is not None and abs(rows[at][0].x0 - under) < 3:
            at += 1
    if at:
        left = min((row[0].x0 for row in rows[at:]), default=0.0)
        right = max((row[-1].x1 for row in rows[at:]), default=0.0)
        while at < len(rows) and len(rows[at]) == 1 and rows[at][0].x1 - rows[at][0].x0 > 0.6 * (right - left):
            at += 1
    return rows[at:]


def _borders(rows: list[list[Piece]]) -> list[float]:
    """Where white runs down through all rows but a few: the borders between columns."""
    left, right = min(row[0].x0 for row in rows), max(p.x1 for row in rows for p in row)
    size = median(row[0].size for row in rows)
    allowed = int(0.12 * len(rows))
    steps = int(right - left) + 1
    covered = [0] * steps
    for row in rows:
        marks: set[int] = set()
        for p in row:
            marks.update(range(max(0, int(p.x0 - left)), min(steps, int(p.x1 - left) + 1)))
        for mark in marks:
            covered[mark] += 1
    made, start = [], None
    for at, count in enumerate([*covered, len(rows)]):
        if count <= allowed:
            start = at if start is None else start
        elif start is not None:
            if at - start >= 0.5 * size:
                made.append(left + (start + at) / 2)
            start = None
    # What only reaches over the last column's edge, or the first one's, is no column of its own.
    starts, ends = [p.x0 for row in rows for p in row], [p.x1 for row in rows for p in row]
    return [border for border in made if min(ends) < border < max(starts)]


def _cells(
    rows: list[list[Piece]], borders: list[float], rules: Sequence[Rect]
) -> list[tuple[int, int, int, list[Piece]]]:
    """Row, first and last column (half-open) and lines of each cell; a wrapped row goes on with its row."""
    made: list[tuple[int, int, int, list[Piece]]] = []
    number, values = -1, False
    for row in rows:
        placed: dict[tuple[int, int], list[Word]] = {}
        starts = [_column(borders, p.x0 + 1) for p in row]
        for at, p in enumerate(row):
            first, last = starts[at], _column(borders, p.x1 - 1)
            under = _rule_under(p, row, rules) if number < 1 else None
            if under is not None:
                first, last = min(first, _column(borders, under[0] + 3)), max(last, _column(borders, under[2] - 3))
            elif number < 0 and len(row) == 1 and first > 0:  # one heading over all columns but the labels
                first, last = 1, len(borders)
            # A long label or rule reaches into the next column, but what stands there is another cell.
            last = min([last, *(start - 1 for start in starts[at + 1 :] if start > first)])
            placed.setdefault((first, last + 1), []).extend(p.words)
        before = {(c, e): parts for r, c, e, parts in made if r == number}
        texts = [" ".join(w.text for w in words) for words in placed.values()]
        wrapped = all(t[:1].islower() for t in texts) and all(key in before for key in placed)
        heading = not values and before.keys() == placed.keys() and min(before)[0] > 0 and len(before) > 1
        values = values or any(numeric(t) for key, t in zip(placed, texts, strict=True) if key[0] > 0)
        if number >= 0 and (wrapped or (heading and not values)):
            for key, words in placed.items():
                before[key].append(piece(words))
            continue
        number += 1
        made += [(number, first, last, [piece(words)]) for (first, last), words in sorted(placed.items())]
    return made


def _rule_under(p: Piece, row: Sequence[Piece], rules: Sequence[Rect]) -> Rect | None:
    """The line drawn below a heading, which says which columns it is for; one below several headings says nothing."""
    near = [r for r in rules if r[0] <= p.x0 + 2 and r[2] >= p.x1 - 2 and -2 < r[1] - p.base < 1.2 * p.size]
    found = min(near, key=lambda r: r[2] - r[0], default=None)
    if found is None or any(q is not p and q.x0 >= found[0] - 2 and q.x1 <= found[2] + 2 for q in row):
        return None
    return found


def _column(borders: list[float], x: float) -> int:
    return sum(x > border for border in borders)


def _plausible(table: Table, rows: list[list[Piece]], at: Rect, rules: Sequence[Rect]) -> bool:
    """Whether it reads like a table rather than like a list, a contents page or two texts side by side."""
    first = [plain(c.text) for c in table.cells if c.column == 0 and not c.empty]
    if first and all(BULLET.match(t + " ") or NUMBERED.match(t + " ") for t in first):
        return False
    values = [plain(c.text) for c in table.cells if c.column > 0 and not c.empty]
    if not values or sum(bool(re.search(r"\.{4,}|(?:\. ){4,}", t)) for t in first + values) > 0.3 * len(rows):
        return False
    numbers = sum(map(numeric, values)) / len(values)
    single = sum(c.column_end - c.column == 1 for c in table.cells) / len(table.cells)
    short = median(len(v.split()) for v in values) <= 4
    drawn = sum(
        min(at[2], x1) - max(at[0], x0) > 0.8 * (at[2] - at[0]) and at[1] - 15 < top < at[3] + 15
        for x0, top, x1, _ in rules
    )
    if single < 0.7:
        return False
    if drawn >= 2:
        return True
    return (numbers >= NUMBERS_LEAST and short) or (table.columns >= 4 and short and table.rows >= 4)
