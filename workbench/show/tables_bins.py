"""Frames of more rows than a picture can show: rows are merged and counted, none is dropped, and a column says so."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, product
from typing import Any, Final, Literal, NamedTuple

import polars as pl

from workbench.intervals import UNBOUNDED
from workbench.show.tables_bars import ALWAYS, DECIDES, BarKind
from workbench.show.tables_composition import binned_hits
from workbench.show.tables_coverage import binned_cells
from workbench.show.tables_timeline import bound_kind, instant, time_kind
from workbench.validity.instants import TimeRule

LANES: Final = 40
"""How many lanes a picture shows one by one."""

MERGED: Final = 25
"""How many lanes a picture shows that has more: they are merged, so that it is also shorter."""

BARS: Final = 120
"""How many bars of one lane, or rectangles of one picture, are shown one by one."""

STEPS: Final = 240
"""Into how many pieces the time of a binned picture is told apart: bars closer than that are merged."""

Row = dict[str, Any]


def binned(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame that a picture draws of one of the frames here: as it is, or, of very many rows, binned.

    A binned frame has a column ``rows``: how many rows of the whole one each of its rows stands for. They add up, so
    nothing is dropped; a frame without the column is not binned. For frames of ``timeline`` and ``conflicts`` (more
    than 40 lanes, or 120 bars in one), ``bitemporal`` (more than 120 rectangles), ``coverage`` (more than 40
    configurations or regions) and ``composition`` (more than 40 hits). Raises ValueError for any other frame.

    >>> hits = pl.DataFrame({"hit": "", "place": range(1, 101), "word": "pump", "contribution": -1.0, "score": -1.0})
    >>> binned(hits).select("hit", "rows").rows()[0]
    ('places 1 to 4 (mean of 4)', 4)
    """
    ways = {
        "lane": binned_bars,
        "recorded_from": binned_rectangles,
        "elsewhere": binned_cells,
        "contribution": binned_hits,
    }
    for column, way in ways.items():
        if column in frame.columns:
            return way(frame)
    raise ValueError("this is no frame of timeline, conflicts, bitemporal, coverage or composition")


