"""``ask --audit`` and ``draft`` on the command line."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from workbench.cli import main

WHO = ["--tenant", "werk-nord", "--groups", "wartung"]
WHAT = ["--family", "pump-seal", "--procedure", "seal-torque", "--configuration", "C2", "--region", "EU", "--at", "6"]
ASK = ["ask", "pumps", "pump-seal", "Anzugsmoment", *WHO, *WHAT]
KEPT = ["--audit", "audit.jsonl", "--audit-key", "audit.key"]


@pytest.fixture
def run(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    """Run a command beside copies of the shipped corpus and register: status, standard output, standard error."""
    for name in ("pumps", "pump-seal"):
        shutil.copytree(repo / "data" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        out, err = capsys.readouterr()
        assert err.count("\n") <= 1
        return status, out, err

    return run


def test_an_audited_question(run, tmp_path: Path) -> None:
    plain = run(*ASK, "--json")
    for number in (1, 2):
        assert run(*ASK, *KEPT, "--json") == plain
        records = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
        assert len(records) == number
    assert records[0]["context_id"] == json.loads(plain[1])["decision"]["context_id"]
    assert records[0]["query"] == records[1]["query"]  # the same key, from its file
    held = (tmp_path / "audit.jsonl").read_text()
    assert "Anzugsmoment" not in held
    assert "45 Nm" not in held
    if os.name == "posix":
        for name in ("audit.jsonl", "audit.key"):
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_a_refused_question_is_audited_too(run, tmp_path: Path) -> None:
    status, _, _ = run(*ASK[:3], "x" * 300, *ASK[4:], *KEPT)
    assert status == 1
    assert json.loads((tmp_path / "audit.jsonl").read_text())["error"] == "QueryRefused"


def test_an_audit_is_checked(run, tmp_path: Path) -> None:
    for _ in range(3):
        run(*ASK, *KEPT)
    check = ["audit", "audit.jsonl", "--audit-key", "audit.key", "--json"]
    status, out, _ = run(*check)
    whole = json.loads(out)
    assert (status, whole["ok"], whole["records"]) == (0, True, 3)
    assert f"3 records); last seal {whole['seal']}" in run(*check[:-1])[1]
    log = tmp_path / "audit.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text(lines[0] + lines[2])
    status, out, _ = run(*check)
    assert (status, json.loads(out)["ok"], json.loads(out)["line"]) == (1, False, 2)
    log.write_text("".join(lines[:2]))
    assert run(*check)[0] == 0
    assert run(*check, "--noted", whole["seal"])[0] == 1
    assert run("audit", "absent.jsonl", *check[2:])[0] == 2
    assert run(*check[:3], "absent.key")[0] == 2


def test_an_audit_needs_a_key_of_some_length(run, tmp_path: Path) -> None:
    status, _, err = run(*ASK, "--audit", "audit.jsonl")
    assert status == 2
    assert "--audit-key" in err
    (tmp_path / "audit.key").write_bytes(b"short")
    status, _, err = run(*ASK, *KEPT)
    assert status == 2
    assert "audit.key" in err
    status, _, err = run(*ASK, "--audit", "nowhere/audit.jsonl", "--audit-key", "other.key")
    assert status == 2
    assert "nowhere" in err
    assert not (tmp_path / "audit.jsonl").exists()


def draft(run, tmp_path: Path, text: str, **more: object) -> tuple[int, str, str]:
    manifest = json.loads(run(*ASK, "--json")[1])["manifests"][0]
    written = {"text": text, "sources": {"1": manifest}, **more}
    (tmp_path / "draft.json").write_text(json.dumps(written), encoding="utf-8")
    return run("draft", "draft.json", "pumps", "pump-seal", *WHO)


def test_a_draft_is_checked_statement_by_statement(run, tmp_path: Path) -> None:
    status, out, _ = draft(run, tmp_path, "Es gelten 45 Nm [1].")
    assert status == 0
    assert out.splitlines()[:2] == ["1. Es gelten 45 Nm [1].", "   [1] historical at 6, valid [5,10)"]
    assert "Not judged: whether a statement is true" in out
    status, out, _ = draft(run, tmp_path, "Es gelten 46 Nm [1].\x1b")
    assert status == 1
    assert "figure not in a cited passage: 46 Nm" in out
    assert "\x1b" not in out
    status, out, _ = run("draft", "draft.json", "pumps", "pump-seal", *WHO, "--json")
    assert status == 1
    assert json.loads(out)["statements"][0]["findings"] == ["figure not in a cited passage: 46 Nm"]


@pytest.mark.parametrize("more", [{"text": 1}, {"sources": []}, {"sources": {"1": "x"}}])
def test_a_draft_that_is_none_is_one_line(run, tmp_path: Path, more: dict) -> None:
    text = {"text": "x", **more}
    status, out, err = draft(run, tmp_path, **text)
    assert (status, out) == (2, "")
    assert "draft.json" in err


def test_verify_says_what_is_wrong_with_a_file(run, tmp_path: Path) -> None:
    answer = json.loads(run(*ASK, "--json")[1])
    manifest = {key: value for key, value in answer["manifests"][0].items() if key != "known_at"}
    for content, said in ((answer, "give one of its manifests"), (manifest, "known_at: the field is missing")):
        (tmp_path / "m.json").write_text(json.dumps(content), encoding="utf-8")
        status, out, _ = run("verify", "m.json", "pumps", "pump-seal", *WHO)
        assert (status, out.startswith("Verdict(malformed): ")) == (1, True)
        assert said in out
