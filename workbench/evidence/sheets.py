"""How often the passages of a cut hold each of many words: a few passes over the words' uses, no loop over passages.

Borders of passages divide a text into cells; the uses of a word within one cell are counted together, and each cell
lies in a run of passages. Of regular windows the cell is worked out by arithmetic from the number of the use's unit, of
other cuts it is looked up. A word in many passages gets a count for each of them; of any other word only the passages
that hold it are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from workbench.evidence.layout import Layout
from workbench.evidence.ranking import Ints, Lens
from workbench.evidence.segment import Segment
from workbench.evidence.windows import Units

DENSE: Final = 6
"""A word with more uses than one in so many passages is kept as a number for each passage."""
BLOCK: Final = 100_000
Phrase = tuple[str, ...]
_NONE: Final = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Uses:
    """Where a segment uses some words of one token each, the most used first: worked out once for all cuts.

    ``order[r]`` is the word of rank r, ``places[pointer[r] : pointer[r + 1]]`` are its places; ``text`` has the text of
    each, ``fresh`` whether the place before is of another text or word.
    """

    order: list[int]
    pointer: Ints
    places: Ints
    text: Ints
    fresh: npt.NDArray[np.bool_]
    _within: dict[int, tuple[Units, Ints | None]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, segment: Segment, words: Sequence[Phrase]) -> Uses:
        """The uses of these words; of phrases of more tokens there are none."""
        found = [segment.of_term(word[0]) if len(word) == 1 else _NONE for word in words]
        order = sorted(range(len(words)), key=lambda at: -len(found[at]))
        pointer = np.concatenate(([0], np.cumsum([len(found[at]) for at in order], dtype=np.int64)))
        places = np.concatenate([_NONE, *(found[at] for at in order)])
        texts = np.arange(len(segment.ids), dtype=np.int32)
        text = np.repeat(texts, np.diff(segment.token_first))[places] if len(places) else _NONE
        fresh = np.ones(len(places), np.bool_)
        fresh[1:] = text[1:] != text[:-1]
        fresh[pointer[:-1][pointer[:-1] < len(places)]] = True
        return cls(order, pointer, places, text, fresh)

    def within(self, units: Units) -> Ints | None:
        """The number of each place's unit in its text, from 0; ``None`` where some token is in no unit."""
        kept = self._within.get(id(units))
        if kept is None or kept[0] is not units:
            self._within[id(units)] = kept = (units, self._numbered(units))
        return kept[1]

    def _numbered(self, units: Units) -> Ints | None:
        if not len(self.places):
            return _NONE
        if (
            units.left[0]
            or not np.array_equal(units.left[1:], units.right[:-1])
            or units.right[-1] <= self.places.max()
        ):
            return None
        unit = np.repeat(np.arange(len(units.left), dtype=np.int32), units.right - units.left)[self.places]
        return unit - units.first.astype(np.int32)[self.text]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """How often each seen passage holds each word.

    ``row[w]`` is a word's row in ``every``, with a count for each passage, or -1; then its passages and counts are
    ``holding`` and ``times`` from ``begin[w]`` to ``end[w]``, a word's passages ascending, and the words in ``order``.
    ``passages`` says how many hold it.
    """

    order: Ints
    row: Ints
    every: Ints
    begin: Ints
    end: Ints
    holding: Ints
    times: Ints
    passages: list[int]


def sheet_of(lens: Lens, words: Sequence[Phrase], uses: Uses) -> Sheet:
    """How often the passages that the lens sees hold each word; ``uses`` are those of the words in its segment."""
    count, unseen = len(lens.layout.left), lens.passages < len(lens.seen)
    dense = int(np.searchsorted(-DENSE * np.diff(uses.pointer), -count))
    every = np.zeros((dense, count), np.int32)
    change = np.empty(count + 1, np.int32)
    lists: list[tuple[Ints, Ints, Ints]] = [(np.zeros(1, np.int64), _NONE, _NONE)]
    cells = _cells(lens.layout, uses)
    for low, high in _blocks(uses.pointer, dense):
        begin = uses.pointer[low]
        at, times, first, end = cells(slice(begin, uses.pointer[high]))
        pointer = np.searchsorted(at, uses.pointer[low : high + 1] - begin)
        if low >= dense:
            lists.append(_listed(pointer, first, end, times, lens.seen if unseen else None))
            continue
        for rank, own in enumerate(map(slice, pointer[:-1].tolist(), pointer[1:].tolist()), low):
            if end is None:
                every[rank][first[own]] = times[own]
            else:
                change.fill(0)
                np.add.at(change, first[own], times[own])
                np.subtract.at(change, end[own], times[own])
                np.cumsum(change[:-1], out=every[rank])
    if unseen:
        every[:, ~lens.seen] = 0
    sizes = np.zeros(len(words), np.int64)
    sizes[uses.order[dense:]] = np.concatenate([np.diff(pointer) for pointer, _, _ in lists])
    order = uses.order[dense:]
    for word, phrase in enumerate(words):
        if len(phrase) > 1:
            found, counts = lens.pairs(phrase)
            lists.append((_NONE, found, counts))
            sizes[word] = len(found)
            order = [*(other for other in order if other != word), word]
    begin = np.zeros(len(words), np.int64)
    begin[order] = np.cumsum(sizes[order]) - sizes[order]
    row = np.full(len(words), -1)
    row[uses.order[:dense]] = np.arange(dense)
    held = sizes.copy()
    held[uses.order[:dense]] = np.count_nonzero(every, axis=1)
    holding, times = (np.concatenate(column) for column in list(zip(*lists, strict=True))[1:])
    return Sheet(np.array(order, np.int64), row, every, begin, begin + sizes, holding, times, held.tolist())


