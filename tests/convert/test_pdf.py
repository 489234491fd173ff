"""PDF: paragraphs, places, tables, columns, what is left out; and each text layer that is refused, with its reason."""

import pytest

from tests.convert import pdf_made
from tests.convert.pdf_made import SENTENCES, TABLE, Pdf, line, ruled_table
from workbench.convert.files import convert
from workbench.convert.limits import Limits, Options
from workbench.convert.places import Box
from workbench.convert.refusals import REMEDIES, Refused


def read(raw: bytes, **options):
    from workbench.convert.pdf import convert_pdf  # needs the extra, whose absence is a skip and no error

    return convert_pdf(raw, Limits(), Options(**options))


def page_of(*rows: str, x: float = 60, y: float = 780, step: float = 14) -> bytes:
    return b"".join(line(x, y - step * at, row) for at, row in enumerate(rows))


def box_at(made, at: int) -> Box:
    [place] = [r.place for r in made.ranges if r.start <= at < r.end]
    return place


def test_a_page_with_places() -> None:
    made = convert(pdf_made.sound(), "pdf")
    assert made.text.split("\n\n") == [
        "4.2 Anziehen",
        " ".join(pdf_made.BROKEN),
        SENTENCES[2],
        "Gewinde: M8 | Moment in Nm: 21 | Kraft in kN: 14,6",
        "Gewinde: M10 | Moment in Nm: 42 | Kraft in kN: 23,1",
    ]
    value = box_at(made, made.text.index("42"))
    assert value.page == 1
    assert 180 < value.x0 < 185  # the second column begins at 180
    assert 590 < value.y0 < 596 < value.y1 < 610
    heading = box_at(made, made.text.index("Moment in Nm"))
    assert heading.x0 == value.x0
    assert (made.pages, made.kind, dict(made.libraries).keys()) == (1, "pdf", {"pypdfium2", "pdfplumber"})


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_reads_the_same_and_keeps_its_own_coordinates(turn: int) -> None:
    """/Rotate turns the page as it is shown; what stands on it stays where it is."""
    made = read(Pdf([page_of(*SENTENCES) + ruled_table(60, 650, TABLE)], page_keys=b"/Rotate %d" % turn).made())
    flat = read(Pdf([page_of(*SENTENCES) + ruled_table(60, 650, TABLE)]).made())
    assert made.text == flat.text
    assert made.ranges == flat.ranges
    assert made.cells == flat.cells


def test_a_page_whose_origin_lies_elsewhere() -> None:
    moved = Pdf([page_of(*SENTENCES) + ruled_table(60, 650, TABLE)], page_keys=b"/MediaBox [-40 -30 595 842]").made()
    assert read(moved).text == read(Pdf([page_of(*SENTENCES) + ruled_table(60, 650, TABLE)]).made()).text


def test_columns_are_read_one_after_the_other() -> None:
    left = ["Die linke Spalte erzählt von der Pumpe", "und von ihrer Dichtung, die man prüft,"] * 4
    right = ["Die rechte Spalte erzählt vom Motor", "und von seinem Lager, das man schmiert,"] * 4
    content = (
        page_of(*left, y=700) + page_of(*right, x=320, y=700) + line(60, 760, "Eine Überschrift über beide", size=16)
    )
    text = read(Pdf([content]).made()).text
    assert text.index("Eine Überschrift") < text.index("linke") < text.rindex("Dichtung") < text.index("rechte")


def test_page_headers_and_footers_go_and_are_listed() -> None:
    pages = [
        line(60, 815, "Handbuch KR (erfunden)") + page_of(SENTENCES[n % 4], y=700) + line(280, 30, f"Seite {n + 1}")
        for n in range(4)
    ]
    made = read(Pdf(pages).made())
    assert made.text.split("\n\n") == SENTENCES
    assert [c.found for c in made.changes if c.code == "PAGE_HEADER"] == ["Handbuch KR (erfunden)"] * 4
    assert [c.found for c in made.changes if c.code == "PAGE_FOOTER"] == [f"Seite {n}" for n in (1, 2, 3, 4)]
    assert [c.place.page for c in made.changes if c.code == "PAGE_FOOTER"] == [1, 2, 3, 4]


