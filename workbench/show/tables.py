"""The frames behind the pictures: ``tables.X`` returns what ``plots.X`` draws.

Functions that tabulate a register take ``actor=`` and leave out what it may not read (contract 3.6).
"""

from __future__ import annotations

from workbench.show.tables_bins import binned
from workbench.show.tables_bitemporal import bitemporal
from workbench.show.tables_composition import composition
from workbench.show.tables_conflicts import conflicts
from workbench.show.tables_coverage import coverage
from workbench.show.tables_growth import growth
from workbench.show.tables_timeline import timeline
from workbench.show.tables_tuning import side_by_side, tuning, won_and_lost
from workbench.show.tables_tuning_text import chunks
from workbench.show.tables_why_not import why_not

__all__ = [
    "binned",
    "bitemporal",
    "chunks",
    "composition",
    "conflicts",
    "coverage",
    "growth",
    "side_by_side",
    "timeline",
    "tuning",
    "why_not",
    "won_and_lost",
]
