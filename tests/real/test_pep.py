"""Python Enhancement Proposals: superseded without a recorded successor, rejected claims, two that claim the same."""

import csv
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import workbench as wb
from workbench.contract import fingerprint

READER = wb.Actor("public", {"reader"})


@pytest.fixture(scope="module")
def register(mapped: Callable[[str], wb.Register]) -> wb.Register:
    return mapped("pep")


def request(procedure: str, at: str) -> wb.Request:
    return wb.Request(wb.Scope("PEP", procedure, "any", "world"), at=at)


def answer(register: wb.Register, procedure: str, at: str) -> object:
    decision = register.resolve(request(procedure, at), READER)
    reason = register.explain(request(procedure, at), READER, reader=wb.OPERATOR).reason
    return decision.revision_id or decision.rivals or str(reason)


def test_superseded_without_a_recorded_successor_is_refused_and_not_given_out(register: wb.Register) -> None:
    unknown = {r.superseded for r in register.supersessions if r.superseding == "unknown"}
    assert unknown == {"PEP 6", "PEP 344", "PEP 367", "PEP 411"}
    assert answer(register, "PEP 411", "2022-09-01") == "PEP 411"
    assert [answer(register, f"PEP {n}", "2026-01-01") for n in (6, 344, 367, 411)] == ["SUCCESSOR_UNKNOWN"] * 4


def test_two_that_claim_to_replace_the_same_one_are_rivals(register: wb.Register) -> None:
    """PEP 381 was withdrawn and never in force: neither claim is a supersession, and neither has precedence."""
    assert answer(register, "PEP 381", "2020-01-01") == "NO_APPLICABLE_REVISION"
    assert answer(register, "PyPI mirroring", "2020-01-01") == ("PEP 449", "PEP 464")


def test_two_successors_in_force_are_rivals(register: wb.Register) -> None:
    assert answer(register, "PEP 563", "2023-01-01") == "PEP 563"
    assert answer(register, "PEP 563", "2026-01-01") == ("PEP 649", "PEP 749")


def test_from_or_to_what_never_was_in_force_there_is_no_supersession(
    register: wb.Register, folders: Callable[[str], Path]
) -> None:
    with (folders("pep") / "rejected.csv").open(newline="", encoding="utf-8") as file:
        rejected = {(row["superseding"], row["superseded"]) for row in csv.DictReader(file)}
    assert {("PEP 402", "PEP 382"), ("PEP 765", "PEP 601"), ("PEP 449", "PEP 381"), ("PEP 464", "PEP 381")} <= rejected
    assert rejected & {(r.superseding, r.superseded) for r in register.supersessions} == set()
    for number in (382, 402, 601):
        assert answer(register, f"PEP {number}", "2010-01-01") == "NO_APPLICABLE_REVISION"


def test_a_mistaken_word_in_a_header_is_no_time_in_force(register: wb.Register) -> None:
    """PEP 382 said Active for a day in April 2009; it was a draft, and is rejected today."""
    assert answer(register, "PEP 382", "2009-04-03") == "NO_APPLICABLE_REVISION"


def test_a_successor_takes_over_when_it_is_in_force_and_said_to_replace(register: wb.Register) -> None:
    """PEP 566 said as a draft that it replaces PEP 345, and did so when it became final in July 2018."""
    assert answer(register, "PEP 345", "2018-07-20T02:35:59Z") == "PEP 345"
    assert answer(register, "PEP 345", "2018-07-20T02:36:00Z") == "PEP 566"


def test_the_digests_are_those_of_the_texts(register: wb.Register, real_data: Path) -> None:
    with duckdb.connect() as connection:
        path = str(real_data / "pep" / "texts.parquet")
        rows = connection.execute("SELECT pep, text FROM read_parquet(?)", [path]).fetchall()
    assert len(rows) == 182
    assert [n for n, text in rows if register.revisions[f"PEP {n}"].source_digest != fingerprint(text)] == []
