"""Rows of CSV, JSONL and Parquet tables, each knowing its file and number, so that an error can name its place.

Row numbers are those that a spreadsheet or an editor shows: in CSV the header is row 1, in JSONL the line counts, in
Parquet the first row is 1. Nothing is guessed here: a cell is text, or what JSON or Parquet say it is.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from workbench.errors import InputError

SUFFIXES = (".csv", ".jsonl", ".parquet")
LARGEST_CELL = 2**31 - 1
Report = Callable[[InputError], None]
"""What becomes of a malformed row: loading passes a report that raises, a check one that collects."""


def refuse(error: InputError) -> None:
    """The report of a strict reading: the first malformed row refuses the table."""
    raise error


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells by column, and where it stands."""

    file: str
    number: int
    cells: Mapping[str, object]

    def error(self, column: str, message: str, *, remedy: str | None = None) -> InputError:
        """The error that names this row, the column and what was found there."""
        return InputError(
            message,
            file=self.file,
            row=self.number,
            column=column,
            found=self.cells.get(column),
            remedy=remedy,
        )

    def text(self, column: str) -> str:
        """The cell as non-blank text; empty, null and other types are errors."""
        value = self.cells.get(column)
        if value is None or value == "":
            raise InputError(
                "the cell is empty",
                file=self.file,
                row=self.number,
                column=column,
                remedy="write a value into it",
            )
        if not isinstance(value, str):
            raise self.error(column, f"text is wanted, not {type(value).__name__}", remedy="write it as text")
        if not value.strip():
            raise self.error(column, "the cell is blank", remedy="write a value into it")
        return value

    def optional(self, column: str) -> str | None:
        """The cell as text, or ``None`` where it is empty, null or absent."""
        value = self.cells.get(column)
        if value is None or value == "":
            return None
        return self.text(column)

    def names(self, column: str) -> frozenset[str]:
        """The cell as a set of names: a list, a JSON list in text, or text separated by ``;``.

        >>> sorted(Row("f.csv", 2, {"groups": "leitung;wartung"}).names("groups"))
        ['leitung', 'wartung']
        """
        value = self.cells.get(column)
        if isinstance(value, str) and value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except ValueError:
                raise self.error(column, "this is no JSON list", remedy='write a;b or ["a", "b"]') from None
        if isinstance(value, str):
            value = self.text(column).split(";")
        if not isinstance(value, list):
            raise self.error(column, "names are missing", remedy="write a;b, or a list")
        if not all(isinstance(name, str) and name.strip() for name in value):
            raise self.error(column, "a name is empty or no text", remedy="write a;b, without empty parts")
        for name in value:
            if name != name.strip():
                raise self.error(column, "a name begins or ends with a blank", remedy="write a;b, without blanks")
            _storable(self, column, name)
        return frozenset(value)


def find_table(folder: Path, name: str) -> Path | None:
    """The one file that holds the table, or ``None``; two files for one table are an error."""
    found = [folder / (name + suffix) for suffix in SUFFIXES if (folder / (name + suffix)).is_file()]
    if len(found) > 1:
        raise InputError(
            f"the table {name} is there more than once: {', '.join(path.name for path in found)}",
            file=str(folder),
            remedy="keep one of them",
        )
    return found[0] if found else None


def read_rows(
    path: Path, *, required: Iterable[str], optional: Iterable[str] = (), report: Report = refuse
) -> Iterator[Row]:
    """The rows of one table file, checked for its columns, for UTF-8 and for text that can be stored.

    Reports an :class:`~workbench.errors.InputError` naming file, row and column for each row that is malformed, and
    leaves that row out; raises it where no further row can be read. Columns outside ``required`` and ``optional`` are
    an error, so that a misspelt name is never silently ignored.
    """
    required, known = tuple(required), {*required, *optional}
    reader = {".csv": _csv_rows, ".jsonl": _jsonl_rows, ".parquet": _parquet_rows}.get(path.suffix)
    if reader is None:
        raise InputError("unknown kind of table", file=path.name, remedy="use .csv, .jsonl or .parquet")
    for row in reader(path, required, known, report):
        try:
            for column, value in row.cells.items():
                if isinstance(value, str):
                    _storable(row, column, value)
        except InputError as error:
            report(error)
            continue
        yield row


