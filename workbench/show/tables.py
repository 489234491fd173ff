"""The frames behind the pictures: ``tables.X`` returns what ``plots.X`` draws.

Functions that tabulate a register take ``actor=`` and leave out what it may not read (contract 3.6).
"""

from __future__ import annotations

from workbench.show.tables_bitemporal import bitemporal
from workbench.show.tables_timeline import timeline

__all__ = ["bitemporal", "timeline"]
