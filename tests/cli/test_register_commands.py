"""register check, project, correct, map; index; corpus and register as an operator keeps them."""

import json
import shutil
from pathlib import Path

import duckdb
import polars as pl
import pytest

from workbench.cli import main

WHO = ["--tenant", "werk-nord", "--groups", "wartung"]
WHAT = ["--family", "pump-seal", "--procedure", "seal-torque", "--configuration", "C2", "--region", "EU"]
WHY = ["--by", "Redaktion", "--why", "abgestimmt"]


@pytest.fixture
def run(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    for name in ("pumps", "pump-seal"):
        shutil.copytree(repo / "data" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, dict, str]:
        status = main([*arguments, "--json"])
        out, err = capsys.readouterr()
        return status, json.loads(out), err

    return run


def test_check(run, repo: Path) -> None:
    assert run("register", "check", "pump-seal", "pumps", "--every-scope")[:2] == (0, {"findings": []})
    Path("pump-seal/applicability.csv").write_text(
        Path("pump-seal/applicability.csv")
        .read_text(encoding="utf-8")
        .replace("FG-0003", "")
        .replace("0,10,", "10,0,"),
        encoding="utf-8",
    )
    status, document, _ = run("register", "check", "pump-seal", "pumps")
    assert status == 1
    assert {finding["code"] for finding in document["findings"]} >= {"MALFORMED", "APPROVAL_MISSING"}
    for finding in document["findings"]:
        assert {"code", "table", "row", "message", "owner"} <= set(finding)


def test_the_planted_findings_are_exactly_those_of_the_readme(run, repo: Path) -> None:
    data = repo / "data"
    status, document, _ = run("register", "check", str(data / "handbooks-register"), str(data / "handbooks"))
    found = sorted((f["code"], f["table"], f["row"]) for f in document["findings"])
    readme = (data / "handbooks-register/README.md").read_text(encoding="utf-8")
    assert status == 1
    assert len(found) == 8
    for code, table, row in found:
        line = next(line for line in readme.splitlines() if f"`{code}`" in line and f"{row}" in line)
        assert table in line


def test_project_to_files(run) -> None:
    for name in ("c.parquet", "c.duckdb"):
        assert run("register", "project", "pump-seal", "--to", name)[:2] == (
            0,
            {"intervals": 3, "outcomes": {"revision": 3}},
        )
    rows = pl.read_parquet("c.parquet").select("valid_from", "valid_to", "revision_id").rows()
    assert rows == [(0, 5, "manual-A"), (5, 10, "bulletin-B"), (10, None, "manual-C")]
    with duckdb.connect("c.duckdb", read_only=True) as connection:
        assert connection.sql("SELECT valid_from, valid_to, revision_id FROM canonical").fetchall() == rows
    assert run("register", "project", "pump-seal", "--to", "c.xlsx")[0] == 2


def test_a_correction_closes_a_row_and_adds_one(run) -> None:
    asked = ["resolve", "pump-seal", *WHO, *WHAT, "--at", "25"]
    assert run(*asked)[1]["revision_id"] == "manual-C"
    change = ["register", "correct", "pump-seal", "--table", "applicability", "--row", "4", "--recorded", "9", *WHY]
    status, document, _ = run(*change, "--set", "valid_to=20")
    assert (status, len(document["register_snapshot"])) == (0, 64)
    assert run(*asked)[1]["status"] == "UNAVAILABLE"
    assert run(*asked, "--known-at", "8")[1]["revision_id"] == "manual-C"
    assert run(*asked, "--known-at", "9")[1]["status"] == "UNAVAILABLE"
    entry = json.loads(Path("pump-seal/corrections.jsonl").read_text(encoding="utf-8"))
    assert (entry["by"], entry["why"], entry["closed"]["row"]) == ("Redaktion", "abgestimmt", 4)
    status, document, _ = run(*change, "--set", "valid_to=30")
    assert (status, document["row"]) == (2, 4)


@pytest.mark.parametrize(
    "more",
    [
        ["--row", "99", "--set", "valid_to=20", "--recorded", "9"],
        ["--row", "4", "--set", "valid_to", "--recorded", "9"],
        ["--row", "4", "--set", "recorded_to=3", "--recorded", "9"],
        ["--row", "4", "--set", "valid_to=3", "--recorded", "9"],
        ["--row", "4", "--set", "valid_to=20", "--recorded", "gestern"],
        ["--recorded", "9"],
    ],
)
def test_a_correction_that_cannot_be_leaves_the_register_as_it_was(run, more: list[str]) -> None:
    before = {path.name: path.read_bytes() for path in Path("pump-seal").iterdir()}
    status, _, err = run("register", "correct", "pump-seal", "--table", "applicability", *more, *WHY)
    assert (status, err.count("\n")) == (2, 1)
    after = {path.name: path.read_bytes() for path in Path("pump-seal").iterdir() if path.name in before}
    assert after == before


def test_a_correction_on_a_register_that_changed_meanwhile(run) -> None:
    change = ["register", "correct", "pump-seal", "--table", "applicability", "--row", "4", "--recorded", "9", *WHY]
    status, document, _ = run(*change, "--set", "valid_to=20", "--expected", "0" * 64)
    assert (status, document["error"]["kind"]) == (1, "refused")


def test_an_index_is_built_and_used(run) -> None:
    search = ["search", "pumps", "Freigabe", *WHO, "--limit", "5"]
    fresh = run(*search)[1]
    status, document, err = run("index", "pumps")
    assert status == 0
    assert "documents" in err
    assert Path(document["index"]).is_file()
    assert run(*search)[1] == fresh


def test_a_damaged_index_is_reported_and_never_read_as_an_empty_corpus(run) -> None:
    path = Path(run("index", "pumps")[1]["index"])
    path.write_bytes(path.read_bytes()[:-5])
    status, document, err = run("search", "pumps", "Freigabe", *WHO)
    assert (status, document["error"]["kind"]) == (2, "unusable_input")
    assert "index" in err


def test_a_register_out_of_other_data(run, repo: Path) -> None:
    Path("source").mkdir()
    Path("source/plants.csv").write_text("plant,since\nP1,3\n", encoding="utf-8")
    status, document, _ = run("register", "map", "nix.toml", "source", "--to", "made")
    assert (status, Path("made").exists()) == (2, False)
    assert "nix.toml" in document["error"]["message"]
