"""Qdrant as an engine: payload filters from typed values, nearest vectors among what fulfils them (S1, "Filter").

Applicability is an array of objects in the payload, and one nested filter has to hold in one and the same object. An
empty filter, which to Qdrant means everything, cannot be built: the conditions refuse to be empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from qdrant_client import QdrantClient, models

from workbench.errors import InputError
from workbench.stores import qdrant_payload as payloads
from workbench.stores.bound import Bound, Found, ScopeAt, found
from workbench.stores.conditions import After, AnyOf, AtMost, Condition, Either, Equal, Every, Meets, Same, Time
from workbench.stores.encoding import Encoder
from workbench.stores.entries import WHOLE, Entry

BATCH: Final = 256
SCROLL: Final = 1000


class Qdrant:
    """A collection behind a ``QdrantClient``: a server by URL, or the client's own local mode.

    ``exact`` compares the question with every passage that fulfils the conditions; without it Qdrant's graph may miss
    some. ``local`` says that the client is in its local mode, which always compares with all and has no indexes.
    """

    def __init__(
        self, client: QdrantClient, collection: str, encoder: Encoder, *, exact: bool = True, local: bool = False
    ) -> None:
        """Makes the collection where there is none; InputError where there is one with vectors of another length."""
        self._client, self._collection, self._encoder = client, collection, encoder
        self._exact, self._params = exact, None if local else models.SearchParams(exact=exact)
        wanted = models.VectorParams(size=encoder.dimension, distance=models.Distance.COSINE)
        if not client.collection_exists(collection):
            client.create_collection(collection, vectors_config=wanted)
        vectors = client.get_collection(collection).config.params.vectors
        if not isinstance(vectors, models.VectorParams) or (vectors.size, vectors.distance) != (
            wanted.size,
            wanted.distance,
        ):
            raise InputError("this collection holds other vectors", found=collection, remedy="use another collection")
        for field, kind in payloads.INDEXES.items() if not local else ():
            client.create_payload_index(collection, field, models.PayloadSchemaType(kind), wait=True)

    @property
    def settings(self) -> str:
        """The digest of the encoder."""
        return self._encoder.digest

    def records(self) -> Mapping[str, str]:
        """The documents in the collection, and for each the digest of its entry."""
        points = self._scrolled(None, ["document_id", "record"])
        return {str(point.get("document_id")): str(point.get("record")) for point in points}

    def change(self, gone: Iterable[str], put: Iterable[Entry]) -> None:
        """Delete, then upsert, each waited for; no transaction, so a search in between is refused."""
        names = tuple(gone)
        if names:
            where = filter_of(AnyOf("document_id", names))
            self._client.delete(self._collection, models.FilterSelector(filter=where), wait=True)
        points = self._points(put)
        while batch := list(islice(points, BATCH)):
            self._client.upsert(self._collection, batch, wait=True)

    def _points(self, entries: Iterable[Entry]) -> Iterator[models.PointStruct]:
        for entry in entries:
            vectors = self._encoder.passages([piece.text for piece in entry.pieces]).tolist()
            for piece, vector in zip(entry.pieces, vectors, strict=True):
                yield models.PointStruct(
                    id=payloads.point_id(entry, piece), vector=vector, payload=dict(payloads.payload(entry, piece))
                )

    def count(self, asked: Bound) -> int:
        """How many passages fulfil the conditions, exactly."""
        return self._client.count(self._collection, filter_of(asked.condition()), exact=True).count

    def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
        """The nearest passages by cosine among those that fulfil the conditions."""
        [vector] = self._encoder.queries([query]).tolist()
        answer = self._client.query_points(
            self._collection,
            query=vector,
            query_filter=filter_of(asked.condition()),
            limit=depth,
            search_params=self._params,
            with_payload=True,
        )
        return [found(point.payload or {}, -point.score) for point in answer.points]

    def applying(self, scope: ScopeAt) -> set[str]:
        """The documents with a row for the scope at its time."""
        where = filter_of(Every((Equal("part", WHOLE), scope.condition())))
        return {str(point.get("document_id")) for point in self._scrolled(where, ["document_id"])}

    def _scrolled(self, where: models.Filter | None, fields: list[str]) -> Iterator[Mapping[str, object]]:
        offset: models.ExtendedPointId | None = None
        while True:
            points, following = self._client.scroll(
                self._collection, scroll_filter=where, limit=SCROLL, offset=offset, with_payload=fields
            )
            yield from (point.payload or {} for point in points)
            if following is None:
                return
            offset = following

    def __repr__(self) -> str:
        return f"Qdrant({self._collection!r}, {self._encoder!r}, exact={self._exact})"


def filter_of(condition: Condition) -> models.Filter:
    """The conditions as a Qdrant filter; never an empty one.

    >>> filter_of(Same("applies", Equal("region", "EU"))).must[0].nested.key
    'applies'
    """
    part = _part(condition)
    return part if isinstance(part, models.Filter) else models.Filter(must=[part])


def _part(condition: Condition) -> models.Condition:
    match condition:
        case Every(parts):
            return models.Filter(must=[_part(part) for part in parts])
        case Either(parts):
            return models.Filter(should=[_part(part) for part in parts])
        case Same(array, part):
            return models.NestedCondition(nested=models.Nested(key=array, filter=filter_of(part)))
        case Equal(field, value):
            return models.FieldCondition(key=field, match=models.MatchValue(value=value))
        case AnyOf(field, values) | Meets(field, values):
            return models.FieldCondition(key=field, match=models.MatchAny(any=list(values)))
        case AtMost(field, time):
            return models.FieldCondition(key=field, range=_range(time, "lte"))
        case After(field, time):
            return models.FieldCondition(key=field, range=_range(time, "gt"))


def _range(time: Time, bound: str) -> models.Range | models.DatetimeRange:
    kind = models.DatetimeRange if time.kind == "utc" else models.Range
    return kind.model_validate({bound: payloads.written(time)})
