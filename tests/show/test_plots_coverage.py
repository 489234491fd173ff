"""The coverage picture shows its frame: each cell's parts are as wide as their share, and its words say how many."""

import pytest
from polars.testing import assert_frame_equal

from tests.show import seals
from tests.show.test_tables_coverage import many
from workbench.contract import OPERATOR, Actor
from workbench.show import plots, tables
from workbench.show.plots_coverage import draw_coverage, shade
from workbench.show.plots_grammar import PATTERNS, RED, Picture, contrast, ink_on
from workbench.show.tables_bars import BarKind
from workbench.show.tables_coverage import KINDS, binned_cells
from workbench.validity.register import Register

MECHANIC = Actor("grauwede", {"wartung"})


def handbooks(actor: object = OPERATOR) -> Picture:
    tenant = "grauwede" if actor is OPERATOR else None
    register = Register.read("data/handbooks-register")
    return plots.coverage(register, actor=actor, at="2025-12-01", tenant=tenant, note="invented register")


@pytest.mark.parametrize("actor", [OPERATOR, MECHANIC], ids=repr)
def test_the_picture_shows_its_frame(actor: object) -> None:
    tenant = "grauwede" if actor is OPERATOR else None
    frame = tables.coverage(Register.read("data/handbooks-register"), actor=actor, at="2025-12-01", tenant=tenant)
    drawn = plots.read_back(handbooks(actor))
    assert_frame_equal(drawn.select("configuration", "region"), frame.select("configuration", "region"))
    for cell, row in zip(drawn.to_dicts(), frame.to_dicts(), strict=True):
        assert cell["words"].startswith(f"{row['revision']} of {row['scopes']}")
        for kind in KINDS:
            assert cell[kind] == pytest.approx(row[kind] / row["scopes"], abs=1e-5)
            assert kind == "revision" or (f"{row[kind]} {kind}" in cell["words"]) == bool(row[kind])


def test_of_many_cells_the_picture_shows_the_binned_frame_and_says_so() -> None:
    frame = many(1000)
    figure = draw_coverage(frame, said="6", note="invented")
    few, drawn = binned_cells(frame), plots.read_back(figure)
    assert_frame_equal(drawn.select("configuration", "region"), few.select("configuration", "region"))
    assert drawn["revision"].to_list() == pytest.approx(few["share"].to_list(), abs=1e-5)
    assert "binned: 3,000 cells are added up to 120" in repr(figure)
    assert any("binned: 3,000 cells" in text.get_text() for text in figure.axes[0].texts)
    assert figure.get_figheight() < 16


def test_a_part_made_wider_is_read_back_wider_and_another_pattern_is_a_contradiction() -> None:
    figure = handbooks()
    before = plots.read_back(figure)
    [conflict] = [c for c in figure.axes[0].collections if c.get_gid() == "conflict"]
    places = [path.vertices[:4].copy() for path in conflict.get_paths()]
    places[0][2:, 0] += 0.01
    conflict.set_verts(places)
    assert plots.read_back(figure)["conflict"].sum() > before["conflict"].sum()
    conflict.set_hatch(PATTERNS[BarKind.GAP].hatch)
    with pytest.raises(ValueError, match="is conflict and has the pattern of gap"):
        plots.read_back(figure)


def test_it_is_read_without_colour() -> None:
    figure = handbooks()
    hatches = {str(c.get_gid()): c.get_hatch() for c in figure.axes[0].collections}
    assert hatches == {kind: PATTERNS[BarKind(kind)].hatch for kind in ("revision", "conflict", "gap", "elsewhere")}
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert said[1:] == ["conflict", "nothing applies", "approved for other regions only"]
    assert all(len(c.get_facecolor()) for c in figure.axes[0].collections)


def test_the_more_is_resolved_the_darker_and_readable_at_every_step() -> None:
    shares = [0.0, 0.5, 0.75, 0.9, 0.99, 1.0]
    inks = [contrast(shade(share), "#FFFFFF") for share in shares]
    assert inks == sorted(inks)
    assert shade(0.99) != shade(1.0)
    assert all(contrast(ink_on(shade(share)), shade(share)) >= 4.5 for share in shares)
    assert PATTERNS[BarKind.CONFLICT].ink == RED


def test_the_title_names_the_instant_and_its_zone() -> None:
    title = [text.get_text() for text in handbooks().texts]
    assert "procedures with exactly one revision · 2025-12-01 06:00+01:00 (Europe/Berlin)" in title
    steps = plots.coverage(seals.shipped(), actor=OPERATOR, at=6, known_at=3)
    assert steps.texts[-1].get_text() == "procedures with exactly one revision · 6, as known at 3"


def test_who_may_read_nothing_gets_a_picture_of_nothing() -> None:
    figure = plots.coverage(seals.shipped(), actor=seals.STRANGER, at=6)
    assert plots.read_back(figure).is_empty()
    assert repr(figure) == "Picture(coverage at 6: 0 of 0 procedures in 0 cells)"
