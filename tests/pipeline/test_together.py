"""A set of scopes: one view of what is resolved, refusals beside it, each hit cited under its own decision."""

from pathlib import Path

import pytest

import workbench as wb
from workbench.errors import EvidenceError

MECHANIC = wb.Actor("grauwede", {"wartung", "betrieb"})
AT = "2026-06-01T06:00:00Z"


@pytest.fixture(scope="module")
def handbooks(repo: Path) -> wb.Corpus:
    return wb.Corpus.read(repo / "data/handbooks")


@pytest.fixture(scope="module")
def register(repo: Path) -> wb.Register:
    return wb.Register.read(repo / "data/handbooks-register")


@pytest.fixture(scope="module")
def found(handbooks: wb.Corpus, register: wb.Register) -> wb.Together:
    return wb.together(handbooks, MECHANIC, register.applicable("KR-200-N", "EU", actor=MECHANIC, at=AT))


def resolved(found: wb.Together) -> list[wb.Decision]:
    return [decision for decision in found.decisions.values() if decision.status == "RESOLVED"]


def test_the_view_is_the_union_of_what_is_resolved(found: wb.Together, handbooks: wb.Corpus) -> None:
    assert len(resolved(found)) >= 3
    assert len(resolved(found)) < len(found.decisions)
    alone = [handbooks.view(MECHANIC, decision) for decision in resolved(found)]
    passages = {(d.id, p.start, p.end) for view in alone for d, p in view.passages()}
    assert {(d.id, p.start, p.end) for d, p in found.view.passages()} == passages
    assert passages


def test_some_document_stands_there_for_several_procedures(found: wb.Together) -> None:
    """So that the tests of citing can fail."""
    documents = [a.document_id for d in resolved(found) for a in d.context.allowed]
    assert len(documents) > len(set(documents))


def test_each_hit_is_cited_under_the_decision_of_its_passage(
    found: wb.Together, handbooks: wb.Corpus, register: wb.Register
) -> None:
    hits = found.view.rank("Welle Dichtung Schmierung Moment prüfen wechseln", depth=40, match="any")
    assert hits
    for hit in hits:
        manifest = found.cite(hit)
        spans = next(a.spans for a in manifest.context.allowed if a.document_id == hit.document_id)
        assert any(span.start <= hit.start and hit.end <= span.end for span in spans)
        assert wb.verify(manifest, MECHANIC, handbooks, register).ok


def test_windows_over_several_procedures_are_not_cited_under_one(found: wb.Together) -> None:
    hits = found.view.cut(wb.Words(30)).rank("Dichtung Moment Welle", depth=40, match="any")
    several = {
        name
        for name in {hit.document_id for hit in hits}
        if sum(name == a.document_id for d in resolved(found) for a in d.context.allowed) > 1
    }
    shared = [hit for hit in hits if hit.document_id in several]
    assert shared
    for hit in shared:
        with pytest.raises(EvidenceError):
            found.cite(hit)


def test_a_foreign_hit_belongs_to_none(found: wb.Together, handbooks: wb.Corpus) -> None:
    outside = next(
        hit
        for hit in handbooks.view(MECHANIC).rank("Pumpe Dichtung", depth=200, match="any")
        if hit.document_id not in found.view.documents
    )
    with pytest.raises(EvidenceError):
        found.decision_of(outside)


def test_where_nothing_is_resolved_nothing_is_found(handbooks: wb.Corpus, register: wb.Register) -> None:
    for actor, at in ((wb.Actor("grauwede", {"besuch"}), AT), (MECHANIC, "1990-01-01T00:00:00Z")):
        nothing = wb.together(handbooks, actor, register.applicable("KR-200-N", "EU", actor=actor, at=at))
        assert resolved(nothing) == []
        assert nothing.view.documents == ()
        assert nothing.view.search("Pumpe") == []


def test_a_document_that_the_corpus_lacks_is_unavailable_and_not_replaced(
    found: wb.Together, handbooks: wb.Corpus, register: wb.Register
) -> None:
    gone = resolved(found)[0].context.allowed[0].document_id
    fewer = wb.Corpus(d for d in handbooks.documents if d.id != gone)
    again = wb.together(fewer, MECHANIC, register.applicable("KR-200-N", "EU", actor=MECHANIC, at=AT))
    assert gone not in again.view.documents
    for scope, decision in found.decisions.items():
        if decision.status == "RESOLVED" and decision.context.allowed[0].document_id == gone:
            assert again.decisions[scope] == wb.Decision(wb.Status.UNAVAILABLE)
