"""Reranking: the best passages of one way to find, put in order anew by a second look at their texts.

A reranker is given a question and texts of the view, nothing else. What it is given has been checked to be the view's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Protocol, runtime_checkable

import numpy as np

from workbench.contract import Hit, digest
from workbench.errors import EvidenceError
from workbench.evidence import query as queries
from workbench.evidence.analyzers import Analyzer, German
from workbench.evidence.finding import Finder, unchanged
from workbench.evidence.fusion import of_view
from workbench.evidence.sentences import sentences
from workbench.evidence.tokens import terms
from workbench.evidence.vectors_kept import Kept
from workbench.evidence.view import View

CANDIDATES: Final = 30
WRONG_SCORES: Final = "The reranker did not give one finite number for each passage; nothing was handed on."


@runtime_checkable
class Reranker(Protocol):
    """A second look at texts; equal rerankers have equal digests."""

    @property
    def digest(self) -> str:
        """The digest of whatever decides its results."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """For each text how well it fits the question; more is better."""
        ...


class Nearness:
    """The reranker that needs no model: how many of the question's words a passage holds, and how near to each other.

    A word that many candidates hold counts less. Invented here and simple. Measured (tests/bench/bench_quality.py):
    more first places on the fictional handbooks (.64 to .73), nothing on XQuAD, fewer finds among five in court
    decisions (.73 to .66). So it is no default of any search; measure it on your own texts.

    >>> Nearness().scores("Anzugsmoment Flansch", ["Flansch. Und ein Anzugsmoment", "Anzugsmoment Flansch"])
    [1.166666667, 1.5]
    """

    __slots__ = ("analyzer",)

    def __init__(self, analyzer: Analyzer | None = None) -> None:
        self.analyzer: Analyzer = German() if analyzer is None else analyzer

    @property
    def digest(self) -> str:
        """Over method and analyzer."""
        return digest(["nearness", 1, self.analyzer.digest])

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The share of the question's words, rare ones counting more, and up to half a point for nearness."""
        wanted = set(self._keys(self.analyzer.question(queries.question_words(query))))
        read = [self._keys([text]) for text in texts]
        weight = {key: 1.0 / (1 + sum(key in keys for keys in map(set, read))) for key in wanted}
        whole = sum(weight.values()) or 1.0
        return [
            round(sum(weight[key] for key in wanted.intersection(keys)) / whole + _near(keys, wanted), 9)
            for keys in read
        ]

    def _keys(self, texts: Sequence[str]) -> list[str]:
        return [self.analyzer.key(term) for text in texts for term in terms(text)]

    def __repr__(self) -> str:
        return f"Nearness({self.analyzer!r})"


def _near(keys: Sequence[str], wanted: set[str]) -> float:
    """Half of the mean of 1 / distance between each two different wanted words that follow one another."""
    places = [(at, key) for at, key in enumerate(keys) if key in wanted]
    near: dict[tuple[str, ...], float] = {}
    for (at, one), (then, other) in pairwise(places):
        if one != other:
            pair = tuple(sorted((one, other)))
            near[pair] = max(near.get(pair, 0.0), 1.0 / (then - at))
    return 0.5 * sum(near.values()) / max(1, len(wanted) - 1)


class Nearest:
    """The reranker by meaning: the passage's sentence that lies nearest to the question, by kept vectors."""

    __slots__ = ("_digest", "kept")

    def __init__(self, kept: Kept) -> None:
        self.kept, self._digest = kept, kept.digest

    @property
    def digest(self) -> str:
        """Over method and encoder as it is now."""
        return digest(["nearest sentence", 1, self.kept.encoder_digest])

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The largest cosine of a sentence of each text."""
        parts = [[text[start:end] for start, end in sentences(text, 0, len(text))] or [text] for text in texts]
        rows = self.kept.of([one for each in parts for one in each])
        near = rows @ self.kept.of([query], question=True)[0]
        first = np.cumsum([0, *(len(each) for each in parts)])[:-1]
        return [float(best) for best in np.maximum.reduceat(near, first)]

    def __repr__(self) -> str:
        return f"Nearest({self._digest[:16]})"


class Reranked:
    """The way to find that looks twice: ``candidates`` of another way, the best ``depth`` by a reranker.

    The reranker is pinned: another digest by the time of a search is an EvidenceError.
    """

    __slots__ = ("_digest", "candidates", "depth", "reranker", "way")

    def __init__(self, way: Finder, reranker: Reranker, depth: int = 10, *, candidates: int = CANDIDATES) -> None:
        self.way, self.reranker = way, reranker
        self.depth, self.candidates = queries.depth(depth), queries.depth(candidates)
        self._digest = reranker.digest

    def check(self, query: str) -> None:
        """Raise QueryRefused where the way does."""
        self.way.check(query)

    def find(self, view: View, query: str) -> list[Hit]:
        """The candidates in their new order; equals stay in the order in which they were found."""
        unchanged(self._digest, self.reranker.digest)
        hits = of_view(self.way.find(view, query), view)[: self.candidates]
        if not hits:
            return []
        scores = np.asarray(self.reranker.scores(query, [hit.quote for hit in hits]), float)
        if scores.shape != (len(hits),) or not np.isfinite(scores).all():
            raise EvidenceError(WRONG_SCORES)
        order = np.argsort(-scores, kind="stable")[: self.depth].tolist()
        return [replace(hits[at], score=-float(scores[at])) for at in order]

    def __repr__(self) -> str:
        return f"Reranked({self.way!r}, {self.reranker!r}, {self.depth}, {self.candidates}, {self._digest[:16]!r})"
