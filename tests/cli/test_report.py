"""``workbench report``: a file and an exit status; unusable input is one line and no file."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.show.pages import Reader
from workbench.cli import main

WHO = ["--tenant", "grauwede", "--groups", "wartung"]
ASKED = ["--questions", "questions.jsonl", *WHO]


@pytest.fixture
def run(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    """Run the command beside copies of the shipped corpora and registers; gives status, output and error."""
    for name in ("pumps", "pump-seal", "handbooks", "handbooks-register"):
        shutil.copytree(repo / "data" / name, tmp_path / name)
    shutil.copy(repo / "data" / "questions.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(["report", *arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out, err

    return run


def test_a_clean_register_is_status_0(run) -> None:
    status, out, err = run("pumps", "pump-seal", "--to", "report.html", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    raw = Path("report.html").read_bytes()
    assert found["report"] == "report.html"
    assert found["sha256"] == hashlib.sha256(raw).hexdigest()
    assert found["ok"] is True
    assert found["parts"]["tuning"] == "not shown"
    assert len(found["checklist"]) == 14
    assert Reader(raw.decode("utf-8")).broken == []


def test_what_fails_is_written_and_status_1(run) -> None:
    status, out, _ = run("handbooks", "handbooks-register", "--to", "report.html")
    assert status == 1
    assert "fails: Source digests are immutable." in out
    assert "DIGEST_MISMATCH" in Path("report.html").read_text(encoding="utf-8")


def test_without_a_corpus_it_is_of_the_package(run) -> None:
    assert run("--to", "report.html")[0] == 0
    assert "no register was given" in Path("report.html").read_text(encoding="utf-8")


def test_a_register_with_a_malformed_row_is_reported(run) -> None:
    table = Path("pump-seal/applicability.csv")
    table.write_text(
        table.read_text().replace("bulletin-B,seal-torque,C2,EU,5,10", "bulletin-B,seal-torque,C2,EU,10,5")
    )
    assert run("pumps", "pump-seal", "--to", "report.html")[0] == 1
    read = Reader(Path("report.html").read_text(encoding="utf-8"))
    assert "does not load: applicability.csv, row 3" in read.text
    assert str(Path.cwd()) not in read.text


def test_a_file_is_written_anew_and_whole(run) -> None:
    Path("report.html").write_text("old")
    run("--to", "report.html")
    assert Path("report.html").read_bytes().endswith(b"</html>\n")
    assert sorted(p.name for p in Path().iterdir() if p.name.startswith(".")) == []
    assert Path("report.html").stat().st_mode & 0o044


def test_the_present_is_named_or_everything_is_past(run) -> None:
    run("pumps", "pump-seal", "--to", "report.html")
    assert "No present was named" in Path("report.html").read_text(encoding="utf-8")
    run("pumps", "pump-seal", "--to", "report.html", "--now", "12")
    assert "The present of this report is 12" in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "report.txt"], ".html"),
        (["--to", "nowhere/report.html"], "folder"),
        (["pumps", "--to", "report.html"], "without REGISTER"),
        (["nowhere", "pump-seal", "--to", "report.html"], "nowhere"),
        (["pumps", "nowhere", "--to", "report.html"], "nowhere"),
        (["--questions", "questions.jsonl", *WHO, "--to", "report.html"], "need a CORPUS"),
        (["pumps", "pump-seal", "--questions", "questions.jsonl", "--to", "report.html"], "--tenant"),
        (["pumps", "pump-seal", *WHO, "--to", "report.html"], "go with --questions"),
        (["pumps", "pump-seal", "--questions", "questions.jsonl", *WHO, "--to", "report.html"], "gold"),
        (["pumps", "pump-seal", "--questions", "none.jsonl", *WHO, "--to", "report.html"], "none.jsonl"),
        (["handbooks", "handbooks-register", *ASKED, "--size", "x", "--to", "report.html"], "--size"),
        (["handbooks", "handbooks-register", *ASKED, "--depth", "0", "--to", "report.html"], "--depth"),
        ([], "--to"),
    ],
)
def test_unusable_input_is_status_2_one_line_and_no_file(run, arguments: list[str], said: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err
    assert not Path("report.html").exists()
    assert not Path("report.txt").exists()


def test_a_wrong_present_is_a_request_that_is_refused(run) -> None:
    status, _, err = run("pumps", "pump-seal", "--now", "soon", "--to", "report.html")
    assert status == 1
    assert err.startswith("workbench: now:")


def test_questions_about_the_present_need_one(run) -> None:
    """Or tomorrow's report on the same input would be another one."""
    request = {"family": "pump-seal", "procedure": "seal-torque", "configuration": "C2", "region": "EU"}
    question = {"question_id": "q1", "question": "Anzugsmoment", "kind": "unanswerable", "gold": [], "request": request}
    Path("present.jsonl").write_text(json.dumps(question) + "\n")
    asked = ["pumps", "pump-seal", "--questions", "present.jsonl", "--tenant", "werk-nord", "--groups", "wartung"]
    status, _, err = run(*asked, "--to", "report.html")
    assert status == 2
    assert "name the present with --now" in err
    assert run(*asked, "--size", "64", "--now", "12", "--to", "report.html")[0] == 0
    assert "manual-C" in Path("report.html").read_text(encoding="utf-8")