def test_words_are_made_whole_at_line_ends_and_across_pages() -> None:
    first = page_of(
        "Die Gleitring-", "dichtung wird geprüft, ebenso Ein-", "und Ausgang und die Datenschutz-", "Grundverordnung,"
    )
    made = read(Pdf([first, page_of("bevor die Pumpe anläuft.")]).made())
    assert made.text == (
        "Die Gleitringdichtung wird geprüft, ebenso Ein- und Ausgang und die Datenschutz-Grundverordnung, "
        "bevor die Pumpe anläuft."
    )
    assert [(c.code, c.found) for c in made.changes] == [("HYPHENATION", "Gleitring-\ndichtung")]
    assert box_at(made, made.text.index("bevor")).page == 2


def test_merged_cells_and_headings_over_several_columns() -> None:
    rules = b"".join(pdf_made.rule(60, y, 420, y) for y in (600, 560, 540)) + pdf_made.rule(180, 580, 420, 580)
    rules += b"".join(pdf_made.rule(x, 600, x, 540) for x in (60, 180, 420)) + pdf_made.rule(300, 580, 300, 540)
    content = (
        line(64, 586, "Gewinde") + line(200, 586, "Moment in Nm") + line(184, 566, "trocken") + line(304, 566, "geölt")
    )
    content += line(64, 546, "M8") + line(184, 546, "24") + line(304, 546, "21")
    made = read(Pdf([rules + content + page_of(*SENTENCES)]).made())
    assert made.text.endswith("Gewinde: M8 | Moment in Nm / trocken: 24 | Moment in Nm / geölt: 21")


def test_a_table_without_lines() -> None:
    rows = [["Gewinde", "Moment", "Kraft"], ["M8", "21", "14,6"], ["M10", "42", "23,1"], ["M12", "72", "33,8"]]
    content = b"".join(line(60 + 110 * c, 600 - 16 * r, t) for r, row in enumerate(rows) for c, t in enumerate(row))
    caption = line(60, 630, "Tabelle 2: Festigkeitsklasse 8.8, erfunden")
    made = read(Pdf([page_of(*SENTENCES) + caption + content]).made())
    assert made.text.split("\n\n")[-2:] == [
        "Tabelle 2: Festigkeitsklasse 8.8, erfunden · Gewinde: M10 | Moment: 42 | Kraft: 23,1",
        "Tabelle 2: Festigkeitsklasse 8.8, erfunden · Gewinde: M12 | Moment: 72 | Kraft: 33,8",
    ]


def set_out(rows: list[list[str]], places: list[float], *, y: float = 600) -> bytes:
    """A table without upright lines: each text at the place of its column."""
    return b"".join(
        line(x, y - 16 * r, text) for r, row in enumerate(rows) for x, text in zip(places, row, strict=True) if text
    )


COUNTED = [["", "", "Jahre", "", ""], ["Größe", "1", "2", "3", "4"], ["Anteil", "0,3", "0,6", "0,8", "1,1"]]
COUNTED += [["Verlust", "1,3", "1,7", "1,7", "1,8"], ["Ertrag", "1,8", "2,4", "4,5", "6,1"]]


@pytest.mark.parametrize("rule", [(60, 480), (60, 190)], ids=["below all headings", "beyond its column"])
def test_a_line_below_headings_parts_no_cell_and_joins_none(rule: tuple[int, int]) -> None:
    """A line below several headings does not make them one, nor does one that reaches into the next column."""
    drawn = pdf_made.rule(rule[0], 580, rule[1], 580) + pdf_made.rule(60, 530, 480, 530)
    made = read(Pdf([page_of(*SENTENCES) + set_out(COUNTED, [60, 180, 260, 340, 420]) + drawn]).made())
    assert made.text.split("\n\n")[-1] == (
        "Größe: Ertrag | Jahre / 1: 1,8 | Jahre / 2: 2,4 | Jahre / 3: 4,5 | Jahre / 4: 6,1"
    )
    assert made.tables[0].heading_rows == 2  # a row that counts its columns is one of headings


def test_headings_on_two_lines_that_reach_over_their_column_are_one_each() -> None:
    rows = [["", "Anzahl der", "Anteil neu"], ["", "Anlagen", "(%)"]]
    rows += [[f"Werk {n}", f"{n}00", f"{n}5"] for n in range(1, 10)]
    made = read(Pdf([page_of(*SENTENCES) + set_out(rows, [60, 200, 300])]).made())
    assert made.text.split("\n\n")[-1] == "Werk 9 | Anzahl der Anlagen: 900 | Anteil neu (%): 95"
    assert made.tables[0].columns == 3


