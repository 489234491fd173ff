"""Qdrant's own engine in this process, without a server: the same payload, the same filters, another client library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

import qdrant_edge as edge

from workbench.stores import qdrant_payload as payloads
from workbench.stores.bound import Bound, Found, ScopeAt, found
from workbench.stores.conditions import After, AnyOf, AtMost, Condition, Either, Equal, Every, Meets, Same, Time
from workbench.stores.encoding import Encoder
from workbench.stores.entries import WHOLE, Entry

BATCH: Final = 256
SCROLL: Final = 1000
VECTOR: Final = "words"
KINDS: Final = {
    "keyword": edge.PayloadSchemaType.Keyword,
    "integer": edge.PayloadSchemaType.Integer,
    "datetime": edge.PayloadSchemaType.Datetime,
}


class QdrantEdge:
    """A shard in a folder. ``close`` it before another process opens the folder."""

    def __init__(self, folder: str | Path, encoder: Encoder, *, exact: bool = True) -> None:
        """Opens the shard in the folder, or makes one there."""
        self._folder, self._encoder, self._exact = Path(folder), encoder, exact
        vectors = {VECTOR: edge.EdgeVectorParams(size=encoder.dimension, distance=edge.Distance.Cosine)}
        config = edge.EdgeConfig(vectors=vectors)
        if self._folder.is_dir() and any(self._folder.iterdir()):
            self._shard = edge.EdgeShard.load(str(self._folder), config)
        else:
            self._shard = edge.EdgeShard.create(str(self._folder), config)
            for field, kind in payloads.INDEXES.items():
                self._shard.update(edge.UpdateOperation.create_field_index(field, KINDS[kind]))

    @property
    def settings(self) -> str:
        """The digest of the encoder."""
        return self._encoder.digest

    def records(self) -> Mapping[str, str]:
        """The documents in the shard, and for each the digest of its entry."""
        points = self._scrolled(None, ["document_id", "record"])
        return {str(point.get("document_id")): str(point.get("record")) for point in points}

    def change(self, gone: Iterable[str], put: Iterable[Entry]) -> None:
        """Delete, then upsert, then write to disk."""
        names = tuple(gone)
        if names:
            where = filter_of(AnyOf("document_id", names))
            self._shard.update(edge.UpdateOperation.delete_points_by_filter(where))
        points = self._points(put)
        while batch := list(islice(points, BATCH)):
            self._shard.update(edge.UpdateOperation.upsert_points(batch))
        self._shard.flush()

    def _points(self, entries: Iterable[Entry]) -> Iterator[edge.Point]:
        for entry in entries:
            vectors = self._encoder.passages([piece.text for piece in entry.pieces]).tolist()
            for piece, vector in zip(entry.pieces, vectors, strict=True):
                yield edge.Point(payloads.point_id(entry, piece), {VECTOR: vector}, payloads.payload(entry, piece))

    def count(self, asked: Bound) -> int:
        """How many passages fulfil the conditions, exactly."""
        return self._shard.count(edge.CountRequest(exact=True, filter=filter_of(asked.condition())))

    def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
        """The nearest passages by cosine among those that fulfil the conditions."""
        [vector] = self._encoder.queries([query]).tolist()
        answer = self._shard.query(
            edge.QueryRequest(
                limit=depth,
                query=edge.Query.Nearest(vector, using=VECTOR),
                filter=filter_of(asked.condition()),
                params=edge.SearchParams(exact=self._exact),
                with_payload=True,
            )
        )
        return [found(point.payload or {}, -point.score) for point in answer]

    def applying(self, scope: ScopeAt) -> set[str]:
        """The documents with a row for the scope at its time."""
        where = filter_of(Every((Equal("part", WHOLE), scope.condition())))
        return {str(point.get("document_id")) for point in self._scrolled(where, ["document_id"])}

    def optimize(self) -> None:
        """Build the graph and merge segments; searches without ``exact`` use it."""
        self._shard.optimize()

    def close(self) -> None:
        """Let go of the folder."""
        self._shard.close()

    def _scrolled(self, where: edge.Filter | None, fields: list[str]) -> Iterator[Mapping[str, object]]:
        offset: edge.PointId | None = None
        while True:
            points, offset = self._shard.scroll(
                edge.ScrollRequest(offset=offset, limit=SCROLL, filter=where, with_payload=fields)
            )
            yield from (point.payload or {} for point in points)
            if offset is None:
                return

    def __repr__(self) -> str:
        return f"QdrantEdge({self._encoder!r}, exact={self._exact})"


def filter_of(condition: Condition) -> edge.Filter:
    """The conditions as a filter of the engine; never an empty one."""
    part = _part(condition)
    return part if isinstance(part, edge.Filter) else edge.Filter(must=[part])


def _part(condition: Condition) -> edge.ConditionType:
    match condition:
        case Every(parts):
            return edge.Filter(must=[_part(part) for part in parts])
        case Either(parts):
            return edge.Filter(should=[_part(part) for part in parts])
        case Same(array, part):
            return edge.NestedCondition(array, filter_of(part))
        case Equal(field, value):
            # Texts and whole numbers only: to this engine (0.9) MatchValue(True) means the number 1.
            return edge.FieldCondition(field, match=edge.MatchValue(value))
        case AnyOf(field, values) | Meets(field, values):
            return edge.FieldCondition(field, match=edge.MatchAny(list(values)))
        case AtMost(field, time):
            return edge.FieldCondition(field, range=_range(time, included=True))
        case After(field, time):
            return edge.FieldCondition(field, range=_range(time, included=False))


def _range(time: Time, *, included: bool) -> edge.RangeType:
    """Up to the instant, or after it."""
    instant = payloads.written(time)
    if isinstance(instant, str):
        return edge.RangeDateTime(lte=instant) if included else edge.RangeDateTime(gt=instant)
    return edge.RangeFloat(lte=instant) if included else edge.RangeFloat(gt=instant)
