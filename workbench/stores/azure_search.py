"""Azure AI Search as an engine: an index definition, filters, and exhaustive vector search with the filter first.

No service was asked: the filters' meaning is tested by an evaluator of exactly the forms that are written, and what a
service does with them is for whoever has one to find out, with the same conformance run. What its documentation says
and a store cannot change: BM25 counts words over the whole index, so an order by words would carry a trace of forbidden
documents, and none is offered; a change becomes visible some time after it is acknowledged, and until then a view is
refused; a document holds at most 3,000 rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, Protocol

from workbench.errors import EvidenceError, InputError
from workbench.stores.bound import Bound, Found, ScopeAt, found
from workbench.stores.conditions import AnyOf, Condition, Time
from workbench.stores.encoding import Encoder
from workbench.stores.entries import Entry, Piece, Row, place
from workbench.stores.odata import field_of, odata, text

Body = dict[str, object]
BATCH: Final = 500
PAGE: Final = 1000
MOST_ROWS: Final = 3000
NOT_TAKEN: Final = "The service did not take every change; load again."
DAMAGED: Final = "The service's answer has not the form of one; nothing was handed on."
SELECT: Final = "document_id,content_sha256,part,number,start,end"
FILTERED: Final = ("document_id", "tenant", "cut", "part", "place", "record")
ROW_TEXTS: Final = (
    "revision_id",
    "tenant",
    "family",
    "procedure",
    "configuration",
    "region",
    "valid_end",
    "recorded_end",
)
ROW_TIMES: Final = ("valid_from", "valid_to", "recorded_from", "recorded_to")
KINDS: Final = ("logical", "utc")


class Transport(Protocol):
    """How requests reach one index of a service: address, key and API version are its own affair."""

    def post(self, path: str, body: Body) -> Mapping[str, object]:
        """The service's answer to ``docs/search`` or ``docs/index``."""
        ...


def index_definition(name: str, dimension: int) -> Body:
    """The index: what filters speak of is filterable and nothing is searchable text; times are ``Edm.Int64``.

    Its moments would be cut to milliseconds as ``Edm.DateTimeOffset``; microseconds as whole numbers are exact.
    """
    filtered = [{"name": field, "type": "Edm.String", "filterable": True, "searchable": False} for field in FILTERED]
    numbers = [{"name": field, "type": "Edm.Int64"} for field in ("number", "start", "end")]
    rows = [{"name": field, "type": "Edm.String", "filterable": True, "searchable": False} for field in ROW_TEXTS]
    times = [
        {"name": f"{field}_{kind}", "type": "Edm.Int64", "filterable": True} for field in ROW_TIMES for kind in KINDS
    ]
    key = {"name": "key", "type": "Edm.String", "key": True, "filterable": True, "sortable": True, "searchable": False}
    groups = {"name": "groups", "type": "Collection(Edm.String)", "filterable": True, "searchable": False}
    applies = {"name": "applies", "type": "Collection(Edm.ComplexType)", "fields": [*rows, *times]}
    digest = {"name": "content_sha256", "type": "Edm.String", "searchable": False}
    vector = {
        "name": "embedding",
        "type": "Collection(Edm.Single)",
        "searchable": True,
        "retrievable": False,
        "dimensions": dimension,
        "vectorSearchProfile": "exhaustive",
    }
    search = {
        "algorithms": [
            {"name": "knn", "kind": "exhaustiveKnn", "exhaustiveKnnParameters": {"metric": "cosine"}},
        ],
        "profiles": [{"name": "exhaustive", "algorithm": "knn"}],
    }
    return {
        "name": name,
        "fields": [key, *filtered, digest, *numbers, groups, applies, vector],
        "vectorSearch": search,
    }


