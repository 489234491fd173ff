"""One grammar for all pictures of time: colours, patterns, marks, and figures that a notebook shows as they are.

Colour is never the only carrier: each kind of bar has a pattern, each lane a name. Revisions take Okabe and Ito's
colour-blind-safe set (its vermilion is left out: red is for conflicts, and grey is for what does not decide).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from workbench.errors import visible
from workbench.show.tables_bars import BarKind
from workbench.show.tables_timeline import Frame
from workbench.validity.instants import TimeRule, zone_named

OKABE_ITO: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#F0E442")
INK: Final = "#1A1A1A"
GREY: Final = "#595959"
PALE: Final = "#F1F1F1"
RED: Final = "#9B1B30"
MANY: Final = "#C4C4C4"
"""Several revisions drawn as one."""
DPI: Final = 110
TODAY: Final = "as corrected today"
THEN: Final = "as known then"
"""The two readings of valid × recorded time."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a kind of bar is told from the others without colour, and what the legend calls it."""

    hatch: str | None
    fill: str | None
    ink: str
    name: str


PATTERNS: Final = {
    BarKind.REVISION: Pattern(None, None, INK, "applies"),
    BarKind.SUPERSEDED: Pattern("////", None, INK, "superseded"),
    BarKind.CONFLICT: Pattern("xxxx", "#FFFFFF", RED, "conflict"),
    BarKind.GAP: Pattern("..", PALE, GREY, "nothing applies"),
    BarKind.UNKNOWN: Pattern("++", PALE, GREY, "successor unknown"),
    BarKind.UNAVAILABLE: Pattern("---", PALE, GREY, "unavailable"),
    BarKind.REFUSED: Pattern("\\\\\\\\", PALE, GREY, "no answer to this request"),
    BarKind.SEVERAL: Pattern("oo", PALE, GREY, "several, drawn as one"),
    BarKind.ELSEWHERE: Pattern("|||", PALE, GREY, "approved for other regions only"),
}
KIND_OF_HATCH: Final = {pattern.hatch: kind for kind, pattern in PATTERNS.items()}


def colours(revisions: Iterable[str | None]) -> dict[str, str]:
    """A colour for each revision, in the order in which they are named; the seventh takes the first colour again.

    Pictures of one notebook share what the fullest frame gives: ``plots.colours(frame["revision_id"])``.

    >>> colours(["manual-A", None, "bulletin-B", "manual-A"])
    {'manual-A': '#0072B2', 'bulletin-B': '#E69F00'}
    """
    named = dict.fromkeys(revision for revision in revisions if revision is not None)
    return {revision: OKABE_ITO[place % len(OKABE_ITO)] for place, revision in enumerate(named)}


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance).

    >>> round(contrast("#000000", "#FFFFFF"), 1)
    21.0
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def ink_on(colour: str) -> str:
    """The ink, dark or white, that is read best on a colour."""
    return max((INK, "#FFFFFF"), key=lambda ink: contrast(ink, colour))


def lighter(colour: str, share: float = 0.72) -> str:
    """The colour mixed with white."""
    red, green, blue = (c + (1 - c) * share for c in to_rgb(colour))
    return str(to_hex((red, green, blue)))


# --- figures ------------------------------------------------------------------------------------------------------


class Picture(Figure):
    """A matplotlib Figure that a notebook shows by itself, names in words, and that can be read back.

    It belongs to no window and no global list, so nothing is drawn twice and nothing piles up.
    """

    subject: str = ""
    axis: TimeAxis
    recorded: TimeAxis | None = None
    reader: Callable[[Picture], Frame] | None = None
    """How it is read back."""

    def __repr__(self) -> str:
        return f"Picture({self.subject})"

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=DPI)
        return buffer.getvalue()


def picture(width: float, height: float, subject: str) -> Picture:
    """An empty picture of so many inches."""
    made = Picture(figsize=(width, height), facecolor="white", dpi=DPI)
    FigureCanvasAgg(made)
    made.subject = visible(subject)
    return made


def save(figure: Figure, path: str | Path) -> Path:
    """Where the figure was saved: PNG, SVG or PDF by the name's ending; the same figure gives the same bytes."""
    place = Path(path)
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with mpl.rc_context({"svg.hashsalt": "workbench", "svg.fonttype": "none"}):
        figure.savefig(place, dpi=DPI, metadata=dates.get(place.suffix.lower()))
    return place


def plain(text: Text) -> Text:
    """The text as it is: never read as mathematics, and with its invisible characters visible."""
    text.set_parse_math(False)
    text.set_text(visible(text.get_text()))
    return text


def width_of(figure: Figure, text: Text) -> float:
    """How wide a text is drawn, in pixels; measured without laying it out, which is what costs."""
    font = text.get_fontproperties()
    return max(_width(figure, line, font) for line in text.get_text().split("\n"))


def _width(figure: Figure, line: str, font: FontProperties) -> float:
    """A slider draws the same words again and again: each width is measured once."""
    key = line, hash(font), figure.dpi
    if key not in _WIDTHS:
        if len(_WIDTHS) >= MOST_WIDTHS:
            _WIDTHS.clear()
        renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]  # picture() gave it an Agg canvas
        _WIDTHS[key] = float(renderer.get_text_width_height_descent(line, font, False)[0])
    return _WIDTHS[key]


_WIDTHS: dict[tuple[str, int, float], float] = {}
MOST_WIDTHS: Final = 4096


def widest_of(figure: Picture, texts: Iterable[str], size: float) -> float:
    """How wide the widest of the texts is, in pixels."""
    probe = figure.text(0, 0, "", fontsize=size)
    wide = 0.0
    for text in texts:
        probe.set_text(text)
        wide = max(wide, width_of(figure, plain(probe)))
    probe.remove()
    return wide


# --- the axis of time ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """How instants become coordinates: steps or microseconds, counted from ``origin``.

    Counting from the first boundary keeps coordinates exact: a float holds whole numbers up to 2**53, which are 285
    years in microseconds. Times further from the origin are drawn to the nearest that a float can hold.
    """

    kind: Literal["logical", "utc"]
    origin: int
    zone: str = "UTC"

    @property
    def rule(self) -> TimeRule:
        """How this axis reads and writes instants."""
        return TimeRule(self.kind)

    def place(self, value: object) -> float:
        """The coordinate of an instant, as a frame holds it."""
        return float(self.rule.read(value) - self.origin)

    def value(self, place: float) -> object:
        """The instant at a coordinate, as a frame holds it."""
        return self.rule.public(round(place) + self.origin)

    @property
    def name(self) -> str:
        """What the axis is labelled with; a zoned one names its zone."""
        return "logical step" if self.kind == "logical" else f"date and time in {self.zone}"

    def labels(self, values: Iterable[object]) -> list[str]:
        """How the instants are written along the axis: dates alone where every one of them is a midnight."""
        if self.kind == "logical":
            return [str(value) for value in values]
        zone = zone_named(self.zone)
        local = [value.astimezone(zone) for value in values if isinstance(value, datetime)]
        if all((t.hour, t.minute, t.second, t.microsecond) == (0, 0, 0, 0) for t in local):
            return [f"{t:%Y-%m-%d}" for t in local]
        return [f"{t:%Y-%m-%d}\n{_time_of(t)}" for t in local]


def _time_of(moment: datetime) -> str:
    exact = "microseconds" if moment.microsecond else "seconds" if moment.second else "minutes"
    return moment.isoformat(timespec=exact).partition("T")[2]  # with its offset: an hour may occur twice
