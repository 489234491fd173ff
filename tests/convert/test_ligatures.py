"""Ligatures of which the text layer keeps one letter: made whole where the font names them, refused elsewhere."""

import pytest

from tests.convert.pdf_made import Pdf, line, stream
from workbench.convert.files import convert
from workbench.convert.places import Box, Converted
from workbench.convert.refusals import Refused

# Helvetica's widths of the printable letters, in thousandths; all texts invented.
ALONE = dict(zip("abcdefghijklmnopqrstuvwxyz", (
    556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833,
    556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500), strict=True))  # fmt: skip
TEXT = [
    "die O\x1fzin prüft im Blick, wie dicht die Dichtung im Ringspalt sitzt und liegt",
    "im Licht wird die Skizze mit dem Stift \x1fxiert und die Pro\x1fle sind geprüft",
    "nichts wird ohne Pro\x1flbild in die Schicht gegeben, wie es die Richtlinie will",
]


def made(encoding: bytes, *, mapped: str = "i", lines: list[str] = TEXT, width: int = 500) -> bytes:
    """A page in a font whose sign 31 is as wide as two letters, and whose text layer gives one letter for it."""
    widths = [width] + [278] * 65
    widths += [ALONE.get(chr(code).lower(), 556) for code in range(97, 256)]
    # PDF strings hold the codes as they are; WinAnsi has all of these letters at their own place.
    maps = b"\n".join(b"<%02x> <%04x>" % (code, code) for code in (*range(32, 127), 0xFC))
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def /CMapName /X def\n"
        b"1 begincodespacerange <00> <ff> endcodespacerange\n97 beginbfchar\n<1f> <%04x>\n%s\nendbfchar\n"
        b"endcmap end end" % (ord(mapped), maps)
    )
    font = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Muster /FirstChar 31 /LastChar 255 /Widths [%s]"
        b" /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Muster /Flags 32 /Ascent 718 /Descent -207"
        b" /CapHeight 718 /StemV 88 /ItalicAngle 0 /FontBBox [-166 -225 1000 931] >> /Encoding %s /ToUnicode %d 0 R >>"
        % (" ".join(map(str, widths)).encode(), encoding, 6)
    )
    content = b"".join(line(60, 780 - 20 * n, text) for n, text in enumerate(lines))
    return Pdf([content], fonts={"F1": font}, more=[stream(cmap)]).made()


NAMED = b"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [31 /f_i] >>"
UNNAMED = b"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [31 /g31] >>"


def lost(found: Converted) -> list[tuple[str, str]]:
    return [(c.found, c.became) for c in found.changes if c.code == "LOST_LETTERS"]


@pytest.mark.parametrize("encoding", [NAMED, NAMED.replace(b"/f_i", b"/f_i.alt"), NAMED.replace(b"/f_i", b"/fi")])
def test_what_the_font_names_is_made_whole_and_listed(encoding: bytes) -> None:
    found = convert(made(encoding), "pdf")
    for word in ("Ofizin", "fixiert", "Profile", "Profilbild", "Blick", "Richtlinie"):
        assert word in found.text
    assert lost(found) == [("i", "fi")] * 4
    first = next(c.place for c in found.changes if c.code == "LOST_LETTERS")
    assert isinstance(first, Box)
    at = found.text.index("Ofi") + 1
    boxes = [r.place for r in found.ranges if r.start <= at < r.end]
    assert all(b.x0 <= first.x0 and first.x1 <= b.x1 for b in boxes)


def test_the_first_letter_may_be_the_one_that_is_left() -> None:
    found = convert(made(NAMED, mapped="f"), "pdf")
    assert "Profilbild" in found.text
    assert lost(found) == [("f", "fi")] * 4


def test_what_nobody_names_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        convert(made(UNNAMED), "pdf")
    assert caught.value.refusal.code == "lost_letters"
    assert caught.value.refusal.page == 1


def test_a_text_layer_that_gives_all_letters_is_left_alone() -> None:
    raw = made(NAMED, lines=[text.replace("\x1f", "fi") for text in TEXT])
    found = convert(raw, "pdf")
    assert "Profilbild" in found.text
    assert lost(found) == []


def test_a_wide_letter_alone_is_no_ligature() -> None:
    """The name says fi, but the sign is as narrow as an i: then it is one."""
    found = convert(made(NAMED, width=222), "pdf")
    assert lost(found) == []
    assert "Oizin" in found.text


def test_stretched_lettering_is_no_loss() -> None:
    """Where all letters of a font are wide here and there, it is the lettering that is wide."""
    plain = [text.replace("\x1f", "fi") for text in TEXT]
    content = b"".join(line(60, 780 - 20 * n, text) for n, text in enumerate(plain))
    content += b"".join(
        line(30, 680 - 20 * n, text[:30]).replace(b" Tm ", b" Tm 170 Tz ") + b"BT 100 Tz ET\n"
        for n, text in enumerate(plain)
    )
    found = convert(Pdf([content]).made(), "pdf")
    assert found.text.count("Profilbild") == 2
