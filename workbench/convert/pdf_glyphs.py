"""What stands on the pages of a PDF, glyph by glyph, as PDFium reads it: the one place that talks to pypdfium2.

A glyph keeps its box in the page's own coordinates and gets a second one in reading position: turned so that the
page's main direction of writing runs from left to right, ``top`` growing downwards.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from workbench.convert.limits import Limits
from workbench.convert.places import Box
from workbench.convert.refusals import refuse

LIBRARY: Final = ("pypdfium2", str(pypdfium2.version.PYPDFIUM_INFO))
END_HYPHENS: Final = "\x02\ufffe"
"""What PDFium gives for a hyphen at a line end."""
_NAME: Final = 128
_COPY: Final = 1 << 4


class Glyph(NamedTuple):
    """A letter on a page: its box there, its box in reading position, and the font."""

    text: str
    box: Box
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    font: str
    bold: bool
    reflected: bool
    base: float
    unmapped: bool = False


class Word(NamedTuple):
    """Letters without a space between them."""

    glyphs: tuple[Glyph, ...]
    x0: float
    top: float
    x1: float
    bottom: float
    base: float

    @property
    def text(self) -> str:
        """Its letters."""
        return "".join(glyph.text for glyph in self.glyphs)

    @property
    def size(self) -> float:
        """The size of its largest letter, in points."""
        return max(glyph.size for glyph in self.glyphs)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its words in its main direction, those in other ones, and what decides whether they can be trusted."""

    number: int
    turn: int
    bounds: tuple[float, float, float, float]
    words: tuple[Word, ...]
    turned: tuple[tuple[Word, ...], ...]
    spaces: int
    gaps: int
    picture_share: float
    others: int

    def glyphs(self) -> Iterator[Glyph]:
        """All letters of the page."""
        for words in (self.words, *self.turned):
            for word in words:
                yield from word.glyphs


class Source:
    """An open PDF; use it as a context."""

    def __init__(self, raw: bytes, limits: Limits, *, encrypted: bool = False) -> None:
        try:
            self.document = pypdfium2.PdfDocument(raw)
        except pypdfium2.PdfiumError:  # its reason may be an earlier file's
            if encrypted:
                raise refuse("encrypted", "it needs a password") from None
            raise refuse("damaged", "it cannot be opened") from None
        revision = pdfium.FPDF_GetSecurityHandlerRevision(self.document.raw)
        if revision >= 0 and not pdfium.FPDF_GetDocPermissions(self.document.raw) & _COPY:
            raise refuse("encrypted", "its author does not permit taking text out of it")
        if len(self.document) > limits.pages:
            raise refuse("too_many_pages", f"it has {len(self.document)} pages")
        if not len(self.document):
            raise refuse("damaged", "it has no page")

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.document.close()

    def __len__(self) -> int:
        return len(self.document)

    def page(self, number: int) -> Page:
        """The page of this number, from 1; Refused where it cannot be read."""
        try:
            page = self.document[number - 1]
            text = page.get_textpage()
        except pypdfium2.PdfiumError:
            raise refuse("damaged", "the page cannot be read", page=number) from None
        return _read(page, text, number)


def _read(page: Any, text: Any, number: int) -> Page:
    raws = list(_raw_glyphs(text.raw, number))
    angles = Counter(angle for kind, angle, _ in raws if kind == "glyph")
    turn = angles.most_common(1)[0][0] if angles else 0
    others = sorted(angle for angle in angles if angle != turn)
    pictures, objects = _objects(page)
    return Page(
        number,
        turn,
        turned(page.get_bbox(), turn),
        tuple(_words(raws, turn)),
        tuple(tuple(_words(raws, angle)) for angle in others),
        sum(kind == "space" for kind, _, _ in raws),
        sum(kind == "gap" for kind, _, _ in raws),
        pictures,
        objects,
    )


