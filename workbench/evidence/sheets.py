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
PLACES_A_PASSAGE: Final = 6
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
    """For each token the passages that hold it: ``table[t]`` is the one, where every token lies in exactly one.

    Otherwise ``shift`` is not 0, and the table holds two numbers in one, so that it is read once for each occurrence:
    the first passage in the low bits, and above ``shift`` bits the one after the last. ``seen`` says which passages
    count.
    """

    layout: Layout
    table: Ints
    shift: int
    seen: npt.NDArray[np.bool_] | None

    @property
    def count(self) -> int:
        """How many passages there are."""
        return len(self.layout.left)

    @classmethod
    def of(cls, layout: Layout, seen: npt.NDArray[np.bool_] | None) -> _Reach:
        """The reach of every token of a layout."""
        count, tokens = len(layout.left), layout.segment.count
        # As narrow as can be: the table is as long as the text, and reading it is most of the work.
        small = count < 2**16
        if np.array_equal(layout.left[1:], layout.right[:-1]) and layout.left[:1] == 0 and layout.right[-1:] == tokens:
            passages: Ints = np.arange(count, dtype=np.uint16 if small else np.int32)
            return cls(layout, np.repeat(passages, layout.length), 0, seen)
        borders = np.unique(np.concatenate(([0], layout.left, layout.right, [tokens])))
        shift, wide = (16, np.uint32) if small else (32, np.uint64)
        first = np.searchsorted(layout.right, borders[:-1], "right").astype(wide)
        end = np.searchsorted(layout.left, borders[:-1], "right").astype(wide)
        both: Ints = np.bitwise_or(first, np.left_shift(end, wide(shift)))
        return cls(layout, np.repeat(both, np.diff(borders)), shift, seen)

    def _ends(self, places: Ints) -> tuple[Ints, Ints]:
        """The first passage that holds each of these places, and the one after the last."""
        both = self.table[places]
        low = both.dtype.type((1 << self.shift) - 1)
        end: Ints = np.right_shift(both, both.dtype.type(self.shift))
        return (both & low).astype(np.int32), end.astype(np.int32)

    def each(self, places: Ints) -> Ints:
        """For each passage how many of these places it holds."""
        times: Ints
        if len(places) > PLACES_A_PASSAGE * self.count:
            # Few large passages: look up their borders among the places, not the places among the passages.
            begin = np.searchsorted(places, self.layout.left)
            if self.shift:
                times = np.searchsorted(places, self.layout.right) - begin
            else:  # each passage ends where the next one begins
                times = np.diff(begin, append=len(places))
        elif self.shift:
            first, end = self._ends(places)
            begun = np.bincount(first, minlength=self.count + 1)
            begun -= np.bincount(end, minlength=self.count + 1)
            times = np.cumsum(begun)[:-1]
        else:
            times = np.bincount(self.table[places], minlength=self.count)
        if self.seen is not None:
            times[~self.seen] = 0
        return times

    def some(self, words: Sequence[tuple[int, Ints]]) -> tuple[Ints, Ints, Ints]:
        """For each of these words, in order, the passages that hold it, ascending, and how often: three columns."""
        places = np.concatenate([np.empty(0, np.int32), *(found for _, found in words)])
        narrow = np.int32 if (words[-1][0] + 1 if words else 0) * self.count < 2**31 else np.int64
        word = np.repeat(np.array([at for at, _ in words], narrow), [len(found) for _, found in words])
        if self.shift:
            passage, end = self._ends(places)
            counts = end - passage
            before = np.cumsum(counts, dtype=np.int32) - counts
            passage = np.arange(int(counts.sum()), dtype=np.int32) + np.repeat(passage - before, counts)
            word = np.repeat(word, counts)
        else:
            passage = self.table[places]
        keys = word * narrow(self.count) + passage.astype(narrow, copy=False)
        if self.seen is not None:
            keys = keys[self.seen[passage]]
        if self.shift:
            keys.sort()
        if not len(keys):
            return keys, keys, keys
        begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        word, passage = np.divmod(keys[begins], narrow(self.count))
        return word, passage, np.diff(begins, append=len(keys))
