"""The pictures: ``plots.X`` draws the frame that ``tables.X`` returns, and ``read_back`` reads it from the artists.

A figure shows itself in a notebook (``display(figure)``), belongs to no window, and ``save`` writes PNG, SVG or PDF.
"""

from __future__ import annotations

from workbench.show.plots_bitemporal import bitemporal
from workbench.show.plots_composition import composition
from workbench.show.plots_conflicts import conflicts
from workbench.show.plots_coverage import coverage
from workbench.show.plots_grammar import colours, save
from workbench.show.plots_growth import growth
from workbench.show.plots_reading import read_back
from workbench.show.plots_timeline import timeline
from workbench.show.plots_tuning import read_back_tuning, tuning

__all__ = [
    "bitemporal",
    "colours",
    "composition",
    "conflicts",
    "coverage",
    "growth",
    "read_back",
    "read_back_tuning",
    "save",
    "timeline",
    "tuning",
]
