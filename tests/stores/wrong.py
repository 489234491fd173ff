"""Stores that are wrong on purpose, one for each guarantee: each does what a plausible shortcut would do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tests.stores.memory import Memory
from workbench.contract import Hit
from workbench.evidence.tokens import terms
from workbench.evidence.view import View
from workbench.stores.bound import Bound, Found, ScopeAt, bound, found
from workbench.stores.conditions import After, Condition, Either, Equal, Every, Meets, Same, holds
from workbench.stores.entries import WHOLE, Entry
from workbench.stores.store import Store


class Loose(Store):
    """A store without its door: whatever the engine names becomes a hit, and nothing is compared with the view."""

    def find(self, view: View, query: str, depth: int | None = None) -> list[Hit]:
        asked = bound(view)
        return [] if asked is None else self.loose(view, self.engine.best(asked, query, depth or self.depth))

    def loose(self, view: View, answer: list[Found]) -> list[Hit]:
        hits = []
        for one in answer:
            document = view.corpus.get(one.document_id)
            text = "" if document is None else document.text
            at = (one.document_id, "1", one.content_sha256, one.number, repr(view.rule), one.start, one.end)
            hits.append(
                Hit(*at, text[one.start : one.end], one.score, view.now().admitted.get(one.document_id), view.id)
            )
        return hits


class FindsNothing(Memory):
    def best(self, *_: object) -> list[Found]:
        return []


class FiltersAfterwards(Memory):
    """Ranks everything, takes the best, then drops what is not allowed."""

    def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
        every = [(-self.score(query, text), fields) for fields, text in self.passages()]
        best = sorted((pair for pair in every if pair[0]), key=lambda pair: pair[0])[:depth]
        return [found(fields, score) for score, fields in best if holds(self.condition(asked), fields)]


class CountsEverybody(Memory):
    """Scores with how often a word occurs in all that it holds."""

    def score(self, query: str, text: str) -> float:
        every = [terms(body) for _, body in self.passages()]
        words = terms(text)
        return sum(words.count(w) / sum(w in other for other in every) for w in set(terms(query)) if w in words)


class IgnoresTheDecision(Memory):
    def condition(self, asked: Bound) -> Condition:
        who = (Equal("tenant", asked.tenant), Meets("groups", asked.groups), Equal("part", WHOLE))
        return Every(who)


class IgnoresTheSection(Memory):
    """Filters by document, and forgets that a procedure is a part of one."""

    def condition(self, asked: Bound) -> Condition:
        every = asked.condition()
        assert isinstance(every, Every)
        parts = tuple(part for part in every.parts if getattr(part, "field", "") not in ("place", "part"))
        return Every((*parts, Equal("part", WHOLE)))


class EmptyMeansEverything(Loose):
    def find(self, view: View, query: str, depth: int | None = None) -> list[Hit]:
        if bound(view) is not None:
            return super().find(view, query, depth)
        assert isinstance(self.engine, Memory)
        return self.loose(view, [found(fields, -1.0) for fields, _ in self.engine.passages()])


class MixesRows(Memory):
    """Every value has to be somewhere in the array, as with filters that are not nested."""

    def applying(self, scope: ScopeAt) -> set[str]:
        flat = unnested(scope.condition())
        return {name for name, entry in self.entries.items() if holds(flat, {"applies": entry.applies})}


def unnested(condition: Condition) -> Condition:
    """The same conditions, each for itself on the array."""
    match condition:
        case Same(array, Every(parts)):
            return Every(tuple(Same(array, part) for part in parts))
        case _:
            return condition


class ClosesIntervals(Memory):
    """Takes the end to be included."""

    def applying(self, scope: ScopeAt) -> set[str]:
        closed = _closed(scope.condition())
        return {name for name, entry in self.entries.items() if holds(closed, {"applies": entry.applies})}


def _closed(condition: Condition) -> Condition:
    match condition:
        case Every(parts):
            return Every(tuple(map(_closed, parts)))
        case Either(parts):
            return Either(tuple(map(_closed, parts)))
        case Same(array, part):
            return Same(array, _closed(part))
        case After(field, time):
            return After(field, replace(time, value=time.value - 1))
        case _:
            return condition


class OpensStarts(Memory):
    """Takes the start to be excluded."""

    def applying(self, scope: ScopeAt) -> set[str]:
        return super().applying(replace(scope, at=replace(scope.at, value=scope.at.value - 1)))


class TrimsQuotes(Loose):
    """Tidies what it found: the quote is no longer what stands there."""

    def loose(self, view: View, answer: list[Found]) -> list[Hit]:
        return [replace(hit, quote=" ".join(hit.quote.split())) for hit in super().loose(view, answer)]


class CountsBytes(Loose):
    """Gives places in UTF-8."""

    def loose(self, view: View, answer: list[Found]) -> list[Hit]:
        hits = super().loose(view, answer)
        texts = {d.id: d.text for d in view.corpus.documents}
        return [replace(h, start=len(texts[h.document_id][: h.start].encode())) for h in hits]


class KeepsWhatIsGone(Memory):
    """Only ever adds."""

    def change(self, _gone: Iterable[str], put: Iterable[Entry]) -> None:
        for entry in put:
            self.entries.setdefault(entry.document_id, entry)


class TidiesValues(Memory):
    """Strips and lower-cases names on their way in."""

    def change(self, gone: Iterable[str], put: Iterable[Entry]) -> None:
        super().change(gone, [replace(e, groups=tuple(g.strip().lower() for g in e.groups)) for e in put])


WRONG = {
    "finds": [lambda: Store(FindsNothing())],
    "access": [lambda: Store(FiltersAfterwards()), lambda: Loose(FiltersAfterwards())],
    "no trace": [lambda: Store(CountsEverybody())],
    "resolved set": [lambda: Store(IgnoresTheDecision()), lambda: Loose(IgnoresTheDecision())],
    "empty set": [lambda: EmptyMeansEverything(Memory())],
    "same object": [lambda: Store(MixesRows())],
    "half-open": [lambda: Store(ClosesIntervals()), lambda: Store(OpensStarts())],
    "unknown": [lambda: Loose(Memory())],
    "verbatim": [lambda: TrimsQuotes(Memory()), lambda: CountsBytes(Memory())],
    "twin": [lambda: Loose(IgnoresTheSection()), lambda: Loose(IgnoresTheDecision())],
    "at once": [lambda: Loose(KeepsWhatIsGone()), lambda: Store(KeepsWhatIsGone())],
    "hostile": [lambda: Store(TidiesValues())],
}
