"""Corrections: one call closes a row and adds one, and writes down who did it and why (contract 3.2).

Nothing is overwritten: what the register said until now it still says of the past. On disk a correction is one replaced
file, so whoever reads sees the old register or the new one, also where the writer was killed; one writer at a time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from workbench.contract import UNBOUNDED_TEXT
from workbench.errors import ChangedMeanwhile, InputError
from workbench.intervals import UNBOUNDED
from workbench.records import Row, find_table, read_rows, refuse
from workbench.validity.instants import InstantError
from workbench.validity.loading import assemble
from workbench.validity.register import Register
from workbench.validity.register_rewriting import alone, content_of, put
from workbench.validity.tables import REQUIRED, optional_columns

TABLES: Final = ("applicability", "supersessions", "equivalences")
LOG: Final = "corrections.jsonl"
RECORDED: Final = ("recorded_from", "recorded_to")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is corrected: ``row`` is closed, and a row with ``values`` is added.

    With a row, ``values`` are the cells that differ from it (``None``: the row is withdrawn, nothing is added); without
    a row, they are all cells of a new one. ``recorded`` is when the register says so, in its recorded time; ``by`` and
    ``why`` say who decided it and for what reason. Rows are numbered as in messages.
    """

    table: str
    by: str
    why: str
    recorded: object
    row: int | None = None
    values: Mapping[str, str] | None = None


def correct(folder: str | Path, correction: Correction, *, expected: str | None = None) -> Register:
    """Writes the correction into the register's folder, and gives the register as it is then.

    ``expected`` is the snapshot that the correction was decided on. Raises ChangedMeanwhile where the register is
    another one by now, or is being written, and InputError where the correction, or the register with it, is malformed;
    the folder is then as it was.
    """
    place = Path(folder)
    with alone(place):
        before = Register.read(place)
        if expected is not None and before.snapshot() != expected:
            raise ChangedMeanwhile("the register was corrected meanwhile; read it again and decide anew")
        path = _table(place, correction)
        tables = _read(place)
        rows, entry = _corrected(before, correction, path, tables[correction.table])
        after = Register.of(assemble(before.settings, {**tables, correction.table: rows}, refuse))
        content = content_of(path, rows)
        entry |= {"before": _digest(path.read_bytes()), "after": _digest(content)}
        log = [*read_corrections(place), entry]
        # The log first: its last entry counts only once the table is the one that it speaks of.
        put(place / LOG, "".join(json.dumps(e, ensure_ascii=False) + "\n" for e in log).encode("utf-8"))
        put(path, content)
    return after


def read_corrections(folder: str | Path) -> list[dict[str, object]]:
    """Who corrected what, when and why, oldest first.

    An entry whose correction never took place, since its writer was killed before, is left out.
    """
    place = Path(folder)
    if not (place / LOG).is_file():
        return []
    entries: list[dict[str, object]] = [json.loads(line) for line in (place / LOG).read_text("utf-8").splitlines()]
    if entries:
        path = find_table(place, str(entries[-1]["table"]))
        if path is not None and _digest(path.read_bytes()) == entries[-1]["before"]:
            entries.pop()
    return entries


def _table(folder: Path, correction: Correction) -> Path:
    if correction.table not in TABLES:
        raise InputError("unknown table", found=correction.table, remedy=f"corrections are for {', '.join(TABLES)}")
    for name, text in (("by", correction.by), ("why", correction.why)):
        if not text.strip():
            raise InputError(f"a correction says {name}", found=text, remedy="write a text that is not blank")
    path = find_table(folder, correction.table)
    assert path is not None, "the register was read, so its table is there"
    return path


def _read(folder: Path) -> dict[str, Sequence[Row]]:
    found: dict[str, Sequence[Row]] = {}
    for name in REQUIRED:
        path = find_table(folder, name)
        found[name] = (
            tuple(read_rows(path, required=REQUIRED[name], optional=optional_columns(name))) if path is not None else ()
        )
    return found


def _corrected(
    before: Register, correction: Correction, path: Path, rows: Sequence[Row]
) -> tuple[list[Row], dict[str, object]]:
    """The table's rows with the correction, and the log's entry for it."""
    if rows and any(column.endswith("_kind") for column in rows[0].cells):
        remedy = "write the register anew, with its times as text"
        raise InputError("the table has typed times, which a correction does not write", file=path.name, remedy=remedy)
    recorded = _recorded(before, correction, path)
    result = list(rows)
    closed: Row | None = None
    if correction.row is not None:
        place = next((n for n, row in enumerate(rows) if row.number == correction.row), None)
        if place is None:
            raise InputError(
                "there is no such row", file=path.name, row=correction.row, remedy="number it as in messages"
            )
        closed = rows[place]
        if closed.cells["recorded_to"] != UNBOUNDED_TEXT:
            raise closed.error("recorded_to", "the row is closed already", remedy="correct the row that holds today")
        result[place] = replace(closed, cells={**closed.cells, "recorded_to": recorded})
    added: dict[str, object] | None = None
    if correction.values is not None:
        added = _added(correction, path, rows, closed, recorded)
        last = rows[-1].number if rows else 1 if path.suffix == ".csv" else 0
        result.append(Row(path.name, last + 1, added))
    elif closed is None:
        raise InputError("the correction changes nothing", file=path.name, remedy="give a row, values, or both")
    entry: dict[str, object] = {
        "recorded": recorded,
        "by": correction.by,
        "why": correction.why,
        "table": correction.table,
        "closed": None if closed is None else {"row": closed.number, **closed.cells},
        "added": None if added is None else {"row": result[-1].number, **added},
    }
    return result, entry


def _recorded(before: Register, correction: Correction, path: Path) -> str:
    """The recorded time as it is written; never before anything that is recorded, since that would rewrite history."""
    rule = before.settings.recorded
    try:
        recorded = rule.read(correction.recorded)
    except InstantError as error:
        raise InputError(str(error), file=path.name, column="recorded") from None
    tables = (before.applicability, before.supersessions, before.equivalences)
    bounds = (bound for rows in tables for row in rows for bound in row.recorded if bound < UNBOUNDED)
    latest = max(bounds, default=recorded)
    if recorded < latest:
        raise InputError(
            "the register has recorded something later already",
            file=path.name,
            column="recorded",
            found=correction.recorded,
            remedy=f"record it at {rule.spell(latest)} or later",
        )
    return rule.spell(recorded)


def _added(
    correction: Correction, path: Path, rows: Sequence[Row], closed: Row | None, recorded: str
) -> dict[str, object]:
    columns = tuple(rows[0].cells) if rows else REQUIRED[correction.table]
    values = correction.values or {}
    for column in values:
        if column in RECORDED or column not in columns:
            known = ", ".join(name for name in columns if name not in RECORDED)
            raise InputError(
                "this column is not for a correction", file=path.name, column=column, remedy=f"give {known}"
            )
    found: dict[str, object] = dict.fromkeys(columns, "") if closed is None else dict(closed.cells)
    return {**found, **values, "recorded_from": recorded, "recorded_to": UNBOUNDED_TEXT}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
