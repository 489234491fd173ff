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


# --- import -----------------------------------------------------------------------------------------------------

WHOSE = ["--tenant", "werk-nord", "--groups", "wartung,betrieb", "--version", "2", "--language", "de"]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "notiz.txt").write_bytes("Dru\u0308cke\r\n\r\nDich\u00adtung".encode())
    (folder / "liste.md").write_text("# Liste\nEin Satz.\n", encoding="utf-8")
    return folder


def test_import(sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    corpus = str(tmp_path / "corpus")
    assert main(["corpus", "import", str(sources), "--to", corpus, *WHOSE, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"corpus", "documents", "refused", "findings"}
    assert [d["id"] for d in found["documents"]] == ["liste", "notiz"]
    assert found["documents"][1]["changed"] == {"CRLF": 2, "NOT_NFC": 1, "SOFT_HYPHEN": 1}
    assert found["findings"] == []
    assert main(["corpus", "check", corpus]) == 0
    assert main(["search", corpus, "Dichtung", "--tenant", "werk-nord", "--groups", "betrieb", "--json"]) == 0
    assert "notiz" in capsys.readouterr().out
    assert main(["corpus", "import", str(sources), "--to", corpus, *WHOSE, "--json"]) == 2


def test_import_lists_what_it_changed(sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["corpus", "import", str(sources), "--to", str(tmp_path / "c"), *WHOSE, "--changes"]) == 0
    said = capsys.readouterr().out
    assert "changed: CRLF 2, NOT_NFC 1, SOFT_HYPHEN 1" in said
    assert "   SOFT_HYPHEN: '\\xad' → ''" in said


def test_a_refused_file_is_status_1_with_what_to_do(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    (sources / "brief.html").write_bytes(b"<script>nur das</script>")
    command = ["corpus", "import", str(sources), "--to", str(tmp_path / "corpus"), *WHOSE]
    assert main([*command, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["corpus"] is None
    assert [(r["code"], bool(r["remedy"])) for r in found["refused"]] == [("no_text", True)]
    assert not (tmp_path / "corpus").exists()
    assert main(command) == 1
    assert capsys.readouterr().out.endswith("nothing was written; --skip-refused imports the others\n")
    assert main([*command, "--skip-refused"]) == 1
    assert (tmp_path / "corpus" / "documents.csv").is_file()


@pytest.mark.parametrize("missing", ["--tenant", "--groups", "--version"])
def test_whose_the_documents_are_is_never_guessed(missing: str, sources: Path, tmp_path: Path) -> None:
    at = WHOSE.index(missing)
    assert main(["corpus", "import", str(sources), "--to", str(tmp_path / "c"), *WHOSE[:at], *WHOSE[at + 2 :]]) == 2
    assert not (tmp_path / "c").exists()
