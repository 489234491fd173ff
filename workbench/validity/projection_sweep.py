"""The projection of many scopes at once, as one sweep over frames (contract 3.9).

For scopes in which a supersession does no more than end the superseded rows earlier: none revives, none has an unknown
successor, and no revision both supersedes and is superseded. There the outcome at an instant is told by the ended rows
alone: none of them, one revision's, or several revisions'.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from workbench.intervals import UNBOUNDED
from workbench.validity.precedence import Kind

ROWS: Final = {"scope": pl.Int64(), "revision": pl.String(), "start": pl.Int64(), "end": pl.Int64()}
"""Applicability rows, their leaf scopes numbered; an open end is :data:`~workbench.intervals.UNBOUNDED`."""
RELATIONS: Final = {
    "scope": pl.Int64(),
    "superseding": pl.String(),
    "superseded": pl.String(),
    "start": pl.Int64(),
    "end": pl.Int64(),
}
PIECES: Final = {
    "scope": pl.Int64(),
    "start": pl.Int64(),
    "end": pl.Int64(),
    "outcome": pl.String(),
    "revision_id": pl.String(),
    "rivals": pl.List(pl.String()),
}
"""What a projection is made of; the end is null where it is open."""


def sweep(rows: pl.DataFrame, relations: pl.DataFrame) -> pl.DataFrame:
    """The maximal intervals of one outcome, by scope and time; gaps before the first row are not listed."""
    names = rows.select("revision").unique().with_row_index("number", offset=1)
    names = names.with_columns(pl.col("number").cast(pl.Int64))
    coded = rows.join(names, on="revision").select("scope", "revision", "number", "start", "end")
    return _outcomes(_joined(_ended_earlier(coded, relations)), names)


def _ended_earlier(rows: pl.DataFrame, relations: pl.DataFrame) -> pl.DataFrame:
    """The rows, each ended where the first relation over its revision takes effect; what is empty then is left out.

    A relation takes effect at the first instant at which its superseding revision is valid and it is effective.
    """
    if relations.is_empty():
        return rows
    ends = (
        relations.select("scope", "superseding", "superseded", effective="start", until="end")
        .join(rows, left_on=("scope", "superseding"), right_on=("scope", "revision"))
        .select(
            "scope",
            "superseded",
            pl.max_horizontal("effective", "start").alias("first"),
            pl.min_horizontal("until", "end"),
        )
        .filter(pl.col("first") < pl.col("until"))
        .group_by("scope", "superseded")
        .agg(pl.col("first").min())
    )
    ended = pl.min_horizontal("end", "first")
    return (
        rows.join(ends, left_on=("scope", "revision"), right_on=("scope", "superseded"), how="left")
        .with_columns(end=ended)
        .filter(pl.col("start") < pl.col("end"))
        .drop("first")
    )


def _joined(rows: pl.DataFrame) -> pl.DataFrame:
    """The stretches in which each revision is valid: its rows, where they overlap or touch, as one."""
    several = pl.struct("scope", "number").is_duplicated()
    reached = pl.col("end").cum_max().shift(1).over("scope", "number")
    merged = (
        rows.filter(several)
        .sort("scope", "number", "start")
        .with_columns(fresh=(pl.col("start") > reached).fill_null(value=True))
        .with_columns(stretch=pl.col("fresh").cum_sum())
        .group_by("stretch")
        .agg(pl.col("scope", "revision", "number", "start").first(), pl.col("end").max())
        .drop("stretch")
    )
    return pl.concat([rows.filter(~several), merged])


def _outcomes(stretches: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    """How many revisions are valid between neighbouring boundaries, and which; the sum of their numbers is the number
    of the one where there is one.

    Every stretch also ends, if only at UNBOUNDED, so the sums are back at 0 where the next scope begins.
    """
    begins = stretches.select("scope", "number", at="start", step=pl.lit(1))
    ends = stretches.select("scope", -pl.col("number"), at="end", step=pl.lit(-1))
    counted = (
        pl.concat([begins, ends])
        .group_by("scope", "at")
        .agg(pl.col("step", "number").sum())
        .sort("scope", "at")
        .with_columns(pl.col("step", "number").cum_sum())
        .rename({"step": "count"})
    )
    told = (
        counted.join(_rivals(counted, stretches), on=("scope", "at"), how="left", maintain_order="left")
        .with_columns(number=pl.when(pl.col("count") == 1).then("number").otherwise(0))
        .with_columns(told=pl.col("rivals").list.join("\0"))
    )
    same = pl.all_horizontal(pl.col(c).eq_missing(pl.col(c).shift(1)) for c in ("scope", "count", "number", "told"))
    count = pl.col("count")
    kind = pl.when(count == 0).then(pl.lit(Kind.GAP.value)).when(count == 1).then(pl.lit(Kind.REVISION.value))
    return (
        told.filter(~same | (pl.col("at") == UNBOUNDED))
        .with_columns(end=pl.when(pl.col("scope") == pl.col("scope").shift(-1)).then(pl.col("at").shift(-1)))
        .filter(pl.col("at") < UNBOUNDED)
        .join(names, on="number", how="left", maintain_order="left")
        .select(
            "scope",
            pl.col("at").alias("start"),
            pl.when(pl.col("end") < UNBOUNDED).then("end").alias("end"),
            kind.otherwise(pl.lit(Kind.CONFLICT.value)).alias("outcome"),
            pl.col("revision").alias("revision_id"),
            pl.col("rivals").fill_null(pl.lit([], dtype=pl.List(pl.String))),
        )
    )


def _rivals(counted: pl.DataFrame, stretches: pl.DataFrame) -> pl.DataFrame:
    """For each instant at which several revisions are valid: which."""
    return (
        counted.filter(pl.col("count") > 1)
        .select("scope", "at")
        .join(stretches, on="scope")
        .filter(pl.col("start") <= pl.col("at"), pl.col("at") < pl.col("end"))
        .group_by("scope", "at")
        .agg(pl.col("revision").sort().alias("rivals"))
    )
