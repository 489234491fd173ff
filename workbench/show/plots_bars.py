"""The bars of a picture in lanes, and the marks at their ends."""

from __future__ import annotations

from typing import Final

import numpy as np

from workbench.show.plots_boxes import Box, Place, draw_boxes, draw_marks, draw_strokes, kind_box
from workbench.show.plots_canvas import Canvas
from workbench.show.tables_bars import BarKind
from workbench.show.tables_timeline import UNBOUNDED_KIND

THICK: Final = 0.54
"""How much of a lane its bars fill."""


def draw_bars(on: Canvas) -> list[Box]:
    """Draws every bar with its stroke, ring or arrow heads; gives them as boxes, in the frame's order."""
    boxes = _boxes(on)
    draw_boxes(on.axes, boxes, gid="bar")
    strokes: list[tuple[Place, Place]] = []
    marks: dict[str, list[Place]] = {"always": [], "on": [], "before": []}
    for bar, box in zip(on.bars, boxes, strict=True):
        middle = box.middle[1]
        if bar["start"] is None:
            marks["always"].append((box.left, middle))
        else:
            reach = (box.high - box.low) / 2 + 0.07
            strokes.append(((box.left, middle - reach), (box.left, middle + reach)))
        if bar["end_kind"] == UNBOUNDED_KIND:
            marks["on"].append((box.right, middle))
        elif not on.met(bar):
            marks["before"].append((box.right, middle))
    draw_strokes(on.axes, strokes, gid="from", width=_stroke(on, boxes))
    draw_marks(on.axes, marks["always"], gid="always", shape="<", size=10)
    draw_marks(on.axes, marks["on"], gid="on", shape=">", size=10)
    draw_marks(on.axes, marks["before"], gid="before", shape="o", size=7, open_=True)
    return boxes


def _boxes(on: Canvas) -> list[Box]:
    """Each bar in its place: bars of one lane that overlap (two rows of one revision) share its height."""
    tracks: list[int] = []
    ends: dict[str, list[float]] = {}
    for bar in on.bars:
        start, end = on.span(bar)
        taken = ends.setdefault(bar["lane"], [])
        track = next((n for n, until in enumerate(taken) if until <= start), len(taken))
        taken[track : track + 1] = [end]
        tracks.append(track)
    boxes = []
    for bar, track in zip(on.bars, tracks, strict=True):
        height = THICK / len(ends[bar["lane"]])
        low = on.lane(bar) - THICK / 2 + height * track
        boxes.append(kind_box(*on.span(bar), low, low + height, kind=BarKind(bar["kind"]), colour=on.colour(bar)))
    return boxes


def _stroke(on: Canvas, boxes: list[Box]) -> float:
    """How wide a stroke is drawn, in points: thinner where bars are so narrow that nothing else would be seen."""
    if not boxes:
        return 2.6
    wide = on.pixels(1) - on.pixels(0)
    usual = float(np.median([box.right - box.left for box in boxes])) * wide * 72 / on.figure.dpi
    return min(2.6, max(0.1, usual / 3))
