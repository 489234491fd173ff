"""What holds of every picture: its files open and repeat byte for byte, and every word of it can be read.

Contrast is computed (WCAG 2.2: at least 4.5 to 1) from each text's colour and whatever lies under its middle.
"""

import struct
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from matplotlib.backend_bases import MouseEvent
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.text import Text

import workbench as wb
from tests.show import seals
from tests.show.test_tables_bins import yearly
from tests.show.test_tables_coverage import many
from workbench.contract import OPERATOR, Actor
from workbench.intervals import Interval
from workbench.show import plots
from workbench.show.plots_composition import draw_composition
from workbench.show.plots_coverage import draw_coverage
from workbench.show.plots_grammar import GREY, INK, OKABE_ITO, PATTERNS, RED, Picture, contrast, lighter
from workbench.show.tables_bars import BarKind

MECHANIC = Actor("grauwede", {"wartung"})
DAYS = {
    "time": "utc",
    "zone": "Europe/Berlin",
    "day_starts": "06:00",
    "skipped_time": "later",
    "doubled_time": "earlier",
}
READABLE = 4.5


def timeline_in_steps() -> Picture:
    return plots.timeline(seals.with_rival(), seals.SEAL, actor=OPERATOR, at=6, note="invented test data")


def timeline_in_dates() -> Picture:
    register = seals.written([("A", "2024-01-01", "2024-07-01"), ("B", "2024-06-01", "unbounded")], **DAYS)
    return plots.timeline(register, seals.SEAL, actor=OPERATOR, at="2024-06-15")


def timeline_of_a_stranger() -> Picture:
    return plots.timeline(seals.shipped(), seals.SEAL, actor=seals.STRANGER, at=6)


def timeline_of_a_thousand() -> Picture:
    register = seals.written([(f"r{n:04}", str(n), str(n + 1)) for n in range(1000)])
    return plots.timeline(register, seals.SEAL, actor=OPERATOR, at=500)


def bitemporal_in_steps() -> Picture:
    register = wb.Register.read("data/pump-seal-corrected")
    return plots.bitemporal(register, seals.SEAL, actor=OPERATOR, at=6, known_at=6)


def bitemporal_of_many() -> Picture:
    return plots.bitemporal(yearly(150), seals.SEAL, actor=OPERATOR, at=60, known_at=50)


def coverage_in_dates() -> Picture:
    register = wb.Register.read("data/handbooks-register")
    return plots.coverage(register, actor=OPERATOR, at="2025-12-01", tenant="grauwede", note="invented register")


def coverage_in_steps() -> Picture:
    return plots.coverage(seals.with_rival(), actor=seals.MECHANIC, at=14)


def coverage_of_a_thousand() -> Picture:
    return draw_coverage(many(1000), said="6", note="invented")


def conflicts_in_dates() -> Picture:
    return plots.conflicts(wb.Register.read("data/handbooks-register"), actor=OPERATOR, tenant="grauwede")


def conflicts_in_steps() -> Picture:
    return plots.conflicts(seals.with_rival(), actor=OPERATOR)


def composition_of_five() -> Picture:
    view = wb.Corpus.read("data/handbooks").view(MECHANIC)
    query = "Fett für das Lager"
    return plots.composition(view, query, view.rank(query, depth=5, match="any"))


def composition_of_hundreds() -> Picture:
    view = wb.Corpus.read("data/handbooks").view(MECHANIC)
    query = "Welche Fettmenge muss für das Lager der Pumpe bei jeder Schmierung in das Gehäuse eingebracht werden"
    hits = view.rank(query, depth=1000, match="any")
    return draw_composition(wb.tables.composition(view, query, hits), query=query)


def tuning_curve() -> Picture:
    corpus = wb.Corpus.read("data/pumps")
    start = corpus.get("ablauf").text.index("zwei Personen")
    gold = (wb.Gold("ablauf", Interval(start, start + 13)),)
    questions = [wb.Question("q", "Wo stehen zwei Personen?", "answerable", gold)]
    cuts = [wb.Paragraphs(), wb.Words(20), wb.Words(10), wb.Words(10, overlap=2)]
    rows = wb.sweep(corpus, questions, actor=seals.MECHANIC, cuts=cuts, measures=[wb.RR()])
    return plots.tuning(rows, "RR()", chosen="Words(20)")


PICTURES: list[Callable[[], Picture]] = [
    *(timeline_in_steps, timeline_in_dates, timeline_of_a_stranger, timeline_of_a_thousand),
    *(bitemporal_in_steps, bitemporal_of_many),
    *(coverage_in_dates, coverage_in_steps, coverage_of_a_thousand),
    *(conflicts_in_dates, conflicts_in_steps),
    *(composition_of_five, composition_of_hundreds),
    tuning_curve,
]
each_picture = pytest.mark.parametrize("drawn", PICTURES, ids=lambda drawn: drawn.__name__)


@cache
def figure_of(drawn: Callable[[], Picture], time: int = 1) -> Picture:
    """The picture, drawn for the first or for the second time."""
    return drawn()


# --- files --------------------------------------------------------------------------------------------------------


