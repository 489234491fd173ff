"""Plain text and Markdown: paragraphs, lines, tables, and what cleaning changes and lists."""

import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.convert.cleaning import clean, hyphen_goes
from workbench.convert.files import convert
from workbench.convert.places import Char, Line, plain
from workbench.convert.refusals import Refused


@pytest.mark.parametrize(
    ("found", "became", "codes"),
    [
        ("Zwei\r\n\r\nDrei\rVier", "Zwei\n\nDrei\nVier", ["CRLF"] * 3),
        ("Dru\u0308cke pru\u0308fen", "Drücke prüfen", ["NOT_NFC"] * 2),
        ("Dich\u00adtung", "Dichtung", ["SOFT_HYPHEN"]),
        ("Dich\u00ad\ntung", "Dichtung", ["SOFT_HYPHEN"]),
        ("O\ufb03zier am Schi\ufb00", "Offizier am Schiff", ["LIGATURE"] * 2),
        ("\ufeffDich\u200btung\u2060", "Dichtung", ["ZERO_WIDTH"] * 3),
        ("Auf\u200clage", "Auflage", ["ZERO_WIDTH"]),
        ("Dich\u202etung", "Dichtung", ["DIRECTION_MARK"]),
        ("Eins\n \t\nZwei", "Eins\n\nZwei", ["BLANK_LINE_WITH_SPACES"]),
        ("Eins\x0cZwei\u2029Drei", "Eins\nZwei\nDrei", ["OTHER_LINE_END"] * 2),
        ("Gleitring-\ndichtung", "Gleitringdichtung", ["HYPHENATION"]),
        ("Ein-\nund Ausgang", "Ein-\nund Ausgang", []),
        ("Datenschutz-\nGrundverordnung", "Datenschutz-\nGrundverordnung", []),
        ("KR-200-\nausführung", "KR-200-\nausführung", []),
        ("drei-\njährig, dreijährig oder drei-jährig", "dreijährig, dreijährig oder drei-jährig", ["HYPHENATION"]),
        ("Not-\naus und Not-aus", "Not-\naus und Not-aus", []),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", []),
    ],
)
def test_cleaning_changes_what_it_lists(found: str, became: str, codes: list[str]) -> None:
    made = convert(found.encode(), "text")
    assert made.text == became
    assert [change.code for change in made.changes] == codes
    assert all(change.place is not None for change in made.changes)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60))
def test_what_is_clean_stays_clean_and_each_character_keeps_its_place(text: str) -> None:
    block = [Char(c, Line(1, at, at + 1)) for at, c in enumerate(text)]
    changes = []
    made = clean(block, changes)
    assert plain(clean(made, [])) == plain(made)
    assert (plain(made) == text) == (not changes)
    if not any(ord(c) > 0x2FF for c in text):
        assert unicodedata.is_normalized("NFC", plain(made))
    for char in made:
        start, end = char.place.start, char.place.end
        source = unicodedata.normalize("NFC", text[start:end])
        assert char.text in (source, "\n") or char.text in source or not source.isascii()


def test_ranges_name_the_lines() -> None:
    made = convert(b"Eins\r\n\r\nZwei drei\nvier", "text")
    assert [(made.text[r.start : r.end], r.place.line) for r in made.ranges] == [
        ("Eins\n", 1),
        ("\n", 2),
        ("Zwei drei\n", 3),
        ("vier", 4),
    ]


def test_markdown() -> None:
    source = (
        "---\ntitle: erfunden\n---\n# Dichtung\nText mit **Nachdruck**\nund zweiter Zeile.\n***\n"
        "- eins\n- zwei\n\n## Momente ##\nTabelle 2 – erfunden\n\n"
        "| Gewinde | Moment in Nm |\n|:---|---:|\n| M8 | 21 |\n| M10 | 42 | zu viel |\n| a\\|b |\n\n"
        "```\ncode = 1\n\nnoch\n```\nEnde | kein | Strich\n"
    )
    made = convert(source.encode(), "markdown")
    assert made.text.split("\n\n") == [
        "Dichtung",
        "Text mit **Nachdruck**\nund zweiter Zeile.",
        "- eins\n- zwei",
        "Momente",
        "Tabelle 2 – erfunden",
        "Tabelle 2 – erfunden · Gewinde: M8 | Moment in Nm: 21",
        "Tabelle 2 – erfunden · Gewinde: M10 | Moment in Nm: 42",
        "Tabelle 2 – erfunden · Gewinde: a\\|b",
        "code = 1",
        "noch",
        "Ende | kein | Strich",
    ]
    assert [c.code for c in made.changes] == ["FRONT_MATTER"]
    value = made.text.index("42")
    [cell] = [c.cell for c in made.cells if c.start <= value < c.end]
    assert (cell.table, cell.row, cell.column) == (1, 3, 2)
    [place] = [r.place for r in made.ranges if r.start <= value < r.end]
    assert source.splitlines()[place.line - 1].startswith("| M10 | 42")


def test_a_note_below_a_markdown_table_goes_with_its_row() -> None:
    made = convert("| A | B |\n|---|---|\n| x | 1 ¹ |\n| y | 2 |\n\n¹ trocken\n\nWeiter".encode(), "markdown")
    assert made.text.split("\n\n") == ["A: x | B: 1 ¹ · ¹ trocken", "A: y | B: 2", "¹ trocken", "Weiter"]


def test_a_row_of_units_in_markdown() -> None:
    made = convert(b"| A | B |\n|---|---|\n| Einheit | kN/m |\n| x | 1 |\n", "markdown")
    assert made.text == "A / Einheit: x | B / kN/m: 1"


@pytest.mark.parametrize(
    ("raw", "kind", "code"),
    [
        ("für".encode("latin-1"), "text", "encoding"),
        (b"a\0b", "text", "unsupported"),
        (b" \n\n ", "text", "no_text"),
        (b"", "markdown", "no_text"),
        (b"\xff\xfeA", "text", "encoding"),
    ],
)
def test_what_is_no_text_is_refused_by_name(raw: bytes, kind: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        convert(raw, kind)
    assert caught.value.refusal.code == code
    assert caught.value.refusal.remedy in str(caught.value)


def test_utf_16_with_its_mark_is_text() -> None:
    assert convert("Größe".encode("utf-16"), "text").text == "Größe"


def test_a_hyphen_goes_by_the_document_s_own_words() -> None:
    assert hyphen_goes("die Gleitring", "dichtung", Counter())
    assert not hyphen_goes("der Not", "aus", Counter({"not-aus": 1}))
    assert not hyphen_goes("Seite 4", "mal", Counter())
