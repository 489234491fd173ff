"""The values that a register's tables hold, once checked: one frozen type for each table (contract 5).

``row`` is always the row's number in its table, for messages only: values are equal wherever they are written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from workbench.intervals import Interval

UNKNOWN: Final = "unknown"
"""Written as ``superseding``: a successor that is known to exist but not recorded (contract 3.4)."""
ANY: Final = "*"
"""The wildcard for configuration and region; needs the ``scopes`` table."""


class ScopeKey(NamedTuple):
    """The scope of a row within its tenant and family; the key under which the resolver finds it."""

    tenant: str
    family: str
    procedure: str
    configuration: str
    region: str


@dataclass(frozen=True, slots=True)
class Revision:
    """One immutable document under the register's rule."""

    id: str
    family: str
    tenant: str
    groups: frozenset[str]
    source_language: str
    source_digest: str
    owner: str | None
    imported_at: str | None
    row: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Applicability:
    """One approved row: the revision holds for the scope within ``valid``, as the register said within ``recorded``."""

    revision_id: str
    scope: ScopeKey
    valid: Interval
    approval_ref: str | None
    recorded: Interval
    row: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Supersession:
    """An approved, explicit, scoped relation: ``superseding`` replaces ``superseded`` from ``effective`` on."""

    superseding: str
    superseded: str
    scope: ScopeKey
    effective: Interval
    approval_ref: str | None
    recorded: Interval
    revives: bool
    row: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A reviewed statement that ``edition`` says the same as exactly ``of_revision``."""

    id: str
    edition: str
    of_revision: str
    language: str
    review_ref: str | None
    recorded: Interval
    row: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class ScopeValue:
    """A declared value of a hierarchy; ``parent`` is ``None`` at its top."""

    kind: str
    value: str
    parent: str | None
    row: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Section:
    """Where in a document a procedure stands, in code points, half-open."""

    document_id: str
    procedure: str
    span: Interval
    row: int = field(compare=False)
