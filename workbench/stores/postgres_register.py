"""A register in one PostgreSQL schema: raw tables that keep conflicts, and a canonical one that cannot hold any.

S1, "Filter setzen Entscheidungen durch": the raw tables hold what was approved, overlaps included; the canonical table
holds the projection, with range types and an exclusion constraint, so that PostgreSQL itself refuses a second decision
for one scope and instant. Contract 3.9 and 5. Callers bring a psycopg connection; this module opens none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql
from psycopg.types.range import Int8Range, TimestamptzRange

from workbench.errors import InputError
from workbench.records import Report, Row, check_columns, refuse
from workbench.validity.loading import assemble
from workbench.validity.projection import SCOPE, project
from workbench.validity.register import Register
from workbench.validity.settings import parse_settings
from workbench.validity.tables import OPTIONAL_TABLES, REQUIRED, optional_columns
from workbench.validity.written import WrittenTable, written

ORDER: Final = "row_number"
"""The column that keeps the rows' order, since a table in PostgreSQL has none; it is no part of a row."""
IN_UTC: Final = "SET LOCAL TimeZone = 'UTC'"
"""So that no session's zone pushes a far instant out of the years that Python knows."""
Connection = psycopg.Connection[tuple[Any, ...]]

_CANONICAL: Final[LiteralString] = """
    CREATE TABLE {table} (
        tenant text NOT NULL, document_family text NOT NULL, procedure_id text NOT NULL,
        asset_configuration text NOT NULL, region text NOT NULL,
        valid {range} NOT NULL CHECK (NOT isempty(valid) AND NOT lower_inf(valid)),
        outcome text NOT NULL CHECK (outcome IN ('revision', 'conflict', 'gap', 'unknown')),
        revision_id text,
        rivals text[] NOT NULL,
        CHECK ((outcome = 'revision') = (revision_id IS NOT NULL)),
        CHECK ((outcome = 'conflict') = (cardinality(rivals) > 1)),
        {normalised},
        {key}
    )
"""
_EXCLUSION: Final[LiteralString] = """EXCLUDE USING gist (
    tenant WITH =, document_family WITH =, procedure_id WITH =, asset_configuration WITH =, region WITH =, valid WITH &&
)"""
_TEMPORAL_KEY: Final[LiteralString] = (
    "PRIMARY KEY (tenant, document_family, procedure_id, asset_configuration, region, valid WITHOUT OVERLAPS)"
)
"""What PostgreSQL has since 18, and what says in its catalogue that ``valid`` is the key's period."""
TEMPORAL_KEYS_SINCE: Final = 180_000


def write_register(connection: Connection, schema: str, register: Register) -> None:
    """Writes the register's tables into a new schema, in one transaction: text in every cell, overlaps allowed.

    Raises InputError where the schema is there already, or where a cell holds what PostgreSQL cannot store (NUL).
    """
    tables = written(register)
    for name, table in tables.items():
        _storable(name, table)
    with connection.transaction(), connection.cursor() as cursor:
        _new_schema(cursor, schema)
        cursor.execute(
            sql.SQL("CREATE TABLE {} (key text PRIMARY KEY, value text NOT NULL)").format(
                sql.Identifier(schema, "settings")
            )
        )
        settings = [(key, json.dumps(value, ensure_ascii=False)) for key, value in register.settings.written().items()]
        insert = sql.SQL("INSERT INTO {} VALUES (%s, %s)").format(sql.Identifier(schema, "settings"))
        cursor.executemany(insert, settings)
        for name, table in tables.items():
            columns = sql.SQL(", ").join(sql.SQL("{} text").format(sql.Identifier(c)) for c in table.columns)
            place = sql.Identifier(schema, name)
            cursor.execute(
                sql.SQL("CREATE TABLE {} ({} bigint PRIMARY KEY, {})").format(place, sql.Identifier(ORDER), columns)
            )
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(place)) as copy:
                for number, row in enumerate(table.rows, 1):
                    copy.write_row((number, *row))


def read_register(connection: Connection, schema: str, *, report: Report = refuse) -> Register:
    """The register in a schema as at one moment; raises (or reports) InputError naming table, row and column.

    Within a transaction of the caller's, that transaction's isolation says what one moment is.
    """
    idle = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    with connection.transaction(), connection.cursor() as cursor:
        if idle:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(IN_UTC)
        there = _tables(cursor, schema)
        if "settings" not in there:
            raise InputError("the table settings is missing", file=schema, remedy="give the register's schema")
        cursor.execute(sql.SQL("SELECT key, value FROM {}").format(sql.Identifier(schema, "settings")))
        settings = {str(key): json.loads(value) for key, value in cursor.fetchall()}
        tables = {name: tuple(_rows(cursor, schema, name, there, report)) for name in REQUIRED}
    return Register.of(assemble(parse_settings(settings), tables, report))


