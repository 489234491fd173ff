"""A manual with five procedures of which a bulletin replaces one: the replaced paragraph is in no view of any decision.

Asked in every combination of procedure, time, cut and way to find, alone and as a set (contract 3.11, 3.12; S1).
"""

import pytest

import workbench as wb
from tests.evidence import small_models
from workbench.errors import ContextError
from workbench.evidence.finding import Finder

from .conftest import MECHANIC
from .seals import Seals, scope

PROCEDURES = ["öffnen", "reinigen", "dichten", "füllen", "schließen"]
REPLACED = "dichten"
TEXTS = {
    name: f"Vor dem {name.capitalize()} der Pumpe die Schrauben mit {40 + n} Nm anziehen."
    for n, name in enumerate(PROCEDURES)
}
NEW = "Vor dem Dichten der Pumpe die Schrauben mit 99 Nm anziehen."
TIMES = [0, 4, 5, 9, 10, 30]
CUTS = [wb.Paragraphs(), wb.Words(4, overlap=2), wb.Words(50)]
VECTORS = wb.Vectors(wb.Kept(small_models.model()), 50)
SYNONYMS = wb.Synonyms.of([["Schrauben", "42 Nm", "99 Nm"]])
WAYS: list[Finder] = [
    *(wb.Ranked(50, match="any"), wb.Analyzed(50), VECTORS, wb.Fused((wb.Analyzed(50), VECTORS), 50)),
    *(wb.Expanded(wb.Analyzed(50), SYNONYMS), wb.Reranked(wb.Analyzed(50), wb.Nearness(), 50)),
]
QUESTION = "Mit welchem Moment die Schrauben vor dem Dichten anziehen, 42 Nm?"


@pytest.fixture(scope="module")
def seals() -> Seals:
    """The bulletin holds from 5 on; the manual goes on for everything else."""
    found = Seals()
    found.add("handbuch", "\n\n".join(TEXTS.values()))
    found.add("zettel", NEW)
    start = 0
    for name, text in TEXTS.items():
        found.applies("handbuch", 0, procedure=name)
        found.located("handbuch", name, start, start + len(text))
        start += len(text) + 2
    found.applies("zettel", 5, procedure=REPLACED)
    found.located("zettel", REPLACED, 0, len(NEW))
    found.supersedes("zettel", "handbuch", 5, procedure=REPLACED)
    return found


def shown(view: wb.View) -> list[str]:
    """Every passage, and every hit of every way."""
    passages = [document.text[passage.start : passage.end] for document, passage in view.passages()]
    return passages + [hit.quote for way in WAYS for hit in way.find(view, QUESTION)]


@pytest.mark.parametrize("cut", CUTS, ids=repr)
@pytest.mark.parametrize("at", TIMES)
def test_each_procedure_has_its_own_paragraph_and_the_replaced_one_is_nowhere(
    seals: Seals, at: int, cut: wb.Words
) -> None:
    corpus, register = seals.corpus, seals.register
    for procedure in PROCEDURES:
        decision = register.resolve(wb.Request(scope(procedure), at=at), MECHANIC)
        own = NEW if procedure == REPLACED and at >= 5 else TEXTS[procedure]
        assert decision.revision_id == ("zettel" if own is NEW else "handbuch")
        quotes = shown(corpus.view(MECHANIC, decision).cut(cut))
        assert quotes
        assert all(quote in own for quote in quotes)
        assert any("Nm" in quote for quote in quotes)


@pytest.mark.parametrize("cut", CUTS, ids=repr)
@pytest.mark.parametrize("at", TIMES)
def test_the_set_of_all_procedures_holds_it_only_while_it_is_in_force(seals: Seals, at: int, cut: wb.Words) -> None:
    corpus, register = seals.corpus, seals.register
    found = wb.together(corpus, MECHANIC, register.applicable("C2", "EU", actor=MECHANIC, at=at))
    quotes = shown(found.view.cut(cut))
    assert any("42 Nm" in quote for quote in quotes) is (at < 5)
    assert any("99 Nm" in quote for quote in quotes) is (at >= 5)
    assert all(any(f"{40 + n} Nm" in quote for quote in quotes) for n in (0, 1, 3, 4))


def test_a_document_whose_procedures_nobody_located_has_no_view_at_all(seals: Seals) -> None:
    """Where the spans are taken away, the whole manual would show the replaced paragraph: its view is refused."""
    whole = Seals(**{name: getattr(seals, name) for name in seals.__dataclass_fields__ if name != "sections"})
    for procedure in (name for name in PROCEDURES if name != REPLACED):
        decision = whole.register.resolve(wb.Request(scope(procedure), at=6), MECHANIC)
        with pytest.raises(ContextError):
            whole.corpus.view(MECHANIC, decision)
