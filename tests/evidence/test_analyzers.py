"""Analyzers: exactly FTS5's scores over mapped words, offsets untouched, and nothing of what the view does not hold."""

import unicodedata
from contextlib import closing
from random import Random

import pytest

from tests.evidence import cases, views
from workbench.contract import Actor, Document
from workbench.errors import EvidenceError, InputError, QueryRefused
from workbench.evidence import analyzers, fts, query
from workbench.evidence.analyzed import Analyzed, ranking
from workbench.evidence.analyzers import German, Identity
from workbench.evidence.corpus import Corpus
from workbench.evidence.tokens import terms

FORMS = "Pumpe Pumpen prüfen prüft geprüft Prüfung Straße Straßen Maße Wartung wartungen die der ist wie".split()
WORDS = FORMS + cases.WORDS
FITTER = Actor("nord", {"wartung"})


def corpus(*texts: str) -> Corpus:
    return Corpus(Document(f"d{at}", "nord", {"wartung"}, "1", text) for at, text in enumerate(texts, 1))


def by_fts5(view, found: Analyzed, question: str):
    """A fresh FTS5 table in which every word stands as its key, asked for the same keys."""
    names: dict[str, str] = {}

    def named(text: str) -> list[str]:
        keys = (found.analyzer.key(term) for term in terms(text))
        return [names.setdefault(key, f"k{len(names)}") for key in keys]

    mapped = [(d.id, p.number, " ".join(named(d.text[p.start : p.end]))) for d, p in view.passages()]
    words = query.question_words(question)
    for wanted in (found.analyzer.question(words), words):
        keys = list(dict.fromkeys(key for word in wanted for key in named(word)))
        with closing(fts.table(mapped)) as table:
            rows = fts.ranked(table, keys, match=found.match, depth=found.depth)
        if rows:
            return sorted((score, document, number) for document, number, score in rows)
    return []


@pytest.mark.parametrize("analyzer", [Identity(), German()], ids=repr)
@pytest.mark.parametrize("seed", range(60))
def test_it_scores_as_fts5_scores_mapped_texts(seed: int, analyzer: Identity | German) -> None:
    random = Random(seed)
    of = views.corpus(random, WORDS)
    view = views.view(random, of)
    for _ in range(4):
        question = views.question(random, WORDS)
        found = Analyzed(random.choice([1, 3, 10**6]), analyzer, match=random.choice(["all", "any"]))
        hits = found.find(view, question)
        assert [(h.score, h.document_id, h.paragraph) for h in hits] == by_fts5(view, found, question)
        for hit in hits:
            assert of.get(hit.document_id).text[hit.start : hit.end] == hit.quote


def test_it_stays_exact_over_an_index_of_several_parts() -> None:
    random = Random(3)
    of = corpus(*(cases.random_text(random, 60, WORDS) for _ in range(20)))
    of.view(FITTER).rank("a")
    for number in range(5):
        of.add(Document(f"neu{number}", "nord", {"wartung"}, "1", cases.random_text(random, 40, WORDS)))
        view, found = of.view(FITTER), Analyzed(50)
        assert len(view.ranking().lenses) > 1
        hits = found.find(view, "geprüfte Pumpe Straße")
        assert [(h.score, h.document_id, h.paragraph) for h in hits] == by_fts5(view, found, "geprüfte Pumpe Straße")


def test_it_finds_other_forms_and_quotes_verbatim() -> None:
    view = corpus("Die PUMPEN sind zu prüfen.\n\nFreigabe").view(FITTER)
    assert view.rank("Pumpe", match="any") == []
    (hit,) = Analyzed().find(view, "Wie wird die Pumpe geprüft?")
    assert hit.quote == "Die PUMPEN sind zu prüfen."
    assert Analyzed(match="all").find(view, "Pumpe Freigabe") == []


def test_decomposed_letters_are_found_and_stay_decomposed() -> None:
    text = unicodedata.normalize("NFD", "Die Schlüssel prüfen")
    view = corpus(text).view(FITTER)
    assert view.rank("Schlüssel", match="any") == []
    for analyzer in (Identity(), German()):
        (hit,) = Analyzed(10, analyzer).find(view, "Schlüssel")
        assert hit.quote == text


