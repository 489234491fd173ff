"""Manifests as Web Annotations and back: nothing is lost, offsets are code points, nothing beside the span shows."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from workbench.errors import EvidenceError
from workbench.pipeline.annotation import AROUND
from workbench.pipeline.manifest import ManifestError

from .conftest import MECHANIC
from .seals import Seals, scope, shipped
from .test_manifest_schema import produced

# Characters that take two units in UTF-16, that combine, and that a careless export would normalise or escape.
TEXT = "🔧 Vorspann 𝔄.\n\nDas Anzugsmoment ist 45 Nm – „e\u0301in“ <b>&amp; 👷🏽\u200d♀️.\n\nNachspann 🔩 von früher."


def furnished(text: str = TEXT) -> Seals:
    seals = Seals()
    seals.add("handbuch", text)
    seals.applies("handbuch", 5, 10)
    return seals


def cited(seals: Seals, query: str = "Anzugsmoment") -> wb.Manifest:
    session = wb.Session(seals.corpus, seals.register)
    return session.ask(query, actor=MECHANIC, request=wb.Request(scope(), at=6)).manifests[0]


def selectors(annotation: dict) -> tuple[dict, dict]:
    position, quote = annotation["target"]["selector"]
    assert (position["type"], quote["type"]) == ("TextPositionSelector", "TextQuoteSelector")
    return position, quote


def test_it_is_a_web_annotation_with_code_points() -> None:
    seals = furnished()
    annotation = wb.to_annotation(cited(seals), MECHANIC, seals.corpus)
    assert annotation["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert annotation["type"] == "Annotation"
    position, quote = selectors(annotation)
    assert TEXT[position["start"] : position["end"]] == quote["exact"]
    assert quote["prefix"] == TEXT[: position["start"]][-AROUND:]
    assert quote["suffix"] == TEXT[position["end"] :][:AROUND]
    in_utf16 = len(TEXT[: position["start"]].encode("utf-16-le")) // 2
    assert in_utf16 != position["start"]  # the text would show the difference
    assert annotation["body"][0]["value"] == "historical at 6, valid [5,10)"


def test_round_trip_of_every_kind_of_manifest() -> None:
    for manifest in produced():
        seals = shipped()
        annotation = json.loads(json.dumps(wb.to_annotation(manifest, MECHANIC, seals.corpus)))
        again = wb.from_annotation(annotation)
        assert again == manifest
        assert again.context_id == manifest.context_id
        assert again.canonical() == manifest.canonical()
        assert wb.to_annotation(again, MECHANIC, seals.corpus) == annotation


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.text("🔧a\u0301 \u00a0ß\r\t", max_size=20))
@settings(max_examples=150)
def test_round_trip_of_any_text(before: str, around: str) -> None:
    seals = furnished(f"{before}\n\n{around} Anzugsmoment {around}\n\n{before}")
    manifest = cited(seals)
    annotation = json.loads(json.dumps(wb.to_annotation(manifest, MECHANIC, seals.corpus, around=7)))
    assert wb.from_annotation(annotation) == manifest
    position, quote = selectors(annotation)
    text = seals.texts["handbuch"]
    assert text[position["start"] : position["end"]] == quote["exact"]
    assert (quote["prefix"] + quote["exact"] + quote["suffix"]) in text


def test_nothing_beside_the_decisions_spans_is_shown() -> None:
    """The paragraph after it belongs to another procedure and may be a replaced instruction."""
    seals = furnished()
    start, end = TEXT.index("Das Anzugsmoment"), TEXT.index("\n\nNachspann")
    seals.located("handbuch", "torque", start, end)
    _, quote = selectors(wb.to_annotation(cited(seals), MECHANIC, seals.corpus))
    assert (quote["prefix"], quote["suffix"]) == ("", "")


@pytest.mark.parametrize("change", ["text", "access", "gone"])
def test_what_does_not_stand_any_more_is_not_annotated(change: str) -> None:
    seals = furnished()
    manifest = cited(seals)
    if change == "text":
        seals.texts["handbuch"] += "!"
    elif change == "access":
        seals.groups["handbuch"] = frozenset({"leitung"})
    else:
        seals.texts = {}
    with pytest.raises(EvidenceError, match="does not stand"):
        wb.to_annotation(manifest, MECHANIC, seals.corpus)


@pytest.mark.parametrize("bound", [False, True])
def test_a_replaced_text_is_annotated_as_historical_and_without_its_surroundings(bound: bool) -> None:
    """The archive holds the quote; what stands around it today is another text."""
    seals = furnished()
    corpus = seals.corpus
    manifest = cited(seals) if bound else wb.cite(corpus.view(MECHANIC).search("Anzugsmoment")[0])
    corpus.replace(replace(corpus.get("handbuch"), version="2", text="Neu.\n\nGanz anders."))
    annotation = wb.to_annotation(manifest, MECHANIC, corpus)
    assert wb.from_annotation(annotation) == manifest
    _, quote = selectors(annotation)
    assert set(quote) == {"type", "exact"}
    assert "historical" in annotation["body"][0]["value"]


def test_a_forged_quote_is_not_annotated() -> None:
    seals = furnished()
    manifest = cited(seals)
    forged = replace(manifest, citation=replace(manifest.citation, quote="Das Anzugsmoment ist 54 Nm."))
    with pytest.raises(EvidenceError):
        wb.to_annotation(forged, MECHANIC, seals.corpus)


def good() -> dict:
    seals = furnished()
    return json.loads(json.dumps(wb.to_annotation(cited(seals), MECHANIC, seals.corpus)))


def broken(name: str) -> object:
    annotation = good()
    position, quote = selectors(annotation)
    target, body = annotation["target"], annotation["body"][1]
    if name == "utf-16":
        for key in ("start", "end"):
            position[key] = len(TEXT[: position[key]].encode("utf-16-le")) // 2
    elif name == "no position":
        target["selector"].remove(position)
    elif name == "two quotes":
        target["selector"].append(quote)
    elif name == "no exact":
        del quote["exact"]
    elif name == "text as start":
        position["start"] = str(position["start"])
    elif name == "other source":
        target["source"] = target["source"][:-1] + ("A" if target["source"][-1] != "A" else "B")
    elif name == "no body":
        del annotation["body"]
    elif name == "no json":
        body["value"] = "{"
    elif name == "list":
        body["value"] = "[]"
    elif name == "quote in the body":
        body["value"] = json.dumps({**json.loads(body["value"]), "quote": "x"})
    elif name == "digest":
        body["value"] = json.dumps({**json.loads(body["value"]), "content_sha256": "x"})
    elif name == "type":
        annotation["type"] = "Note"
    elif name == "no target":
        annotation["target"] = "ni:///"
    return annotation


@pytest.mark.parametrize(
    "name",
    [
        *("utf-16", "no position", "two quotes", "no exact", "text as start", "other source", "no body", "no json"),
        *("list", "quote in the body", "digest", "type", "no target"),
    ],
)
def test_what_contradicts_itself_is_refused(name: str) -> None:
    with pytest.raises(ManifestError):
        wb.from_annotation(broken(name))


@pytest.mark.parametrize("value", [None, [], "x", 1, {}])
def test_what_is_no_annotation_is_refused(value: object) -> None:
    with pytest.raises(ManifestError):
        wb.from_annotation(value)


def test_an_annotation_with_shifted_offsets_is_found_by_verification() -> None:
    seals, annotation = furnished(), good()
    position, quote = selectors(annotation)
    position["start"], position["end"] = position["start"] + 1, position["end"] + 1
    manifest = wb.from_annotation(annotation)
    assert wb.verify(manifest, MECHANIC, seals.corpus, seals.register).failed == "quote_mismatch"
    quote["exact"] = TEXT[position["start"] : position["end"]]
    assert wb.verify(wb.from_annotation(annotation), MECHANIC, seals.corpus, seals.register).failed == "quote_mismatch"
