"""Corrections: history stays, a killed writer leaves a whole register, of two writers one wins."""

import csv
import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.validity.folders import FILES, TOML, write
from workbench.contract import Actor, Request, Scope
from workbench.errors import ChangedMeanwhile, InputError
from workbench.validity import projection, register_rewriting
from workbench.validity.corrections import LOG, Correction, correct, read_corrections
from workbench.validity.register import Register

ACTOR = Actor("T", {"a", "b"})
SCOPE = Scope("f", "p", "C", "EU")
POINTS = 10


def at(register: Register, t: int, known_at: int | None = None) -> str | None:
    return register.resolve(Request(SCOPE, at=t, known_at=known_at), ACTOR).revision_id


def made(recorded: object = 20, **change: object) -> Correction:
    fields = {
        "table": "applicability",
        "row": 2,
        "values": {"valid_to": "3"},
        "by": "J. Muster",
        "why": "measured anew",
    }
    return Correction(**{**fields, "recorded": recorded, **change})  # type: ignore[arg-type]


FORMS = ("csv", "jsonl", "parquet")


@pytest.fixture(params=FORMS)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    register = Register.read(write(tmp_path / "written", {}))
    register.write(tmp_path / "register", form=request.param)
    return tmp_path / "register"


def first_row(folder: Path) -> int:
    return 2 if (folder / "applicability.csv").is_file() else 1


def test_a_correction_closes_a_row_and_adds_one(folder: Path) -> None:
    before = Register.read(folder)
    after = before.correct(folder, made(row=first_row(folder)))
    assert Register.read(folder) == after
    assert [(a.revision_id, *a.valid, *a.recorded) for a in after.applicability[::2]] == [
        ("A", 0, 10, 0, 20),
        ("A", 0, 3, 20, 2**63 - 1),
    ]
    assert (at(before, 4), at(after, 4), at(after, 4, known_at=19), at(after, 4, known_at=20)) == ("A", None, "A", None)
    assert after.snapshot(19) == before.snapshot(19) == before.snapshot()
    assert after.snapshot() != before.snapshot()
    assert projection.corrected(before.project(), before, after).equals(after.project())
    (entry,) = read_corrections(folder)
    assert (entry["by"], entry["why"], entry["recorded"], entry["table"]) == (
        "J. Muster",
        "measured anew",
        "20",
        "applicability",
    )
    assert entry["closed"]["valid_to"] == "10"  # type: ignore[index]
    assert entry["added"]["valid_to"] == "3"  # type: ignore[index]


def test_corrections_follow_one_another(folder: Path) -> None:
    first, register = first_row(folder), Register.read(folder)
    register = register.correct(folder, made(row=first))
    register = register.correct(folder, made(row=first + 2, values={"valid_to": "4"}, recorded=25))  # the added row
    register = register.correct(folder, made(row=first + 1, values=None, recorded=30))  # B is withdrawn
    values = {
        "superseding": "A",
        "superseded": "B",
        "procedure_id": "p",
        "asset_configuration": "C",
        "region": "EU",
        "effective_from": "0",
        "effective_to": "unbounded",
        "approval_ref": "FG-9",
    }
    register = register.correct(folder, made(table="supersessions", row=None, values=values, recorded=30))
    assert [at(register, 3, known_at=t) for t in (19, 20, 25)] == ["A", None, "A"]
    assert [at(register, 6, known_at=t) for t in (19, 29, 30)] == ["B", "B", None]
    assert register.supersessions[-1].approval_ref == "FG-9"
    assert [entry["recorded"] for entry in read_corrections(folder)] == ["20", "25", "30", "30"]
    assert Register.read(folder) == register


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"table": "revisions"}, "unknown table"),
        ({"by": " "}, "says by"),
        ({"why": ""}, "says why"),
        ({"row": 99}, "row 99: there is no such row"),
        ({"row": None, "values": None}, "changes nothing"),
        ({"values": {"colour": "red"}}, "column colour"),
        ({"values": {"recorded_to": "5"}}, "column recorded_to"),
        ({"values": {"valid_to": ""}}, "row 4, column valid_to: the cell is empty"),
        ({"values": {"valid_to": "-1"}}, "inverted"),
        ({"values": {"revision_id": "nobody"}}, "row 4, column revision_id: no such revision"),
        ({"row": None, "values": {"revision_id": "A"}}, "row 4, column procedure_id: the cell is empty"),
        ({"recorded": "soon"}, "column recorded: 'soon' is no logical step"),
        ({"recorded": 0}, "row 2, column recorded_to: the interval [0,0) is empty"),
        ({"recorded": -1}, "recorded something later"),
    ],
)
def test_a_malformed_correction_changes_nothing(tmp_path: Path, change: Mapping[str, object], said: str) -> None:
    folder = write(tmp_path, {})
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(InputError) as caught:
        correct(folder, made(**{"recorded": 20, **change}))  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_closed_row_and_rewritten_history_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, {})
    correct(folder, made())
    with pytest.raises(InputError, match="closed already"):
        correct(folder, made(recorded=21))
    with pytest.raises(InputError, match="record it at 20 or later"):
        correct(folder, made(row=3, recorded=19))
    with pytest.raises(InputError, match="no such folder"):
        correct(tmp_path / "absent", made())


