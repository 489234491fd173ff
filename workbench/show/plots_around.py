"""What stands around a picture of time: the axes' extent, their boundaries, the title and the legend."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Final, Literal

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from workbench.show.plots_grammar import GREY, INK, PATTERNS, Picture, TimeAxis, plain, widest_of, width_of
from workbench.show.tables_bars import BarKind

ABOVE: Final = 0.36  # inches over the axes, for the title
BELOW: Final = 0.98  # inches under them, for boundaries, the axis' name and the legend
DAY: Final = 86_400_000_000  # microseconds
WIDER: Final = 0.03  # share by which a file without pixels may set a text wider than it was measured
LEGEND: Final = 8.5  # points
MARK: Final = 46  # pixels of a key beside its words
TICK: Final = 9.5  # points, the boundaries' labels
MOST_LINES: Final = 80
"""How many boundaries have a fine line each."""
Value = int | datetime
"""An instant as a frame holds it."""


def axis_over(kind: Literal["logical", "utc"], values: Iterable[object], zone: str) -> tuple[TimeAxis, float, float]:
    """An axis that starts before the first of the instants and goes on after the last, and how far it reaches."""
    counted = TimeAxis(kind, 0)
    known = [counted.rule.read(value) for value in values]
    first, last = min(known, default=0), max(known, default=0)
    span = float(last - first) or (5.0 if kind == "logical" else 30.0 * DAY)
    return TimeAxis(kind, first, zone), -0.09 * span, float(last - first) + 0.26 * span


def boundaries(
    figure: Picture,
    axes: Axes,
    axis: TimeAxis,
    values: Iterable[Value],
    side: Literal["x", "y"],
    *,
    first: Iterable[Value] = (),
) -> str:
    """Ticks and fine lines at the boundaries, labelled as long as labels do not overlap; gives the axis' name.

    Those in ``first`` are labelled first. Of more boundaries than can be told apart only those with a label get their
    line.
    """
    known = sorted(set(values))
    places = [axis.place(value) for value in known]
    labels, written = axis.labels(known), list[int]()
    probe = plain(figure.text(0, 0, "", fontsize=TICK))
    along = 0 if side == "x" else 1
    pixels = axes.transData.transform([(place, place) for place in places] or [(0.0, 0.0)])[:, along]
    taken: list[tuple[float, float]] = []
    wanted = set(first)
    for number in sorted(range(len(known)), key=lambda number: known[number] not in wanted):
        at = pixels[number]
        if any(start < at + 4 and at - 4 < end for start, end in taken):
            continue  # no label is narrower, and measuring is what costs
        probe.set_text(labels[number])
        half = (width_of(figure, probe) if side == "x" else TICK * figure.dpi / 72) / 2
        if not any(start < at + half and at - half < end for start, end in taken):
            taken.append((at - half - 5, at + half + 5))
            written.append(number)
    probe.remove()
    written.sort()
    (axes.set_xticks if side == "x" else axes.set_yticks)(
        [places[number] for number in written], [labels[number] for number in written], fontsize=TICK
    )
    axes.tick_params(axis=side, length=5, color=GREY)
    lines = places if len(places) <= MOST_LINES else [places[number] for number in written]
    ends = [((x, 0.0), (x, 1.0)) if side == "x" else ((0.0, x), (1.0, x)) for x in lines]
    frame = axes.get_xaxis_transform() if side == "x" else axes.get_yaxis_transform()
    axes.add_collection(
        LineCollection(ends, colors="#D0D0D0", linewidths=0.8, zorder=0, transform=frame), autolim=False
    )
    left_out = f" ({len(written)} of {len(known)} boundaries are labelled)" if len(written) < len(known) else ""
    return axis.name + left_out


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Each name without what all of them begin and end with, cut between words only, so that it stays unique.

    >>> short_names(["Act-v1#Art. 13", "Act-v10#Art. 13"])
    {'Act-v1#Art. 13': 'v1', 'Act-v10#Art. 13': 'v10'}
    """
    known = sorted(set(names))
    if len(known) < 2:
        return {name: name for name in known}
    head = _shared(known)
    rest = [name[len(head) :] for name in known]
    tail = _shared([name[::-1] for name in rest])
    return {name: name[len(head) : len(name) - len(tail)] or name for name in known}


