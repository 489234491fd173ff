"""The conflict map shows its frame, with rivals and owners, and nothing that an actor may not read."""

import pytest
from polars.testing import assert_frame_equal

from tests.show import seals
from tests.validity import worlds
from workbench.contract import OPERATOR, Actor
from workbench.show import plots, tables
from workbench.show.plots_conflicts import draw_conflicts
from workbench.validity.register import Register

SEEN = ["lane", "kind", "start", "start_kind", "end", "end_kind"]


@pytest.mark.parametrize("seed", range(25))
def test_any_register_is_drawn_as_its_frame_says(seed: int) -> None:
    register = worlds.register(worlds.world(seed))
    for actor, tenant in ((OPERATOR, "T"), (Actor("T", {"a"}), None)):
        frame = tables.conflicts(register, actor=actor, tenant=tenant)
        drawn = plots.read_back(plots.conflicts(register, actor=actor, tenant=tenant))
        assert_frame_equal(drawn.select(SEEN), frame.select(SEEN))


def test_rivals_and_owners_are_written() -> None:
    figure = plots.conflicts(Register.read("data/handbooks-register"), actor=OPERATOR, tenant="grauwede")
    assert plots.read_back(figure).select("kind", "label", "owner").rows() == [
        ("conflict", "conflict kr-bwh-r2, kr-sb-23", "Fachstelle Dichtungstechnik"),
        ("gap", None, "Kundendienst Kreiselpumpen"),
        ("gap", None, "Elektrowerkstatt"),
    ]
    assert figure.axes[0].get_xlabel().startswith("date and time in Europe/Berlin")
    assert "2025-11-15\n06:00+01:00" in [label.get_text() for label in figure.axes[0].get_xticklabels()]


def test_a_reader_is_shown_no_owner_of_what_is_unavailable() -> None:
    register = seals.hidden(seals.with_rival(), "manual-D")
    figure = plots.conflicts(register, actor=seals.MECHANIC)
    assert plots.read_back(figure).select("kind", "owner").rows() == [("unavailable", None)]
    said = " ".join(text.get_text() for text in (*figure.axes[0].texts, *figure.texts))
    assert "manual-D" not in said + repr(figure)
    steward = plots.conflicts(register, actor=seals.STEWARD)
    assert plots.read_back(steward)["label"].to_list() == ["conflict manual-C, manual-D"]


def test_a_register_without_open_questions_says_so() -> None:
    figure = plots.conflicts(seals.shipped(), actor=OPERATOR)
    assert plots.read_back(figure).is_empty()
    assert "no conflict and no gap" in [text.get_text() for text in figure.axes[0].texts]


def test_of_many_scopes_neighbours_are_merged_and_counted() -> None:
    register = Register.read("data/li-law-articles")
    frame = tables.conflicts(register, actor=OPERATOR)
    lanes = [frame.with_columns(lane=frame["lane"] + f" {n:02}") for n in range(60)]
    whole = lanes[0].vstack(lanes[1])
    for more in lanes[2:]:
        whole = whole.vstack(more)
    figure = draw_conflicts(whole, title="invented", zone="Europe/Vaduz")
    drawn = plots.read_back(figure)
    assert_frame_equal(drawn.select(SEEN), tables.binned(whole).select(SEEN))
    assert drawn["lane"].n_unique() <= 25
    counts = [int(lane.rpartition(", ")[2].removesuffix(" rows)")) for lane in drawn["lane"].unique()]
    assert sum(counts) == whole.height
    assert "binned: 1,200 rows of 840 lanes" in figure.axes[0].get_xlabel()
    assert set(drawn["owner"]) == {"unstated", "several"} or set(drawn["owner"]) <= {"several", "unstated"}


def test_lanes_and_owners_are_plain_text() -> None:
    name = "$x^2$ \x1b[31m\u202e"
    figure = plots.conflicts(seals.written([(name, "0", "5"), ("B", "3", "5")]), actor=OPERATOR)
    texts = (*figure.axes[0].texts, *figure.texts, *figure.axes[0].get_yticklabels())
    assert not any(text.get_parse_math() for text in texts)
    assert not any("\x1b" in text.get_text() or "\u202e" in text.get_text() for text in texts)
