"""What Qdrant holds of a passage, for the server and for its engine in process alike: payload, id, payload indexes."""

from __future__ import annotations

import uuid
from typing import Final, Literal

from workbench.errors import InputError
from workbench.stores.conditions import Time
from workbench.stores.entries import Entry, Piece, Row, place
from workbench.validity.instants import TimeRule

LARGEST_STEP: Final = 2**53
"""Qdrant compares numbers as 64-bit floats: beyond this, neighbouring steps are one and the same to it."""
SPACE: Final = uuid.UUID("6f1f2c8e-5d0b-4f6e-9a55-1f6a6c1f0d42")

IndexKind = Literal["keyword", "integer", "datetime"]
Json = str | int
Payload = dict[str, "Json | list[str] | list[dict[str, Json]]"]
INDEXES: Final[dict[str, IndexKind]] = {
    "tenant": "keyword",
    "groups": "keyword",
    "document_id": "keyword",
    "place": "keyword",
    "part": "keyword",
    "cut": "keyword",
    "applies[].configuration": "keyword",
    "applies[].region": "keyword",
    "applies[].procedure": "keyword",
}


def written(time: Time) -> Json:
    """An instant as Qdrant compares it: a step as a number, a moment in UTC as text in RFC 3339, to the microsecond.

    Raises InputError for a step that Qdrant could not tell from its neighbour.

    >>> written(Time("logical", 6)), written(Time("utc", 1))
    (6, '1970-01-01T00:00:00.000001Z')
    """
    if time.kind == "utc":
        return TimeRule("utc").spell(time.value)
    if abs(time.value) > LARGEST_STEP:
        raise InputError(
            "Qdrant cannot tell this step from its neighbour", found=time.value, remedy="use smaller steps"
        )
    return time.value


def point_id(entry: Entry, piece: Piece) -> str:
    """The passage's id: the same passage of the same text always has the same."""
    return str(uuid.uuid5(SPACE, f"{place(entry.document_id, entry.content_sha256, piece.part)} {piece.number}"))


def payload(entry: Entry, piece: Piece) -> Payload:
    """What conditions speak of, and where the passage stands; no text."""
    return {
        "document_id": entry.document_id,
        "content_sha256": entry.content_sha256,
        "record": entry.record,
        "tenant": entry.tenant,
        "groups": list(entry.groups),
        "cut": entry.cut,
        "part": piece.part,
        "place": place(entry.document_id, entry.content_sha256, piece.part),
        "number": piece.number,
        "start": piece.start,
        "end": piece.end,
        "applies": [_row(row) for row in entry.applies],
    }


def _row(row: Row) -> dict[str, Json]:
    return {name: written(value) if isinstance(value, Time) else value for name, value in row.items()}
