"""A mapping's SQL, run where it can reach its sources and nothing else.

The declared files are loaded by path as a bound value; then DuckDB loses the file system, extensions and its own
configuration, so that a SELECT from a mapping somebody sent can read no other file. Values reach it as variables.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import duckdb

from workbench.validity.mapping_file import Declared

READERS: Final = {
    ".csv": "read_csv(?, header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"', skip = 0)",
    ".jsonl": "read_json(?, format = 'newline_delimited')",
    ".parquet": "read_parquet(?)",
}
"""A CSV's cells stay text: types are the mapping's business, and guessed ones change with the rows."""
LOCKED: Final = (
    "SET TimeZone = 'UTC'",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
ALONE: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "threads": 1,  # first() and LIMIT then take the same rows each time
}


@dataclass(frozen=True, slots=True)
class Written:
    """The rows of one SELECT as they are written: text in every cell, sorted, so that equal input gives equal bytes."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def dicts(self) -> Iterator[Mapping[str, str]]:
        """Each row by its columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def ordered(self, columns: tuple[str, ...]) -> Written:
        """The same rows with these columns, in this order; columns that are not there are empty."""
        found = [tuple(row.get(column, "") for column in columns) for row in self.dicts()]
        return Written(columns, tuple(sorted(found)))


@contextmanager
def sandbox(declared: Declared, source: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB in memory that holds the mapping's sources, variables and views, and can reach nothing else."""
    connection = duckdb.connect(":memory:", config=ALONE)
    try:
        for name, file in declared.sources.items():
            _load(connection, declared, name, _inside(declared, name, source, file))
        for statement in LOCKED:
            connection.execute(statement)
        for name, value in declared.variables.items():
            connection.execute(f'SET VARIABLE "{name}" = ?', [value])
        for name, sql in declared.views.items():
            place = f"[views], {name}"
            _one_select(connection, declared, place, sql)
            _run(connection, declared, place, f'CREATE TEMP VIEW "{name}" AS {sql}')
        yield connection
    finally:
        connection.close()


def selected(connection: duckdb.DuckDBPyConnection, declared: Declared, place: str, sql: str) -> Written:
    """The rows of one SELECT of the mapping, as text; raises InputError naming mapping, place and column."""
    _one_select(connection, declared, place, sql)
    _run(connection, declared, place, sql)
    columns = tuple(str(column[0]) for column in connection.description or ())
    for column in columns:
        if columns.count(column) > 1:
            raise declared.error(place, "the column is there twice", found=column, remedy="name it once")
    rows = []
    for cells in connection.fetchall():
        rows.append(tuple(_text(declared, place, name, cell) for name, cell in zip(columns, cells, strict=True)))
    return Written(columns, tuple(sorted(rows)))


def _inside(declared: Declared, name: str, source: Path, file: str) -> Path:
    path = (source / file).resolve()
    if Path(file).is_absolute() or not path.is_relative_to(source.resolve()):
        raise declared.error(f"[sources], {name}", "the file lies outside the source folder", found=file)
    if not path.is_file():
        raise declared.error(f"[sources], {name}", "there is no such file in the source folder", found=file)
    return path


def _load(connection: duckdb.DuckDBPyConnection, declared: Declared, name: str, path: Path) -> None:
    try:
        connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM {READERS[path.suffix]}', [glob.escape(str(path))])
    except duckdb.Error as error:
        raise declared.error(f"[sources], {name}", f"{path.name} cannot be read: {_line(error)}") from None


def _one_select(connection: duckdb.DuckDBPyConnection, declared: Declared, place: str, sql: str) -> None:
    try:
        statements = connection.extract_statements(sql)
    except duckdb.Error as error:
        raise declared.error(place, f"DuckDB cannot read this: {_line(error)}") from None
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise declared.error(place, "this is not one SELECT", remedy="write one SELECT and nothing else")


def _run(connection: duckdb.DuckDBPyConnection, declared: Declared, place: str, sql: str) -> None:
    try:
        connection.execute(sql)
    except duckdb.Error as error:
        raise declared.error(place, f"DuckDB refuses this: {_line(error)}") from None


def _line(error: duckdb.Error) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _text(declared: Declared, place: str, column: str, cell: object) -> str:
    """A cell in the spelling of the tables: text, digits, true or false, ISO 8601 with Z, names joined by ``;``."""
    where = f"{place}, column {column}"
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str | int):
        return str(cell)
    if isinstance(cell, datetime):
        if cell.tzinfo is None:
            raise declared.error(where, "a time without zone", found=cell, remedy="cast it with AT TIME ZONE")
        return cell.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, list):
        names = [_text(declared, where, column, part) for part in cell]
        if any(";" in name for name in names):
            raise declared.error(where, "a name in the list holds the separator ;", found=cell)
        return ";".join(names)
    raise declared.error(
        where, f"{type(cell).__name__} has no spelling in a table", found=cell, remedy="cast it to text"
    )
