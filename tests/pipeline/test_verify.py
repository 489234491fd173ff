"""A manifest is re-checked part by part, in the contract's order, and the first failing part is named."""

import json
from contextlib import suppress
from dataclasses import replace

import pytest

import workbench as wb
from workbench.contract import fingerprint
from workbench.pipeline.manifest import ManifestError

from .conftest import MECHANIC, Plant


def public(plant: Plant, at: object = 6, **more: object) -> dict:
    """A manifest's public form, as a file would hold it."""
    return json.loads(json.dumps(plant.ask(at=at, **more).manifests[0].mapping()))


def check(plant: Plant, manifest: object, actor: wb.Actor = MECHANIC, **more: object) -> wb.Verdict:
    return wb.verify(manifest, actor, plant.corpus, plant.register, **more)


def resealed(manifest: dict, **changes: object) -> dict:
    """A forged manifest whose context id fits its own content."""
    forged = wb.Manifest.of({**manifest, **changes})
    return {**manifest, **changes, "context_id": forged.context.computed_id()}


def test_it_holds_and_survives_json(plant: Plant) -> None:
    manifest = plant.ask(at=6).manifests[0]
    assert wb.Manifest.of(json.loads(json.dumps(manifest.mapping()))) == manifest
    assert check(plant, manifest).ok
    assert check(plant, public(plant)).ok
    assert check(plant, public(plant, at=4, language="de")).ok


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        "x",
        {},
        {"format": "other"},
        {"paragraph": "3"},
        {"paragraph": True},
        {"authority": "current"},
        {"allowed": "all"},
        {"allowed": [{"document_id": 1}]},
        {"within": [[1]]},
        {"mode": None},
        {"extra": 1},
    ],
)
def test_malformed(plant: Plant, broken: object) -> None:
    good = public(plant)
    manifest = {**good, **broken} if isinstance(broken, dict) and broken else broken
    assert check(plant, manifest).failed == "malformed"


SCHEMA = wb.Manifest.schema()


@pytest.mark.parametrize("field", [*SCHEMA["required"], *SCHEMA["then"]["required"]])
def test_a_missing_field_is_malformed(plant: Plant, field: str) -> None:
    manifest = public(plant)
    del manifest[field]
    assert check(plant, manifest).failed == "malformed"
    with pytest.raises(ManifestError, match=field):
        wb.Manifest.of(manifest)


def test_withdrawn_access_says_unavailable_and_nothing_more(plant: Plant) -> None:
    manifest = public(plant)
    forged = {**manifest, "quote": "invented", "context_id": "0" * 64}
    for actor in (
        wb.Actor("werk-nord", {"lager"}),
        wb.Actor("werk-nord", {"wartung"}, active=False),
        wb.Actor("werk-sued", {"wartung"}),
    ):
        assert check(plant, manifest, actor) == check(plant, forged, actor) == wb.Verdict(False, "unavailable")


@pytest.mark.parametrize("table", ["pumps/documents.csv", "pump-seal/revisions.csv"])
def test_access_is_register_and_corpus(plant: Plant, table: str) -> None:
    manifest = public(plant)
    key = "id" if table.startswith("pumps") else "revision_id"
    plant.set(table, key, "bulletin-B", groups="leitung")
    assert check(plant, manifest).failed == "unavailable"


def test_an_edition_needs_access_to_what_it_is_equivalent_to(plant: Plant) -> None:
    manifest = public(plant, at=4, language="de")
    plant.set("pump-seal/revisions.csv", "revision_id", "manual-A", groups="leitung")
    assert check(plant, manifest).failed == "unavailable"


@pytest.mark.parametrize(
    ("field", "value"),
    [("valid_to", 12), ("reference_time", 7), ("mode", "current"), ("rule_set", "newest/1"), ("region", "US")],
)
def test_an_altered_context(plant: Plant, field: str, value: object) -> None:
    assert check(plant, {**public(plant), field: value}).failed == "context_mismatch"


def test_a_changed_source(plant: Plant) -> None:
    manifest = public(plant)
    plant.rewrite("bulletin-B", "45 Nm", "46 Nm")
    assert check(plant, manifest).failed == "source_changed"
    plant.rewrite("bulletin-B", "46 Nm", "47 Nm", registered=True)
    assert check(plant, manifest).failed == "source_changed"


