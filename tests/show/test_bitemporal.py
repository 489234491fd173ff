"""Valid × recorded time: the frame covers both axes and says what the resolver says; the picture shows the frame."""

import random
from dataclasses import replace
from datetime import timedelta

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.show import seals
from tests.validity import worlds
from workbench.contract import OPERATOR, Actor, Request, Scope, Status
from workbench.intervals import UNBOUNDED, Interval
from workbench.show import plots, tables
from workbench.validity.register import Register

ASKED = Scope("f", "p", "C1", "DE")
SHOWN = [
    "kind",
    *(f"{axis}_{bound}{kind}" for axis in ("valid", "recorded") for bound in ("from", "to") for kind in ("", "_kind")),
]
SAID = {
    Status.RESOLVED: "revision",
    Status.UNRESOLVED_AUTHORITY: "conflict",
    Status.UNAVAILABLE: "unavailable",
    Status.HISTORY_UNAVAILABLE: "refused",
    Status.MISSING_SCOPE: "refused",
}


def corrected() -> Register:
    return Register.read("data/pump-seal-corrected")


def at(frame: pl.DataFrame, valid: object, recorded: object) -> dict:
    """The one rectangle that holds at both times."""
    inside = pl.lit(True)
    for axis, t in (("valid", valid), ("recorded", recorded)):
        start, end = pl.col(f"{axis}_from"), pl.col(f"{axis}_to")
        inside &= (start.is_null() | (start <= t)) & (end.is_null() | (end > t))
    found = frame.filter(inside)
    assert len(found) == 1
    return found.row(0, named=True)


def moment(kind: object, step: int) -> object:
    return step if kind == "logical" else worlds.EPOCH + step * timedelta(hours=1)


@pytest.mark.parametrize("seed", range(60))
def test_every_point_says_what_this_actor_is_told(seed: int):
    made = worlds.world(seed)
    register = worlds.register(made)
    actor = Actor("T", random.Random(seed).choice([{"a"}, {"a", "b"}, {"a", "b", "c"}, {"b"}]))
    frame = tables.bitemporal(register, ASKED, actor=actor)
    settings = made.settings
    for step in worlds.STEPS:
        for known in worlds.STEPS[::2]:
            valid, recorded = moment(settings["time"], step), moment(settings["recorded_time"], known)
            decision = register.resolve(Request(ASKED, at=valid, known_at=recorded), actor)
            found = at(frame, valid, recorded)
            assert found["kind"] == SAID[decision.status]
            assert found["revision_id"] == decision.revision_id
            assert tuple(found["rivals"]) == decision.rivals


@pytest.mark.parametrize("seed", range(40))
def test_the_uppermost_rectangles_are_the_register_as_corrected_today(seed: int):
    made = worlds.world(seed)
    register = worlds.register(made)
    if register.settings.history_from is None:
        return
    top = tables.bitemporal(register, ASKED, actor=OPERATOR, tenant="T").filter(recorded_to_kind="unbounded")
    today = tables.timeline(register, ASKED, actor=OPERATOR, tenant="T").filter(lane="decides")
    columns = ["kind", "revision_id", "label", "rivals"]
    assert_frame_equal(
        top.sort("valid_from", nulls_last=False).select(*columns, start="valid_from", end="valid_to"),
        today.select(*columns, "start", "end"),
    )


def test_the_two_questions_have_two_answers():
    frame = tables.bitemporal(corrected(), seals.SEAL, actor=OPERATOR)
    assert at(frame, 6, 6)["label"] == "manual-A"
    assert at(frame, 6, 99)["label"] == "bulletin-B"
    assert at(frame, 11, 10)["kind"] == "gap"
    assert at(frame, 11, 11)["label"] == "manual-C"
    assert at(frame, 11, -1)["label"] == "Decision(HISTORY_UNAVAILABLE)"


def test_without_a_history_nothing_is_said_of_the_past():
    register = seals.written([("A", "0", "unbounded")])
    for actor in (OPERATOR, seals.MECHANIC):
        assert tables.bitemporal(register, seals.SEAL, actor=actor)["kind"].to_list() == ["refused"]


