"""A register in one DuckDB file: its tables, and ``settings`` with the keys of ``register.toml`` (contract 5)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import duckdb
import polars as pl

from workbench.errors import InputError
from workbench.records import Report, Row, check_columns
from workbench.validity.contents import Contents
from workbench.validity.loading import assemble
from workbench.validity.register_frames import put_frame
from workbench.validity.settings import parse_settings
from workbench.validity.tables import OPTIONAL_TABLES, REQUIRED, optional_columns
from workbench.validity.written import written


def read_database(path: Path, report: Report) -> Contents:
    """The contents of the register in a DuckDB file; each malformed row is reported and left out."""
    if not path.is_file():
        raise InputError("there is no such file", file=str(path), remedy="give the register's file")
    try:
        with duckdb.connect(path, read_only=True) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            there = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
            if "settings" not in there:
                raise InputError("the table settings is missing", file=path.name, remedy="add it: key, value (JSON)")
            settings = _settings(path, connection)
            tables = {name: tuple(_rows(path, connection, name, there, report)) for name in REQUIRED}
    except duckdb.Error as error:
        raise InputError(f"this is no readable DuckDB file: {str(error).splitlines()[0]}", file=path.name) from None
    return assemble(parse_settings(settings), tables, report)


def _settings(path: Path, connection: duckdb.DuckDBPyConnection) -> Mapping[str, object]:
    found: dict[str, object] = {}
    for key, value in connection.execute("SELECT key, value FROM settings").fetchall():
        try:
            found[key] = json.loads(value)
        except (TypeError, ValueError):
            raise InputError("this is no JSON value", file=f"{path.name}/settings", column=key, found=value) from None
    return found


def _rows(
    path: Path, connection: duckdb.DuckDBPyConnection, name: str, there: set[str], report: Report
) -> Iterator[Row]:
    file = f"{path.name}/{name}"
    if name not in there:
        if name not in OPTIONAL_TABLES:
            report(InputError(f"the table {name} is missing", file=path.name, remedy="add it, be it empty"))
        return
    described = connection.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ?", [name])
    types = dict(described.fetchall())
    try:
        check_columns(file, types, REQUIRED[name], {*REQUIRED[name], *optional_columns(name)})
        for column, kind in types.items():
            if kind.startswith(("TIMESTAMP", "DATE")):
                _finite(file, connection, name, column)
    except InputError as error:
        report(error)
        return
    for number, cells in enumerate(connection.execute(f"FROM {name}").fetchall(), 1):
        yield Row(file, number, dict(zip(types, cells, strict=True)))


def _finite(file: str, connection: duckdb.DuckDBPyConnection, table: str, column: str) -> None:
    """DuckDB's infinity becomes a year on its way to Python, so it must not begin the way."""
    if connection.execute(f'SELECT count(*) FROM {table} WHERE isinf("{column}")').fetchall() != [(0,)]:
        remedy = f"leave the cell empty and write unbounded into {column}_kind"
        raise InputError("an infinite time", file=file, column=column, found="infinity", remedy=remedy)


def write_database(contents: Contents, path: Path) -> None:
    """Writes the register's tables, text in every cell, and its settings as JSON values."""
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE settings (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL)")
        for key, value in contents.settings.written().items():
            connection.execute("INSERT INTO settings VALUES (?, ?)", [key, json.dumps(value, ensure_ascii=False)])
        tables = written(contents)
        for name, table in tables.items():
            frame = pl.DataFrame(table.rows, schema=dict.fromkeys(table.columns, pl.String), orient="row")
            put_frame(connection, name, frame)
