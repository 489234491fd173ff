"""Airworthiness directives: a proposal supersedes nothing; a final rule without effective date, its scope unknown."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

import workbench as wb

READER = wb.Actor("public", {"reader"})


@pytest.fixture(scope="module")
def register(mapped: Callable[[str], wb.Register]) -> wb.Register:
    return mapped("faa-ad")


def answer(register: wb.Register, procedure: str, at: str, model: str = "as stated in the AD") -> object:
    request = wb.Request(wb.Scope("AD", procedure, model, "US"), at=at)
    decision = register.resolve(request, READER)
    reason = register.explain(request, READER, reader=wb.OPERATOR).reason
    return decision.revision_id or decision.rivals or str(reason)


def test_a_proposal_supersedes_nothing(register: wb.Register) -> None:
    """Proposed on 2021-01-21, final on 2022-05-12; a day of the Federal Register is a day in Washington."""
    for at in ("2020-01-02", "2021-01-21", "2021-06-01", "2022-05-12T03:59:59.999999Z"):
        assert answer(register, "AD 2017-14-13", at) == "AD 2017-14-13"
        assert answer(register, "rudder pedal heel rest cover", at, "737-800") == "AD 2017-14-13"


def test_a_final_rule_without_effective_date_makes_its_scope_unknown(register: wb.Register) -> None:
    for at in ("2022-05-12T04:00:00Z", "2022-05-20", "2026-01-01"):
        assert answer(register, "AD 2017-14-13", at) == "SUCCESSOR_UNKNOWN"
        assert answer(register, "rudder pedal heel rest cover", at, "737-800") == "SUCCESSOR_UNKNOWN"


def test_no_notice_that_does_not_bind_has_any_effect(register: wb.Register, folders: Callable[[str], Path]) -> None:
    with (folders("faa-ad") / "rejected.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    proposals = {row["fr_doc"] for row in rows if row["reason"].startswith("not binding")}
    final = {row["fr_doc"] for row in rows if row["reason"].startswith("its effective date")}
    assert len(rows) == 778
    approvals = {relation.approval_ref for relation in register.supersessions}
    assert approvals & proposals == set()
    assert final <= approvals


def test_an_ad_that_no_final_rule_touches_stays_in_force(register: wb.Register) -> None:
    touched = {relation.superseded for relation in register.supersessions}
    untouched = [row for row in register.applicability if row.revision_id not in touched]
    assert len(untouched) == 51
    for row in untouched:
        assert answer(register, row.scope.procedure, "2026-01-01", row.scope.configuration) == row.revision_id


def test_two_in_force_without_precedence_until_one_is_removed(register: wb.Register) -> None:
    asked = ("inspection for cracking and corrosion", "2022-12-31", "BAe 146")
    assert answer(register, asked[0], "2021-12-31", "BAe 146") == "AD 2010-09-11"
    assert answer(register, *asked) == "SUCCESSOR_UNKNOWN"
    assert answer(register, asked[0], "2024-01-01", "BAe 146") == ("AD 2010-09-11", "AD 2022-06-14")
    assert answer(register, asked[0], "2025-08-05", "BAe 146") == "SUCCESSOR_UNKNOWN"


def test_within_the_year_of_its_number_an_ad_is_not_given_out(register: wb.Register) -> None:
    """AD 2020-01-13 began on some day of 2020; its final rule of superseding was published on 2023-11-06."""
    found = [answer(register, "AD 2020-01-13", at) for at in ("2019-12-31", "2020-06-01", "2021-01-01", "2023-11-06")]
    assert found == ["NO_APPLICABLE_REVISION", "SUCCESSOR_UNKNOWN", "AD 2020-01-13", "SUCCESSOR_UNKNOWN"]
