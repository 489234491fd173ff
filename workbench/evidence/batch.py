"""Many questions at once over one view: the same order and scores as each alone, in a fraction of the time.

What a word adds to a passage's score does not depend on the question, so it is worked out once for all of them. The
additions are those of ranking.py, in the question's order of words; a word that is absent adds 0.0, which changes no
bit. Contract 2.5; design: one index, many views ("Any word").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from workbench.evidence import query as queries
from workbench.evidence.best import ranked
from workbench.evidence.ranking import Found, Ranking
from workbench.evidence.segment import Segment
from workbench.evidence.sheets import Phrase, Uses, sheet_of
from workbench.evidence.tokens import terms
from workbench.evidence.view import View

KEPT_SEGMENTS: Final = 16


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
    _uses: dict[int, tuple[Segment, Uses]] = field(default_factory=dict, repr=False)

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
        sheets = [sheet_of(lens, self.words, self.uses(lens.layout.segment)) for lens in ranking.lenses]
        idfs = [ranking.idf(sum(counts)) for counts in zip(*(sheet.passages for sheet in sheets), strict=True)]
        for lens, sheet, norms in zip(ranking.lenses, sheets, ranking.norms, strict=True):
            for at, found in ranked(lens.layout, sheet, idfs, norms, self.numbered, depth=depth):
                results[at].append(found)
        return [sorted(found)[:depth] for found in results] if len(sheets) > 1 else results

    def uses(self, segment: Segment) -> Uses:
        """Where a segment uses the words; the same under every cut."""
        kept = self._uses.get(id(segment))
        if kept is None or kept[0] is not segment:
            if len(self._uses) >= KEPT_SEGMENTS:
                self._uses.clear()
            self._uses[id(segment)] = kept = (segment, Uses.of(segment, self.words))
        return kept[1]
