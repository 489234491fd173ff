"""Every manifest that is produced fulfils the published schema, and its canonical form is one text with one digest."""

import hashlib
import json
from collections.abc import Iterator

import jsonschema
import pytest

import workbench as wb
from workbench.errors import WorkbenchError

from .conftest import MECHANIC, Plant
from .seals import scope, shipped
from .test_windows import furnished, worlds

SCHEMA = wb.Manifest.schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def produced() -> Iterator[wb.Manifest]:
    """Manifests of every kind: without decision, in each mode and language, with sections, by several cuts."""
    seals = shipped()
    for cut in (wb.Paragraphs(), wb.Words(3, overlap=1)):
        yield from (wb.cite(hit) for hit in seals.corpus.view(MECHANIC).cut(cut).search("Anzugsmoment", 5))
    seals.located("manual-C", "torque", 13, 50)
    seals.settings["source_language"] = "permitted"
    seals.settings["history_from"] = 0
    session = wb.Session(seals.corpus, seals.register, clock=lambda: 7)
    for at in (None, 4, 6, 9, 12):
        for more in ({}, {"language": "de"}, {"language": "de", "source_language": True}, {"known_at": 3}):
            for cut in (wb.Paragraphs(), wb.Words(3)):
                request = wb.Request(scope(), at=at, **more)
                yield from session.ask("Anzugsmoment", actor=MECHANIC, request=request, cut=cut).manifests


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "urn:workbench:manifest:1"


def test_every_produced_manifest_fulfils_it() -> None:
    manifests = list(produced())
    for manifest in manifests:
        VALIDATOR.validate(json.loads(manifest.canonical()))
    labels = {manifest.mode for manifest in manifests}
    assert labels == {None, "current", "historical", "planned"}
    assert {m.mapping().get("equivalence_status") for m in manifests} == {None, "source", "reviewed", "none"}
    assert any(manifest.citation.within for manifest in manifests)


def test_manifests_of_random_registers_fulfil_it() -> None:
    count = 0
    for seed in range(120):
        made, corpus, register = furnished(seed)
        for request, actor, now, _ in worlds.requests(worlds.random.Random(seed), made, 20):
            try:
                answer = wb.Session(corpus, register, clock=worlds.clock(made, now)).ask(
                    "Anzugsmoment", actor=actor, request=request
                )
            except WorkbenchError:
                continue
            for manifest in answer.manifests:
                VALIDATOR.validate(manifest.mapping())
                assert wb.Manifest.of(json.loads(manifest.canonical())) == manifest
                count += 1
    assert count > 100


@pytest.mark.parametrize("bound", [False, True])
def test_the_schema_refuses_what_is_no_manifest(bound: bool, plant: Plant) -> None:
    good = (
        plant.ask().manifests[0].mapping() if bound else wb.cite(plant.corpus.view(MECHANIC).search("Nm")[0]).mapping()
    )
    VALIDATOR.validate(good)
    for name in good:
        assert not VALIDATOR.is_valid({key: value for key, value in good.items() if key != name}), name
        assert not VALIDATOR.is_valid({**good, name: {"no": "value"}}), name
    for extra in ("score", "approval_ref", "review_ref", "access", "confidence"):
        assert not VALIDATOR.is_valid({**good, extra: "x"}), extra
    for name in ("content_sha256", "quote_sha256"):
        assert not VALIDATOR.is_valid({**good, name: "0" * 63})


def test_a_manifest_without_decision_has_no_field_of_one(plant: Plant) -> None:
    unbound = wb.cite(plant.corpus.view(MECHANIC).search("Nm")[0])
    assert not VALIDATOR.is_valid({**unbound.mapping(), "mode": "current"})
    assert unbound.label == "no authority"
    assert "no authority" in repr(unbound)


def test_what_reading_calls_malformed_the_schema_refuses_too(plant: Plant) -> None:
    good = plant.ask().manifests[0].mapping()
    for name in good:
        for value in (None, 1, "x", [], {}, True, [[1]], -1):
            broken = {**good, name: value}
            if VALIDATOR.is_valid(broken):
                wb.Manifest.of(broken)


def test_the_canonical_form_is_one_text_with_one_digest(plant: Plant) -> None:
    manifest = plant.ask(at=4, language="de").manifests[0]
    text = manifest.canonical()
    assert manifest.digest() == hashlib.sha256(text.encode("utf-8")).hexdigest()
    shuffled = dict(reversed(list(json.loads(text).items())))
    assert wb.Manifest.of(shuffled).canonical() == text
    assert "ü" not in text or "\\u" not in text
    assert " " not in text.replace(manifest.citation.quote.replace("\n", "\\n"), "")


def test_nothing_protected_is_in_it(plant: Plant) -> None:
    """Approvals, reviews, groups and owners are in the register, and in no manifest, decision or context."""
    for answer in (plant.ask(at=6), plant.ask(at=4, language="de")):
        said = repr(answer) + answer.manifests[0].canonical() + repr(answer.decision.context) + str(answer.decision)
        for secret in ("FG-000", "PR-0001", "wartung", "Redaktion", "redaktion"):
            assert secret not in said


def test_historical_and_current_are_said_wherever_a_manifest_is_shown() -> None:
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register, clock=lambda: 9)
    for at, mode in ((None, "current"), (4, "historical"), (12, "planned")):
        answer = session.ask("Anzugsmoment", actor=MECHANIC, request=wb.Request(scope(), at=at))
        manifest = answer.manifests[0]
        shown = (repr(answer), repr(manifest), manifest.label, json.dumps(manifest.mapping()))
        assert all(mode in text for text in shown)
        others = {"current", "historical", "planned"} - {mode}
        assert not any(other in text for other in others for text in shown)
