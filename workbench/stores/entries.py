"""What an engine is given of a document: places, words to find it by, and where it applies; the text stays here.

A quote never comes from an engine. It comes from the corpus, at the place that the engine names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from workbench.contract import UNBOUNDED_TEXT, Document, Spans, digest
from workbench.evidence.corpus import State
from workbench.evidence.cuts import Cut
from workbench.intervals import UNBOUNDED, Interval
from workbench.stores.conditions import Fields, Time, Value
from workbench.validity.instants import Kind
from workbench.validity.register import Register
from workbench.validity.rows import Applicability

INSTANT_TEXT: Final = "instant"
WHOLE: Final = "whole"
Row = Mapping[str, Value]
"""Where a document applies: one row for one configuration in one region, with valid and recorded interval."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One passage: the part of the document that was cut, its number in it, its code points, and its text."""

    part: str
    number: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One document as an engine holds it. ``record`` is the digest of all of this; another digest is another entry."""

    document_id: str
    version: str
    content_sha256: str
    tenant: str
    groups: tuple[str, ...]
    cut: str
    applies: tuple[Row, ...]
    pieces: tuple[Piece, ...]
    record: str

    def fields(self, piece: Piece) -> Fields:
        """What one passage says of itself: the fields that conditions speak of, and its place."""
        return {
            "document_id": self.document_id,
            "content_sha256": self.content_sha256,
            "tenant": self.tenant,
            "groups": self.groups,
            "cut": self.cut,
            "part": piece.part,
            "place": place(self.document_id, self.content_sha256, piece.part),
            "number": piece.number,
            "start": piece.start,
            "end": piece.end,
            "applies": self.applies,
        }


def part_of(spans: Spans | None) -> str:
    """How the part of a document that is cut is written: all of it, or its spans.

    >>> part_of(None), part_of((Interval(0, 5), Interval(8, 9)))
    ('whole', '0-5,8-9')
    """
    return WHOLE if spans is None else ",".join(f"{span.start}-{span.end}" for span in spans)


def place(document_id: str, content_sha256: str, part: str) -> str:
    """The one value that pins document, text and part together: where all three are right, or nothing is found."""
    return digest([document_id, content_sha256, part])


def entries(state: State, register: Register | None, cut: Cut, settings: str = "") -> Iterator[Entry]:
    """Every document of the corpus as engines hold it, with the register's rows where there is a register.

    ``settings`` is what else decides what an engine holds; another one makes other records.
    """
    rows = {} if register is None else rows_of(register)
    sections = {} if register is None else register.spans_of
    for document in state.documents.values():
        parts: set[Spans | None] = {None, *sections.get(document.id, {}).values()}
        entry = _entry(document, state.fingerprints[document.id], cut, tuple(rows.get(document.id, ())), parts)
        yield replace(entry, record=digest([entry.record, settings]))


def _entry(document: Document, sha256: str, cut: Cut, applies: tuple[Row, ...], parts: set[Spans | None]) -> Entry:
    groups, text = tuple(sorted(document.groups)), document.text
    pieces = tuple(
        Piece(part_of(spans), passage.number, passage.start, passage.end, text[passage.start : passage.end])
        for spans in sorted(parts, key=part_of)
        for passage in cut.passages(text, spans)
    )
    said = [[name, value.value if isinstance(value, Time) else value] for row in applies for name, value in row.items()]
    names = [document.id, document.version, sha256, document.tenant, *groups]
    record = digest([names, repr(cut), sorted(map(part_of, parts)), said])
    return Entry(document.id, document.version, sha256, document.tenant, groups, repr(cut), applies, pieces, record)


def rows_of(register: Register) -> dict[str, list[Row]]:
    """Where each document applies, by configuration and region without hierarchy or wildcard.

    An edition applies where the revision applies that it is equivalent to, as long as both were said.
    """
    found: dict[str, list[Row]] = {}
    for row in register.applicability:
        carriers = [(row.revision_id, row.recorded)]
        carriers += [(e.edition, row.recorded.meet(e.recorded)) for e in register.editions_of.get(row.revision_id, ())]
        for document_id, recorded in carriers:
            if not recorded.empty:
                found.setdefault(document_id, []).extend(_rows(register, row, recorded))
    return found


def _rows(register: Register, row: Applicability, recorded: Interval) -> Iterator[Row]:
    valid_kind, recorded_kind = register.settings.valid.kind, register.settings.recorded.kind
    for scope in register.leaf_scopes(row.scope):
        yield {
            "revision_id": row.revision_id,
            "tenant": scope.tenant,
            "family": scope.family,
            "procedure": scope.procedure,
            "configuration": scope.configuration,
            "region": scope.region,
            **_interval("valid", row.valid, valid_kind),
            **_interval("recorded", recorded, recorded_kind),
        }


def _interval(name: str, interval: Interval, kind: Kind) -> Row:
    # An end that never comes is said by a field of its own. A missing end alone would mean it in damaged metadata too.
    start: Row = {f"{name}_from": Time(kind, interval.start)}
    if interval.end == UNBOUNDED:
        return {**start, f"{name}_end": UNBOUNDED_TEXT}
    return {**start, f"{name}_end": INSTANT_TEXT, f"{name}_to": Time(kind, interval.end)}
