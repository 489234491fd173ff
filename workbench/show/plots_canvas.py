"""Where a timeline is drawn: lanes from top to bottom, the axis of time with its boundaries, title and legend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from matplotlib.axes import Axes

from workbench.errors import visible
from workbench.show import plots_grammar as grammar
from workbench.show.plots_around import ABOVE, BELOW, axis_over, boundaries, short_names, write_legend, write_title
from workbench.show.plots_grammar import GREY, MANY, Picture, TimeAxis, picture, plain, width_of
from workbench.show.tables_bars import DECIDES, BarKind
from workbench.show.tables_timeline import Frame, time_kind

WIDTH: Final = 10.5  # inches, as the next two
LANE: Final = 0.42
EDGE: Final = 0.45
HEAD: Final = 1.75  # lanes above the first one: names without room in their bars, and the cursor's words
FOOT: Final = 0.72  # lanes below the last one's middle


SHORT: Final = {
    BarKind.GAP: ("nothing applies", "none"),
    BarKind.UNKNOWN: ("successor unknown", "unknown"),
    BarKind.UNAVAILABLE: ("unavailable",),
}


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
    lanes: Mapping[str, int]
    paint: Mapping[str, str]
    short: Mapping[str, str]
    begun: frozenset[tuple[str, object]]
    left: float
    right: float
    said: str

    def span(self, bar: Mapping[str, Any]) -> tuple[float, float]:
        """Where a bar is drawn from and to; one without start or end reaches the picture's edge."""
        start = self.left if bar["start"] is None else self.axis.place(bar["start"])
        end = self.right if bar["end"] is None else self.axis.place(bar["end"])
        return start, end

    def lane(self, bar: Mapping[str, Any]) -> int:
        """The lane's number from the top."""
        return self.lanes[bar["lane"]]

    def met(self, bar: Mapping[str, Any]) -> bool:
        """Whether another bar of the lane begins where this one ends."""
        return (bar["lane"], bar["end"]) in self.begun

    def colour(self, bar: Mapping[str, Any]) -> str:
        """The revision's colour; grey for a bar without one, or of several."""
        return self.paint.get(bar.get("revision_id") or "", MANY if bar.get("rows", 1) > 1 else GREY)

    def names(self, bar: Mapping[str, Any]) -> tuple[str, ...]:
        """What can be written into a bar, the longest first; a short name is what tells it from the other lanes."""
        kind = BarKind(bar["kind"])
        if bar.get("rows", 1) > 1:
            return (bar["label"], str(bar["rows"]))
        if kind is BarKind.REVISION:
            return (bar["label"], self.short[bar["revision_id"]])
        if kind is BarKind.CONFLICT:
            return (bar["label"], f"conflict {', '.join(self.short.get(rival, rival) for rival in bar['rivals'])}")
        return SHORT.get(kind, (bar["label"],))

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
        write_title(self.figure, self.axes, title, note)
        found = [(bar["kind"], bar[end]) for bar in self.bars for end in ("start", "end") if bar[end] is not None]
        worst = [value for kind, value in found if kind == BarKind.CONFLICT]
        name = boundaries(self.figure, self.axes, self.axis, [value for _, value in found], "x", first=worst)
        if nameless:
            name += f" ({nameless} names of the top lane found no room)"
        name += f"\n{self.said}" if self.said else ""
        self.axes.set_xlabel(name, fontsize=9, color=GREY, labelpad=4)
        write_legend(self.figure, self.axes, (BarKind(bar["kind"]) for bar in self.bars))


def canvas(
    frame: Frame,
    *,
    subject: str,
    zone: str = "UTC",
    cursor: Cursor | None = None,
    colours: Mapping[str, str] | None = None,
    of: Frame | None = None,
    head: float = HEAD,
    right: float = EDGE,
) -> Canvas:
    """The empty picture for a frame of bars: high enough for its lanes, wide enough for their names.

    ``of`` is the frame before it was binned; ``head`` is the room above the first lane, in lanes, and ``right`` that
    beside the last bar, in inches.
    """
    bars = list(frame.iter_rows(named=True))
    lanes = list(dict.fromkeys(bar["lane"] for bar in bars))
    said = _said(frame, of) if of is not None and of.height != frame.height else ""
    below = BELOW + (0.2 if said else 0)
    height = ABOVE + (head + len(lanes) - 1 + FOOT) * LANE + below
    words = f"; {cursor.words}" if cursor else ""
    figure = picture(WIDTH, height, f"{subject}, {len(bars)} bars{words}{'; ' * bool(said)}{said}")
    known = [bar[end] for bar in bars for end in ("start", "end") if bar[end] is not None]
    axis, left, end = axis_over(time_kind(frame), [*known, *([cursor.at] if cursor else [])], zone)
    figure.axis = axis
    axes = figure.add_axes((0.2, below / height, 0.7, 1 - (ABOVE + below) / height))
    axes.set_xlim(left, end)
    axes.set_ylim(len(lanes) - 1 + FOOT, -head)
    for side in ("left", "top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_yticks(range(len(lanes)), [visible(lane) for lane in lanes], fontsize=10)
    axes.tick_params(axis="y", length=0, pad=16)
    labels = axes.get_yticklabels()
    for lane, label in zip(lanes, labels, strict=True):
        plain(label).set_fontweight("bold" if lane == DECIDES else "normal")
    widest = 0.0
    for size in (10, 9, 8, 7, 6):
        for label in labels:
            label.set_fontsize(size)
        widest = max((width_of(figure, label) for label in labels), default=0.0)
        if widest <= 0.3 * figure.bbox.width:
            break
    start = widest / figure.bbox.width + 0.35 / WIDTH
    axes.set_position((start, below / height, 1 - right / WIDTH - start, 1 - (ABOVE + below) / height))
    named = [bar["revision_id"] for bar in bars if bar.get("revision_id")]
    paint = dict(grammar.colours(named), **(colours or {}))
    return Canvas(
        figure,
        axes,
        axis,
        bars,
        lanes={lane: number for number, lane in enumerate(lanes)},
        paint=paint,
        short=short_names(named),
        begun=frozenset((bar["lane"], bar["start"]) for bar in bars),
        left=left,
        right=end,
        said=said,
    )


def _said(drawn: Frame, of: Frame) -> str:
    """How a frame was binned, in words."""
    lanes, left = (frame.filter(frame["lane"] != DECIDES) for frame in (of, drawn))
    told = f"binned: {lanes.height:,} rows of {lanes['lane'].n_unique():,} lanes are drawn as {left.height:,} bars of "
    return told + f"{left['lane'].n_unique()} lanes, which say how many they hold; arrows left out"
