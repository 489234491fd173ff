"""tune: options in words, one row for each setting, and what is kept."""

import json
from pathlib import Path

import polars as pl
import pytest

from workbench.cli import main
from workbench.cli.tune import cuts
from workbench.errors import InputError
from workbench.evidence.cuts import Words

WHO = ["--tenant", "grauwede", "--groups", "wartung"]


@pytest.mark.parametrize(
    ("kind", "size", "overlap", "labels"),
    [
        ("words", "32:128", "0", ["Words(32)", "Words(64)", "Words(128)"]),
        ("words", "50", "0,20%,8", ["Words(50)", "Words(50, overlap=10)", "Words(50, overlap=8)"]),
        ("sentences", "1,3", "0", ["Sentences(1)", "Sentences(3)"]),
        ("characters", "100:300", "0", ["Characters(100)", "Characters(200)", "Characters(300)"]),
        ("recursive", "60", None, ["Recursive(60)"]),
        ("headings", "60", None, ["Headings(60)"]),
        ("paragraphs", None, None, ["Paragraphs()"]),
        ("words", "10", "0,0%", ["Words(10)"]),
    ],
)
def test_options_name_cuts(kind: str, size: str | None, overlap: str | None, labels: list[str]) -> None:
    assert [repr(cut) for cut in cuts(kind, size, overlap)] == labels


@pytest.mark.parametrize(
    ("size", "overlap"),
    [("0", "0"), ("x", "0"), ("9:3", "0"), ("0:3", "0"), ("5", "5"), ("5", "100%"), ("5", "-1"), ("5", "a"), ("", "0")],
)
def test_nonsense_is_refused_in_words(size: str, overlap: str) -> None:
    with pytest.raises(InputError, match="--"):
        cuts("words", size, overlap)


def test_a_run_is_kept_and_gone_on_with(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    command = [
        *("tune", str(repo / "data/handbooks"), str(repo / "data/questions.jsonl"), *WHO, "--size", "40,160"),
        *("--register", str(repo / "data/handbooks-register"), "--to", str(tmp_path / "run"), "--json"),
    ]
    assert main(command) == 0
    document = json.loads(capsys.readouterr().out)
    assert [setting["cut"] for setting in document["settings"]] == [repr(Words(40)), repr(Words(160))]
    assert [setting["WrongRevision(10)"] for setting in document["settings"]] == [0.0, 0.0]
    assert len(document["differences"]) == 1
    rows = pl.read_parquet(document["rows"])
    assert rows.height == 2 * document["settings"][0]["questions"]
    assert Path(document["plot"]).read_bytes().startswith(b"\x89PNG")
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "run/settings").iterdir()}
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out) == document
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run/settings").iterdir()} == kept


def test_holdout_questions_are_apart(repo: Path, capsys: pytest.CaptureFixture) -> None:
    counts = []
    for more in ([], ["--holdout"]):
        command = ["tune", str(repo / "data/handbooks"), str(repo / "data/questions.jsonl"), *WHO, "--size", "64"]
        assert main([*command, *more, "--json"]) == 0
        counts.append(json.loads(capsys.readouterr().out)["settings"][0]["questions"])
    lines = (repo / "data/questions.jsonl").read_text(encoding="utf-8").splitlines()
    held = sum(json.loads(line).get("holdout", False) for line in lines)
    assert counts == [len(lines) - held, held]


@pytest.mark.parametrize(("document", "end"), [("nix", 5), ("ablauf", 10**6)])
def test_gold_that_stands_nowhere_is_refused(
    repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture, document: str, end: int
) -> None:
    row = {"question_id": "q7", "question": "Wer?", "kind": "answerable"}
    row["gold"] = [{"document_id": document, "start": 0, "end": end}]
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert main(["tune", str(repo / "data/pumps"), str(tmp_path / "q.jsonl"), *WHO, "--size", "64", "--json"]) == 2
    out, err = capsys.readouterr()
    assert (json.loads(out)["column"], "q7" in err) == ("gold", True)


def test_an_analyzer_is_one_of_those_that_are_there(repo: Path, capsys: pytest.CaptureFixture) -> None:
    command = ["tune", str(repo / "data/handbooks"), str(repo / "data/questions.jsonl"), *WHO, "--by", "paragraphs"]
    command += ["--register", str(repo / "data/handbooks-register"), "--json"]
    found = {}
    for options in ([], ["--analyzer", "identity"], ["--analyzer", "german"], ["--analyzer", "german-compounds"]):
        assert main([*command, *options]) == 0
        [setting] = json.loads(capsys.readouterr().out)["settings"]
        assert setting["WrongRevision(10)"] == setting["Leak(10)"] == 0.0
        found[tuple(options)] = setting["Recall(10)"]
    assert found[()] == found["--analyzer", "identity"] < found["--analyzer", "german"]
    assert main([*command, "--analyzer", "latin"]) == 2
    assert "invalid choice" in json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize(
    ("by", "option"), [("paragraphs", "--size"), ("paragraphs", "--overlap"), ("headings", "--overlap")]
)
def test_an_option_that_says_nothing_is_not_passed_over(
    repo: Path, capsys: pytest.CaptureFixture, by: str, option: str
) -> None:
    command = ["tune", str(repo / "data/handbooks"), str(repo / "data/questions.jsonl"), *WHO, "--by", by, option, "8"]
    assert main(command) == 2
    assert f"{option} says nothing with --by {by}" in capsys.readouterr().err