def _shared(names: Iterable[str]) -> str:
    """What all names begin with, up to the end of a word."""
    same = takewhile(lambda column: len(set(column)) == 1, zip(*names, strict=False))
    return re.sub(r"\w*\Z", "", "".join(column[0] for column in same))


def write_title(figure: Picture, axes: Axes, title: str, note: str) -> None:
    """The title above the axes, and the note beside it; a title without room is cut, which its last sign says."""
    left = axes.get_position().x0
    top = 1 - 0.5 * ABOVE / figure.get_size_inches()[1]
    room = figure.bbox.width * (1 - left) - 8
    aside = plain(figure.text(0, top, note, fontsize=10, va="center", color=GREY, fontstyle="italic"))
    if note:
        room = (room - width_of(figure, aside)) / (1 + WIDER) - 12
    head = plain(figure.text(left, top, title, fontsize=12, va="center", color=INK))
    if (wide := width_of(figure, head)) > room:
        title = title[: int(len(title) * room / wide)]
        while title and width_of(figure, head) > room:
            title = title[:-1]
            head.set_text(f"{title.rstrip()}…")
            plain(head)
    if note:
        aside.set_x(left + (width_of(figure, head) * (1 + WIDER) + 12) / figure.bbox.width)
    else:
        aside.remove()


def write_legend(figure: Picture, axes: Axes, kinds: Iterable[BarKind], *, first: Iterable[Patch] = ()) -> None:
    """What the marks and patterns mean, as far as the picture shows them; ``first`` are keys of its own."""
    gids = {str(child.get_gid() or "").split("-")[0] for child in axes.get_children()}
    keys: list[Line2D | Patch] = [*first]
    if "from" in gids:
        keys.append(_key("|", 11, "from (included)"))
    if "before" in gids:
        keys.append(_key("o", 7, "until (excluded)"))
    if "on" in gids or "always" in gids:
        keys.append(_key(">", 8, "unbounded"))
    for kind in (kind for kind in dict.fromkeys(kinds) if kind is not BarKind.REVISION):
        pattern = PATTERNS[kind]
        face = pattern.fill or "#FFFFFF"
        keys.append(Patch(facecolor=face, edgecolor=pattern.ink, hatch=pattern.hatch, label=pattern.name, lw=0.8))
    legend(figure, axes, keys)


def legend(figure: Picture, axes: Axes, keys: Sequence[Line2D | Patch]) -> None:
    """Writes the keys under the axes, in as many columns as there is room for."""
    wide = widest_of(figure, (str(key.get_label()) for key in keys), LEGEND) + MARK
    left = axes.get_position().x0 - 0.01
    room = (0.98 - left) * figure.bbox.width
    shown = sum(widest_of(figure, [str(key.get_label())], LEGEND) + MARK for key in keys)
    made = figure.legend(
        handles=keys,
        loc="lower left",
        bbox_to_anchor=(left, 0.01),
        ncols=len(keys) or 1 if shown <= room else max(1, int(room / wide)),
        fontsize=LEGEND,
        frameon=False,
        labelcolor=GREY,
        handletextpad=0.4,
        columnspacing=1.3,
        borderpad=0,
    )
    for text in made.get_texts():
        plain(text)


def _key(marker: str, size: float, label: str) -> Line2D:
    key = Line2D([], [], marker=marker, markersize=size, color=INK, linestyle="none", label=label)
    key.set_markeredgewidth(2.6 if marker == "|" else 1.6)
    key.set_markerfacecolor("white" if marker == "o" else INK)
    return key
