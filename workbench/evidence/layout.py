"""A layout: how a segment's texts lie in passages under one cut, and which passages hold a phrase how often.

It is the same for every actor; what a view adds is which passages count (ranking.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from workbench.contract import Document, Spans
from workbench.evidence.cuts import BREAK, Cut, Paragraphs, Passage, Words
from workbench.evidence.segment import Segment, segment_of
from workbench.evidence.tokens import between_tokens

if TYPE_CHECKING:
    from workbench.evidence.windows import Units

Ints = npt.NDArray[np.integer]
Pairs = tuple[Ints, Ints]
"""Passages, ascending, and how often each holds the phrase."""
BETWEEN_TOKENS: Final = (Paragraphs, Words)
"""The cuts whose borders are at white space, which is never within a token; of other cuts each border is looked at."""
MOST_KEPT: Final = 10_000
KEPT_SEEN: Final = 16
SIEVE: Final = 16
"""At least so many places for each term: at most one unseen word in sixteen finds its place taken."""
_NOTHING: Final = np.empty(0, np.int32)


class Held(NamedTuple):
    """Which terms are in what is seen: ``terms`` has a byte for each, and 0 at the end for any that is unknown.

    ``sieve`` has one for each checksum of a term (by ``mask``), 1 where a seen one has it. It is asked first: both an
    unknown word and one that only unseen passages hold end there, nearly always, and the vocabulary is not looked into.
    """

    mask: int
    sieve: bytes
    terms: bytes

    def has(self, term: str, vocabulary: Mapping[str, int]) -> bool:
        """Whether a seen passage holds the term."""
        return bool(self.sieve[crc32(term.encode()) & self.mask] and self.terms[vocabulary.get(term, -1)])


class Regular(NamedTuple):
    """Windows of ``size`` units of each text, one beginning every ``step`` units, the last reaching the end."""

    units: Units
    size: int
    step: int


@dataclass(frozen=True, eq=False)
class Layout:
    """The passages of some documents, by document and then by number.

    ``first`` has one entry more than ``ids``: document d's passages are ``first[d] : first[d + 1]``. ``number``,
    ``start`` and ``end`` are those of :class:`~workbench.evidence.cuts.Passage`; ``left`` and ``right`` the range of
    tokens in the segment. ``ready`` holds the pairs of all terms where they were made in advance: pointer, passages,
    counts. ``regular`` says where the passages are windows of so many units.
    """

    segment: Segment
    ids: tuple[str, ...]
    first: Ints
    number: Ints
    start: Ints
    end: Ints
    left: Ints
    right: Ints
    ready: tuple[Ints, Ints, Ints] | None = None
    regular: Regular | None = None
    check: Callable[[], None] | None = None
    _kept: dict[tuple[str, ...], Pairs] = field(default_factory=dict, repr=False)
    _held: dict[bytes, Held] = field(default_factory=dict, repr=False)

    def checked(self) -> Layout:
        """The layout, once what was read from disk is known to be what was written."""
        if self.check is not None:
            self.check()
        return self

    @cached_property
    def length(self) -> Ints:
        """How many tokens each passage has."""
        return self.right - self.left

    @cached_property
    def running(self) -> Ints:
        """The tokens of all passages before each one, and at the end of all."""
        return np.concatenate(([0], np.cumsum(self.length, dtype=np.int64)))

    @cached_property
    def document(self) -> Ints:
        """The document of each passage, by its position in ``ids``."""
        return np.repeat(np.arange(len(self.ids)), np.diff(self.first))

    @cached_property
    def rank(self) -> Ints:
        """Each document's place in the order of ids, which breaks ties."""
        order = sorted(range(len(self.ids)), key=self.ids.__getitem__)
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order))
        return ranks

    @cached_property
    def disjoint(self) -> bool:
        """Whether no token lies in two passages."""
        return bool((self.left[1:] >= self.right[:-1]).all())

    @cached_property
    def of_place(self) -> Ints:
        """For each token its passage, or -1 between passages (disjoint layouts)."""
        after = np.append(self.left, self.segment.count)
        before = np.concatenate(([0], self.right))
        passages = np.full(2 * len(self.left) + 1, -1, np.int32)
        lengths = np.empty(len(passages), np.int64)
        passages[1::2] = np.arange(len(self.left))
        lengths[::2], lengths[1::2] = after - before, self.length
        return np.repeat(passages, lengths)

    def pairs(self, terms: Sequence[str]) -> Pairs:
        """The passages that hold these terms one after the other, and how often."""
        if self.ready is not None and len(terms) == 1:
            pointer, passages, counts = self.ready
            number = self.segment.vocabulary.get(terms[0])
            if number is None:
                return _NOTHING, _NOTHING
            low, high = pointer[number : number + 2].tolist()
            return passages[low:high], counts[low:high]
        key = tuple(terms)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = self._pairs(self.segment.of_phrase(terms), len(terms) - 1)
        return found

    @cached_property
    def _checksums(self) -> npt.NDArray[np.uint32]:
        """One for each term; the same in every process, unlike Python's own hashes."""
        terms = self.segment.vocabulary
        found = np.empty(len(terms), np.uint32)
        found[np.fromiter(terms.values(), np.int64, len(terms))] = [crc32(term.encode()) for term in terms]
        return found

    def held(self, seen: npt.NDArray[np.bool_]) -> Held | None:
        """Which terms a seen passage holds (ready layouts).

        The same views of a part come back after every change of others, so it is kept.
        """
        if self.ready is None:
            return None
        key = np.packbits(seen).tobytes()
        found = self._held.get(key)
        if found is None:
            pointer, passages, _ = self.ready
            held = np.zeros(len(pointer), np.bool_)
            filled = pointer[:-1] < pointer[1:]
            held[:-1][filled] = np.logical_or.reduceat(seen[passages], pointer[:-1][filled]) if len(passages) else False
            for other in tuple(self._held)[: 1 - KEPT_SEEN]:
                self._held.pop(other, None)
            mask = (1 << (SIEVE * len(pointer)).bit_length()) - 1
            sieve = np.zeros(mask + 1, np.bool_)
            sieve[self._checksums[held[:-1]] & mask] = True
            found = self._held[key] = Held(mask, sieve.tobytes(), held.tobytes())
        return found

    def _pairs(self, places: Ints, reach: int) -> Pairs:
        if self.disjoint:
            passages = self.of_place[places]
            if reach:
                passages = np.where(self.of_place[places + reach] == passages, passages, -1)
            passages = passages[passages >= 0]
        else:
            # The passages that begin at or before the phrase and end after it are consecutive.
            low = np.searchsorted(self.right, places + reach, "right")
            high = np.searchsorted(self.left, places, "right")
            counts = np.maximum(high - low, 0)
            before = np.concatenate(([0], np.cumsum(counts)[:-1]))
            passages = np.arange(int(counts.sum())) + np.repeat(low - before, counts)
            passages.sort()
        return counted(passages.astype(np.int32))

    def made_ready(self) -> Layout:
        """The same layout with the pairs of every term made at once (disjoint layouts)."""
        passages = self.of_place[self.segment.checked().places]
        pointer = self.segment.pointer
        begins = np.zeros(len(passages) + 1, np.bool_)
        begins[:-1][1:] = passages[1:] != passages[:-1]
        begins[pointer] = True
        at = np.flatnonzero(begins[:-1])
        counts = np.diff(np.append(at, len(passages))).astype(np.int32)
        kept = passages[at] >= 0
        sums = np.concatenate(([0], np.cumsum(kept)))
        ready = (sums[np.searchsorted(at, pointer)], passages[at][kept], counts[kept])
        return Layout(
            self.segment, self.ids, self.first, self.number, self.start, self.end, self.left, self.right, ready
        )