class AzureSearch:
    """One index of a service, through a transport."""

    def __init__(self, transport: Transport, encoder: Encoder) -> None:
        self._transport, self._encoder = transport, encoder

    @property
    def settings(self) -> str:
        """The digest of the encoder."""
        return self._encoder.digest

    def records(self) -> Mapping[str, str]:
        """The documents in the index, and for each the digest of its entry."""
        return {str(one.get("document_id")): str(one.get("record")) for one in self._every(None, "document_id,record")}

    def change(self, gone: Iterable[str], put: Iterable[Entry]) -> None:
        """Delete, then upload; EvidenceError where the service refuses a part of it."""
        names = tuple(gone)
        if names:
            keys = [one.get("key") for one in self._every(AnyOf("document_id", names), "")]
            self._index({"@search.action": "delete", "key": key} for key in keys)
        self._index({"@search.action": "upload", **one} for entry in put for one in self._documents(entry))

    def _index(self, actions: Iterator[Body]) -> None:
        while batch := list(islice(actions, BATCH)):
            taken = _list(self._transport.post("docs/index", {"value": batch}))
            if len(taken) != len(batch) or not all(one.get("status") is True for one in taken):
                raise EvidenceError(NOT_TAKEN)

    def _documents(self, entry: Entry) -> Iterator[Body]:
        if len(entry.applies) > MOST_ROWS:
            remedy = "declare fewer leaf scopes, or use another engine"
            raise InputError(f"a document holds at most {MOST_ROWS} rows here", found=entry.document_id, remedy=remedy)
        vectors = self._encoder.passages([piece.text for piece in entry.pieces]).tolist()
        for piece, vector in zip(entry.pieces, vectors, strict=True):
            yield {**document(entry, piece), "embedding": vector}

    def count(self, asked: Bound) -> int:
        """How many passages fulfil the conditions."""
        body: Body = {"search": "*", "filter": odata(asked.condition()), "count": True, "top": 0}
        number = self._transport.post("docs/search", body).get("@odata.count")
        if type(number) is not int:
            raise EvidenceError(DAMAGED)
        return number

    def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
        """The nearest passages by cosine among those that fulfil the conditions."""
        answer = self._transport.post("docs/search", self.body(asked, query, depth))
        return [found(one, -_score(one)) for one in _list(answer)]

    def body(self, asked: Bound, query: str, depth: int) -> Body:
        """The request of a search: the filter comes before the vectors are compared, and they are compared with all."""
        [vector] = self._encoder.queries([query]).tolist()
        nearest = {"kind": "vector", "vector": vector, "k": depth, "fields": "embedding", "exhaustive": True}
        return {
            "filter": odata(asked.condition()),
            "vectorQueries": [nearest],
            "vectorFilterMode": "preFilter",
            "select": SELECT,
            "top": depth,
        }

    def applying(self, scope: ScopeAt) -> set[str]:
        """The documents with a row for the scope at its time."""
        return {str(one.get("document_id")) for one in self._every(scope.condition(), "document_id")}

    def _every(self, condition: Condition | None, select: str) -> Iterator[Mapping[str, object]]:
        """All documents of the index under a condition in order of their keys, page by page after the last key."""
        where = [] if condition is None else [odata(condition)]
        last: list[str] = []
        while True:
            body: Body = {
                "search": "*",
                "orderby": "key",
                "top": PAGE,
                "select": ",".join(filter(None, ["key", select])),
            }
            if where or last:
                body["filter"] = " and ".join([*where, *last])
            page = _list(self._transport.post("docs/search", body))
            yield from page
            if len(page) < PAGE:
                return
            last = [f"key gt {text(str(page[-1].get('key')))}"]

    def __repr__(self) -> str:
        return f"AzureSearch({self._encoder!r}, preFilter, exhaustive)"


def document(entry: Entry, piece: Piece) -> Body:
    """A passage as a document of the index, without its vector; no text."""
    pinned = place(entry.document_id, entry.content_sha256, piece.part)
    return {
        "key": f"{pinned}-{piece.number}",
        "document_id": entry.document_id,
        "content_sha256": entry.content_sha256,
        "record": entry.record,
        "tenant": entry.tenant,
        "groups": list(entry.groups),
        "cut": entry.cut,
        "part": piece.part,
        "place": pinned,
        "number": piece.number,
        "start": piece.start,
        "end": piece.end,
        "applies": [_row(row) for row in entry.applies],
    }


def _row(row: Row) -> Body:
    return {
        field_of(name, value) if isinstance(value, Time) else name: value.value if isinstance(value, Time) else value
        for name, value in row.items()
    }


def _list(answer: Mapping[str, object]) -> list[Mapping[str, object]]:
    value = answer.get("value")
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise EvidenceError(DAMAGED)
    return value


def _score(one: Mapping[str, object]) -> float:
    score = one.get("@search.score")
    if not isinstance(score, int | float) or isinstance(score, bool):
        raise EvidenceError(DAMAGED)
    return float(score)
