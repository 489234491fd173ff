"""The best passages for each of many questions, given what each word adds (sheets.py).

Every passage's sum is added up in the question's order of words, so that its bits are FTS5's; which passages are looked
at then is decided by a score that at least as many as are wanted reach, so that no list is sorted as a whole. (Leaving
passages out of account by bounds, as for single questions, cost more than it saved: whole questions hold common words.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from workbench.evidence.cuts import Passage
from workbench.evidence.layout import Layout
from workbench.evidence.ranking import Floats, Found, Ints
from workbench.evidence.sheets import Scored

SAMPLE: Final = 1_000
LEAST: Final = float(np.finfo(np.float64).tiny)
_NOTHING: Final = np.empty(0, np.int64)


def ranked(
    layout: Layout, scored: Scored, questions: Sequence[Sequence[int]], *, depth: int
) -> Iterator[tuple[int, Found]]:
    """The best passages of a layout for each question: the question's position, and its passages in order."""
    kept: list[Ints] = [_NOTHING]
    values: list[Floats] = [np.empty(0)]
    scores = np.zeros(scored.count)
    for words in questions:
        found, best = _every(scores, scored, words, depth)
        if len(found) > depth:
            inside = best >= _nth(best, depth)
            found, best = found[inside], best[inside]
        kept.append(found)
        values.append(best)
    sizes = [len(found) for found in kept[1:]]
    passages, worth, question = np.concatenate(kept), np.concatenate(values), np.repeat(np.arange(len(sizes)), sizes)
    document = np.searchsorted(layout.first, passages, "right") - 1
    number = layout.number[passages]
    order = np.lexsort((number, layout.rank[document], -worth, question))
    within = np.arange(len(order)) - np.repeat(np.cumsum([0, *sizes])[:-1], sizes)
    order = order[within < depth]
    columns = (question, -1.0 * worth, document, number, layout.start[passages], layout.end[passages])
    for at, score, d, n, start, end in zip(*(column[order].tolist() for column in columns), strict=True):
        yield at, Found(score, layout.ids[d], Passage(n, start, end))


def _every(scores: Floats, scored: Scored, words: Sequence[int], depth: int) -> tuple[Ints, Floats]:
    """All passages that may be among the best, by the scores of all; ``scores`` is zero before and after."""
    for at, word in enumerate(words):
        if word not in scored.every:
            holding, adds = scored.of(word)
            np.add.at(scores, holding, adds)
        elif at == 0:
            np.copyto(scores, scored.every[word])
        else:
            scores += scored.every[word]
    found = np.flatnonzero(scores >= _floor(scores, scored, words, depth))
    best = scores[found]
    scores.fill(0.0)
    return found, best


def _floor(scores: Floats, scored: Scored, words: Sequence[int], depth: int) -> float:
    """A score that at least ``depth`` passages reach, or the least above zero: no look at all of them is needed."""
    enough = [word for word in words if word not in scored.every and scored.passages[word] >= depth]
    if enough:
        some = scores[scored.of(min(enough, key=scored.passages.__getitem__))[0]]
    else:
        some = scores[:: max(1, scored.count // SAMPLE)]
    return max(LEAST, _nth(some, depth))


def _nth(values: Floats, depth: int) -> float:
    """The depth-th largest value; 0.0 where there are fewer."""
    if len(values) < depth:
        return 0.0
    return float(np.partition(values, len(values) - depth)[len(values) - depth])