def test_what_stands_between_a_chapter_and_the_headings_is_no_row() -> None:
    """A chapter's line, the caption and a line of text right above a table without lines."""
    rows = [["Größe", "Mittel", "Kleinster", "Größter"], ["Alter", "50,8", "21", "90"], ["Dauer", "4,7", "0", "12"]]
    rows += [["Zahl", "2,1", "1", "6"]]
    above = (
        line(60, 668, "C") + line(90, 668, "Anhang C: Übersicht (erfunden)") + line(150, 644, "Tabelle C1: Übersicht")
    )
    above += line(60, 620, "Diese Tabelle nennt Werte von zwölf erfundenen Anlagen im Jahr 2024.")
    made = read(Pdf([page_of(*SENTENCES) + above + set_out(rows, [60, 200, 280, 360])]).made())
    assert made.text.split("\n\n")[-5:] == [
        "Tabelle C1: Übersicht",
        "Diese Tabelle nennt Werte von zwölf erfundenen Anlagen im Jahr 2024.",
        "Tabelle C1: Übersicht · Größe: Alter | Mittel: 50,8 | Kleinster: 21 | Größter: 90",
        "Tabelle C1: Übersicht · Größe: Dauer | Mittel: 4,7 | Kleinster: 0 | Größter: 12",
        "Tabelle C1: Übersicht · Größe: Zahl | Mittel: 2,1 | Kleinster: 1 | Größter: 6",
    ]


def test_a_long_label_is_not_joined_with_the_value_beside_it() -> None:
    rows = [["Größe", "Wert", "Kraft"], ["M8", "21", "14"], ["M10", "42", "23"], ["Sondergröße, sehr lang", "99", "50"]]
    content = b"".join(line(60, 600 - 16 * r, row[0]) for r, row in enumerate(rows))
    content += b"".join(line(x, 600 - 16 * r, row[c]) for r, row in enumerate(rows) for c, x in ((1, 200), (2, 280)))
    made = read(Pdf([page_of(*SENTENCES) + content]).made())
    assert made.text.split("\n\n")[-1] == "Größe: Sondergröße, sehr lang | Wert: 99 | Kraft: 50"


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_over_two_pages_goes_on(repeated: bool) -> None:
    second = [TABLE[0], ["M12", "72", "33,8"], ["M16", "176", "63,0"]]
    first = page_of(*SENTENCES) + ruled_table(60, 650, TABLE)
    made = read(Pdf([first, ruled_table(60, 790, second if repeated else second[1:])]).made())
    assert made.text.split("\n\n")[-1] == "Gewinde: M16 | Moment in Nm: 176 | Kraft in kN: 63,0"
    assert [(t.number, t.page) for t in made.tables] == [(1, 1)]
    at = made.text.index("176")
    [cell] = [c.cell for c in made.cells if c.start <= at < c.end]
    assert (cell.table, cell.row, cell.column) == (1, 5, 2)
    assert box_at(made, at).page == 2
    assert [c.code for c in made.changes] == (["REPEATED_HEADING"] if repeated else [])


def test_a_note_below_a_table_goes_with_the_rows_that_bear_its_mark() -> None:
    rows = [TABLE[0], ["M8", "21 *", "14,6"], TABLE[2]]
    content = page_of(*SENTENCES) + ruled_table(60, 650, rows) + line(60, 570, "* nur bei trockenem Gewinde")
    paragraphs = read(Pdf([content]).made()).text.split("\n\n")
    assert "Gewinde: M8 | Moment in Nm: 21 * | Kraft in kN: 14,6 · * nur bei trockenem Gewinde" in paragraphs
    assert "Gewinde: M10 | Moment in Nm: 42 | Kraft in kN: 23,1" in paragraphs


def test_a_note_below_the_end_of_a_table_is_for_its_rows_on_the_page_before_too() -> None:
    first = page_of(*SENTENCES) + ruled_table(60, 650, [TABLE[0], ["M8", "21 *", "14,6"], TABLE[2]])
    second = ruled_table(60, 790, [TABLE[0], ["M12", "72", "33,8"]]) + line(60, 730, "* nur trocken")
    made = read(Pdf([first, second]).made())
    rows = [p for p in made.text.split("\n\n") if p.startswith("Gewinde")]
    assert [row.endswith("· * nur trocken") for row in rows] == [True, False, False]


