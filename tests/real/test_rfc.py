"""RFCs: whole and partial supersession, several successors, months that are no days, and a register's own history."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

import workbench as wb

READER = wb.Actor("public", {"reader"})
SIX = tuple(f"RFC {n}" for n in range(7230, 7236))


def ask(
    register: wb.Register, procedure: str, at: str, known_at: str | None = None, family: str = "RFC"
) -> wb.Decision:
    scope = wb.Scope(family, procedure, "any", "world")
    return register.resolve(wb.Request(scope, at=at, known_at=known_at), READER)


def why(register: wb.Register, procedure: str, at: str, known_at: str | None = None) -> str:
    request = wb.Request(wb.Scope("RFC", procedure, "any", "world"), at=at, known_at=known_at)
    return register.explain(request, READER, reader=wb.OPERATOR).reason


def answer(decision: wb.Decision) -> object:
    return decision.revision_id or decision.rivals or str(decision.status)


@pytest.fixture(scope="module")
def index(mapped: Callable[[str], wb.Register]) -> wb.Register:
    return mapped("rfc")


@pytest.fixture(scope="module")
def http(mapped: Callable[[str], wb.Register]) -> wb.Register:
    return mapped("rfc-http")


@pytest.fixture(scope="module")
def history(mapped: Callable[[str], wb.Register]) -> wb.Register:
    return mapped("rfc-history")


def test_the_six_successors_of_2616_stand_side_by_side(index: wb.Register) -> None:
    """Which of the six took over what, the index does not say: the whole has no single answer any more."""
    assert answer(ask(index, "RFC 2616", "2014-05-31")) == "RFC 2616"
    assert answer(ask(index, "RFC 2616", "2014-06-30")) == ("RFC 2616", *SIX)
    assert answer(ask(index, "RFC 2616", "2014-07-01")) == SIX
    assert answer(ask(index, "RFC 2068", "2020-01-01")) == SIX
    assert ask(index, "RFC 2616", "2014-07-01").owner == "RFC Editor"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2014-05-31T23:59:59.999999Z", "RFC 2616"),
        ("2014-06-01", ("RFC 2616", "RFC 7234")),
        ("2014-06-30T23:59:59.999999Z", ("RFC 2616", "RFC 7234")),
        ("2014-07-01", "RFC 7234"),
    ],
)
def test_a_month_is_not_a_day(at: str, expected: object, http: wb.Register) -> None:
    """Within the month of the change both are named; before and after it there is one."""
    assert answer(ask(http, "caching", at, family="HTTP/1.1")) == expected


def test_partial_supersession_holds_for_its_procedure_only(http: wb.Register) -> None:
    """RFC 6266 replaced what RFC 2616 said of one header field, and nothing else of it."""
    procedures = {row.scope.procedure for row in http.applicability}
    at_2012 = {name: answer(ask(http, name, "2012-01-01", family="HTTP/1.1")) for name in procedures}
    assert at_2012.pop("content disposition") == "RFC 6266"
    assert len(at_2012) == 6
    assert set(at_2012.values()) == {"RFC 2616"}


def test_whole_supersession_goes_to_the_successor_of_each_procedure(http: wb.Register) -> None:
    found = {
        row.scope.procedure: answer(ask(http, row.scope.procedure, "2020-01-01", family="HTTP/1.1"))
        for row in http.applicability
    }
    assert sorted(map(str, found.values())) == ["RFC 6266", *SIX]


def test_an_updated_rfc_stays_in_force(index: wb.Register) -> None:
    assert answer(ask(index, "RFC 5246", "2018-07-31")) == "RFC 5246"
    assert answer(ask(index, "RFC 5246", "2018-08-31")) == ("RFC 5246", "RFC 8446")
    assert answer(ask(index, "RFC 5246", "2018-09-01")) == "RFC 8446"


def test_an_rfc_obsoleted_before_it_was_published_is_rejected_and_its_scope_refused(
    index: wb.Register, folders: Callable[[str], Path]
) -> None:
    with (folders("rfc") / "rejected.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    inverted = {row["revision_id"]: (row["valid_from"], row["valid_to"]) for row in rows if "inverted" in row["reason"]}
    assert inverted == {
        "RFC 1849": ("2010-03-01", "2009-12-01"),
        "RFC 5143": ("2008-02-01", "2007-05-01"),
        "RFC 5414": ("2010-02-01", "2009-04-01"),
    }
    assert len(rows) - len(inverted) == 185
    assert [why(index, "RFC 1849", at) for at in ("2009-10-31", "2009-11-01", "2010-03-01", "2022-01-01")] == [
        "NO_APPLICABLE_REVISION",
        *["SUCCESSOR_UNKNOWN"] * 3,
    ]


@pytest.mark.parametrize(
    ("known_at", "at", "expected"),
    [
        ("2018-08-01", "2018-08-15", "RFC 5246"),
        ("2018-08-11T09:45:58Z", "2018-08-15", "RFC 5246"),
        ("2018-08-11T09:45:59Z", "2018-08-15", ("RFC 5246", "RFC 8446")),
        ("2018-08-12", "2018-07-31", "RFC 5246"),
        ("2018-08-12", "2018-09-01", "RFC 8446"),
        ("2015-05-05", "2018-09-01", "HISTORY_UNAVAILABLE"),
    ],
)
def test_what_the_register_knew_of_rfc_5246(known_at: str, at: str, expected: object, history: wb.Register) -> None:
    assert answer(ask(history, "RFC 5246", at, known_at)) == expected


def test_a_register_that_ended_in_2019_says_nothing_of_today(history: wb.Register) -> None:
    assert answer(ask(history, "RFC 5246", "2018-09-01", "2019-02-19")) == "RFC 8446"
    for known_at in ("2019-02-20", None):
        assert why(history, "RFC 5246", "2018-09-01", known_at) == "NO_APPLICABLE_REVISION"


def test_a_successor_that_the_register_names_and_does_not_have_is_unknown(history: wb.Register) -> None:
    assert why(history, "RFC 200", "1990-01-01", "2016-01-01") == "SUCCESSOR_UNKNOWN"
