"""A store: an engine behind the contract. It decides nothing, and hands on nothing that is not in the view it was asked
for (contract 4.2; S1, "Filter setzen Entscheidungen durch, sie bestimmen keine Verbindlichkeit").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from workbench.contract import Hit
from workbench.errors import EvidenceError
from workbench.evidence import query as queries
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut, Paragraphs
from workbench.evidence.view import View
from workbench.stores.bound import Bound, Found, ScopeAt, bound, hits
from workbench.stores.entries import Entry, entries
from workbench.validity.register import Register

STALE: Final = "The store does not hold this corpus and register as they are now; load it again."
OTHER_CUT: Final = "The store holds passages of another cut than this view's."


class Engine(Protocol):
    """What an engine's file provides. Its repr names the engine and how it ranks."""

    @property
    def settings(self) -> str:
        """What else decides what it holds of a document, such as the encoder's digest; part of each record."""
        ...

    def records(self) -> Mapping[str, str]:
        """The documents that the engine holds, and for each the digest of its entry."""
        ...

    def change(self, gone: Iterable[str], put: Iterable[Entry]) -> None:
        """Take documents out, then put entries in; at its return every search sees it."""
        ...

    def count(self, asked: Bound) -> int:
        """How many passages fulfil the conditions."""
        ...

    def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
        """The best ``depth`` of the passages that fulfil the conditions, and of no others."""
        ...

    def applying(self, scope: ScopeAt) -> set[str]:
        """The documents with a row for the scope at its time, whoever may read them; no search uses this."""
        ...


@dataclass(frozen=True, slots=True)
class Changes:
    """What loading changed: documents taken out, and documents put in or put in anew."""

    gone: tuple[str, ...]
    put: tuple[str, ...]


class Store:
    """A corpus and its register in an engine, to be asked with views.

    It can be given to a session as its finder: ``session.ask(…, find=store)``. Without ``load`` it holds nothing.
    """

    def __init__(self, engine: Engine, *, cut: Cut | None = None, depth: int = 10) -> None:
        self.engine = engine
        self.cut: Cut = Paragraphs() if cut is None else cut
        self.depth = queries.depth(depth)
        self._held: dict[str, bytes] = {}
        self._expected: dict[str, int] = {}

    def load(self, corpus: Corpus, register: Register | None = None) -> Changes:
        """Make the engine hold exactly this corpus and register; only what differs is written.

        What goes, goes before anything comes. To be called at the start of each process and after each change: until
        then a view of something newer is refused, never answered from the old.
        """
        state = corpus.state
        self._held, self._expected = {}, {}
        before = self.engine.records()
        wanted = {entry.document_id: entry for entry in entries(state, register, self.cut, self.engine.settings)}
        put = {name: entry for name, entry in wanted.items() if before.get(name) != entry.record}
        gone = sorted(name for name in before if name not in wanted or name in put)
        self.engine.change(gone, put.values())
        self._held = dict(state.rows)
        return Changes(tuple(name for name in gone if name not in wanted), tuple(sorted(put)))

    def check(self, query: str) -> None:
        """Raise QueryRefused where this is no question."""
        queries.question_words(query)

    def find(self, view: View, query: str, depth: int | None = None) -> list[Hit]:
        """The best passages of the view by the engine's own ranking, which is not the contract's.

        Raises QueryRefused for what is no question, ContextError where the view no longer holds, and EvidenceError
        where the store does not hold the view exactly as it is now.
        """
        self.check(query)
        deep = self.depth if depth is None else queries.depth(depth)
        asked = bound(view)
        if asked is None:
            return []
        self._agree(view, asked)
        return hits(view, self.engine.best(asked, query, deep), deep)

    def applying(self, scope: ScopeAt) -> set[str]:
        """Which documents have a row for the scope at its time, before supersession and access: for the operator."""
        return self.engine.applying(scope)

    def _agree(self, view: View, asked: Bound) -> None:
        """Refuse a view that the engine does not hold: a search in part of it would silently miss."""
        if repr(view.rule) != repr(self.cut):
            raise EvidenceError(OTHER_CUT)
        now = view.now()
        if any(self._held.get(name) != now.state.rows[name] for name in now.admitted):
            raise EvidenceError(STALE)
        expected = self._expected.get(now.id)
        if expected is None:
            expected = sum(1 for _ in view.passages())
        if self.engine.count(asked) != expected:
            raise EvidenceError(STALE)
        self._expected[now.id] = expected

    def __repr__(self) -> str:
        return f"Store({self.engine!r}, {self.cut!r}, depth={self.depth})"
