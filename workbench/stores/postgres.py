"""PostgreSQL as an engine: full-text search or pgvector, under row-level security by actor (S1, "Filter").

Who asks is a setting of the transaction. The tables' policies compare it with each row's tenant and groups, for the
tables' owner too: a statement that forgets its conditions, or one without an actor, sees nothing. Words are the
contract's (:mod:`workbench.stores.postgres_words`); the order is PostgreSQL's ``ts_rank``, which knows no rarity of
words, so that it differs from bm25. It uses no statistics of other rows, and so none of forbidden ones.

Callers bring a psycopg connection of a role that is no superuser and may not bypass row-level security.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, LiteralString

import psycopg
from psycopg import sql
from psycopg.types.range import Int8Range

from workbench.contract import UNBOUNDED_TEXT
from workbench.errors import InputError
from workbench.evidence import query as queries
from workbench.evidence.query import Match
from workbench.stores import postgres_words
from workbench.stores.bound import Bound, Found, ScopeAt
from workbench.stores.conditions import Time
from workbench.stores.encoding import Encoder
from workbench.stores.entries import WHOLE, Entry, Row, place
from workbench.stores.postgres_tables import TABLES, prepare

Connection = psycopg.Connection[tuple[Any, ...]]
Order = Literal["words", "vectors"]

_ACTOR: Final = (
    "SELECT set_config('workbench.tenant', %(tenant)s, true), "
    "set_config('workbench.groups', (%(groups)s::text[])::text, true)"
)
_MAINTENANCE: Final = "SELECT set_config('workbench.maintenance', %s, true)"
_FROM: Final[LiteralString] = " FROM {passages} p JOIN {documents} d ON d.id = p.document_id"
_WHO: Final[LiteralString] = " WHERE d.tenant = %(tenant)s AND d.groups && %(groups)s::text[] AND d.cut = %(cut)s"
_WITHOUT_DECISION: Final[LiteralString] = " AND p.part = %(whole)s"
_SCOPE: Final[LiteralString] = (
    "a.tenant = %(scope_tenant)s AND a.family = %(family)s AND a.procedure = %(procedure)s"
    " AND a.configuration = %(configuration)s AND a.region = %(region)s"
    " AND a.valid_kind = %(at_kind)s AND a.valid @> %(at)s::bigint"
    " AND CASE WHEN %(known_at)s::bigint IS NULL THEN upper_inf(a.recorded)"
    " ELSE a.recorded_kind = %(known_kind)s AND a.recorded @> %(known_at)s::bigint END"
)
_UNDER_DECISION: Final[LiteralString] = (
    " AND p.document_id = ANY(%(documents)s::text[]) AND p.place = ANY(%(places)s::text[])"
    " AND EXISTS (SELECT FROM {applies} a WHERE a.document_id = p.document_id"
    " AND a.revision_id = %(revision_id)s AND " + _SCOPE + ")"
)
_CANONICAL: Final[LiteralString] = (
    " AND EXISTS (SELECT FROM {canonical} c WHERE c.tenant = %(scope_tenant)s AND c.document_family = %(family)s"
    " AND c.procedure_id = %(procedure)s AND c.asset_configuration = %(configuration)s AND c.region = %(region)s"
    " AND c.valid @> {instant} AND c.outcome = 'revision' AND c.revision_id = %(revision_id)s)"
)
_PLACE: Final[LiteralString] = "SELECT p.document_id, d.content_sha256, p.part, p.number, p.start_at, p.end_at, "
_BY_WORDS: Final[LiteralString] = "-ts_rank(p.words, %(query)s::tsquery, 1) AS score"
_BY_VECTORS: Final[LiteralString] = "(p.embedding <=> %(query)s::vector) AS score"
_HAS_WORDS: Final[LiteralString] = " AND p.words @@ %(query)s::tsquery"
_LIMIT: Final[LiteralString] = ' ORDER BY score, p.document_id COLLATE "C", p.number LIMIT %(depth)s'


class Postgres:
    """The tables of one schema, made where they are not there.

    ``order`` is how passages are ranked: by ``words`` (all or any, ``match``) or by ``vectors``, for which the encoder
    and the extension ``vector`` are needed. With ``canonical`` a decision about today's register is also looked up, in
    the same statement, in the table ``canonical`` of the schema
    (:func:`~workbench.stores.postgres_register.write_canonical`): where that says another revision, nothing is found.
    """

    def __init__(
        self,
        connection: Connection,
        schema: str,
        *,
        order: Order = "words",
        match: Match = "any",
        encoder: Encoder | None = None,
        canonical: bool = False,
    ) -> None:
        """Raises InputError where the role could read around the policies, or the tables are not protected."""
        if order == "vectors" and encoder is None:
            raise InputError("an order by vectors needs an encoder", remedy="give encoder=, or order by words")
        self._connection, self._schema, self._encoder = connection, schema, encoder
        self._order, self._match, self._canonical = order, match, canonical
        prepare(connection, schema, dimensions=None if encoder is None else encoder.dimension)
        self._names = {name: sql.Identifier(schema, name) for name in (*TABLES, "canonical")}

    @property
    def settings(self) -> str:
        """The digest of the encoder, where there is one."""
        return "" if self._encoder is None else self._encoder.digest

    def records(self) -> Mapping[str, str]:
        """The documents in the tables, and for each the digest of its entry."""
        with self._maintained() as cursor:
            cursor.execute(self._sql("SELECT id, record FROM {documents}"))
            return dict(cursor.fetchall())

    def change(self, gone: Iterable[str], put: Iterable[Entry]) -> None:
        """Take out and put in, in one transaction, or in the caller's: a search sees all of it or nothing."""
        try:
            with self._maintained() as cursor:
                cursor.execute(self._sql("DELETE FROM {documents} WHERE id = ANY(%s::text[])"), [_stored(list(gone))])
                for entry in put:
                    self._put(cursor, entry)
        except psycopg.errors.ProgramLimitExceeded as error:
            raise InputError(f"PostgreSQL cannot hold a passage: {error.diag.message_primary}") from None

    def _put(self, cursor: psycopg.Cursor[tuple[Any, ...]], entry: Entry) -> None:
        document = [entry.document_id, entry.tenant, list(entry.groups), entry.content_sha256, entry.cut, entry.record]
        cursor.execute(self._sql("INSERT INTO {documents} VALUES (%s, %s, %s, %s, %s, %s)"), _stored(document))
        vectors: Sequence[list[float] | None] = [None] * len(entry.pieces)
        if self._encoder is not None:
            vectors = self._encoder.passages([piece.text for piece in entry.pieces]).tolist()
        passages = []
        for piece, vector in zip(entry.pieces, vectors, strict=True):
            pinned = place(entry.document_id, entry.content_sha256, piece.part)
            at = (entry.document_id, piece.part, pinned, piece.number, piece.start, piece.end)
            passages.append([*at, postgres_words.vector(piece.text), *([] if vector is None else [str(vector)])])
        slots = sql.SQL(", ").join([sql.SQL("%s")] * (8 if self._encoder else 7))
        cursor.executemany(self._sql("INSERT INTO {passages} VALUES ({slots})", slots=slots), passages)
        rows = [_stored([entry.document_id, *_row(row)]) for row in entry.applies]
        cursor.executemany(self._sql("INSERT INTO {applies} VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"), rows)

    def count(self, asked: Bound) -> int:
        """How many passages fulfil the conditions."""
        with self._acting(asked) as cursor:
            cursor.execute(self._sql("SELECT count(*)" + _FROM) + self._where(asked), _values(asked))
            row = cursor.fetchone()
        return 0 if row is None else int(row[0])

    def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
        """The best passages that fulfil the conditions: by score, then document id, then passage number."""
        sought = self._sought(query)
        if sought is None:
            return []
        statement = self._sql(_PLACE + (_BY_WORDS if self._order == "words" else _BY_VECTORS) + _FROM)
        statement += self._where(asked) + self._sql((_HAS_WORDS if self._order == "words" else "") + _LIMIT)
        with self._acting(asked) as cursor:
            cursor.execute(statement, {**_values(asked), "query": sought, "depth": min(depth, 2**31 - 1)})
            return [Found(*row) for row in cursor.fetchall()]

    def applying(self, scope: ScopeAt) -> set[str]:
        """The documents with a row for the scope at its time."""
        with self._maintained() as cursor:
            cursor.execute(self._sql("SELECT DISTINCT a.document_id FROM {applies} a WHERE " + _SCOPE), _times(scope))
            return {str(row[0]) for row in cursor.fetchall()}

    def _sought(self, query: str) -> str | None:
        if self._order == "vectors" and self._encoder is not None:
            return str(self._encoder.queries([query])[0].tolist())
        return postgres_words.query(queries.question_words(query), self._match)

    def _where(self, asked: Bound) -> sql.Composed:
        if asked.scope is None:
            return self._sql(_WHO + _WITHOUT_DECISION)
        if not self._canonical or asked.scope.known_at is not None:
            return self._sql(_WHO + _UNDER_DECISION)
        logical = asked.scope.at.kind == "logical"
        instant = "%(at)s::bigint" if logical else "(timestamptz 'epoch' + %(at)s * interval '1 microsecond')"
        return self._sql(_WHO + _UNDER_DECISION) + self._sql(_CANONICAL, instant=sql.SQL(instant))

    def _sql(self, text: LiteralString, **more: sql.Composable) -> sql.Composed:
        return sql.SQL(text).format(**self._names, **more)

    @contextmanager
    def _acting(self, asked: Bound) -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
        """A transaction in which the policies know who asks."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute(_ACTOR, _values(asked))
            yield cursor
            cursor.execute(_ACTOR, {"tenant": "", "groups": []})  # a transaction of the caller's goes on without

    @contextmanager
    def _maintained(self) -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
        """A transaction, or a part of the caller's, that may write and sees what it writes."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute(_MAINTENANCE, ["on"])
            yield cursor
            cursor.execute(_MAINTENANCE, ["off"])

    def __repr__(self) -> str:
        how = f"match={self._match!r}" if self._order == "words" else repr(self._encoder)
        return f"Postgres({self._schema!r}, {self._order}, {how})"


