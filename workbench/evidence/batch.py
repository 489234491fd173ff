"""Many questions at once over one view: the same order and scores as each alone, in a fraction of the time.

What a word adds to a passage's score does not depend on the question, so it is worked out once for all of them. The
additions are those of ranking.py, in the question's order of words; a word that is absent adds 0.0, which changes no
bit. Contract 2.5; design: one index, many views ("Any word").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from workbench.evidence import query as queries
from workbench.evidence.cuts import Passage
from workbench.evidence.layout import Layout, Pairs
from workbench.evidence.ranking import Floats, Found, Ints, Lens, Ranking, contribution
from workbench.evidence.segment import Segment
from workbench.evidence.tokens import terms
from workbench.evidence.view import View

DENSE: Final = 6
"""A word with more occurrences than one in so many passages is kept as a number for each passage."""
PLACES_A_PASSAGE: Final = 2
SAMPLE: Final = 1_000
KEPT_SEGMENTS: Final = 16
_NOTHING: Final = np.empty(0, np.int32)
LEAST: Final = float(np.finfo(np.float64).tiny)

Phrase = tuple[str, ...]


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
        sheets = [_sheet(lens, self.words, self.places(lens.layout.segment)) for lens in ranking.lenses]
        idfs = [ranking.idf(sum(counts)) for counts in zip(*(sheet.passages for sheet in sheets), strict=True)]
        for lens, sheet, norms in zip(ranking.lenses, sheets, ranking.norms, strict=True):
            for at, found in _ranked(lens.layout, sheet.scored(idfs, norms), self.numbered, depth=depth):
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


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What each word adds to the score of passages: a number for each passage, or for those that hold the word."""

    count: int
    every: dict[int, Floats]
    pointer: list[int]
    holding: Ints
    adds: Floats
    passages: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """How often each seen passage holds each word.

    ``every`` has a count for each passage of the words that are in many; of word w, the others are
    ``holding[pointer[w] : pointer[w + 1]]``. ``passages`` says how many hold it.
    """

    count: int
    every: dict[int, Ints]
    pointer: Ints
    holding: Ints
    times: Ints
    passages: list[int]

    def scored(self, idfs: Sequence[float], norms: Floats) -> Scored:
        """The contributions, by FTS5's formula."""
        every = {word: contribution(idfs[word], times, norms) for word, times in self.every.items()}
        idf = np.repeat(np.array(idfs), np.diff(self.pointer))
        adds = contribution(idf, self.times, norms[self.holding])
        return Scored(self.count, every, self.pointer.tolist(), self.holding, adds, self.passages)


