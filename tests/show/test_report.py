"""The report: a page that loads and runs nothing, says the same each time, and whose points can fail."""

import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.show.pages import Reader
from workbench.cli import parser
from workbench.contract import Actor, Document, fingerprint
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Words
from workbench.show.report import Report, Subject, report
from workbench.show.report.checklist import POINTS, Evidence, checklist
from workbench.show.report.document import report_html
from workbench.show.report.page import State
from workbench.show.report.search_list import SEARCH_POINTS
from workbench.show.report.tuning import Tuning, said
from workbench.show.report.world import World
from workbench.study.proof.rows import Row
from workbench.study.questions import Gold, Question, read_questions
from workbench.validity.checks import check_folder
from workbench.validity.register import Register

MECHANIC = Actor("grauwede", {"wartung"})


def subject(corpus: str | Path, register: str | Path, name: str = "given") -> Subject:
    texts = Corpus.read(corpus)
    return Subject(texts, Register.read(register), check_folder(register, texts, every_scope=True), name)


@pytest.fixture(scope="module")
def clean() -> Report:
    return report(subject("data/pumps", "data/pump-seal"))


@pytest.fixture(scope="module")
def planted() -> Report:
    questions = [q for q in read_questions("data/questions.jsonl") if not q.holdout][::4]
    tuning = Tuning(questions, "0" * 64, MECHANIC, [Words(64), Words(128)])
    return report(subject("data/handbooks", "data/handbooks-register"), tuning=tuning)


@pytest.fixture(scope="module")
def bare() -> Report:
    return report()


@pytest.mark.parametrize("name", ["clean", "planted", "bare"])
def test_the_page_keeps_its_rules(name: str, request: pytest.FixtureRequest) -> None:
    read = Reader(report_html(request.getfixturevalue(name)))
    assert read.broken == []
    assert read.language == "en"
    assert "do not hand it to askers" in read.text


@pytest.mark.parametrize(
    "broken",
    [
        *('<p onclick="x">', "<script></script>", '<img src="https://a.example/b.png" alt="b">', "<table></table>"),
        *('<a href="https://a.example">a</a>', '<p id="summary"></p>', "<b>", '<a href="#nowhere">a</a>', "<!-- x -->"),
    ],
)
def test_a_broken_rule_would_be_seen(broken: str, bare: Report) -> None:
    page = report_html(bare)
    assert Reader(page.replace("</main>", f"{broken}</main>")).broken


def test_summary_then_what_failed_then_details(planted: Report) -> None:
    read = Reader(report_html(planted))
    parts = [said for level, said in read.headings if level == 2]
    assert parts[:3] == ["Summary", "What failed, and who owns it", "Release checklist"]
    assert len(read.table("The 51 conditions").rows) == 51
    assert len(read.table("The 21 conditions").rows) == 21
    assert {row[2] for row in read.table("The 51 conditions").rows} == {"✓ holds"}


def test_each_owner_is_named_with_the_work(planted: Report) -> None:
    work = {(row[0], row[1]): row[2] for row in Reader(report_html(planted)).table("Open work by owner").rows}
    assert work["Arbeitssicherheit", "DIGEST_MISMATCH"] == "1"
    assert work["Fachstelle Dichtungstechnik", "UNRESOLVED_AUTHORITY"] == "1"
    assert work["whoever keeps the corpus", "CRLF"] == "1"
    assert planted.subject is not None
    counted = sum(int(cases) for (who, what), cases in work.items() if what.isupper() and not who.startswith("whoever"))
    assert counted == len(planted.subject.findings)


def test_blocked_cases_are_counted_for_their_owners(planted: Report) -> None:
    rows = Reader(report_html(planted)).table("Blocked cases by owner").rows
    assert ["Fachstelle Dichtungstechnik", "several apply, none takes precedence", "1"] in rows
    assert ["Technische Redaktion", "nothing applies", "170"] in rows


def test_what_is_not_listed_is_counted(planted: Report) -> None:
    assert "130 more of Technische Redaktion are not listed here" in Reader(report_html(planted)).text


