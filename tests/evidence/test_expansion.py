"""Declared synonyms: what was added is shown, stands in the view, and comes from the list alone."""

from pathlib import Path

import pytest

from workbench.contract import Actor, Document
from workbench.errors import EvidenceError, InputError, QueryRefused
from workbench.evidence.analyzed import Analyzed
from workbench.evidence.analyzers import German
from workbench.evidence.corpus import Corpus
from workbench.evidence.expansion import MOST_WORDS, Expanded, Synonyms
from workbench.pipeline.finders import Ranked

FITTER = Actor("nord", {"wartung"})
LIST = Synonyms.of([["Leckage", "Undichtigkeit", "Leck"], ["GLRD", "mechanische Dichtung"]])
ANY = Ranked(10, match="any")


def corpus(*texts: str, secret: str = "") -> Corpus:
    own = [Document(f"d{at}", "nord", {"wartung"}, "1", text) for at, text in enumerate(texts, 1)]
    return Corpus([*own, *([Document("s", "nord", {"leitung"}, "1", secret)] if secret else [])])


def test_it_finds_by_a_synonym_and_says_so() -> None:
    view = corpus("Eine Undichtigkeit am Deckel.", "Die mechanische Dichtung.").view(FITTER)
    found = Expanded(ANY, LIST)
    assert ANY.find(view, "Leckage") == []
    assert [h.document_id for h in found.find(view, "Leckage")] == ["d1"]
    expansion = found.expansion(view, "Wo ist die Leckage?")
    assert (expansion.added, expansion.text) == ({"leckage": ("undichtigkeit",)}, "Wo ist die Leckage? undichtigkeit")
    assert found.expansion(view, "GLRD").added == {"glrd": ("mechanische dichtung",)}


def test_an_expression_of_several_words_is_one() -> None:
    view = corpus("GLRD prüfen").view(FITTER)
    found = Expanded(ANY, LIST)
    assert found.expansion(view, "Die mechanische Dichtung leckt").added == {"mechanische dichtung": ("glrd",)}
    assert found.expansion(view, "Die Dichtung, mechanische").added == {}


def test_only_what_the_view_holds_is_added() -> None:
    """A synonym that only a forbidden text holds must not show: the same as where that text does not exist."""
    found = Expanded(ANY, LIST)
    for of in (corpus("Pumpe"), corpus("Pumpe", secret="Undichtigkeit")):
        expansion = found.expansion(of.view(FITTER), "Leckage")
        assert (expansion.added, expansion.text) == ({}, "Leckage")
        assert found.find(of.view(FITTER), "Leckage") == []


def test_an_analyzer_says_which_words_count_as_a_synonym() -> None:
    view = corpus("Undichtigkeiten am Deckel").view(FITTER)
    assert Expanded(ANY, LIST).expansion(view, "Leckage").added == {}
    stems = Expanded(Analyzed(10), LIST, analyzer=German())
    assert stems.expansion(view, "Leckage").added == {"leckage": ("undichtigkeit",)}
    assert len(stems.find(view, "Leckage")) == 1


def test_an_empty_view_finds_nothing_and_adds_nothing() -> None:
    empty = corpus("Undichtigkeit").view(Actor("nord", {"gast"}))
    assert Expanded(ANY, LIST).expansion(empty, "Leckage").added == {}
    assert Expanded(ANY, LIST).find(empty, "Leckage") == []


def test_there_is_a_limit_to_what_is_added() -> None:
    words = [f"wort{n}" for n in range(2 * MOST_WORDS)]
    found = Expanded(ANY, Synonyms.of([["Leckage", *words]]))
    view = corpus(" ".join(words)).view(FITTER)
    assert len(found.expansion(view, "Leckage").added["leckage"]) == MOST_WORDS


def test_the_list_is_a_file_that_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "synonyme.toml"
    path.write_text('groups = [["Leckage", "Undichtigkeit", "Leck"], ["GLRD", "mechanische Dichtung"]]', "utf-8")
    assert Synonyms.read(path) == LIST
    for bad in ('groups = [["Leckage"]]', 'groups = ["Leckage"]', 'groups = [["a", 3]]', "x = 1", "groups = [", "",
                'groups = [["a", "-"]]'):  # fmt: skip
        path.write_text(bad, "utf-8")
        with pytest.raises(InputError):
            Synonyms.read(path)
    with pytest.raises(InputError):
        Synonyms.read(tmp_path / "fehlt.toml")


def test_the_order_in_which_groups_are_written_does_not_matter() -> None:
    assert Synonyms.of([["b", "a"], ["d", "c"]]).digest == Synonyms.of([["c", "d"], ["a", "b"]]).digest
    assert Synonyms.of([["b", "a"]]).digest != Synonyms.of([["b", "c"]]).digest


def test_a_list_or_analyzer_put_in_place_is_refused() -> None:
    view = corpus("Undichtigkeit").view(FITTER)
    for name, value in (("synonyms", Synonyms.of([["leckage", "pumpe"]])), ("analyzer", German())):
        found = Expanded(ANY, LIST)
        setattr(found, name, value)
        with pytest.raises(EvidenceError):
            found.find(view, "Leckage")


def test_no_question_no_search() -> None:
    for bad in ("a\x00", 3):
        with pytest.raises(QueryRefused):
            Expanded(ANY, LIST).check(bad)


def test_its_name_holds_the_way_s_and_the_list_s() -> None:
    other = Synonyms.of([["a", "b"]])
    assert len({repr(Expanded(ANY, LIST)), repr(Expanded(ANY, other)), repr(Expanded(Analyzed(), LIST))}) == 3


def test_its_name_holds_the_analyzer_s_digest() -> None:
    """Another version of the stems is another answer, whatever way is asked with the added words."""
    german = German()
    name = repr(Expanded(ANY, LIST, analyzer=german))
    assert german.digest[:16] in name
    german._version = "0"
    assert repr(Expanded(ANY, LIST, analyzer=german)) != name