def _storable(row: Row, column: str, value: str) -> None:
    if value.isascii():
        return
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"the text holds a lone surrogate at character {error.start}",
            file=row.file,
            row=row.number,
            column=column,
            remedy="repair the source's encoding",
        ) from None


def check_columns(
    file: str, found: Iterable[str], required: tuple[str, ...], known: set[str], row: int | None = None
) -> None:
    """Refuses unknown, doubled and missing columns of a table, naming the first of them."""
    found = list(found)
    for column in found:
        if column not in known:
            raise InputError(
                "unknown column",
                file=file,
                row=row,
                column=column,
                remedy=f"known are {', '.join(sorted(known))}",
            )
        if found.count(column) > 1:
            raise InputError("the column is there twice", file=file, row=row, column=column)
    for column in required:
        if column not in found:
            raise InputError("the column is missing", file=file, row=row, column=column, remedy="add it")


def _csv_rows(path: Path, required: tuple[str, ...], known: set[str], report: Report) -> Iterator[Row]:
    before = csv.field_size_limit(LARGEST_CELL)
    number = 1
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, None)
            if header is None:
                raise InputError("the file is empty", file=path.name, remedy="write at least the header row")
            check_columns(path.name, header, required, known, 1)
            for number, cells in enumerate(reader, 2):
                if len(cells) != len(header):
                    said = f"{len(cells)} cells where the header has {len(header)}"
                    report(InputError(said, file=path.name, row=number, remedy="check commas and quotes"))
                    continue
                yield Row(path.name, number, dict(zip(header, cells, strict=True)))
    except UnicodeDecodeError:
        raise _undecodable(path, csv.reader) from None
    except csv.Error as error:
        raise InputError(
            f"broken CSV: {error}", file=path.name, row=number + 1, remedy="check commas and quotes"
        ) from None
    finally:
        csv.field_size_limit(before)


def _jsonl_rows(path: Path, required: tuple[str, ...], known: set[str], report: Report) -> Iterator[Row]:
    number = 0
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                try:
                    cells = _json_object(path, number, line)
                    check_columns(path.name, cells, required, known, number)
                except InputError as error:
                    report(error)
                    continue
                yield Row(path.name, number, cells)
    except UnicodeDecodeError:
        raise _undecodable(path, iter) from None


def _undecodable(path: Path, rows_of: Callable[[Iterable[str]], Iterable[object]]) -> InputError:
    """Where a file stops being UTF-8: exactly, since a reader only knows the block that it was in."""
    raw = path.read_bytes()
    try:
        raw.decode("utf-8-sig")
        at = len(raw)
    except UnicodeDecodeError as error:
        at = error.start
    before = io.StringIO(raw[:at].decode("utf-8-sig", "replace") + "?", newline="")
    row = sum(1 for _ in rows_of(before))
    return InputError(f"this is no UTF-8 text (byte {at})", file=path.name, row=row, remedy="save it as UTF-8")


def _json_object(path: Path, number: int, line: str) -> dict[str, object]:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise InputError("the key is there twice", file=path.name, row=number, column=key)
        return dict(pairs)

    try:
        found = json.loads(line, object_pairs_hook=unique)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"broken JSON: {error}", file=path.name, row=number, remedy="one object a line") from None
    if not isinstance(found, dict):
        raise InputError("this line is no JSON object", file=path.name, row=number, remedy="one object a line")
    return found


def _parquet_rows(path: Path, required: tuple[str, ...], known: set[str], _report: Report) -> Iterator[Row]:
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"this is no readable Parquet file: {reason}", file=path.name) from None
    check_columns(path.name, frame.columns, required, known, None)
    for number, cells in enumerate(frame.iter_rows(named=True), 1):
        yield Row(path.name, number, cells)
