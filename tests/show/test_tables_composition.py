"""A composition's parts add up to the score, to the last bit."""

import polars as pl
import pytest

import workbench as wb
from workbench.show.tables_composition import binned_hits

QUESTION = "Welche Fettmenge braucht das Lager und wie oft"


@pytest.fixture(scope="module")
def view() -> wb.View:
    return wb.Corpus.read("data/handbooks").view(wb.Actor("grauwede", {"wartung"}))


def test_the_last_end_is_the_score_to_the_last_bit(view: wb.View) -> None:
    hits = view.rank(QUESTION, depth=500, match="any")
    frame = wb.tables.composition(view, QUESTION, hits)
    assert frame["place"].unique(maintain_order=True).to_list() == list(range(1, len(hits) + 1))
    for (place,), parts in frame.group_by("place", maintain_order=True):
        hit = hits[int(str(place)) - 1]
        added = 0.0
        for begins, ends, contribution in parts.select("begins", "ends", "contribution").rows():
            assert begins == added
            added += contribution
            assert ends == added
        assert added.hex() == hit.score.hex()
        assert parts["score"].to_list() == [hit.score] * parts.height
        assert parts["hit"][0] == f"{place}. {hit.document_id}, paragraph {hit.paragraph}"


def test_a_word_that_the_passage_lacks_adds_nothing(view: wb.View) -> None:
    frame = wb.tables.composition(view, "Fett Zwiebelkuchen", view.rank("Fett Zwiebelkuchen", depth=3, match="any"))
    assert frame.filter(word="zwiebelkuchen")["contribution"].to_list() == [0.0] * 3


def test_no_hit_is_an_empty_frame(view: wb.View) -> None:
    frame = wb.tables.composition(view, "Zwiebelkuchen", view.search("Zwiebelkuchen"))
    assert frame.is_empty()
    assert frame.schema == wb.tables.composition(view, "Fett", view.search("Fett")).schema


def test_a_hit_of_another_view_is_refused(view: wb.View) -> None:
    with pytest.raises(wb.EvidenceError):
        wb.tables.composition(view, "zwei", view.cut(wb.Words(40)).rank("zwei"))


def test_of_many_hits_neighbours_are_averaged_and_counted(view: wb.View) -> None:
    hits = view.rank(QUESTION, depth=500, match="any")
    frame = wb.tables.composition(view, QUESTION, hits)
    few = binned_hits(frame)
    assert few["rows"].sum() == frame.height
    assert few["hit"].n_unique() <= 25
    assert few["hit"][0] == "places 1 to 20 (mean of 20)"
    first = frame.filter(pl.col("place") <= 20)
    means = first.group_by("word", maintain_order=True).agg(pl.mean("contribution"))
    assert few.filter(place=1).select("word", "contribution").rows() == means.rows()
    assert few.filter(place=1)["ends"][-1] == pytest.approx(first["score"].mean())
    assert binned_hits(frame.filter(pl.col("place") <= 40)).height == 40 * 8
