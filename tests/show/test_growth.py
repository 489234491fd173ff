"""How cost grows: the frame's arithmetic, and the picture by the numbers that its artists show."""

import polars as pl
import pytest

import workbench as wb

FIGURES = ["all words, median, ms", "any of 9, median, ms"]


@pytest.fixture(scope="module")
def measured(repo) -> pl.DataFrame:
    return pl.read_csv(repo / "data/search/growth.csv")


def test_the_frame_sets_each_figure_beside_the_smallest(measured) -> None:
    frame = wb.tables.growth(measured)
    assert frame.height == measured.height
    assert frame.filter(corpus=1.0)["growth"].unique().to_list() == [1.0]
    for row in frame.iter_rows(named=True):
        same = measured.filter(what=row["what"], who=row["who"]).sort("paragraphs")
        assert row["growth"] == pytest.approx(row["value"] / same["value"][0])
        assert row["corpus"] == row["paragraphs"] / same["paragraphs"][0]


def test_a_figure_measured_twice_is_refused(measured) -> None:
    with pytest.raises(ValueError, match="twice"):
        wb.tables.growth(pl.concat([measured, measured[:1]]))


def test_the_picture_shows_the_frame(measured) -> None:
    back = wb.plots.read_back(wb.plots.growth(measured, FIGURES))
    wanted = wb.tables.growth(measured).filter(pl.col("what").is_in(FIGURES)).select(back.columns)
    assert back.equals(wanted)


def test_a_changed_artist_is_read_back_changed(measured) -> None:
    figure = wb.plots.growth(measured, FIGURES)
    before = wb.plots.read_back(figure)
    line = figure.axes[1].lines[0]
    line.set_ydata([2 * y for y in line.get_ydata()])
    assert not wb.plots.read_back(figure).equals(before)


def test_a_figure_that_was_not_measured_is_refused(measured) -> None:
    with pytest.raises(ValueError, match="not measured"):
        wb.plots.growth(measured, ["colour"])
