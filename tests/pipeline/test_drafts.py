"""What of a drafted answer can be checked, and that it says what it cannot judge and gives no number for trust."""

import re
from dataclasses import replace

import pytest

import workbench as wb
from workbench.pipeline.drafts import NOT_JUDGED, DraftReport
from workbench.pipeline.statements import figures, parts, quotations

from .conftest import MECHANIC
from .seals import Seals, scope, shipped


def cited(seals: Seals, at: object = 6, query: str = "Anzugsmoment") -> wb.Manifest:
    session = wb.Session(seals.corpus, seals.register)
    return session.ask(query, actor=MECHANIC, request=wb.Request(scope(), at=at)).manifests[0]


def check(draft: str, sources: dict, seals: Seals | None = None, **more: object) -> DraftReport:
    seals = seals or shipped()
    return wb.check_draft(draft, sources, MECHANIC, seals.corpus, seals.register, **more)


def test_a_statement_with_its_passage_has_nothing_to_look_at() -> None:
    report = check("Das Anzugsmoment ist 45 Nm [1].", {"1": cited(shipped())})
    [statement] = report.statements
    assert statement.findings == ()
    assert statement.figures == (("45 Nm", True),)
    assert repr(statement.cited[0]) == "[1] ok, historical"
    assert statement.cited[0].label == "historical at 6, valid [5,10)"
    assert report.not_judged == NOT_JUDGED
    assert "true" in NOT_JUDGED


def test_each_thing_that_can_be_found() -> None:
    seals = shipped()
    first, second = cited(seals, 6), cited(seals, 12)
    draft = (
        "Ziehen Sie mit 45 Nm an [1]. Danach mit 50 Nm [1, 2]. Früher waren es 40 Nm [1]. "
        "Dort steht „zweimal anziehen“ [1] und „dreimal anziehen“ [1]. Vorher entlasten. Siehe [9]. 45 mm [1]."
    )
    report = check(draft, {"1": first, "2": second}, seals)
    assert report.findings == (
        (3, "figure not in a cited passage: 40 Nm"),
        (4, "quotation not in a cited passage: dreimal anziehen"),
        (5, "not cited"),
        (6, "[9] no_source"),
        (7, "figure not in a cited passage: 45 mm"),
    )
    assert [draft[s.start : s.end] for s in report.statements] == [s.text for s in report.statements]


@pytest.mark.parametrize(
    ("change", "failed"),
    [("text", "source_changed"), ("access", "unavailable"), ("row", "decision_changed"), ("forged", "quote_mismatch")],
)
def test_a_citation_that_holds_no_more_supports_nothing(change: str, failed: str) -> None:
    seals = shipped()
    manifest = cited(seals)
    if change == "text":
        seals.texts["bulletin-B"] += "!"
    elif change == "access":
        seals.groups["bulletin-B"] = frozenset()
    elif change == "row":
        seals.rows.pop(1)
    else:
        manifest = replace(manifest, citation=replace(manifest.citation, quote="Anzugsmoment 45 Nm"))
    report = check("Das Anzugsmoment ist 45 Nm [1].", {"1": manifest}, seals)
    assert report.findings == ((1, f"[1] {failed}"), (1, "figure not in a cited passage: 45 Nm"))
    assert report.statements[0].cited[0].label is None


def test_a_source_that_is_no_manifest() -> None:
    assert check("Es gilt [1].", {"1": {"quote": "45 Nm"}}).findings == ((1, "[1] malformed"),)


def test_public_forms_are_sources_too_and_historical_ones_say_so() -> None:
    seals = shipped()
    current = wb.Session(seals.corpus, seals.register, clock=lambda: 12).ask(
        "Anzugsmoment", actor=MECHANIC, request=wb.Request(scope())
    )
    sources = {"1": cited(seals).mapping(), "2": current.manifests[0].mapping()}
    report = check("45 Nm [1]. 50 Nm [2].", sources, seals, clock=lambda: 12)
    assert [statement.historical for statement in report.statements] == [True, False]
    assert [one.label for s in report.statements for one in s.cited] == [
        "historical at 6, valid [5,10)",
        "current at 12, valid [10,unbounded)",
    ]


