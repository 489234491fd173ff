"""Binning drops nothing: counts add up, what is merged covers what it holds, the top lane keeps every boundary."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.show import seals
from tests.show.test_tables_coverage import many as many_cells
from workbench.contract import OPERATOR
from workbench.intervals import UNBOUNDED, Interval
from workbench.show import tables
from workbench.show.tables_bins import LANES, MERGED, binned_rectangles
from workbench.validity.register import Register

FOREVER = 10**6


def frame_of(bars: list[tuple[str, str, int, int | None]], *, dates: bool = False) -> pl.DataFrame:
    """A frame of bars: lane, kind, start and end."""

    def when(step: int | None) -> object:
        return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=step) if dates and step is not None else step

    columns = ("lane", "kind", "start", "end", "end_kind", "label", "rivals")
    rows = [(a, k, when(s), when(e), "unbounded" if e is None else "instant", "", []) for a, k, s, e in bars]
    time = pl.Datetime("us", "UTC") if dates else pl.Int64
    types = {"start": time, "end": time, "rivals": pl.List(pl.String)}
    return pl.DataFrame(rows, schema={name: types.get(name, pl.String) for name in columns}, orient="row")


lanes = st.integers(0, 70).map(lambda number: "decides" if number == 0 else f"r{number:02}")
kinds = st.sampled_from(["revision", "superseded", "gap"])
bars = st.tuples(lanes, kinds, st.integers(0, 500), st.one_of(st.none(), st.integers(1, 60)))
many = st.one_of(st.lists(bars, max_size=40), st.lists(bars, min_size=80, max_size=300)).map(
    lambda found: [
        (lane, kind, start, None if length is None else start + length) for lane, kind, start, length in found
    ]
)


@given(many, st.booleans())
def test_nothing_is_dropped(bars: list[tuple[str, str, int, int | None]], dates: bool) -> None:
    frame = frame_of(sorted(bars, key=lambda bar: bar[:3]), dates=dates)
    few = tables.binned(frame)
    if "rows" not in few.columns:
        assert_frame_equal(few, frame)
        assert frame.filter(pl.col("lane") != "decides")["lane"].n_unique() <= LANES
        return
    assert few["rows"].sum() == frame.height
    assert few.filter(pl.col("lane") != "decides")["lane"].n_unique() <= MERGED
    assert_frame_equal(few.filter(lane="decides").drop("rows"), frame.filter(lane="decides"))
    assert few.filter(lane="decides")["rows"].eq(1).all()
    lanes = frame.filter(pl.col("lane") != "decides")["lane"].unique(maintain_order=True).to_list()
    per = -(-len(lanes) // MERGED)
    for number, (name, *_) in enumerate(few.filter(pl.col("lane") != "decides").group_by("lane", maintain_order=True)):
        mine = frame.filter(pl.col("lane").is_in(lanes[number * per : (number + 1) * per]))
        merged = few.filter(lane=name[0])
        assert merged["rows"].sum() == mine.height
        assert f"{mine.height} rows)" in str(name[0])
        for kind, start, end in mine.select("kind", "start", "end").rows():
            held = merged.filter(pl.col("start") <= start, kind=kind)
            assert held.filter(
                pl.col("end").is_null() if end is None else pl.col("end").is_null() | (pl.col("end") >= end)
            ).height
        for kind in mine["kind"].unique():
            spans = merged.filter(kind=kind).select("start", "end").rows()
            assert all(e is not None and e < s for (_, e), (s, _) in pairwise(spans))


def test_a_merged_bar_counts_its_rows_and_has_no_revision_of_its_own() -> None:
    register = seals.written([(f"r{n:04}", str(n), str(n + 1)) for n in range(1000)])
    few = tables.binned(tables.timeline(register, seals.SEAL, actor=OPERATOR))
    merged = few.filter(pl.col("lane") != "decides")
    assert merged.row(0, named=True) == {
        "lane": "r0000 … r0039 (40 lanes, 40 rows)",
        "kind": "revision",
        "revision_id": None,
        "start": 0,
        "start_kind": "instant",
        "end": 40,
        "end_kind": "instant",
        "label": "40 rows",
        "rivals": [],
        "superseded_by": None,
        "row": None,
        "rows": 40,
    }
    assert merged["rows"].to_list() == [40] * 25
    assert few.filter(lane="decides").height == 1002


def test_stretches_far_apart_stay_apart_and_their_gaps_with_them() -> None:
    rows = [(f"r{n:02}", "revision", 1000 * (n % 2), 1000 * (n % 2) + 10) for n in range(60)]
    few = tables.binned(frame_of(rows))
    assert few.filter(lane=few["lane"][0]).select("start", "end", "rows").rows() == [(0, 10, 2), (1000, 1010, 1)]


def test_one_lane_of_very_many_bars_is_merged_alone() -> None:
    rows = [("r1", "revision", 2 * n, 2 * n + 1) for n in range(1000)] + [("r2", "gap", 0, None)]
    few = tables.binned(frame_of(rows))
    assert few["lane"].unique(maintain_order=True).to_list() == ["r1 (1000 rows)", "r2"]
    assert few.row(-1, named=True)["rows"] == 1
    assert few["rows"].sum() == 1001


# --- valid × recorded ---------------------------------------------------------------------------------------------


def yearly(count: int) -> Register:
    """Each revision replaces the last one for good, and is recorded only when it begins: two rows each; invented."""
    found = seals.written(
        [(f"r{n:04}", str(n), str(n + 1)) for n in range(count)], history_from=0, recorded_time="logical"
    )
    rows = []
    for n, row in enumerate(found.applicability):
        rows.append(replace(row, valid=Interval(n, UNBOUNDED), recorded=Interval(n, n + 1)))
        rows.append(replace(row, valid=Interval(n, n + 1), recorded=Interval(n + 1, UNBOUNDED), row=row.row + count))
    return replace(found, applicability=tuple(rows))


@pytest.fixture(scope="module")
def years() -> pl.DataFrame:
    return tables.bitemporal(yearly(150), seals.SEAL, actor=OPERATOR)


def inside(frame: pl.DataFrame, valid: int, recorded: int) -> pl.DataFrame:
    found = frame
    for axis, t in (("valid", valid), ("recorded", recorded)):
        start, end = pl.col(f"{axis}_from"), pl.col(f"{axis}_to")
        found = found.filter(start.is_null() | (start <= t), end.is_null() | (end > t))
    return found


def test_rectangles_still_cover_both_axes_once_and_their_counts_add_up(years: pl.DataFrame) -> None:
    few = binned_rectangles(years)
    assert years.height > 300
    assert few.height <= 19 * 19
    assert few["rows"].sum() == years.height
    for valid in range(-3, 155, 4):
        for recorded in range(-3, 155, 4):
            [piece], [exact] = (inside(frame, valid, recorded).to_dicts() for frame in (few, years))
            assert piece["kind"] in (exact["kind"], "several")
            assert piece["revision_id"] in (exact["revision_id"], None)


def test_a_piece_of_one_rectangle_is_counted_once(years: pl.DataFrame) -> None:
    few = binned_rectangles(years)
    gap = few.filter(pl.col("valid_from").is_null(), kind="gap")
    assert gap["rows"].sum() == 1
    shared = few.filter(pl.col("label").str.ends_with("rectangles"))
    assert shared["revision_id"].null_count() == shared.height
    assert shared["rows"].sum() > 250


def test_few_rectangles_stay_as_they_are() -> None:
    frame = tables.bitemporal(yearly(20), seals.SEAL, actor=OPERATOR)
    assert_frame_equal(binned_rectangles(frame), frame)


def test_one_door_bins_every_frame_that_a_picture_bins(years: pl.DataFrame) -> None:
    assert_frame_equal(tables.binned(years), binned_rectangles(years))
    cells = many_cells(1000)
    assert tables.binned(cells)["rows"].sum() == cells.height
    hits = pl.DataFrame({"hit": "h", "place": range(1, 101), "word": "w", "contribution": -1.0, "score": -1.0})
    assert tables.binned(hits)["rows"].to_list() == [4] * 25
    with pytest.raises(ValueError, match="no frame of"):
        tables.binned(pl.DataFrame({"a": [1]}))
