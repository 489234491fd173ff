"""FTS5's bm25 over what a view may see, bit for bit (contract 2.1, 2.4, 2.5; SQLite, "FTS5", section 5.1.1).

All statistics count the view's passages alone. The order of every operation is FTS5's: another order of the same
arithmetic gives other bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.contract import Spans
from workbench.evidence.cuts import Passage
from workbench.evidence.layout import Held, Layout, Pairs
from workbench.evidence.pruning import best_of_any
from workbench.evidence.query import Match

Ints = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float64]

K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6
"""FTS5's floor: a word in more than half of the passages counts almost nothing, but not less."""
FEW_RUNS: Final = 16
_NOTHING: Final = np.empty(0, np.int32)
MANY_TIES: Final = 1_000
WORTH_KEEPING: Final = 1_000
ROOM: Final = 8_000_000
"""How many numbers a view keeps of what words add: 64 MB."""


class Found(NamedTuple):
    """A passage with its place in the order."""

    score: float
    document: str
    passage: Passage


_FOUND: Final = partial(tuple.__new__, Found)  # what Found(...) does, without a call of Python for each
_PASSAGE: Final = partial(tuple.__new__, Passage)


def found_of(layout: Layout, scores: Floats, documents: Ints, passages: Ints) -> list[Found]:
    """These passages of a layout with their positive scores, in the same order."""
    ids = map(layout.ids.__getitem__, documents.tolist())
    columns = (column.take(passages).tolist() for column in (layout.number, layout.start, layout.end))
    places = map(_PASSAGE, zip(*columns, strict=True))
    return list(map(_FOUND, zip((-1.0 * scores).tolist(), ids, places, strict=True)))


@dataclass(frozen=True, eq=False)
class Lens:
    """What a view sees of a layout: which passages count."""

    layout: Layout
    seen: npt.NDArray[np.bool_]

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """The seen passages as ranges."""
        edges = np.flatnonzero(np.diff(np.concatenate(([False], self.seen, [False]))))
        return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))

    @cached_property
    def borders(self) -> Ints:
        """The starts and ends of the runs, in one array."""
        return np.array(self.runs, np.int32).reshape(-1)

    @cached_property
    def passages(self) -> int:
        """How many passages are seen."""
        return sum(high - low for low, high in self.runs)

    @cached_property
    def tokens(self) -> int:
        """How many tokens the seen passages have."""
        running = self.layout.running
        return sum(int(running[high] - running[low]) for low, high in self.runs)

    @cached_property
    def held(self) -> Held | None:
        """Of each term, where the layout is ready, whether it is in what is seen."""
        return self.layout.held(self.seen)

    def pairs(self, terms: Sequence[str]) -> Pairs:
        """The seen passages that hold the phrase, and how often."""
        layout, held = self.layout, self.held
        if held is not None:
            # A word that only unseen passages hold is looked for no more than an unknown one: time does not tell them.
            for term in terms:
                if not held.has(term, layout.segment.vocabulary):
                    return _NOTHING, _NOTHING
        passages, counts = layout.pairs(terms)
        if len(self.runs) > FEW_RUNS:
            kept = self.seen[passages]
            return passages[kept], counts[kept]
        bounds = passages.searchsorted(self.borders).tolist()
        if len(bounds) == 2:
            own = slice(*bounds)
            return passages[own], counts[own]
        if not bounds:
            return passages[:0], counts[:0]
        parts = [slice(low, high) for low, high in zip(bounds[::2], bounds[1::2], strict=True)]
        return np.concatenate([passages[p] for p in parts]), np.concatenate([counts[p] for p in parts])


def lens(layout: Layout, admitted: Mapping[str, Spans | None], alive: npt.NDArray[np.bool_] | None = None) -> Lens:
    """The lens through which the admitted documents are seen; of a document with spans, its passages inside them."""
    layout.checked()
    chosen = np.fromiter((name in admitted for name in layout.ids), np.bool_, len(layout.ids))
    if alive is not None:
        chosen &= alive
    seen = np.repeat(chosen, np.diff(layout.first))
    for index in np.flatnonzero(chosen).tolist():
        spans = admitted[layout.ids[index]]
        if spans is not None:
            own = slice(int(layout.first[index]), int(layout.first[index + 1]))
            start, end = layout.start[own], layout.end[own]
            inside = np.zeros(len(start), np.bool_)
            for span in spans:
                inside |= (start >= span.start) & (end <= span.end)
            seen[own] = inside
    return Lens(layout, seen)


