"""The best passages for each of many questions, given how often passages hold each word (sheets.py).

Which passages are looked at is decided by sums in single precision, in any order, and without the words at FTS5's floor
of idf: whatever these can do to a sum is less than the margin that is left. The sums of the few passages that reach so
far are then added up in the question's order of words, so that their bits are FTS5's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from workbench.evidence.layout import Layout
from workbench.evidence.ranking import K1, LEAST_IDF, Floats, Found, Ints, contribution, found_of
from workbench.evidence.sheets import Sheet

SAMPLE: Final = 1_000
AT_ONCE: Final = 2_000_000
"""So many pairs of a passage and a word are looked at together."""
ROUNDING: Final = 2.0**-23
"""Twice what one operation in single precision changes of a number, in parts of it."""
OPERATIONS: Final = 16
"""More than one word's part of a sum takes."""
LEAST: Final = float(np.finfo(np.float32).tiny)
Singles = npt.NDArray[np.float32]
_NOTHING: Final = np.empty(0, np.int64)


def ranked(
    layout: Layout,
    sheet: Sheet,
    idfs: Sequence[float],
    norms: Floats,
    questions: Sequence[Sequence[int]],
    *,
    depth: int,
) -> Iterator[tuple[int, Found]]:
    """The best passages of a layout for each question: the question's position, and its passages in order."""
    rough, exact = _Rough(sheet, idfs, norms), _Exact(sheet, np.array(idfs), norms, questions)
    kept: list[Ints] = []
    size = begin = 0
    for at, words in enumerate(questions):
        kept.append(rough.best(words, depth) if words else _NOTHING)
        size += len(kept[-1]) * len(words)
        if size < AT_ONCE and at + 1 < len(questions):
            continue
        passages, question = np.concatenate(kept), np.repeat(np.arange(begin, at + 1), [len(found) for found in kept])
        kept, size, begin = [], 0, at + 1
        worth = exact.worth(question, passages)
        document = np.searchsorted(layout.first, passages, "right") - 1
        order = np.lexsort((layout.number[passages], layout.rank[document], -worth, question))
        order = order[np.arange(len(order)) - np.searchsorted(question, question) < depth]
        found = found_of(layout, worth[order], document[order], passages[order])
        yield from zip(question[order].tolist(), found, strict=True)


class _Rough:
    """Sums that are nearly right."""

    def __init__(self, sheet: Sheet, idfs: Sequence[float], norms: Floats) -> None:
        self._sheet, self._idfs, self._norms = sheet, np.array(idfs, np.float32), norms.astype(np.float32)
        self._least = {word for word, idf in enumerate(idfs) if idf == LEAST_IDF}
        self._row = sheet.row.tolist()
        self._rows: dict[int, Singles] = {}
        self._own = [slice(*each) for each in zip(sheet.begin.tolist(), sheet.end.tolist(), strict=True)]
        idf = np.repeat(self._idfs[sheet.order], (sheet.end - sheet.begin)[sheet.order])
        self._adds = _added(idf, sheet.times, self._norms[sheet.holding])
        self._scores = np.empty(len(norms), np.float32)

    def best(self, words: Sequence[int], depth: int) -> Ints:
        """Passages among which the best are, ascending."""
        some = [word for word in words if word not in self._least]
        found = self._reaching(some, depth, LEAST_IDF * (K1 + 1.0) * (len(words) - len(some)))
        if found is None:
            found = self._reaching(words, depth, 0.0)
        return _NOTHING if found is None else found

    def _reaching(self, words: Sequence[int], depth: int, margin: float) -> Ints | None:
        """The passages that come within the margin of the best; ``None`` where that is all."""
        scores = self._scores
        scores.fill(0.0)
        listed = []
        for word in words:
            if self._row[word] < 0:
                listed.append(self._own[word])
                np.add.at(scores, self._sheet.holding[listed[-1]], self._adds[listed[-1]])
            else:
                scores += self._of_all(word)
        share = 1.0 - (len(words) + OPERATIONS) * ROUNDING
        least = self._floor(listed, depth) * share - margin
        if least <= 0.0 < margin:
            return None
        found = (scores >= max(least, LEAST)).nonzero()[0]
        if len(found) > depth:
            best = scores[found]
            found = found[best >= _nth(best, depth) * share - margin]
        return found

    def _of_all(self, word: int) -> Singles:
        found = self._rows.get(word)
        if found is None:
            times = self._sheet.every[self._row[word]]
            found = self._rows[word] = _added(self._idfs[word], times, self._norms)
        return found

    def _floor(self, listed: Sequence[slice], depth: int) -> float:
        """A sum that at least ``depth`` passages reach, or 0.0: no look at all of them is needed."""
        enough = [own for own in listed if own.stop - own.start >= depth]
        if enough:
            own = min(enough, key=lambda own: own.stop - own.start)
            return _nth(self._scores[self._sheet.holding[own]], depth)
        return _nth(self._scores[:: max(1, len(self._scores) // SAMPLE)], depth)


class _Exact:
    """FTS5's sums of chosen passages."""

    def __init__(self, sheet: Sheet, idfs: Floats, norms: Floats, questions: Sequence[Sequence[int]]) -> None:
        self._sheet, self._idfs, self._norms = sheet, idfs, norms
        self._words = np.array([word for words in questions for word in words], np.int64)
        self._sizes = np.array([len(words) for words in questions], np.int64)
        self._begins = np.cumsum(self._sizes) - self._sizes
        self._slot = np.full(len(idfs), -len(norms))
        self._slot[sheet.order] = np.arange(len(sheet.order)) * len(norms)
        self._keys = np.repeat(self._slot[sheet.order], (sheet.end - sheet.begin)[sheet.order]) + sheet.holding

    def worth(self, question: Ints, passages: Ints) -> Floats:
        """The positive score of each of these passages for its question, added up in the question's order."""
        sizes = self._sizes[question]
        pair = np.repeat(np.arange(len(passages)), sizes)
        first = np.cumsum(sizes) - sizes
        word = self._words[np.arange(len(pair)) + np.repeat(self._begins[question] - first, sizes)]
        passage = passages[pair]
        adds = contribution(self._idfs[word], self._times(word, passage), self._norms[passage])
        return np.asarray(np.bincount(pair, adds, len(passages)), np.float64)

    def _times(self, word: Ints, passage: Ints) -> Ints:
        row, wanted = self._sheet.row[word], self._slot[word] + passage
        times = np.zeros(len(word), np.int32)
        full = row >= 0
        times[full] = self._sheet.every[row[full], passage[full]]
        if len(self._keys):
            at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
            listed = self._keys[at] == wanted
            times[listed] = self._sheet.times[at[listed]]
        return times


def _added(idf: Singles | np.float32, times: npt.NDArray[np.number], norms: Singles) -> Singles:
    """FTS5's formula in single precision."""
    single = times.astype(np.float32)
    found: Singles = idf * ((single * np.float32(K1 + 1.0)) / (single + norms))
    return found


def _nth(values: Singles, depth: int) -> float:
    """The depth-th largest value; 0.0 where there are fewer."""
    if len(values) < depth:
        return 0.0
    values = values.copy()
    values.partition(len(values) - depth)
    return float(values[len(values) - depth])
