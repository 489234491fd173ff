"""Ranking by an analyzer: the view's own lenses, through which some terms look the same (contract 2.5, 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from workbench.contract import Hit
from workbench.evidence import query as queries
from workbench.evidence.analyzers import Analyzer, German
from workbench.evidence.finding import unchanged
from workbench.evidence.layout import Pairs
from workbench.evidence.query import Match
from workbench.evidence.ranking import Lens, Ranking
from workbench.evidence.tokens import terms
from workbench.evidence.view import View

KEPT: Final[WeakKeyDictionary[Ranking, dict[str, Ranking]]] = WeakKeyDictionary()
"""What was made of a view's ranking, by analyzer, for as long as the index keeps that ranking."""


@dataclass(frozen=True, eq=False)
class AlikeLens(Lens):
    """What a view sees, with terms that count as one: a key is held by each passage that holds any of its terms."""

    groups: Mapping[str, Sequence[str]]
    _alike: dict[str, Pairs] = field(default_factory=dict, repr=False)

    def pairs(self, terms: Sequence[str]) -> Pairs:
        """The seen passages that hold a term of this key, and how many of them."""
        (key,) = terms
        if key not in self._alike:
            self._alike[key] = _joined([super(AlikeLens, self).pairs((term,)) for term in self.groups.get(key, ())])
        return self._alike[key]


def seen_terms(lens: Lens) -> list[str]:
    """The terms that a seen passage holds."""
    layout, segment = lens.layout, lens.layout.segment
    reached = np.zeros(segment.count + 1, np.int32)
    np.add.at(reached, layout.left[lens.seen], 1)
    np.add.at(reached, layout.right[lens.seen], -1)
    inside = np.cumsum(reached)[:-1] > 0
    held = inside[segment.checked().places]
    counts = np.concatenate(([0], np.cumsum(held)))[segment.pointer]
    there = np.diff(counts) > 0
    return [term for term, number in segment.vocabulary.items() if there[number]]


def _joined(found: Sequence[Pairs]) -> Pairs:
    if len(found) == 1:
        return found[0]
    if not found:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    passages, counts = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(passages, kind="stable")
    passages, counts = passages[order], counts[order]
    if not len(passages):
        return passages, counts
    begins = np.flatnonzero(np.concatenate(([True], passages[1:] != passages[:-1])))
    return passages[begins], np.add.reduceat(counts, begins)


def ranking(view: View, analyzer: Analyzer) -> Ranking:
    """The view's statistics as the analyzer sees them; kept as long as those of the view are."""
    plain = view.ranking()
    own = KEPT.setdefault(plain, {})
    name = analyzer.digest
    if name not in own:
        # Of the view's own words alone: what only others may read makes no two of them alike.
        groups = analyzer.groups(sorted({term for one in plain.lenses for term in seen_terms(one)}))
        own[name] = Ranking(tuple(AlikeLens(one.layout, one.seen, groups) for one in plain.lenses))
    return own[name]


class Analyzed:
    """The way to find by an analyzer's words: as ``view.rank``, scored as FTS5 would score the mapped texts.

    The analyzer is pinned: one whose digest is another by the time of a search is refused with an EvidenceError.

    >>> from workbench.contract import Actor, Document
    >>> from workbench.evidence.corpus import Corpus
    >>> corpus = Corpus([Document("a", "nord", {"wartung"}, "1", "Prüfe die Pumpe.\\n\\nFreigabe erteilen")])
    >>> view = corpus.view(Actor("nord", {"wartung"}))
    >>> view.rank("Welche Pumpen?", match="any"), Analyzed().find(view, "Welche Pumpen?")
    ([], [Hit('a', paragraph 1, [0,16), Paragraphs())])
    """

    __slots__ = ("_digest", "analyzer", "depth", "match")

    def __init__(self, depth: int = 10, analyzer: Analyzer | None = None, *, match: Match = "any") -> None:
        self.analyzer: Analyzer = German() if analyzer is None else analyzer
        self.depth, self.match = queries.depth(depth), queries.match(match)
        self._digest = self.analyzer.digest

    def check(self, query: str) -> None:
        """Raise QueryRefused for what ``view.rank`` refuses."""
        queries.question_words(query)

    def find(self, view: View, query: str) -> list[Hit]:
        """The best passages; where no word but a question's function words is in the view, those count after all."""
        words = queries.question_words(query)
        unchanged(self._digest, self.analyzer.digest)
        now = view.now()
        if not words or not now.admitted:
            return []
        seen = ranking(view, self.analyzer)
        wanted = self.analyzer.question(words)
        found = seen.best(self._keys(wanted), match=self.match, depth=self.depth)
        if not found and len(wanted) < len(words):
            found = seen.best(self._keys(words), match=self.match, depth=self.depth)
        return [view.hit(now.state.documents[f.document], f.passage, f.score) for f in found]

    def _keys(self, words: Sequence[str]) -> list[tuple[str]]:
        keys = dict.fromkeys(self.analyzer.key(term) for word in words for term in terms(word))
        return [(key,) for key in keys]

    def __repr__(self) -> str:
        return f"Analyzed({self.depth}, {self.analyzer!r}, match={self.match!r}, digest={self._digest[:16]!r})"
