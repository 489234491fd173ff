"""Product releases and their corrected ends of support: two time axes on real claims."""

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import workbench as wb

READER = wb.Actor("public", {"reader"})


@pytest.fixture(scope="module")
def register(mapped: Callable[[str], wb.Register]) -> wb.Register:
    return mapped("eol")


def ask(register: wb.Register, product: str, cycle: str, at: str, known_at: str | None = None) -> wb.Decision:
    return register.resolve(wb.Request(wb.Scope(product, "support", cycle, "world"), at=at, known_at=known_at), READER)


def why(register: wb.Register, product: str, cycle: str, at: str, known_at: str | None = None) -> str:
    request = wb.Request(wb.Scope(product, "support", cycle, "world"), at=at, known_at=known_at)
    return register.explain(request, READER, reader=wb.OPERATOR).reason


@pytest.mark.parametrize(
    ("known_at", "end"),
    [
        ("2019-10-04", "2029-09-30"),
        ("2020-11-15", "2029-05-31"),
        ("2020-12-09T06:54:05.999999Z", "2029-05-31"),
        ("2020-12-09T06:54:06Z", "2021-12-31"),
        ("2020-12-10", "2021-12-31"),
        (None, "2021-12-31"),
    ],
)
def test_what_was_known_of_the_end_of_centos_8(known_at: str | None, end: str, register: wb.Register) -> None:
    """The end was moved forward by seven years on one day; before it nobody could have known."""
    decision = ask(register, "centos", "8", "2020-06-01", known_at)
    assert decision.context is not None
    assert (decision.revision_id, decision.context.valid_to) == ("centos 8", f"{end}T00:00:00Z")
    later = ask(register, "centos", "8", "2023-01-01", known_at)
    assert later.status == ("RESOLVED" if end > "2023" else "UNAVAILABLE")


def test_before_the_first_claim_the_register_cannot_say(register: wb.Register) -> None:
    assert ask(register, "centos", "8", "2020-06-01", "2019-05-30T15:19:34Z").status == "HISTORY_UNAVAILABLE"
    assert why(register, "centos", "8", "2020-06-01", "2019-06-01") == "NO_APPLICABLE_REVISION"


def test_a_stretch_without_any_claim_is_not_filled(register: wb.Register) -> None:
    """From July 2021 to May 2022 the source said nothing of CentOS 8."""
    assert why(register, "centos", "8", "2020-06-01", "2021-12-01") == "NO_APPLICABLE_REVISION"
    assert ask(register, "centos", "8", "2020-06-01", "2022-05-28").status == "RESOLVED"


def test_ended_without_a_date_is_an_unknown_end_and_not_support(register: wb.Register) -> None:
    assert why(register, "android", "1.1", "2009-02-09") == "SUCCESSOR_UNKNOWN"
    assert why(register, "android", "1.1", "2009-02-08") == "NO_APPLICABLE_REVISION"


def test_an_inverted_interval_gives_nothing_out_while_it_was_claimed(register: wb.Register) -> None:
    """Couchbase Server 6.0 was once claimed to have ended half a year before it began."""
    asked = ("couchbase-server", "6.0", "2020-12-01", "2022-04-01")
    assert why(register, *asked) == "SUCCESSOR_UNKNOWN"


def test_the_rejected_rows_are_written_out_with_their_reasons(
    folders: Callable[[str], Path], register: wb.Register
) -> None:
    with (folders("eol") / "rejected.csv").open(newline="", encoding="utf-8") as file:
        reasons = Counter(row["reason"].split(":")[0] for row in csv.DictReader(file))
    assert reasons == {
        "no end that can be read": 748,
        "no start stated": 150,
        "empty or inverted interval": 36,
        "replaced within the same second": 16,
    }
    assert len(register.applicability) + sum(reasons.values()) == 11_427
    assert {r.superseding for r in register.supersessions} == {"unknown"}
