"""An engine in memory that applies the conditions by their stated meaning and ranks by shared words: the reference.

Wrong engines are made of it, one for each guarantee.
"""

from __future__ import annotations

from collections.abc import Iterable

from workbench.evidence.tokens import terms
from workbench.stores.bound import Bound, Found, ScopeAt
from workbench.stores.bound import found as found_of
from workbench.stores.conditions import Condition, Fields, holds
from workbench.stores.entries import Entry


class Memory:
    settings = ""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def records(self) -> dict[str, str]:
        return {name: entry.record for name, entry in self.entries.items()}

    def change(self, gone: Iterable[str], put: Iterable[Entry]) -> None:
        for name in gone:
            del self.entries[name]
        self.entries.update({entry.document_id: entry for entry in put})

    def condition(self, asked: Bound) -> Condition:
        return asked.condition()

    def passages(self) -> Iterable[tuple[Fields, str]]:
        return ((entry.fields(piece), piece.text) for entry in self.entries.values() for piece in entry.pieces)

    def count(self, asked: Bound) -> int:
        return sum(holds(self.condition(asked), fields) for fields, _ in self.passages())

    def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
        found = []
        for fields, text in self.passages():
            score = self.score(query, text)
            if score and holds(self.condition(asked), fields):
                found.append(found_of(fields, -score))
        return sorted(found, key=lambda f: (f.score, f.document_id, f.number))[:depth]

    def score(self, query: str, text: str) -> float:
        words = terms(text)
        return sum(words.count(word) for word in set(terms(query)))

    def applying(self, scope: ScopeAt) -> set[str]:
        return {n for n, e in self.entries.items() if holds(scope.condition(), {"applies": e.applies})}
