"""Decisions, hits, verdicts and manifests show themselves, and a hostile text stays text."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from IPython.core.formatters import DisplayFormatter

from tests.show import seals
from workbench.cards import card, sheet
from workbench.contract import Decision, Document, Request, Scope, Status, Verdict
from workbench.errors import visible
from workbench.evidence import checks
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus
from workbench.pipeline.answer import Answer
from workbench.pipeline.drafts import check_draft
from workbench.pipeline.manifest import cite
from workbench.validity.findings import Code, Finding, in_order, worklist

HOSTILE = (
    "Anzugsmoment <script>alert(1)</script> <img src=x onerror=alert(1)> &amp; \"'>]]> "
    "\x1b[31mrot\x1b]8;;http://x\x07 \u202egeheim\u202c \u2066\u200b\u00ad\x9b1m \x00\x7f \u2028Ende"
)
ALLOWED = {"table", "caption", "thead", "tbody", "tr", "th", "td"}


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data):
        self.words += data


def hostile_values():
    document = Document(HOSTILE, "werk-nord", frozenset({"wartung"}), HOSTILE, HOSTILE, "de")
    corpus = Corpus([document])
    [hit] = corpus.view(seals.MECHANIC).search("anzugsmoment")
    conflict = Decision(Status.UNRESOLVED_AUTHORITY, rivals=(HOSTILE, "b"), owner=HOSTILE)
    register = seals.written([(HOSTILE, "0", "unbounded")])
    decision = register.resolve(Request(seals.SEAL, at=1), seals.MECHANIC)
    assert decision.status is Status.RESOLVED
    manifest = replace(cite(hit), context=decision.context, context_id=HOSTILE)
    found = Finding(Code.GAP, HOSTILE, 3, HOSTILE, HOSTILE, HOSTILE)
    unsaid = checks.Finding("ENTITY", HOSTILE, 0, 1, HOSTILE, HOSTILE)
    draft = f"{HOSTILE.replace(chr(0), '')} [1]"
    return {
        "finding": found,
        "findings": in_order([found]),
        "worklist": worklist([found]),
        "corpus finding": unsaid,
        "corpus findings": checks.findings([document]),
        "answer": Answer(decision, (hit,), (manifest,)),
        "set of scopes": register.applicable("C2", "EU", actor=seals.MECHANIC, at=1),
        "draft": check_draft(draft, {}, seals.MECHANIC, corpus, register),
        "hit": hit,
        "conflict": conflict,
        "decision": decision,
        "manifest": cite(hit),
        "decided manifest": manifest,
        "verdict": resolve_citation(seals.MECHANIC, hit.citation(), corpus),
        "failed verdict": Verdict(ok=False, reason="unavailable", document_id=HOSTILE, paragraph=1),
    }


VALUES = hostile_values()


@pytest.mark.parametrize("name", VALUES)
def test_hostile_text_stays_text(name):
    shown = VALUES[name]._repr_html_()
    page = Tags(shown)
    assert page.tags <= ALLOWED
    assert page.attributes <= {"style", "class", "scope"}
    assert "<script>alert(1)</script>" in page.words
    assert not re.search(r"[^\n\t\x20-\x7e\u00a0-\u024f\u2010-\u2027·…⟨⟩]", shown)
    assert "⟨U+001B⟩[31mrot" in page.words
    assert "⟨U+202E⟩geheim" in page.words


@pytest.mark.parametrize("name", VALUES)
def test_the_plain_form_commands_nothing(name):
    value = VALUES[name]
    assert repr(value).isprintable()
    assert str(value).replace("\n", "").isprintable()
    shown = DisplayFormatter().format(value)[0]["text/plain"]
    assert shown.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", VALUES)
def test_every_header_names_what_it_heads(name):
    shown = VALUES[name]._repr_html_()
    assert shown.count("<th ") == shown.count('scope="') > 0
    assert shown.count("<table") == shown.count("<caption")


def test_lists_of_findings_say_that_there_are_none():
    for none in (in_order([]), worklist([]), checks.findings([])):
        assert str(none) == "no findings"
        assert words(none).startswith("no findings")


def test_lists_of_findings_are_lists():
    found = Finding(Code.GAP, "applicability", 3, "nothing applies", None, "add a row")
    assert in_order([found, found]) == [found]
    assert worklist([found]) == {"(no owner)": [found]}
    assert str(in_order([found])) == "(no owner) (1)\n  GAP  applicability row 3: nothing applies; add a row"
    assert "nothing applies" in words(in_order([found]))
    [unsaid] = checks.findings([Document("a", "nord", frozenset({"g"}), "1", "Dich\u00adtung")])
    assert str(checks.findings([Document("a", "nord", frozenset({"g"}), "1", "Dich\u00adtung")])).startswith(
        "SOFT_HYPHEN  a at 4, 1×: "
    )
    assert unsaid.remedy in words(unsaid)


def test_a_scope_commands_nothing():
    assert repr(Scope("\x1b[31m", "\u202e", None, "EU")) == "Scope(⟨U+001B⟩[31m / ⟨U+202E⟩ / ? / EU)"


def words(value) -> str:
    return Tags(value._repr_html_()).words


def test_an_answer_says_what_applies_and_that_it_is_historical():
    said = words(seals.shipped().resolve(Request(seals.SEAL, at=6), seals.MECHANIC))
    assert "bulletin-B" in said
    assert "from 5 (included) until 10 (excluded)" in said
    assert "historical, what applied then and may not apply today" in said


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (Decision(Status.MISSING_SCOPE, missing=("region", "time")), "Give region, time."),
        (Decision(Status.UNRESOLVED_AUTHORITY, rivals=("a", "b")), "unstated"),
        (Decision(Status.NO_EQUIVALENT_EDITION, source_way=True), "source_language=True"),
        (Decision(Status.NO_EQUIVALENT_EDITION), "Ask without a language"),
        (Decision(Status.HISTORY_UNAVAILABLE), "Ask without known_at"),
        (Decision(Status.UNAVAILABLE), "Ask the stewards"),
        (Decision(Status.CONTEXT_EXPIRED), "Ask again"),
    ],
    ids=lambda value: str(getattr(value, "status", value)),
)
def test_a_refusal_says_what_to_do(decision, said):
    assert decision.message in words(decision)
    assert said in words(decision)


def test_unavailable_looks_the_same_whatever_the_reason():
    register = seals.with_rival()
    answers = [
        register.resolve(Request(seals.SEAL, at=-1), seals.MECHANIC),
        seals.hidden(register, "bulletin-B").resolve(Request(seals.SEAL, at=6), seals.MECHANIC),
        seals.hidden(register, "manual-D").resolve(Request(seals.SEAL, at=13), seals.MECHANIC),
        register.resolve(Request(seals.SEAL, at=6), seals.STRANGER),
    ]
    assert len({answer._repr_html_() for answer in answers}) == 1


def test_a_hit_shows_its_place_and_no_score():
    hit = VALUES["hit"]
    said = words(hit)
    assert f"paragraph 1 · characters 0 to {len(HOSTILE)} · {hit.content_sha256[:12]}" in said
    assert str(hit.score) not in said
    assert "score" not in said.lower()


def test_a_cell_without_a_value_is_empty():
    assert Tags(sheet("t", ["a"], [[None], [0]])).words == "ta0"


def test_breaks_of_a_text_are_kept():
    assert "a\n\tb" in Tags(card("t", [("text", "a\n\tb")])).words
    assert visible("a\nb") == "a⟨U+000A⟩b"
    assert visible("Grüße 漢字 😀") == "Grüße 漢字 😀"
