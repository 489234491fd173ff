"""PDFs made for the tests, byte by byte: what no library would write is the very subject here."""

import zlib
from dataclasses import dataclass, field

PAGE = (595, 842)


def shown(text: str) -> bytes:
    """The text as a PDF string in WinAnsi."""
    raw = text.encode("cp1252")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


def line(x: float, y: float, text: str, *, size: float = 11, font: str = "F1") -> bytes:
    return b"BT /%s %g Tf 1 0 0 1 %g %g Tm %s Tj ET\n" % (font.encode(), size, x, y, shown(text))


def turned(x: float, y: float, text: str, *, size: float = 11) -> bytes:
    """Text that runs upwards."""
    return b"BT /F1 %g Tf 0 1 -1 0 %g %g Tm %s Tj ET\n" % (size, x, y, shown(text))


def glued(x: float, y: float, text: str, *, size: float = 11) -> bytes:
    """Words set apart by moving on, without a space between them."""
    parts = b" -300 ".join(shown(word) for word in text.split())
    return b"BT /F1 %g Tf 1 0 0 1 %g %g Tm [%s] TJ ET\n" % (size, x, y, parts)


def rule(x0: float, y0: float, x1: float, y1: float) -> bytes:
    return b"%g %g m %g %g l S\n" % (x0, y0, x1, y1)


def ruled_table(x: float, y: float, rows: list[list[str]], *, wide: float = 120, high: float = 20) -> bytes:
    """A table with all its lines, its upper left corner at x, y."""
    columns = len(rows[0])
    made = b"".join(rule(x, y - high * r, x + wide * columns, y - high * r) for r in range(len(rows) + 1))
    made += b"".join(rule(x + wide * c, y, x + wide * c, y - high * len(rows)) for c in range(columns + 1))
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            made += line(x + wide * c + 4, y - high * r - 14, text)
    return made


HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


@dataclass
class Pdf:
    """A PDF of one or more pages of drawing commands."""

    pages: list[bytes]
    fonts: dict[str, bytes] = field(default_factory=lambda: {"F1": HELVETICA})
    page_keys: bytes = b""
    trailer: bytes = b""
    more: list[bytes] = field(default_factory=list)
    compressed: bool = True
    resources: bytes = b""

    def made(self) -> bytes:
        objects: list[bytes] = [b"", b""]
        fonts = b"/Font << "
        for name, font in self.fonts.items():
            objects.append(font)
            fonts += b"/%s %d 0 R " % (name.encode(), len(objects))
        fonts += b">>"
        kids = b""
        for content in self.pages:
            objects.append(stream(content, compressed=self.compressed))
            box = b"/MediaBox [0 0 %d %d]" % PAGE if b"/MediaBox" not in self.page_keys else b""
            objects.append(
                b"<< /Type /Page /Parent 2 0 R %s /Contents %d 0 R /Resources << %s %s >> %s >>"
                % (box, len(objects), fonts, self.resources, self.page_keys)
            )
            kids += b"%d 0 R " % len(objects)
        objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
        objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(self.pages))
        objects += self.more
        return assembled(objects, self.trailer)


def stream(content: bytes, keys: bytes = b"", *, compressed: bool = True) -> bytes:
    if compressed:
        content, keys = zlib.compress(content), keys + b" /Filter /FlateDecode"
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), keys, content)


def assembled(objects: list[bytes], trailer: bytes = b"") -> bytes:
    made = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    return made + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        trailer,
        start,
    )


# What a sound page holds; all of it invented.
SENTENCES = [
    "Vor dem Wiederanlauf einer Kreiselpumpe prüfen zwei Personen die Freigabe.",
    "Das Anzugsmoment der Gehäuseschrauben steht in der folgenden Tabelle; es ist erfunden.",
    "Nach dem ersten Warmlauf wird mit dem vollen Moment nachgezogen, sofern nichts anderes gilt.",
    "Jede Abweichung wird im Schichtbuch vermerkt und der nächsten Schicht mündlich übergeben.",
]
BROKEN = ["Vor dem Wiederanlauf einer Kreiselpumpe prüfen zwei Personen die", "Freigabe; das Moment ist erfunden."]
TABLE = [["Gewinde", "Moment in Nm", "Kraft in kN"], ["M8", "21", "14,6"], ["M10", "42", "23,1"]]


def sound() -> bytes:
    """A page with a heading, two paragraphs and a ruled table."""
    content = line(60, 780, "4.2 Anziehen", size=16)
    content += line(60, 740, BROKEN[0]) + line(60, 726, BROKEN[1])
    content += line(60, 690, SENTENCES[2])
    content += ruled_table(60, 650, TABLE)
    return Pdf([content]).made()
