"""Coverage counts what the resolver answers, cell by cell, and betrays nothing more."""

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.show import seals
from tests.validity import worlds
from workbench.contract import OPERATOR, Actor, Request, Scope, Status
from workbench.errors import RequestError
from workbench.intervals import UNBOUNDED, Interval
from workbench.show import tables
from workbench.show.tables_coverage import KINDS, binned_cells
from workbench.validity.applicable import choices
from workbench.validity.register import Register

STEWARDS_ALONE = {"unknown", "gap", "elsewhere"}


def moment(register: Register, step: int) -> object:
    return step if register.settings.valid.kind == "logical" else worlds.EPOCH + step * timedelta(hours=1)


def handbooks() -> Register:
    return Register.read("data/handbooks-register")


@pytest.mark.parametrize("seed", range(40))
def test_a_reader_s_cells_count_what_the_resolver_answers_of_what_its_drop_downs_offer(seed: int) -> None:
    register = worlds.register(worlds.world(seed))
    actor = Actor("T", random.Random(seed).choice([{"a"}, {"a", "b"}, {"b"}]))
    at = moment(register, random.Random(seed).choice(worlds.STEPS))
    frame = tables.coverage(register, actor=actor, at=at)
    regions = choices(register, actor).regions
    wanted: dict[tuple[str, str], Counter[str]] = {}
    for configuration in choices(register, actor).configurations:
        pairs = {
            (family, procedure)
            for family in choices(register, actor).families
            for procedure in choices(register, actor, within=Scope(family, None, configuration, None)).procedures
        }
        for region in regions:
            for family, procedure in pairs:
                decision = register.resolve(Request(Scope(family, procedure, configuration, region), at=at), actor)
                said = {Status.RESOLVED: "revision", Status.UNRESOLVED_AUTHORITY: "conflict"}
                kind = said.get(decision.status, "unavailable")
                wanted.setdefault((configuration, region), Counter())[kind] += 1
    found = {(row["configuration"], row["region"]): row for row in frame.to_dicts()}
    assert found.keys() == wanted.keys()
    for cell, counts in wanted.items():
        assert {kind: found[cell][kind] for kind in KINDS if found[cell][kind]} == dict(counts)
    assert not any(frame[kind].sum() for kind in STEWARDS_ALONE)


@pytest.mark.parametrize("seed", range(40))
def test_the_operator_s_cells_are_those_of_the_projection(seed: int) -> None:
    register = worlds.register(worlds.world(seed))
    at = moment(register, random.Random(seed).choice(worlds.STEPS))
    frame = tables.coverage(register, actor=OPERATOR, at=at, tenant="T")
    holds = (pl.col("valid_from") <= at) & (pl.col("valid_to").is_null() | (pl.col("valid_to") > at))
    projected = register.project().filter(holds, tenant="T").rename({"asset_configuration": "configuration"})
    for kind in ("revision", "conflict", "unknown"):
        counted = projected.filter(outcome=kind).group_by("configuration", "region").len()
        wanted = {(configuration, region): count for configuration, region, count in counted.rows()}
        got = {(r["configuration"], r["region"]): r[kind] for r in frame.to_dicts() if r[kind]}
        assert got == wanted
    assert (frame["scopes"] == frame.select(pl.sum_horizontal(*KINDS)).to_series()).all()
    assert frame["share"].to_list() == [row["revision"] / row["scopes"] for row in frame.to_dicts()]
    assert frame["unavailable"].sum() == 0


def test_the_shipped_handbooks() -> None:
    frame = tables.coverage(handbooks(), actor=OPERATOR, at="2025-12-01", tenant="grauwede")
    assert frame.height == 16
    cells = {(row["configuration"], row["region"]): row for row in frame.to_dicts()}
    assert {kind: cells["KR-80", "NA"][kind] for kind in ("scopes", "revision", "gap", "elsewhere")} == {
        "scopes": 14,
        "revision": 10,
        "gap": 1,
        "elsewhere": 3,
    }
    assert (cells["KR-200-H", "EU"]["revision"], cells["KR-200-H", "EU"]["conflict"]) == (12, 1)
    mechanic = tables.coverage(handbooks(), actor=Actor("grauwede", {"wartung"}), at="2025-12-01")
    assert mechanic.filter(configuration="KR-80", region="NA")["unavailable"].to_list() == [4]


