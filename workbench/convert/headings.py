"""Which rows of a table are headings, where the source does not say; and what is a value rather than words."""

from __future__ import annotations

import re
from typing import Final

from workbench.convert.grid import Table
from workbench.convert.places import plain


def numeric(text: str) -> bool:
    """Whether a cell holds a value rather than words: digits with signs and units, a dash, a tick.

    >>> [numeric(t) for t in ("42", "23,1", "— ", "10 451", "0.3 %", "≤ 5", "Nm", "M10", "")]
    [True, True, True, True, True, True, False, False, False]
    """
    return _NUMERIC.fullmatch(text.strip()) is not None


_NUMERIC: Final = re.compile(
    r"[-–—−†‡xX✓✔*.]|n/?a|k\.\s?A\."
    r"|[-+–−±<>≤≥~≈$€£(]{0,3}\s*\d[\d.,'’ \u00a0\u202f/:–-]*\)?\s*(?:%|‰|°C?|[a-zµ]{0,3})\)?"
    r"\s*(?:[*†‡]|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]{1,3}\)?)?"
)


def guess_heading_rows(table: Table) -> int:
    """How many rows at the top hold headings, where the source does not say: at least one, more below merged ones.

    A row of headings goes on below a cell that spans columns, and through a cell that spans rows.
    """
    if table.rows < 2:
        return 0
    first_value = next(
        (
            row
            for row in range(table.rows)
            if not _counted(table, row)
            and any(c.row == row and c.column > 0 and _value(plain(c.text)) for c in table.cells)
        ),
        table.rows,
    )
    count = 1
    while count < min(table.rows - 1, 6):
        above = [c for c in table.cells if c.row == count - 1 and not c.empty]
        here = [c for c in table.cells if c.row == count and not c.empty]
        spans = any(c.column_end - c.column > 1 and c.column_end - c.column < table.columns for c in above)
        reaches = any(c.row < count < c.row_end and not c.empty for c in table.cells)
        labelled = any(c.column == 0 for c in here)
        if not (spans or reaches or not above) or count >= first_value or (labelled and not spans and above):
            break
        count += 1
    return with_units(table, count)


def words_over_numbers(table: Table) -> int:
    """1 where the source names no headings, but the first row has words only and numbers stand below them; else 0.

    >>> from workbench.convert.grid import from_rows
    >>> from workbench.convert.places import written
    >>> rows = [["Gewinde", "Moment"], ["M8", "21"], ["M10", "42"]]
    >>> words_over_numbers(from_rows([[written(t) for t in row] for row in rows], heading_rows=0))
    1
    """
    first = [c for c in table.cells if c.row == 0 and not c.empty]
    if len(first) < 2 or any(_value(plain(c.text)) for c in first):
        return 0
    for cell in first:
        below = [plain(c.text) for c in table.cells if c.column == cell.column > 0 and c.row > 0 and not c.empty]
        if below and all(map(numeric, below)):
            return 1
    return 0


def with_units(table: Table, count: int) -> int:
    """The rows of headings, with a row of units below them: it is no row of values.

    >>> from workbench.convert.grid import TableCell
    >>> from workbench.convert.places import written
    >>> rows = [["Gewinde", "Moment"], ["", "[Nm]"], ["M8", "21"]]
    >>> cells = [TableCell(r, c, r + 1, c + 1, written(t)) for r, row in enumerate(rows) for c, t in enumerate(row)]
    >>> with_units(Table(cells), 1)
    2
    """
    here = [c for c in table.cells if c.row == count and not c.empty]
    units = [c for c in here if c.column > 0]
    label = "".join(plain(c.text).strip().lower().rstrip(":") for c in here if c.column == 0)
    named = label in ("", "-", "–", "—", "einheit", "einheiten", "maßeinheit", "unit", "units")
    if not 0 < count < table.rows - 1 or not units or not named:
        return count
    return count + 1 if all(_UNIT.fullmatch(plain(c.text).strip()) for c in units) else count


_ONE_UNIT: Final = (
    r"(?:[kMGmµcdhn]?(?:m|g|N|Nm|bar|Pa|V|A|W|Hz|l|L|J|s|Ω|VA)|°C|K|°|%|‰|min|h|d|t|rpm|U|1|mmWS|dB|dB\(A\)|Stück|Stk\.?"
    r"|EUR|€|T€|Mio\. ?€|inch|in|ft|lb|psi)(?:[²³]|⁻?[¹²³]|-1|\^-?\d)?"
)
_UNIT: Final = re.compile(rf"[\[(]?\s*(?:in\s+)?{_ONE_UNIT}(?:\s*[/·*]\s*{_ONE_UNIT}){{0,3}}\s*[\])]?|[-–—]")


def has_own_headings(before: Table, after: Table) -> bool:
    """Whether a table begins with words where the one before it has numbers, and not with that one's headings.

    Then it is another table, and its values must not come under the first one's headings.
    """
    top = before.heading_rows

    def texts(table: Table, column: int, rows: range) -> list[str]:
        return [plain(c.text) for c in table.cells if c.column == column and c.row in rows and not c.empty]

    numbers = []
    for column in range(1, before.columns):
        values = texts(before, column, range(top, before.rows))
        if values and sum(map(numeric, values)) > len(values) / 2:
            numbers.append(column)
    first = [(texts(before, c, range(1)), texts(after, c, range(1))) for c in numbers]
    said = [theirs[0] for _, theirs in first if theirs]
    return bool(said) and not any(map(numeric, said)) and any(mine != theirs for mine, theirs in first)


def _counted(table: Table, row: int) -> bool:
    """Whether a row counts its columns: 1, 2, 3 and so on are headings and no values."""
    texts = [
        plain(c.text).strip() for c in sorted(table.cells, key=lambda c: c.column) if c.row == row and c.column > 0
    ]
    return len(texts) >= 3 and texts == [str(number) for number in range(1, len(texts) + 1)]


def _value(text: str) -> bool:
    year = re.fullmatch(r"\s*(?:19|20)\d\d(?:\s*[-–/]\s*\d{2,4})?\s*", text) is not None
    return numeric(text) and not year and re.fullmatch(r"\W*0{3}\W*s?\W*", text) is None  # $000's heads a column
