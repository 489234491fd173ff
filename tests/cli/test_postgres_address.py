"""A register at a PostgreSQL address: projected there, read from there, and its password never shown."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.validity.servers import Absent, server
from workbench.cli import main

WHO = ["--tenant", "werk-nord", "--groups", "wartung"]
WHAT = ["--family", "pump-seal", "--procedure", "seal-torque", "--configuration", "C2", "--region", "EU", "--at", "6"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    psycopg = pytest.importorskip("psycopg", reason="extra postgres absent (psycopg)")
    try:
        with server(18) as place:
            parts = psycopg.conninfo.conninfo_to_dict(place)
            yield f"postgresql://{parts['user']}@127.0.0.1:{parts['port']}/{parts['dbname']}#seals"
    except Absent as absent:
        pytest.skip(str(absent))


def test_a_register_goes_there_and_answers_from_there(
    address: str, repo: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo)
    assert main(["register", "project", "data/pump-seal", "--to", address]) == 0
    capsys.readouterr()
    documents = []
    for place in ("data/pump-seal", address):
        assert main(["resolve", place, *WHO, *WHAT, "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1]
    assert main(["register", "check", address, "data/pumps", "--every-scope", "--json"]) == 0
    assert main(["register", "project", address, "--to", address]) == 0


def test_a_password_is_never_shown(capsys: pytest.CaptureFixture) -> None:
    pytest.importorskip("psycopg", reason="extra postgres absent (psycopg)")
    assert main(["resolve", "postgresql://me:geheim@127.0.0.1:1/x", *WHO, *WHAT, "--json"]) == 2
    out, err = capsys.readouterr()
    assert "geheim" not in out + err
    assert err.count("\n") == 1