def write_canonical(connection: Connection, schema: str, register: Register) -> None:
    """Puts the register's projection into the table ``canonical`` of a schema, in place of an earlier one.

    PostgreSQL refuses intervals of one scope that overlap, keys that are null, blank or not in NFC, and empty ranges:
    by a temporal primary key (``WITHOUT OVERLAPS``) since version 18, by an exclusion constraint before. Needs the
    extension ``btree_gist`` and a database in UTF-8.
    """
    logical = register.settings.valid.kind == "logical"
    frame = project(register)
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
        place = sql.Identifier(schema, "canonical")
        cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(place))
        normalised = sql.SQL(", ").join(
            sql.SQL("CHECK ({0} IS NFC NORMALIZED AND btrim({0}) <> '')").format(sql.Identifier(c)) for c in SCOPE
        )
        kind = sql.SQL("int8range" if logical else "tstzrange")
        temporal = connection.info.server_version >= TEMPORAL_KEYS_SINCE
        key = sql.SQL(_TEMPORAL_KEY if temporal else _EXCLUSION)
        cursor.execute(sql.SQL(_CANONICAL).format(table=place, range=kind, normalised=normalised, key=key))
        insert = sql.SQL("INSERT INTO {} VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)").format(place)
        cursor.executemany(
            insert,
            [(*row[:5], _range(row[5], row[6], logical=logical), row[8], row[9], row[10]) for row in frame.iter_rows()],
        )


def read_canonical(connection: Connection, schema: str) -> list[tuple[Any, ...]]:
    """The canonical rows by scope and time: scope, start, end (``None``: open), outcome, revision, rivals."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(IN_UTC)
        columns = sql.SQL(", ").join(map(sql.Identifier, SCOPE))
        order = sql.SQL(", ").join(sql.SQL('{} COLLATE "C"').format(sql.Identifier(column)) for column in SCOPE)
        statement = "SELECT {}, lower(valid), upper(valid), outcome, revision_id, rivals FROM {} ORDER BY {}, valid"
        cursor.execute(sql.SQL(statement).format(columns, sql.Identifier(schema, "canonical"), order))
        return cursor.fetchall()


def _range(start: Any, end: Any, *, logical: bool) -> object:
    return Int8Range(start, end) if logical else TimestamptzRange(start, end)


def _new_schema(cursor: psycopg.Cursor[tuple[Any, ...]], schema: str) -> None:
    try:
        cursor.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    except psycopg.errors.DuplicateSchema:
        raise InputError("the schema is there already", file=schema, remedy="give a new one") from None


def _tables(cursor: psycopg.Cursor[tuple[Any, ...]], schema: str) -> set[str]:
    cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = %s", [schema])
    return {str(row[0]) for row in cursor.fetchall()}


def _rows(
    cursor: psycopg.Cursor[tuple[Any, ...]], schema: str, name: str, there: set[str], report: Report
) -> Iterator[Row]:
    file = f"{schema}/{name}"
    if name not in there:
        if name not in OPTIONAL_TABLES:
            report(InputError(f"the table {name} is missing", file=schema, remedy="add it, be it empty"))
        return
    cursor.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s "
        "ORDER BY ordinal_position",
        [schema, name],
    )
    found = [str(row[0]) for row in cursor.fetchall()]
    columns = [column for column in found if column != ORDER]
    try:
        check_columns(file, columns, REQUIRED[name], {*REQUIRED[name], *optional_columns(name)})
    except InputError as error:
        report(error)
        return
    listed = sql.SQL(", ").join(map(sql.Identifier, columns))
    order = sql.Identifier(ORDER) if ORDER in found else sql.SQL("ctid")
    cursor.execute(sql.SQL("SELECT {} FROM {} ORDER BY {}").format(listed, sql.Identifier(schema, name), order))
    try:
        cells = cursor.fetchall()
    except psycopg.DataError as error:  # infinity is no time in Python
        remedy = "write open ends as unbounded, and times between the years 1 and 9999"
        report(InputError(f"a time cannot be read: {str(error).splitlines()[0]}", file=file, remedy=remedy))
        return
    for number, row in enumerate(cells, 1):
        yield Row(file, number, dict(zip(columns, row, strict=True)))


def _storable(name: str, table: WrittenTable) -> None:
    for number, row in enumerate(table.rows, 1):
        for column, cell in zip(table.columns, row, strict=True):
            if cell is not None and "\0" in cell:
                remedy = "take the character out of the register"
                raise InputError(
                    "PostgreSQL stores no NUL", file=name, row=number, column=column, found=cell, remedy=remedy
                )
