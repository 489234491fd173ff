"""The tuning curve as a picture: a measure against size, with its interval, one line for each kind and overlap."""

from __future__ import annotations

from typing import Final

import polars as pl

from workbench.show.plots_grammar import GREY, INK, OKABE_ITO, Picture, picture, plain
from workbench.show.tables_tuning import tuning as frame_of

MARKS: Final = ("o", "s", "^", "D", "v", "P")
DASHES: Final = ("-", "--", "-.", ":")


def tuning(rows: pl.DataFrame, measure: str, *, chosen: str | None = None) -> Picture:
    """The figure of ``tables.tuning``: a point for each setting, its interval as a bar, the chosen cut ringed.

    Lines differ in colour, dash and mark. Settings without a size (paragraphs) are a level line. Sizes are on a
    logarithmic axis, since each is usually twice the last.
    """
    frame = frame_of(rows, measure).drop_nulls("mean")
    figure = picture(8.0, 4.2, f"{measure} of {frame.height} settings")
    axes = figure.add_subplot()
    lines = list(frame.group_by("kind", "overlap", "depth", maintain_order=True))
    for place, ((kind, overlap, depth), group) in enumerate(lines):
        name = f"{kind}, overlap {overlap}, depth {depth}" if overlap else f"{kind}, depth {depth}"
        style = {"color": OKABE_ITO[place % len(OKABE_ITO)], "linestyle": DASHES[place % len(DASHES)]}
        if group["size"].null_count():
            axes.axhline(group["mean"][0], label=f"{name} ({group['questions'][0]} questions)", gid="level", **style)
            continue
        means = group["mean"].to_numpy()
        spread = (means - group["low"].to_numpy(), group["high"].to_numpy() - means)
        drawn = axes.errorbar(
            group["size"].to_numpy(),
            means,
            yerr=spread,
            marker=MARKS[place % len(MARKS)],
            capsize=3,
            label=name,
            **style,
        )
        drawn.lines[0].set_gid(f"curve-{place}")
    if chosen is not None:
        _ring(axes, frame, chosen)
    if frame["size"].drop_nulls().len():
        axes.set_xscale("log", base=2)
        sizes = sorted(frame["size"].drop_nulls().unique())
        axes.set_xticks(sizes, [str(size) for size in sizes], minor=False)
        axes.minorticks_off()
    count = frame["questions"].max() if frame.height else 0
    axes.set_xlabel("size of a passage (words, sentences or characters, as the legend says)", color=GREY, fontsize=9)
    axes.set_ylabel(f"{measure}, mean of {count} questions", color=INK)
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if lines:
        legend = axes.legend(frameon=False, fontsize=8, loc="best")
        for text in legend.get_texts():
            plain(text)
    figure.set_layout_engine("tight")
    return figure


def _ring(axes: object, frame: pl.DataFrame, chosen: str) -> None:
    point = frame.filter((pl.col("cut") == chosen) & pl.col("size").is_not_null())
    if point.height:
        axes.plot(  # type: ignore[attr-defined]  # Axes, untyped here to keep the door to matplotlib in one place
            point["size"][:1], point["mean"][:1], "o", markersize=15, fillstyle="none", color=INK, gid="chosen"
        )


def read_back_tuning(figure: Picture) -> pl.DataFrame:
    """What the curve's picture shows, read from its artists: ``line``, ``size`` (null for a level line), ``mean``,
    ``low`` and ``high``; the last row is the chosen point where one is ringed.

    Raises ValueError for a figure that ``plots.tuning`` did not draw.
    """
    if not isinstance(figure, Picture) or len(figure.axes) != 1:
        raise ValueError("this figure was not drawn by plots.tuning")
    axes = figure.axes[0]
    found: list[dict[str, object]] = []
    for container in axes.containers:
        data, _, bars = container.lines
        for (size, mean), segment in zip(data.get_xydata(), bars[0].get_segments(), strict=True):
            ends = {"low": float(segment[0][1]), "high": float(segment[1][1])}
            found.append({"line": container.get_label(), "size": int(size), "mean": float(mean), **ends})
    for line in axes.lines:
        if line.get_gid() == "level":
            found.append({"line": line.get_label(), "mean": float(line.get_ydata()[0])})
        if line.get_gid() == "chosen":
            size, mean = line.get_xydata()[0]
            found.append({"line": "chosen", "size": int(size), "mean": float(mean)})
    types = {"line": pl.String, "size": pl.Int64, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(found, schema=types)
