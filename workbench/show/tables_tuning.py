"""The tuning curve as a frame: one measure over sizes, with its interval and the number of questions behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import polars as pl

from workbench.study.compare import interval
from workbench.study.sweep import summary

_LABEL: Final = re.compile(r"(?P<kind>[A-Za-z]+)\((?P<size>[0-9]+)?(?:, overlap=(?P<overlap>[0-9]+))?\)")


def tuning(rows: pl.DataFrame, measure: str) -> pl.DataFrame:
    """One row for each setting of a sweep: ``kind``, ``size`` and ``overlap`` of its cut, the overlap's ``share`` of
    the size in percent (to the nearest 5, so that 6 of 32 and 25 of 128 are one line), ``depth``, how many
    ``questions`` the measure applies to, its ``mean``, and the 95 % bootstrap interval ``low`` to ``high``.

    Null where the measure applies to no question. Raises ValueError where the frame has no such measure.
    """
    if measure not in rows.columns:
        raise ValueError(f"the frame has no measure {measure}")
    found = []
    for (cut, depth), group in rows.group_by("cut", "depth", maintain_order=True):
        values = group[measure].drop_nulls().to_numpy()
        mean, low, high = interval(values) if len(values) else (None, None, None)
        label = _LABEL.fullmatch(str(cut))
        size = int(label["size"]) if label and label["size"] else None
        overlap = int(label["overlap"] or 0) if label else 0
        found.append(
            {
                "cut": cut,
                "kind": label["kind"] if label else cut,
                "size": size,
                "overlap": overlap,
                "share": round(20 * overlap / size) * 5 if size else 0,
                "depth": depth,
                "questions": len(values),
                "mean": mean,
                "low": low,
                "high": high,
            }
        )
    types = {"size": pl.Int64, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(found, schema_overrides=types)


def won_and_lost(rows: pl.DataFrame, cut: str, *, against: str, depth: int = 10) -> pl.DataFrame:
    """The questions whose first find differs between two cuts: ``question_id``, both ranks, and ``change``.

    ``change`` is ``won`` (found, or found earlier), ``lost``. Only finds among the first ``depth`` passages count.
    """
    deepest = pl.col("depth") == pl.col("depth").max()  # where a cut was swept at several depths
    ranked = {
        name: rows.filter(pl.col("cut") == name)
        .filter(deepest)
        .select("question_id", pl.when(pl.col("first") <= depth).then("first").alias(name))
        for name in (cut, against)
    }
    if any(frame.is_empty() for frame in ranked.values()):
        raise ValueError(f"the frame has not both {cut} and {against}")
    beyond = 10**9
    both = ranked[cut].join(ranked[against], on="question_id", maintain_order="left")
    now, before = pl.col(cut).fill_null(beyond), pl.col(against).fill_null(beyond)
    return both.filter(now != before).with_columns(
        change=pl.when(now < before).then(pl.lit("won")).otherwise(pl.lit("lost"))
    )


def side_by_side(rows: pl.DataFrame, one: str, other: str, *, depth: int = 10) -> pl.DataFrame:
    """Two cuts of a sweep at one depth: a row for each measure, and for the counts, with a column for each cut.

    Raises ValueError where the frame has not both.
    """
    table = summary(rows.filter(depth=depth))
    columns: dict[str, list[object]] = {}
    for cut in (other, one):
        found = table.filter(cut=cut).drop("cut", "depth", "match")
        if found.height != 1:
            raise ValueError(f"the frame has not one setting of {cut} at depth {depth}")
        columns[cut] = list(found.row(0))
    names = [name for name in table.columns if name not in ("cut", "depth", "match")]
    types = dict.fromkeys(columns, pl.Float64)
    return pl.DataFrame({"figure": names, **columns}, schema={"figure": pl.String, **types}, strict=False)


def drawn_curve(rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    """What was read back from the curve's picture, as a frame; for ``plots``, which knows no frames of its own."""
    types = {"line": pl.String, "size": pl.Int64, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(list(rows), schema=types)
