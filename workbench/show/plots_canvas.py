"""Where a timeline is drawn: lanes from top to bottom, the axis of time with its boundaries, title and legend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from workbench.errors import visible
from workbench.show import plots_grammar as grammar
from workbench.show.plots_grammar import GREY, INK, PATTERNS, Picture, TimeAxis, picture, plain, width_of
from workbench.show.tables_bars import DECIDES, BarKind
from workbench.show.tables_timeline import Frame, time_kind

WIDTH: Final = 10.5  # inches, as the next four
LANE: Final = 0.42
ABOVE: Final = 0.36
BELOW: Final = 0.98
EDGE: Final = 0.45
HEAD: Final = 1.75  # lanes above the first one: names without room in their bars, and the cursor's words
FOOT: Final = 0.72  # lanes below the last one's middle
DAY: Final = 86_400_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class Cursor:
    """The instant that is asked about, and the decision in words."""

    at: object
    words: str


@dataclass(frozen=True, slots=True)
class Canvas:
    """The empty picture of a timeline, and how its frame's rows become places on it."""

    figure: Picture
    axes: Axes
    axis: TimeAxis
    bars: list[dict[str, Any]]
    lanes: list[str]
    paint: Mapping[str, str]
    left: float
    right: float

    def span(self, bar: Mapping[str, Any]) -> tuple[float, float]:
        """Where a bar is drawn from and to; one without start or end reaches the picture's edge."""
        start = self.left if bar["start"] is None else self.axis.place(bar["start"])
        end = self.right if bar["end"] is None else self.axis.place(bar["end"])
        return start, end

    def lane(self, bar: Mapping[str, Any]) -> int:
        """The lane's number from the top."""
        return self.lanes.index(bar["lane"])

    def colour(self, bar: Mapping[str, Any]) -> str:
        """The revision's colour; grey for a bar without one."""
        return self.paint.get(bar["revision_id"], GREY)

    def pixels(self, x: float) -> float:
        """Where a coordinate lies in the picture, in pixels from its left edge."""
        return float(self.axes.transData.transform((x, 0))[0])

    def at_pixel(self, pixel: float) -> float:
        """The coordinate so many pixels from the picture's left edge."""
        return float(self.axes.transData.inverted().transform((pixel, 0))[0])

    @property
    def edge(self) -> float:
        """The picture's right edge in pixels."""
        return float(self.figure.bbox.width) - 4

    def finish(self, *, title: str, note: str, nameless: int) -> None:
        """Writes the words around the bars: title and note, boundaries, what the marks mean, what found no room."""
        _title(self, title, note)
        written, known = _boundaries(self)
        name = self.axis.name
        if written < known:
            name += f" ({written} of {known} boundaries are labelled)"
        if nameless:
            name += f" ({nameless} names of the top lane found no room)"
        self.axes.set_xlabel(name, fontsize=9, color=GREY, labelpad=4)
        _legend(self)