@dataclass(frozen=True, eq=False)
class Ranking:
    """All that a view sees, ready to be ranked."""

    lenses: tuple[Lens, ...]
    _kept: dict[object, Floats] = field(default_factory=dict, repr=False)
    _room: list[int] = field(default_factory=lambda: [ROOM], repr=False)

    @cached_property
    def passages(self) -> int:
        """FTS5's row count."""
        return sum(one.passages for one in self.lenses)

    @cached_property
    def tokens(self) -> int:
        """FTS5's total number of tokens."""
        return sum(one.tokens for one in self.lenses)

    @cached_property
    def average(self) -> float:
        """The average number of tokens in a passage."""
        return float(self.tokens) / float(self.passages)

    @cached_property
    def norms(self) -> tuple[Floats, ...]:
        """For each passage FTS5's ``k1 * (1 - b + b * D / avgdl)``."""
        return tuple((K1 * ((1.0 - B) + B * one.layout.length / self.average)).astype(float) for one in self.lenses)

    @cached_property
    def shortest(self) -> float:
        """The least norm of a seen passage."""
        found = [norms[one.seen].min() for one, norms in zip(self.lenses, self.norms, strict=True) if one.passages]
        return float(min(found))

    def idf(self, hits: int) -> float:
        """FTS5's inverse document frequency, with its floor."""
        value = math.log((float(self.passages - hits) + 0.5) / (float(hits) + 0.5))
        return value if value > 0.0 else LEAST_IDF

    def best(self, phrases: Sequence[Sequence[str]], *, match: Match, depth: int) -> list[Found]:
        """The best passages: score, then document id, then passage number.

        A phrase is the tokens of one word; a word without a token is in no passage.
        """
        if not self.tokens or not any(phrases) or (match == "all" and not all(phrases)):
            return []
        words = [tuple(phrase) for phrase in phrases if phrase]
        pairs = [[one.pairs(phrase) for phrase in words] for one in self.lenses]
        idfs = [self.idf(sum([len(passages) for passages, _ in found])) for found in zip(*pairs, strict=True)]
        results: list[Found] = []
        for at, (one, found) in enumerate(zip(self.lenses, pairs, strict=True)):
            terms = [Term(self, at, word, each, idf) for word, each, idf in zip(words, found, idfs, strict=True)]
            passages, scores = _all(terms) if match == "all" else _any(terms, len(one.seen), depth)
            results += _top(one.layout, passages, scores, depth)
        results.sort()
        return results[:depth]

    def kept(self, key: object, make: Callable[[], Floats]) -> Floats:
        """What a word adds, kept for the next question of the same view; the oldest make room."""
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = make()
            self._room[0] -= len(found)
            while self._room[0] < 0 and len(self._kept) > 1:
                self._room[0] += len(self._kept.pop(next(iter(self._kept))))
        return found


def contribution(idf: float | Floats, counts: Ints, norms: Floats) -> Floats:
    """What a word adds to the (positive) score of passages, in FTS5's order of operations."""
    found: Floats = idf * ((counts * (K1 + 1.0)) / (counts + norms))
    return found


class Term(NamedTuple):
    """A word of a question in one part of a view: who holds it, and what it adds there."""

    ranking: Ranking
    part: int
    phrase: tuple[str, ...]
    pairs: Pairs
    idf: float

    @property
    def passages(self) -> Ints:
        """The seen passages that hold it."""
        return self.pairs[0]

    def adds(self) -> Floats:
        """What it adds to the score of each of them."""
        if len(self.passages) < WORTH_KEEPING:
            return self._adds()
        return self.ranking.kept((self.part, self.phrase), self._adds)

    def adds_at(self, positions: Ints) -> Floats:
        """The same for some of them."""
        norms = self.ranking.norms[self.part]
        return contribution(self.idf, self.pairs[1][positions], norms[self.passages[positions]])

    def most(self) -> float:
        """A bound of what it adds: the most occurrences, in the shortest passage."""
        if not len(self.passages):
            return 0.0
        most = float(self.pairs[1].max())
        return self.idf * (most * (K1 + 1.0)) / (most + self.ranking.shortest)

    def _adds(self) -> Floats:
        return contribution(self.idf, self.pairs[1], self.ranking.norms[self.part].take(self.passages))


def _all(terms: Sequence[Term]) -> tuple[Ints, Floats]:
    """The passages that hold all words, and their scores."""
    if len(terms) == 1:
        return terms[0].passages, terms[0].adds()
    sizes = [len(term.passages) for term in terms]
    if not min(sizes):
        return _NOTHING, np.empty(0)
    order = sorted(range(len(terms)), key=sizes.__getitem__)
    passages = terms[order[0]].passages
    at = [np.arange(len(passages))]
    for i in order[1:]:
        there = terms[i].passages
        position = there.searchsorted(passages)
        kept = (there.take(position, mode="clip") == passages).nonzero()[0]
        passages, at = passages.take(kept), [known.take(kept) for known in (*at, position)]
    norms = terms[0].ranking.norms[terms[0].part].take(passages)
    held = (contribution(t.idf, t.pairs[1].take(at[order.index(i)]), norms) for i, t in enumerate(terms))
    scores = next(held)
    for more in held:
        scores += more
    return passages, scores


def _any(terms: Sequence[Term], count: int, depth: int) -> tuple[Ints, Floats]:
    """Passages that hold any word, the best among them, and their scores: an absent word adds nothing."""
    return best_of_any(
        [term.passages for term in terms],
        count,
        depth=depth,
        bounds=[term.most() for term in terms],
        adds=lambda i: terms[i].adds(),
        adds_at=lambda i, positions: terms[i].adds_at(positions),
    )


def _top(layout: Layout, passages: Ints, scores: Floats, depth: int) -> list[Found]:
    """The best of a layout's passages by their positive scores; every one that ties with the last is looked at."""
    if len(passages) > depth:
        ordered = scores.copy()
        ordered.partition(len(scores) - depth)
        kept = (scores >= ordered[-depth]).nonzero()[0]
        passages, scores = passages.take(kept), scores.take(kept)
        if len(passages) > depth + MANY_TIES:
            order = np.lexsort((layout.number[passages], layout.rank[layout.document[passages]], -scores))[:depth]
            passages, scores = passages[order], scores[order]
    return found_of(layout, scores, layout.first.searchsorted(passages, "right") - 1, passages)
