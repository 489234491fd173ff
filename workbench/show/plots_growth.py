"""What a cost does as the corpus grows, as a picture: both axes logarithmic, so that a straight line is a power."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.axes import Axes

from workbench.show.plots_grammar import GREY, OKABE_ITO, Picture, picture, plain
from workbench.show.tables_growth import drawn_growth
from workbench.show.tables_growth import growth as frame_of
from workbench.show.tables_timeline import Frame

WIDTH: Final = 4.0  # inches, of one plot
HEIGHT: Final = 3.4
MARKS: Final = ("o", "s", "^", "D")
DASHES: Final = ("-", "--", "-.", ":")


def growth(measured: Frame, what: Sequence[str]) -> Picture:
    """The figure of ``tables.growth``: a plot for each of the figures named, a line for each engine.

    Engines differ in colour, dash and mark. Raises ValueError for a figure that was not measured.
    """
    frame = frame_of(measured)
    missing = set(what) - set(frame["what"])
    if missing or not what:
        raise ValueError(f"not measured: {sorted(missing)}; there is {sorted(set(frame['what']))}")
    engines = frame["who"].unique(maintain_order=True).to_list()
    figure = picture(WIDTH * len(what), HEIGHT, f"{', '.join(what)} by size of corpus")
    for place, name in enumerate(what):
        axes = figure.add_subplot(1, len(what), place + 1)
        for (engine,), line in frame.filter(what=name).group_by("who", maintain_order=True):
            at = engines.index(engine)
            axes.loglog(
                *(line["paragraphs"].to_numpy(), line["value"].to_numpy()),
                color=OKABE_ITO[at % len(OKABE_ITO)],
                linestyle=DASHES[at % len(DASHES)],
                marker=MARKS[at % len(MARKS)],
                label=engine,
            )
        _dress(axes, name)
    figure.tight_layout()
    figure.reader = _read
    return figure


def _dress(axes: Axes, name: str) -> None:
    plain(axes.set_title(name, fontsize=10))
    axes.set_xlabel("paragraphs", color=GREY, fontsize=9)
    axes.tick_params(color=GREY, labelsize=9)
    axes.grid(color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for text in axes.legend(fontsize=8.5, frameon=False).get_texts():
        plain(text).set_color(GREY)


def _read(figure: Picture) -> Frame:
    """Each point drawn: which figure, of whom, at which size, and its value."""
    return drawn_growth(
        (axes.get_title(), str(line.get_label()), int(size), float(value))
        for axes in figure.axes
        for line in axes.lines
        for size, value in np.asarray(line.get_xydata()).tolist()
    )