def _values(asked: Bound) -> dict[str, object]:
    groups = [group for group in asked.groups if "\0" not in group]  # no stored document can have such a one
    who: dict[str, object] = {"tenant": asked.tenant, "groups": groups, "cut": asked.cut, "whole": WHOLE}
    if asked.scope is None or asked.documents is None or asked.places is None:
        return who
    return who | {"documents": list(asked.documents), "places": list(asked.places)} | _times(asked.scope)


def _times(scope: ScopeAt) -> dict[str, object]:
    known = scope.known_at
    return {
        "scope_tenant": scope.key.tenant,
        "family": scope.key.family,
        "procedure": scope.key.procedure,
        "configuration": scope.key.configuration,
        "region": scope.key.region,
        "revision_id": scope.revision_id,
        "at": scope.at.value,
        "at_kind": scope.at.kind,
        "known_at": None if known is None else known.value,
        "known_kind": None if known is None else known.kind,
    }


def _row(row: Row) -> list[object]:
    names = ("revision_id", "tenant", "family", "procedure", "configuration", "region")
    return [*(row[name] for name in names), *_range(row, "valid"), *_range(row, "recorded")]


def _range(row: Row, name: str) -> tuple[Int8Range, str]:
    start, end = row[f"{name}_from"], row.get(f"{name}_to")
    assert isinstance(start, Time), "a row always has its start"
    if row[f"{name}_end"] == UNBOUNDED_TEXT:
        return Int8Range(start.value, None), start.kind
    assert isinstance(end, Time), "an end that comes has its instant"
    return Int8Range(start.value, end.value), start.kind


def _stored(values: list[Any]) -> list[Any]:
    """The values, unless one is text that PostgreSQL cannot hold."""
    for value in values:
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and "\0" in text:
                raise InputError("PostgreSQL stores no NUL", found=text, remedy="take the character out of the name")
    return values
