"""Each part of a hit counts: whoever found it, ranked it or kept it, it is the view's own passage or nothing."""

from dataclasses import fields, replace

import pytest

import workbench as wb
from workbench.contract import Context, Decision, Hit, access_digest
from workbench.errors import ContextError, EvidenceError
from workbench.evidence.view import View
from workbench.intervals import Interval
from workbench.pipeline.gate import OUTSIDE, admit, handed_on

from .conftest import MECHANIC
from .seals import scope, shipped


@pytest.fixture
def bound() -> tuple[View, Decision]:
    seals = shipped()
    decision = seals.register.resolve(wb.Request(scope(), at=6), MECHANIC)
    return seals.corpus.view(MECHANIC, decision), decision


CHANGES = [
    ("document_id", "manual-A"),
    ("document_id", "nirgends"),
    ("document_id", None),
    ("version", "2"),
    ("version", None),
    ("content_sha256", "0" * 64),
    ("content_sha256", None),
    ("paragraph", 1),
    ("paragraph", 99),
    ("paragraph", True),
    ("cut", "Words(3)"),
    ("cut", None),
    ("start", 0),
    ("start", -1),
    ("end", 10_000),
    ("quote", "Anzugsmoment 46 Nm, zweimal anziehen."),
    ("quote", "Anzugsmoment"),
    ("quote", None),
    ("within", (Interval(0, 5),)),
    ("view_id", "another view"),
    ("view_id", None),
]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_hit_with_another_part_is_not_handed_on(name: str, value: object, bound: tuple[View, Decision]) -> None:
    view, decision = bound
    [hit] = view.search("Anzugsmoment")
    assert handed_on([hit], view, decision) == (hit,)
    with pytest.raises(EvidenceError) as refused:
        handed_on([hit, replace(hit, **{name: value})], view, decision)
    assert str(refused.value) == OUTSIDE


def test_every_part_but_the_score_is_tried() -> None:
    assert {name for name, _ in CHANGES} == {part.name for part in fields(Hit)} - {"score"}


@pytest.mark.parametrize("what", [None, "bulletin-B", {}, 1])
def test_what_is_no_hit_is_not_handed_on(what: object, bound: tuple[View, Decision]) -> None:
    view, decision = bound
    with pytest.raises(EvidenceError):
        handed_on([what], view, decision)


def test_a_view_of_another_decision_hands_nothing_on(bound: tuple[View, Decision]) -> None:
    view, decision = bound
    seals = shipped()
    other = seals.register.resolve(wb.Request(scope(), at=7), MECHANIC)
    hits = view.search("Anzugsmoment")
    with pytest.raises(ContextError):
        handed_on(hits, view, other)
    with pytest.raises(ContextError):
        handed_on(hits, seals.corpus.view(MECHANIC), decision)


def test_an_altered_context_hands_nothing_on(bound: tuple[View, Decision]) -> None:
    view, decision = bound
    context = decision.context
    assert context is not None
    altered = replace(decision, context=replace(context, valid_to="unbounded"))
    with pytest.raises(ContextError, match="altered"):
        handed_on(view.search("Anzugsmoment"), view, altered)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("document_id", "manual-A"),
        ("content_sha256", "0" * 64),
        ("within", (Interval(0, 5),)),
        ("quote", "kurz"),
        ("paragraph", None),
        ("start", -1),
        ("cut", None),
    ],
)
def test_a_citation_checks_what_it_can_without_the_corpus(
    name: str, value: object, bound: tuple[View, Decision]
) -> None:
    view, decision = bound
    [hit] = view.search("Anzugsmoment")
    assert wb.cite(hit, decision).citation == hit.citation()
    with pytest.raises(EvidenceError, match="nothing was handed on"):
        wb.cite(replace(hit, **{name: value}), decision)


def test_a_passage_beside_the_section_is_refused_when_cited() -> None:
    seals = shipped()
    seals.located("bulletin-B", "torque", 13, 50)
    decision = seals.register.resolve(wb.Request(scope(), at=6), MECHANIC)
    [hit] = seals.corpus.view(MECHANIC, decision).search("Anzugsmoment")
    beside = replace(hit, start=0, end=11, quote="Bulletin B.", paragraph=1)
    for cited in (beside, replace(hit, within=None)):
        with pytest.raises(EvidenceError):
            wb.cite(cited, decision)


def test_an_empty_allowed_set_finds_nothing_on_every_path() -> None:
    """It never means everything; the context is sealed and the access digest fits, so nothing else refuses it."""
    seals = shipped()
    decision = seals.register.resolve(wb.Request(scope(), at=6), MECHANIC)
    context = decision.context
    assert context is not None
    empty = replace(context, allowed=(), access=access_digest(MECHANIC, {}), id="")
    nothing = replace(decision, context=empty)
    assert isinstance(empty, Context)
    corpus = seals.corpus
    whole = corpus.view(MECHANIC)
    assert whole.search("Anzugsmoment")
    for cut in (wb.Paragraphs(), wb.Words(3, overlap=1), wb.Words(100)):
        view = corpus.view(MECHANIC, nothing).cut(cut)
        assert view.documents == ()
        assert list(view.passages()) == []
        assert view.search("Anzugsmoment", 5) == []
        for match in ("all", "any"):
            assert view.rank("Anzugsmoment 40 45 50", depth=100, match=match) == []
        for find in (wb.Strict(5), wb.Ranked(100, match="any")):
            assert find.find(view, "Anzugsmoment") == []
        assert handed_on([], view, nothing) == ()
        with pytest.raises(EvidenceError):
            handed_on(whole.search("Anzugsmoment"), view, nothing)
    with pytest.raises(EvidenceError):
        admit(whole.search("Anzugsmoment")[0], empty)
