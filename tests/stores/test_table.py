"""The recorded table says what a run says, and names what did not run."""

import csv

import pytest

from tests.stores.engines import database
from tests.stores.table import FILE, NOT_RUN, PLAIN, of_database, rows
from tests.validity.servers import Absent
from workbench.stores.conformance import GUARANTEES


def recorded() -> list[list[str]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


@pytest.mark.parametrize("name", PLAIN)
def test_the_recorded_rows_are_those_of_a_run(name: str) -> None:
    assert [row for row in recorded() if row[1] == name] == list(rows({name: PLAIN[name]}))


@pytest.mark.parametrize("version", [15, 18])
def test_the_recorded_rows_are_those_of_a_run_on_a_server(version: int) -> None:
    try:
        with database(version) as there:
            found = list(rows(of_database(version, there)))
    except Absent as why:
        pytest.skip(str(why))
    assert [row for row in recorded() if row[1].startswith(f"PostgreSQL {version},")] == found


def test_the_table_is_whole_and_names_what_did_not_run() -> None:
    stores = list(dict.fromkeys(row[1] for row in recorded()))
    assert [row[:2] for row in recorded()] == [[g.name, store] for store in stores for g in GUARANTEES]
    assert {row[1] for row in recorded() if row[2].startswith("not run: ")} == set(NOT_RUN)
    assert all(row[2] == "holds" or row[1] in NOT_RUN for row in recorded())
