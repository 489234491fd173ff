"""Valid × recorded time as a picture: rectangles over both axes, and the two questions as two readings of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from workbench.contract import Actor, Clock, Operator, Request, Scope
from workbench.show import plots_grammar as grammar
from workbench.show.plots_around import ABOVE, BELOW, axis_over, boundaries, write_legend, write_title
from workbench.show.plots_boxes import Box, Place, draw_boxes, draw_marks, draw_strokes, kind_box
from workbench.show.plots_grammar import (
    GREY,
    INK,
    MANY,
    PATTERNS,
    THEN,
    TODAY,
    Picture,
    TimeAxis,
    ink_on,
    picture,
    plain,
    width_of,
)
from workbench.show.plots_reading import read_rectangles
from workbench.show.tables_bars import BarKind, Seen, seen_by
from workbench.show.tables_bins import binned_rectangles
from workbench.show.tables_bitemporal import bitemporal_frame
from workbench.show.tables_timeline import UNBOUNDED_KIND
from workbench.validity.instants import TimeRule
from workbench.validity.register import Register

WIDTH: Final = 10.5  # inches
HEIGHT: Final = 3.6
LINE: Final = 14  # pixels, of a name's height
HEAD: Final = 0.72  # inches over the rectangles, for the two answers in words


def bitemporal(
    register: Register,
    scope: Scope,
    *,
    actor: Actor | Operator,
    at: object = None,
    known_at: object = None,
    tenant: str | None = None,
    clock: Clock | None = None,
    note: str = "",
    colours: Mapping[str, str] | None = None,
) -> Picture:
    """What the register says of each valid time, as known at each recorded time: draws ``tables.bitemporal``.

    Valid time runs to the right, recorded time upwards. ``at`` is a vertical line. Where it meets the top edge stands
    what applies by the register *as corrected today*; where it meets the horizontal line ``known_at``, what could have
    been known *then*: both as points, and in words above, each the decision's repr. ``note``, ``colours``, ``tenant``
    and the zones are as in ``plots.timeline``. Contract 3.2, 3.6; S1 on valid and transaction time.

    >>> from workbench.contract import OPERATOR
    >>> register = Register.read("data/pump-seal-corrected")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> figure = bitemporal(register, seal, actor=OPERATOR, at=6, known_at=6)
    >>> from workbench.show.plots_reading import read_back
    >>> for kind, label in read_back(figure).select("kind", "label").rows()[-2:]:
    ...     print(kind, label)
    as known then Decision(RESOLVED manual-A [0,10) at 6, en, historical)
    as corrected today Decision(RESOLVED bulletin-B [5,10) at 6, en, historical)
    """
    seen = seen_by(register, scope, actor, tenant=tenant)
    frame = bitemporal_frame(seen)
    drawn = binned_rectangles(frame)
    rows = list(drawn.iter_rows(named=True))
    asked = _asked(seen, at, known_at, clock)
    words = "".join(f"; {reading}: {decision}" for reading, (_, _, decision) in asked.items())
    figure = picture(WIDTH, ABOVE + HEAD + HEIGHT + BELOW, f"{scope!r}, {len(rows)} rectangles{words}")
    axes = _axes(figure, register, rows, asked)
    if drawn.height != frame.height:
        said = f"binned: {frame.height:,} rectangles are drawn as {drawn.height:,}, which say how many they hold"
        axes.set_xlabel(f"{axes.get_xlabel()} · {said}")
        figure.subject += f"; {said}"
    in_time = frame.sort("valid_from", "revision_id", nulls_last=False)["revision_id"]  # as the lanes of a timeline
    paint = {**grammar.colours(in_time), **(colours or {})}
    _rectangles(figure, axes, rows, paint, of=frame.height)
    for line, (reading, (valid, recorded, decision)) in enumerate(asked.items()):
        _reading(figure, axes, line, reading, valid, recorded, decision)
    write_title(figure, axes, " · ".join(part or "?" for part in scope.parts()), note)
    write_legend(figure, axes, (BarKind(row["kind"]) for row in rows))
    figure.reader = read_rectangles
    return figure


Asked = dict[str, tuple[object, object, str]]
"""A reading's name, its valid and recorded time (``None``: today), and the decision in words."""


def _asked(seen: Seen, at: object, known_at: object, clock: Clock | None) -> Asked:
    if at is None:
        return {}
    settings = seen.register.settings
    found: Asked = {}
    for reading, known in ((THEN, known_at), (TODAY, None)):
        if reading == TODAY or known is not None:
            decision = seen.register.resolve(Request(seen.scope, at=at, known_at=known), seen.reader, clock=clock)
            when = None if known is None else settings.recorded.public(settings.recorded.read(known))
            found[reading] = (settings.valid.public(settings.valid.read(at)), when, repr(decision))
    return found


def _axes(figure: Picture, register: Register, rows: list[dict[str, Any]], asked: Asked) -> Axes:
    settings, height = register.settings, ABOVE + HEAD + HEIGHT + BELOW
    axes = figure.add_axes((0.13, BELOW / height, 0.83, HEIGHT / height))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axis, low, high = _extent("valid", settings.valid, rows, [valid for valid, _, _ in asked.values()])
    figure.axis = axis
    axes.set_xlim(low, high)
    up, low, high = _extent("recorded", settings.recorded, rows, [recorded for _, recorded, _ in asked.values()])
    figure.recorded = up
    axes.set_ylim(low, high)
    said = boundaries(figure, axes, axis, _values("valid", rows), "x")
    axes.set_xlabel(f"valid: {said}", fontsize=9, color=GREY, labelpad=4)
    said = boundaries(figure, axes, up, _values("recorded", rows), "y")
    axes.set_ylabel(f"recorded: {said}", fontsize=9, color=GREY, labelpad=4)
    return axes


