"""The conflict map's frame is what the projection leaves open, with its owner; for readers, what they are answered."""

from dataclasses import replace
from datetime import timedelta

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.show import seals
from tests.validity import worlds
from workbench.contract import OPERATOR, Actor, Request, Scope, Status
from workbench.errors import RequestError
from workbench.intervals import Interval
from workbench.show import tables
from workbench.validity.applicable import scopes_for
from workbench.validity.register import Register

SCOPE = ["document_family", "procedure_id", "asset_configuration", "region"]
PARTS = ["family", "procedure", "configuration", "region"]


def handbooks() -> Register:
    return Register.read("data/handbooks-register")


@pytest.mark.parametrize("seed", range(60))
def test_the_operator_sees_what_the_projection_leaves_open(seed: int) -> None:
    register = worlds.register(worlds.world(seed))
    frame = tables.conflicts(register, actor=OPERATOR, tenant="T")
    begun = (pl.col("outcome") != "gap").cum_max().over(SCOPE)
    wanted = register.project().filter(tenant="T").filter(begun).filter(pl.col("outcome") != "revision")
    found = frame.sort(*PARTS, "start")
    assert (
        found.select(*PARTS, "kind", "start", "end").rows()
        == wanted.select(*SCOPE, "outcome", "valid_from", "valid_to").rows()
    )
    assert found["rivals"].to_list() == [list(rivals or []) for rivals in wanted["rivals"].to_list()]


@pytest.mark.parametrize("seed", range(40))
def test_a_reader_sees_what_it_is_answered_at_every_instant(seed: int) -> None:
    register = worlds.register(worlds.world(seed))
    actor = Actor("T", {"a"})
    frame = tables.conflicts(register, actor=actor)
    said = {Status.RESOLVED: None, Status.UNRESOLVED_AUTHORITY: "conflict", Status.UNAVAILABLE: "unavailable"}
    logical = register.settings.valid.kind == "logical"
    for scope in scopes_for(register, actor):
        mine = frame.filter(lane=" / ".join(part or "?" for part in scope.parts()))
        first = True
        for step in worlds.STEPS:
            at = step if logical else worlds.EPOCH + step * timedelta(hours=1)
            decision = register.resolve(Request(scope, at=at), actor)
            inside = (pl.col("start").is_null() | (pl.col("start") <= at)) & (
                pl.col("end").is_null() | (pl.col("end") > at)
            )
            held = mine.filter(inside).to_dicts()
            first = first and decision.status is Status.UNAVAILABLE
            kind = said[decision.status]
            assert [row["kind"] for row in held] == ([kind] if kind and not (first and not held) else [])
            for row in held:
                assert row["rivals"] == list(decision.rivals)
                assert row["owner"] == (decision.owner if decision.rivals else None)


def test_the_shipped_handbooks_have_one_conflict_and_two_gaps_with_their_owners() -> None:
    frame = tables.conflicts(handbooks(), actor=OPERATOR, tenant="grauwede")
    assert frame.select("kind", "configuration", "owner").rows() == [
        ("conflict", "KR-200-H", "Fachstelle Dichtungstechnik"),
        ("gap", "KR-80", "Kundendienst Kreiselpumpen"),
        ("gap", "TM-65", "Elektrowerkstatt"),
    ]
    owners = {(f.code, f.owner) for f in handbooks().check()}
    assert {("HIERARCHY_CONFLICT", frame["owner"][0]), *(("GAP", owner) for owner in frame["owner"][1:])} <= owners
    reader = tables.conflicts(handbooks(), actor=Actor("grauwede", {"wartung"}))
    assert reader.select("kind", "owner").rows() == [
        ("conflict", "Fachstelle Dichtungstechnik"),
        ("unavailable", None),
        ("unavailable", None),
    ]


def test_a_hidden_rival_is_told_as_a_gap_is() -> None:
    gap = replace(seals.shipped().applicability[-1], valid=Interval(10, 13))
    ended = replace(seals.shipped(), applicability=(*seals.shipped().applicability[:-1], gap))
    rival = seals.hidden(seals.with_rival(), "manual-D")
    one, other = (tables.conflicts(register, actor=seals.MECHANIC) for register in (ended, rival))
    assert_frame_equal(one, other)
    assert one.select("kind", "start", "end", "owner").rows() == [("unavailable", 13, None, None)]
    assert "manual-D" not in str(other.to_dicts())
    assert tables.conflicts(rival, actor=seals.STEWARD)["rivals"].to_list() == [["manual-C", "manual-D"]]


def test_nothing_is_listed_before_the_first_answer_nor_for_strangers() -> None:
    assert tables.conflicts(seals.shipped(), actor=OPERATOR).is_empty()
    assert tables.conflicts(seals.with_rival(), actor=seals.STRANGER).is_empty()


def test_a_conflict_comes_before_a_gap() -> None:
    register = seals.written([("A", "0", "5"), ("B", "7", "9")])
    first = register.applicability[0]
    scope = first.scope._replace(region="ZZ")
    both = [replace(row, scope=scope, valid=Interval(0, 9), row=row.row + 9) for row in register.applicability]
    frame = tables.conflicts(replace(register, applicability=(*register.applicability, *both)), actor=OPERATOR)
    assert frame.select("region", "kind", "start", "end").rows() == [
        ("ZZ", "conflict", 0, 9),
        ("ZZ", "gap", 9, None),
        ("EU", "gap", 5, 7),
        ("EU", "gap", 9, None),
    ]


def test_as_known_then_and_who_may_ask() -> None:
    corrected = Register.read("data/pump-seal-corrected")
    assert tables.conflicts(corrected, actor=OPERATOR, known_at=10).select("kind", "start", "end").rows() == [
        ("gap", 10, 12)
    ]
    with pytest.raises(RequestError, match="known_at"):
        tables.conflicts(corrected, actor=OPERATOR, known_at=-5)
    with pytest.raises(RequestError, match="brennholm, grauwede"):
        tables.conflicts(handbooks(), actor=OPERATOR)
    assert Scope(*tables.conflicts(corrected, actor=OPERATOR, known_at=10).select(PARTS).row(0)) == seals.SEAL
