"""Findings that a single row shows, or two rows that say the same thing twice (contract 3.5, 3.8, 3.10, 3.11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Final

from workbench.validity.contents import known
from workbench.validity.findings import Code, Finding
from workbench.validity.register import Register
from workbench.validity.rows import ANY, UNKNOWN, Applicability, ScopeKey, Supersession

LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*")
"""Lower-case BCP 47, as far as its form goes."""


def row_findings(register: Register, unread: Set[str] = frozenset()) -> Iterator[Finding]:
    """The findings that need no resolving; nobody can say that an ``unread`` revision has no row in a scope."""
    yield from _revisions(register)
    yield from _applicability(register)
    yield from _supersessions(register, unread)
    yield from _equivalences(register)
    yield from _hierarchies(register)
    yield from _unlocated(register)


def _revisions(register: Register) -> Iterator[Finding]:
    for revision in register.revisions.values():
        owner = revision.owner or register.settings.owner
        place = ("revisions", revision.row)
        if not LANGUAGE.fullmatch(revision.source_language):
            said = f"{revision.source_language!r} is no lower-case BCP 47 code, so no request asks for it"
            yield Finding(Code.LANGUAGE_WITHOUT_CODE, *place, said, owner, "write a code like de or pt-br")
        if revision.owner is None:
            said = f"{revision.id} has no owner"
            yield Finding(Code.OWNER_MISSING, *place, said, owner, "name who answers for it")
        if revision.imported_at is None:
            said = f"{revision.id} does not say when it was imported"
            yield Finding(Code.IMPORT_TIME_MISSING, *place, said, owner, "write when it was imported")


def _applicability(register: Register) -> Iterator[Finding]:
    today = known(register.applicability, None)
    for row in today:
        owner = _owner(register, row)
        if row.approval_ref is None:
            said = f"{row.revision_id} has no approval reference"
            yield Finding(
                Code.APPROVAL_MISSING, "applicability", row.row, said, owner, "write the approval's reference"
            )
        yield from _unknown_values(register, "applicability", row)
    for before, after in _doubles(register):
        said = f"{after.revision_id} is said twice for one scope and time, first in row {before.row}"
        owner = _owner(register, after)
        yield Finding(
            Code.DOUBLE_APPLICABILITY, "applicability", after.row, said, owner, "correct or close one of them"
        )


def _doubles(register: Register) -> Iterator[tuple[Applicability, Applicability]]:
    for scope in register.by_scope.values():
        latest: dict[str, Applicability] = {}
        for row in sorted(known(scope.rows, None), key=lambda r: (r.valid, r.row)):
            before = latest.get(row.revision_id)
            if before is not None and before.valid.overlaps(row.valid):
                first, second = sorted((before, row), key=lambda r: r.row)
                yield first, second
            if before is None or before.valid.end < row.valid.end:
                latest[row.revision_id] = row


def _supersessions(register: Register, unread: Set[str]) -> Iterator[Finding]:
    scopes = _scopes_of(register)
    for row in known(register.supersessions, None):
        owner, place = _owner(register, row), ("supersessions", row.row)
        if row.approval_ref is None:
            said = f"{row.superseding} over {row.superseded} has no approval reference"
            yield Finding(Code.APPROVAL_MISSING, *place, said, owner, "write the approval's reference")
        yield from _unknown_values(register, "supersessions", row)
        if row.superseding == row.superseded:
            said = f"{row.superseding} supersedes itself, which has no effect"
            yield Finding(Code.SELF_SUPERSESSION, *place, said, owner, "name two revisions")
            continue
        if row.superseding == UNKNOWN:
            said = f"a successor of {row.superseded} exists and is not recorded; its scope is not given out"
            yield Finding(Code.SUCCESSOR_UNKNOWN, *place, said, owner, "record the successor and close this row")
        leaves = set(register.leaf_scopes(row.scope))
        for revision in (row.superseding, row.superseded):
            written = scopes.get(revision, set())
            if revision == UNKNOWN or revision in unread or (not written and register.settings.rules == "transitive"):
                continue  # a chain may run through a revision that was never valid
            if leaves.isdisjoint(written):
                # An unrecorded successor rules its scope whoever else has a row there (contract 3.4).
                blocked = row.superseding == UNKNOWN
                effect = "and the scope is not given out" if blocked else "so the relation has no effect there"
                said = f"{revision} has no row in the scope {_scope(row.scope)}, {effect}"
                yield Finding(
                    Code.SCOPE_MISMATCH, *place, said, owner, "correct the scope, or approve the revision for it"
                )


def _scopes_of(register: Register) -> dict[str, set[ScopeKey]]:
    found: dict[str, set[ScopeKey]] = {}
    for row in known(register.applicability, None):
        found.setdefault(row.revision_id, set()).update(register.leaf_scopes(row.scope))
    return found


def _equivalences(register: Register) -> Iterator[Finding]:
    applied = {row.revision_id for row in known(register.applicability, None)}
    first: dict[tuple[str, str], str] = {}
    for row in sorted(known(register.equivalences, None), key=lambda e: (e.id, e.recorded)):
        original = register.revisions[row.of_revision]
        owner, place = original.owner or register.settings.owner, ("equivalences", row.row)
        if row.review_ref is None:
            said = f"{row.id} has no reference to its review"
            yield Finding(Code.REVIEW_MISSING, *place, said, owner, "write the review's reference")
        if not LANGUAGE.fullmatch(row.language):
            said = f"{row.language!r} is no lower-case BCP 47 code, so no request asks for it"
            yield Finding(Code.LANGUAGE_WITHOUT_CODE, *place, said, owner, "write a code like de or pt-br")
        before = first.setdefault((row.of_revision, row.language), row.id)
        if before != row.id:
            said = (
                f"{row.of_revision} has another {row.language} edition, {before}, which is chosen where it may be read"
            )
            yield Finding(Code.SEVERAL_EDITIONS, *place, said, owner, "close the one that is not to be used")
        if row.edition in applied:
            said = f"the edition {row.edition} has applicability rows of its own"
            remedy = "close them: an edition applies where its original does"
            yield Finding(Code.EDITION_WITH_APPLICABILITY, *place, said, owner, remedy)


def _unknown_values(register: Register, table: str, row: Applicability | Supersession) -> Iterator[Finding]:
    for kind, value, hierarchy in (
        ("configuration", row.scope.configuration, register.configurations),
        ("region", row.scope.region, register.regions),
    ):
        if value != ANY and hierarchy.standing(value) == "unknown":
            said = f"the {kind} {value!r} is not declared, so no request reaches it"
            remedy = f"declare the {kind} in scopes, or correct it"
            yield Finding(Code.UNKNOWN_SCOPE_VALUE, table, row.row, said, _owner(register, row), remedy)


def _hierarchies(register: Register) -> Iterator[Finding]:
    for kind, hierarchy in (("configuration", register.configurations), ("region", register.regions)):
        for value in register.scopes:
            if value.kind == kind and value.parent is not None and hierarchy.below(value.value, value.parent):
                said = f"{value.value!r} lies below itself, so it stands for no {kind}"
                remedy = "give each value a parent above it"
                yield Finding(Code.HIERARCHY_CYCLE, "scopes", value.row, said, register.settings.owner, remedy)


def _unlocated(register: Register) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    remedy = "say in sections where it stands, or declare whole_documents"
    for row in known(register.applicability, None):
        pair = (row.revision_id, row.scope.procedure)
        if pair not in seen and register.spans(row.revision_id, *pair) == ():
            said = f"{row.revision_id} does not say where {row.scope.procedure} stands; its view is refused"
            yield Finding(Code.PROCEDURE_UNLOCATED, "applicability", row.row, said, _owner(register, row), remedy)
        seen.add(pair)
    for equivalence in known(register.equivalences, None):
        original = register.revisions[equivalence.of_revision]
        for procedure in sorted(register.procedures_of.get(original.id, ())):
            if register.spans(equivalence.edition, original.id, procedure) == ():
                said = f"the edition {equivalence.edition} does not say where {procedure} stands; its view is refused"
                owner = register.owner_of(original.family, procedure, [original.id])
                yield Finding(Code.PROCEDURE_UNLOCATED, "equivalences", equivalence.row, said, owner, remedy)


def _owner(register: Register, row: Applicability | Supersession) -> str | None:
    revision = row.revision_id if isinstance(row, Applicability) else row.superseded
    return register.owner_of(row.scope.family, row.scope.procedure, [revision])


def _scope(scope: ScopeKey) -> str:
    return " / ".join(scope[1:])
