"""The best passages that hold any of some words, without scoring every passage that holds one.

Rare words first: once ``depth`` passages score more than all the remaining words could add together, a passage that
holds only those cannot be among the best, and the remaining words are looked up for the others alone (Turtle and Flood,
"Query evaluation: strategies and optimizations", 1995). Bounds are sums from the end, never differences, so that words
at FTS5's floor of idf still break ties; what is left is scored in FTS5's order of operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float64]
Pairs = tuple[Ints, Ints]

FEW: Final = 2_000
"""Below so many occurrences there is nothing to save."""
SHARE: Final = 0.25
"""Where so many of the passages hold a rare word, scoring all is faster."""
SLACK: Final = 1e-9
"""Far above what rounding can do to a sum of some words, far below a difference that matters for time."""


def best_of_any(
    passages: Sequence[Ints],
    count: int,
    *,
    depth: int,
    bounds: Sequence[float],
    adds: Callable[[int], Floats],
    adds_at: Callable[[int, Ints], Floats],
) -> tuple[Ints, Floats]:
    """Passages among which the ``depth`` best are, and their exact (positive) scores.

    ``passages[i]`` are those that hold word i, ascending, of ``count`` altogether; ``bounds[i]`` is the most that it
    adds to any; ``adds(i)`` what it adds to each, ``adds_at(i, positions)`` to some of them.
    """
    sizes = [len(one) for one in passages]
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    rest = _sums_from_the_end([bounds[i] for i in order])
    least, opened = 0.0, 0
    if sum(sizes) > max(FEW, depth):
        for i in order:
            if least > rest[opened] * (1.0 + SLACK):
                break
            least = max(least, _nth(adds(i), depth))
            opened += 1
    if opened in (0, len(order)):
        return _every(passages, count, adds)
    if sum(sizes[i] for i in order[:opened]) > count * SHARE:
        return _every(passages, count, adds)
    found, scores = _union([(passages[i], adds(i)) for i in order[:opened]], count)
    for at in range(opened, len(order)):
        least = max(least, _nth(scores, depth))
        kept = scores + rest[at] * (1.0 + SLACK) >= least * (1.0 - SLACK)
        found, scores = found[kept], scores[kept]
        held, positions = _where(passages[order[at]], found)
        scores[held] += adds_at(order[at], positions)
    least = max(least, _nth(scores, depth))
    found = found[scores >= least * (1.0 - SLACK)]
    exact = np.zeros(len(found))
    for i, one in enumerate(passages):
        held, positions = _where(one, found)
        exact[held] += adds_at(i, positions)
    return found, exact


def _every(passages: Sequence[Ints], count: int, adds: Callable[[int], Floats]) -> tuple[Ints, Floats]:
    """Every passage that holds a word, scored in the order of the words."""
    total = sum(map(len, passages))
    if total * 8 < count:
        return _union([(one, adds(i)) for i, one in enumerate(passages)], count)
    scores = np.zeros(count)
    for i, one in enumerate(passages):
        scores[one] += adds(i)
    found = np.flatnonzero(scores > 0.0)
    return found, scores[found]


def _union(parts: Sequence[tuple[Ints, Floats]], count: int) -> tuple[Ints, Floats]:
    """The passages of all parts, ascending, and the sums of what each part adds, in the order of the parts."""
    every = np.concatenate([one for one, _ in parts])
    every.sort()
    found = every[np.concatenate(([True], every[1:] != every[:-1]))] if len(every) else every
    slot = np.empty(count, np.int32)  # read only where it is written
    slot[found] = np.arange(len(found), dtype=np.int32)
    scores = np.zeros(len(found))
    for one, values in parts:
        scores[slot[one]] += values
    return found, scores


def _where(passages: Ints, wanted: Ints) -> tuple[npt.NDArray[np.bool_], Ints]:
    """Which of the wanted passages are there, and at which positions."""
    if not len(passages):
        return np.zeros(len(wanted), np.bool_), np.empty(0, np.int64)
    at = passages.searchsorted(wanted)
    np.minimum(at, len(passages) - 1, out=at)
    held = passages[at] == wanted
    return held, at[held]


def _nth(values: Floats, depth: int) -> float:
    """The depth-th largest value, 0.0 where there are fewer."""
    if len(values) < depth:
        return 0.0
    return float(np.partition(values, len(values) - depth)[len(values) - depth])


def _sums_from_the_end(values: Sequence[float]) -> list[float]:
    sums = [0.0]
    for value in reversed(values):
        sums.append(sums[-1] + value)
    return sums[::-1]
