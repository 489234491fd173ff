"""A register named by a PostgreSQL address, ``postgresql://…/database#schema`` (contract 5).

What the address holds besides the schema is never shown: it may carry a password.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg

from workbench.errors import InputError
from workbench.stores.postgres_register import read_register, write_canonical, write_register
from workbench.validity.register import Register

SCHEMA: Final = "workbench"
"""The schema where the address names none."""


def is_address(text: str) -> bool:
    """Whether a text names a database rather than a folder or file.

    >>> is_address("postgresql://127.0.0.1/plant#seals"), is_address("data/pump-seal")
    (True, False)
    """
    return text.startswith(("postgresql://", "postgres://"))


def read_at(address: str) -> Register:
    """The register at an address; InputError where it cannot be reached or read."""
    with _connected(address) as (connection, schema):
        return read_register(connection, schema)


def project_at(address: str, register: Register) -> None:
    """Put a register's canonical table at an address, and its raw tables where none are there yet."""
    with _connected(address) as (connection, schema):
        there = connection.execute("SELECT to_regclass(format('%%I.revisions', %s::text))", (schema,)).fetchone()
        if there is None or there[0] is None:
            write_register(connection, schema, register)
        write_canonical(connection, schema, register)


@contextmanager
def _connected(address: str) -> Iterator[tuple[psycopg.Connection[tuple[Any, ...]], str]]:
    target, _, schema = address.partition("#")
    try:
        with psycopg.connect(target) as connection:
            yield connection, schema or SCHEMA
    except psycopg.Error as error:
        first = str(error).strip().splitlines()
        remedy = "check the address, the schema and its rights"
        raise InputError(
            f"refused: {first[0] if first else type(error).__name__}", file="PostgreSQL", remedy=remedy
        ) from None
