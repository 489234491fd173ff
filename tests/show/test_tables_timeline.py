"""The timeline's frame says what the resolver says, at every boundary and between, and betrays nothing more."""

import random
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
from workbench.validity.precedence import Kind, outcome_at
from workbench.validity.register import Register
from workbench.validity.rows import ScopeKey

SEEDS = range(150)
ASKED = Scope("f", "p", "C1", "DE")


def lane(frame: pl.DataFrame, name: str = "decides") -> list[tuple]:
    return frame.filter(lane=name).select("kind", "start", "end", "end_kind").rows()


def holding(frame: pl.DataFrame, at: object) -> dict:
    """The one bar of the lane `decides` that holds at an instant."""
    top = frame.filter(
        (pl.col("lane") == "decides")
        & (pl.col("start").is_null() | (pl.col("start") <= at))
        & (pl.col("end").is_null() | (pl.col("end") > at))
    )
    assert len(top) == 1
    return top.row(0, named=True)


def test_the_seeds_register_is_drawn_whole_for_the_operator():
    frame = tables.timeline(seals.with_rival(), seals.SEAL, actor=OPERATOR)
    assert lane(frame) == [
        ("gap", None, 0, "instant"),
        ("revision", 0, 5, "instant"),
        ("revision", 5, 10, "instant"),
        ("revision", 10, 13, "instant"),
        ("conflict", 13, None, "unbounded"),
    ]
    assert lane(frame, "manual-A") == [("revision", 0, 5, "instant"), ("superseded", 5, 10, "instant")]
    assert lane(frame, "bulletin-B") == [("revision", 5, 10, "instant")]
    assert lane(frame, "manual-C") == [("revision", 10, None, "unbounded")]
    assert lane(frame, "manual-D") == [("revision", 13, None, "unbounded")]
    assert frame["lane"].unique(maintain_order=True).to_list() == [
        *("decides", "manual-A", "bulletin-B", "manual-C", "manual-D")
    ]
    assert frame.filter(kind="conflict")["rivals"].to_list() == [["manual-C", "manual-D"]]
    assert frame.filter(kind="superseded")["superseded_by"].to_list() == ["bulletin-B"]
    assert frame.filter(lane="manual-A")["row"].to_list() == [2, 2]
    assert_frame_equal(frame, tables.timeline(seals.with_rival(), seals.SEAL, actor=seals.STEWARD))


def test_every_time_is_typed():
    assert tables.timeline(seals.shipped(), seals.SEAL, actor=OPERATOR).schema["start"] == pl.Int64
    dated = seals.written([("A", "2024-01-01T00:00:00Z", "unbounded")], time="utc")
    assert tables.timeline(dated, seals.SEAL, actor=OPERATOR).schema["end"] == pl.Datetime("us", "UTC")


# --- the lane `decides` and the resolver --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_top_lane_equals_the_outcome_everywhere(seed: int):
    made = worlds.world(seed)
    register = worlds.register(made)
    known_at = known(made, register, seed)
    frame = tables.timeline(register, ASKED, actor=OPERATOR, known_at=known_at, tenant="T")
    if (frame["kind"] == "refused").any():
        assert register.resolve(Request(ASKED, at=moment(made, 0), known_at=known_at), ALL).status in REFUSED
        return
    recorded = None if known_at is None else register.settings.recorded.read(known_at)
    rows = register.scope_rows(ScopeKey("T", *ASKED.parts()), recorded)
    for step in worlds.STEPS:
        bar = holding(frame, moment(made, step))
        outcome = outcome_at(rows, register.settings.valid.read(moment(made, step)), transitive=transitive(register))
        assert bar["kind"] == outcome.kind.value
        named = [bar["revision_id"]] if outcome.kind is Kind.REVISION else bar["rivals"]
        assert named == list(outcome.revisions)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_frame_of_any_other_actor_is_what_the_resolver_tells_it(seed: int):
    """Made again from public answers alone, asked one by one, the frame is the same to the last cell."""
    made = worlds.world(seed)
    register = worlds.register(made)
    actor = Actor("T", random.Random(seed).choice([{"a"}, {"b"}, {"a", "b"}, {"c"}, set()]))
    known_at = known(made, register, seed)
    frame = tables.timeline(register, ASKED, actor=actor, known_at=known_at)
    if (frame["kind"] == "refused").any():
        assert frame.filter(lane="decides").height == frame.height == 1
        return
    told = [register.resolve(Request(ASKED, at=moment(made, s), known_at=known_at), actor) for s in worlds.STEPS]
    for step, decision in zip(worlds.STEPS, told, strict=True):
        bar = holding(frame, moment(made, step))
        assert bar["kind"] == SAID[decision.status]
        assert bar["revision_id"] == decision.revision_id
        assert tuple(bar["rivals"]) == decision.rivals
    top = frame.filter(lane="decides")
    said = [(d.status, d.revision_id, d.rivals) for d in told]
    changes = [
        moment(made, s) for s, before, after in zip(worlds.STEPS[1:], said, said[1:], strict=False) if before != after
    ]
    assert top["start"].to_list() == [None, *changes]
    named = {name for d in told for name in (*d.rivals, d.revision_id) if name}
    assert set(frame["lane"]) - {"decides"} == named
    assert frame["row"].null_count() == frame["superseded_by"].null_count() == frame.height
    assert not set(frame["kind"]) & {"superseded", "gap", "unknown"}
    for name in named:
        inside = [t for t, d in zip(worlds.STEPS, told, strict=True) if name in (*d.rivals, d.revision_id)]
        assert [step for step in worlds.STEPS if covered(frame, name, moment(made, step))] == inside