def _raw_glyphs(text: Any, number: int) -> Iterator[tuple[str, int, Glyph | None]]:
    """Glyphs, spaces and breaks in PDFium's order, each with its direction in quarters of a turn times 90."""
    rectangle, buffer, flags = pdfium.FS_RECTF(), ctypes.create_string_buffer(_NAME), ctypes.c_int()
    across, up, matrix = ctypes.c_double(), ctypes.c_double(), pdfium.FS_MATRIX()
    for at in range(pdfium.FPDFText_CountChars(text)):
        code = pdfium.FPDFText_GetUnicode(text, at)
        character = chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        generated = pdfium.FPDFText_IsGenerated(text, at) == 1
        if character.isspace() and character not in END_HYPHENS:
            yield ("break" if character in "\r\n" else "gap" if generated else "space"), 0, None
            continue
        if generated and character not in END_HYPHENS:
            continue
        if code == 0:
            character = "\ufffd"
        elif character in END_HYPHENS:
            character = "-"
        pdfium.FPDFText_GetLooseCharBox(text, at, rectangle)
        degrees = math.degrees(max(0.0, pdfium.FPDFText_GetCharAngle(text, at)))
        angle = -round(degrees / 90) * 90 % 360  # PDFium counts clockwise
        pdfium.FPDFText_GetCharOrigin(text, at, across, up)
        base = turned((across.value, up.value, across.value, up.value), angle)[1]
        pdfium.FPDFText_GetFontInfo(text, at, buffer, _NAME, flags)
        font = buffer.value.decode("utf-8", "replace")
        bold = "bold" in font.lower() or "black" in font.lower() or pdfium.FPDFText_GetFontWeight(text, at) >= 600
        x0, x1 = sorted((rectangle.left, rectangle.right))
        y0, y1 = sorted((rectangle.bottom, rectangle.top))
        box = Box(number, *(round(v, 2) for v in (x0, y0, x1, y1)))
        unmapped = pdfium.FPDFText_HasUnicodeMapError(text, at) == 1 or character == "\ufffd"
        yield (
            "glyph",
            angle,
            Glyph(
                character,
                box,
                *turned(box, angle),
                _size(text, at, matrix) or turned(box, angle)[3] - turned(box, angle)[1],
                font,
                bold,
                matrix.a * matrix.d - matrix.b * matrix.c < 0,
                base,
                unmapped,
            ),
        )


def _size(text: Any, at: int, matrix: Any) -> float:
    """The lettering's size on the page: fonts' own boxes may be twice as high, and overlap the lines around them."""
    if not pdfium.FPDFText_GetMatrix(text, at, matrix):
        return 0.0
    return float(abs(pdfium.FPDFText_GetFontSize(text, at)) * math.hypot(matrix.c, matrix.d))


def turned(box: Sequence[float], angle: int) -> tuple[float, float, float, float]:
    """A box in reading position: ``x0, top, x1, bottom`` for writing that runs at this angle on the page.

    >>> turned(Box(1, 10, 20, 30, 25), 0), turned(Box(1, 10, 20, 30, 25), 90)
    ((10, -25, 30, -20), (20, 10, 25, 30))
    """
    x0, y0, x1, y1 = box[-4:]
    if angle == 90:
        return y0, x0, y1, x1
    if angle == 180:
        return -x1, y0, -x0, y1
    if angle == 270:
        return -y1, -x1, -y0, -x0
    return x0, -y1, x1, -y0


def _words(raws: list[tuple[str, int, Glyph | None]], angle: int) -> Iterator[Word]:
    current: list[Glyph] = []
    for _, turn, glyph in raws:
        if glyph is None:
            if current:
                yield word(current)
                current = []
        elif turn == angle:
            if current and not _touches(current[-1], glyph):
                yield word(current)
                current = []
            current.append(glyph)
    if current:
        yield word(current)


def _touches(left: Glyph, right: Glyph) -> bool:
    """Whether two letters that PDFium has next to each other are neighbours on the page too."""
    high = max(left.size, right.size, 1.0)
    return abs(left.base - right.base) < 0.6 * high and -high < right.x0 - left.x1 < 0.9 * high


def word(glyphs: Sequence[Glyph]) -> Word:
    """The word that these letters make."""
    return Word(
        tuple(glyphs),
        min(g.x0 for g in glyphs),
        min(g.top for g in glyphs),
        max(g.x1 for g in glyphs),
        max(g.bottom for g in glyphs),
        median(g.base for g in glyphs),
    )


def _objects(page: Any) -> tuple[float, int]:
    """The share of the page that its largest picture covers, and how many objects draw on it."""
    width, height = page.get_size()
    share, count = 0.0, 0
    for thing in page.get_objects(max_depth=3):
        count += 1
        if thing.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            try:
                x0, y0, x1, y1 = thing.get_bounds()
            except pypdfium2.PdfiumError:
                continue
            share = max(share, abs((x1 - x0) * (y1 - y0)) / max(width * height, 1))
        if count >= 20_000:
            break
    return share, count
