"""What a register check reports: findings, each with its place, its owner and what would repair it (contract 3.8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum

from workbench.cards import card, sheet
from workbench.errors import visible

UNOWNED = "(no owner)"
NO_FINDINGS = "no findings"
_COLUMNS = ("owner", "code", "table", "row", "message", "remedy")


class Code(StrEnum):
    """What can be found. The first two refuse a register at load; all others load and resolve safely."""

    MALFORMED = "MALFORMED"
    DANGLING_REFERENCE = "DANGLING_REFERENCE"
    # relations
    SCOPE_MISMATCH = "SCOPE_MISMATCH"
    CYCLE = "CYCLE"
    SELF_SUPERSESSION = "SELF_SUPERSESSION"
    REVIVAL = "REVIVAL"
    SUCCESSOR_UNKNOWN = "SUCCESSOR_UNKNOWN"
    # rows
    OVERLAP = "OVERLAP"
    HIERARCHY_CONFLICT = "HIERARCHY_CONFLICT"
    GAP = "GAP"
    DOUBLE_APPLICABILITY = "DOUBLE_APPLICABILITY"
    # editions
    SEVERAL_EDITIONS = "SEVERAL_EDITIONS"
    EDITION_WITH_APPLICABILITY = "EDITION_WITH_APPLICABILITY"
    # declarations
    UNKNOWN_SCOPE_VALUE = "UNKNOWN_SCOPE_VALUE"
    HIERARCHY_CYCLE = "HIERARCHY_CYCLE"
    PROCEDURE_UNLOCATED = "PROCEDURE_UNLOCATED"
    LANGUAGE_WITHOUT_CODE = "LANGUAGE_WITHOUT_CODE"
    # references that may be empty
    OWNER_MISSING = "OWNER_MISSING"
    IMPORT_TIME_MISSING = "IMPORT_TIME_MISSING"
    APPROVAL_MISSING = "APPROVAL_MISSING"
    REVIEW_MISSING = "REVIEW_MISSING"
    # against the corpus
    DOCUMENT_ABSENT = "DOCUMENT_ABSENT"
    DIGEST_MISMATCH = "DIGEST_MISMATCH"
    ACCESS_MISMATCH = "ACCESS_MISMATCH"
    SECTION_OFF_BORDERS = "SECTION_OFF_BORDERS"
    # --every-scope: what a scope is blocked by
    NO_APPLICABLE_REVISION = "NO_APPLICABLE_REVISION"
    UNRESOLVED_AUTHORITY = "UNRESOLVED_AUTHORITY"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: a code, the place (table and row, where there is one), who owns it and what would repair it."""

    code: Code
    table: str
    row: int | None
    message: str
    owner: str | None
    remedy: str

    def __repr__(self) -> str:
        place = self.table if self.row is None else f"{self.table} row {self.row}"
        return visible(f"Finding({self.code}, {place}: {self.message})")

    def _repr_html_(self) -> str:
        place = self.table if self.row is None else f"{self.table} row {self.row}"
        lines = [
            ("stands at", place),
            ("found", self.message),
            ("owner", self.owner or UNOWNED),
            ("what to do", self.remedy),
        ]
        return card(f"Finding {self.code}", lines)

    def mapping(self) -> dict[str, object]:
        """The finding as JSON values."""
        return {**asdict(self), "code": self.code.value}


class Findings(list[Finding]):
    """A list of findings that a notebook shows as one table by owner; as text it is the same by lines."""

    __slots__ = ()

    def __str__(self) -> str:
        return as_text(self) or NO_FINDINGS

    def _repr_html_(self) -> str:
        return as_html(self)


class Worklist(dict[str, list[Finding]]):
    """The findings by owner, shown as one table; as text by lines."""

    __slots__ = ()

    @property
    def findings(self) -> list[Finding]:
        """All of them."""
        return [finding for found in self.values() for finding in found]

    def __str__(self) -> str:
        return as_text(self.findings) or NO_FINDINGS

    def _repr_html_(self) -> str:
        return as_html(self.findings)


def in_order(findings: Iterable[Finding]) -> Findings:
    """The findings, each once, by table, row and code."""
    return Findings(sorted(set(findings), key=lambda f: (f.table, f.row or 0, f.code, f.message)))


def worklist(findings: Iterable[Finding]) -> Worklist:
    """The findings by owner: who has what to do; those without an owner last.

    >>> f = Finding(Code.GAP, "applicability", 3, "nothing applies", "seal desk", "add a row")
    >>> worklist([f])
    {'seal desk': [Finding(GAP, applicability row 3: nothing applies)]}
    """
    found: dict[str, list[Finding]] = {}
    for finding in in_order(findings):
        found.setdefault(finding.owner or UNOWNED, []).append(finding)
    return Worklist({owner: found[owner] for owner in sorted(found, key=lambda o: (o == UNOWNED, o))})


def as_text(findings: Iterable[Finding]) -> str:
    """The worklist as plain lines, a paragraph for each owner."""
    parts = []
    for owner, found in worklist(findings).items():
        lines = [
            visible(f"  {f.code}  {f.table}{'' if f.row is None else f' row {f.row}'}: {f.message}; {f.remedy}")
            for f in found
        ]
        parts.append("\n".join([visible(f"{owner} ({len(found)})"), *lines]))
    return "\n\n".join(parts)


def as_html(findings: Iterable[Finding]) -> str:
    """The worklist as one HTML table; every value is escaped, so that no name in a register becomes markup."""
    rows = [
        (owner, f.code, f.table, f.row, f.message, f.remedy)
        for owner, found in worklist(findings).items()
        for f in found
    ]
    return sheet(f"{len(rows)} findings" if rows else NO_FINDINGS, _COLUMNS, rows)