def covered(frame: pl.DataFrame, name: str, at: object) -> bool:
    bars = frame.filter(lane=name)
    begun = bars["start"].is_null() | (bars["start"] <= at)
    return bool((begun & (bars["end"].is_null() | (bars["end"] > at))).any())


ALL = Actor("T", {"a", "b", "c"})
REFUSED = (Status.MISSING_SCOPE, Status.HISTORY_UNAVAILABLE)
SAID = {
    Status.RESOLVED: "revision",
    Status.UNRESOLVED_AUTHORITY: "conflict",
    Status.UNAVAILABLE: "unavailable",
}


def moment(made: worlds.World, step: int) -> object:
    return step if made.settings["time"] == "logical" else worlds.EPOCH + step * timedelta(hours=1)


def known(made: worlds.World, register: Register, seed: int) -> object:
    step = random.Random(seed).choice([None, None, 0, 2, 5, 9])
    return None if step is None else worlds.spelled(made.settings["recorded_time"], step)


def transitive(register: Register) -> bool:
    return register.settings.rules == "transitive"


# --- what it must not betray --------------------------------------------------------------------------------------


def without(register: Register, *revisions: str) -> Register:
    """The register as if these revisions had never been, with nothing where they decided."""
    rows = tuple(row for row in register.applicability if row.revision_id not in revisions)
    relations = tuple(r for r in register.supersessions if not {r.superseding, r.superseded} & set(revisions))
    kept = {name: r for name, r in register.revisions.items() if name not in revisions}
    return replace(register, revisions=kept, applicability=rows, supersessions=relations)


def cut(register: Register, revision: str, valid: Interval) -> Register:
    rows = tuple(replace(r, valid=valid) if r.revision_id == revision else r for r in register.applicability)
    return replace(register, applicability=rows)


def test_hidden_and_not_there_give_the_same_frame():
    """The hidden bulletin ends A's public interval at 5; so would an A that ended at 5 with no bulletin at all."""
    one = seals.hidden(seals.shipped(), "bulletin-B")
    other = cut(without(seals.shipped(), "bulletin-B"), "manual-A", Interval(0, 5))
    frames = [tables.timeline(register, seals.SEAL, actor=seals.MECHANIC) for register in (one, other)]
    assert_frame_equal(*frames)
    assert lane(frames[0], "manual-A") == [("revision", 0, 5, "instant")]
    assert lane(frames[0])[2] == ("unavailable", 5, 10, "instant")


def test_a_hidden_rival_and_an_end_give_the_same_frame():
    one = seals.hidden(seals.with_rival(), "manual-D")
    other = cut(seals.shipped(), "manual-C", Interval(10, 13))
    assert_frame_equal(*(tables.timeline(r, seals.SEAL, actor=seals.MECHANIC) for r in (one, other)))


def test_boundaries_between_two_hidden_things_leave_no_border():
    one = seals.hidden(seals.shipped(), "bulletin-B", "manual-C")
    frame = tables.timeline(one, seals.SEAL, actor=seals.MECHANIC)
    assert lane(frame) == [
        ("unavailable", None, 0, "instant"),
        ("revision", 0, 5, "instant"),
        ("unavailable", 5, None, "unbounded"),
    ]


