"""``corpus check`` on the command line."""

import json
import shutil
from pathlib import Path

import pytest

from workbench.cli import main


@pytest.fixture
def pumps(repo: Path, tmp_path: Path) -> Path:
    return shutil.copytree(repo / "data" / "pumps", tmp_path / "pumps")


def test_a_sound_corpus_is_status_0(pumps: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["corpus", "check", str(pumps), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"findings": []}
    assert main(["corpus", "check", str(pumps)]) == 0
    assert capsys.readouterr().out == "nothing found that a search would silently miss\n"


def test_a_finding_is_status_1_with_document_and_position(pumps: Path, capsys: pytest.CaptureFixture) -> None:
    text = pumps / "texts" / "ablauf.txt"
    text.write_bytes(text.read_bytes().replace(b"Zwei", "Zw\u00adei".encode()).replace(b"\n\n", b"\r\n\r\n"))
    assert main(["corpus", "check", str(pumps), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(f["code"], f["document_id"]) for f in found] == [("CRLF", "ablauf")]
    assert set(found[0]) == {"code", "document_id", "position", "count", "message", "remedy"}
    assert main(["corpus", "check", str(pumps)]) == 1
    assert "CRLF · ablauf · " in capsys.readouterr().out


def test_an_unusable_corpus_is_status_2(pumps: Path, capsys: pytest.CaptureFixture) -> None:
    (pumps / "documents.csv").write_text("id,tenant\n", encoding="utf-8")
    assert main(["corpus", "check", str(pumps), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["file"] == "documents.csv"
