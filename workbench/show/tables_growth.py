"""What a cost does as the corpus grows, as a frame: one row for each figure at each size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import polars as pl

from workbench.show.tables_timeline import Frame

COLUMNS: Final = ("what", "who", "paragraphs", "value", "growth", "corpus")


def growth(measured: Frame) -> Frame:
    """How figures grow with the corpus: each beside what it was at the smallest size where it was measured.

    ``measured`` has the columns ``paragraphs``, ``what`` (with its unit), ``who`` and ``value``, as
    ``data/search/growth.csv`` has. Columns: ``what``, ``who``, ``paragraphs``, ``value``, ``growth`` (the value over
    that at the smallest size) and ``corpus`` (how many times as many paragraphs); in the order in which figures and
    engines first appear, by size. Raises ValueError where a figure was measured twice.

    >>> rows = {"paragraphs": [1_000, 10_000], "what": ["build, s"] * 2, "who": ["view"] * 2, "value": [0.5, 4.0]}
    >>> growth(pl.DataFrame(rows)).rows()
    [('build, s', 'view', 1000, 0.5, 1.0, 1.0), ('build, s', 'view', 10000, 4.0, 8.0, 10.0)]
    """
    key = ("what", "who")
    if measured.select(*key, "paragraphs").is_duplicated().any():
        raise ValueError("a figure of one size was measured twice")
    order = [pl.col(name).cast(pl.Enum(measured[name].unique(maintain_order=True))).alias(f"by {name}") for name in key]
    ordered = measured.with_columns(*order).sort("by what", "by who", "paragraphs")
    least = pl.col("value").first().over(key), pl.col("paragraphs").first().over(key)
    grown = (pl.col("value") / least[0]).alias("growth"), (pl.col("paragraphs") / least[1]).alias("corpus")
    return ordered.with_columns(*grown).select(COLUMNS)


def drawn_growth(drawn: Iterable[tuple[str, str, int, float]]) -> Frame:
    """What was read back from a picture's artists, as a frame: the first four columns."""
    types = {"what": pl.String, "who": pl.String, "paragraphs": pl.Int64, "value": pl.Float64}
    return pl.DataFrame(list(drawn), schema=types, orient="row")