def binned_bars(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of bars in lanes as a picture can show it: with a column ``rows``, how many rows of it each bar holds.

    Given back as it is where no more than 40 lanes (``decides`` apart) and 120 bars in each are to be drawn, as
    ``rows`` is then not needed. Else neighbouring lanes are merged to at most 25, each named by its first and last
    lane with the number of both lanes and rows; within one, bars of a kind that touch, or lie closer than a 240th of
    the frame's time, become one from the first's start to the last's end, without a revision of its own where it holds
    several. The lane ``decides`` keeps every boundary. The ``rows`` add up to the frame's height.

    >>> bar = {"lane": "a", "kind": "gap", "start": 0, "end": 9, "end_kind": "instant", "label": "", "rivals": []}
    >>> binned_bars(pl.DataFrame([bar] * 120)).columns == list(bar)
    True
    >>> binned_bars(pl.DataFrame([bar] * 121)).select("lane", "start", "end", "label", "rows").rows()
    [('a (121 rows)', 0, 9, '121 rows', 121)]
    """
    lanes = [lane for lane in frame["lane"].unique(maintain_order=True) if lane != DECIDES]
    reasons = frame.filter(pl.col("lane") != DECIDES)
    most = reasons.group_by("lane").len()["len"].max()
    if len(lanes) <= LANES and (not isinstance(most, int) or most <= BARS):
        return frame
    rule = TimeRule(time_kind(frame))
    rows = [row | {"rows": 1} for row in frame.iter_rows(named=True)]
    per = -(-len(lanes) // MERGED) if len(lanes) > LANES else 1
    place = {lane: number // per for number, lane in enumerate(lanes)}
    kept = [row for row in rows if row["lane"] == DECIDES]
    near = _extent(rows, rule) // STEPS
    for number, found in groupby((row for row in rows if row["lane"] != DECIDES), key=lambda row: place[row["lane"]]):
        group = list(found)
        if per > 1 or len(group) > BARS:
            name = _name(lanes[number * per : (number + 1) * per], len(group))
            group = [row | {"lane": name} for row in _merged(group, rule, near)]
        kept += group
    return pl.DataFrame(kept, schema={**frame.schema, "rows": pl.Int64})


def _name(lanes: Sequence[str], rows: int) -> str:
    if len(lanes) == 1:
        return f"{lanes[0]} ({rows} rows)"
    return f"{lanes[0]} … {lanes[-1]} ({len(lanes)} lanes, {rows} rows)"


def _merged(rows: Iterable[Row], rule: TimeRule, near: int) -> list[Row]:
    """The bars of one lane, those of a kind that touch or nearly do as one; by their start."""
    done: list[Row] = []
    open_: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: _start(row, rule)):
        last = open_.get(row["kind"])
        if last is None or _start(row, rule) > min(_end(last, rule) + near, UNBOUNDED - 1):
            done.append(row)
            open_[row["kind"]] = row
            continue
        later = row if _end(row, rule) > _end(last, rule) else last
        count = last["rows"] + row["rows"]
        last |= {"end": later["end"], "end_kind": later["end_kind"], "rows": count, "label": f"{count} rows"}
        last |= {name: last[name] if last[name] == row[name] else None for name in ALONE if name in last}
        last["rivals"] = list(dict.fromkeys([*last["rivals"], *row["rivals"]]))
    return done


ALONE: Final = ("revision_id", "superseded_by", "row", "family", "procedure", "configuration", "region", "owner")
"""What a merged bar says only where all of its rows say the same."""


def _start(row: Row, rule: TimeRule) -> int:
    return ALWAYS if row["start"] is None else rule.read(row["start"])


def _end(row: Row, rule: TimeRule) -> int:
    return UNBOUNDED if row["end"] is None else rule.read(row["end"])


def _extent(rows: Iterable[Row], rule: TimeRule) -> int:
    known = [rule.read(row[bound]) for row in rows for bound in ("start", "end") if row[bound] is not None]
    return max(known, default=0) - min(known, default=0)


# --- valid × recorded ---------------------------------------------------------------------------------------------


def binned_rectangles(frame: pl.DataFrame, *, cuts: int = 16) -> pl.DataFrame:
    """A frame of ``tables.bitemporal`` as a picture can show it: with a column ``rows``, as in :func:`binned_bars`.

    Given back as it is up to 120 rectangles. Else both axes are cut at no more than ``cuts`` of their boundaries,
    evenly chosen, and at the first and last ones. A piece that several rectangles share has their kind, or the kind
    ``several`` where they differ, and says how many they are. Pieces side by side that show the same are one, and they
    still cover both axes. Each rectangle is counted once in ``rows``, in the first piece where it is alone, else in the
    first that it shares, so that the ``rows`` add up to the frame's height; a further part of it counts 0.
    """
    if frame.height <= BARS:
        return frame
    axes = [_Axis(frame, "valid", cuts), _Axis(frame, "recorded", cuts)]
    shared: dict[tuple[int, int], list[int]] = {}
    for number, row in enumerate(frame.iter_rows(named=True)):
        for across, up in product(*(axis.touched(row) for axis in axes)):
            shared.setdefault((across, up), []).append(number)
    levels, columns = (range(len(axis.bounds) - 1) for axis in reversed(axes))
    pieces = [_Piece((i, i + 1), (j, j + 1), tuple(shared[i, j])) for j in levels for i in columns]
    pieces = _joined(sorted(_joined(pieces, 0), key=lambda piece: (piece.across, piece.up)), 1)
    counts, counted = [0] * len(pieces), set[int]()
    for alone in (True, False):
        for number, piece in enumerate(pieces):
            if (len(piece.members) == 1) is alone:
                counts[number] = len({*piece.members} - counted)
                counted.update(piece.members)
    kinds = frame["kind"].to_list()
    made = []
    for piece, count in sorted(zip(pieces, counts, strict=True), key=lambda pair: (pair[0].up, pair[0].across)):
        said = frame.row(piece.members[0], named=True)
        if len(piece.members) > 1:
            [kind, *others] = {kinds[member] for member in piece.members}
            said |= {"kind": str(BarKind.SEVERAL) if others else kind, "revision_id": None, "rivals": list[str]()}
            said |= {"label": f"{len(piece.members)} rectangles"}
        made.append({**said, **axes[0].says(piece.across), **axes[1].says(piece.up), "rows": count})
    return pl.DataFrame(made, schema={**frame.schema, "rows": pl.Int64})


class _Piece(NamedTuple):
    """A piece of the plane between two bounds of each axis, and the rectangles that lie in it, by their numbers."""

    across: tuple[int, int]
    up: tuple[int, int]
    members: tuple[int, ...]


class _Axis:
    """One axis of rectangles, cut at some of its boundaries: the outermost ones, and others evenly chosen."""

    def __init__(self, frame: pl.DataFrame, name: str, cuts: int) -> None:
        self.name = name
        self.rule = TimeRule("logical" if frame.schema[f"{name}_from"] == pl.Int64 else "utc")
        known = sorted({bound for row in frame.iter_rows(named=True) for bound in self._span(row)})
        step = max(1, -(-(len(known) - 3) // cuts))
        self.bounds = sorted({known[0], *known[1:-1:step], *known[-2:]})

    def _span(self, row: Mapping[str, Any]) -> tuple[int, int]:
        start, end = row[f"{self.name}_from"], row[f"{self.name}_to"]
        return ALWAYS if start is None else self.rule.read(start), UNBOUNDED if end is None else self.rule.read(end)

    def touched(self, row: Mapping[str, Any]) -> range:
        """The pieces, by their number, in which a rectangle lies."""
        start, end = self._span(row)
        return range(bisect_right(self.bounds, start) - 1, bisect_left(self.bounds, end))

    def says(self, piece: tuple[int, int]) -> Row:
        """From where to where a piece reaches, in a frame's columns."""
        bounds = zip(("from", "to"), (self.bounds[number] for number in piece), strict=True)
        return {
            f"{self.name}_{bound}{column}": value
            for bound, t in bounds
            for column, value in (("", instant(self.rule, t)), ("_kind", bound_kind(t)))
        }


def _joined(pieces: Iterable[_Piece], axis: Literal[0, 1]) -> list[_Piece]:
    """Neighbouring pieces that share the same rectangles as one, along one axis; given and returned in its order."""
    joined: list[_Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        beside = last is not None and last[1 - axis] == piece[1 - axis] and last[axis][1] == piece[axis][0]
        if last is not None and beside and last.members == piece.members:
            span = (last[axis][0], piece[axis][1])
            joined[-1] = last._replace(across=span) if axis == 0 else last._replace(up=span)
        else:
            joined.append(piece)
    return joined
