"""One question under one decision: only its revision answers, and a disagreement is UNAVAILABLE."""

import pickle

import pytest

import workbench as wb
from workbench.errors import ContextError, EvidenceError

from .conftest import MECHANIC, SEAL, Plant


@pytest.mark.parametrize(
    ("at", "document", "torque"), [(4, "manual-A", "40"), (6, "bulletin-B", "45"), (12, "manual-C", "50")]
)
def test_only_the_deciding_revision_answers(plant: Plant, at: int, document: str, torque: str) -> None:
    answer = plant.ask(at=at)
    assert [hit.document_id for hit in answer.hits] == [document]
    assert f"{torque} Nm" in answer.hits[0].quote
    assert [m.citation for m in answer.manifests] == [hit.citation() for hit in answer.hits]


def test_the_twins_rank_together_without_a_decision(plant: Plant) -> None:
    """So that the test above can fail: unrestricted, all four say nearly the same."""
    found = {hit.document_id for hit in plant.corpus.view(MECHANIC).search("Anzugsmoment", 5)}
    assert found == {"manual-A", "bulletin-B", "manual-C", "manual-A-de"}


def test_an_edition_answers_in_its_language_only(plant: Plant) -> None:
    answer = plant.ask(at=4, language="de")
    assert {hit.document_id for hit in answer.hits} == {"manual-A-de"}
    manifest = answer.manifests[0].mapping()
    assert (manifest["source_language"], manifest["answer_language"], manifest["equivalence_status"]) == (
        "en",
        "de",
        "reviewed",
    )
    assert (manifest["governing_revision_id"], manifest["document_id"]) == ("manual-A", "manual-A-de")
    assert plant.ask(at=12, language="de").decision.status == "NO_EQUIVALENT_EDITION"


def test_the_source_language_way_is_permitted_by_the_register_and_labelled(plant: Plant) -> None:
    assert plant.ask(at=12, language="de", source_language=True).decision.status == "NO_EQUIVALENT_EDITION"
    plant.settings('source_language = "refused"', 'source_language = "permitted"')
    refused = plant.ask(at=12, language="de").decision
    assert (refused.status, refused.source_way) == ("NO_EQUIVALENT_EDITION", True)
    answer = plant.ask(at=12, language="de", source_language=True)
    manifest = answer.manifests[0].mapping()
    assert (manifest["language"], manifest["answer_language"], manifest["equivalence_status"]) == ("de", "en", "none")


def _hide_in_corpus(plant: Plant) -> None:
    plant.set("pumps/documents.csv", "id", "bulletin-B", groups="leitung")


def _hide_in_register(plant: Plant) -> None:
    plant.set("pump-seal/revisions.csv", "revision_id", "bulletin-B", groups="leitung")


def _remove_document(plant: Plant) -> None:
    plant.edit("pumps/documents.csv", lambda row: None if row["id"] == "bulletin-B" else row)


def _edit_text(plant: Plant) -> None:
    plant.rewrite("bulletin-B", "45 Nm", "46 Nm")


def _nothing_applies(plant: Plant) -> None:
    plant.edit("pump-seal/applicability.csv", lambda row: None if int(row["valid_from"]) < 10 else row)


def _hidden_rival(plant: Plant) -> None:
    digest = plant.register.revisions["bulletin-B"].source_digest
    plant.add("pump-seal/revisions.csv", f"geheim,pump-seal,werk-nord,leitung,en,{digest},,")
    plant.add("pump-seal/applicability.csv", "geheim,seal-torque,C2,EU,5,10,FG-9,0,unbounded")


def _unknown_successor(plant: Plant) -> None:
    plant.add("pump-seal/supersessions.csv", "unknown,bulletin-B,seal-torque,C2,EU,6,unbounded,FG-9,0,unbounded")


def _unlocated(plant: Plant) -> None:
    plant.settings("whole_documents = true", "whole_documents = false")


