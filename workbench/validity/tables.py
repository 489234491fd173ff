"""The register's tables: which columns they have, and how a written row becomes a checked value (contract 5).

Each reader yields values and reports each malformed cell through ``report``: loading passes a function that raises, the
register check one that collects. Scope values are compared in NFC (contract 3.10).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from workbench.errors import InputError
from workbench.intervals import Interval
from workbench.records import Report, Row
from workbench.validity.cells import interval, position, scope_text, truth
from workbench.validity.instants import TimeRule
from workbench.validity.rows import (
    ANY,
    UNKNOWN,
    Applicability,
    Equivalence,
    Revision,
    ScopeKey,
    ScopeValue,
    Section,
    Supersession,
)

_APPROVED = ("procedure_id", "asset_configuration", "region")
_RECORDED = ("recorded_from", "recorded_to")

REQUIRED: Final[Mapping[str, tuple[str, ...]]] = {
    "revisions": (
        *("revision_id", "document_family", "tenant", "groups"),
        *("source_language", "source_digest", "owner", "imported_at"),
    ),
    "applicability": ("revision_id", *_APPROVED, "valid_from", "valid_to", "approval_ref", *_RECORDED),
    "supersessions": (
        *("superseding", "superseded", *_APPROVED),
        *("effective_from", "effective_to", "approval_ref", *_RECORDED),
    ),
    "equivalences": ("equivalence_id", "edition", "of_revision", "language", "review_ref", *_RECORDED),
    "scopes": ("kind", "value", "parent"),
    "sections": ("document_id", "procedure_id", "start", "end"),
    "owners": ("document_family", "procedure_id", "owner"),
}
OPTIONAL_TABLES: Final = ("scopes", "sections", "owners")
TIME_COLUMNS: Final = ("valid_from", "valid_to", "effective_from", "effective_to", "recorded_from", "recorded_to")


def optional_columns(table: str) -> tuple[str, ...]:
    """The columns that a table may have besides the required ones: ``revives``, and a ``_kind`` for each typed time."""
    kinds = tuple(f"{column}_kind" for column in TIME_COLUMNS if column in REQUIRED[table])
    return (*kinds, "revives") if table == "supersessions" else kinds


T = TypeVar("T")


class DanglingReference(InputError):
    """A row that refers to a revision which is not there."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a row is read against: the revisions, how times are written, and the kinds of scope that are declared."""

    revisions: Mapping[str, Revision]
    valid: TimeRule
    recorded: TimeRule
    declared: frozenset[str]
    shared: dict[Any, Any] = field(default_factory=dict)

    def one(self, value: T) -> T:
        """The same object for equal values, so that a large register holds each scope and recorded interval once."""
        found: T = self.shared.setdefault(value, value)
        return found


def _each(rows: Iterable[Row], read: Callable[[Row], T], report: Report) -> Iterator[T]:
    for row in rows:
        try:
            yield read(row)
        except InputError as error:
            error.cells = row.cells
            report(error)


def _unique(seen: dict[object, int], key: object, row: Row, column: str) -> None:
    before = seen.setdefault(key, row.number)
    if before != row.number:
        raise row.error(column, f"the same key stands in row {before}", remedy="correct or remove one of them")


def read_revisions(rows: Iterable[Row], report: Report) -> Iterator[Revision]:
    """The revisions; ids are unique, digests are 64 hexadecimal digits."""
    seen: dict[object, int] = {}
    shared: dict[object, Any] = {}

    def one(value: T) -> T:
        """The same object for equal values, so that a large register holds each name and set of groups once."""
        found: T = shared.setdefault(value, value)
        return found

    def read(row: Row) -> Revision:
        revision_id = row.text("revision_id")
        if revision_id == UNKNOWN:
            raise row.error("revision_id", "this word is kept for unrecorded successors", remedy="use another id")
        _unique(seen, revision_id, row, "revision_id")
        digest = row.text("source_digest")
        if not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise row.error("source_digest", "this is no SHA-256", remedy="write 64 lower-case hexadecimal digits")
        return Revision(
            id=revision_id,
            family=one(scope_text(row, "document_family")),
            tenant=one(row.text("tenant")),
            groups=one(row.names("groups")),
            source_language=one(row.text("source_language")),
            source_digest=digest,
            owner=one(row.optional("owner")),
            imported_at=one(row.optional("imported_at")),
            row=row.number,
        )

    return _each(rows, read, report)


def read_applicability(rows: Iterable[Row], report: Report, known: Known) -> Iterator[Applicability]:
    """The applicability rows; each names a revision that is there."""
    seen: dict[object, int] = {}

    def read(row: Row) -> Applicability:
        revision = _reference(row, "revision_id", known)
        found = Applicability(
            revision_id=revision.id,
            scope=_scope(row, revision, known),
            valid=interval(row, "valid", known.valid),
            approval_ref=row.optional("approval_ref"),
            recorded=known.one(interval(row, "recorded", known.recorded)),
            row=row.number,
        )
        _unique(seen, (found.revision_id, found.scope, found.valid.start, found.recorded.start), row, "revision_id")
        return found

    return _each(rows, read, report)


