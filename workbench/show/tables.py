"""The frames behind the pictures: ``tables.X`` returns what ``plots.X`` draws.

Functions that tabulate a register take ``actor=`` and leave out what it may not read (contract 3.6).
"""

from __future__ import annotations

from workbench.show.tables_bitemporal import bitemporal
from workbench.show.tables_timeline import timeline
from workbench.show.tables_tuning import tuning, won_and_lost

__all__ = ["bitemporal", "timeline", "tuning", "won_and_lost"]
