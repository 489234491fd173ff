"""Layouts of regular windows by arithmetic: a segment's words or sentences are found once, for any size of window.

A sweep over sizes then costs what its passages cost, not what its text does (design: one index, many views).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from workbench.evidence.cuts import Words
from workbench.evidence.layout import Layout, Regular
from workbench.evidence.segment import Segment
from workbench.evidence.sentences import sentences
from workbench.evidence.structure import Sentences

Ints = npt.NDArray[np.integer]
Windows = Words | Sentences
WINDOWS: Final = (Words, Sentences)
"""The cuts that are runs of so many units; a subclass may do something else and is cut by its own rule."""
_LAST_SPACE: Final = 0x3000  # the ideographic space; no later code point is white space


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The words or sentences of a segment's texts, one after the other.

    Text t has the units ``first[t] : first[t + 1]``; ``start`` and ``end`` are code points of its own text, ``left``
    and ``right`` tokens of the segment.
    """

    first: Ints
    start: Ints
    end: Ints
    left: Ints
    right: Ints


def units_of(segment: Segment, texts: Sequence[str], kind: type[Windows]) -> Units:
    """The units of these texts, which are the segment's; all their borders are at white space, where no token goes on.

    >>> from workbench.evidence.segment import segment_of
    >>> found = units_of(segment_of(["a"], ["Ein Satz. Noch-einer."]), ["Ein Satz. Noch-einer."], Words)
    >>> found.start.tolist(), found.left.tolist(), found.right.tolist()
    ([0, 4, 10], [0, 1, 2], [1, 2, 4])
    """
    find = words if kind is Words else _sentences
    nothing = np.empty(0, np.int64)
    found = [(nothing, nothing), *(find(text) for text in texts)]  # the first, so that there is always one to join
    counts = np.fromiter((len(start) for start, _ in found[1:]), np.int64, len(texts))
    first = np.concatenate(([0], np.cumsum(counts)))
    start, end = (np.concatenate(part) for part in zip(*found, strict=True))
    begins = np.repeat(segment.text_first[:-1], counts)
    token_start = segment.checked().token_start
    left = np.searchsorted(token_start, (start + begins).astype(token_start.dtype))
    right = np.searchsorted(token_start, (end + begins).astype(token_start.dtype))
    return Units(first, start, end, left.astype(np.int32), right.astype(np.int32))


def windowed(segment: Segment, units: Units, cut: Windows) -> Layout:
    """The layout that the cut's own rule gives: a window every ``size - overlap`` units, the last reaching the end."""
    counts = np.diff(units.first)
    step = cut.size - cut.overlap
    windows = np.where(counts > 0, -(-np.maximum(counts - cut.size, 0) // step) + 1, 0)
    first = np.concatenate(([0], np.cumsum(windows)))
    within = np.arange(first[-1]) - np.repeat(first[:-1], windows)
    begin = np.repeat(units.first[:-1], windows) + within * step
    last = np.minimum(begin + cut.size, np.repeat(units.first[1:], windows)) - 1
    return Layout(
        segment=segment,
        ids=segment.ids,
        first=first,
        number=within + 1,
        start=units.start[begin],
        end=units.end[last],
        left=units.left[begin],
        right=units.right[last],
        regular=Regular(units, cut.size, step),
    )


@cache
def spaces() -> npt.NDArray[np.bool_]:
    """For each code point up to the last white space whether it is one."""
    return np.fromiter((chr(point).isspace() for point in range(_LAST_SPACE + 1)), np.bool_, _LAST_SPACE + 1)


def words(text: str) -> tuple[Ints, Ints]:
    """Where the runs without white space begin and end.

    >>> [found.tolist() for found in words(" ein Wort ")]
    [[1, 5], [4, 9]]
    """
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    inside = np.zeros(len(points) + 2, np.bool_)
    inside[1:-1] = ~spaces()[np.minimum(points, _LAST_SPACE)] | (points > _LAST_SPACE)
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    return edges[::2], edges[1::2]


def _sentences(text: str) -> tuple[Ints, Ints]:
    table = np.array(list(sentences(text, 0, len(text))), np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]
