"""Reranking: candidates of the view in another order, and nothing more."""

from collections.abc import Sequence

import pytest

from tests.evidence.small_models import model
from tests.evidence.test_fusion import Fixed
from workbench.contract import Actor, Document
from workbench.errors import EvidenceError, QueryRefused
from workbench.evidence.analyzed import Analyzed
from workbench.evidence.analyzers import Identity
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Words
from workbench.evidence.rerank import Nearest, Nearness, Reranked, Reranker
from workbench.evidence.vectors_kept import Kept
from workbench.pipeline.finders import Ranked

FITTER = Actor("nord", {"wartung"})
TEXTS = [
    "Das Anzugsmoment steht im Anhang, am Deckel sitzt ein Flansch.",
    "Anzugsmoment Flansch: 40 Nm.",
    "Ein Flansch. Undichtigkeit am Deckel.",
]
CORPUS = Corpus(Document(f"d{at}", "nord", {"wartung"}, "1", text) for at, text in enumerate(TEXTS, 1))
VIEW = CORPUS.view(FITTER)
ANY = Ranked(10, match="any")


class Listening:
    """A reranker that remembers what it was given, and turns the order round."""

    digest = "l" * 64

    def __init__(self) -> None:
        self.seen: list[str] = []

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.seen += texts
        return [float(at) for at in range(len(texts))]


def names(found: Reranked, question: str) -> list[str]:
    return [hit.document_id for hit in found.find(VIEW, question)]


def test_candidates_come_in_a_new_order_and_no_others() -> None:
    listening = Listening()
    first = [hit.document_id for hit in ANY.find(VIEW, "Flansch")]
    assert names(Reranked(ANY, listening), "Flansch") == first[::-1]
    assert sorted(listening.seen) == sorted(TEXTS)
    assert names(Reranked(ANY, Listening(), 1, candidates=2), "Flansch") == first[1:2]


def test_words_near_to_each_other_rank_first() -> None:
    found = Reranked(Fixed("d3", "d1", "d2"), Nearness())
    assert names(found, "Welches Anzugsmoment hat der Flansch?") == ["d2", "d1", "d3"]


def test_the_nearest_sentence_counts() -> None:
    assert names(Reranked(Fixed("d1", "d2", "d3"), Nearest(Kept(model()))), "Leckage am Deckel") == ["d3", "d1", "d2"]


@pytest.mark.parametrize("reranker", [Nearness(), Nearness(Identity()), Nearest(Kept(model()))], ids=repr)
def test_an_empty_view_gives_the_reranker_nothing(reranker: Reranker) -> None:
    assert isinstance(reranker, Reranker)
    empty = CORPUS.view(Actor("nord", {"gast"}))
    assert Reranked(Analyzed(), reranker).find(empty, "Flansch") == []
    listening = Listening()
    assert Reranked(Analyzed(), listening).find(empty, "Flansch") == []
    assert listening.seen == []


@pytest.mark.parametrize("reranker", [Nearness(), Nearest(Kept(model()))], ids=repr)
@pytest.mark.parametrize("text", ["?", "der die das", "...", "x"])
def test_texts_without_words_have_a_score_too(reranker: Reranker, text: str) -> None:
    assert len(reranker.scores(text, ["...", "", "Flansch"])) == 3


def test_equals_stay_in_their_order() -> None:
    assert names(Reranked(Fixed("d3", "d1", "d2"), Nearness()), "Kompressor") == ["d3", "d1", "d2"]


def test_a_candidate_of_another_view_does_not_reach_the_reranker() -> None:
    class Elsewhere(Fixed):
        def find(self, view, query):
            return super().find(VIEW.cut(Words(1)), query)

    listening = Listening()
    with pytest.raises(EvidenceError):
        Reranked(Elsewhere("d1"), listening).find(VIEW, "Flansch")
    assert listening.seen == []


@pytest.mark.parametrize("given", [[1.0], [1.0, float("nan"), 2.0], [1.0, 2.0, 3.0, 4.0]])
def test_scores_that_do_not_fit_are_refused(given: list[float]) -> None:
    class Wrong(Listening):
        def scores(self, query, texts):
            return given

    with pytest.raises(EvidenceError):
        Reranked(ANY, Wrong()).find(VIEW, "Flansch")


def test_a_reranker_that_has_changed_is_refused() -> None:
    listening = Listening()
    found = Reranked(ANY, listening)
    listening.digest = "m" * 64
    with pytest.raises(EvidenceError):
        found.find(VIEW, "Flansch")
    nearness = Nearness()
    found = Reranked(ANY, nearness)
    nearness.analyzer = Identity()
    with pytest.raises(EvidenceError):
        found.find(VIEW, "Flansch")


def test_no_question_no_search() -> None:
    with pytest.raises(QueryRefused):
        Reranked(ANY, Nearness()).check("a\x00")
    with pytest.raises(QueryRefused):
        Reranked(ANY, Nearness(), 0)


def test_its_name_says_all_that_decides() -> None:
    kept = Kept(model())
    every = [Reranked(w, r, d) for w in (ANY, Analyzed()) for r in (Nearness(), Nearest(kept)) for d in (1, 2)]
    assert len({repr(one) for one in every}) == 8
