"""The index equals a fresh FTS5 table over exactly the same view: hits, order and scores, bit for bit."""

from random import Random

import pytest

from tests.evidence import views
from workbench.contract import Actor, Document
from workbench.evidence import fts, layout, pruning, ranking
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs, Passage, Words

CASES = 10_000
QUESTIONS = 5


@pytest.mark.parametrize("part", range(4))
def test_equal_to_a_fresh_table(part, monkeypatch):
    if part >= 2:
        # The ways of large corpora: pruning, and numbers kept from question to question.
        monkeypatch.setattr(pruning, "FEW", 0)
        monkeypatch.setattr(pruning, "SHARE", 9)
        monkeypatch.setattr(ranking, "WORTH_KEEPING", 0)
        monkeypatch.setattr(ranking, "ROOM", 20)
    random = Random(part)
    hits = 0
    for _ in range(CASES // 4 // QUESTIONS // 2):
        corpus = views.corpus(random)
        for _ in range(2):
            hits += views.compare(random, views.view(random, corpus), questions=QUESTIONS)
    assert hits > CASES // 8


@pytest.mark.parametrize("pruned", [False, True])
def test_few_words_tie_often(pruned, monkeypatch):
    if pruned:
        monkeypatch.setattr(pruning, "FEW", 0)
        monkeypatch.setattr(pruning, "SHARE", 9)
    random = Random(10)
    for _ in range(100):
        corpus = views.corpus(random, ["a", "b", "c"])
        views.compare(random, views.view(random, corpus), ["a", "b", "c"])


def test_pruning_keeps_ties_and_words_at_the_floor(monkeypatch):
    """Common words add next to nothing, but they order what would tie without them."""
    monkeypatch.setattr(pruning, "FEW", 0)
    random = Random(13)
    looked_up = []
    where = pruning._where
    monkeypatch.setattr(pruning, "_where", lambda *args: looked_up.append(1) or where(*args))
    words = ["immer", "immer", "immer", "oft", "oft", "selten1", "selten2", "selten3", "x", "y"]
    for _ in range(60):
        text = "\n\n".join(" ".join(random.choices(words, [9, 9, 9, 5, 5, 1, 1, 1, 3, 3], k=6)) for _ in range(150))
        corpus = Corpus(Document(name, "nord", frozenset({"w"}), "1", text) for name in ("b", "a"))
        view = corpus.view(Actor("nord", {"w"}))
        query = " ".join(random.sample([*dict.fromkeys(words)], 5))
        for depth in (1, 3, 10):
            assert view.rank(query, depth, "any") == fts.rank(view, query, depth, "any")
    assert len(looked_up) > 100


def test_many_ties_are_ordered_by_id_and_number():
    groups = [frozenset({"wartung", f"g{number % 7}"}) for number in range(60)]
    corpus = Corpus(Document(f"d{n}", "nord", g, "1", "gleich\n\n" * 50 + "anders") for n, g in enumerate(groups))
    view = corpus.view(Actor("nord", {"wartung"}))
    for depth in (1, 5, 70, 2_999, 3_000, 4_000):
        assert view.rank("gleich", depth) == fts.rank(view, "gleich", depth)
        assert view.rank("gleich anders", depth, "any") == fts.rank(view, "gleich anders", depth, "any")


def test_words_that_fts5_splits_or_drops():
    corpus = Corpus([Document("a", "nord", frozenset({"w"}), "1", "a b c\n\na\n\nb a\n\nx")])
    view = corpus.view(Actor("nord", {"w"}))
    for query in ("a\u19b0b", "a\u19b0b c", "\u19b0", "a \u19b0", "\u19b0 x"):
        for match in ("all", "any"):
            assert view.rank(query, 9, match) == fts.rank(view, query, 9, match), query
    assert [hit.paragraph for hit in view.search("a\u19b0b")] == [1]


def test_a_phrase_does_not_reach_over_a_border():
    corpus = Corpus([Document(name, "nord", frozenset({"w"}), "1", "x a\n\nb a") for name in ("a", "b")])
    view = corpus.view(Actor("nord", {"w"}))
    assert view.search("a\u19b0b") == []
    assert len(view.cut(Words(4)).search("a\u19b0b")) == 2


class Halves:
    """A cut that takes words apart."""

    def __repr__(self):
        return "Halves()"

    def passages(self, text, spans=None):
        middle = len(text) // 2
        yield Passage(1, 0, middle)
        yield Passage(2, middle, len(text))

    def passage(self, text, number, spans=None):
        return next((p for p in self.passages(text) if p.number == number), None)


def test_a_cut_through_a_word_makes_two_words():
    corpus = Corpus(
        [Document("a", "nord", frozenset({"w"}), "1", "rot blaugrün rot"), *views.corpus(Random(1)).documents]
    )
    view = corpus.view(Actor("nord", {"w"})).cut(Halves())
    assert [hit.quote for hit in view.search("rot blau")] == ["rot blau"]
    assert view.search("blaugrün") == []
    for query in ("rot", "blau", "grün", "blaugrün rot"):
        assert view.rank(query, 9, "any") == fts.rank(view, query, 9, "any")


def test_many_access_classes_are_many_ranges():
    random = Random(11)
    documents = []
    for number in range(200):
        groups = frozenset(random.sample(["g1", "g2", "g3", "g4", "g5", "g6", "g7"], 3))
        documents.append(Document(f"d{number}", "nord", groups, "1", f"a b{number % 3}\n\na c"))
    corpus = Corpus(documents)
    for group in ("g1", "g2", "g7"):
        view = corpus.view(Actor("nord", {group}))
        for query in ("a", "a b1", "c b2 a"):
            assert view.rank(query, 50) == fts.rank(view, query, 50)
            assert view.rank(query, 50, "any") == fts.rank(view, query, 50, "any")


def test_forbidden_documents_change_nothing():
    random = Random(12)
    for _ in range(50):
        corpus = views.corpus(random)
        who = views.actor(random)
        own = Corpus(d for d in corpus.documents if who.may(d.tenant, d.groups))
        query = views.question(random)
        for cut in (Paragraphs(), Words(4, overlap=2)):
            for match in ("all", "any"):
                pair = [c.view(who).cut(cut).rank(query, 100, match) for c in (corpus, own)]
                assert pair[0] == pair[1]


@pytest.mark.parametrize("groups", [{"a"}, {"a", "c"}])
def test_a_word_of_forbidden_documents_is_looked_for_no_more_than_an_unknown_one(groups, monkeypatch):
    """So that the time of a search does not tell them apart (tests/bench/bench_search_timing.py measures it)."""
    texts = {"a": "offen", "b": "geheim offen", "c": "offen", "d": "geheim"}
    corpus = Corpus(
        Document(f"{name}{n}", "nord", {name}, "1", text) for name, text in texts.items() for n in range(40)
    )
    view, looked_for, pairs = corpus.view(Actor("nord", groups)), [], layout.Layout.pairs
    monkeypatch.setattr(layout.Layout, "pairs", lambda of, terms: looked_for.append(*terms) or pairs(of, terms))
    for question in ("geheim", "unbekannt"):
        assert view.search(question) == []
        assert looked_for == []
    assert view.rank("geheim offen", match="any")
    assert looked_for == ["offen"]


class Asked(dict):
    """A vocabulary that remembers what it was asked for."""

    def get(self, term, other=None):
        self.asked.append(term)
        return super().get(term, other)


def test_neither_a_forbidden_nor_an_unknown_word_reaches_the_vocabulary(monkeypatch):
    """Finding a word that is there takes longer than finding that it is not, so a checksum is asked before."""
    words = [f"wort{n}" for n in range(300)]
    corpus = Corpus(
        [Document("a", "nord", {"a"}, "1", "offen"), Document("b", "nord", {"b"}, "1", "\n\n".join([*words, "offen"]))]
    )
    view = corpus.view(Actor("nord", {"a"}))
    [one] = view.ranking().lenses
    vocabulary = Asked(one.layout.segment.vocabulary)
    vocabulary.asked = []
    held = one.layout.held(one.seen)
    assert held.has("offen", vocabulary)
    assert vocabulary.asked == ["offen"]
    assert not any(held.has(word, vocabulary) for word in [*words, *(f"fehlt{n}" for n in range(300))])
    assert len(vocabulary.asked) < 5  # by the checksum's chance
