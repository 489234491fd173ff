"""Half-open arithmetic, against sets of instants."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from workbench.intervals import UNBOUNDED, Interval, elementary, merge

STEP = st.integers(-8, 8)
PAIR = st.builds(Interval, STEP, STEP)


def instants(interval: Interval) -> set[int]:
    return set(range(interval.start, interval.end))


@given(PAIR, STEP)
def test_holds_is_half_open(interval: Interval, t: int) -> None:
    assert interval.holds(t) == (t in instants(interval))


@given(PAIR, PAIR)
def test_meet_overlaps_covers(one: Interval, other: Interval) -> None:
    assert instants(one.meet(other)) == instants(one) & instants(other)
    assert one.overlaps(other) == bool(instants(one) & instants(other))
    assert one.covers(other) == (instants(other) <= instants(one))
    assert one.empty == (not instants(one))


@given(st.lists(PAIR))
def test_merge_is_the_union_and_disjoint(intervals: list[Interval]) -> None:
    merged = merge(intervals)
    assert set().union(*map(instants, merged)) == set().union(*map(instants, intervals))
    assert all(a.end < b.start for a, b in itertools.pairwise(merged))


@given(st.lists(STEP))
def test_elementary_intervals_follow_one_another_without_end(boundaries: list[int]) -> None:
    found = list(elementary(boundaries))
    assert [i.start for i in found] == sorted(set(boundaries))
    assert all(a.end == b.start for a, b in itertools.pairwise(found))
    assert not found or found[-1].end == UNBOUNDED


def test_touching_is_no_overlap() -> None:
    assert not Interval(0, 10).overlaps(Interval(10, 12))
