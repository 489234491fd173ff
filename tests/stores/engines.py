"""The engines that tests run on, each opened fresh and empty, with what it is called in the output."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from tempfile import TemporaryDirectory

import psycopg
from psycopg import sql
from qdrant_client import QdrantClient

from tests.validity.servers import server
from workbench.stores.encoding import HashedWords
from workbench.stores.postgres import Postgres
from workbench.stores.qdrant import Qdrant
from workbench.stores.qdrant_edge import QdrantEdge
from workbench.stores.store import Store

WORDS = HashedWords(256)
# The engine waits for the disk at each change; where the machine has a folder in memory, tests use that.
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
folder = partial(TemporaryDirectory, dir=IN_MEMORY)
_numbers = itertools.count()


@contextmanager
def qdrant_edge(exact: bool = True) -> Iterator[Store]:
    """Qdrant's engine, in process: what a server's filters, ranges and counts do. No network, no server API."""
    with folder() as shard:
        engine = QdrantEdge(shard, WORDS, exact=exact)
        try:
            yield Store(engine)
        finally:
            engine.close()


@contextmanager
def qdrant_local() -> Iterator[Store]:
    """The client's local mode, an imitation in Python: that what we send is well-formed and means the same there."""
    client = QdrantClient(":memory:")
    try:
        yield Store(Qdrant(client, "workbench", WORDS, local=True))
    finally:
        client.close()


@contextmanager
def qdrant_server(url: str) -> Iterator[Store]:
    """A server by URL, in a collection that is deleted afterwards."""
    client, name = QdrantClient(url=url), f"workbench-test-{next(_numbers)}"
    try:
        yield Store(Qdrant(client, name, WORDS))
    finally:
        client.delete_collection(name)
        client.close()


QDRANT = {
    f"qdrant-edge-py {version('qdrant-edge-py')}": qdrant_edge,
    f"qdrant-client {version('qdrant-client')} local mode": qdrant_local,
}


# --- PostgreSQL -------------------------------------------------------------------------------------------------


@contextmanager
def database(version: int) -> Iterator[Database]:
    """A real server of this version, and in it an owner of tables and a reader, neither of them a superuser."""
    with server(version) as address, psycopg.connect(address, autocommit=True) as admin:
        for role in ("owner", "reader"):
            admin.execute(sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS").format(sql.Identifier(role)))
        admin.execute("GRANT CREATE ON DATABASE postgres TO owner")
        vectors = admin.execute("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'").fetchone() == (1,)
        if vectors:
            admin.execute("CREATE EXTENSION vector")
        yield Database(address, admin, vectors)


@dataclass(frozen=True)
class Database:
    address: str
    admin: psycopg.Connection
    vectors: bool

    def connect(self, role: str = "owner") -> psycopg.Connection:
        return psycopg.connect(self.address, user=role, autocommit=True)

    @contextmanager
    def opened(self, **how: object) -> Iterator[Store]:
        """A store in tables of its own, which belong to the role that asks."""
        schema = f"store{next(_numbers)}"
        with self.connect() as connection:
            yield Store(Postgres(connection, schema, **how))
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
