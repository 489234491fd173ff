"""The tuning curve as a picture: a measure against size, with its interval, one line a kind and share of overlap."""

from __future__ import annotations

from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.lines import Line2D

from workbench.show.plots_around import write_title
from workbench.show.plots_grammar import GREY, INK, OKABE_ITO, Picture, picture, plain
from workbench.show.tables_timeline import Frame
from workbench.show.tables_tuning import drawn_curve
from workbench.show.tables_tuning import tuning as frame_of

WIDTH: Final = 8.0  # inches, as the next ones
PLOT: Final = 3.2
ABOVE: Final = 0.5
BELOW: Final = 0.6
LEFT: Final = 0.75
RIGHT: Final = 0.25
KEY: Final = 0.22  # the height of a line of the key
KEYS: Final = 3  # in a line of it
MARKS: Final = ("o", "s", "^", "D", "v", "P")
DASHES: Final = ("-", "--", "-.", ":")


def tuning(rows: Frame, measure: str, *, chosen: str | None = None, note: str = "") -> Picture:
    """The figure of ``tables.tuning``: a point for each setting, its interval as a bar, the chosen cut ringed.

    Lines differ in colour, dash and mark. Settings without a size (paragraphs) are a level line. Sizes are on a
    logarithmic axis, since each is usually twice the last.
    """
    frame = frame_of(rows, measure).drop_nulls("mean")
    lines = list(frame.group_by("kind", "share", "depth", maintain_order=True))
    low = BELOW + KEY * -(-len(lines) // KEYS)
    height = ABOVE + PLOT + low
    figure = picture(WIDTH, height, f"{measure} of {frame.height} settings")
    axes = figure.add_axes((LEFT / WIDTH, low / height, 1 - (LEFT + RIGHT) / WIDTH, PLOT / height))
    for place, ((kind, share, depth), group) in enumerate(lines):
        name = f"{kind}, overlap {share} %, depth {depth}" if share else f"{kind}, depth {depth}"
        colour, dash = OKABE_ITO[place % len(OKABE_ITO)], DASHES[place % len(DASHES)]
        if group["size"].null_count():
            label = f"{name} ({group['questions'][0]} questions)"
            axes.axhline(group["mean"][0], label=label, gid="level", color=colour, linestyle=dash)
            continue
        group = group.sort("size")  # a line runs from size to size, in whatever order they were swept
        means = group["mean"].to_numpy()
        spread = (means - group["low"].to_numpy(), group["high"].to_numpy() - means)
        axes.errorbar(
            *(group["size"].to_numpy(), means),
            yerr=spread,
            marker=MARKS[place % len(MARKS)],
            capsize=3,
            label=name,
            color=colour,
            linestyle=dash,
        )
    if chosen is not None:
        _ring(axes, frame, chosen)
    if frame["size"].drop_nulls().len():
        axes.set_xscale("log", base=2)
        sizes = sorted(frame["size"].drop_nulls().unique())
        axes.set_xticks(sizes, [str(size) for size in sizes], minor=False)
        axes.minorticks_off()
    count = max(frame["questions"].to_list(), default=0)
    axes.set_xlabel("size of a passage (words, sentences or characters, as the key says)", color=GREY, fontsize=9)
    axes.set_ylabel("mean, with its 95 % interval", color=GREY, fontsize=9)
    axes.tick_params(color=GREY, labelsize=9)
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    write_title(figure, axes, f"{measure} of {count} questions, by size of passage", note)
    if lines:
        under = -(low - KEY * -(-len(lines) // KEYS) - 0.05) / PLOT
        keys = axes.legend(
            loc="upper left", bbox_to_anchor=(0, under), ncols=KEYS, fontsize=8.5, frameon=False, borderpad=0
        )
        for text in keys.get_texts():
            plain(text).set_color(GREY)
    figure.reader = read_back_tuning
    return figure


def _ring(axes: Axes, frame: Frame, chosen: str) -> None:
    point = frame.filter(cut=chosen).drop_nulls("size")
    if point.height:
        at = (point["size"].to_numpy()[:1], point["mean"].to_numpy()[:1])
        axes.plot(*at, "o", markersize=15, fillstyle="none", color=INK, gid="chosen")
        last = at[0][0] == frame["size"].max()
        words = axes.annotate(
            f"chosen: {chosen}",
            (at[0][0], at[1][0]),
            xytext=(-11 if last else 11, -13),
            textcoords="offset points",
            ha="right" if last else "left",
            fontsize=9,
            color=INK,
        )
        plain(words).set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})


def read_back_tuning(figure: Picture) -> Frame:
    """What the curve's picture shows, read from its artists: ``line``, ``size`` (null for a level line), ``mean``,
    ``low`` and ``high``; the last row is the chosen point where one is ringed.

    Raises ValueError for a figure that ``plots.tuning`` did not draw.
    """
    if len(figure.axes) != 1:
        raise ValueError("this figure was not drawn by plots.tuning")
    axes = figure.axes[0]
    found: list[dict[str, object]] = []
    for container in axes.containers:
        if isinstance(container, ErrorbarContainer):
            data, _, bars = container.lines
            spans = [np.asarray(segment)[:, 1] for segment in bars[0].get_segments()]
            for (size, mean), (low, high) in zip(_points(data), spans, strict=True):
                ends = {"low": float(low), "high": float(high)}
                found.append({"line": container.get_label(), "size": int(size), "mean": mean, **ends})
    for line in axes.lines:
        if line.get_gid() == "level":
            found.append({"line": line.get_label(), "mean": _points(line)[0][1]})
        if line.get_gid() == "chosen":
            size, mean = _points(line)[0]
            found.append({"line": "chosen", "size": int(size), "mean": mean})
    return drawn_curve(found)


def _points(line: Line2D) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in np.asarray(line.get_xydata())]