def canvas(
    frame: Frame, *, subject: str, zone: str, cursor: Cursor | None, colours: Mapping[str, str] | None
) -> Canvas:
    """The empty picture for a timeline's frame: high enough for its lanes, wide enough for their names."""
    bars = list(frame.iter_rows(named=True))
    lanes = list(dict.fromkeys(bar["lane"] for bar in bars))
    height = ABOVE + (HEAD + len(lanes) - 1 + FOOT) * LANE + BELOW
    words = f"; {cursor.words}" if cursor else ""
    figure = picture(WIDTH, height, f"{subject}, {len(bars)} bars{words}")
    axis, left, right = _axis(frame, bars, cursor, zone)
    figure.axis = axis
    axes = figure.add_axes((0.2, BELOW / height, 0.7, 1 - (ABOVE + BELOW) / height))
    axes.set_xlim(left, right)
    axes.set_ylim(len(lanes) - 1 + FOOT, -HEAD)
    for side in ("left", "top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_yticks(range(len(lanes)), [visible(lane) for lane in lanes], fontsize=10)
    axes.tick_params(axis="y", length=0, pad=16)
    widest = 0.0
    for lane, label in zip(lanes, axes.get_yticklabels(), strict=True):
        plain(label)
        label.set_fontweight("bold" if lane == DECIDES else "normal")
        for size in (9, 8, 7, 6):
            if width_of(figure, label) > 0.3 * figure.bbox.width:
                label.set_fontsize(size)
        widest = max(widest, width_of(figure, label))
    start = widest / figure.bbox.width + 0.35 / WIDTH
    axes.set_position((start, BELOW / height, 1 - EDGE / WIDTH - start, 1 - (ABOVE + BELOW) / height))
    paint = dict(grammar.colours(bar["revision_id"] for bar in bars), **(colours or {}))
    return Canvas(figure, axes, axis, bars, lanes, paint, left, right)


def _axis(frame: Frame, bars: list[dict[str, Any]], cursor: Cursor | None, zone: str) -> tuple[TimeAxis, float, float]:
    kind = time_kind(frame)
    counted = TimeAxis(kind, 0)
    known = [counted.rule.read(bar[end]) for bar in bars for end in ("start", "end") if bar[end] is not None]
    if cursor is not None:
        known.append(counted.rule.read(cursor.at))
    first, last = min(known, default=0), max(known, default=0)
    span = float(last - first) or (5.0 if kind == "logical" else 30.0 * DAY)
    return TimeAxis(kind, first, zone), -0.09 * span, float(last - first) + 0.26 * span


def _boundaries(on: Canvas) -> tuple[int, int]:
    """Ticks at every boundary, with labels as long as they do not overlap; gives how many are labelled, of how many."""
    known = sorted({bar[end] for bar in on.bars for end in ("start", "end") if bar[end] is not None})
    places = [on.axis.place(value) for value in known]
    labels, until, written = on.axis.labels(known), float("-inf"), 0
    probe = plain(on.figure.text(0, 0, "", fontsize=9.5))
    for number, place in enumerate(places):
        probe.set_text(labels[number])
        half = width_of(on.figure, probe) / 2
        if on.pixels(place) - half < until:
            labels[number] = ""
        else:
            until, written = on.pixels(place) + half + 5, written + 1
    probe.remove()
    on.axes.set_xticks(places, labels, fontsize=9.5)
    on.axes.tick_params(axis="x", length=5, color=GREY)
    for place in places:
        on.axes.axvline(place, color="#D0D0D0", linewidth=0.8, zorder=0)
    return written, len(known)


def _title(on: Canvas, title: str, note: str) -> None:
    box = on.axes.get_position()
    top = 1 - 0.5 * ABOVE / on.figure.get_size_inches()[1]
    head = plain(on.figure.text(box.x0, top, title, fontsize=12, va="center", color=INK))
    if note:
        after = box.x0 + (width_of(on.figure, head) + 12) / on.figure.bbox.width
        plain(on.figure.text(after, top, note, fontsize=10, va="center", color=GREY, fontstyle="italic"))


def _legend(on: Canvas) -> None:
    """What the marks and patterns mean, as far as the picture shows them."""
    gids = {str(child.get_gid() or "").split("-")[0] for child in on.axes.get_children()}
    keys: list[Line2D | Patch] = []
    if "from" in gids:
        keys.append(_key("|", 11, "from (included)"))
    if "before" in gids:
        keys.append(_key("o", 7, "until (excluded)"))
    if "on" in gids or "always" in gids:
        keys.append(_key(">", 8, "unbounded"))
    kinds = dict.fromkeys(BarKind(bar["kind"]) for bar in on.bars)
    for kind in (kind for kind in kinds if kind is not BarKind.REVISION):
        pattern = PATTERNS[kind]
        face = pattern.fill or "#FFFFFF"
        keys.append(Patch(facecolor=face, edgecolor=pattern.ink, hatch=pattern.hatch, label=pattern.name, lw=0.8))
    on.figure.legend(
        handles=keys,
        loc="lower left",
        bbox_to_anchor=(on.axes.get_position().x0 - 0.01, 0.01),
        ncols=len(keys) or 1,
        fontsize=8.5,
        frameon=False,
        labelcolor=GREY,
        handletextpad=0.4,
        columnspacing=1.3,
        borderpad=0,
    )


def _key(marker: str, size: float, label: str) -> Line2D:
    key = Line2D([], [], marker=marker, markersize=size, color=INK, linestyle="none", label=label)
    key.set_markeredgewidth(2.6 if marker == "|" else 1.6)
    key.set_markerfacecolor("white" if marker == "o" else INK)
    return key