def _sheet(lens: Lens, words: Sequence[Phrase], places: Sequence[Ints]) -> Sheet:
    layout, count = lens.layout, len(lens.layout.left)
    reach = _Reach.of(layout, None if lens.passages == count else lens.seen)
    every: dict[int, Ints] = {}
    few: list[tuple[int, Ints]] = []
    phrases: list[tuple[int, Pairs]] = []
    for at, phrase in enumerate(words):
        if len(phrase) > 1:
            phrases.append((at, lens.pairs(phrase)))
        elif DENSE * len(places[at]) > count:
            every[at] = reach.each(places[at])
        else:
            few.append((at, places[at]))
    word, holding, times = reach.some(few)
    if phrases:
        word = np.concatenate([word, *(np.full(len(passages), at) for at, (passages, _) in phrases)])
        holding = np.concatenate([holding, *(passages for _, (passages, _) in phrases)])
        times = np.concatenate([times, *(counts for _, (_, counts) in phrases)])
        order = np.argsort(word, kind="stable")
        word, holding, times = word[order], holding[order], times[order]
    pointer = np.searchsorted(word, np.arange(len(words) + 1))
    held = np.diff(pointer).tolist()
    for at, counts in every.items():
        held[at] = int(np.count_nonzero(counts))
    return Sheet(count, every, pointer, holding, times, held)


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """For each token the passages that hold it, ``first[t]`` to ``last[t]``; none where the last lies before.

    Where no token lies in two passages or in none, both are the same. ``seen`` says which passages count.
    """

    layout: Layout
    first: Ints
    last: Ints
    seen: npt.NDArray[np.bool_] | None

    @property
    def count(self) -> int:
        """How many passages there are."""
        return len(self.layout.left)

    @classmethod
    def of(cls, layout: Layout, seen: npt.NDArray[np.bool_] | None) -> _Reach:
        """The reach of every token of a layout."""
        count, tokens = len(layout.left), layout.segment.count
        passages = np.arange(-1, count + 1, dtype=np.int32)
        last = np.repeat(passages[:-1], np.diff(layout.left, prepend=0, append=tokens))
        if np.array_equal(layout.left[1:], layout.right[:-1]) and layout.left[:1] == 0 and layout.right[-1:] == tokens:
            return cls(layout, last, last, seen)
        first = np.repeat(passages[1:], np.diff(layout.right, prepend=0, append=tokens))
        return cls(layout, first, last, seen)

    def each(self, places: Ints) -> Ints:
        """For each passage how many of these places it holds."""
        times: Ints
        if len(places) > PLACES_A_PASSAGE * self.count:
            # Few large passages: look up their borders among the places, not the places among the passages.
            begin = np.searchsorted(places, self.layout.left)
            together = self.first is self.last  # then each passage ends where the next one begins
            times = (
                np.diff(begin, append=len(places)) if together else np.searchsorted(places, self.layout.right) - begin
            )
        elif self.first is self.last:
            times = np.bincount(self.last[places], minlength=self.count)
        else:
            begun = np.bincount(self.first[places], minlength=self.count + 1)
            begun -= np.bincount(self.last[places] + 1, minlength=self.count + 1)
            times = np.cumsum(begun)[:-1]
        if self.seen is not None:
            times[~self.seen] = 0
        return times

    def some(self, words: Sequence[tuple[int, Ints]]) -> tuple[Ints, Ints, Ints]:
        """For each of these words, in order, the passages that hold it, ascending, and how often: three columns."""
        places = np.concatenate([np.empty(0, np.int32), *(found for _, found in words)])
        word = np.repeat(np.array([at for at, _ in words], np.int64), [len(found) for _, found in words])
        passage = self.last[places]
        if self.first is not self.last:
            first = self.first[places]
            counts = passage - first + 1
            before = np.cumsum(counts) - counts
            passage = np.arange(int(counts.sum())) + np.repeat(first - before, counts)
            word = np.repeat(word, counts)
        keys = word * self.count + passage
        if self.seen is not None:
            keys = keys[self.seen[passage]]
        if self.first is not self.last:
            keys.sort()
        if not len(keys):
            return keys, keys, keys
        begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        word, passage = np.divmod(keys[begins], self.count)
        return word, passage, np.diff(begins, append=len(keys))


def _ranked(
    layout: Layout, scored: Scored, questions: Sequence[Sequence[int]], *, depth: int
) -> Iterator[tuple[int, Found]]:
    """The best passages of a layout for each question, in order."""
    kept: list[Ints] = []
    values: list[Floats] = []
    scores = np.empty(scored.count)
    for words in questions:
        scores.fill(0.0)
        for word in words:
            if word in scored.every:
                scores += scored.every[word]
            else:
                own = slice(scored.pointer[word], scored.pointer[word + 1])
                scores[scored.holding[own]] += scored.adds[own]
        found = np.flatnonzero(scores >= _floor(scores, scored, words, depth))
        best = scores[found]
        if len(found) > depth:
            inside = best >= np.partition(best, len(best) - depth)[len(best) - depth]
            found, best = found[inside], best[inside]
        kept.append(found)
        values.append(best)
    sizes = [len(found) for found in kept]
    passages, values_, question = np.concatenate(kept), np.concatenate(values), np.repeat(np.arange(len(kept)), sizes)
    document = np.searchsorted(layout.first, passages, "right") - 1
    number = layout.number[passages]
    order = np.lexsort((number, layout.rank[document], -values_, question))
    within = np.arange(len(order)) - np.repeat(np.cumsum([0, *sizes])[:-1], sizes)
    order = order[within < depth]
    columns = (question, -1.0 * values_, document, number, layout.start[passages], layout.end[passages])
    for at, score, d, n, start, end in zip(*(column[order].tolist() for column in columns), strict=True):
        yield at, Found(score, layout.ids[d], Passage(n, start, end))


def _floor(scores: Floats, scored: Scored, words: Sequence[int], depth: int) -> float:
    """A score that at least ``depth`` passages reach, or the least above zero: no look at all of them is needed."""
    sparse = [word for word in words if word not in scored.every and scored.passages[word] >= depth]
    if sparse:
        rarest = min(sparse, key=scored.passages.__getitem__)
        some = scores[scored.holding[scored.pointer[rarest] : scored.pointer[rarest + 1]]]
    else:
        some = scores[:: max(1, scored.count // SAMPLE)]
    if len(some) < depth:
        return LEAST
    return max(LEAST, float(np.partition(some, len(some) - depth)[len(some) - depth]))
