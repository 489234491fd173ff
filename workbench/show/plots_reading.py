"""Reads a picture back from its artists: what a viewer sees, as a frame that can be compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from workbench.show.plots_grammar import KIND_OF_HATCH, TODAY, Picture, TimeAxis
from workbench.show.tables_bitemporal import drawn_rectangles
from workbench.show.tables_timeline import INSTANT, UNBOUNDED_KIND, Frame, drawn_frame

CURSOR = "as of"


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
    if not isinstance(figure, Picture) or len(figure.axes) != 1:
        raise ValueError("this figure was not drawn by a function of plots")
    axes, axis = figure.axes[0], figure.axis
    if figure.recorded is not None:
        up = figure.recorded
        return drawn_rectangles([*_rectangles(axes, axis, up), *_readings(axes, axis, up)], axis.rule, up.rule)
    rows = [*_bars(axes, axis), *_cursor(axes, axis)]
    return drawn_frame(rows, axis.kind)


def _bars(axes: Axes, axis: TimeAxis) -> Iterator[dict[str, object]]:
    lines = {str(line.get_gid()): line for line in axes.lines}
    texts = {str(text.get_gid()): text for text in axes.texts}
    names = {round(y): label.get_text() for y, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)}
    for patch in axes.patches:
        prefix, _, number = str(patch.get_gid()).partition("-")
        if prefix != "bar" or not isinstance(patch, Rectangle):
            continue
        start, end = patch.get_x(), patch.get_x() + patch.get_width()
        open_start, open_end = f"always-{number}" in lines, f"on-{number}" in lines
        for mark, edge in (("from", start), ("always", start), ("before", end), ("on", end)):
            if f"{mark}-{number}" in lines and _x(lines[f"{mark}-{number}"]) != edge:
                raise ValueError(f"bar {number} and its mark do not stand at one place")
        text = texts.get(f"name-{number}")
        yield {
            "lane": names[round(patch.get_y() + patch.get_height() / 2)],
            "kind": str(KIND_OF_HATCH[patch.get_hatch()]),
            "start": None if open_start else axis.value(start),
            "start_kind": UNBOUNDED_KIND if open_start else INSTANT,
            "end": None if open_end else axis.value(end),
            "end_kind": UNBOUNDED_KIND if open_end else INSTANT,
            "label": text.get_text() if isinstance(text, Text) else None,
            "fill": to_hex(patch.get_facecolor()).upper(),
        }


def _cursor(axes: Axes, axis: TimeAxis) -> Iterator[dict[str, object]]:
    words = [text.get_text() for text in axes.texts if text.get_gid() == "cursor-words"]
    for line in axes.lines:
        if line.get_gid() == "cursor":
            yield {"lane": CURSOR, "kind": "cursor", "start": axis.value(_x(line)), "label": "".join(words)}


def _x(line: Line2D) -> float:
    return _xy(line)[0]


def _xy(line: Line2D) -> tuple[float, float]:
    x, y = np.asarray(line.get_xydata(), dtype=float)[0]
    return float(x), float(y)


# --- valid × recorded ---------------------------------------------------------------------------------------------


def _rectangles(axes: Axes, across: TimeAxis, up: TimeAxis) -> Iterator[dict[str, object]]:
    marks = {str(line.get_gid()) for line in axes.lines}
    texts = {str(text.get_gid()): text.get_text() for text in axes.texts}
    for patch in axes.patches:
        prefix, _, number = str(patch.get_gid()).partition("-")
        if prefix != "rectangle" or not isinstance(patch, Rectangle):
            continue
        row: dict[str, object] = {
            "kind": str(KIND_OF_HATCH[patch.get_hatch()]),
            "label": texts.get(f"name-{number}"),
            "fill": to_hex(patch.get_facecolor()).upper(),
        }
        for name, axis, place, mark in (
            ("valid_from", across, patch.get_x(), "always"),
            ("valid_to", across, patch.get_x() + patch.get_width(), "on"),
            ("recorded_from", up, patch.get_y(), "unheard"),
            ("recorded_to", up, patch.get_y() + patch.get_height(), "still"),
        ):
            unbounded = f"{mark}-{number}" in marks
            row[name] = None if unbounded else axis.value(place)
            row[f"{name}_kind"] = UNBOUNDED_KIND if unbounded else INSTANT
        yield row


def _readings(axes: Axes, across: TimeAxis, up: TimeAxis) -> Iterator[dict[str, object]]:
    figure = axes.get_figure()
    texts = {str(text.get_gid()): text.get_text() for text in figure.texts} if figure else {}
    for line in axes.lines:
        prefix, _, reading = str(line.get_gid()).partition("-")
        if prefix == "point":
            x, y = _xy(line)
            then = None if reading == TODAY else up.value(y)
            yield {
                "kind": reading,
                "valid_from": across.value(x),
                "recorded_from": then,
                "label": texts.get(f"words-{reading}"),
            }