def counted(passages: Ints) -> Pairs:
    """Ascending passages, each once, with its number of occurrences."""
    if not len(passages):
        return _NOTHING, _NOTHING
    begins = np.flatnonzero(np.concatenate(([True], passages[1:] != passages[:-1])))
    return passages[begins], np.diff(np.append(begins, len(passages))).astype(np.int32)


def layout_of(segment: Segment, texts: Sequence[str], cut: Cut) -> Layout | None:
    """The layout of a whole segment, or ``None`` where a border lies within a token or passages are nested.

    Otherwise a passage's tokens are a range of its text's tokens, and nothing needs to be read again.
    """
    if type(cut) is Paragraphs:
        first, (number, start, end) = _paragraphs(texts)
    else:
        first, (number, start, end) = _numbered(cut.passages(text) for text in texts)
    if not isinstance(cut, BETWEEN_TOKENS) and not _between(texts, first, start, end):
        return None
    begins = np.repeat(segment.text_first[:-1], np.diff(first))
    token_start = segment.checked().token_start
    left = np.searchsorted(token_start, (start + begins).astype(token_start.dtype)).astype(np.int32)
    right = np.searchsorted(token_start, (end + begins).astype(token_start.dtype)).astype(np.int32)
    if (left[1:] < left[:-1]).any() or (right[1:] < right[:-1]).any():
        return None
    return Layout(segment, segment.ids, first, number, start, end, left, right)