OTHER = [["Anker", "Tiefe in mm", "Rand in mm"], ["M12", "80", "60"], ["M16", "90", "70"]]


def test_another_table_on_the_next_page_keeps_its_own_headings() -> None:
    """With as many columns it must not go on: 80 mm are no 80 Nm. Nor is it called what the first one is called."""
    first = page_of(*SENTENCES) + line(60, 660, "Tabelle 2: erfunden") + ruled_table(60, 650, TABLE)
    made = read(Pdf([first, ruled_table(60, 790, OTHER)]).made())
    assert made.text.split("\n\n")[-2:] == [
        "Anker: M12 | Tiefe in mm: 80 | Rand in mm: 60",
        "Anker: M16 | Tiefe in mm: 90 | Rand in mm: 70",
    ]
    assert [(t.number, t.caption, t.page) for t in made.tables] == [(1, "Tabelle 2: erfunden", 1), (2, "", 2)]


def test_a_row_that_begins_with_words_for_a_number_still_goes_on() -> None:
    second = [["M12", "auf Anfrage", "33,8"], ["M16", "176", "63,0"]]
    first = page_of(*SENTENCES) + ruled_table(60, 650, TABLE)
    made = read(Pdf([first, ruled_table(60, 790, second)]).made())
    assert "Gewinde: M12 | Moment in Nm: auf Anfrage | Kraft in kN: 33,8" in made.text


@pytest.mark.parametrize("below", ["", "Fortsetzung auf der nächsten Seite"])
def test_a_caption_that_only_says_that_the_table_goes_on(below: str) -> None:
    first = page_of(*SENTENCES) + line(60, 660, "Tabelle 2: erfunden") + ruled_table(60, 650, TABLE)
    first += line(60, 570, below)
    second = line(60, 800, "Tabelle 2 (Fortsetzung)") + ruled_table(60, 790, [TABLE[0], ["M12", "72", "33,8"]])
    made = read(Pdf([first, second]).made())
    last = "Tabelle 2: erfunden · Gewinde: M12 | Moment in Nm: 72 | Kraft in kN: 33,8"
    assert made.text.split("\n\n")[-1] == last
    assert "Fortsetzung" not in made.text
    assert len(made.tables) == 1
    gone = [c.found for c in made.changes]
    assert gone[:-1] == [*([below] if below else []), "Tabelle 2 (Fortsetzung)"]


def test_a_caption_with_a_name_of_its_own_begins_a_table() -> None:
    first = page_of(*SENTENCES) + line(60, 660, "Tabelle 2: erfunden") + ruled_table(60, 650, TABLE)
    second = line(60, 800, "Tabelle 3: Fortsetzungsventile") + ruled_table(60, 790, [TABLE[0], ["M12", "72", "33,8"]])
    made = read(Pdf([first, second]).made())
    assert "Tabelle 3: Fortsetzungsventile · Gewinde: M12" in made.text
    assert len(made.tables) == 2


UNITS = [["Gewinde", "Moment", "Kraft"], ["", "[Nm]", "[kN]"], ["M8", "21", "14,6"], ["M10", "42", "23,1"]]


def test_a_row_of_units_belongs_to_the_headings() -> None:
    made = read(Pdf([page_of(*SENTENCES) + ruled_table(60, 650, UNITS)]).made())
    assert made.text.split("\n\n")[-2:] == [
        "Gewinde: M8 | Moment / [Nm]: 21 | Kraft / [kN]: 14,6",
        "Gewinde: M10 | Moment / [Nm]: 42 | Kraft / [kN]: 23,1",
    ]
    assert made.tables[0].heading_rows == 2
    words = [["Teil", "Zustand", "Farbe"], ["", "neu", "rot"], ["M8", "alt", "blau"]]
    assert "Zustand: neu | Farbe: rot" in read(Pdf([page_of(*SENTENCES) + ruled_table(60, 650, words)]).made()).text


