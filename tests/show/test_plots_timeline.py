"""The timeline's picture shows its frame, no more and no less; looked at through artists' places, never pixels."""

import random
import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import numpy as np
import pytest
from matplotlib.figure import Figure
from polars.testing import assert_frame_equal

from tests.show import seals
from tests.validity import worlds
from workbench.contract import OPERATOR, Actor, Request, Scope
from workbench.errors import RequestError
from workbench.show import plots, tables
from workbench.show.plots_boxes import read_boxes, read_marks
from workbench.show.plots_grammar import INK, OKABE_ITO, PATTERNS, contrast, ink_on, lighter
from workbench.show.plots_timeline import draw
from workbench.show.tables_bars import BarKind

SEEN = ["lane", "kind", "start", "start_kind", "end", "end_kind"]
ASKED = Scope("f", "p", "C1", "DE")
BERLIN = {
    "time": "utc",
    "zone": "Europe/Berlin",
    "day_starts": "00:00",
    "skipped_time": "later",
    "doubled_time": "earlier",
}


def drawn(register, actor=OPERATOR, **more):
    return plots.timeline(register, seals.SEAL, actor=actor, **more)


def boxes(figure):
    return read_boxes(figure.axes[0], gid="bar")


def corners(figure, kind):
    """The corners of the first bar of a kind, to be moved: what draws them, and where they are."""
    hatch = PATTERNS[kind].hatch
    [drawn] = [c for c in figure.axes[0].collections if c.get_gid() == "bar" and c.get_hatch() == hatch]
    return drawn, [path.vertices[:4].copy() for path in drawn.get_paths()]


def lines(figure, gid):
    return [line for line in figure.axes[0].lines if line.get_gid() == gid]


def texts(figure):
    return [text.get_text() for text in (*figure.axes[0].texts, *figure.texts)]


# --- the picture and its frame ------------------------------------------------------------------------------------


@pytest.mark.parametrize("actor", [OPERATOR, seals.MECHANIC, seals.STRANGER], ids=repr)
def test_the_picture_shows_its_frame(actor):
    for register in (seals.with_rival(), seals.hidden(seals.with_rival(), "bulletin-B")):
        frame = tables.timeline(register, seals.SEAL, actor=actor)
        assert_frame_equal(plots.read_back(drawn(register, actor)).select(SEEN), frame.select(SEEN))


@pytest.mark.parametrize("seed", range(30))
def test_any_register_is_drawn_as_its_frame_says(seed):
    made = worlds.world(seed)
    register = worlds.register(made)
    actor = random.Random(seed).choice([OPERATOR, Actor("T", {"a"}), Actor("T", {"a", "b", "c"})])
    tenant = "T" if actor is OPERATOR else None
    frame = tables.timeline(register, ASKED, actor=actor, tenant=tenant)
    figure = plots.timeline(register, ASKED, actor=actor, tenant=tenant)
    assert_frame_equal(plots.read_back(figure).select(SEEN), frame.select(SEEN))


def test_a_bar_made_longer_is_read_back_longer():
    figure = drawn(seals.shipped())
    collection, places = corners(figure, BarKind.SUPERSEDED)
    places[0][places[0][:, 0] == 10, 0] = 9
    collection.set_verts(places)
    [ring] = lines(figure, "before")
    ring.set_xdata([9, 10])
    assert plots.read_back(figure).filter(kind="superseded")["end"].to_list() == [9]


def test_another_pattern_is_read_back_as_another_kind():
    figure = drawn(seals.shipped())
    corners(figure, BarKind.SUPERSEDED)[0].set_hatch(PATTERNS[BarKind.CONFLICT].hatch)
    assert "conflict" in plots.read_back(figure)["kind"].to_list()


@pytest.mark.parametrize("mark", ["before", "on", "always"])
def test_a_mark_moved_away_from_its_bar_is_a_contradiction(mark):
    figure = drawn(seals.shipped())
    [line] = lines(figure, mark)
    line.set_xdata([x + 1 for x in line.get_xdata()])
    with pytest.raises(ValueError, match="do not stand at one place"):
        plots.read_back(figure)


