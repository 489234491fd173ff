"""Half-open intervals ``[start, end)``: the one place for their arithmetic, for time and for text alike.

Instants are plain integers (logical steps, or microseconds since 1970 in UTC), text positions are code points.
An end that never comes is :data:`UNBOUNDED`; it sorts after every instant, so no comparison needs a special case.
Contract 3.1; S1, "Definieren Sie den Registervertrag" (half-open intervals are purposeful).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

UNBOUNDED = 2**63 - 1
"""The end of an interval without end (int64 maximum; no readable instant reaches it)."""


class Interval(NamedTuple):
    """Holds the instants ``start <= t < end``.

    >>> Interval(5, 10), Interval(10, UNBOUNDED)
    ([5,10), [10,unbounded))
    """

    start: int
    end: int

    def __repr__(self) -> str:
        end = "unbounded" if self.end >= UNBOUNDED else str(self.end)
        return f"[{self.start},{end})"

    @property
    def empty(self) -> bool:
        """Whether no instant lies within (also for an inverted pair)."""
        return self.start >= self.end

    def holds(self, t: int) -> bool:
        """Whether ``start <= t < end``.

        >>> [Interval(5, 10).holds(t) for t in (4, 5, 9, 10)]
        [False, True, True, False]
        """
        return self.start <= t < self.end

    def meet(self, other: Interval) -> Interval:
        """The common part; empty where there is none (touching is none).

        >>> Interval(0, 10).meet(Interval(5, 12)), Interval(0, 5).meet(Interval(5, 9)).empty
        ([5,10), True)
        """
        return Interval(max(self.start, other.start), min(self.end, other.end))

    def overlaps(self, other: Interval) -> bool:
        """Whether some instant lies in both."""
        return not self.meet(other).empty

    def covers(self, other: Interval) -> bool:
        """Whether every instant of ``other`` lies within.

        >>> Interval(0, 10).covers(Interval(5, 10)), Interval(0, 10).covers(Interval(5, 11))
        (True, False)
        """
        return other.empty or (self.start <= other.start and other.end <= self.end)


def elementary(boundaries: Iterable[int]) -> Iterator[Interval]:
    """The intervals between neighbouring boundaries, ascending, the last one unbounded.

    Within each of them nothing begins or ends, so one outcome holds throughout (contract 3.9).

    >>> list(elementary([10, 0, 5, 10]))
    [[0,5), [5,10), [10,unbounded)]
    """
    cuts = sorted({*boundaries, UNBOUNDED})
    for start, end in itertools.pairwise(cuts):
        yield Interval(start, end)


def merge(intervals: Iterable[Interval]) -> list[Interval]:
    """The union as disjoint ascending intervals; touching ones become one.

    >>> merge([Interval(5, 7), Interval(0, 5), Interval(9, 12), Interval(3, 3)])
    [[0,7), [9,12)]
    """
    merged: list[Interval] = []
    for interval in sorted(i for i in intervals if not i.empty):
        if merged and interval.start <= merged[-1].end:
            merged[-1] = Interval(merged[-1].start, max(merged[-1].end, interval.end))
        else:
            merged.append(interval)
    return merged
