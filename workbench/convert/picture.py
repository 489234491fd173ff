"""The page of a PDF as a picture, with the quote marked: what a reader compares a citation with."""

from __future__ import annotations

import ctypes
import io
import math
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from workbench.convert.cited import Cited, source_bytes
from workbench.convert.places import Box
from workbench.errors import InputError

MARK: Final = (255, 214, 0)
COVER: Final = (200, 200, 200)
MOST_PIXELS: Final = 40_000_000
SCALE: Final = 1.5
FITTING: Final = 2_000_000
"""Without a scale a page has at most so many pixels; at 1.5 pixels a point A4 has 1.1 million."""


def page_picture(
    corpus_folder: str | Path, cited: Cited, *, page: int | None = None, scale: float | None = SCALE
) -> bytes:
    """The page (by default the quote's first) as PNG bytes, the boxes of the quote marked in yellow.

    Where other parts of the document stand on the page than the citation's decision allows, all of it is covered in
    grey but the lines of the allowed parts: nobody can tell which part a drawing, a photograph or a note belongs to.
    ``scale`` is pixels for each PDF point (1/72 inch); ``None`` takes less where a page is very large. Raises
    InputError for a source without pages, a page that the quote does not stand on, or a source that is missing or was
    changed. Same source, same library, same bytes.

    >>> import hashlib, tempfile
    >>> from workbench.convert.cited import place_of
    >>> from workbench.convert.folder import entries, import_files
    >>> folder = Path(tempfile.mkdtemp()) / "corpus"
    >>> files = ["data/manuals/pdf/prueffeldordnung.pdf"]
    >>> outcome = import_files(entries(files, tenant="nord", groups={"wartung"}, version="1"), folder)
    >>> text = outcome.documents[0].made.text
    >>> given = {"document_id": "prueffeldordnung", "content_sha256": hashlib.sha256(text.encode()).hexdigest()}
    >>> cited = place_of(folder, {**given, "paragraph": 2, "quote": "1 Betreten und Verhalten"})
    >>> cited, page_picture(folder, cited)[1:4]
    (Cited('prueffeldordnung', [128,152), page 1), b'PNG')
    """
    if cited.kind != "pdf":
        raise InputError("a picture of a page needs a PDF", file=cited.source, remedy="show its element or line")
    number = cited.pages[0] if page is None and cited.pages else page
    if number not in cited.pages:
        raise InputError("the quote does not stand on this page", file=cited.source, found=page)
    try:
        document = pypdfium2.PdfDocument(source_bytes(corpus_folder, cited))
        try:
            return _drawn(document, cited, number, scale)
        finally:
            document.close()
    except (pypdfium2.PdfiumError, IndexError):
        raise InputError("the page cannot be drawn", file=cited.source, found=number) from None


def _drawn(document: Any, cited: Cited, number: int, scale: float | None) -> bytes:
    shown = document[number - 1]
    width, height = shown.get_size()
    if scale is None:
        scale = min(SCALE, math.sqrt(FITTING / max(width * height, 1.0)))
    if width * height * scale * scale > MOST_PIXELS:
        raise InputError("the picture would be too large", file=cited.source, remedy="give a smaller scale")
    bitmap = shown.render(
        scale=scale,
        draw_annots=not cited.outside,  # nobody knows which part a note over the page belongs to
        rev_byteorder=True,
        force_bitmap_format=pdfium.FPDFBitmap_BGRx,
    )
    pixels = bytearray(bitmap.buffer)
    if any(box.page == number for box in cited.outside):
        pixels = _covered(pixels, bitmap, shown, [box for box in cited.inside if box.page == number])
    for boxes, colour, over in ((cited.outside, COVER, True), (cited.boxes, MARK, False)):
        for box in boxes:
            if box.page == number:
                _paint(pixels, bitmap, shown, box, colour, over=over)
    return _png(pixels, bitmap)


def _covered(pixels: bytearray, bitmap: Any, page: Any, boxes: Sequence[Box]) -> bytearray:
    """All in grey, but these boxes."""
    made = bytearray(bytes((*COVER, 255)) * (len(pixels) // 4))
    for box in boxes:
        for kept in _rows(bitmap, page, box):
            made[kept] = pixels[kept]
    return made


def _paint(pixels: bytearray, bitmap: Any, page: Any, box: Box, colour: tuple[int, int, int], *, over: bool) -> None:
    """Colour what is light within the box, so that the letters stay; or all of it."""
    tints = [bytes(tint if over else light * tint // 255 for light in range(256)) for tint in colour]
    for row in _rows(bitmap, page, box):
        for channel, tint in enumerate(tints):
            at = slice(row.start + channel, row.stop + channel, 4)
            pixels[at] = pixels[at].translate(tint)


def _rows(bitmap: Any, page: Any, box: Box) -> Iterator[slice]:
    """Where a box lies in the bitmap's bytes, row by row."""
    corners = []
    for x, y in ((box.x0, box.y0), (box.x1, box.y1)):
        right, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, bitmap.width, bitmap.height, 0, x, y, right, down)
        corners.append((right.value, down.value))
    (xa, ya), (xb, yb) = corners
    left, right_end = max(0, min(xa, xb) - 1), min(bitmap.width, max(xa, xb) + 1)
    for y in range(max(0, min(ya, yb) - 1), min(bitmap.height, max(ya, yb) + 1)):
        start = y * bitmap.stride
        yield slice(start + 4 * left, start + 4 * max(left, right_end))


def _png(pixels: bytearray, bitmap: Any) -> bytes:
    """The pixels as a PNG (ISO/IEC 15948): three channels, no filter, no time stamp."""
    rows = io.BytesIO()
    for y in range(bitmap.height):
        row = pixels[y * bitmap.stride : y * bitmap.stride + 4 * bitmap.width]
        del row[3::4]
        rows.write(b"\0" + row)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", bitmap.width, bitmap.height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows.getvalue(), 6))
        + chunk(b"IEND", b"")
    )