def opened(path: Path) -> None:
    """Reads a file far enough to know that a viewer could."""
    data = path.read_bytes()
    if path.suffix == ".svg":
        assert ET.fromstring(data).tag == "{http://www.w3.org/2000/svg}svg"
    elif path.suffix == ".pdf":
        assert data.startswith(b"%PDF-")
        assert data.rstrip().endswith(b"%%EOF")
        assert data.count(b"/Type /Page ") == 1
    else:
        wide, high = struct.unpack(">II", data[16:24])
        place, packed = 8, b""
        while place < len(data):
            (length,) = struct.unpack(">I", data[place : place + 4])
            name, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
            assert struct.unpack(">I", data[place + 8 + length : place + 12 + length]) == (zlib.crc32(name + body),)
            packed += body if name == b"IDAT" else b""
            place += 12 + length
        assert len(zlib.decompress(packed)) == high * (1 + 4 * wide)


@each_picture
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_saves_opens_and_repeats(drawn: Callable[[], Picture], ending: str, tmp_path: Path) -> None:
    one = plots.save(figure_of(drawn), tmp_path / f"one.{ending}")
    other = plots.save(figure_of(drawn, 2), tmp_path / f"other.{ending}")
    assert one.read_bytes() == other.read_bytes()
    assert not any(date in one.read_bytes() for date in (b"CreationDate", b"<dc:date>"))  # they change by the second
    opened(one)


@each_picture
def test_a_notebook_shows_it_in_words_and_as_a_picture_of_moderate_size(drawn: Callable[[], Picture]) -> None:
    figure = figure_of(drawn)
    assert repr(figure).startswith("Picture(")
    assert figure.get_figheight() < 16
    assert figure.get_figwidth() < 14


@each_picture
def test_reading_it_back_twice_gives_the_same(drawn: Callable[[], Picture]) -> None:
    first, second = (plots.read_back(figure_of(drawn)) for _ in range(2))
    assert isinstance(first, pl.DataFrame)
    assert first.equals(second)


# --- words --------------------------------------------------------------------------------------------------------


def texts_of(figure: Picture) -> Iterator[Text]:
    """Every text that can be seen."""
    axes = figure.axes[0]
    labels = [axes.xaxis.label, axes.yaxis.label]
    for axis, (one, other) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
        labels += [label for at, label in ticks if min(one, other) <= at <= max(one, other)]
    keys = [text for legend in (*figure.legends, axes.get_legend()) if legend for text in legend.get_texts()]
    for text in (*figure.texts, *axes.texts, *labels, *keys):
        if text.get_text() and text.get_visible():
            yield text


def behind(figure: Picture, text: Text) -> str:
    """The colour behind a text: its own box, else the topmost filled thing under its middle, else the paper."""
    box = text.get_bbox_patch()
    if box is not None:
        return str(to_hex(box.get_facecolor()))
    extent = text.get_window_extent(figure.canvas.get_renderer())
    middle = ((extent.x0 + extent.x1) / 2, (extent.y0 + extent.y1) / 2)
    found = "#ffffff"
    for drawn in figure.axes[0].collections:
        if isinstance(drawn, PolyCollection) and text in figure.axes[0].texts:
            hit, where = drawn.contains(MouseEvent("motion_notify_event", figure.canvas, *middle))
            if hit:
                faces = drawn.get_facecolor()
                assert drawn.get_hatch() is None, f"{text.get_text()!r} stands on a pattern without a box of its own"
                found = str(to_hex(faces[where["ind"][-1] % len(faces)]))
    return found


@each_picture
def test_every_word_can_be_read_against_what_lies_behind_it(drawn: Callable[[], Picture]) -> None:
    figure = figure_of(drawn)
    figure.canvas.draw()
    seen = list(texts_of(figure))
    assert len(seen) > 3
    for text in seen:
        ratio = contrast(to_hex(to_rgba(text.get_color())), behind(figure, text))
        assert ratio >= READABLE, f"{text.get_text()!r}: {ratio:.1f}"


def test_a_pale_word_would_be_found() -> None:
    figure = timeline_in_steps()
    figure.canvas.draw()
    [name] = [text for text in figure.axes[0].texts if text.get_text() == "manual-A"]
    assert contrast(name.get_color(), behind(figure, name)) >= READABLE
    assert contrast("#E69F00", behind(figure, name)) < READABLE


@each_picture
def test_nothing_sticks_out_of_the_picture(drawn: Callable[[], Picture]) -> None:
    figure = figure_of(drawn)
    figure.canvas.draw()
    for text in texts_of(figure):
        box = text.get_window_extent(figure.canvas.get_renderer())
        assert box.x0 >= -1, text
        assert box.x1 <= figure.bbox.width + 1, text
        assert box.y0 >= -1, text
        assert box.y1 <= figure.bbox.height + 1, text


# --- colour -------------------------------------------------------------------------------------------------------

KNOWN = {INK, GREY, "#FFFFFF", "#C4C4C4", *(pattern.fill for pattern in PATTERNS.values() if pattern.fill)}


@each_picture
def test_fills_are_of_one_colour_blind_safe_set_and_red_is_for_conflicts_alone(drawn: Callable[[], Picture]) -> None:
    shades = {
        to_hex(lighter(colour, share)).upper() for colour in OKABE_ITO for share in (0, 0.25, 0.45, 0.65, 0.72, 0.85)
    }
    for collection in figure_of(drawn).axes[0].collections:
        if not isinstance(collection, PolyCollection):
            continue
        fills = {to_hex(face).upper() for face in collection.get_facecolor()}
        assert fills <= shades | KNOWN | {lighter(GREY).upper(), lighter("#C4C4C4").upper()}
        edges = {to_hex(edge).upper() for edge in collection.get_edgecolor()}
        if collection.get_hatch() != PATTERNS[BarKind.CONFLICT].hatch:
            assert RED.upper() not in edges | fills