def test_a_hidden_correction_leaves_no_border():
    """A correction of what the actor may not read is told nowhere: neither when, nor that there was one."""
    register = seals.hidden(corrected(), "bulletin-B", "manual-C")
    frame = tables.bitemporal(register, seals.SEAL, actor=seals.MECHANIC)
    assert 11 not in frame["recorded_from"].to_list()
    assert 12 not in frame["valid_from"].to_list() + frame["valid_to"].to_list()
    assert set(frame["revision_id"]) == {None, "manual-A"}
    first = corrected().applicability[0]
    then, later = (
        replace(first, recorded=Interval(0, 8)),
        replace(first, valid=Interval(0, 5), recorded=Interval(8, UNBOUNDED)),
    )
    alone = replace(corrected(), applicability=(then, later), supersessions=())
    assert_frame_equal(frame, tables.bitemporal(alone, seals.SEAL, actor=seals.MECHANIC))


def test_a_stranger_sees_one_stretch_and_where_history_begins():
    frame = tables.bitemporal(corrected(), seals.SEAL, actor=seals.STRANGER)
    assert frame["kind"].to_list() == ["refused", "unavailable"]


# --- the picture --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", [OPERATOR, seals.MECHANIC, seals.STRANGER], ids=repr)
def test_the_picture_shows_its_frame(actor):
    frame = tables.bitemporal(corrected(), seals.SEAL, actor=actor)
    figure = plots.bitemporal(corrected(), seals.SEAL, actor=actor)
    assert_frame_equal(plots.read_back(figure).select(SHOWN), frame.select(SHOWN))


@pytest.mark.parametrize("seed", range(12))
def test_any_register_is_drawn_as_its_frame_says(seed: int):
    register = worlds.register(worlds.world(seed))
    frame = tables.bitemporal(register, ASKED, actor=OPERATOR, tenant="T")
    figure = plots.bitemporal(register, ASKED, actor=OPERATOR, tenant="T")
    assert_frame_equal(plots.read_back(figure).select(SHOWN), frame.select(SHOWN))


def test_a_rectangle_made_higher_is_read_back_higher():
    figure = plots.bitemporal(corrected(), seals.SEAL, actor=OPERATOR)
    before = plots.read_back(figure)["recorded_to"].to_list()
    [drawn] = [c for c in figure.axes[0].collections if c.get_gid() == "rectangle" and c.get_hatch() is None]
    places = [path.vertices[:4].copy() for path in drawn.get_paths()]
    places[0][places[0][:, 1] == places[0][:, 1].max(), 1] += 2
    drawn.set_verts(places)
    assert plots.read_back(figure)["recorded_to"].to_list() != before


def test_both_answers_are_drawn_and_said():
    figure = plots.bitemporal(corrected(), seals.SEAL, actor=seals.MECHANIC, at=6, known_at=6)
    then, today = plots.read_back(figure).tail(2).iter_rows(named=True)
    assert (then["kind"], then["valid_from"], then["recorded_from"]) == ("as known then", 6, 6)
    assert (today["kind"], today["valid_from"], today["recorded_from"]) == ("as corrected today", 6, None)
    for row, known in ((then, 6), (today, None)):
        decision = corrected().resolve(Request(seals.SEAL, at=6, known_at=known), seals.MECHANIC)
        assert row["label"] == repr(decision)
        assert repr(decision) in repr(figure)
    assert then["label"] != today["label"]
    [point] = [line for line in figure.axes[0].lines if line.get_gid() == "point-as corrected today"]
    assert point.get_ydata()[0] == figure.axes[0].get_ylim()[1]


def test_a_revision_has_the_colour_that_it_has_in_its_timeline():
    one = plots.read_back(plots.timeline(corrected(), seals.SEAL, actor=OPERATOR))
    other = plots.read_back(plots.bitemporal(corrected(), seals.SEAL, actor=OPERATOR))
    for name in ("manual-A", "bulletin-B", "manual-C"):
        fill = set(one.filter(kind="revision", lane=name)["fill"])
        assert set(other.filter(label=name)["fill"]) == fill
