"""Table rows know their place, whatever the file; nothing is guessed or dropped."""

import json
from pathlib import Path

import polars as pl
import pytest

from workbench.errors import InputError
from workbench.records import Row, find_table, read_rows

COLUMNS = ("a", "b")


def rows(path: Path) -> list[dict]:
    return [dict(row.cells) for row in read_rows(path, required=COLUMNS, optional=("c",))]


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_the_three_kinds_read_the_same(tmp_path: Path) -> None:
    wanted = [{"a": 'ä,;"\n', "b": "x"}, {"a": "", "b": "\u2028"}]
    pl.DataFrame(wanted).write_parquet(tmp_path / "t.parquet")
    pl.DataFrame(wanted).write_csv(tmp_path / "t.csv")
    lines = "".join(json.dumps(row) + "\n" for row in wanted)
    for path in (tmp_path / "t.parquet", tmp_path / "t.csv", write(tmp_path, "t.jsonl", lines)):
        assert rows(path) == wanted


def test_row_numbers_are_those_of_the_editor(tmp_path: Path) -> None:
    numbers = {
        "t.csv": ("a,b\n1,2\n3,4\n", [2, 3]),
        "t.jsonl": ('{"a":"1","b":"2"}\n{"a":"3","b":"4"}\n', [1, 2]),
    }
    for name, (content, wanted) in numbers.items():
        path = write(tmp_path, name, content)
        assert [row.number for row in read_rows(path, required=COLUMNS)] == wanted


@pytest.mark.parametrize(
    ("name", "content", "row", "column"),
    [
        ("t.csv", "", None, None),
        ("t.csv", "a\n1\n", 1, "b"),
        ("t.csv", "a,b,x\n1,2,3\n", 1, "x"),
        ("t.csv", "a,b,a\n1,2,3\n", 1, "a"),
        ("t.csv", "a,b\n1,2\n1\n", 3, None),
        ("t.csv", "a,b\n1,2\n1,2,3\n", 3, None),
        ("t.csv", 'a,b\n1,"2\n', 2, None),
        ("t.csv", b"a,b\n1,2\n\xff,2\n", None, None),
        ("t.csv", "a,b\n1,2\n\n", 3, None),
        ("t.jsonl", '{"a":"1","b":"2"}\n[]\n', 2, None),
        ("t.jsonl", '{"a":"1","b":"2"}\n\n', 2, None),
        ("t.jsonl", '{"a":"1","a":"2","b":""}\n', 1, "a"),
        ("t.jsonl", '{"a":"1"}\n', 1, "b"),
        ("t.jsonl", '{"a":"1","b":"\\ud800"}\n', 1, "b"),
        ("t.jsonl", '{"a":' * 100_000, 1, None),
        ("t.jsonl", b"\xff\n", None, None),
        ("t.parquet", b"PAR1 no", None, None),
        ("t.txt", "x", None, None),
    ],
)
def test_each_fault_names_its_place(tmp_path: Path, name, content, row, column) -> None:
    path = write(tmp_path, name, content)
    with pytest.raises(InputError) as caught:
        rows(path)
    assert caught.value.file == name
    assert caught.value.column == column
    assert row is None or caught.value.row == row


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    assert rows(write(tmp_path, "t.csv", "\ufeffa,b\n1,2\n")) == [{"a": "1", "b": "2"}]


def test_the_csv_modules_own_limit_is_put_back(tmp_path: Path) -> None:
    import csv

    before = csv.field_size_limit()
    assert len(rows(write(tmp_path, "t.csv", f"a,b\n{'x' * 200_000},2\n"))) == 1
    assert csv.field_size_limit() == before


def test_two_files_for_one_table_are_refused(tmp_path: Path) -> None:
    assert find_table(tmp_path, "t") is None
    write(tmp_path, "t.csv", "a,b\n")
    assert find_table(tmp_path, "t") == tmp_path / "t.csv"
    write(tmp_path, "t.jsonl", "")
    with pytest.raises(InputError, match=r"t\.csv, t\.jsonl"):
        find_table(tmp_path, "t")


@pytest.mark.parametrize(
    ("value", "wanted"),
    [("a;b", {"a", "b"}), ("a", {"a"}), ('["a;b", "c"]', {"a;b", "c"}), (["a;b", "c"], {"a;b", "c"}), ([], set())],
)
def test_names(value: object, wanted: set[str]) -> None:
    assert Row("f", 1, {"groups": value}).names("groups") == wanted


@pytest.mark.parametrize("value", [None, "", "a;;b", ";", " ", "[1]", "[", ["a", ""], ["a", None], 5, {"a": 1}])
def test_names_that_are_none(value: object) -> None:
    with pytest.raises(InputError):
        Row("f", 1, {"groups": value}).names("groups")


@pytest.mark.parametrize("value", [None, "", "  ", 5, True, ["a"]])
def test_text_that_is_none(value: object) -> None:
    with pytest.raises(InputError) as caught:
        Row("f.csv", 7, {"c": value}).text("c")
    assert (caught.value.file, caught.value.row, caught.value.column) == ("f.csv", 7, "c")


def test_a_byte_that_is_no_text_is_found_exactly(tmp_path: Path) -> None:
    lines = [b"a,b\n", *[b"1,2\n"] * 5000, b"1,\xff\n", *[b"3,4\n"] * 5000]
    with pytest.raises(InputError) as caught:
        rows(write(tmp_path, "t.csv", b"".join(lines)))
    assert (caught.value.row, f"byte {sum(map(len, lines[:5001])) + 2}" in str(caught.value)) == (5002, True)
    lines = [*[b'{"a":"1","b":"2"}\n'] * 3000, b'{"a":"\xff"}\n']
    with pytest.raises(InputError) as caught:
        rows(write(tmp_path, "t.jsonl", b"".join(lines)))
    assert caught.value.row == 3001


@pytest.mark.parametrize("value", ["a; b", "a ;b", ["a "], '[" a"]'])
def test_names_with_blanks_around_would_match_nobody(value: object) -> None:
    with pytest.raises(InputError, match="blank"):
        Row("f", 1, {"groups": value}).names("groups")
