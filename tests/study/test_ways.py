"""Ways side by side: the rows of a sweep, each way judged by the same gold in the same view."""

import polars as pl
import pytest

import workbench as wb
from workbench.contract import Hit

FITTER = wb.Actor("nord", {"wartung"})
TEXTS = {"a": "Die Pumpen werden geprüft.\n\nFreigabe durch zwei Personen.", "b": "Der Deckel sitzt fest."}
CORPUS = wb.Corpus(
    [wb.Document(name, "nord", {"wartung"}, "1", text) for name, text in TEXTS.items()]
    + [wb.Document("geheim", "nord", {"leitung"}, "1", "Die Pumpe wird verkauft.")]
)
QUESTIONS = [
    wb.Question("q1", "Pumpe prüfen", "answerable", (wb.Gold("a", (0, 26)),)),
    wb.Question("q2", "Deckel", "answerable", (wb.Gold("b", (0, 22)),)),
]
WAYS = {"words": wb.Ranked(10, match="any"), "stems": wb.Analyzed(10)}


def rows(**ways: object) -> pl.DataFrame:
    measures = [wb.Recall(1), wb.Leak(5)]
    return wb.side_by_side(CORPUS, QUESTIONS, actor=FITTER, ways=ways or WAYS, measures=measures)


def test_each_way_has_a_row_for_each_question() -> None:
    found = rows()
    assert found.select("cut", "question_id", "Recall(1)").rows() == [
        ("words", "q1", 0.0),
        ("words", "q2", 1.0),
        ("stems", "q1", 1.0),
        ("stems", "q2", 1.0),
    ]
    (difference,) = wb.compare(found, "Recall(1)", against="words")
    assert (difference.one, difference.mean, difference.questions) == ("stems", 0.5, 2)


def test_its_figures_are_a_sweep_s() -> None:
    swept = wb.sweep(CORPUS, QUESTIONS, actor=FITTER, cuts=[wb.Paragraphs()], measures=[wb.Recall(1), wb.Leak(5)])
    assert rows(**{"Paragraphs()": WAYS["words"]}).equals(swept)


def test_a_way_that_looks_past_its_view_is_found_out() -> None:
    class Open:
        def check(self, query: str) -> None:
            pass

        def find(self, view: wb.View, query: str) -> list[Hit]:
            return CORPUS.view(wb.Actor("nord", {"leitung"})).rank("Pumpe")

    assert rows(open=Open())["Leak(5)"].to_list() == [1.0, 1.0]


def test_nothing_to_compare_is_refused() -> None:
    for ways, measures in (({}, [wb.RR()]), (WAYS, [])):
        with pytest.raises(ValueError, match="at least one"):
            wb.side_by_side(CORPUS, QUESTIONS, actor=FITTER, ways=ways, measures=measures)
