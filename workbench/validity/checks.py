"""The register check: everything that needs somebody's attention (contract 3.8).

Reads leniently: every malformed row is a finding and is left out, and the rest is checked. All other findings speak of
the register as corrected today; closed rows are history, and nobody can repair them.
"""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import Protocol

from workbench.contract import OPERATOR, Actor, Operator
from workbench.errors import ContextError, InputError
from workbench.validity.checks_corpus import against_corpus
from workbench.validity.checks_rows import row_findings
from workbench.validity.checks_scopes import every_scope_findings, scope_findings
from workbench.validity.findings import Code, Finding, Findings, in_order
from workbench.validity.loading import read_contents
from workbench.validity.register import Register
from workbench.validity.tables import DanglingReference


class Document(Protocol):
    """What a check needs of a document; the corpus is another part's, and only handed in."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def tenant(self) -> str:
        """Whose it is."""

    @property
    def groups(self) -> frozenset[str]:
        """Who may read it."""


class Documents(Protocol):
    """A corpus, as far as a check needs one."""

    def get(self, document_id: str, /) -> Document | None:
        """The document, or ``None``."""


def check(
    register: Register,
    corpus: Documents | None = None,
    *,
    every_scope: bool = False,
    actor: Actor | Operator = OPERATOR,
) -> Findings:
    """What a loaded register's rows need attention for, as corrected today; a steward sees the own tenant's.

    With a corpus also what differs between the two. ``every_scope`` resolves each combination of declared scope values
    over each elementary interval, and lists what is not one revision.

    >>> check(Register.read("data/pump-seal"), every_scope=True)
    []
    """
    if isinstance(actor, Actor):
        if not register.is_steward(actor, actor.tenant):
            raise ContextError("the register check is for stewards and the operator")
        register = register.of_tenant(actor.tenant)
    return _checked(register, corpus, every_scope=every_scope)


def _checked(
    register: Register, corpus: Documents | None, *, every_scope: bool, unread: Set[str] = frozenset()
) -> Findings:
    found: list[Finding] = [*row_findings(register, unread), *scope_findings(register)]
    if corpus is not None:
        found += against_corpus(register, corpus)
    if every_scope:
        found += every_scope_findings(register)
    return in_order(found)


def check_folder(folder: str | Path, corpus: Documents | None = None, *, every_scope: bool = False) -> Findings:
    """All findings of a register's files, malformed rows included.

    Raises InputError where the folder or its settings cannot be read.
    """
    malformed: list[InputError] = []
    register = Register.of(read_contents(Path(folder), malformed.append))
    unreadable = [_malformed(error, register) for error in malformed]
    unread = {str(error.cells.get("revision_id")) for error in malformed}
    return in_order([*unreadable, *_checked(register, corpus, every_scope=every_scope, unread=unread)])


def _malformed(error: InputError, register: Register) -> Finding:
    names = (error.cells.get(column) for column in ("revision_id", "superseded", "of_revision"))
    about = next((found for name in names if (found := register.revisions.get(str(name)))), None)
    owner = (about.owner if about else None) or register.settings.owner
    code = Code.DANGLING_REFERENCE if isinstance(error, DanglingReference) else Code.MALFORMED
    table = Path(error.file or "").name.rsplit(".", 1)[0]
    message = f"column {error.column}: {error.message}" if error.column else error.message
    return Finding(code, table, error.row, message, owner, error.remedy or "correct the row")
