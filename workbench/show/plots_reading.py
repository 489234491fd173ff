"""Reads a picture back from its artists: what a viewer sees, as a frame that can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench.show.plots_boxes import Place, read_boxes, read_marks
from workbench.show.plots_grammar import TODAY, Picture, TimeAxis
from workbench.show.plots_names import ABOVE_TOP
from workbench.show.tables_bitemporal import drawn_rectangles
from workbench.show.tables_timeline import INSTANT, UNBOUNDED_KIND, Frame, drawn_frame

CURSOR: Final = "as of"


def read_back(figure: Figure) -> Frame:
    """What a picture shows, read from its artists' places, patterns and texts, one row for each bar drawn.

    Columns as in ``tables.timeline`` where they can be seen: the lane's name at the bar's height, the kind by its
    pattern, start and end by the bar's edges and its marks, the ``label`` written at it (null where there was no room,
    or the lane's name says it), and its ``fill``. A last row ``as of`` holds the cursor and its words. A notebook's
    cell ends with it, since nbval compares tables but no pictures. A picture of ``plots.bitemporal`` is read in the
    same way, with the columns of ``tables.bitemporal``; its last rows hold the two readings and their answers. Raises
    ValueError where the drawing contradicts itself, or is none of these.

    >>> from workbench.contract import OPERATOR, Scope
    >>> from workbench.show.plots import timeline
    >>> from workbench.validity.register import Register
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> figure = timeline(Register.read("data/pump-seal"), seal, actor=OPERATOR, at=6)
    >>> read_back(figure).filter(lane="manual-A").select("kind", "start", "end", "label").rows()
    [('revision', 0, 5, None), ('superseded', 5, 10, 'superseded by bulletin-B')]
    """
    if not isinstance(figure, Picture) or figure.reader is None:
        raise ValueError("this figure was not drawn by a function of plots")
    return figure.reader(figure)


def read_timeline(figure: Picture) -> Frame:
    """What a picture of bars in lanes shows, as :func:`read_back` says."""
    axes, axis = figure.axes[0], figure.axis
    return drawn_frame([*_bars(axes, axis), *_cursor(axes, axis)], axis.kind)


def _bars(axes: Axes, axis: TimeAxis) -> Iterator[dict[str, object]]:
    texts = {_at(*text.get_position()): text.get_text() for text in axes.texts if text.get_gid() == "name"}
    names = {round(y): label.get_text() for y, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)}
    marks = {gid: {_at(*place) for place in read_marks(axes, gid=gid)} for gid in ("from", "always", "before", "on")}
    left: dict[str, set[Place]] = {gid: set(places) for gid, places in marks.items()}
    for box in sorted(read_boxes(axes, gid="bar"), key=lambda box: (round(box.middle[1]), box.left, box.right)):
        middle, lane = box.middle, names[round(box.middle[1])]
        start, end = _at(box.left, middle[1]), _at(box.right, middle[1])
        open_start, open_end = start in marks["always"], end in marks["on"]
        if not open_start and start not in marks["from"]:
            raise ValueError(f"a bar of {lane} and its mark do not stand at one place")
        for gid, place in (("from", start), ("always", start), ("before", end), ("on", end)):
            left[gid].discard(place)
        heights = (middle[1], *ABOVE_TOP) if round(middle[1]) == 0 else (middle[1],)
        label = next((text for y in heights if (text := texts.get(_at(middle[0], y)))), None)
        yield {
            "lane": lane,
            "kind": str(box.kind),
            "start": None if open_start else axis.value(box.left),
            "start_kind": UNBOUNDED_KIND if open_start else INSTANT,
            "end": None if open_end else axis.value(box.right),
            "end_kind": UNBOUNDED_KIND if open_end else INSTANT,
            "label": label,
            "fill": box.fill,
        }
    if any(left.values()):
        raise ValueError("a mark and its bar do not stand at one place")


def _cursor(axes: Axes, axis: TimeAxis) -> Iterator[dict[str, object]]:
    words = [text.get_text() for text in axes.texts if text.get_gid() == "cursor-words"]
    for line in axes.lines:
        if line.get_gid() == "cursor":
            x = float(np.asarray(line.get_xdata(), dtype=float)[0])
            yield {"lane": CURSOR, "kind": "cursor", "start": axis.value(x), "label": "".join(words)}


def _at(x: float, y: float) -> Place:
    """A place as it is compared: exactly along time, and across it to what a float's sums may differ."""
    return float(x), round(float(y), 6)


# --- valid × recorded ---------------------------------------------------------------------------------------------


def read_rectangles(figure: Picture) -> Frame:
    """What a picture of valid × recorded time shows, as :func:`read_back` says."""
    assert figure.recorded is not None, "such a picture has both axes"
    axes, across, up = figure.axes[0], figure.axis, figure.recorded
    return drawn_rectangles([*_rectangles(axes, across, up), *_readings(axes, across, up)], across.rule, up.rule)


def _rectangles(axes: Axes, across: TimeAxis, up: TimeAxis) -> Iterator[dict[str, object]]:
    texts = {text.get_position(): text.get_text() for text in axes.texts if text.get_gid() == "name"}
    marks = {gid: read_marks(axes, gid=gid) for gid in ("always", "on", "unheard", "still")}
    found = sorted(read_boxes(axes, gid="rectangle"), key=lambda box: (box.low, box.high, box.left))
    for box in found:
        row: dict[str, object] = {"kind": str(box.kind), "label": texts.get(box.middle), "fill": box.fill}
        for name, axis, place, gid, mark in (
            ("valid_from", across, box.left, "always", (box.left, box.middle[1])),
            ("valid_to", across, box.right, "on", (box.right, box.middle[1])),
            ("recorded_from", up, box.low, "unheard", (box.middle[0], box.low)),
            ("recorded_to", up, box.high, "still", (box.middle[0], box.high)),
        ):
            unbounded = mark in marks[gid]
            row[name] = None if unbounded else axis.value(place)
            row[f"{name}_kind"] = UNBOUNDED_KIND if unbounded else INSTANT
        yield row


def _readings(axes: Axes, across: TimeAxis, up: TimeAxis) -> Iterator[dict[str, object]]:
    figure = axes.get_figure()
    texts = {str(text.get_gid()): text.get_text() for text in figure.texts} if figure else {}
    for line in axes.lines:
        prefix, _, reading = str(line.get_gid()).partition("-")
        if prefix == "point":
            x, y = (float(place) for place in np.asarray(line.get_xydata(), dtype=float)[0])
            then = None if reading == TODAY else up.value(y)
            yield {
                "kind": reading,
                "valid_from": across.value(x),
                "recorded_from": then,
                "label": texts.get(f"words-{reading}"),
            }