def test_a_readable_revision_that_never_decides_has_no_lane():
    register = seals.hidden(seals.added(seals.shipped(), "manual-E", Interval(5, 10)), "bulletin-B")
    frame = tables.timeline(register, seals.SEAL, actor=seals.MECHANIC)
    assert "manual-E" not in frame["lane"]
    assert "manual-E" in tables.timeline(register, seals.SEAL, actor=OPERATOR)["lane"]


def test_who_may_read_nothing_sees_one_stretch():
    for actor in (seals.STRANGER, Actor("werk-nord", set()), Actor("werk-nord", {"wartung"}, active=False)):
        frame = tables.timeline(seals.shipped(), seals.SEAL, actor=actor)
        assert lane(frame) == [("unavailable", None, None, "unbounded")]
        assert frame.height == 1


def test_a_steward_of_one_tenant_is_none_in_another():
    steward = Actor("werk-sued", {"redaktion", "wartung"})
    assert tables.timeline(seals.shipped(), seals.SEAL, actor=steward).height == 1


def test_an_inactive_steward_is_none():
    assert tables.timeline(seals.shipped(), seals.SEAL, actor=replace(seals.STEWARD, active=False)).height == 1


# --- requests that are none ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", [OPERATOR, seals.MECHANIC, seals.STRANGER], ids=repr)
def test_a_refused_request_is_one_bar_with_the_decision(actor):
    frame = tables.timeline(seals.shipped(), Scope("pump-seal", "seal-torque", None, "EU"), actor=actor)
    assert frame.select("lane", "kind", "label").rows() == [
        ("decides", "refused", "Decision(MISSING_SCOPE configuration)")
    ]
    early = tables.timeline(seals.shipped(), seals.SEAL, actor=actor, known_at=-1)
    assert early["label"].to_list() == ["Decision(HISTORY_UNAVAILABLE)"]


def test_an_unknown_scope_is_a_gap_to_the_operator_and_unavailable_to_others():
    nowhere = replace(seals.SEAL, region="Mond")
    assert tables.timeline(seals.shipped(), nowhere, actor=OPERATOR)["kind"].to_list() == ["gap"]
    assert tables.timeline(seals.shipped(), nowhere, actor=seals.MECHANIC)["kind"].to_list() == ["unavailable"]


def test_actor_and_tenant_are_said_explicitly():
    register = seals.shipped()
    with pytest.raises(TypeError):
        tables.timeline(register, seals.SEAL)
    with pytest.raises(TypeError, match="Actor or OPERATOR"):
        tables.timeline(register, seals.SEAL, actor=None)
    with pytest.raises(RequestError, match="only the operator"):
        tables.timeline(register, seals.SEAL, actor=seals.MECHANIC, tenant="werk-sued")
    elsewhere = replace(register.revisions["manual-A"], id="fremd", tenant="werk-sued")
    row = replace(register.applicability[0], revision_id="fremd")
    row = replace(row, scope=row.scope._replace(tenant="werk-sued"))
    both = replace(
        register,
        revisions={**register.revisions, "fremd": elsewhere},
        applicability=(*register.applicability, row),
    )
    with pytest.raises(RequestError, match="werk-nord, werk-sued"):
        tables.timeline(both, seals.SEAL, actor=OPERATOR)
    assert "fremd" in tables.timeline(both, seals.SEAL, actor=OPERATOR, tenant="werk-sued")["lane"]
    assert "fremd" not in tables.timeline(both, seals.SEAL, actor=OPERATOR, tenant="werk-nord")["lane"]


def test_a_revision_called_decides_has_a_lane_of_its_own():
    frame = tables.timeline(seals.written([("decides", "0", "unbounded")]), seals.SEAL, actor=OPERATOR)
    assert frame["lane"].to_list() == ["decides", "decides", "decides (revision)"]


def test_an_unknown_successor_takes_everything_away():
    register = seals.shipped()
    relation = replace(register.supersessions[0], superseding="unknown", effective=Interval(7, UNBOUNDED))
    frame = tables.timeline(replace(register, supersessions=(relation,)), seals.SEAL, actor=OPERATOR)
    assert lane(frame)[-1] == ("unknown", 7, None, "unbounded")
    assert set(frame.filter(kind="superseded")["superseded_by"]) == {"unknown"}
