"""What the bars of a picture in lanes say: into them where there is room, else above the top lane."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final

from workbench.show.plots_boxes import Box
from workbench.show.plots_canvas import Canvas
from workbench.show.plots_grammar import PATTERNS, ink_on, plain, width_of
from workbench.show.tables_bars import DECIDES, BarKind
from workbench.show.tables_bins import BARS

ABOVE_TOP: Final = (-0.52, -0.88)
"""The heights of the two lines of names above the first lane, in lanes."""

LEAST: Final = 6
"""Pixels below which no name fits, so that none is measured."""

Bar = Mapping[str, Any]
"""A row of the frame."""


def write_names(on: Canvas, boxes: Sequence[Box]) -> int:
    """Writes what each bar says into it, or above the top lane where there is no room; gives how many found none.

    Above a lane of very many bars nothing is written: the few names that fit would be there by chance.
    """
    taken = [0.0, 0.0]  # how far the two lines above the first lane are written, in pixels
    nameless, crowded = 0, sum(bar["lane"] == DECIDES for bar in on.bars) > BARS
    for bar, box in zip(on.bars, boxes, strict=True):
        top = bar["lane"] == DECIDES
        if not top and box.kind is BarKind.REVISION and bar["revision_id"] is not None:
            continue  # the lane's own name says it
        if not write_inside(on, bar, box) and (not top or crowded or not _above(on, bar, box, taken)):
            nameless += top
    return nameless


def write_inside(on: Canvas, bar: Bar, box: Box, *, shorter: bool = True) -> bool:
    """Writes what a bar says into it, or a shorter form of that; gives whether there was room."""
    room = on.pixels(box.right) - on.pixels(box.left) - 8
    if room < LEAST:
        return False
    solid = box.kind is BarKind.REVISION
    ink = ink_on(box.fill) if solid else PATTERNS[box.kind].ink
    words = on.axes.text(*box.middle, "", ha="center", va="center", fontsize=9, color=ink, zorder=6, gid="name")
    if solid:
        words.set_fontweight("bold")
    else:
        words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    for text, size in itertools.product(on.names(bar)[: None if shorter else 1], (9, 8)):
        words.set_text(text)
        plain(words).set_fontsize(size)
        if width_of(on.figure, words) <= room:
            return True
    words.remove()
    return False


def _above(on: Canvas, bar: Bar, box: Box, taken: list[float]) -> bool:
    across = box.middle[0]
    if min(taken) + LEAST > on.pixels(across):
        return False  # both lines are full up to here, and measuring a text is what costs
    for text, line in itertools.product(dict.fromkeys(on.names(bar)), range(len(taken))):
        words = plain(on.axes.text(across, ABOVE_TOP[line], text, ha="center", va="center", gid="name"))
        words.set(fontsize=8, color=PATTERNS[box.kind].ink, zorder=8)
        words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})
        half = width_of(on.figure, words) / 2
        middle = on.pixels(across)
        if middle - half >= max(taken[line] + 6, on.pixels(on.left) if line else 0) and middle + half <= on.edge:
            taken[line] = middle + half
            return True
        words.remove()
    return False
