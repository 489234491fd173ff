"""What is imported is what the page shows: hidden text goes and is listed, what lies over the page is listed, and a
raised digit is no part of the number before it."""

import random

import pytest

from tests.convert import pdf_made
from tests.convert.pdf_made import SENTENCES, TABLE, Pdf, line, ruled_table
from workbench.convert.files import convert
from workbench.convert.places import Box, Converted
from workbench.convert.refusals import Refused

BODY = b"".join(line(60, 780 - 14 * at, text) for at, text in enumerate(SENTENCES))


def read(content: bytes, **more) -> Converted:
    return convert(Pdf([BODY + content], **more).made(), "pdf")


def listed(made: Converted, code: str) -> list[str]:
    return [change.found for change in made.changes if change.code == code]


# --- raised digits --------------------------------------------------------------------------------------------------


def raised(x: float, y: float, text: str, mark: str, wide: float, *, up: float = 4, size: float = 6) -> bytes:
    """A text, and behind its width a small raised one."""
    return line(x, y, text) + line(x + wide, y + up, mark, size=size)


def test_an_exponent_is_no_part_of_its_number() -> None:
    made = read(raised(60, 600, "10", "3", 12.3))
    assert made.text.endswith("\n\n10³")
    assert listed(made, "SUPERSCRIPT") == ["3"]
    at = made.text.index("³")
    [box] = [r.place for r in made.ranges if r.start <= at < r.end]
    assert isinstance(box, Box)
    assert box.x1 > 72


def test_units_stay_whole_and_words_are_parted_from_the_mark_of_a_note() -> None:
    assert "in mm² und" in read(raised(60, 600, "in mm", "2", 29.6) + line(100, 600, "und")).text
    assert "min⁻¹" in read(raised(60, 600, "min", "-1", 18.0)).text
    made = read(raised(60, 600, "Drehzahl", "1", 46.0))
    assert made.text.endswith("Drehzahl ¹")


@pytest.mark.parametrize(
    "content",
    [
        raised(60, 600, "H", "2", 8.0, up=-2),
        raised(60, 600, "10", "3", 12.3, up=0),
        raised(60, 600, "10", "3", 12.3, size=11),
        raised(60, 600, "10", "a", 12.3),
    ],
    ids=["lowered", "level", "as large", "a letter"],
)
def test_what_is_not_small_and_raised_stays(content: bytes) -> None:
    made = read(content)
    assert listed(made, "SUPERSCRIPT") == []
    assert not set("⁰¹²³⁴⁵⁶⁷⁸⁹") & set(made.text)


@pytest.mark.parametrize("mark", ["raised", "level"])
def test_a_value_with_a_raised_mark_keeps_its_value_and_takes_its_note(mark: str) -> None:
    """21 with a raised 1 is 21, not 211."""
    rows = [TABLE[0], ["M8", "21", "14,6"], TABLE[2]]
    value = line(60 + 120 + 4 + 12.3, 650 - 20 - 14 + 4, "1", size=6)
    note = line(60, 574, "1", size=6) + line(66, 570, "nur bei trockenem Gewinde")
    if mark == "level":
        note = line(60, 570, "1) nur bei trockenem Gewinde")
        value += line(60 + 120 + 4 + 15.7, 650 - 20 - 14 + 4, ")", size=6)
    made = read(ruled_table(60, 650, rows) + value + note)
    [row] = [p for p in made.text.split("\n\n") if p.startswith("Gewinde: M8")]
    assert "211" not in made.text
    assert "Moment in Nm: 21" in row
    assert row.endswith("nur bei trockenem Gewinde")
    [other] = [p for p in made.text.split("\n\n") if p.startswith("Gewinde: M10")]
    assert "trocken" not in other


# --- hidden text ----------------------------------------------------------------------------------------------------

BLACK_BAR = b"0 0 0 rg 50 592 300 20 re f\n"
HIDDEN = {
    "white on white": b"1 1 1 rg\n" + line(60, 600, "Verborgener Hinweis"),
    "not drawn": b"BT 3 Tr ET\n" + line(60, 600, "Verborgener Hinweis"),
    "under a bar": line(60, 600, "Verborgener Hinweis") + BLACK_BAR,
    "beyond the edge": line(60, -60, "Verborgener Hinweis"),
    "far left": line(-400, 600, "Verborgener Hinweis"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_the_page_does_not_show_is_left_out_and_listed(name: str) -> None:
    made = read(HIDDEN[name])
    assert "Verborgen" not in made.text
    assert listed(made, "HIDDEN") == ["Verborgener Hinweis"]
    assert all(text.split()[-1] in made.text for text in SENTENCES)


@pytest.mark.parametrize(
    "content",
    [
        b"0.9 0.9 0.9 rg\n" + line(60, 600, "Sichtbarer Hinweis"),
        BLACK_BAR + b"1 1 1 rg\n" + line(60, 600, "Sichtbarer Hinweis"),
        b"1 1 0.6 rg\n" + line(60, 600, "Sichtbarer Hinweis"),
        line(60, 600, "Sichtbarer Hinweis", size=3),
    ],
    ids=["light grey", "white on black", "yellow", "tiny"],
)
def test_what_is_hard_to_see_is_seen(content: bytes) -> None:
    made = read(content)
    assert "Sichtbarer Hinweis" in made.text
    assert listed(made, "HIDDEN") == []


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_on_turned_pages_too(turn: int) -> None:
    made = read(HIDDEN["white on white"], page_keys=b"/Rotate %d" % turn)
    assert listed(made, "HIDDEN") == ["Verborgener Hinweis"]
    assert made.text.startswith(SENTENCES[0])


def test_recognised_text_below_a_scan_is_text() -> None:
    """An invisible text layer over a picture of the same letters is how scans are made searchable."""
    noise = random.Random(3).randbytes(60 * 85)
    image = pdf_made.stream(
        noise, b"/Type /XObject /Subtype /Image /Width 60 /Height 85 /ColorSpace /DeviceGray /BitsPerComponent 8"
    )
    content = b"q 595 0 0 842 0 0 cm /I1 Do Q\nBT 3 Tr ET\n" + BODY
    made = convert(Pdf([content], more=[image], resources=b"/XObject << /I1 6 0 R >>").made(), "pdf")
    assert made.text.startswith(SENTENCES[0])
    assert listed(made, "HIDDEN") == []


def test_a_page_that_shows_little_of_its_text_layer_is_refused() -> None:
    hidden = b"1 1 1 rg\n" + b"".join(line(60, 500 - 14 * at, SENTENCES[at % 4]) for at in range(8))
    with pytest.raises(Refused) as caught:
        read(hidden)
    assert (caught.value.refusal.code, caught.value.refusal.page) == ("hidden_text", 1)


# --- what lies over the page ----------------------------------------------------------------------------------------


def test_fields_and_notes_over_the_page_are_listed() -> None:
    over = (
        b"/Annots [<< /Type /Annot /Subtype /FreeText /Rect [60 500 300 520] /Contents (Nachtrag: 45 Nm) "
        b"/DA (/Helv 11 Tf) >> << /Type /Annot /Subtype /Widget /FT /Tx /T (Feld) /V (Wert 17) "
        b"/Rect [60 460 300 480] >> << /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Contents (kein Text der Seite) >>]"
    )
    made = read(b"", page_keys=over)
    assert listed(made, "LAID_OVER") == ["Nachtrag: 45 Nm", "Wert 17"]
    assert next(c.place for c in made.changes if c.code == "LAID_OVER") == Box(1, 60, 500, 300, 520)
    assert "45 Nm" not in made.text