def test_a_label_over_several_rows_stands_in_each_of_them() -> None:
    rules = b"".join(pdf_made.rule(60, y, 420, y) for y in (650, 630, 590)) + pdf_made.rule(180, 610, 420, 610)
    rules += b"".join(pdf_made.rule(x, 650, x, 590) for x in (60, 180, 300, 420))
    content = line(64, 636, "Gewinde") + line(184, 636, "Zustand") + line(304, 636, "Moment in Nm")
    content += line(64, 606, "M8") + line(184, 616, "trocken") + line(304, 616, "24")
    content += line(184, 596, "geölt") + line(304, 596, "21")
    made = read(Pdf([rules + content + page_of(*SENTENCES)]).made())
    assert made.text.split("\n\n")[-2:] == [
        "Gewinde: M8 | Zustand: trocken | Moment in Nm: 24",
        "Gewinde: M8 | Zustand: geölt | Moment in Nm: 21",
    ]


def test_words_are_made_whole_within_a_cell() -> None:
    rows = [["Teil", "Hinweis"], ["M8", "Gleitring-"], ["M10", "trocken"]]
    content = ruled_table(60, 650, rows, high=30) + line(184, 594, "dichtung prüfen")
    assert "Teil: M8 | Hinweis: Gleitringdichtung prüfen" in read(Pdf([page_of(*SENTENCES) + content]).made()).text


def test_a_list_is_no_table() -> None:
    content = b"".join(line(60, 700 - 16 * n, f"{n}.") + line(90, 700 - 16 * n, SENTENCES[n % 4]) for n in range(1, 5))
    assert read(Pdf([content]).made()).tables == ()


# --- refusals ---------------------------------------------------------------------------------------------------


def text_page(change=lambda text: text) -> bytes:
    return b"".join(line(60, 780 - 14 * at, change(SENTENCES[at % 4])) for at in range(12))


def picture(content: bytes = b"") -> bytes:
    image = pdf_made.stream(
        b"\x80" * 300, b"/Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceRGB"
    )
    made = Pdf([b"q 595 0 0 842 0 0 cm /I Do Q\n" + content], more=[image])
    number = 2 + len(made.fonts) + 2 * len(made.pages) + 1
    made.resources = b"/XObject << /I %d 0 R >>" % number
    return made.made()


CID = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Erfunden /Encoding /Identity-H /DescendantFonts ["
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Erfunden /CIDSystemInfo "
    b"<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>] >>"
)


def cid_page() -> bytes:
    codes = "".join(f"{3 + at % 90:04x}" for at in range(60))
    return b"".join(b"BT /F1 11 Tf 1 0 0 1 60 %d Tm <%s> Tj ET\n" % (780 - 14 * n, codes.encode()) for n in range(8))


def shift(codes: int):
    return lambda text: "".join(chr(ord(c) + codes) if c.isascii() and c.isalpha() else c for c in text)


ENCRYPTED = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O (%s) /U (%s) /P -64 >> /ID [(abc) (abc)]" % (
    b"o" * 32,
    b"u" * 32,
)
NOTHING = Pdf([b""])

