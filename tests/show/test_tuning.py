"""The tuning curve: its frame, and the picture by the numbers that its artists show."""

from pathlib import Path

import polars as pl
import pytest

import workbench as wb
from workbench.intervals import Interval

MECHANIC = wb.Actor("werk-nord", {"wartung"})


@pytest.fixture(scope="module")
def rows(repo: Path) -> pl.DataFrame:
    corpus = wb.Corpus.read(repo / "data/pumps")
    questions = []
    for name, words in (("ablauf", "zwei Personen"), ("rundgang", "Leckage"), ("ablauf", "Hauptschalter verriegelt")):
        start = corpus.get(name).text.index(words)
        gold = (wb.Gold(name, Interval(start, start + len(words))),)
        questions.append(wb.Question(words, f"Wo steht {words}?", "answerable", gold))
    questions.append(wb.Question("none", "Was kostet die Kranöse?", "unanswerable"))
    cuts = [wb.Paragraphs(), wb.Words(2), wb.Words(20), wb.Words(20, overlap=4), wb.Words(10, overlap=2)]
    return wb.sweep(corpus, questions, actor=MECHANIC, cuts=cuts, measures=[wb.Recall(5), wb.RR()])


def test_the_frame_counts_questions_and_bounds_the_mean(rows: pl.DataFrame) -> None:
    frame = wb.tables.tuning(rows, "Recall(5)")
    assert frame["cut"].to_list() == rows["cut"].unique(maintain_order=True).to_list()
    assert frame["questions"].to_list() == [3] * 5
    assert frame["size"].to_list() == [None, 2, 20, 20, 10]
    assert frame["share"].to_list() == [0, 0, 0, 20, 20]
    for row in frame.iter_rows(named=True):
        mean = rows.filter(cut=row["cut"])["Recall(5)"].mean()
        assert row["mean"] == pytest.approx(mean)
        assert row["low"] <= mean <= row["high"]


def test_the_picture_shows_the_frame(rows: pl.DataFrame) -> None:
    frame = wb.tables.tuning(rows, "RR()")
    back = wb.plots.read_back_tuning(wb.plots.tuning(rows, "RR()", chosen="Words(20)"))
    drawn = back.filter(pl.col("size").is_not_null(), pl.col("line") != "chosen").sort("size", "line")
    wanted = frame.filter(pl.col("size").is_not_null()).sort("size", "share")
    for column in ("size", "mean", "low", "high"):
        assert drawn[column].to_list() == pytest.approx(wanted[column].to_list())
    level = back.filter(pl.col("size").is_null())
    assert level["mean"].to_list() == pytest.approx(frame.filter(pl.col("size").is_null())["mean"].to_list())
    chosen = back.filter(line="chosen")
    assert (chosen["size"].item(), chosen["mean"].item()) == (20, frame.filter(cut="Words(20)")["mean"].item())
    assert drawn["line"].n_unique() == 2


def test_a_line_runs_from_size_to_size_in_whatever_order_they_were_swept(rows: pl.DataFrame) -> None:
    assert wb.tables.tuning(rows, "RR()").filter(share=20)["size"].to_list() == [20, 10]
    back = wb.plots.read_back_tuning(wb.plots.tuning(rows, "RR()"))
    assert back.filter(line="Words, overlap 20 %, depth 10")["size"].to_list() == [10, 20]


def test_a_changed_artist_is_read_back_changed(rows: pl.DataFrame) -> None:
    figure = wb.plots.tuning(rows, "RR()")
    before = wb.plots.read_back_tuning(figure)
    line = figure.axes[0].containers[0].lines[0]
    line.set_ydata([y + 0.1 for y in line.get_ydata()])
    assert not wb.plots.read_back_tuning(figure).equals(before)


def test_won_and_lost(rows: pl.DataFrame) -> None:
    changed = wb.tables.won_and_lost(rows, "Words(20)", against="Words(2)")
    assert set(changed["change"]) <= {"won", "lost"}
    for row in changed.iter_rows(named=True):
        now, before = (row[name] or 10**9 for name in ("Words(20)", "Words(2)"))
        assert (now < before) == (row["change"] == "won")
    with pytest.raises(ValueError, match="has not both"):
        wb.tables.won_and_lost(rows, "Words(20)", against="Words(7)")


def test_what_is_not_there_is_named(rows: pl.DataFrame) -> None:
    with pytest.raises(ValueError, match="no measure"):
        wb.tables.tuning(rows, "AP()")


def test_two_settings_stand_side_by_side(rows: pl.DataFrame) -> None:
    frame = wb.tables.side_by_side(rows, "Words(20)", "Words(2)")
    assert frame.columns == ["figure", "Words(2)", "Words(20)"]
    counts = dict(zip(frame["figure"], frame["Words(20)"], strict=True))
    assert (counts["questions"], counts["answerable"], counts["out_of_view"]) == (4, 3, 0)
    assert counts["Recall(5)"] == rows.filter(cut="Words(20)")["Recall(5)"].mean()
    with pytest.raises(ValueError, match="has not one"):
        wb.tables.side_by_side(rows, "Words(20)", "Words(2)", depth=3)