def test_a_stroke_moved_or_missing_is_a_contradiction():
    for moved in (1, None):
        figure = drawn(seals.shipped())
        [strokes] = [c for c in figure.axes[0].collections if c.get_gid() == "from"]
        segments = strokes.get_segments()
        strokes.set_segments([np.add(segment, [moved, 0]) for segment in segments] if moved else segments[:-1])
        with pytest.raises(ValueError, match="do not stand at one place"):
            plots.read_back(figure)


def test_only_a_timeline_is_read_back():
    with pytest.raises(ValueError, match="not drawn by"):
        plots.read_back(Figure())


# --- bounds -------------------------------------------------------------------------------------------------------


def test_a_stroke_stands_where_a_bar_begins_and_a_ring_where_it_ends():
    figure = drawn(seals.shipped())
    lanes = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    rings = {(lanes[round(y)], x) for x, y in read_marks(figure.axes[0], gid="before")}
    assert rings == {("manual-A", 10), ("bulletin-B", 10)}
    strokes = {(lanes[round(y)], x) for x, y in read_marks(figure.axes[0], gid="from")}
    begun = {("decides", 0), ("decides", 5), ("decides", 10)}
    begun |= {("manual-A", 0), ("manual-A", 5), ("bulletin-B", 5), ("manual-C", 10)}
    assert strokes == begun


def test_no_bar_vanishes_because_it_has_no_end():
    figure = drawn(seals.written([("A", "0", "unbounded"), ("B", "5", "unbounded")]))
    left, right = figure.axes[0].get_xlim()
    assert len(boxes(figure)) == 5
    assert all(left <= box.left < box.right <= right for box in boxes(figure))
    heads = read_marks(figure.axes[0], gid="on")
    assert len(heads) == 3
    assert {x for x, _ in heads} == {right}


def test_a_register_of_one_row_without_end_is_still_a_picture():
    figure = drawn(seals.written([("A", "7", "unbounded")]))
    assert [box.right > box.left for box in boxes(figure)] == [True, True, True]


def test_ticks_stand_at_the_boundaries():
    axes = drawn(seals.with_rival()).axes[0]
    assert list(axes.get_xticks()) == [0, 5, 10, 13]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "5", "10", "13"]


def test_labels_that_do_not_fit_are_left_out_and_counted():
    figure = drawn(seals.written([(f"r{n}", str(n), str(n + 1)) for n in range(0, 70, 2)]))
    axes = figure.axes[0]
    shown = [label for label in axes.get_xticklabels() if label.get_text()]
    assert f"{len(shown)} of 70 boundaries are labelled" in axes.get_xlabel()
    assert "names of the top lane found no room" in axes.get_xlabel()
    assert len(boxes(figure)) == 35 + 71
    [fine] = [c for c in axes.collections if c.get_gid() is None]
    assert len(fine.get_segments()) == 70


def test_overlapping_rows_of_one_revision_do_not_cover_each_other():
    figure = drawn(seals.written([("A", "0", "10"), ("A", "5", "20")]))
    (one, other) = sorted((box for box in boxes(figure) if box.low > 0.5), key=lambda box: box.low)
    assert one.high <= other.low
    assert plots.read_back(figure).filter(lane="A").select("start", "end").rows() == [(0, 10), (5, 20)]


def test_exact_to_the_microsecond():
    start, end = "2024-03-31T00:59:59.999999Z", "2024-03-31T01:00:00Z"
    figure = drawn(seals.written([("A", start, end), ("B", "1950-01-01T00:00:00Z", start)], **BERLIN))
    bar = plots.read_back(figure).filter(lane="A").row(0, named=True)
    assert bar["start"] == datetime(2024, 3, 31, 0, 59, 59, 999999, tzinfo=UTC)
    assert bar["end"] == datetime(2024, 3, 31, 1, tzinfo=UTC)