def _between(texts: Sequence[str], first: Ints, start: Ints, end: Ints) -> bool:
    for index, text in enumerate(texts):
        own = slice(int(first[index]), int(first[index + 1]))
        borders = {*start[own].tolist(), *end[own].tolist()}
        if not all(between_tokens(text, at) for at in borders):
            return False
    return True


def layout_of_pieces(documents: Mapping[str, Document], admitted: Mapping[str, Spans | None], cut: Cut) -> Layout:
    """The layout of the admitted parts alone, each passage read as a text of its own: right for any cut and spans."""
    ids = tuple(sorted(admitted))
    cuts = [list(cut.passages(documents[name].text, admitted[name])) for name in ids]
    first, (number, start, end) = _numbered(cuts)
    texts = [documents[name].text[p.start : p.end] for name, found in zip(ids, cuts, strict=True) for p in found]
    segment = segment_of([""] * len(texts), texts)
    left, right = segment.token_first[:-1].astype(np.int32), segment.token_first[1:].astype(np.int32)
    return Layout(segment, ids, first, number, start, end, left, right)


def _paragraphs(texts: Sequence[str]) -> tuple[Ints, tuple[Ints, Ints, Ints]]:
    """What ``_numbered`` says of the paragraphs of whole texts, without a step for each paragraph."""
    counts: list[int] = [0]
    lengths: list[int] = []
    blank: list[bool] = []
    for text in texts:
        parts = text.split(BREAK)
        counts.append(len(parts))
        lengths += map(len, parts)
        blank += map(str.isspace, parts)
    length = np.array(lengths, np.int64)
    text_first = np.cumsum(counts)
    start = np.concatenate(([0], np.cumsum(length + len(BREAK))))
    start = start[:-1] - np.repeat(start[text_first[:-1]], counts[1:])
    number = np.arange(1, len(length) + 1) - np.repeat(text_first[:-1], counts[1:])
    kept = (length > 0) & ~np.array(blank, np.bool_)
    first = np.concatenate(([0], np.cumsum(kept)))[text_first]
    return first, (number[kept], start[kept], (start + length)[kept])


def _numbered(cuts: Iterable[Iterable[Passage]]) -> tuple[Ints, tuple[Ints, Ints, Ints]]:
    counts: list[int] = []
    rows: list[Passage] = []
    for found in cuts:
        before = len(rows)
        rows.extend(found)
        counts.append(len(rows) - before)
    table = np.array(rows, np.int64).reshape(-1, 3)
    first = np.concatenate(([0], np.cumsum(np.array(counts, np.int64))))
    return first, (table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy())
