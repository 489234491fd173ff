"""Fusion by ranks: the paper's formula, one view, and no hit from elsewhere."""

from dataclasses import replace

import pytest

from tests.evidence.small_models import model
from workbench.contract import Actor, Document, Hit
from workbench.errors import EvidenceError, QueryRefused
from workbench.evidence.analyzed import Analyzed
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Words
from workbench.evidence.finding import Finder
from workbench.evidence.fusion import Fused
from workbench.evidence.vectors import Vectors
from workbench.evidence.vectors_kept import Kept
from workbench.pipeline.finders import Ranked

FITTER = Actor("nord", {"wartung"})
TEXTS = ["Pumpe Leckage", "Pumpe Deckel", "Leckage am Deckel", "Undichtigkeit"]
CORPUS = Corpus(Document(f"d{at}", "nord", {"wartung"}, "1", text) for at, text in enumerate(TEXTS, 1))
VIEW = CORPUS.view(FITTER)


class Fixed:
    """A way to find that always gives the same documents."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def check(self, query: str) -> None:
        pass

    def find(self, view, query: str) -> list[Hit]:
        places = {d.id: (d, p) for d, p in view.passages()}
        return [view.hit(*places[name], 0.0) for name in self.names]


def test_it_is_the_sum_of_reciprocal_ranks() -> None:
    fused = Fused((Fixed("d1", "d2", "d3"), Fixed("d3", "d4")), 10)
    hits = fused.find(VIEW, "egal")
    expected = {"d3": 1 / 63 + 1 / 61, "d1": 1 / 61, "d2": 1 / 62, "d4": 1 / 62}
    assert [(h.document_id, h.score) for h in hits] == [(name, -score) for name, score in expected.items()]
    assert [h.document_id for h in Fused((Fixed("d1"), Fixed("d2")), 10, weights=(1, 3)).find(VIEW, "x")] == [
        "d2",
        "d1",
    ]


def test_it_takes_any_ways_and_fusions_too() -> None:
    ways = (Analyzed(50), Vectors(Kept(model()), 50))
    hits = Fused((*ways, Fused(ways)), 3).find(VIEW, "Leckage")
    assert len(hits) == 3
    assert all(isinstance(way, Finder) for way in (*ways, Fused(ways)))
    assert all(TEXTS[int(h.document_id[1]) - 1][h.start : h.end] == h.quote for h in hits)


@pytest.mark.parametrize("other", [VIEW.cut(Words(1)), CORPUS.view(Actor("nord", {"wartung", "leitung"}))])
def test_a_hit_of_another_view_is_refused(other) -> None:
    class Elsewhere(Fixed):
        def find(self, view, query: str) -> list[Hit]:
            return super().find(other, query)

    with pytest.raises(EvidenceError):
        Fused((Fixed("d1"), Elsewhere("d1"))).find(VIEW, "x")


def test_a_hit_without_a_view_is_refused() -> None:
    class Unnamed(Fixed):
        def find(self, view, query: str) -> list[Hit]:
            return [replace(hit, view_id="") for hit in super().find(view, query)]

    with pytest.raises(EvidenceError):
        Fused((Unnamed("d1"),)).find(VIEW, "x")


def test_an_empty_view_finds_nothing() -> None:
    empty = CORPUS.view(Actor("nord", {"gast"}))
    assert Fused((Analyzed(), Ranked(match="any"), Vectors(Kept(model())))).find(empty, "Leckage") == []


def test_nonsense_is_refused() -> None:
    for bad in ({"ways": ()}, {"ways": (Fixed(),), "k": 0}, {"ways": (Fixed(),), "weights": (1, 2)}):
        with pytest.raises(ValueError, match=r"way|weight"):
            Fused(**bad)
    with pytest.raises(ValueError, match="weight"):
        Fused((Fixed(),), weights=(0,))
    with pytest.raises(QueryRefused):
        Fused((Analyzed(),)).check("a\x00")
    with pytest.raises(QueryRefused):
        Fused((Analyzed(),), 0)


def test_its_name_holds_the_names_of_its_ways() -> None:
    ways = (Analyzed(50), Vectors(Kept(model())))
    assert all(repr(way) in repr(Fused(ways)) for way in ways)
    assert len({repr(Fused(ways)), repr(Fused(ways, k=10)), repr(Fused(ways, 5)), repr(Fused(ways[::-1]))}) == 4