def test_typed_times_are_not_written(tmp_path: Path) -> None:
    text = (
        FILES["applicability.csv"]
        .replace("recorded_to\n", "recorded_to,recorded_to_kind\n")
        .replace("0,unbounded\n", "0,unbounded,unbounded\n")
    )
    with pytest.raises(InputError, match="typed times"):
        correct(write(tmp_path, {"applicability.csv": text}), made())


def test_untouched_rows_keep_their_bytes(tmp_path: Path) -> None:
    """Also in a table with the line ends of another system."""
    folder = write(tmp_path, {"applicability.csv": FILES["applicability.csv"].replace("\n", "\r\n")})
    lines = (folder / "applicability.csv").read_bytes().splitlines(keepends=True)
    correct(folder, made())
    again = (folder / "applicability.csv").read_bytes().splitlines(keepends=True)
    assert [again[0], again[2]] == [lines[0], lines[2]]
    assert all(line.endswith(b"\r\n") for line in again)


def test_the_recorded_time_is_an_instant_of_its_own_kind(tmp_path: Path) -> None:
    toml = TOML.replace("history_from = 0\n", 'recorded_time = "utc"\nhistory_from = 2024-01-01T00:00:00Z\n')
    files = {name: text.replace(",0,unbounded\n", ",2024-01-01T00:00:00Z,unbounded\n") for name, text in FILES.items()}
    folder = write(tmp_path, {**files, "register.toml": toml})
    correct(folder, made(recorded="2024-05-01T08:00:00+02:00"))
    with (folder / "applicability.csv").open(newline="") as file:
        assert [row["recorded_to"] for row in csv.DictReader(file)] == [
            "2024-05-01T06:00:00Z",
            "unbounded",
            "unbounded",
        ]
    with pytest.raises(InputError, match="no time zone"):
        correct(folder, made(row=3, recorded="2024-05-02T08:00:00"))


# --- killed and raced ----------------------------------------------------------------------------------------------


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.validity.correcting", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_writer_killed_at_any_point_leaves_a_whole_register(tmp_path: Path) -> None:
    lines = int(run("count", write(tmp_path / "whole", {})).stdout)
    old = Register.read(write(tmp_path / "old", {}))
    new = correct(write(tmp_path / "new", {}), made(values={"valid_to": "7"}, by="traced"))
    seen = []
    for point in range(POINTS):
        # evenly over the last two thirds: before that, nothing but reading has happened
        deadly = lines - round(point * lines * 2 / 3 / (POINTS - 1))
        folder = write(tmp_path / str(point), {})
        assert run("kill", folder, str(deadly)).returncode == -signal.SIGKILL
        found = Register.read(folder)
        assert found in (old, new), deadly
        corrected = found == new
        assert [entry["by"] for entry in read_corrections(folder)] == ["traced"] * corrected, deadly
        seen.append(corrected)
        again = found.correct(
            folder, made(row=3, recorded=30, values={"valid_to": "9"})
        )  # no lock, no half-written file is in the way
        assert Register.read(folder) == again
        assert len(read_corrections(folder)) == 1 + corrected
    assert set(seen) == {True, False}


def test_of_two_writers_one_wins_and_the_other_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path, {})
    command = [sys.executable, "-m", "tests.validity.correcting", "race", str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writers = [subprocess.Popen([*command, who], **pipes) for who in ("one", "two")]  # type: ignore[call-overload]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    said = sorted(writer.communicate(timeout=120)[0].strip() for writer in writers)
    assert said[0].startswith("ChangedMeanwhile: ")
    assert said[1] == "written"
    register = Register.read(folder)
    assert [(a.revision_id, a.valid.end) for a in register.applicability] == [("A", 10), ("B", 10), ("A", 7)]
    assert len(read_corrections(folder)) == 1


def test_a_folder_that_is_being_written_refuses_a_second_writer(tmp_path: Path) -> None:
    folder = write(tmp_path, {})
    with register_rewriting.alone(folder), pytest.raises(ChangedMeanwhile, match="being written"):
        correct(folder, made())
    correct(folder, made())


def test_a_decision_on_an_older_register_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, {})
    one, other = Register.read(folder), Register.read(folder)
    one.correct(folder, made())
    with pytest.raises(ChangedMeanwhile, match="decide anew"):
        other.correct(folder, made(row=3))
    assert len((folder / LOG).read_text("utf-8").splitlines()) == 1
    assert json.loads((folder / LOG).read_text("utf-8"))["by"] == "J. Muster"
