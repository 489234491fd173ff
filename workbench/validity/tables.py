"""The register's tables: which columns they have, and how a written row becomes a checked value (contract 5).

Each reader yields values and reports each malformed cell through ``report``: loading passes a function that raises, the
register check one that collects. Scope values are compared in NFC (contract 3.10).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from workbench.contract import scope_value
from workbench.errors import InputError
from workbench.intervals import Interval
from workbench.records import Row
from workbench.validity.instants import InstantError, TimeRule
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

Report = Callable[[InputError], None]

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


def _each(rows: Iterable[Row], read: Callable[[Row], T], report: Report) -> Iterator[T]:
    for row in rows:
        try:
            yield read(row)
        except InputError as error:
            report(error)


def _unique(seen: dict[object, int], key: object, row: Row, column: str) -> None:
    before = seen.setdefault(key, row.number)
    if before != row.number:
        raise row.error(column, f"the same key stands in row {before}", remedy="correct or remove one of them")


def read_revisions(rows: Iterable[Row], report: Report) -> Iterator[Revision]:
    """The revisions; ids are unique, digests are 64 hexadecimal digits."""
    seen: dict[object, int] = {}

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
            family=scope_text(row, "document_family"),
            tenant=row.text("tenant"),
            groups=row.names("groups"),
            source_language=row.text("source_language"),
            source_digest=digest,
            owner=row.optional("owner"),
            imported_at=row.optional("imported_at"),
            row=row.number,
        )

    return _each(rows, read, report)


def read_applicability(
    rows: Iterable[Row], report: Report, revisions: Mapping[str, Revision], valid: TimeRule, recorded: TimeRule
) -> Iterator[Applicability]:
    """The applicability rows; each names a revision that is there."""
    seen: dict[object, int] = {}

    def read(row: Row) -> Applicability:
        revision = _reference(row, "revision_id", revisions)
        found = Applicability(
            revision_id=revision.id,
            scope=_scope(row, revision),
            valid=_interval(row, "valid", valid),
            approval_ref=row.optional("approval_ref"),
            recorded=_interval(row, "recorded", recorded),
            row=row.number,
        )
        _unique(seen, (found.revision_id, found.scope, found.valid.start, found.recorded.start), row, "revision_id")
        return found

    return _each(rows, read, report)


def read_supersessions(
    rows: Iterable[Row], report: Report, revisions: Mapping[str, Revision], valid: TimeRule, recorded: TimeRule
) -> Iterator[Supersession]:
    """The supersessions; both sides are revisions of one tenant and family, or the superseding one is ``unknown``."""
    seen: dict[object, int] = {}

    def read(row: Row) -> Supersession:
        superseded = _reference(row, "superseded", revisions)
        superseding = row.text("superseding")
        if superseding != UNKNOWN:
            _related(row, "superseding", _reference(row, "superseding", revisions), superseded)
        found = Supersession(
            superseding=superseding,
            superseded=superseded.id,
            scope=_scope(row, superseded),
            effective=_interval(row, "effective", valid),
            approval_ref=row.optional("approval_ref"),
            recorded=_interval(row, "recorded", recorded),
            revives=_truth(row, "revives"),
            row=row.number,
        )
        key = (superseding, superseded.id, found.scope, found.effective.start, found.recorded.start)
        _unique(seen, key, row, "superseding")
        return found

    return _each(rows, read, report)


def read_equivalences(
    rows: Iterable[Row], report: Report, revisions: Mapping[str, Revision], recorded: TimeRule
) -> Iterator[Equivalence]:
    """The equivalences; edition and original are revisions of one tenant and family."""
    seen: dict[object, int] = {}

    def read(row: Row) -> Equivalence:
        edition = _reference(row, "edition", revisions)
        original = _reference(row, "of_revision", revisions)
        _related(row, "edition", edition, original)
        found = Equivalence(
            id=row.text("equivalence_id"),
            edition=edition.id,
            of_revision=original.id,
            language=row.text("language"),
            review_ref=row.optional("review_ref"),
            recorded=_interval(row, "recorded", recorded),
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


def read_sections(rows: Iterable[Row], report: Report, revisions: Mapping[str, Revision]) -> Iterator[Section]:
    """The sections; each names a revision or edition that is there, and is not empty."""
    seen: dict[object, int] = {}

    def read(row: Row) -> Section:
        document = _reference(row, "document_id", revisions)
        start, end = _position(row, "start"), _position(row, "end")
        if start >= end:
            raise row.error("end", f"the section ends at or before its start {start}", remedy="start < end")
        found = Section(document.id, scope_text(row, "procedure_id"), Interval(start, end), row.number)
        _unique(seen, (found.document_id, found.procedure, start), row, "start")
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


def scope_text(row: Row, column: str) -> str:
    """A scope value of a row, in NFC."""
    value = scope_value(row.text(column))
    if value is None:
        raise row.error(column, "the cell is blank", remedy="write a value into it")
    return value


def _scope(row: Row, revision: Revision) -> ScopeKey:
    procedure, configuration, region = (scope_text(row, column) for column in _APPROVED)
    return ScopeKey(revision.tenant, revision.family, procedure, configuration, region)


def _reference(row: Row, column: str, revisions: Mapping[str, Revision]) -> Revision:
    found = revisions.get(row.text(column))
    if found is None:
        raise row.error(column, "no such revision is in the table revisions", remedy="add it there or correct the id")
    return found


def _related(row: Row, column: str, one: Revision, other: Revision) -> None:
    if (one.tenant, one.family) != (other.tenant, other.family):
        raise row.error(
            column,
            f"{one.tenant}/{one.family} and {other.tenant}/{other.family} are not one tenant and family",
            remedy="relate revisions of one tenant and family only",
        )


def _interval(row: Row, axis: str, rule: TimeRule) -> Interval:
    start = _instant(row, f"{axis}_from", rule.read)
    end = _instant(row, f"{axis}_to", rule.read_end)
    if start >= end:
        kind = "empty" if start == end else "inverted"
        raise row.error(
            f"{axis}_to",
            f"the interval [{rule.spell(start)},{rule.spell(end)}) is {kind}",
            remedy="intervals are half-open: the end must come after the start",
        )
    return Interval(start, end)


def _instant(row: Row, column: str, read: Callable[[object], int]) -> int:
    value = row.cells.get(column)
    kind = row.cells.get(f"{column}_kind")
    if kind == "unbounded" and value is None:
        value = "unbounded"
    elif kind not in (None, "", "instant", "unbounded") or (kind == "unbounded" and value != "unbounded"):
        raise row.error(f"{column}_kind", "the kind contradicts the time", remedy="write instant or unbounded")
    elif value is not None and not isinstance(value, str) and kind != "instant":
        raise row.error(
            column, f"a typed time needs a column {column}_kind", remedy="add it with instant or unbounded in each row"
        )
    if value is None or isinstance(value, str):
        value = row.text(column)
    try:
        return read(value)
    except InstantError as error:
        raise InputError(str(error), file=row.file, row=row.number, column=column) from None


def _position(row: Row, column: str) -> int:
    value = row.cells.get(column)
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,15}", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise row.error(column, "this is no text position", remedy="write code points, counted from 0")


def _truth(row: Row, column: str) -> bool:
    value = row.cells.get(column)
    if value is None or value == "":
        return False
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise row.error(column, "this is neither true nor false", remedy="write true or false")
