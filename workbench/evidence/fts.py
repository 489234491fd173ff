"""The strict retriever: a fresh FTS5 table of the allowed passages for each question (contract 2.1-2.5; S0).

This is the reference. Whatever searches faster must give the same hits, order and scores, bit for bit. It runs on
apsw's SQLite, which is the same everywhere, and on the SQLite of Python's own ``sqlite3``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, cast

import apsw

from workbench.evidence import query as queries

if TYPE_CHECKING:
    from workbench.contract import Hit
    from workbench.evidence.view import View

TOKENIZER: Final = "unicode61 remove_diacritics 0"
CREATE: Final = (
    f"CREATE VIRTUAL TABLE passages USING fts5(document UNINDEXED, number UNINDEXED, body, tokenize = '{TOKENIZER}')"
)
INSERT: Final = "INSERT INTO passages (document, number, body) VALUES (?, ?, ?)"
RANK: Final = (
    "SELECT document, number, bm25(passages) AS score FROM passages WHERE passages MATCH ? "
    "ORDER BY score, document, number LIMIT ?"
)
_LARGEST_LIMIT: Final = 2**63 - 1

Text = tuple[str, int, str]
"""A passage as the table takes it: document id, passage number, text."""
Ranked = tuple[str, int, float]
"""A passage as the table ranks it: document id, passage number, bm25 score."""


class Connection(Protocol):
    """What the retriever needs of an SQLite connection."""

    def execute(self, sql: str, values: Sequence[object] = ..., /) -> Iterable[tuple[object, ...]]:
        """Run one statement with bound values."""
        ...

    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> object:
        """Run one statement for each row of bound values."""
        ...

    def close(self) -> None:
        """Let go of the memory."""
        ...


class Engine(Protocol):
    """A build of SQLite."""

    @property
    def name(self) -> str:
        """The library's name."""
        ...

    @property
    def version(self) -> str:
        """SQLite's version in it."""
        ...

    def memory(self) -> Connection:
        """A new, empty database in memory."""
        ...


@dataclass(frozen=True, slots=True)
class Apsw:
    """The SQLite that comes with apsw: one version on every machine."""

    name: str = "apsw"

    @property
    def version(self) -> str:
        """SQLite's version in it."""
        return apsw.sqlite_lib_version()

    def memory(self) -> Connection:
        """A new, empty database in memory."""
        return apsw.Connection(":memory:")


@dataclass(frozen=True, slots=True)
class Standard:
    """The SQLite of Python's own ``sqlite3``."""

    name: str = "sqlite3"

    @property
    def version(self) -> str:
        """SQLite's version in it."""
        return sqlite3.sqlite_version

    def memory(self) -> Connection:
        """A new, empty database in memory."""
        return sqlite3.connect(":memory:", isolation_level=None)


APSW: Final = Apsw()
STANDARD: Final = Standard()


def expression(words: Sequence[str], match: queries.Match = "all") -> str:
    """The words as literal FTS5 phrases, joined by AND or OR; it is bound as a value, never pasted into SQL.

    >>> expression(["zwei", "or"]), expression(["zwei", "or"], "any")
    ('"zwei" AND "or"', '"zwei" OR "or"')
    """
    # A word holds letters and digits only (query.py), so that no quote can end its phrase.
    return (" AND " if match == "all" else " OR ").join(f'"{word}"' for word in words)


def table(texts: Iterable[Text], *, engine: Engine = APSW) -> Connection:
    """A database with one fresh FTS5 table of these passages; the caller closes it."""
    database = engine.memory()
    database.execute(CREATE)
    database.execute("BEGIN")
    database.executemany(INSERT, texts)
    database.execute("COMMIT")
    return database


def ranked(database: Connection, words: Sequence[str], *, match: queries.Match = "all", depth: int) -> list[Ranked]:
    """The best passages of a table: bm25, then document id, then passage number."""
    if not words:
        return []
    rows = database.execute(RANK, (expression(words, match), min(depth, _LARGEST_LIMIT)))
    return cast(list[Ranked], list(rows))


def search(view: View, query: object, limit: object = 3, *, engine: Engine = APSW) -> list[Hit]:
    """What ``view.search`` must equal: the strict search over a fresh table of the view's passages."""
    depth = queries.limit(limit)
    return _fresh(view, queries.words(query), match="all", depth=depth, engine=engine)


def rank(view: View, query: object, depth: object = 10, match: object = "all", *, engine: Engine = APSW) -> list[Hit]:
    """What ``view.rank`` must equal: all or any words over a fresh table of the view's passages."""
    deep, how = queries.depth(depth), queries.match(match)
    return _fresh(view, queries.question_words(query), match=how, depth=deep, engine=engine)


def _fresh(view: View, words: list[str], *, match: queries.Match, depth: int, engine: Engine) -> list[Hit]:
    if not words:
        return []
    passages = {(d.id, p.number): (d, p) for d, p in view.passages()}
    texts = ((d.id, p.number, d.text[p.start : p.end]) for d, p in passages.values())
    with closing(table(texts, engine=engine)) as database:
        best = ranked(database, words, match=match, depth=depth)
    return [view.hit(*passages[document, number], score) for document, number, score in best]
