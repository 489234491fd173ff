"""A corpus that changes: every view sees it at its next search, and scores stay those of a fresh table."""

from dataclasses import replace
from random import Random

import pytest

from tests.evidence import views
from tests.evidence.decisions import decision
from workbench.contract import Actor, Document
from workbench.errors import ContextError, InputError
from workbench.evidence import fts, index
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus

ONE = Document("a", "nord", frozenset({"wartung"}), "1", "Zwei Personen.\n\nFreigabe")
ACTOR = Actor("nord", {"wartung"})


def change(random, corpus):
    """One random change of a corpus."""
    kind = random.choice(["add", "replace", "remove", "regroup", "version"])
    here = [d.id for d in corpus.documents]
    free = [name for name in views.NAMES if name not in here]
    if (kind == "add" or not here) and free:
        corpus.add(views.document(random, random.choice(free)))
    elif kind == "replace":
        corpus.replace(views.document(random, random.choice(here)), archive=random.random() < 0.5)
    elif kind == "remove":
        corpus.remove(random.choice(here))
    elif kind == "regroup":
        corpus.regroup(random.choice(here), views.actor(random).groups)
    elif here:
        corpus.replace(replace(corpus.get(random.choice(here)), version="9"))


@pytest.mark.parametrize("parts", [2, 8])
def test_equal_to_a_fresh_table_through_changes(parts, monkeypatch):
    monkeypatch.setattr(index, "MAX_PARTS", parts)
    random = Random(parts)
    for _ in range(25):
        corpus = views.corpus(random)
        kept = [corpus.view(views.actor(random)) for _ in range(2)]
        for _ in range(12):
            change(random, corpus)
            views.compare(random, views.view(random, corpus), questions=2)
            for view in kept:
                views.compare(random, view, questions=1)
        assert corpus.digest == Corpus(corpus.documents).digest
        assert len(corpus.state.index.parts) <= parts + 1


def test_a_part_without_a_word():
    corpus = Corpus([replace(ONE, text="---")])
    view = corpus.view(ACTOR)
    assert view.search("freigabe") == []
    corpus.add(replace(ONE, id="b"))
    assert view.search("freigabe") == fts.search(view, "freigabe")
    assert len(view.search("freigabe")) == 1


def test_an_old_state_is_still_what_it_was():
    corpus = Corpus([ONE, replace(ONE, id="b")])
    view = corpus.view(ACTOR)
    before, now = view.search("freigabe"), view.now()
    corpus.remove("b")
    corpus.replace(replace(ONE, text="ganz anders"))
    assert view.search("freigabe") == []
    found = now.state.index.ranking(now.state.documents, now.admitted, view.rule, key=now.id)
    assert [f.document for f in found.best([["freigabe"]], match="all", depth=9)] == [h.document_id for h in before]


def test_revocation_takes_effect_at_the_next_search():
    corpus = Corpus([ONE])
    view = corpus.view(ACTOR)
    bound = corpus.view(ACTOR, decision(ACTOR, corpus, None, "a"))
    [hit] = view.search("freigabe")
    assert bound.search("freigabe")
    corpus.regroup("a", {"leitung"})
    assert view.search("freigabe") == []
    assert view.documents == ()
    assert resolve_citation(ACTOR, hit, corpus).reason == "unavailable"
    with pytest.raises(ContextError):
        bound.search("freigabe")
    corpus.regroup("a", {"wartung"})
    assert view.search("freigabe") == [hit]
    assert bound.search("freigabe")


@pytest.mark.parametrize("other", [replace(ONE, text="Freigabe"), replace(ONE, tenant="süd")])
def test_a_decision_stops_when_its_document_changes(other):
    corpus = Corpus([ONE])
    bound = corpus.view(ACTOR, decision(ACTOR, corpus, None, "a"))
    corpus.replace(other)
    with pytest.raises(ContextError):
        bound.rank("freigabe")


def test_forbidden_changes_do_not_show():
    corpus = Corpus([ONE, replace(ONE, id="b", groups=frozenset({"leitung"}))])
    view = corpus.view(ACTOR)
    before = view.search("freigabe"), view.id, repr(view)
    corpus.replace(replace(ONE, id="b", groups=frozenset({"leitung"}), text="Freigabe " * 100))
    corpus.add(replace(ONE, id="c", tenant="süd"))
    assert (view.search("freigabe"), view.id, repr(view)) == before


def test_changes_that_are_refused():
    corpus = Corpus([ONE])
    for wrong in (
        lambda: corpus.add(ONE),
        lambda: corpus.replace(replace(ONE, id="b")),
        lambda: corpus.remove("b"),
        lambda: corpus.regroup("b", {"x"}),
        lambda: corpus.add(replace(ONE, id="b", text="\ud800")),
        lambda: corpus.add("b"),
    ):
        with pytest.raises(InputError):
            wrong()
    with pytest.raises(TypeError):
        corpus.regroup("a", "wartung")
    assert corpus.documents == (ONE,)


class TestArchive:
    """Contract 2.8."""

    def test_a_replaced_state_is_cited_as_historical(self):
        corpus = Corpus([ONE])
        [old] = corpus.view(ACTOR).search("freigabe")
        corpus.replace(replace(ONE, version="2", text="Freigabe neu"))
        verdict = resolve_citation(ACTOR, old, corpus)
        assert (verdict.ok, verdict.historical, verdict.quote) == (True, True, "Freigabe")
        [new] = corpus.view(ACTOR).search("freigabe")
        assert not resolve_citation(ACTOR, new, corpus).historical
        assert resolve_citation(ACTOR, replace(old, quote="Freigaben"), corpus).reason == "quote_mismatch"
        assert resolve_citation(ACTOR, replace(old, version="3"), corpus).reason == "source_changed"

    def test_without_archive_it_is_changed(self):
        corpus = Corpus([ONE])
        [old] = corpus.view(ACTOR).search("freigabe")
        corpus.replace(replace(ONE, version="2"), archive=False)
        assert resolve_citation(ACTOR, old, corpus).reason == "source_changed"

    def test_both_states_must_admit_the_actor(self):
        other = Actor("nord", {"leitung"})
        [old] = Corpus([ONE]).view(ACTOR).search("freigabe")
        today = replace(ONE, version="2", groups=frozenset({"leitung", "wartung"}))
        corpus = Corpus([today], archive=[ONE])
        assert resolve_citation(ACTOR, old, corpus).historical
        assert resolve_citation(other, old, corpus).reason == "source_changed"
        corpus.regroup("a", {"leitung"})
        assert resolve_citation(ACTOR, old, corpus).reason == "unavailable"

    def test_a_withdrawn_document_stays_unavailable(self):
        [old] = Corpus([ONE]).view(ACTOR).search("freigabe")
        assert resolve_citation(ACTOR, old, Corpus([], archive=[ONE])).reason == "unavailable"

    def test_a_state_that_is_current_again_is_current(self):
        corpus = Corpus([ONE])
        [hit] = corpus.view(ACTOR).search("freigabe")
        corpus.replace(replace(ONE, text="anders"))
        corpus.replace(ONE)
        verdict = resolve_citation(ACTOR, hit, corpus)
        assert verdict.ok
        assert not verdict.historical

    def test_a_state_stands_in_it_once(self):
        with pytest.raises(InputError, match="archive twice"):
            Corpus([ONE], archive=[replace(ONE, text="alt"), replace(ONE, text="alt")])