REFUSED = {
    "no text": ("no_text_layer", Pdf([pdf_made.rule(0, 0, 100, 100) * 30]).made()),
    "a scanned page": ("no_text_layer", picture()),
    "a stamp on a scanned page": ("no_text_layer", picture(line(10, 10, "Scan 1"))),
    "shifted by one": ("shifted", Pdf([text_page(shift(1))]).made()),
    "shifted back by one": ("shifted", Pdf([text_page(shift(-1))]).made()),
    "shifted by three": ("shifted", Pdf([text_page(shift(3))]).made()),
    "one font shifted": (
        "shifted",
        Pdf(
            [text_page() + text_page(shift(1)).replace(b"/F1", b"/F2")],
            fonts={"F1": pdf_made.HELVETICA, "F2": pdf_made.HELVETICA.replace(b"Helvetica", b"Times-Roman")},
        ).made(),
    ),
    "words backwards": ("mirrored", Pdf([text_page(lambda t: " ".join(w[::-1] for w in t.split()))]).made()),
    "letters drawn from right to left": (
        "mirrored",
        Pdf([text_page().replace(b"1 0 0 1 60", b"-1 0 0 1 560")]).made(),
    ),
    "two directions": (
        "turned",
        Pdf([text_page() + b"".join(pdf_made.turned(20 + 12 * n, 100, SENTENCES[n]) for n in range(2))]).made(),
    ),
    "no spaces": (
        "no_spaces",
        Pdf([b"".join(pdf_made.glued(60, 800 - 14 * at, SENTENCES[at % 4]) for at in range(50))]).made(),
    ),
    "words glued": (
        "no_spaces",
        Pdf([text_page(lambda t: t.replace(" ", "").replace(".", "x").replace(";", "x"))]).made(),
    ),
    "(cid:NN)": ("unmapped", Pdf([cid_page()], fonts={"F1": CID}).made()),
    "a password": ("encrypted", Pdf([text_page()], trailer=ENCRYPTED).made()),
    "no PDF": ("damaged", b"kein PDF" * 100),
    "cut off": ("damaged", pdf_made.sound()[:-600]),
    "a hole in a stream": (
        "damaged",
        pdf_made.sound().replace(b"\nendstream", b"\x00\x00\x00\nendstream", 1)[:-1] + b" ",
    ),
    "no page": ("damaged", Pdf([]).made()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_layer_that_cannot_be_trusted_is_refused_by_name(name: str) -> None:
    code, raw = REFUSED[name]
    with pytest.raises(Refused) as caught:
        read(raw)
    assert caught.value.refusal.code == code, str(caught.value)
    assert REMEDIES[code] in str(caught.value)


def test_a_stream_with_changed_bytes_is_damage() -> None:
    raw = bytearray(pdf_made.sound())
    at = raw.index(b"stream\n") + 60
    raw[at] ^= 0xFF
    with pytest.raises(Refused) as caught:
        read(bytes(raw))
    assert caught.value.refusal.code == "damaged"


def test_spaces_from_gaps_are_accepted_only_when_asked_for_and_recorded() -> None:
    raw = Pdf([b"".join(pdf_made.glued(60, 800 - 14 * at, SENTENCES[at % 4]) for at in range(50))]).made()
    with pytest.raises(Refused) as caught:
        read(raw)
    assert caught.value.refusal.code == "no_spaces"
    made = read(raw, spaces_from_gaps=True)
    assert SENTENCES[0] in made.text
    assert [c.code for c in made.changes] == ["SPACES_FROM_GAPS"]


def test_pages_without_text_are_accepted_only_when_asked_for_and_listed() -> None:
    drawing = b"".join(pdf_made.rule(n, 10, n, 500) for n in range(10, 400))
    raw = Pdf([text_page(), drawing]).made()
    with pytest.raises(Refused) as caught:
        read(raw)
    assert (caught.value.refusal.code, caught.value.refusal.page) == ("no_text_layer", 2)
    made = read(raw, pages_without_text=True)
    assert [(c.code, c.place.page) for c in made.changes] == [("PAGE_WITHOUT_TEXT", 2)]
    with pytest.raises(Refused):
        read(Pdf([drawing]).made(), pages_without_text=True)


@pytest.mark.parametrize(
    ("raw", "limits", "code"),
    [
        (Pdf([b" " * 30_000_000]).made(), Limits(unpacked=10_000_000), "bomb"),
        (Pdf([b"BT ET\n"] * 30).made(), Limits(pages=20), "too_many_pages"),
        (Pdf([text_page()], more=[b"null"] * 300).made(), Limits(objects=200), "too_many_objects"),
        (Pdf([text_page()], more=[b"[" * 5_000 + b"]" * 5_000]).made(), Limits(), "too_deep"),
        (Pdf([text_page()], more=[b"<< /A " * 5_000 + b"1" + b" >>" * 5_000]).made(), Limits(), "too_deep"),
        (pdf_made.sound(), Limits(source=500), "too_large"),
        (Pdf([text_page()] * 5).made(), Limits(characters=1_000), "too_large"),
        (pdf_made.sound(), Limits(seconds=0), "too_slow"),
    ],
    ids=["unpacked", "pages", "objects", "arrays", "dictionaries", "bytes", "characters", "seconds"],
)
def test_bombs_stay_within_the_limits(raw: bytes, limits: Limits, code: str) -> None:
    with pytest.raises(Refused) as caught:
        convert(raw, "pdf", limits=limits)
    assert caught.value.refusal.code == code


def test_a_bomb_within_a_bomb_is_met_too() -> None:
    import zlib

    inner = zlib.compress(b" " * 20_000_000)
    nested = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream"
    body = zlib.compress(inner)
    raw = Pdf([text_page()], more=[nested % (len(body), body)]).made()
    with pytest.raises(Refused) as caught:
        convert(raw, "pdf", limits=Limits(unpacked=5_000_000))
    assert caught.value.refusal.code == "bomb"
