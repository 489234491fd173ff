"""What a register holds: settings and the values of its tables, by recorded time, and the digest that names them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TypeVar

from workbench.contract import digest
from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.rows import Applicability, Equivalence, Revision, ScopeValue, Section, Supersession
from workbench.validity.settings import Settings

Recorded = TypeVar("Recorded", Applicability, Supersession, Equivalence)


def is_known(recorded: Interval, known_at: int | None) -> bool:
    """Whether the register said so at a recorded time; ``None`` means as corrected today (contract 3.2)."""
    return recorded.end == UNBOUNDED if known_at is None else recorded.holds(known_at)


def known(rows: Iterable[Recorded], known_at: int | None) -> tuple[Recorded, ...]:
    """The rows that the register said at a recorded time, or says today."""
    if known_at is None:
        return tuple([row for row in rows if row.recorded.end == UNBOUNDED])
    return tuple([row for row in rows if is_known(row.recorded, known_at)])


@dataclass(frozen=True)
class Contents:
    """The checked values of a register's tables, in the order in which they are written."""

    settings: Settings
    revisions: Mapping[str, Revision]
    applicability: tuple[Applicability, ...] = ()
    supersessions: tuple[Supersession, ...] = ()
    equivalences: tuple[Equivalence, ...] = ()
    scopes: tuple[ScopeValue, ...] = ()
    sections: tuple[Section, ...] = ()
    owners: Mapping[tuple[str, str], str] | None = None

    def snapshot(self, known_at: int | None = None) -> str:
        """The digest that names the content as known at a recorded time (contract 1).

        Over the settings and the rows known then, in any order; when a row will be closed is not known then.
        """
        key = None if known_at is None else sum(bound <= known_at for bound in self._recorded_bounds)
        if key not in self._snapshots:
            self._snapshots[key] = self._digest(known_at)
        return self._snapshots[key]

    def __getstate__(self) -> dict[str, object]:
        """The fields alone: what is kept for speed is made anew where a copy is used."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @cached_property
    def _snapshots(self) -> dict[int | None, str]:
        return {}

    @cached_property
    def _recorded_bounds(self) -> list[int]:
        spans = [
            *(row.recorded for row in self.applicability),
            *(row.recorded for row in self.supersessions),
            *(row.recorded for row in self.equivalences),
        ]
        return sorted({bound for span in spans for bound in span})

    def _digest(self, known_at: int | None) -> str:
        whole = hashlib.sha256()
        for line in sorted(bytes.fromhex(digest(line)) for line in self._lines(known_at)):
            whole.update(line)
        return whole.hexdigest()

    def _lines(self, known_at: int | None) -> Iterator[tuple[object, ...]]:
        yield "settings", {k: v for k, v in self.settings.written().items() if k != "history_from"}
        for r in self.revisions.values():
            language, sha256 = r.source_language, r.source_digest
            yield "revision", r.id, r.family, r.tenant, sorted(r.groups), language, sha256, r.owner, r.imported_at
        for a in known(self.applicability, known_at):
            yield "applicability", a.revision_id, *a.scope, *a.valid, a.recorded.start, a.approval_ref
        for s in known(self.supersessions, known_at):
            pair = (s.superseding, s.superseded)
            yield "supersession", *pair, *s.scope, *s.effective, s.recorded.start, s.approval_ref, s.revives
        for e in known(self.equivalences, known_at):
            yield "equivalence", e.id, e.edition, e.of_revision, e.language, e.recorded.start, e.review_ref
        for v in self.scopes:
            yield "scope", v.kind, v.value, v.parent
        for part in self.sections:
            yield "section", part.document_id, part.procedure, *part.span
        for place, owner in (self.owners or {}).items():
            yield "owner", *place, owner