# --- words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("actor", "asks"), [(OPERATOR, seals.MECHANIC), (seals.MECHANIC, seals.MECHANIC)], ids=repr)
@pytest.mark.parametrize("at", [-3, 4, 6, 10, 13, 99])
def test_the_cursor_carries_the_decision_in_its_own_words(actor, asks, at):
    register = seals.with_rival()
    figure = drawn(register, actor, at=at)
    last = plots.read_back(figure).row(-1, named=True)
    assert (last["lane"], last["start"]) == ("as of", at)
    assert last["label"] == repr(register.resolve(Request(seals.SEAL, at=at), asks))
    left, right = figure.axes[0].get_xlim()
    assert left < lines(figure, "cursor")[0].get_xdata()[0] < right
    assert last["label"] in repr(figure)


def test_what_an_actor_may_not_read_is_in_no_text_of_its_picture():
    figure = drawn(seals.hidden(seals.with_rival(), "bulletin-B", "manual-D"), seals.MECHANIC, at=6)
    labels = [
        label.get_text() for axis in (figure.axes[0].yaxis, figure.axes[0].xaxis) for label in axis.get_ticklabels()
    ]
    said = " ".join([*texts(figure), *labels, repr(figure)])
    assert "manual-A" in said
    assert "bulletin-B" not in said
    assert "manual-D" not in said


def test_a_conflict_names_its_rivals_and_a_gap_itself():
    named = plots.read_back(drawn(seals.with_rival())).filter(lane="decides")["label"].to_list()
    assert named == ["none", "manual-A", "bulletin-B", "manual-C", "conflict manual-C, manual-D"]


def test_a_long_name_is_shortened_to_what_tells_it_from_the_others():
    ends = [("0", "30"), ("30", "33"), ("33", "36"), ("36", "39"), ("39", "60")]
    rows = [(f"Act-2008-v{n}#Art. 13 (1)", *span) for n, span in enumerate(ends, 9)]
    read = plots.read_back(drawn(seals.written(rows)))
    said = read.filter(lane="decides")["label"].to_list()[1:6]
    assert all(label in (name, f"v{n}") for n, (label, (name, _, _)) in enumerate(zip(said, rows, strict=True), 9))
    assert said[0] == rows[0][0]
    assert "v12" in said
    assert read["lane"].to_list()[-1] == rows[4][0]


def test_a_name_above_the_top_lane_is_no_name_of_the_lanes_below_it():
    rows = [("a long name of a revision", "0", "3"), ("B", "3", "300")]
    read = plots.read_back(drawn(seals.written(rows)))
    assert read.filter(lane="decides")["label"].to_list()[1] in ("a long name of a revision", "a long")
    assert read.filter(lane=rows[0][0])["label"].to_list() == [None]


def test_the_legend_explains_what_is_there():
    [legend] = drawn(seals.with_rival()).legends
    said = [text.get_text() for text in legend.get_texts()]
    assert said[:3] == ["from (included)", "until (excluded)", "unbounded"]
    assert set(said[3:]) == {"nothing applies", "conflict", "superseded"}
    [legend] = drawn(seals.shipped(), seals.STRANGER).legends
    assert [text.get_text() for text in legend.get_texts()] == ["unbounded", "unavailable"]


def test_the_note_stands_beside_the_title():
    assert set(texts(drawn(seals.shipped(), note="invented test data"))[-2:]) == {
        "pump-seal · seal-torque · C2 · EU",
        "invented test data",
    }
    assert "· as known at 3" in " ".join(texts(drawn(seals.shipped(), known_at=3)))


def test_a_zoned_axis_names_its_zone_and_tells_its_time():
    rows = [("A", "2024-03-30T23:00:00Z", "2024-06-30T22:00:00Z")]
    axes = drawn(seals.written(rows, **BERLIN)).axes[0]
    assert axes.get_xlabel() == "date and time in Europe/Berlin"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2024-03-31", "2024-07-01"]
    axes = drawn(seals.written(rows, time="utc")).axes[0]
    assert axes.get_xlabel() == "date and time in UTC"
    assert axes.get_xticklabels()[0].get_text() == "2024-03-30\n23:00+00:00"
    assert drawn(seals.shipped()).axes[0].get_xlabel() == "logical step"


