"""The tables of PostgreSQL as an engine, and their row-level security (S1, "Filter"; contract 2.1).

There is no index of the words. PostgreSQL looks at a row's words only after the policies have admitted the row, since
its operators for words might tell of rows that they should not see (they are not ``LEAKPROOF``), so that it would never
use one. A search costs what the reader may read: little under a decision, and more with every document without one.
"""

from __future__ import annotations

from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql

from workbench.errors import InputError

TABLES: Final = ("documents", "passages", "applies")
_MADE: Final[LiteralString] = """
    CREATE TABLE {documents} (
        id text PRIMARY KEY, tenant text NOT NULL, groups text[] NOT NULL, content_sha256 text NOT NULL,
        cut text NOT NULL, record text NOT NULL
    );
    CREATE TABLE {passages} (
        document_id text NOT NULL REFERENCES {documents} ON DELETE CASCADE, part text NOT NULL, place text NOT NULL,
        number integer NOT NULL, start_at integer NOT NULL, end_at integer NOT NULL, words tsvector NOT NULL,
        PRIMARY KEY (document_id, part, number)
    );
    CREATE TABLE {applies} (
        document_id text NOT NULL REFERENCES {documents} ON DELETE CASCADE, revision_id text NOT NULL,
        tenant text NOT NULL, family text NOT NULL, procedure text NOT NULL, configuration text NOT NULL,
        region text NOT NULL,
        valid int8range NOT NULL CHECK (NOT isempty(valid) AND NOT lower_inf(valid)), valid_kind text NOT NULL,
        recorded int8range NOT NULL CHECK (NOT isempty(recorded) AND NOT lower_inf(recorded)),
        recorded_kind text NOT NULL
    );
    CREATE INDEX ON {documents} (tenant);
    CREATE INDEX ON {passages} (place);
    CREATE INDEX ON {applies} (document_id);
"""
# Without an actor the settings are null or empty, and so nothing is equal to them or meets them. What belongs to a
# document can be seen exactly where the document can: its policy is asked again inside EXISTS.
_READER: Final[LiteralString] = (
    "CREATE POLICY reader ON {documents} FOR SELECT USING (tenant = current_setting('workbench.tenant', true)"
    " AND groups && NULLIF(current_setting('workbench.groups', true), '')::text[])"
)
_OF_DOCUMENT: Final[LiteralString] = (
    "CREATE POLICY reader ON {table} FOR SELECT USING (EXISTS (SELECT FROM {documents} d WHERE d.id = document_id))"
)
_MAINTAINER: Final[LiteralString] = (
    "CREATE POLICY maintainer ON {table} TO CURRENT_USER"
    " USING (current_setting('workbench.maintenance', true) = 'on')"
    " WITH CHECK (current_setting('workbench.maintenance', true) = 'on')"
)
_PROTECTED: Final = (
    "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s"
    " AND c.relname = ANY(%s) AND c.relrowsecurity AND c.relforcerowsecurity"
)


def prepare(connection: psycopg.Connection[tuple[Any, ...]], schema: str, *, dimensions: int | None) -> None:
    """Make the tables where they are not there, each with row-level security that holds for its owner too.

    Raises InputError where the role is one that no policy holds for, or the tables there are not protected.
    """
    names = {name: sql.Identifier(schema, name) for name in TABLES}
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() != (False,):
            remedy = "connect as a role without SUPERUSER and BYPASSRLS"
            raise InputError("row-level security does not hold for this role", remedy=remedy)
        cursor.execute("SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = 'documents'", [schema])
        if cursor.fetchone() is None:
            _make(cursor, schema, names, dimensions)
        cursor.execute(_PROTECTED, [schema, list(TABLES)])
        if cursor.fetchone() != (len(TABLES),):
            raise InputError("these tables are not protected by row-level security", file=schema)


def grant(connection: psycopg.Connection[tuple[Any, ...]], schema: str, role: str) -> None:
    """Let another role search: it can read through the policies, and write nothing."""
    with connection.transaction(), connection.cursor() as cursor:
        to = sql.Identifier(role)
        cursor.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), to))
        for name in TABLES:
            cursor.execute(sql.SQL("GRANT SELECT ON {} TO {}").format(sql.Identifier(schema, name), to))


def _make(
    cursor: psycopg.Cursor[tuple[Any, ...]], schema: str, names: dict[str, sql.Identifier], dimensions: int | None
) -> None:
    cursor.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
    cursor.execute(sql.SQL(_MADE).format(**names))
    if dimensions is not None:
        column = sql.SQL("ALTER TABLE {} ADD COLUMN embedding vector({}) NOT NULL")
        cursor.execute(column.format(names["passages"], sql.Literal(dimensions)))
    for name, table in names.items():
        cursor.execute(sql.SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(table))
        cursor.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(table))
        policy = _READER if name == "documents" else _OF_DOCUMENT
        cursor.execute(sql.SQL(policy).format(table=table, documents=names["documents"]))
        cursor.execute(sql.SQL(_MAINTAINER).format(table=table))
