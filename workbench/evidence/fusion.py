"""Several ways to find as one: reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009).

Each way ranks the same view; a passage's score is the sum of 1 / (k + rank). Scores of different ways are never
compared, only ranks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from workbench.contract import Hit
from workbench.errors import EvidenceError
from workbench.evidence import query as queries
from workbench.evidence.finding import Finder
from workbench.evidence.view import View

K: Final = 60
"""The constant of the paper."""
OUTSIDE: Final = "A way to find gave a passage that is not of this view; nothing was handed on."

Place = tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class Fused:
    """The passages that several ways rank high. Raises ValueError for none, and EvidenceError for a hit of elsewhere.

    Give the ways more depth than the fusion, such as 50 for 10: a passage counts where it is ranked. ``weights`` say
    how much each way counts; 1 for each where none are given.

    >>> from workbench.pipeline.finders import Ranked
    >>> Fused((Ranked(50), Ranked(50, match="any")), 10)
    Fused((Ranked(50, match='all'), Ranked(50, match='any')), 10, k=60)
    """

    ways: tuple[Finder, ...]
    depth: int = 10
    k: int = K
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        queries.depth(self.depth)
        if not self.ways or type(self.k) is not int or self.k < 1:
            raise ValueError("at least one way to find, and a k of at least 1")
        if self.weights and (len(self.weights) != len(self.ways) or min(self.weights) <= 0):
            raise ValueError("a positive weight for each way to find")

    def check(self, query: str) -> None:
        """Raise QueryRefused where one of the ways does."""
        for way in self.ways:
            way.check(query)

    def find(self, view: View, query: str) -> list[Hit]:
        """The best by the sum of reciprocal ranks; ties by document and passage number."""
        scores: dict[Place, float] = {}
        hits: dict[Place, Hit] = {}
        for way, weight in zip(self.ways, self.weights or (1.0,) * len(self.ways), strict=True):
            for rank, hit in enumerate(of_view(way.find(view, query), view), 1):
                place = (hit.document_id, hit.paragraph, hit.start, hit.end)
                scores[place] = scores.get(place, 0.0) + weight / (self.k + rank)
                hits[place] = hit
        best = sorted(scores, key=lambda place: (-scores[place], place))[: self.depth]
        return [replace(hits[place], score=-scores[place]) for place in best]

    def __repr__(self) -> str:
        weights = f", weights={self.weights}" if self.weights else ""
        return f"Fused({self.ways!r}, {self.depth}, k={self.k}{weights})"


def of_view(hits: list[Hit], view: View) -> list[Hit]:
    """The hits, each one found in this very view as it is now; EvidenceError for another one."""
    now = view.id
    if any(hit.view_id != now for hit in hits):
        raise EvidenceError(OUTSIDE)
    return hits
