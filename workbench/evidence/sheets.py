"""How often the passages of a cut hold each of many words: one pass over the words' places, and no loop over passages.

A word in many passages has a count for each of them; of any other word only the passages that hold it are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from workbench.evidence.layout import Layout, Pairs
from workbench.evidence.ranking import Floats, Ints, Lens, contribution

DENSE: Final = 6
"""A word with more occurrences than one in so many passages is kept as a number for each passage."""
PLACES_A_PASSAGE: Final = 2
Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What each word adds to the score of passages: a number for each passage, or for those that hold the word.

    The fields are those of :class:`Sheet`.
    """

    count: int
    every: dict[int, Floats]
    pointer: list[int]
    holding: Ints
    adds: Floats
    passages: Sequence[int]

    def of(self, word: int) -> tuple[Ints, Floats]:
        """The passages that hold a word of the second kind, and what it adds to each."""
        own = slice(self.pointer[word], self.pointer[word + 1])
        return self.holding[own], self.adds[own]


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


def sheet_of(lens: Lens, words: Sequence[Phrase], places: Sequence[Ints]) -> Sheet:
    """How often the passages that the lens sees hold each word; ``places`` are those of the words of one token."""
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
        narrow = np.int32 if (words[-1][0] + 1 if words else 0) * self.count < 2**31 else np.int64
        word = np.repeat(np.array([at for at, _ in words], narrow), [len(found) for _, found in words])
        passage = self.last[places]
        if self.first is not self.last:
            first = self.first[places]
            counts = passage - first + 1
            before = np.cumsum(counts) - counts
            passage = np.arange(int(counts.sum()), dtype=np.int32) + np.repeat(
                (first - before).astype(np.int32), counts
            )
            word = np.repeat(word, counts)
        keys = word * narrow(self.count) + passage.astype(narrow, copy=False)
        if self.seen is not None:
            keys = keys[self.seen[passage]]
        if self.first is not self.last:
            keys.sort()
        if not len(keys):
            return keys, keys, keys
        begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        word, passage = np.divmod(keys[begins], narrow(self.count))
        return word, passage, np.diff(begins, append=len(keys))
