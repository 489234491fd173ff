"""A batch of questions equals each question alone, and a fresh FTS5 table over the same cut, bit for bit."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence import views
from workbench.contract import Actor, Document
from workbench.errors import QueryRefused
from workbench.evidence import best as choosing
from workbench.evidence import fts, sheets
from workbench.evidence.batch import Batch, rank_many
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs, Words
from workbench.evidence.structure import Headings, Recursive, Sentences
from workbench.evidence.windows import words

MECHANIC = Actor("nord", {"wartung"})


def equal(view, questions, depth: int, match: str = "any", ranked=None) -> int:
    """How many hits both ways agree on."""
    hits = 0
    found = ranked or rank_many(view, questions, depth=depth, match=match)
    for question, best in zip(questions, found, strict=True):
        wanted = fts.rank(view, question, depth, match)
        have = [(one.score, one.document, *one.passage) for one in best]
        assert have == [(h.score, h.document_id, h.paragraph, h.start, h.end) for h in wanted], (view, question)
        assert have == [
            (h.score, h.document_id, h.paragraph, h.start, h.end) for h in view.rank(question, depth, match)
        ]
        hits += len(have)
    return hits


@pytest.mark.parametrize(("dense", "at_once", "sample"), [(6, 50, 2), (2, 10**9, 10**9), (10**9, 1, 1), (0, 200, 3)])
def test_equal_to_a_fresh_table_whichever_way_words_are_kept(dense, at_once, sample, monkeypatch) -> None:
    monkeypatch.setattr(sheets, "DENSE", dense)
    monkeypatch.setattr(choosing, "AT_ONCE", at_once)
    monkeypatch.setattr(choosing, "SAMPLE", sample)
    random = Random(dense)
    hits = 0
    for _ in range(30):
        view = views.view(random, views.corpus(random))
        questions = [views.question(random) for _ in range(6)]
        hits += equal(view, questions, random.choice([1, 3, 10, 10**6]), random.choice(["any", "any", "all"]))
    assert hits > 100


def test_one_batch_under_many_cuts_and_views() -> None:
    random = Random(8)
    questions = [views.question(random) for _ in range(12)]
    asked = Batch.of(questions)
    for _ in range(20):
        corpus = views.corpus(random)
        for cut in (Paragraphs(), Words(3), Words(5, overlap=4), Sentences(2, overlap=1), Recursive(6), Headings(4)):
            view = corpus.view(views.actor(random)).cut(cut)
            equal(view, questions, 7, ranked=asked.rank(view, depth=7))


def test_many_ties_many_documents_and_more_than_a_sample() -> None:
    monotone = "gleich anders gleich\n\n" * 900
    corpus = Corpus(Document(f"d{n}", "nord", {"wartung"} if n % 3 else {"x"}, "1", monotone) for n in range(5))
    view = corpus.view(MECHANIC)
    for cut in (Paragraphs(), Words(4), Words(4, overlap=3)):
        for depth in (1, 10, 2_000):
            assert equal(view.cut(cut), ["gleich", "Was ist anders gleich?", "fehlt"], depth)


def test_sums_that_differ_in_the_last_bit_only() -> None:
    """The same numbers added up in another order: single precision would choose other passages."""
    random = Random(4)
    words = [f"w{n}" for n in range(7)]
    orders = [random.sample(range(1, 8), 7) for _ in range(200)]
    passages = [
        " ".join(word for word, times in zip(words, order, strict=True) for _ in range(times)) for order in orders
    ]
    view = Corpus([Document("a", "nord", {"wartung"}, "1", "\n\n".join(passages + ["x y"] * 600))]).view(MECHANIC)
    for _ in range(5):
        random.shuffle(words)
        equal(view, [" ".join(words), " ".join(words[:5])], 3)


@given(st.text(st.sampled_from("ab \u00a0\u2003\u3000\u200b\t\r\n\x0b\x1c\x85Ä😀."), max_size=60))
def test_words_are_those_of_the_cut(text: str) -> None:
    assert list(zip(*(found.tolist() for found in words(text)), strict=True)) == [
        (p.start, p.end) for p in Words(1).passages(text)
    ]


def test_every_code_point_is_white_space_or_not_as_the_cut_says() -> None:
    text = "x".join(chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    assert list(zip(*(found.tolist() for found in words(text)), strict=True)) == [
        (p.start, p.end) for p in Words(1).passages(text)
    ]


TEXTS = st.text(st.sampled_from("ab  .\n\nÄ😀\u00a0\r"), max_size=80)


@given(st.lists(TEXTS, max_size=4), st.integers(1, 6), st.data())
def test_windows_by_arithmetic_are_those_of_the_cut(texts, size, data) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    corpus = Corpus(Document(f"d{n}", "nord", {"wartung"}, "1", text) for n, text in enumerate(texts))
    for cut in (Words(size, overlap=overlap), Sentences(size, overlap=overlap)):
        for part in corpus.state.index.parts:
            layout = part.layout(cut)
            found = zip(layout.number.tolist(), layout.start.tolist(), layout.end.tolist(), strict=True)
            assert list(found) == [passage for document in part.documents for passage in cut.passages(document.text)]


def test_a_subclass_is_cut_by_its_own_rule() -> None:
    class First(Words):
        __slots__ = ()

        def __repr__(self) -> str:
            return f"First({self.size})"

        def passages(self, text, spans=None):
            return iter(list(super().passages(text, spans))[:1])

    view = Corpus([Document("a", "nord", {"wartung"}, "1", "eins zwei drei vier")]).view(MECHANIC).cut(First(2))
    assert [[one.passage.number for one in best] for best in rank_many(view, ["eins", "drei"])] == [[1], []]


def test_what_a_question_may_be_is_the_same() -> None:
    view = Corpus([Document("a", "nord", {"wartung"}, "1", "x")]).view(MECHANIC)
    for questions, depth, match in (
        (["x\x00"], 10, "any"),
        (["x"], 0, "any"),
        (["x"], 10, "some"),
        ([None], 10, "any"),
    ):
        with pytest.raises(QueryRefused):
            rank_many(view, questions, depth=depth, match=match)


def test_nothing_to_rank_finds_nothing() -> None:
    corpus = Corpus([Document("a", "nord", {"wartung"}, "1", "x")])
    assert rank_many(corpus.view(MECHANIC), []) == []
    assert rank_many(corpus.view(MECHANIC), ["", "?"]) == [[], []]
    assert rank_many(corpus.view(Actor("süd", {"wartung"})), ["x"]) == [[]]
    assert rank_many(Corpus([]).view(MECHANIC), ["x"]) == [[]]


def test_the_index_keeps_few_layouts() -> None:
    corpus = Corpus([Document("a", "nord", {"wartung"}, "1", "eins zwei\n\ndrei")])
    view = corpus.view(MECHANIC)
    for size in range(1, 40):
        view.cut(Words(size)).rank("eins")
    view.rank("eins")
    assert len(corpus.state.index.parts[0].layouts) <= 9


def test_more_passages_than_a_narrow_table_can_number() -> None:
    random = Random(21)
    text = " ".join(random.choice("abcdef") for _ in range(70_000))
    corpus = Corpus(Document(name, "nord", {"wartung"}, "1", text) for name in ("a", "b"))
    for cut in (Words(1), Words(2, overlap=1)):
        assert equal(corpus.view(MECHANIC).cut(cut), ["a f", "b"], 10) == 20