def test_a_register_that_speaks_of_another_source(plant: Plant) -> None:
    manifest = public(plant)
    plant.set("pump-seal/revisions.csv", "revision_id", "bulletin-B", source_digest="0" * 64)
    assert check(plant, manifest).failed == "source_changed"


@pytest.mark.parametrize(
    ("field", "value"),
    [("quote", "45 Nm"), ("paragraph", 1), ("start", 0), ("end", 10), ("cut", "Lines()"), ("quote_sha256", "0" * 64)],
)
def test_an_altered_quote(plant: Plant, field: str, value: object) -> None:
    assert check(plant, {**public(plant), field: value}).failed == "quote_mismatch"


def test_a_passage_outside_the_section(plant: Plant) -> None:
    manifest = public(plant)
    plant.settings("whole_documents = true", "whole_documents = false")
    (plant.folder / "pump-seal/sections.csv").write_text(
        "document_id,procedure_id,start,end\nbulletin-B,seal-torque,0,50\n", encoding="utf-8"
    )
    assert check(plant, manifest).failed == "scope_mismatch"


def test_another_document_under_the_same_decision(plant: Plant) -> None:
    """A quote that stands where it says, under a decision that allows another document."""
    manifest, other = public(plant, at=6), public(plant, at=12)
    mixed = {**manifest, **{name: other[name] for name in ("document_id", "content_sha256", "quote", "quote_sha256")}}
    for name in ("start", "end", "paragraph"):
        mixed[name] = other[name]
    assert check(plant, mixed).failed == "scope_mismatch"


@pytest.mark.parametrize(
    "changes",
    [
        {"reference_time": 12},
        {"configuration": "C3"},
        {"reference_time": "soon"},
        {"valid_to": 12},
        {"answer_language": "de"},
    ],
)
def test_a_forgery_that_seals_itself_is_found_by_resolving_again(plant: Plant, changes: dict) -> None:
    assert check(plant, resealed(public(plant), **changes)).failed == "decision_changed"


def test_a_correction_that_changes_the_decision(plant: Plant) -> None:
    manifest = public(plant, at=12)
    plant.add(
        "pump-seal/applicability.csv",
        "bulletin-B,seal-torque,C2,EU,11,13,FG-0009,0,unbounded",
    )
    assert check(plant, manifest).failed == "decision_changed"


def test_another_snapshot_alone_is_no_failure(plant: Plant) -> None:
    manifest = public(plant, at=6)
    before = plant.register.snapshot()
    plant.edit(
        "pump-seal/applicability.csv",
        lambda row: {**row, "valid_to": "20"} if row["revision_id"] == "manual-C" else row,
    )
    assert plant.register.snapshot() != before
    assert check(plant, manifest).ok


def test_historical_where_the_present_differs_or_has_no_clock(plant: Plant) -> None:
    manifest = public(plant, at=6)
    assert repr(check(plant, manifest)) == "Verdict(ok, historical)"
    assert repr(check(plant, manifest, clock=lambda: 12)) == "Verdict(ok, historical)"
    assert repr(check(plant, manifest, clock=lambda: 9)) == "Verdict(ok)"


def test_what_was_known_then_is_checked_as_known_now(plant: Plant) -> None:
    manifest = public(plant, known_at=2)
    assert check(plant, manifest).ok
    plant.set("pump-seal/applicability.csv", "revision_id", "bulletin-B", recorded_to="3")
    assert plant.ask(known_at=2).decision.revision_id == "bulletin-B"
    assert check(plant, manifest).failed == "decision_changed"


def test_a_replaced_text_is_historical_while_the_register_stands_by_it(plant: Plant) -> None:
    """The corpus has a newer text and keeps the old one; the clock shows the decision to be the present one."""
    manifest, corpus, register = public(plant), plant.corpus, plant.register
    assert repr(wb.verify(manifest, MECHANIC, corpus, register, clock=lambda: 9)) == "Verdict(ok)"
    newer = replace(corpus.get("bulletin-B"), version="next", text="Other.")
    corpus.replace(newer)
    assert repr(wb.verify(manifest, MECHANIC, corpus, register, clock=lambda: 9)) == "Verdict(ok, historical)"
    corpus.replace(replace(newer, groups=frozenset({"leitung"})))
    assert wb.verify(manifest, MECHANIC, corpus, register, clock=lambda: 9).failed == "unavailable"