def _blocks(pointer: Ints, dense: int) -> Iterator[tuple[int, int]]:
    """Ranges of ranks with so many uses that what is made of them stays in the processor's caches."""
    low = 0
    while low < len(pointer) - 1:
        high = int(np.searchsorted(pointer, pointer[low] + BLOCK, "right")) - 1
        high = max(high, low + 1)
        if low < dense < high:
            high = dense
        yield low, high
        low = high


Cells = Callable[[slice], tuple[Ints, Ints, Ints, Ints | None]]
"""Of a range of uses, the runs of one word in one cell: where each begins, its length, its first passage, and the one
after its last (``None`` where a cell lies in one passage and a passage is one cell)."""


def _cells(layout: Layout, uses: Uses) -> Cells:
    regular = layout.regular
    within = None if regular is None else uses.within(regular.units)
    if regular is None or within is None:
        borders = np.concatenate(([0], layout.left, layout.right, [layout.segment.count]))
        borders.sort()
        first = np.searchsorted(layout.right, borders[:-1], "right")
        end = np.maximum(np.searchsorted(layout.left, borders[:-1], "right"), first)
        table = np.repeat(np.arange(len(first), dtype=np.int32), np.diff(borders))

        def looked_up(own: slice) -> tuple[Ints, Ints, Ints, Ints | None]:
            cell = table.take(uses.places[own])
            at, times = _counted(uses.fresh[own], cell)
            cell = cell.take(at)
            return at, times, first.take(cell), end.take(cell)

        return looked_up
    size, step, firsts, ends = regular.size, regular.step, layout.first[:-1], layout.first[1:]

    def disjoint(own: slice) -> tuple[Ints, Ints, Ints, Ints | None]:
        number = within[own] // step
        at, times = _counted(uses.fresh[own], number)
        return at, times, firsts.take(uses.text[own].take(at)) + number.take(at), None

    def overlapping(own: slice) -> tuple[Ints, Ints, Ints, Ints | None]:
        # Each step is two cells: its first units are still in one window more than the others.
        whole, rest = divmod(size, step)
        number = within[own] // step
        late = within[own] - number * step >= rest
        at, times = _counted(uses.fresh[own], number, late)
        text, number, late = uses.text[own].take(at), number.take(at), late.take(at)
        before = firsts.take(text)
        end = np.minimum(before + number + 1, ends.take(text))
        return at, times, before + np.maximum(number + late - whole, 0), end

    return disjoint if size == step else overlapping


def _counted(fresh: npt.NDArray[np.bool_], *cell: npt.NDArray[np.generic]) -> tuple[Ints, Ints]:
    """Where each run of uses in one cell begins, and how long it is."""
    edge = fresh.copy()
    for part in cell:
        edge[1:] |= part[1:] != part[:-1]
    at = np.flatnonzero(edge)
    return at, _lengths(at, len(edge))


def _lengths(begins: Ints, end: int) -> Ints:
    found = np.empty(len(begins), np.int32)
    np.subtract(begins[1:], begins[:-1], out=found[:-1], casting="same_kind")
    if len(begins):
        found[-1] = end - begins[-1]
    return found


def _listed(
    pointer: Ints, first: Ints, end: Ints | None, times: Ints, seen: npt.NDArray[np.bool_] | None
) -> tuple[Ints, Ints, Ints]:
    """Of some words (a pointer) the seen passages, ascending, each once, and how often."""
    passage = first
    if end is not None:
        # All uses as numbers of word and passage: sorting these is faster than adding up pairs.
        count = int(end.max(initial=0)) + 1
        narrow = np.dtype(np.int32 if len(pointer) * count < 2**31 else np.int64)
        begins = (np.arange(len(pointer), dtype=np.int64) * count).astype(narrow)
        keys = np.repeat(np.repeat(begins[:-1], np.diff(pointer)) + first.astype(narrow), times)
        reach = np.repeat((end - first).astype(np.int32), times)
        layers = (keys[reach > more] + narrow.type(more) for more in range(int(reach.max(initial=0))))
        keys = np.concatenate([keys[:0], *layers])
        keys.sort()
        at = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else _NONE
        times = _lengths(at, len(keys))
        pointer = np.searchsorted(keys[at], begins)
        passage = keys[at] - np.repeat(begins[:-1], np.diff(pointer))
    if seen is not None:
        kept = seen[passage]
        pointer, passage, times = np.concatenate(([0], np.cumsum(kept)))[pointer], passage[kept], times[kept]
    return pointer, passage, times
