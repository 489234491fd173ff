"""Real questions through the same code: the recorded results come out again, and equal what a fresh table ranks."""

import json
from pathlib import Path

import pytest

import workbench as wb
from tests.real.questions import ACTOR, CUTS, DEPTH, RECORD, SETS, Loaded, loaded, measured
from workbench.evidence import fts
from workbench.evidence.batch import rank_many

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=SETS)
def named(request, real_data: Path) -> tuple[str, Loaded]:
    return request.param, loaded(real_data, request.param)


def test_the_recorded_results_come_out_again(named) -> None:
    name, (corpus, questions) = named
    found = measured(corpus, questions)
    assert found == RECORDED[name]


def test_the_ranking_is_that_of_a_fresh_table(named) -> None:
    _, (corpus, questions) = named
    view = corpus.view(ACTOR).cut(wb.Words(128, overlap=32))
    asked = [question.text for question in questions[:: len(questions) // 3]]
    for text, best in zip(asked, rank_many(view, asked, depth=DEPTH), strict=True):
        wanted = [(hit.score, hit.document_id, hit.paragraph) for hit in fts.rank(view, text, DEPTH, "any")]
        assert [(one.score, one.document, one.passage.number) for one in best] == wanted


def test_passages_are_slices_under_every_cut(named) -> None:
    _, (corpus, _) = named
    for document in corpus.documents[::20]:
        for cut in CUTS:
            passages = list(cut.passages(document.text))
            assert all(document.text[p.start : p.end].strip() for p in passages)
            assert [p.number for p in passages] == sorted({p.number for p in passages})


def test_what_was_recorded_is_of_every_set_and_cut() -> None:
    assert sorted(RECORDED) == sorted(SETS)
    for name in SETS:
        assert sorted(RECORDED[name]["means"]) == sorted(map(repr, CUTS))
        for means in RECORDED[name]["means"].values():
            assert means["Leak(10)"] == 0.0
            assert means["answerable"] == RECORDED[name]["questions"]


def test_decomposed_text_is_what_a_strict_search_misses() -> None:
    stored, composed = (RECORDED[name]["means"]["Words(128)"] for name in ("legalquad_de", "legalquad_de NFC"))
    assert stored["Recall(10)"] < composed["Recall(10)"]