def test_another_actor_with_access_can_verify(plant: Plant) -> None:
    assert check(plant, public(plant), wb.Actor("werk-nord", {"wartung", "revision"})).ok


def test_a_manifest_names_no_protected_field(plant: Plant) -> None:
    text = json.dumps(public(plant))
    assert "FG-0002" not in text
    assert "wartung" not in text
    assert replace(plant.ask().manifests[0].context, id="").access in text


def test_a_piece_of_a_passage_is_not_made_whole_by_spans_around_it(plant: Plant) -> None:
    """Any half sentence is a whole passage if the spans may be drawn around it."""
    good = public(plant)
    text = (plant.folder / "pumps/texts/bulletin-B.txt").read_text(encoding="utf-8")
    start = text.index("45 Nm")
    piece = {"quote": "45 Nm", "start": start, "end": start + 5, "within": [[start, start + 5]], "paragraph": 1}
    for cut in ("Words(120)", "Sentences(1)", "Characters(50)", "Recursive(20)", "Headings()"):
        forged = {**good, **piece, "cut": cut, "quote_sha256": fingerprint("45 Nm")}
        assert check(plant, forged).failed == "quote_mismatch"
        cited = {name: forged[name] for name in ("document_id", "version", "content_sha256", *piece, "cut")}
        assert wb.resolve_citation(MECHANIC, cited, plant.corpus).reason == "quote_mismatch"
    whole = {**good, "within": [[0, len(text)]], "cut": "Words(500)", "paragraph": 1, "start": 0, "end": len(text)}
    assert check(plant, {**whole, "quote": text, "quote_sha256": fingerprint(text)}).failed == "scope_mismatch"


@pytest.mark.parametrize("change", ["gone", "regrouped", "edited"])
def test_an_edition_stands_only_beside_its_original(plant: Plant, change: str) -> None:
    manifest = public(plant, at=4, language="de")
    if change == "gone":
        plant.edit("pumps/documents.csv", lambda row: None if row["id"] == "manual-A" else row)
    elif change == "regrouped":
        plant.set("pumps/documents.csv", "id", "manual-A", groups="leitung")
    else:
        plant.rewrite("manual-A", "40 Nm", "41 Nm")
    assert plant.ask(at=4, language="de").decision.status == "UNAVAILABLE"
    assert check(plant, manifest).failed == ("source_changed" if change == "edited" else "unavailable")


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"mode": "approved by the boss"}, "malformed"),
        ({"rule_set": "transitive/9"}, "decision_changed"),
        ({"valid_from": 50, "valid_to": 60, "register_snapshot": "0" * 64}, "decision_changed"),
        ({"valid_from": 7, "register_snapshot": "0" * 64}, "decision_changed"),
        ({"known_at": -5}, "decision_changed"),
        ({"reference_time": "006"}, "decision_changed"),
    ],
)
def test_a_sealed_forgery_of_any_other_field(plant: Plant, changes: dict, failed: str) -> None:
    manifest = {**public(plant), **changes}
    with suppress(ManifestError):
        manifest = resealed(public(plant), **changes)
    assert check(plant, manifest).failed == failed


def test_taking_the_authority_away_is_malformed(plant: Plant) -> None:
    assert check(plant, {**public(plant), "authority": "none"}).failed == "malformed"


def test_without_authority_nothing_is_labelled_current(plant: Plant) -> None:
    [hit] = [h for h in plant.corpus.view(MECHANIC).search("Anzugsmoment", 5) if h.document_id == "manual-A"]
    bare = wb.cite(hit).mapping()
    verdict = check(plant, bare, clock=lambda: 12)
    assert (verdict.ok, verdict.authority, repr(verdict)) == (True, "none", "Verdict(ok, no authority)")
    assert check(plant, public(plant), clock=lambda: 6).authority == "register"
    plant.set("pump-seal/revisions.csv", "revision_id", "manual-A", groups="leitung")
    assert check(plant, bare).failed == "unavailable"


@pytest.mark.parametrize(
    "field", ["quote", "tenant", "governing_revision_id", "mode", "valid_from", "cut", "procedure"]
)
def test_text_that_cannot_be_stored_is_malformed(plant: Plant, field: str) -> None:
    assert check(plant, {**public(plant), field: "\ud800"}).failed == "malformed"
