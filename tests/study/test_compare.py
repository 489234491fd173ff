"""Differences: intervals and tests that find what is there, and say so where nothing is shown."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.study.compare import compare, holm, interval, permutation


def rows(**cuts: list[float | None]) -> pl.DataFrame:
    return pl.concat(
        pl.DataFrame(
            {
                "cut": [name] * len(values),
                "depth": [10] * len(values),
                "match": ["any"] * len(values),
                "question_id": [f"q{n}" for n in range(len(values))],
                "RR()": pl.Series(values, dtype=pl.Float64),
            }
        )
        for name, values in cuts.items()
    )


def test_a_difference_in_every_question_is_shown() -> None:
    [found] = compare(rows(a=[0.5] * 20, b=[0.9] * 20), "RR()", against="a")
    assert (found.one, found.other, found.questions) == ("b", "a", 20)
    assert found.mean == pytest.approx(0.4)
    assert found.words == "b is higher than a by 0.400 in RR() on 20 questions"
    [found] = compare(rows(a=[0.9] * 20, b=[0.5] * 20), "RR()", against="a")
    assert found.words.startswith("b is lower than a")


def test_no_difference_is_said_in_words() -> None:
    same = [0.0, 1.0] * 10
    [found] = compare(rows(a=same, b=same), "RR()", against="a")
    assert (found.p, found.mean) == (1.0, 0.0)
    assert found.words.startswith("no difference shown between b and a")
    [found] = compare(rows(a=[0.0, 1.0], b=[1.0, 0.0]), "RR()", against="a")
    assert "no difference shown" in found.words


def test_questions_that_one_side_lacks_do_not_count() -> None:
    [found] = compare(rows(a=[None, 0.5, 0.5], b=[1.0, None, 1.0]), "RR()", against="a")
    assert (found.questions, found.mean) == (1, 0.5)


def test_pairing_is_by_question_and_not_by_row() -> None:
    frame = rows(a=[0.1, 0.9, 0.5], b=[0.1, 0.9, 0.5])
    shuffled = pl.concat([frame.filter(pl.col("cut") == "a"), frame.filter(pl.col("cut") == "b").reverse()])
    [found] = compare(shuffled, "RR()", against="a")
    assert (found.mean, found.p) == (0.0, 1.0)


def test_the_same_frame_gives_the_same_figures() -> None:
    generator = np.random.default_rng(7)
    frame = rows(a=generator.random(30).tolist(), b=generator.random(30).tolist())
    assert compare(frame, "RR()", against="a") == compare(frame, "RR()", against="a")


def test_permutation_against_every_sign_flip() -> None:
    values = np.array([0.5, 0.25, -0.125, 0.75, 0.5, 0.25])
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(values))).reshape(len(values), -1).T
    exact = np.mean(np.abs(signs @ values) >= abs(values.sum()) - 1e-12)
    assert permutation(values) == pytest.approx(exact, abs=0.01)


def test_the_interval_covers_at_about_its_level() -> None:
    generator = np.random.default_rng(3)
    covered = 0
    for n in range(200):
        _, low, high = interval(generator.normal(0.3, 1.0, 40), seed=n, draws=1000)
        covered += low <= 0.3 <= high
    assert 180 <= covered <= 199


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_value_and_keeps_the_order(values: list[float]) -> None:
    corrected = holm(values)
    assert all(c >= v for c, v in zip(corrected, values, strict=True))
    assert all(c <= 1.0 for c in corrected)
    order = sorted(range(len(values)), key=lambda i: values[i])
    assert [corrected[i] for i in order] == sorted(corrected)


def test_what_cannot_be_compared_is_refused() -> None:
    frame = rows(a=[0.5], b=[0.5])
    for measure, against in (("AP()", "a"), ("RR()", "c")):
        with pytest.raises(ValueError, match="the frame has no"):
            compare(frame, measure, against=against)
    with pytest.raises(ValueError, match="several depths"):
        compare(pl.concat([frame, frame.with_columns(depth=pl.lit(5, pl.Int64))]), "RR()", against="a")