def test_function_words_count_only_where_nothing_else_is_found() -> None:
    view = corpus("Das ist es.", "Die Pumpe steht.").view(FITTER)
    assert [h.document_id for h in Analyzed().find(view, "Wo ist die Pumpe?")] == ["d2"]
    assert [h.document_id for h in Analyzed().find(view, "Wer ist es?")] == ["d1"]
    # Nothing holds "Kompressor": asked again with all of its words.
    assert {h.document_id for h in Analyzed().find(view, "Was ist die Kompressor?")} == {"d1", "d2"}


def test_a_word_finds_the_compounds_of_the_view_that_it_is_a_part_of() -> None:
    view = corpus("Die Wartungsfreigabe liegt vor.", "Wartung im Mai, Freigaben im Juni.").view(FITTER)
    plain, parts = Analyzed(), Analyzed(10, German(compounds=True))
    assert [h.document_id for h in plain.find(view, "Freigabe")] == ["d2"]
    assert {h.document_id for h in parts.find(view, "Freigabe")} == {"d1", "d2"}


def test_compounds_are_made_of_the_view_s_own_words_alone() -> None:
    """The part stands only in a text that the asker may not read: then nothing shows that it is one."""
    documents = [Document("d1", "nord", {"wartung"}, "1", "Die Wartungsfreigabe liegt vor.")]
    secret = Document("d2", "nord", {"leitung"}, "1", "Wartung im Mai, Freigabe im Juni.")
    found = Analyzed(10, German(compounds=True))
    alone, beside = (Corpus([*documents, *more]).view(FITTER) for more in ([], [secret]))
    assert found.find(alone, "Freigabe") == found.find(beside, "Freigabe") == []
    assert ranking(beside, found.analyzer).lenses[0].groups == ranking(alone, found.analyzer).lenses[0].groups


@pytest.mark.parametrize("seed", range(20))
def test_forbidden_documents_change_nothing(seed: int) -> None:
    random = Random(seed)
    own = [Document(f"a{n}", "nord", {"wartung"}, "1", cases.random_text(random, 40, WORDS)) for n in range(4)]
    other = [Document(f"z{n}", "nord", {"leitung"}, "1", cases.random_text(random, 40, WORDS)) for n in range(6)]
    found = Analyzed(100, German(compounds=True))
    for _ in range(4):
        question = views.question(random, WORDS)
        assert found.find(Corpus(own).view(FITTER), question) == found.find(Corpus(own + other).view(FITTER), question)


def test_an_analyzer_that_has_changed_is_refused() -> None:
    class Shifting(Identity):
        digest = "one"

    analyzer = Shifting()
    found, view = Analyzed(10, analyzer), corpus("Pumpe").view(FITTER)
    assert found.find(view, "Pumpe")
    Shifting.digest = "two"
    with pytest.raises(EvidenceError):
        found.find(view, "Pumpe")
    swapped = Analyzed(10, Identity())
    swapped.analyzer = German()
    with pytest.raises(EvidenceError):
        swapped.find(view, "Pumpe")


def test_another_stemmer_under_the_same_name_has_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    german = German()
    found = Analyzed(10, german)
    monkeypatch.setattr(german, "_stemmer", type("English", (), {"stemWord": lambda self, word: word})())
    with pytest.raises(EvidenceError):
        found.find(corpus("Pumpe").view(FITTER), "Pumpe")


def test_other_stop_words_are_another_analyzer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = German().digest
    assert German(compounds=True).digest != before
    monkeypatch.setattr(analyzers, "STOP", analyzers.STOP | {"pumpe"})
    assert German().digest != before


def test_without_the_package_it_says_which_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "Stemmer", None)
    with pytest.raises(InputError, match="extra german"):
        German()


@pytest.mark.parametrize("bad", ["x" * 10_001, "a\x00b", 3])
def test_no_question_no_search(bad: object) -> None:
    with pytest.raises(QueryRefused):
        Analyzed().find(corpus("Pumpe").view(FITTER), bad)
    with pytest.raises(QueryRefused):
        Analyzed().check(bad)


def test_its_name_says_all_that_decides() -> None:
    names = {repr(Analyzed(d, a, match=m)) for d in (1, 2) for a in (Identity(), German()) for m in ("all", "any")}
    assert len(names) == 8