def test_the_environment_and_the_digests_are_named(planted: Report) -> None:
    read = Reader(report_html(planted))
    versions = dict(map(tuple, read.table("What the report was made with").rows))
    assert versions["SQLite of the strict search (apsw)"] == "3.53.1"
    digests = {row[0]: row[1] for row in read.table("What this report is about").rows}
    assert digests["CORPUS"] == Corpus.read("data/handbooks").digest
    assert digests["REGISTER"] == Register.read("data/handbooks-register").snapshot()
    assert digests["questions"] == "0" * 64


# --- the same input, the same bytes ---------------------------------------------------------------------------------


def test_the_same_input_gives_the_same_bytes_anywhere(repo: Path, tmp_path: Path) -> None:
    """Another folder, hash seed, zone and locale: the same file, and no trace of where it was made."""
    checkout = tmp_path / "checkout"  # of its own, so that nobody edits it between the two runs
    for name in ("workbench", "data"):
        shutil.copytree(repo / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__", "li-law*"))
    made = []
    for place, seed, zone in (("one", "1", "UTC"), ("two/deeper", "2", "Pacific/Apia")):
        home = tmp_path / place
        home.mkdir(parents=True)
        for name in ("handbooks", "handbooks-register"):
            shutil.copytree(repo / "data" / name, home / name)
        lines = (repo / "data" / "questions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[::8]
        (home / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
        command = "report handbooks handbooks-register --questions questions.jsonl --tenant grauwede --groups wartung"
        options = f"{command} --size 64,128 --to report.html"
        environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C", "PYTHONPATH": str(checkout)}
        start = "import sys; from workbench.cli import main; sys.exit(main(sys.argv[1:]))"
        done = subprocess.run(
            [sys.executable, "-c", start, *options.split()], cwd=home, env=environment, capture_output=True, check=False
        )
        assert done.returncode == 1, done.stderr
        made.append((home / "report.html").read_bytes())
    assert made[0] == made[1]
    page = made[0].decode()
    assert str(tmp_path) not in page
    assert str(repo) not in page


# --- the checklist --------------------------------------------------------------------------------------------------


def test_every_point_of_s1_is_there(clean: Report) -> None:
    groups: dict[str, list[str]] = {}
    for point in POINTS:
        groups.setdefault(point.group, []).append(point.name)
    assert groups == {
        "Register": ["digests", "supersessions", "keys", "time", "conflicts"],
        "Retrieval": ["paths", "metadata", "empty"],
        "Evidence": ["citations", "translations"],
        "Operation": ["rights", "corrections", "boundaries", "owners"],
    }
    assert {point.state for point in clean.points} == {State.HOLDS}
    assert clean.ok


def test_without_a_register_its_points_are_not_shown(bare: Report) -> None:
    states = {point.point.name: point.state for point in bare.points}
    assert {name for name, state in states.items() if state is State.NOT_SHOWN} == {
        *("digests", "supersessions", "keys", "time", "conflicts", "owners"),
    }
    assert all(point.said.startswith("On the shipped") for point in bare.points if point.state is State.HOLDS)
    read = Reader(report_html(bare))
    assert read.text.count("not shown") > 6
    assert bare.ok


def test_planted_faults_fail_their_points(planted: Report) -> None:
    assert {p.point.name for p in planted.points if p.state is State.FAILS} == {"digests", "keys"}
    assert not planted.ok


def test_a_condition_that_fails_takes_its_points_along(clean: Report) -> None:
    rows = {part: [replace(row, ok=row.number != 12) for row in found] for part, found in clean.proofs.items()}
    found = checklist(Evidence(clean.world, (), rows))
    assert {p.point.name for p in found if p.state is State.FAILS} == {"paths", "empty"}
    broken = replace(clean, proofs=rows, points=found)
    assert broken.states["proofs"] is State.FAILS
    read = Reader(report_html(broken))
    assert read.broken == []
    assert "retrieval 12 (fails)" in read.text
    assert any(row[0] == "whoever maintains the workbench" for row in read.table("Open work by owner").rows)


def test_every_condition_that_a_point_rests_on_exists(clean: Report) -> None:
    known = {(part, row.number) for part, rows in clean.proofs.items() for row in rows}
    assert {one for point in (*POINTS, *SEARCH_POINTS) for one in point.rests_on} <= known


def test_of_a_verifiable_search_two_points_are_for_others_to_show(clean: Report) -> None:
    assert len(SEARCH_POINTS) == 10
    assert {p.point.name for p in clean.search if p.state is State.NOT_SHOWN} == {"identity", "judged"}
    assert {p.state for p in clean.search} == {State.HOLDS, State.NOT_SHOWN}
    broken = {"retrieval": [replace(row, ok=row.number != 51) for row in clean.proofs["retrieval"]]}
    found = checklist(Evidence(None, (), broken), SEARCH_POINTS)
    assert {p.point.name for p in found if p.state is State.FAILS} == {"instructions"}
    assert {p.state for p in checklist(Evidence(None, (), {}), SEARCH_POINTS)} == {State.NOT_SHOWN}


def test_nothing_asked_is_nothing_shown() -> None:
    """A register without rows: no probe has a case, so no point that needs one holds."""
    world = World(Corpus(()), replace(Register.read("data/pump-seal"), applicability=(), supersessions=()))
    states = {p.point.name: p.state for p in checklist(Evidence(world, (), {}))}
    assert states.pop("digests") is State.HOLDS  # nobody found anything against the revisions that it has
    assert set(states.values()) == {State.NOT_SHOWN}


@pytest.mark.parametrize("point", [*POINTS, *SEARCH_POINTS], ids=lambda point: point.name)
def test_how_to_see_it_again_can_be_typed(point, repo: Path) -> None:
    words = shlex.split(point.again)
    if words[0] == "workbench":
        parser().parse_args(words[1:])
    else:
        assert words[:3] == ["python", "-m", "pytest"]
        assert all((repo / name).exists() for name in words[3:])


# --- tuning ---------------------------------------------------------------------------------------------------------


def test_the_tuning_result_is_a_table_a_curve_and_words(planted: Report) -> None:
    read = Reader(report_html(planted))
    table = read.table("Recall(10) of each setting")
    assert [row[0] for row in table.rows] == ["Words(64)", "Words(128)"]
    assert table.head[2:] == ["mean", "from", "to"]
    assert all(float(row[3]) <= float(row[2]) <= float(row[4]) for row in table.rows)
    measures = [row[0] for row in read.table("Each measure").rows]
    assert set(measures) == {row[0] for row in read.table("What the figures say").rows}
    assert "Recall(10) against the size of a passage" in read.text


def test_no_difference_is_said_in_words() -> None:
    given = subject("data/pumps", "data/pump-seal")
    text = given.corpus.documents[0].text
    question = Question("q", "zwei Personen", "answerable", (Gold(given.corpus.documents[0].id, (0, len(text) // 4)),))
    tuning = Tuning([question], "0" * 64, Actor("werk-nord", {"wartung"}), [Words(64), Words(96)])
    made = report(given, tuning=tuning)
    assert made.tuned is not None
    assert said(made.tuned)[0].startswith("no difference shown between Words(96) and Words(64)")
    assert "no difference shown between Words(96) and Words(64)" in Reader(report_html(made)).text


# --- questions and their sources ------------------------------------------------------------------------------------


def test_questions_are_shown_with_decision_quote_verdict_and_source(planted: Report) -> None:
    page = report_html(planted)
    assert {one.kind for one in planted.examples} >= {"RESOLVED, passage", "no request, passage"}
    assert any(one.decision and not one.decision.revision_id for one in planted.examples)
    assert len({one.kind for one in planted.examples}) == len(planted.examples)
    shown = [one for one in planted.examples if one.manifest is not None]
    assert shown
    assert page.count("<mark") >= len(shown)
    for one in shown:
        assert one.verdict is not None
        assert one.verdict.ok
    table = Reader(page).table(f"Question {shown[0].question.id}")
    assert [row[0] for row in table.rows][:3] == ["asked by", "asked for", "decision"]


def test_the_shipped_case_is_s1s_own(bare: Report) -> None:
    assert [one.decision.revision_id for one in bare.examples if one.decision] == [
        *("manual-A", "bulletin-B", "manual-A", None, None)
    ]
    statuses = [str(one.decision.status) for one in bare.examples if one.decision]
    assert statuses[3:] == ["NO_EQUIVALENT_EDITION", "MISSING_SCOPE"]


# --- hostile texts --------------------------------------------------------------------------------------------------

EVIL = '<script>alert(1)</script><img src=x onerror="alert(1)">\x1b[31m\u202e"\'&amp;</td></style>'


def hostile(folder: Path) -> Subject:
    """Names, owners, scopes, groups, texts, findings: markup and control characters wherever somebody can write."""
    text = f"Anzugsmoment {EVIL} gilt\r\n\r\nZwei \u00ad Personen {EVIL}"
    ids = [f"a{EVIL}", f"b{EVIL}"]
    corpus = Corpus(Document(name, f"T{EVIL}", {f"g{EVIL}"}, f"1{EVIL}", text, "de") for name in ids)
    folder.mkdir()

    def rows(name: str, head: str, *lines: list[str]) -> None:
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head.split(","), *lines])

    scope = [f"p{EVIL}", f"C{EVIL}", f"EU{EVIL}"]
    (folder / "register.toml").write_text(
        'name = "<b>evil</b>"\ntime = "logical"\nrules = "direct"\nwhole_documents = true\nowner = "<i>desk</i>"\n'
    )
    rows(
        "revisions",
        "revision_id,document_family,tenant,groups,source_language,source_digest,owner,imported_at",
        *([name, f"f{EVIL}", f"T{EVIL}", f"g{EVIL}", "de", fingerprint(text), f"o{EVIL}", "1"] for name in ids),
    )
    rows(
        "applicability",
        "revision_id,procedure_id,asset_configuration,region,valid_from,valid_to,approval_ref,recorded_from,recorded_to",
        [ids[0], *scope, "0", "10", f"ok{EVIL}", "0", "unbounded"],
        [ids[1], *scope, "5", "20", f"ok{EVIL}", "0", "unbounded"],
    )
    head = "effective_from,effective_to,approval_ref,recorded_from,recorded_to"
    rows("supersessions", f"superseding,superseded,procedure_id,asset_configuration,region,{head}")
    rows("equivalences", "equivalence_id,edition,of_revision,language,review_ref,recorded_from,recorded_to")
    return Subject(
        corpus, Register.read(folder), check_folder(folder, corpus, every_scope=True), f"name{EVIL}", now=f"now{EVIL}"
    )


def test_hostile_texts_are_text(tmp_path: Path) -> None:
    given = hostile(tmp_path / "register")
    question = Question(f"q{EVIL}", f"Anzugsmoment {EVIL[:20]}", "answerable", (Gold(f"a{EVIL}", (0, 9)),))
    tuning = Tuning([question], "0" * 64, Actor(f"T{EVIL}", {f"g{EVIL}"}), [Words(4)])
    for made in (report(given), report(given, tuning=tuning)):
        page = report_html(made)
        read = Reader(page)
        assert read.broken == []
        assert "<script>alert(1)</script>" in read.text  # as words
        assert "\x1b" not in page
        assert "\u202e" not in page
        assert "UNRESOLVED_AUTHORITY" in read.text
        assert "CRLF" in read.text


def test_a_register_that_does_not_load_is_reported_all_the_same(tmp_path: Path) -> None:
    shutil.copytree("data/pump-seal", tmp_path / "register")
    table = tmp_path / "register" / "applicability.csv"
    table.write_text(table.read_text().replace(",5,10,", ",10,5,"))
    corpus = Corpus.read("data/pumps")
    findings = check_folder(tmp_path / "register", corpus, every_scope=True)
    made = report(Subject(corpus, None, findings, "given", "applicability.csv, row 3: empty"))
    assert made.states["register"] is State.FAILS
    assert {point.state for point in made.points} == {State.NOT_SHOWN}
    read = Reader(report_html(made))
    assert read.broken == []
    assert "The register does not load" in read.text
    assert "MALFORMED" in read.text
    assert len(read.table("The 51 conditions").rows) == 51


def test_a_row_that_fails_is_shown_with_what_was_seen(clean: Report) -> None:
    rows = [Row(1, "c", "expected <b>", "seen <i>", False)]
    read = Reader(report_html(replace(clean, proofs={"retrieval": rows, "validity": rows})))
    assert read.table("The 1 conditions of retrieval").rows == [["1", "c", "✗ fails", "expected <b>", "seen <i>"]]


def test_no_approval_and_no_access_reference_is_in_it(clean: Report) -> None:
    """It is the operator's, and yet what only the protected log holds stays there (contract 4.5)."""
    page = report_html(clean)
    assert not re.search(r"FG-000\d|PR-0001", page)