def _values(name: str, rows: Iterable[Mapping[str, Any]]) -> list[Any]:
    bounds = [row[f"{name}_{bound}"] for row in rows for bound in ("from", "to")]
    return [value for value in bounds if value is not None]


def _extent(
    name: str, rule: TimeRule, rows: Iterable[Mapping[str, Any]], asked: Iterable[object]
) -> tuple[TimeAxis, float, float]:
    values = [*_values(name, rows), *(value for value in asked if value is not None)]
    return axis_over(rule.kind, values, rule.days.zone if rule.days else "UTC")


def _rectangles(
    figure: Picture, axes: Axes, rows: Sequence[Mapping[str, Any]], paint: Mapping[str, str], *, of: int
) -> None:
    assert figure.recorded is not None, "the axes are there before what stands on them"
    boxes = []
    for row in rows:
        across = _reach(figure.axis, row["valid_from"], row["valid_to"], axes.get_xlim())
        up = _reach(figure.recorded, row["recorded_from"], row["recorded_to"], axes.get_ylim())
        boxes.append(
            kind_box(
                *across,
                *up,
                kind=BarKind(row["kind"]),
                colour=paint.get(row["revision_id"], MANY if len(rows) < of else GREY),
            )
        )
    draw_boxes(axes, boxes, gid="rectangle")
    both = list(zip(rows, boxes, strict=True))
    width = 2.2 if len(rows) == of else 1.0
    begun = [((box.left, box.low), (box.left, box.high)) for row, box in both if row["valid_from"] is not None]
    draw_strokes(axes, begun, gid="from", width=width)
    heard = [((box.left, box.low), (box.right, box.low)) for row, box in both if row["recorded_from"] is not None]
    draw_strokes(axes, heard, gid="since", width=width)
    for bound, shape, gid in (
        ("valid_from", "<", "always"),
        ("valid_to", ">", "on"),
        ("recorded_from", "v", "unheard"),
        ("recorded_to", "^", "still"),
    ):
        open_ = [box for row, box in both if row[f"{bound}_kind"] == UNBOUNDED_KIND]
        draw_marks(axes, [_side(box, gid) for box in open_], gid=gid, shape=shape, size=8)
    for row, box in both:
        _name(figure, axes, str(row["label"]), box)


def _side(box: Box, gid: str) -> Place:
    """The middle of that side of a box which a mark stands at."""
    across, up = box.middle
    return {"always": (box.left, up), "on": (box.right, up), "unheard": (across, box.low), "still": (across, box.high)}[
        gid
    ]


def _name(figure: Picture, axes: Axes, label: str, box: Box) -> None:
    """Writes what a rectangle says into it, upright where that has more room, or not at all."""
    corners = axes.transData.transform([(box.left, box.low), (box.right, box.high)])
    wide, high = (float(length) for length in corners[1] - corners[0])
    if max(wide, high) < 3 * LINE or min(wide, high) < LINE:
        return
    solid = box.kind is BarKind.REVISION
    ink = ink_on(box.fill) if solid else PATTERNS[box.kind].ink
    words = plain(axes.text(*box.middle, label, ha="center", va="center", color=ink, zorder=6, fontsize=9, gid="name"))
    if solid:
        words.set_fontweight("bold")
    else:
        words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    long = width_of(figure, words)
    if long > wide - 8:
        words.set_rotation(90)
        if long > high - 8:
            words.remove()


def _reach(axis: TimeAxis, start: object, end: object, limits: tuple[float, float]) -> tuple[float, float]:
    return (
        limits[0] if start is None else axis.place(start),
        limits[1] if end is None else axis.place(end),
    )


def _reading(
    figure: Picture, axes: Axes, line: int, reading: str, valid: object, recorded: object, decision: str
) -> None:
    """One question: its line, the point where it meets the valid time, and its answer in words above the picture."""
    assert figure.recorded is not None, "the axes are there before what stands on them"
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    x, y = figure.axis.place(valid), high if recorded is None else figure.recorded.place(recorded)
    shape = "D" if recorded is None else "o"
    level = Line2D([left, right], [y, y], color=INK, linewidth=1.6, zorder=7, clip_on=False)
    level.set_linestyle("solid" if recorded is None else (0, (4, 3)))
    point = Line2D([x], [y], marker=shape, markersize=10, color=INK, markerfacecolor="white", zorder=8, clip_on=False)
    point.set_markeredgewidth(2)
    upright = Line2D([x, x], [low, high], color=INK, linewidth=1.2, linestyle=(0, (1, 2)), zorder=7)
    for artist, gid in ((level, "level"), (point, "point"), (upright, "upright")):
        artist.set_gid(f"{gid}-{reading}")
        axes.add_line(artist)
    place = axes.get_position()
    top = place.y1 + (0.52 - 0.24 * line) / figure.get_size_inches()[1]
    said = " ".join(figure.recorded.labels([recorded])[0].split()) if recorded is not None else ""
    key = f"{'○' if recorded is not None else '◇'} as known at {said}:" if recorded is not None else f"◇ {reading}:"
    head = plain(figure.text(place.x0, top, key, fontsize=9.5, va="center", color=GREY))
    after = place.x0 + (width_of(figure, head) + 8) / figure.bbox.width
    words = plain(figure.text(after, top, decision, fontsize=9.5, va="center", color=INK, fontweight="bold"))
    for size in (9, 8, 7):
        if after * figure.bbox.width + width_of(figure, words) > figure.bbox.width - 6:
            words.set_fontsize(size)
    words.set_gid(f"words-{reading}")
