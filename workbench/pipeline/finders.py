"""Ways to find passages: each takes a view and a question, and can see nothing else (contract 4.2).

A finder's repr names it completely (method, settings, encoder), since it is part of the key under which an answer is
kept: another way to find is another answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.contract import Hit
from workbench.evidence import query as queries
from workbench.evidence.finding import Finder as Finder
from workbench.evidence.query import Match
from workbench.evidence.view import View


@dataclass(frozen=True, slots=True)
class Strict:
    """The strict search: all words in one passage, 1 to 5 hits (contract 2.2-2.5).

    >>> Strict(), Strict(5)
    (Strict(3), Strict(5))
    """

    limit: int = 3

    def check(self, query: str) -> None:
        """Raise QueryRefused for a query or limit outside the contract."""
        queries.limit(self.limit)
        queries.words(query)

    def find(self, view: View, query: str) -> list[Hit]:
        """As ``view.search``."""
        return view.search(query, self.limit)

    def __repr__(self) -> str:
        return f"Strict({self.limit})"


@dataclass(frozen=True, slots=True)
class Ranked:
    """The door of analysis: longer questions, any depth, all words or any (contract 2.5).

    >>> Ranked(10, match="any")
    Ranked(10, match='any')
    """

    depth: int = 10
    match: Match = "all"

    def check(self, query: str) -> None:
        """Raise QueryRefused for a question, depth or match outside the contract."""
        queries.depth(self.depth)
        queries.match(self.match)
        queries.question_words(query)

    def find(self, view: View, query: str) -> list[Hit]:
        """As ``view.rank``."""
        return view.rank(query, depth=self.depth, match=self.match)

    def __repr__(self) -> str:
        return f"Ranked({self.depth}, match={self.match!r})"
