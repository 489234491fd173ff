"""The built-in view index in the shape of a store, so that it passes the same conformance run as the engines."""

from __future__ import annotations

from workbench.contract import Hit
from workbench.evidence.corpus import Corpus
from workbench.evidence.view import View
from workbench.stores.bound import ScopeAt
from workbench.validity.register import Register


class Builtin:
    """``view.rank`` with any word; the corpus itself is what it searches, so nothing can be stale."""

    def __init__(self) -> None:
        self._register: Register | None = None

    def load(self, _corpus: Corpus, register: Register | None = None, /) -> None:
        """Keep the register; the corpus comes with each view."""
        self._register = register

    def find(self, view: View, query: str, depth: int = 10) -> list[Hit]:
        """The best passages of the view."""
        return view.rank(query, depth, match="any")

    def applying(self, scope: ScopeAt) -> set[str]:
        """The documents with a row for the scope at its time; revisions only."""
        if self._register is None:
            return set()
        known_at = None if scope.known_at is None else scope.known_at.value
        rows = self._register.scope_rows(scope.key, known_at).rows
        return {row.revision_id for row in rows if row.valid.holds(scope.at.value)}

    def __repr__(self) -> str:
        return "Builtin()"