WAYS = [
    _hide_in_corpus,
    _hide_in_register,
    _remove_document,
    _edit_text,
    _nothing_applies,
    _hidden_rival,
    _unknown_successor,
    _unlocated,
]


@pytest.mark.parametrize("change", WAYS)
def test_every_unavailable_answer_is_the_same_to_the_byte(plant: Plant, change) -> None:
    assert plant.ask().decision.status == "RESOLVED"
    change(plant)
    answer = plant.ask()
    nothing_there = plant.ask(actor=wb.Actor("werk-fremd", {"wartung"}))
    assert answer.decision.status == "UNAVAILABLE"
    assert answer == nothing_there
    assert repr(answer) == repr(nothing_there)
    assert pickle.dumps(answer) == pickle.dumps(nothing_there)


@pytest.mark.parametrize("configuration", [None, "", "  "])
def test_a_missing_configuration_is_asked_for_and_no_search_runs(plant: Plant, configuration: str | None) -> None:
    scope = wb.Scope("pump-seal", "seal-torque", configuration, "EU")
    answer = wb.ask(
        plant.corpus,
        plant.register,
        "\x00 no query at all",
        actor=MECHANIC,
        request=wb.Request(scope, at=6),
    )
    assert (answer.decision.status, answer.decision.missing, answer.hits) == (
        "MISSING_SCOPE",
        ("configuration",),
        (),
    )


def test_no_hit_under_a_decision_is_a_valid_result(plant: Plant) -> None:
    answer = plant.ask("Kranöse")
    assert (answer.decision.status, answer.hits, answer.manifests) == ("RESOLVED", (), ())


def test_sections_keep_a_replaced_instruction_out_of_other_questions(plant: Plant) -> None:
    text = (plant.folder / "pumps/texts/manual-C.txt").read_text(encoding="utf-8")
    start = text.index("Turn the shaft")
    plant.settings("whole_documents = true", "whole_documents = false")
    (plant.folder / "pump-seal/sections.csv").write_text(
        f"document_id,procedure_id,start,end\nmanual-C,seal-torque,{start},{len(text)}\n", encoding="utf-8"
    )
    assert plant.ask("shaft", at=12).hits[0].start == start
    assert plant.ask("Anzugsmoment", at=12).hits == ()


def test_a_hit_of_another_view_cannot_be_cited(plant: Plant) -> None:
    hit = plant.ask(at=6).hits[0]
    other = plant.register.resolve(wb.Request(SEAL, at=12), MECHANIC)
    with pytest.raises(EvidenceError):
        wb.cite(hit, other)


def test_a_hit_outside_the_section_cannot_be_cited(plant: Plant) -> None:
    unbound = plant.corpus.view(MECHANIC).search("shaft", 5)
    hit = next(hit for hit in unbound if hit.document_id == "manual-C")
    plant.settings("whole_documents = true", "whole_documents = false")
    (plant.folder / "pump-seal/sections.csv").write_text(
        "document_id,procedure_id,start,end\nmanual-C,seal-torque,0,10\n", encoding="utf-8"
    )
    decision = plant.register.resolve(wb.Request(SEAL, at=12), MECHANIC)
    with pytest.raises(EvidenceError):
        wb.cite(hit, decision)


def test_nothing_is_cited_under_a_refusal(plant: Plant) -> None:
    hit = plant.ask(at=6).hits[0]
    refusal = plant.register.resolve(wb.Request(SEAL, at=-1), MECHANIC)
    with pytest.raises(ContextError):
        wb.cite(hit, refusal)


def test_a_citation_without_decision_claims_no_authority(plant: Plant) -> None:
    manifest = wb.cite(plant.corpus.view(MECHANIC).search("zwei Personen")[0])
    assert (manifest.authority, manifest.mode) == ("none", None)
    assert "current" not in repr(manifest.mapping())
    assert wb.verify(manifest, MECHANIC, plant.corpus, plant.register).ok
