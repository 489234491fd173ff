"""The two things that every picture is made of, drawn many at a time and read back: boxes with patterns, and marks.

One collection holds all boxes of a series and pattern, one line all marks of a kind, so that a thousand of them cost
little more than ten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from workbench.show.plots_grammar import GREY, INK, KIND_OF_HATCH, PATTERNS, lighter
from workbench.show.tables_bars import BarKind

EDGE: Final = 0.8  # points, around a box
NARROW: Final = 4.0
"""Pixels below which a box has no edge of its own: the edges would be all that is seen."""

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle from ``left`` to ``right`` and ``low`` to ``high``, with its look."""

    left: float
    right: float
    low: float
    high: float
    hatch: str | None
    fill: str
    ink: str = INK
    """What its pattern is drawn with."""
    edge: str = INK

    @property
    def middle(self) -> Place:
        """Where its name stands."""
        return (self.left + self.right) / 2, (self.low + self.high) / 2

    @property
    def kind(self) -> BarKind:
        """The kind that its pattern stands for, in pictures where patterns stand for kinds."""
        return KIND_OF_HATCH[self.hatch]


def kind_box(left: float, right: float, low: float, high: float, *, kind: BarKind, colour: str = GREY) -> Box:
    """A box in the look of its kind: filled as the pattern says, or in the colour, which is pale below a pattern."""
    pattern = PATTERNS[kind]
    fill = pattern.fill or (colour if pattern.hatch is None else lighter(colour))
    ink = colour if kind is BarKind.SUPERSEDED else pattern.ink
    return Box(left, right, low, high, pattern.hatch, fill, ink, pattern.ink)


def draw_boxes(axes: Axes, boxes: Iterable[Box], *, gid: str) -> None:
    """Draws boxes, those of one pattern as one collection; call it once the axes have their limits and place."""
    patterns: dict[str | None, list[Box]] = {}
    for box in boxes:
        patterns.setdefault(box.hatch, []).append(box)
    for hatch, found in patterns.items():
        corners = [[(b.left, b.low), (b.left, b.high), (b.right, b.high), (b.right, b.low)] for b in found]
        seen = axes.transData.transform(np.reshape(corners, (-1, 2))).reshape(-1, 4, 2)
        small = (np.ptp(seen, axis=1) < NARROW).any(axis=1)
        drawn = PolyCollection(
            corners,
            facecolors=[box.fill for box in found],
            edgecolors=[box.fill if thin else box.edge for box, thin in zip(found, small, strict=True)],
            linewidths=[0.0 if thin else EDGE for thin in small],
            hatch=hatch,
            hatchcolors=[box.ink for box in found],
            zorder=2,
        )
        drawn.set_hatch_linewidth(0.8)
        drawn.set_gid(gid)
        axes.add_collection(drawn, autolim=False)


def read_boxes(axes: Axes, *, gid: str) -> list[Box]:
    """The boxes of a series as they are drawn, by height, then from left to right; colours in six digits."""
    found: list[Box] = []
    for drawn in axes.collections:
        if drawn.get_gid() != gid or not isinstance(drawn, PolyCollection):
            continue
        fills = np.broadcast_to(drawn.get_facecolor(), (len(drawn.get_paths()), 4))
        for path, fill in zip(drawn.get_paths(), fills, strict=True):
            left, low, right, high = (float(bound) for bound in np.asarray(path.vertices)[[0, 2]].ravel())
            found.append(Box(left, right, low, high, drawn.get_hatch(), to_hex(fill).upper()))
    return sorted(found, key=lambda box: (box.middle[1], box.left, box.right))


def draw_strokes(axes: Axes, segments: Iterable[tuple[Place, Place]], *, gid: str, width: float) -> None:
    """Straight strokes from one place to another, so many points wide."""
    known = list(segments)
    if known:
        drawn = LineCollection(known, colors=INK, linewidths=width, capstyle="butt", zorder=4)
        drawn.set_gid(gid)
        axes.add_collection(drawn, autolim=False)


def draw_marks(axes: Axes, places: Iterable[Place], *, gid: str, shape: str, size: float, open_: bool = False) -> None:
    """A mark at each place: an arrow head across the picture's edge, or a ring (``open_``)."""
    known = list(places)
    if known:
        across, up = zip(*known, strict=True)
        drawn = Line2D(across, up, linestyle="none", marker=shape, markersize=size, color=INK, clip_on=open_, zorder=5)
        if open_:
            drawn.set(markerfacecolor="white", markeredgewidth=1.6)
        drawn.set_gid(gid)
        axes.add_line(drawn)


def read_marks(axes: Axes, *, gid: str) -> set[Place]:
    """Where the marks of a kind stand; of strokes, the middles."""
    found: set[Place] = set()
    for drawn in axes.collections:
        if drawn.get_gid() == gid and isinstance(drawn, LineCollection):
            for segment in drawn.get_segments():
                (x, y), (to_x, to_y) = np.asarray(segment, dtype=float)
                found.add(((float(x) + float(to_x)) / 2, (float(y) + float(to_y)) / 2))
    for line in axes.lines:
        if line.get_gid() == gid:
            found |= {(float(x), float(y)) for x, y in np.asarray(line.get_xydata(), dtype=float)}
    return found
