"""The cells of a register's tables: scope values, intervals, positions and truths, each read or refused by name."""

from __future__ import annotations

import re
from collections.abc import Callable

from workbench.contract import UNBOUNDED_TEXT, scope_value
from workbench.errors import InputError
from workbench.intervals import Interval
from workbench.records import Row
from workbench.validity.instants import InstantError, TimeRule


def scope_text(row: Row, column: str) -> str:
    """A scope value of a row, in NFC."""
    value = scope_value(row.text(column))
    if value is None:
        raise row.error(column, "the cell is blank", remedy="write a value into it")
    return value


def interval(row: Row, axis: str, rule: TimeRule) -> Interval:
    """The columns ``<axis>_from`` and ``<axis>_to``; empty and inverted intervals are errors (contract 3.1)."""
    start = _instant(row, f"{axis}_from", rule.read)
    end = _instant(row, f"{axis}_to", rule.read_end)
    if start >= end:
        kind = "empty" if start == end else "inverted"
        raise row.error(
            f"{axis}_to",
            f"the interval [{rule.spell(start)},{rule.spell(end)}) is {kind}",
            remedy="intervals are half-open: the end must come after the start",
        )
    return Interval(start, end)


def _instant(row: Row, column: str, read: Callable[[object], int]) -> int:
    value = row.cells.get(column)
    kind = row.cells.get(f"{column}_kind")
    open_end = kind == "unbounded" and value is None
    if kind not in (None, "", "instant", "unbounded") or (
        kind and value and (kind == "unbounded") != (value == "unbounded")
    ):
        raise row.error(f"{column}_kind", "the kind contradicts the time", remedy="write instant or unbounded")
    if open_end:
        value = UNBOUNDED_TEXT
    elif value is None or isinstance(value, str):
        value = row.text(column)
    elif kind != "instant":
        raise row.error(
            column, f"a typed time needs a column {column}_kind", remedy="add it with instant or unbounded in each row"
        )
    try:
        return read(value)
    except InstantError as error:
        raise InputError(str(error), file=row.file, row=row.number, column=column) from None


def position(row: Row, column: str) -> int:
    """A place in a text, in code points."""
    value = row.cells.get(column)
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,15}", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise row.error(column, "this is no text position", remedy="write code points, counted from 0")


def truth(row: Row, column: str) -> bool:
    """``true`` or ``false``; empty, null and absent are false."""
    value = row.cells.get(column)
    if value is None or value == "":
        return False
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise row.error(column, "this is neither true nor false", remedy="write true or false")
