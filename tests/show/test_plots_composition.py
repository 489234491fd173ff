"""The composition picture shows its frame; bars end at minus the score, to the last bit."""

import polars as pl
import pytest

import workbench as wb
from workbench.show.plots_composition import HATCHES, draw_composition
from workbench.show.plots_grammar import OKABE_ITO, Picture
from workbench.show.tables_composition import binned_hits

QUESTION = "Fett für das Lager"


@pytest.fixture(scope="module")
def view() -> wb.View:
    return wb.Corpus.read("data/handbooks").view(wb.Actor("grauwede", {"wartung"}))


@pytest.fixture
def figure(view: wb.View) -> Picture:
    return wb.plots.composition(view, QUESTION, view.rank(QUESTION, depth=5, match="any"), note="invented texts")


def test_the_picture_shows_its_frame(view: wb.View, figure: Picture) -> None:
    hits = view.rank(QUESTION, depth=5, match="any")
    frame = wb.tables.composition(view, QUESTION, hits).filter(pl.col("contribution") != 0)
    drawn = wb.plots.read_back(figure)
    columns = ["hit", "word", "begins", "ends"]
    assert drawn.select(columns).rows() == frame.select(columns).rows()
    ends = drawn.group_by("hit", maintain_order=True).agg(pl.last("ends", "label"))
    assert [end.hex() for end in ends["ends"]] == [hit.score.hex() for hit in hits]
    assert ends["label"].to_list() == [f"{hit.score:.6g}" for hit in hits]


def test_a_part_made_longer_is_read_back_longer(figure: Picture) -> None:
    [part] = [c for c in figure.axes[0].collections if c.get_gid() == "word-3"]
    places = [path.vertices[:4].copy() for path in part.get_paths()]
    places[0][2:, 0] += 1
    part.set_verts(places)
    drawn = wb.plots.read_back(figure)
    assert drawn["ends"][3] == pytest.approx(-9.22364, abs=1e-5)


def test_a_part_in_another_pattern_than_its_key_is_a_contradiction(figure: Picture) -> None:
    [part] = [c for c in figure.axes[0].collections if c.get_gid() == "word-1"]
    part.set_hatch("+++")
    with pytest.raises(ValueError, match="parts of für have another pattern"):
        wb.plots.read_back(figure)


def test_forty_two_words_differ_in_colour_and_pattern() -> None:
    looks = {(OKABE_ITO[n % len(OKABE_ITO)], HATCHES[n % len(HATCHES)]) for n in range(42)}
    assert len(looks) == 42


def test_words_that_no_hit_holds_are_named(view: wb.View) -> None:
    query = "Fett Zwiebelkuchen"
    figure = wb.plots.composition(view, query, view.rank(query, depth=2, match="any"))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["fett", "zwiebelkuchen (adds nothing)"]
    assert set(wb.plots.read_back(figure)["word"]) == {"fett"}


def test_it_says_that_a_score_is_no_confidence(figure: Picture) -> None:
    assert figure.axes[0].get_xlabel() == "minus the score: a place in this order, no percentage and no confidence"


def test_of_many_hits_the_means_are_drawn_and_it_says_so(view: wb.View) -> None:
    query = "Welche Fettmenge braucht das Lager und wie oft wird es bei dieser Pumpe nachgeschmiert"
    frame = wb.tables.composition(view, query, view.rank(query, depth=1000, match="any"))
    assert frame["place"].n_unique() > 500
    figure = draw_composition(frame, query=query)
    few, drawn = binned_hits(frame), wb.plots.read_back(figure)
    assert drawn["hit"].unique(maintain_order=True).to_list() == few["hit"].unique(maintain_order=True).to_list()
    assert drawn.group_by("hit", maintain_order=True).agg(pl.last("ends"))["ends"].to_list() == pytest.approx(
        few.group_by("hit", maintain_order=True).agg(pl.last("ends"))["ends"].to_list()
    )
    assert "hits are drawn as 25 means" in figure.axes[0].get_xlabel()
    assert "hits are drawn as 25 means" in repr(figure)


def test_no_hit_is_a_picture_without_bars(view: wb.View) -> None:
    figure = wb.plots.composition(view, "Zwiebelkuchen", [])
    assert wb.plots.read_back(figure).is_empty()