def read_supersessions(rows: Iterable[Row], report: Report, known: Known) -> Iterator[Supersession]:
    """The supersessions; both sides are revisions of one tenant and family, or the superseding one is ``unknown``."""
    seen: dict[object, int] = {}

    def read(row: Row) -> Supersession:
        superseded = _reference(row, "superseded", known)
        superseding = row.text("superseding")
        if superseding != UNKNOWN:
            _related(row, "superseding", _reference(row, "superseding", known), superseded)
        found = Supersession(
            superseding=superseding,
            superseded=superseded.id,
            scope=_scope(row, superseded, known),
            effective=interval(row, "effective", known.valid),
            approval_ref=row.optional("approval_ref"),
            recorded=known.one(interval(row, "recorded", known.recorded)),
            revives=truth(row, "revives"),
            row=row.number,
        )
        key = (superseding, superseded.id, found.scope, found.effective.start, found.recorded.start)
        _unique(seen, key, row, "superseding")
        return found

    return _each(rows, read, report)


def read_equivalences(rows: Iterable[Row], report: Report, known: Known) -> Iterator[Equivalence]:
    """The equivalences; edition and original are revisions of one tenant and family."""
    seen: dict[object, int] = {}

    def read(row: Row) -> Equivalence:
        edition = _reference(row, "edition", known)
        original = _reference(row, "of_revision", known)
        _related(row, "edition", edition, original)
        found = Equivalence(
            id=row.text("equivalence_id"),
            edition=edition.id,
            of_revision=original.id,
            language=row.text("language"),
            review_ref=row.optional("review_ref"),
            recorded=known.one(interval(row, "recorded", known.recorded)),
            row=row.number,
        )
        _unique(seen, (found.id, found.recorded.start), row, "equivalence_id")
        return found

    return _each(rows, read, report)


def read_scopes(rows: Iterable[Row], report: Report) -> Iterator[ScopeValue]:
    """The declared values; an empty ``parent`` is the top of a hierarchy."""
    seen: dict[object, int] = {}

    def read(row: Row) -> ScopeValue:
        kind = row.text("kind")
        if kind not in ("configuration", "region"):
            raise row.error("kind", "unknown kind of scope", remedy="write configuration or region")
        value = scope_text(row, "value")
        if value == ANY:
            raise row.error("value", "the wildcard is no value", remedy="declare the values that it stands for")
        parent = scope_text(row, "parent") if row.optional("parent") is not None else None
        found = ScopeValue(kind, value, None if parent == ANY else parent, row.number)
        _unique(seen, (kind, value, found.parent), row, "value")
        return found

    return _each(rows, read, report)


def read_sections(rows: Iterable[Row], report: Report, known: Known) -> Iterator[Section]:
    """The sections; each names a revision or edition that is there, is not empty, and overlaps no other."""
    taken: dict[str, list[tuple[Interval, int]]] = {}

    def read(row: Row) -> Section:
        document = _reference(row, "document_id", known)
        start, end = position(row, "start"), position(row, "end")
        if start >= end:
            raise row.error("end", f"the section ends at or before its start {start}", remedy="start < end")
        found = Section(document.id, scope_text(row, "procedure_id"), Interval(start, end), row.number)
        others = taken.setdefault(document.id, [])
        place = bisect.bisect(others, (found.span, 0))
        for span, number in others[max(place - 1, 0) : place + 1]:
            if span.overlaps(found.span):
                raise row.error("start", f"it overlaps row {number}", remedy="sections of one document are disjoint")
        others.insert(place, (found.span, row.number))
        return found

    return _each(rows, read, report)


def read_owners(rows: Iterable[Row], report: Report) -> Iterator[tuple[str, str, str]]:
    """Family, procedure and who owns their conflicts."""
    seen: dict[object, int] = {}

    def read(row: Row) -> tuple[str, str, str]:
        family, procedure = scope_text(row, "document_family"), scope_text(row, "procedure_id")
        _unique(seen, (family, procedure), row, "procedure_id")
        return family, procedure, row.text("owner")

    return _each(rows, read, report)


def _scope(row: Row, revision: Revision, known: Known) -> ScopeKey:
    procedure, configuration, region = (scope_text(row, column) for column in _APPROVED)
    for kind, column, value in (("configuration", _APPROVED[1], configuration), ("region", _APPROVED[2], region)):
        if value == ANY and kind not in known.declared:
            raise row.error(
                column,
                "the wildcard needs the table scopes to say what it stands for",
                remedy=f"declare the {kind}s in scopes, or write one",
            )
    return known.one(ScopeKey(revision.tenant, revision.family, procedure, configuration, region))


def _reference(row: Row, column: str, known: Known) -> Revision:
    named = row.text(column)
    found = known.revisions.get(named)
    if found is None:
        raise DanglingReference(
            "no such revision is in the table revisions",
            file=row.file,
            row=row.number,
            column=column,
            found=named,
            remedy="add it there or correct the id",
        )
    return found


def _related(row: Row, column: str, one: Revision, other: Revision) -> None:
    if (one.tenant, one.family) != (other.tenant, other.family):
        raise row.error(
            column,
            f"{one.tenant}/{one.family} and {other.tenant}/{other.family} are not one tenant and family",
            remedy="relate revisions of one tenant and family only",
        )