def test_a_number_without_its_unit_is_looked_for_as_a_number() -> None:
    report = check("Es sind 45 oder 46 [1].", {"1": cited(shipped())})
    assert report.statements[0].figures == (("45", True), ("46", False))


def test_what_was_current_and_is_no_more_is_not_labelled_current() -> None:
    seals = shipped()
    at_nine = wb.Session(seals.corpus, seals.register, clock=lambda: 9).ask(
        "Anzugsmoment", actor=MECHANIC, request=wb.Request(scope())
    )
    assert at_nine.manifests[0].label == "current at 9, valid [5,10)"
    for clock, label in ((lambda: 9, "current at 9, valid [5,10)"), (lambda: 10, "historical at 9, valid [5,10)")):
        [statement] = check("45 Nm [1].", {"1": at_nine.manifests[0]}, seals, clock=clock).statements
        assert statement.cited[0].label == label


def test_it_gives_no_share_and_no_score() -> None:
    report = check("45 Nm [1]. Und mehr.", {"1": cited(shipped())})
    said = repr(report) + str(report.mapping())
    assert not re.search(r"%|percent|score|confiden|trust|\d\.\d", said)
    names = {name for name in dir(report) if not name.startswith("_")}
    assert names == {"statements", "not_judged", "findings", "mapping"}


def test_an_empty_draft_has_no_statements() -> None:
    assert check("", {}).statements == ()
    assert check(" \n\n --- \n", {}).statements == ()


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("Eins. Zwei! Drei? Vier", ["Eins.", "Zwei!", "Drei?", "Vier"]),
        ("Vgl. Abs. 3 S. 2 Nr. 4 [1]. Ende [2].", ["Vgl. Abs. 3 S. 2 Nr. 4 [1].", "Ende [2]."]),
        ("Am 3. Mai gilt es [1].", ["Am 3. Mai gilt es [1]."]),
        ("Stufe 3. Danach entlasten.", ["Stufe 3.", "Danach entlasten."]),
        ("nach 5 min. 45 Nm", ["nach 5 min.", "45 Nm"]),
        ("Handbuch C. danach B.", ["Handbuch C.", "danach B."]),
        ("Er sagt: „Gilt.“ [1] Dann nicht.", ["Er sagt: „Gilt.“ [1]", "Dann nicht."]),
        ("- eins [1]\n- zwei", ["- eins [1]", "- zwei"]),
        ("4,5 bar. 10.30 Uhr.", ["4,5 bar.", "10.30 Uhr."]),
        ("Gilt.[1][2] Auch.", ["Gilt.[1][2]", "Auch."]),
        ("Gilt … und so [1].", ["Gilt …", "und so [1]."]),
        ("x\r\ny", ["x", "y"]),
    ],
)
def test_statements(draft: str, expected: list[str]) -> None:
    found = list(parts(draft))
    assert [part.text for part in found] == expected
    assert all(draft[part.start : part.end] == part.text for part in found)


@pytest.mark.parametrize(
    ("text", "marks"),
    [("a [1]", ("1",)), ("a [1, 2; 3]", ("1", "2", "3")), ("a [b-2][1][1]", ("b-2", "1")), ("a [siehe dort!] []", ())],
)
def test_marks(text: str, marks: tuple[str, ...]) -> None:
    assert [part.marks for part in parts(text)] == [marks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("45\u00a0Nm, 45Nm und 45 Nm", ("45 Nm", "45Nm")),
        ("4,5 bis 5.0 bar", ("4,5", "5.0 bar")),
        ("von -5 °C bis +80 °C", ("-5 °C", "+80 °C")),
        ("P-114, K12/3 und DIN 912:2004-12", ("P-114", "K12/3", "912:2004-12")),
        ("50 Nmm", ("50",)),
        ("keine", ()),
        ("½ und ²", ("½", "²")),
    ],
)
def test_figures(text: str, expected: tuple[str, ...]) -> None:
    assert figures(text) == expected


def test_quotations_in_their_marks() -> None:
    assert quotations("„a“ “b” »c« «d» \"e\" 'f'") == ("a", "b", "c", "d", "e")
