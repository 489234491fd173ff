"""Many questions at once over one view: the same order and scores as each alone, in a fraction of the time.

What a word adds to a passage's score does not depend on the question, so it is worked out once for all of them. The
additions are those of ranking.py, in the question's order of words; a word that is absent adds 0.0, which changes no
bit. Contract 2.5; design: one index, many views ("Any word").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from workbench.evidence import query as queries
from workbench.evidence.best import ranked
from workbench.evidence.ranking import Found, Ints, Ranking
from workbench.evidence.segment import Segment
from workbench.evidence.sheets import Phrase, sheet_of
from workbench.evidence.tokens import terms
from workbench.evidence.view import View

KEPT_SEGMENTS: Final = 16
_NOTHING: Final = np.empty(0, np.int32)


def rank_many(view: View, questions: Sequence[str], *, depth: int = 10, match: str = "any") -> list[list[Found]]:
    """For each question what ``view.rank(question, depth, match)`` finds: score, document and passage, in that order.

    Raises QueryRefused as ``view.rank`` does.

    >>> from workbench.contract import Actor, Document
    >>> from workbench.evidence.corpus import Corpus
    >>> corpus = Corpus([Document("a", "nord", {"wartung"}, "1", "Zwei Personen.\\n\\nFreigabe")])
    >>> found = rank_many(corpus.view(Actor("nord", {"wartung"})), ["Wer gibt die Freigabe?", "Wann?"])
    >>> [[(one.document, one.passage.number) for one in each] for each in found]
    [[('a', 2)], []]
    """
    return Batch.of(questions).rank(view, depth=depth, match=match)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some questions, with what they have in common worked out once: for sweeps, which ask them under many cuts.

    ``asked`` are the tokens of each question's words, ``words`` the different ones of them all, ``numbered`` the
    questions by these.
    """

    asked: tuple[tuple[Phrase, ...], ...]
    words: tuple[Phrase, ...]
    numbered: tuple[tuple[int, ...], ...]
    _places: dict[int, tuple[Segment, list[Ints]]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, questions: Sequence[str]) -> Batch:
        """The batch of these questions; raises QueryRefused as ``view.rank`` does."""
        asked = [tuple(tuple(terms(word)) for word in queries.question_words(question)) for question in questions]
        words = tuple(dict.fromkeys(phrase for question in asked for phrase in question if phrase))
        place = {phrase: at for at, phrase in enumerate(words)}
        numbered = tuple(tuple(place[phrase] for phrase in question if phrase) for question in asked)
        return cls(tuple(asked), words, numbered)

    def rank(self, view: View, *, depth: int = 10, match: str = "any") -> list[list[Found]]:
        """For each question what ``view.rank(question, depth, match)`` finds."""
        deep, how = queries.depth(depth), queries.match(match)
        now = view.now()
        if not now.admitted:
            return [[] for _ in self.asked]
        ranking = now.state.index.ranking(now.state.documents, now.admitted, view.rule, key=now.id)
        if how == "all":
            return [ranking.best(phrases, match="all", depth=deep) for phrases in self.asked]
        return self._any(ranking, deep)

    def _any(self, ranking: Ranking, depth: int) -> list[list[Found]]:
        results: list[list[Found]] = [[] for _ in self.asked]
        if not self.words or not ranking.tokens:
            return results
        sheets = [sheet_of(lens, self.words, self.places(lens.layout.segment)) for lens in ranking.lenses]
        idfs = [ranking.idf(sum(counts)) for counts in zip(*(sheet.passages for sheet in sheets), strict=True)]
        for lens, sheet, norms in zip(ranking.lenses, sheets, ranking.norms, strict=True):
            for at, found in ranked(lens.layout, sheet.scored(idfs, norms), self.numbered, depth=depth):
                results[at].append(found)
        return [sorted(found)[:depth] for found in results] if len(sheets) > 1 else results

    def places(self, segment: Segment) -> list[Ints]:
        """Where each word of one token stands in a segment; the same under every cut."""
        kept = self._places.get(id(segment))
        if kept is None or kept[0] is not segment:
            found = [segment.of_term(word[0]) if len(word) == 1 else _NOTHING for word in self.words]
            if len(self._places) >= KEPT_SEGMENTS:
                self._places.clear()
            self._places[id(segment)] = kept = (segment, found)
        return kept[1]
