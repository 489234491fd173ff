"""The command line: JSON as the contract writes it, exit statuses 0, 1 and 2, one line for an error, no traceback."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from workbench.cli import main, parser

WHO = ["--tenant", "werk-nord", "--groups", "wartung"]
WHAT = ["--family", "pump-seal", "--procedure", "seal-torque", "--configuration", "C2", "--region", "EU"]
UNAVAILABLE = {
    "status": "UNAVAILABLE",
    "revision_id": None,
    "edition_id": None,
    "valid_from": None,
    "valid_to": None,
    "mode": None,
    "context_id": None,
    "language": None,
    "missing": [],
    "rivals": [],
    "owner": None,
    "source_language_permitted": False,
    "message": "No instruction is available for this request.",
}


@dataclass
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    """Run a command beside copies of the shipped corpus and register."""
    for name in ("pumps", "pump-seal"):
        shutil.copytree(repo / "data" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Ran:
        status = main(list(arguments))
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert err.count("\n") <= 1
        return Ran(status, out, err)

    return run


def test_search(run) -> None:
    found = run("search", "pumps", "zwei Personen", *WHO, "--json")
    assert found.status == 0
    assert list(found.json) == ["hits"]
    [hit] = found.json["hits"]
    assert set(hit) == {
        *("document_id", "version", "content_sha256", "paragraph", "cut", "start", "end", "quote", "score"),
    }
    text = Path("pumps/texts/ablauf.txt").read_bytes().decode()
    assert text[hit["start"] : hit["end"]] == hit["quote"]
    assert hit["score"] < 0


def test_search_text_shows_no_score(run) -> None:
    found = run("search", "pumps", "zwei Personen", *WHO)
    assert "ablauf · version 3 · paragraph 1" in found.out
    assert "-" not in found.out.split("·")[-1]


def test_no_hit_is_done(run) -> None:
    assert run("search", "pumps", "Kranöse", *WHO).out == "no matching passage in the accessible corpus\n"
    found = run("search", "pumps", "Kranöse", *WHO, "--json")
    assert (found.status, found.json) == (0, {"hits": []})


def test_a_question_needs_any(run) -> None:
    question = "Wie hoch ist das Anzugsmoment des Dichtungsdeckels?"
    assert run("search", "pumps", question, *WHO, "--json").json["hits"] == []
    assert run("search", "pumps", question, *WHO, "--any", "--limit", "7", "--json").json["hits"]


@pytest.mark.parametrize(
    "arguments",
    [["x" * 201], ["a\tb"], [" ".join(f"w{n}" for n in range(13))], ["x", "--limit", "0"], ["x", "--limit", "6"]],
)
def test_a_refused_query_is_status_1_and_names_no_record(run, arguments: list[str]) -> None:
    found = run("search", "pumps", *arguments, *WHO, "--json")
    assert found.status == 1
    assert found.json["error"]["kind"] == "query_refused"
    assert found.json["hits"] == []


def test_cite(run) -> None:
    hit = run("search", "pumps", "zwei Personen", *WHO, "--json").json["hits"][0]
    for citation, wanted in (
        (hit, {"ok": True, "reason": None, "historical": False}),
        ({k: hit[k] for k in ("document_id", "version", "content_sha256", "paragraph", "quote")}, {"ok": True}),
        ({**hit, "quote": "zwei"}, {"ok": False, "reason": "quote_mismatch"}),
        ({**hit, "version": "4"}, {"ok": False, "reason": "source_changed"}),
        ({**hit, "document_id": "budget"}, {"ok": False, "reason": "unavailable"}),
        ({}, {"ok": False, "reason": "unavailable"}),
    ):
        Path("citation.json").write_text(json.dumps(citation), encoding="utf-8")
        found = run("cite", "pumps", "citation.json", *WHO, "--json")
        assert found.status == (0 if wanted["ok"] else 1)
        assert found.json | wanted == found.json


def test_resolve(run) -> None:
    found = run("resolve", "pump-seal", *WHO, *WHAT, "--at", "6", "--json")
    assert found.status == 0
    wanted = {"status": "RESOLVED", "revision_id": "bulletin-B", "edition_id": None, "valid_from": 5, "valid_to": 10}
    assert found.json | wanted | {"mode": "historical"} == found.json
    assert len(found.json["context_id"]) == 64
    assert run("resolve", "pump-seal", *WHO, *WHAT, "--at", "12", "--json").json["valid_to"] == "unbounded"
    assert run("resolve", "pump-seal", *WHO, *WHAT, "--now", "12", "--json").json["mode"] == "current"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--at", "-1"], "UNAVAILABLE"),
        (["--at", "12", "--language", "de"], "NO_EQUIVALENT_EDITION"),
        (["--at", "12", "--known-at", "-4"], "HISTORY_UNAVAILABLE"),
        (["--now"], "MISSING_SCOPE"),
        ([], "MISSING_SCOPE"),
    ],
)
def test_a_refusal_is_status_1_and_carries_nothing(run, arguments: list[str], status: str) -> None:
    found = run("resolve", "pump-seal", *WHO, *WHAT, *arguments, "--json")
    assert (found.status, found.json["status"]) == (1, status)
    for name in ("revision_id", "edition_id", "valid_from", "valid_to", "context_id"):
        assert found.json[name] is None


def test_missing_fields_are_named_all_at_once(run) -> None:
    found = run("resolve", "pump-seal", *WHO, "--family", "pump-seal", "--json")
    assert found.json["missing"] == ["procedure", "configuration", "region", "time"]


def test_unavailable_is_one_answer_whatever_the_reason(run) -> None:
    answers = {
        run("resolve", "pump-seal", "--tenant", tenant, "--groups", groups, *what, "--at", "6", "--json").out
        for tenant, groups, what in (
            ("werk-nord", "lager", WHAT),
            ("werk-sued", "wartung", WHAT),
            ("werk-nord", "wartung", [*WHAT[:-1], "US"]),
        )
    }
    assert [json.loads(answer) for answer in answers] == [UNAVAILABLE]


def test_explain_is_the_operators_and_apart(run) -> None:
    found = run("resolve", "pump-seal", "--tenant", "werk-nord", "--groups", "lager", *WHAT, "--at", "6", "--json")
    assert "protected" not in found.json
    found = run(
        *("resolve", "pump-seal", "--tenant", "werk-nord", "--groups", "lager", *WHAT, "--at", "6", "--explain"),
        "--json",
    )
    assert found.json["protected"]["reason"] == "ACCESS_DENIED"
    assert {row["revision_id"]: row["verdict"] for row in found.json["protected"]["rows"]} == {
        "manual-A": "SUPERSEDED_BY bulletin-B",
        "bulletin-B": "DECIDES",
        "manual-C": "NOT_YET_VALID",
    }


@pytest.mark.parametrize("value", ["x", "1.5", "unbounded", "2020-01-01"])
def test_a_time_that_is_none_is_an_invalid_request(run, value: str) -> None:
    found = run("resolve", "pump-seal", *WHO, *WHAT, "--at", value, "--json")
    assert (found.status, found.json["status"], found.json["field"]) == (1, "INVALID_REQUEST", "at")


@pytest.mark.parametrize("option", ["--at", "--now", "--known-at"])
def test_an_option_without_its_time_asks_nothing(run, option: str) -> None:
    """An unset variable in a script must not turn a question about the past into one about the present."""
    found = run("resolve", "pump-seal", *WHO, *WHAT, option, " ")
    assert (found.status, found.out) == (2, "")
    assert f"{option}: no time is given" in found.err


REQUESTS = """\
request_id,tenant,groups,active,family,procedure,configuration,region,at,language,known_at
r1,werk-nord,wartung,,pump-seal,seal-torque,C2,EU,6,,
r2,werk-nord,wartung;leitung,true,pump-seal,seal-torque,C2,EU,4,de,
r3,werk-nord,wartung,false,pump-seal,seal-torque,C2,EU,6,,
r4,werk-nord,wartung,true,pump-seal,seal-torque,,EU,6,,
r5,werk-nord,,true,pump-seal,seal-torque,C2,EU,6,,
"""
ANSWERS = [
    ("r1", "RESOLVED", "bulletin-B", None),
    ("r2", "RESOLVED", "manual-A", "manual-A-de"),
    ("r3", "UNAVAILABLE", None, None),
    ("r4", "MISSING_SCOPE", None, None),
    ("r5", "UNAVAILABLE", None, None),
]


def test_a_table_of_requests(run) -> None:
    import polars as pl

    Path("r.csv").write_text(REQUESTS, encoding="utf-8")
    frame = pl.read_csv("r.csv", schema_overrides={"active": pl.String})
    frame.write_parquet("r.parquet")
    frame.write_ndjson("r.jsonl")
    for name in ("r.csv", "r.parquet", "r.jsonl"):
        found = run("resolve", "pump-seal", "--requests", name, "--json")
        assert found.status == 0
        names = ("request_id", "status", "revision_id", "edition_id")
        assert [tuple(result[n] for n in names) for result in found.json["results"]] == ANSWERS


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ("r9,,wartung,true,pump-seal,seal-torque,C2,EU,6,,", "tenant"),
        (",werk-nord,wartung,true,pump-seal,seal-torque,C2,EU,6,,", "request_id"),
        ("r9,werk-nord,a;;b,true,pump-seal,seal-torque,C2,EU,6,,", "groups"),
        ("r9,werk-nord,wartung,ja,pump-seal,seal-torque,C2,EU,6,,", "active"),
        ("r9,werk-nord,wartung,true,pump-seal,seal-torque,C2,EU,sechs,,", "at"),
        ("r9,werk-nord,wartung,true,pump-seal,seal-torque,C2,EU,6,,gestern", "known_at"),
    ],
)
def test_a_row_that_is_no_request_keeps_its_place(run, row: str, field: str) -> None:
    Path("r.csv").write_text(REQUESTS.replace("r3,", f"{row}\nr3,", 1), encoding="utf-8")
    found = run("resolve", "pump-seal", "--requests", "r.csv", "--json")
    assert found.status == 1
    assert [r["status"] for r in found.json["results"]] == [
        *("RESOLVED", "RESOLVED", "INVALID_REQUEST", "UNAVAILABLE", "MISSING_SCOPE", "UNAVAILABLE"),
    ]
    assert found.json["results"][2]["field"] == field


def test_ask_and_verify(run) -> None:
    found = run("ask", "pumps", "pump-seal", "Anzugsmoment", *WHO, *WHAT, "--at", "6", "--json")
    assert found.status == 0
    assert found.json["decision"]["revision_id"] == "bulletin-B"
    [manifest] = found.json["manifests"]
    assert "45 Nm" in manifest["quote"]
    Path("m.json").write_text(json.dumps(manifest), encoding="utf-8")
    found = run("verify", "m.json", "pumps", "pump-seal", *WHO, "--json")
    assert (found.status, found.json) == (0, {"ok": True, "failed": None, "historical": True, "authority": "register"})
    found = run("verify", "m.json", "pumps", "pump-seal", *WHO, "--now", "7", "--json")
    assert found.json["historical"] is False
    found = run("verify", "m.json", "pumps", "pump-seal", "--tenant", "werk-nord", "--groups", "lager", "--json")
    assert (found.status, found.json["failed"]) == (1, "unavailable")
    Path("m.json").write_text("{}", encoding="utf-8")
    found = run("verify", "m.json", "pumps", "pump-seal", *WHO, "--json")
    assert (found.status, found.json["failed"]) == (1, "malformed")


def test_a_refused_question_has_no_evidence(run) -> None:
    found = run("ask", "pumps", "pump-seal", "Anzugsmoment", *WHO, *WHAT[:-2], "--at", "6", "--json")
    assert found.status == 1
    assert (found.json["decision"]["status"], found.json["manifests"]) == ("MISSING_SCOPE", [])


# --- unusable input ---------------------------------------------------------------------------------------------


def _append(path: str, text: str | bytes) -> None:
    with open(path, "ab") as file:
        file.write(text.encode() if isinstance(text, str) else text)


def _replace(path: str, old: str, new: str) -> None:
    text = Path(path).read_text(encoding="utf-8")
    assert old in text
    Path(path).write_text(text.replace(old, new, 1), encoding="utf-8")


BROKEN_REGISTERS = {
    "missing folder": (lambda: shutil.rmtree("pump-seal"), "pump-seal", None, None),
    "no settings": (lambda: os.remove("pump-seal/register.toml"), "pump-seal", None, None),
    "unknown key": (lambda: _append("pump-seal/register.toml", "x = 1\n"), "register.toml", None, "x"),
    "binary": (lambda: Path("pump-seal/revisions.csv").write_bytes(bytes(range(256)) * 9), "revisions.csv", 3, None),
    "broken row": (lambda: _append("pump-seal/revisions.csv", 'a,b,"c\n'), "revisions.csv", 6, None),
    "too few cells": (lambda: _append("pump-seal/revisions.csv", "a,b\n"), "revisions.csv", 6, None),
    "unknown column": (
        lambda: _replace("pump-seal/equivalences.csv", "language", "lang"),
        "equivalences.csv",
        1,
        "lang",
    ),
    "empty valid_to": (
        lambda: _replace("pump-seal/applicability.csv", "0,10,FG-0001", "0,,FG-0001"),
        "applicability.csv",
        2,
        "valid_to",
    ),
    "inverted": (
        lambda: _replace("pump-seal/applicability.csv", "0,10,FG-0001", "10,0,FG-0001"),
        "applicability.csv",
        2,
        "valid_to",
    ),
    "naive time": (
        lambda: (
            _replace("pump-seal/register.toml", '"logical"', '"utc"'),
            _replace("pump-seal/register.toml", "history_from = 0", ""),
            _replace("pump-seal/applicability.csv", "EU,0,10", "EU,2020-01-01T00:00:00,10"),
        ),
        "applicability.csv",
        2,
        "valid_from",
    ),
    "duplicate id": (
        lambda: _append(
            "pump-seal/revisions.csv",
            Path("pump-seal/revisions.csv").read_text(encoding="utf-8").splitlines()[1] + "\n",
        ),
        "revisions.csv",
        6,
        "revision_id",
    ),
    "no such revision": (
        lambda: _append("pump-seal/applicability.csv", "manual-X,p,C2,EU,0,1,,0,unbounded\n"),
        "applicability.csv",
        5,
        "revision_id",
    ),
}


@pytest.mark.parametrize("what", BROKEN_REGISTERS)
def test_an_unusable_register_is_one_line_with_its_place(run, what: str) -> None:
    spoil, file, row, column = BROKEN_REGISTERS[what]
    spoil()
    found = run("resolve", "pump-seal", *WHO, *WHAT, "--at", "6", "--json")
    assert found.status == 2
    assert found.json["error"]["kind"] == "unusable_input"
    assert (found.json.get("file"), found.json.get("row"), found.json.get("column")) == (file, row, column)
    assert file in found.err


def test_a_register_without_rows_answers(run) -> None:
    for path in Path("pump-seal").glob("*.csv"):
        path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    found = run("resolve", "pump-seal", *WHO, *WHAT, "--at", "6", "--json")
    assert (found.status, found.json) == (1, UNAVAILABLE)


def test_a_duplicate_document_is_refused(run) -> None:
    _append("pumps/documents.csv", "ablauf,werk-nord,wartung,3,de,texts/ablauf.txt\n")
    found = run("search", "pumps", "zwei Personen", *WHO, "--json")
    assert found.status == 2


def test_a_lone_surrogate_is_refused(run) -> None:
    os.remove("pumps/documents.csv")
    row = '{"id":"a","tenant":"t","groups":["g"],"version":"1","language":"de","text":"a \\ud800"}\n'
    Path("pumps/documents.jsonl").write_text(row, encoding="utf-8")
    found = run("search", "pumps", "a", *WHO, "--json")
    assert (found.status, found.json["row"], found.json["column"]) == (2, 1, "text")


def test_a_text_of_50_megabytes_is_searched(run) -> None:
    os.remove("pumps/documents.csv")
    text = "Der Riemen wird gespannt. " * 2_000_000 + "\\n\\nSonderwort"
    row = f'{{"id":"a","tenant":"werk-nord","groups":["wartung"],"version":"1","language":"de","text":"{text}"}}\n'
    Path("pumps/documents.jsonl").write_text(row, encoding="utf-8")
    found = run("search", "pumps", "Sonderwort", *WHO, "--json")
    assert (found.status, found.json["hits"][0]["paragraph"]) == (0, 2)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b"\xff\xfe", b'{"a":' * 100_000], ids=["empty", "list", "cut", "binary", "deep"]
)
def test_an_unusable_json_file(run, content: bytes) -> None:
    Path("c.json").write_bytes(content)
    for arguments in (["cite", "pumps", "c.json"], ["verify", "c.json", "pumps", "pump-seal"]):
        found = run(*arguments, *WHO, "--json")
        assert found.status == 2
        assert "c.json" in found.err


def test_a_missing_file_is_named(run) -> None:
    assert "nix.json" in run("cite", "pumps", "nix.json", *WHO).err
    assert "nix.csv" in run("resolve", "pump-seal", "--requests", "nix.csv").err


@pytest.mark.parametrize("arguments", [[], ["serch"], ["search"], ["search", "pumps", "x", "--tenant", "t", "--nix"]])
def test_a_wrong_command_is_one_line_and_status_2(run, arguments: list[str]) -> None:
    found = run(*arguments)
    assert (found.status, found.err.count("\n")) == (2, 1)


def test_hostile_text_is_shown_and_does_nothing(run) -> None:
    Path("pumps/texts/notiz.txt").write_bytes("Freigabe \x1b[2J\u202e<script>\x07".encode())
    shown = run("search", "pumps", "script", *WHO)
    assert "\x1b" not in shown.out
    assert "\u202e" not in shown.out
    assert "⟨U+001B⟩[2J⟨U+202E⟩<script>⟨U+0007⟩" in shown.out
    document = run("search", "pumps", "script", *WHO, "--json")
    assert document.out.isascii()
    assert document.json["hits"][0]["quote"] == "Freigabe \x1b[2J\u202e<script>\x07"


def test_as_a_process_it_says_the_same_and_never_shows_a_traceback(repo: Path) -> None:
    code = "import sys; from workbench.cli import main; sys.exit(main())"
    ran = subprocess.run(
        [sys.executable, "-c", code, "resolve", "data/nix", *WHO, *WHAT, "--at", "6", "--json"],
        capture_output=True,
        text=True,
        cwd=repo,
        check=False,
    )
    assert ran.returncode == 2
    assert json.loads(ran.stdout)["error"]["kind"] == "unusable_input"
    assert ran.stderr.count("\n") == 1


def test_every_command_has_help_with_an_example() -> None:
    [places] = [action for action in parser()._actions if hasattr(action, "choices") and action.dest == "command"]
    pending = list(places.choices.items())
    while pending:
        name, command = pending.pop()
        inner = [a for a in command._actions if a.dest == "command"]
        for action in inner:
            pending.extend((f"{name} {sub}", made) for sub, made in action.choices.items())
        if not inner:
            assert f"workbench {name}" in command.format_help().split("example:")[1], name


def test_a_terminal_that_cannot_show_a_letter_is_no_reason_to_fail(repo: Path) -> None:
    code = "import sys; from workbench.cli import main; sys.exit(main())"
    ran = subprocess.run(
        [sys.executable, "-c", code, "search", "data/pumps", "zwei Personen", *WHO],
        capture_output=True,
        text=True,
        cwd=repo,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "pr\\xfcfen zwei Personen" in ran.stdout


@pytest.mark.parametrize("sink", ["> /dev/full", ">&-", "2>&-", "> /dev/full 2>&-"])
@pytest.mark.parametrize("what", ["search data/pumps Anzugsmoment", "search data/nix Anzugsmoment"])
def test_a_stream_that_takes_nothing_is_no_traceback(repo: Path, sink: str, what: str) -> None:
    code = "import sys; from workbench.cli import main; sys.exit(main())"
    line = f'"{sys.executable}" -c "{code}" {what} {" ".join(WHO)} --json {sink}'
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=repo, check=False)
    assert ran.returncode in ((0, 2) if "pumps" in what else (2,))
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


def test_an_argument_that_is_no_utf8(run) -> None:
    found = run("search", "pumps", "x", "--tenant", "t", "--groups", "\udcff", "--json")
    assert (found.status, found.json["error"]["kind"]) == (2, "unusable_input")


@pytest.mark.parametrize("arguments", [["search", "pumps", "x", *WHO, "--limit", "abc"], ["search", "pumps"]])
def test_a_wrong_command_with_json_is_one_document(run, arguments: list[str]) -> None:
    found = run(*arguments, "--json")
    assert (found.status, found.json["error"]["kind"], found.err.count("\n")) == (2, "unusable_input", 1)


@pytest.mark.parametrize("more", [["--tenant", "t"], ["--at", "6"], ["--known-at", "3"], ["--explain"], ["--now"]])
def test_nothing_beside_a_table_of_requests_is_silently_ignored(run, more: list[str]) -> None:
    Path("r.csv").write_text(REQUESTS, encoding="utf-8")
    found = run("resolve", "pump-seal", "--requests", "r.csv", *more, "--json")
    assert found.status == 2
    assert more[0] in found.err


def test_a_key_that_stands_twice_is_refused(run) -> None:
    Path("c.json").write_text('{"document_id": "a", "document_id": "b"}', encoding="utf-8")
    for arguments in (["cite", "pumps", "c.json"], ["verify", "c.json", "pumps", "pump-seal"]):
        found = run(*arguments, *WHO, "--json")
        assert (found.status, "twice" in found.err) == (2, True)


def test_deep_nesting_in_settings_is_broken_toml(run) -> None:
    _append("pump-seal/register.toml", "x = " + "[" * 50_000)
    found = run("resolve", "pump-seal", *WHO, *WHAT, "--at", "6", "--json")
    assert (found.status, found.json["file"]) == (2, "register.toml")


def test_control_characters_of_names_stay_visible(run) -> None:
    _replace("pump-seal/equivalences.csv", "language", "lang\x1b[2J")
    assert "\x1b" not in run("resolve", "pump-seal", *WHO, *WHAT, "--at", "6").err
    assert "\x1b" not in run("search", "nix\x1b[2J", "x", *WHO).err