def test_hostile_names_stay_text():
    name = "$\\frac{1}{2}$ <script>\x1b[31m\u202e"
    figure = drawn(seals.written([(name, "0", "unbounded")]))
    shown = "$\\frac{1}{2}$ <script>⟨U+001B⟩[31m⟨U+202E⟩"
    assert plots.read_back(figure)["lane"].to_list() == ["decides", "decides", shown]
    assert not any(text.get_parse_math() for text in (*figure.axes[0].texts, *figure.axes[0].get_yticklabels()))


def test_a_malformed_time_is_refused_by_name():
    with pytest.raises(RequestError, match="at:"):
        drawn(seals.shipped(), at="tomorrow")


# --- colour -------------------------------------------------------------------------------------------------------


def test_a_revision_has_one_colour_in_all_pictures():
    everything = plots.colours(tables.timeline(seals.with_rival(), seals.SEAL, actor=OPERATOR)["revision_id"])
    assert everything == {
        "manual-A": OKABE_ITO[0],
        "bulletin-B": OKABE_ITO[1],
        "manual-C": OKABE_ITO[2],
        "manual-D": OKABE_ITO[3],
    }
    figure = drawn(seals.hidden(seals.with_rival(), "bulletin-B"), seals.MECHANIC, colours=everything)
    fills = dict(plots.read_back(figure).filter(lane="manual-C").select("lane", "fill").rows())
    assert fills == {"manual-C": OKABE_ITO[2]}


def test_every_text_can_be_read_and_every_pattern_told_from_the_others():
    for colour in OKABE_ITO:
        assert contrast(ink_on(colour), colour) >= 4.5
        assert contrast(INK, lighter(colour)) >= 4.5
    for pattern in PATTERNS.values():
        assert contrast(pattern.ink, "#FFFFFF") >= 4.5
        assert contrast(pattern.ink, pattern.fill or "#FFFFFF") >= 4.5
    hatches = [pattern.hatch for pattern in PATTERNS.values()]
    assert len(set(hatches)) == len(hatches)


def test_only_conflicts_are_red():
    red = [kind for kind, pattern in PATTERNS.items() if pattern.ink == PATTERNS[BarKind.CONFLICT].ink]
    assert red == [BarKind.CONFLICT]
    assert not {"#D55E00"} & set(OKABE_ITO)


# --- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_picture_saves_to_the_same_bytes(ending, tmp_path):
    one, other = (plots.save(drawn(seals.with_rival(), at=6), tmp_path / f"{n}.{ending}") for n in (1, 2))
    assert one.read_bytes() == other.read_bytes()
    head = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert one.read_bytes().startswith(head[ending])


def test_an_svg_holds_its_words_as_text(tmp_path):
    root = ET.fromstring(plots.save(drawn(seals.with_rival(), at=6), tmp_path / "x.svg").read_text(encoding="utf-8"))
    said = " ".join("".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "Decision(RESOLVED bulletin-B [5,10) at 6, en, historical)" in said


def test_a_notebook_shows_the_picture_and_its_words():
    figure = drawn(seals.shipped(), at=6)
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert repr(figure) == (
        "Picture(Scope(pump-seal / seal-torque / C2 / EU), 8 bars; "
        "Decision(RESOLVED bulletin-B [5,10) at 6, en, historical))"
    )


def test_everything_lies_within_the_picture():
    name = "a revision with quite a long name that says very little, and says it at length, as some names do"
    figure = drawn(seals.written([(name, "0", "3"), ("B", "3", "4")]), at=1, note="invented test data")
    renderer = figure.canvas.get_renderer()
    axes = figure.axes[0]
    for text in (*axes.texts, *figure.texts, *axes.get_yticklabels(), *axes.get_xticklabels()):
        box = text.get_window_extent(renderer)
        assert box.x0 >= -1, text
        assert box.x1 <= figure.bbox.width + 1, text


def test_draw_knows_nothing_but_the_frame():
    frame = tables.timeline(seals.with_rival(), seals.SEAL, actor=OPERATOR)
    figure = draw(frame.filter(frame["lane"] != "manual-D"), title="t", subject="s")
    assert "manual-D" not in plots.read_back(figure)["lane"]
