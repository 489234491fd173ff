"""Search by meaning: the passages whose best window lies nearest to the question's vector (design: what finds German
passages).

Passages are what the view's cut makes them; embedded are windows of about 60 words of each, since a vector of more says
less. Only the view's own passages are embedded, looked up and compared: a plain product of numpy over them, exact. A
score is minus the cosine, an order of this run and no measure of truth.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from workbench.contract import Document, Hit
from workbench.evidence import query as queries
from workbench.evidence.cuts import Passage
from workbench.evidence.finding import unchanged
from workbench.evidence.vectors_kept import Kept, Progress
from workbench.evidence.view import View

WINDOW: Final = 60
KEPT_VIEWS: Final = 8
_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A view's passages with the vectors of their windows; passage p's are ``first[p] : first[p + 1]``."""

    places: tuple[tuple[Document, Passage], ...]
    first: np.ndarray
    vectors: np.ndarray


class Vectors:
    """The way to find by meaning, with vectors that are kept.

    ``depth`` is how many passages are given; every passage of a view has some similarity, so that what is found says
    nothing about whether there is an answer. The encoder is the one of ``kept``; one that has changed since is refused
    with an EvidenceError. ``progress`` is told how far a search is that has to compute vectors first.
    """

    __slots__ = ("_digest", "_looking", "_progress", "_sights", "depth", "kept", "window")

    def __init__(self, kept: Kept, depth: int = 10, *, window: int = WINDOW, progress: Progress | None = None) -> None:
        self.kept, self.depth, self._progress = kept, queries.depth(depth), progress
        if type(window) is not int or window < 1:
            raise ValueError("a window is a whole number of words, at least 1")
        self.window = window
        self._digest = kept.digest
        self._looking = threading.Lock()
        self._sights: OrderedDict[str, Sight] = OrderedDict()

    def check(self, query: str) -> None:
        """Raise QueryRefused for what ``view.rank`` refuses."""
        queries.question_words(query)

    def find(self, view: View, query: str) -> list[Hit]:
        """The passages with the nearest windows; ties by document and passage number."""
        self.check(query)
        unchanged(self._digest, self.kept.encoder_digest)
        sight = self.sight(view)
        if not sight.places or not query.strip():
            return []
        nearness = sight.vectors @ self.kept.of([query], question=True)[0]
        best = np.maximum.reduceat(nearness, sight.first[:-1])
        found = ((*sight.places[at], -float(best[at])) for at in largest(best, self.depth).tolist())
        return [view.hit(document, passage, score) for document, passage, score in found]

    def sight(self, view: View, *, progress: Progress | None = None) -> Sight:
        """The vectors of the view's passages; computed where they are not kept, which takes long the first time."""
        name = view.id
        with self._looking:
            found = self._sights.pop(name, None)
        if found is None:
            found = self._look(view, progress or self._progress)
        with self._looking:
            self._sights[name] = found
            while len(self._sights) > KEPT_VIEWS:
                self._sights.popitem(last=False)
        return found

    def _look(self, view: View, progress: Progress | None) -> Sight:
        places = tuple(view.passages())
        texts: list[str] = []
        first = [0]
        for document, passage in places:
            texts.extend(windows(document.text[passage.start : passage.end], self.window))
            first.append(len(texts))
        return Sight(places, np.array(first), self.kept.of(texts, progress=progress))

    def __repr__(self) -> str:
        return f"Vectors({self._digest[:16]}, depth={self.depth}, window={self.window})"


def largest(values: np.ndarray, count: int) -> np.ndarray:
    """The places of the largest values, the largest first; of equal ones the first place first.

    >>> largest(np.array([0.5, 0.9, 0.1, 0.9], np.float32), 2).tolist()
    [1, 3]
    """
    if count >= len(values):
        return np.argsort(-values, kind="stable")
    # Sorting a million takes longer than comparing them: only those are sorted that are as large as the last one given.
    least = np.partition(values, len(values) - count)[len(values) - count]
    places = np.flatnonzero(values >= least)
    return places[np.argsort(-values[places], kind="stable")][:count]


def windows(text: str, size: int = WINDOW) -> Iterator[str]:
    """A text in as few parts of at most ``size`` words as there can be, of nearly equal length.

    >>> list(windows("eins zwei drei vier fünf", 2))
    ['eins zwei', 'drei', 'vier fünf']
    """
    borders: Sequence[tuple[int, int]] = [found.span() for found in _WORD.finditer(text)]
    parts = max(1, -(-len(borders) // size))
    for part in range(parts):
        own = borders[round(part * len(borders) / parts) : round((part + 1) * len(borders) / parts)]
        yield text[own[0][0] : own[-1][1]] if own else text
