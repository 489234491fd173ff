"""FTS5's bm25 over what a view may see, bit for bit (contract 2.1, 2.4, 2.5; SQLite, "FTS5", section 5.1.1).

All statistics count the view's passages alone. The order of every operation is FTS5's: another order of the same
arithmetic gives other bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.contract import Spans
from workbench.evidence.cuts import Passage
from workbench.evidence.layout import Layout, Pairs
from workbench.evidence.query import Match

Ints = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float64]

K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6
"""FTS5's floor: a word in more than half of the passages counts almost nothing, but not less."""
FEW_RUNS: Final = 16
MANY_TIES: Final = 1_000


class Found(NamedTuple):
    """A passage with its place in the order."""

    score: float
    document: str
    passage: Passage


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
    def passages(self) -> int:
        """How many passages are seen."""
        return sum(high - low for low, high in self.runs)

    @cached_property
    def tokens(self) -> int:
        """How many tokens the seen passages have."""
        running = self.layout.running
        return sum(int(running[high] - running[low]) for low, high in self.runs)

    def pairs(self, terms: Sequence[str]) -> Pairs:
        """The seen passages that hold the phrase, and how often."""
        passages, counts = self.layout.pairs(terms)
        if len(self.runs) > FEW_RUNS:
            kept = self.seen[passages]
            return passages[kept], counts[kept]
        # Unknown words go the same way as words that only unseen passages hold, so that time tells little about them.
        bounds = np.searchsorted(passages, np.array(self.runs, passages.dtype).reshape(-1)).tolist()
        parts = [slice(low, high) for low, high in zip(bounds[::2], bounds[1::2], strict=True)]
        if len(parts) == 1:
            return passages[parts[0]], counts[parts[0]]
        if not parts:
            return passages[:0], counts[:0]
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
        words = [phrase for phrase in phrases if phrase]
        pairs = [[one.pairs(phrase) for phrase in words] for one in self.lenses]
        idfs = [self.idf(sum(len(found[i][0]) for found in pairs)) for i in range(len(words))]
        results: list[Found] = []
        for one, found, norm in zip(self.lenses, pairs, self.norms, strict=True):
            passages, scores = (_all if match == "all" else _any)(found, idfs, norm)
            results.extend(_top(one.layout, passages, scores, depth))
        results.sort()
        return results[:depth]


def contribution(idf: float | Floats, counts: Ints, norms: Floats) -> Floats:
    """What a word adds to the (positive) score of passages, in FTS5's order of operations."""
    found: Floats = idf * ((counts * (K1 + 1.0)) / (counts + norms))
    return found


def _all(found: Sequence[Pairs], idfs: Sequence[float], norm: Floats) -> tuple[Ints, Floats]:
    """The passages that hold all words, and their scores."""
    order = sorted(range(len(found)), key=lambda i: len(found[i][0]))
    passages = found[order[0]][0]
    at = {order[0]: np.arange(len(passages))}
    for i in order[1:]:
        there = found[i][0]
        if not len(there) or not len(passages):
            return passages[:0], np.empty(0)
        position = np.minimum(np.searchsorted(there, passages), len(there) - 1)
        kept = there[position] == passages
        passages, at = passages[kept], {j: known[kept] for j, known in at.items()}
        at[i] = position[kept]
    norms = norm[passages]
    scores = np.zeros(len(passages))
    for i, idf in enumerate(idfs):
        scores += contribution(idf, found[i][1][at[i]], norms)
    return passages, -1.0 * scores


def _any(found: Sequence[Pairs], idfs: Sequence[float], norm: Floats) -> tuple[Ints, Floats]:
    """The passages that hold any word, and their scores: an absent word adds nothing."""
    scores = np.zeros(len(norm))
    for (passages, counts), idf in zip(found, idfs, strict=True):
        scores[passages] += contribution(idf, counts, norm[passages])
    every = np.flatnonzero(scores)
    return every, -1.0 * scores[every]


def _top(layout: Layout, passages: Ints, scores: Floats, depth: int) -> list[Found]:
    """The best of a layout's passages; every one that ties with the last is looked at."""
    if len(passages) > depth:
        worst = np.partition(scores, depth - 1)[depth - 1]
        kept = scores <= worst
        passages, scores = passages[kept], scores[kept]
        if len(passages) > depth + MANY_TIES:
            order = np.lexsort((layout.number[passages], layout.rank[layout.document[passages]], scores))[:depth]
            passages, scores = passages[order], scores[order]
    documents = np.searchsorted(layout.first, passages, "right") - 1
    return [
        Found(score, layout.ids[d], Passage(int(layout.number[p]), int(layout.start[p]), int(layout.end[p])))
        for score, d, p in zip(scores.tolist(), documents.tolist(), passages.tolist(), strict=True)
    ]
