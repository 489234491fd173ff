"""Is a difference between two settings real? Paired bootstrap intervals and a permutation test, with correction.

Smucker, Allan and Carterette 2007 (permutation test for paired queries), Efron and Tibshirani 1993 (percentile
bootstrap), Holm 1979 (many comparisons). What is not shown is said in words: "no difference shown".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

DRAWS: Final = 10_000
LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean difference of one setting from another over the questions that both could be measured on.

    ``low`` and ``high`` bound the 95 % bootstrap interval; ``p`` is the permutation test's two-sided value, corrected
    for the number of comparisons made together.
    """

    measure: str
    one: str
    other: str
    questions: int
    mean: float
    low: float
    high: float
    p: float

    @property
    def words(self) -> str:
        """What may be said: which setting is higher, or that no difference is shown.

        >>> Difference("RR()", "Words(60)", "Words(240)", 100, 0.01, -0.02, 0.04, 0.6).words
        'no difference shown between Words(60) and Words(240) in RR() on 100 questions'
        """
        where = f"{self.measure} on {self.questions} questions"
        if self.questions < 2 or self.p >= LEVEL or self.low <= 0.0 <= self.high:
            return f"no difference shown between {self.one} and {self.other} in {where}"
        higher = "higher" if self.mean > 0 else "lower"
        return f"{self.one} is {higher} than {self.other} by {abs(self.mean):.3f} in {where}"


def compare(rows: pl.DataFrame, measure: str, *, against: str, seed: int = 0) -> tuple[Difference, ...]:
    """Every cut of a sweep's frame against one of them, paired by question, corrected for all of these comparisons.

    Draws 10,000 resamples and sign flips from a generator with this ``seed``: the same frame gives the same figures.
    Raises ValueError where the measure or the cut is not in the frame, or a cut was swept at several depths.
    """
    if measure not in rows.columns:
        raise ValueError(f"the frame has no measure {measure}")
    if rows.select("cut", "depth", "match").unique().height != rows["cut"].n_unique():
        raise ValueError("several depths of one cut; filter the frame to one depth first")
    cuts = rows["cut"].unique(maintain_order=True).to_list()
    if against not in cuts:
        raise ValueError(f"the frame has no cut {against}")
    base = rows.filter(pl.col("cut") == against).select("question_id", pl.col(measure).alias("base"))
    found = []
    for cut in (cut for cut in cuts if cut != against):
        paired = rows.filter(pl.col("cut") == cut).join(base, on="question_id", maintain_order="left")
        deltas = (paired[measure] - paired["base"]).drop_nulls().to_numpy()
        found.append((cut, deltas))
    raw = [permutation(deltas, seed=seed) for _, deltas in found]
    return tuple(
        Difference(measure, cut, against, len(deltas), *interval(deltas, seed=seed), p=p)
        for (cut, deltas), p in zip(found, holm(raw), strict=True)
    )


def interval(values: np.ndarray, *, seed: int = 0, draws: int = DRAWS) -> tuple[float, float, float]:
    """The mean of paired values, and the bounds of its 95 % percentile bootstrap interval; zeros for no value."""
    if len(values) == 0:
        return 0.0, 0.0, 0.0
    generator = np.random.default_rng(seed)
    picks = generator.integers(0, len(values), size=(draws, len(values)))
    low, high = np.quantile(values[picks].mean(axis=1), (LEVEL / 2, 1 - LEVEL / 2))
    return float(values.mean()), float(low), float(high)


def permutation(values: np.ndarray, *, seed: int = 0, draws: int = DRAWS) -> float:
    """The two-sided p-value of the sign-flip test for paired differences; 1 where nothing differs."""
    differing = values[values != 0.0]
    if len(differing) == 0:
        return 1.0
    generator = np.random.default_rng(seed)
    signs = generator.integers(0, 2, size=(draws, len(differing))) * 2 - 1
    # Rounding must not make an equal sum look smaller than the observed one.
    reached = np.abs(signs @ differing) >= abs(differing.sum()) - 1e-12
    return float((reached.sum() + 1) / (draws + 1))


def holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: each p-value as it counts among all of these comparisons.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(values)
    largest = 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        largest = max(largest, min(1.0, values[at] * (len(values) - rank)))
        corrected[at] = largest
    return corrected
