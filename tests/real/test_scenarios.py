"""Each question of scenarios.jsonl that a register answers comes out as the contract translates its finding."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import duckdb
import pytest

import workbench as wb

READER = wb.Actor("public", {"reader"})
LAW = ("LGBl-2008-118", "LI", "LI")
DOES_NOT_APPLY = ("UNAVAILABLE", "NO_APPLICABLE_REVISION")
SUCCESSOR_UNKNOWN = ("UNAVAILABLE", "SUCCESSOR_UNKNOWN")


class Mapped(Protocol):
    def __call__(self, name: str) -> wb.Register: ...


@dataclass(frozen=True)
class Case:
    """One request and what must come of it: a revision, the rivals, or a refusal with its protected reason."""

    scenario: str
    register: str
    scope: wb.Scope
    at: str
    known_at: str | None = None
    revision: str | None = None
    rivals: tuple[str, ...] = ()
    refused: tuple[str, str] | None = None
    valid_to: str | None = None


def law(scenario: str, norm: str, article: str, at: str, **expected: Any) -> Case:
    return Case(scenario, "li-law-articles", wb.Scope(norm, f"{article} (1)", "LI", "LI"), at, **expected)


def rfc(scenario: str, register: str, family: str, procedure: str, at: str, **expected: Any) -> Case:
    return Case(scenario, register, wb.Scope(family, procedure, "any", "world"), at, **expected)


def pep(scenario: str, subject: str, at: str, **expected: Any) -> Case:
    return Case(scenario, "pep", wb.Scope("PEP", subject, "any", "world"), at, **expected)


def eol(scenario: str, known_at: str, **expected: Any) -> Case:
    return Case(scenario, "eol", wb.Scope("centos", "support", "8", "world"), "2023-01-01", known_at, **expected)


def ad(scenario: str, procedure: str, model: str, at: str, **expected: Any) -> Case:
    return Case(scenario, "faa-ad", wb.Scope("AD", procedure, model, "US"), at, **expected)


EEV = "LGBl-2008-118"
HEEL_REST = ("rudder pedal heel rest cover", "737-800")
CRACKS = ("inspection for cracking and corrosion", "BAe 146")
SUPERSEDED_WITHOUT_EDGE = (6, 344, 367, 411)

CASES = [
    law("LI-EEV13-01", EEV, "Art. 13", "2009-09-11", revision=f"{EEV}-v004#Art. 13 (1)"),
    law("LI-EEV13-03", EEV, "Art. 13", "2010-04-07", revision=f"{EEV}-v005#Art. 13 (1)"),
    law("LI-EEV13-05", EEV, "Art. 13", "2010-06-11", revision=f"{EEV}-v006#Art. 13 (1)"),
    law("LI-EEV13-07", EEV, "Art. 13", "2011-09-29", revision=f"{EEV}-v007#Art. 13 (1)"),
    law("LI-EEV13-GAP", EEV, "Art. 13", "2009-09-10", refused=DOES_NOT_APPLY),
    law("LI-UVV28-A", "LGBl-1990-070", "Art. 28", "2016-12-31", revision="LGBl-1990-070-v007#Art. 28 (1)"),
    law("LI-BOOT", EEV, "Art. 11a", "2010-01-01", refused=DOES_NOT_APPLY),
    rfc("RFC-HTTP-A", "rfc-http", "HTTP/1.1", "caching", "2014-05-31", revision="RFC 2616"),
    rfc("RFC-HTTP-B", "rfc-http", "HTTP/1.1", "caching", "2014-06-01", rivals=("RFC 2616", "RFC 7234")),
    rfc("RFC-TLS-BITEMP", "rfc-history", "RFC", "RFC 5246", "2018-09-01", known_at="2018-08-01", revision="RFC 5246"),
    rfc("RFC-TLS-BITEMP", "rfc-history", "RFC", "RFC 5246", "2018-09-01", known_at="2018-08-12", revision="RFC 8446"),
    *(
        rfc("RFC-NEGATIVE", "rfc", "RFC", f"RFC {n}", at, refused=SUCCESSOR_UNKNOWN)
        for n in (1849, 5143, 5414)
        for at in ("2010-06-01", "2022-01-01")
    ),
    *(pep("PEP-NOSUCC", f"PEP {n}", "2026-01-01", refused=SUCCESSOR_UNKNOWN) for n in SUPERSEDED_WITHOUT_EDGE),
    pep("PEP-REJECTED", "PEP 382", "2026-01-01", refused=DOES_NOT_APPLY),
    pep("PEP-REJECTED", "PEP 601", "2026-01-01", refused=DOES_NOT_APPLY),
    eol("EOL-CENTOS8", "2020-11-15", revision="centos 8", valid_to="2029-05-31"),
    eol("EOL-CENTOS8", "2020-12-10", refused=DOES_NOT_APPLY),
    ad("AD-RUDDER", *HEEL_REST, "2021-06-01", revision="AD 2017-14-13"),
    ad("AD-RUDDER", *HEEL_REST, "2022-05-20", refused=SUCCESSOR_UNKNOWN),
    ad("AD-OVERLAP", *CRACKS, "2024-01-01", rivals=("AD 2010-09-11", "AD 2022-06-14")),
]
ELSEWHERE = {"QA-NFD"}  # about searching texts, not about a register: no register could answer it


def test_every_question_has_its_cases(scenarios: Mapping[str, Mapping[str, Any]]) -> None:
    assert {case.scenario for case in CASES} | ELSEWHERE == set(scenarios)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.scenario}-{case.scope.procedure}-{case.at}")
def test_a_question_comes_out_as_translated(case: Case, mapped: Mapped) -> None:
    register = mapped(case.register)
    request = wb.Request(case.scope, at=case.at, known_at=case.known_at)
    decision = register.resolve(request, READER)
    if case.revision is not None:
        assert (decision.status, decision.revision_id) == ("RESOLVED", case.revision)
    elif case.rivals:
        assert (decision.status, decision.rivals) == ("UNRESOLVED_AUTHORITY", case.rivals)
        assert decision.owner
    else:
        reason = register.explain(request, READER, reader=wb.OPERATOR).reason
        assert (decision.status, reason) == case.refused
    if case.valid_to is not None:
        assert register.settings.valid.read(decision.valid_to) == register.settings.valid.read(case.valid_to)


def test_the_law_lines_hold_the_values_that_they_state(
    scenarios: Mapping[str, Mapping[str, Any]], real_data: Any
) -> None:
    """The revision that was resolved is the one whose text states the expected value."""
    stated = [case for case in CASES if case.register == "li-law-articles" and case.revision]
    assert len(stated) == 5
    for case in stated:
        assert case.revision is not None
        version, article = case.revision.split("#")
        with duckdb.connect() as connection:
            (text,) = connection.execute(
                "SELECT text FROM read_parquet(?) WHERE first_revision_id = ? AND article = ? AND occurrence = 1",
                [str(real_data / "li_law" / "articles.parquet"), version, article.removesuffix(" (1)")],
            ).fetchone() or ("",)
        value = scenarios[case.scenario]["expected"]["value"].replace("/kWh", "")
        assert re.sub(r"\s+", " ", value) in re.sub(r"\s+", " ", text)