def test_a_hidden_rival_is_told_as_a_gap_is() -> None:
    gap = replace(seals.shipped().applicability[-1], valid=Interval(10, 13))
    ended = replace(seals.shipped(), applicability=(*seals.shipped().applicability[:-1], gap))
    rival = seals.hidden(seals.with_rival(), "manual-D")
    one, other = (tables.coverage(register, actor=seals.MECHANIC, at=14) for register in (ended, rival))
    assert_frame_equal(one, other)
    assert one["unavailable"].to_list() == [1]


def test_who_may_read_nothing_is_told_of_nothing() -> None:
    hidden = seals.hidden(seals.shipped(), "manual-A", "bulletin-B", "manual-C")
    for register, actor in ((hidden, seals.MECHANIC), (seals.shipped(), seals.STRANGER)):
        assert tables.coverage(register, actor=actor, at=6).is_empty()
    inactive = replace(seals.MECHANIC, active=False)
    assert tables.coverage(seals.shipped(), actor=inactive, at=6).is_empty()


def test_a_steward_sees_the_own_tenant_as_the_operator_does() -> None:
    for at in (-1, 6, 14):
        assert_frame_equal(
            tables.coverage(seals.with_rival(), actor=seals.STEWARD, at=at),
            tables.coverage(seals.with_rival(), actor=OPERATOR, at=at, tenant="werk-nord"),
        )


def test_as_known_then() -> None:
    corrected = Register.read("data/pump-seal-corrected")
    then = tables.coverage(corrected, actor=OPERATOR, at=11, known_at=10)
    today = tables.coverage(corrected, actor=OPERATOR, at=11)
    assert (then["gap"].to_list(), today["revision"].to_list()) == ([1], [1])
    with pytest.raises(RequestError, match="known_at"):
        tables.coverage(corrected, actor=OPERATOR, at=11, known_at=-5)


def test_what_cannot_be_asked_is_refused_by_name() -> None:
    with pytest.raises(RequestError, match="at:"):
        tables.coverage(seals.shipped(), actor=OPERATOR, at="tomorrow")
    with pytest.raises(RequestError, match="brennholm, grauwede"):
        tables.coverage(handbooks(), actor=OPERATOR, at="2025-12-01")
    with pytest.raises(RequestError, match="only the operator"):
        tables.coverage(seals.shipped(), actor=seals.MECHANIC, at=6, tenant="werk-sued")


def many(configurations: int, regions: int = 3) -> pl.DataFrame:
    """A frame of very many cells; invented."""
    draw, rows = random.Random(0), []
    for configuration in range(configurations):
        for region in range(regions):
            counts = [draw.randint(1, 9), *(draw.choice([0, 0, 1]) for _ in KINDS[1:])]
            cell = {"configuration": f"K-{configuration:04}", "region": f"R{region:02}", "scopes": sum(counts)}
            rows.append({**cell, **dict(zip(KINDS, counts, strict=True)), "share": counts[0] / sum(counts)})
    return pl.DataFrame(rows)


@pytest.mark.parametrize(("configurations", "regions"), [(1000, 3), (41, 41), (1, 100)])
def test_of_many_cells_neighbours_are_added_up_and_none_is_dropped(configurations: int, regions: int) -> None:
    frame = many(configurations, regions)
    few = binned_cells(frame)
    assert few["rows"].sum() == frame.height
    assert few.select("scopes", *KINDS).sum().row(0) == frame.select("scopes", *KINDS).sum().row(0)
    assert max(few["configuration"].n_unique(), few["region"].n_unique()) <= 40
    assert few["configuration"].unique(maintain_order=True).to_list() == sorted(few["configuration"].unique())


def test_few_cells_stay_as_they_are() -> None:
    assert_frame_equal(binned_cells(many(40)), many(40))


def test_valid_to_unbounded_is_covered_for_ever() -> None:
    frame = tables.coverage(seals.shipped(), actor=OPERATOR, at=10**17)
    assert frame["revision"].to_list() == [1]
    assert seals.shipped().applicability[-1].valid.end == UNBOUNDED
