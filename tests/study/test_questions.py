"""Questions are read strictly, and each fault names its line and field."""

import json
from pathlib import Path

import pytest

import workbench as wb
from workbench.errors import InputError
from workbench.study.questions import Gold, read_questions

GOOD = {
    "question_id": "q1",
    "question": "Wie hoch ist das Anzugsmoment?",
    "kind": "answerable",
    "gold": [{"document_id": "manual-A", "start": 3, "end": 9}],
    "persona": {"tenant": "werk-nord", "groups": ["wartung"]},
    "request": {
        "family": "pump-seal",
        "procedure": "seal-torque",
        "configuration": "C2",
        "region": "EU",
        "at": 6,
        "language": "de",
    },
    "holdout": True,
    "tags": ["date"],
}


def write(path: Path, *rows: dict) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_question_with_everything(tmp_path: Path) -> None:
    [question] = read_questions(write(tmp_path / "q.jsonl", GOOD))
    assert question.gold == (Gold("manual-A", (3, 9)),)
    assert question.persona == wb.Actor("werk-nord", {"wartung"})
    assert question.request == wb.Request(wb.Scope("pump-seal", "seal-torque", "C2", "EU"), at=6, language="de")
    assert (question.kind, question.holdout, question.tags) == ("answerable", True, ("date",))


def test_a_question_with_the_least(tmp_path: Path) -> None:
    row = {"question_id": "q2", "question": "Wer?", "kind": "unanswerable", "gold": []}
    [question] = read_questions(write(tmp_path / "q.jsonl", row))
    assert (question.persona, question.request, question.gold, question.holdout) == (None, None, (), False)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("question_id", ""),
        ("question", None),
        ("kind", "hard"),
        ("gold", []),
        ("gold", {}),
        ("gold", [{"document_id": "a", "start": 3}]),
        ("gold", [{"document_id": "a", "start": 3, "end": 3}]),
        ("gold", [{"document_id": "a", "start": -1, "end": 3}]),
        ("gold", [{"document_id": "a", "start": "0", "end": 3}]),
        ("gold", [{"document_id": "a", "start": True, "end": 3}]),
        ("gold", [{"document_id": "a", "start": 0, "end": 3, "quote": "x"}]),
        ("persona", {"tenant": "t"}),
        ("persona", {"tenant": "t", "groups": "wartung"}),
        ("persona", ["t"]),
        ("request", {"familie": "pump-seal"}),
        ("request", {"family": 5}),
        ("holdout", "yes"),
        ("tags", "date"),
        ("extra", 1),
    ],
)
def test_each_fault_names_line_and_field(tmp_path: Path, field: str, value: object) -> None:
    with pytest.raises(InputError) as caught:
        read_questions(write(tmp_path / "q.jsonl", {**GOOD, "question_id": "q0"}, {**GOOD, field: value}))
    assert (caught.value.file, caught.value.row, caught.value.column) == ("q.jsonl", 2, field)


def test_an_unanswerable_question_has_no_gold(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unanswerable"):
        read_questions(write(tmp_path / "q.jsonl", {**GOOD, "kind": "unanswerable"}))


def test_an_id_stands_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        read_questions(write(tmp_path / "q.jsonl", GOOD, GOOD))


def test_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nix\.jsonl"):
        read_questions(tmp_path / "nix.jsonl")
    (tmp_path / "q.csv").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="JSONL"):
        read_questions(tmp_path / "q.csv")
