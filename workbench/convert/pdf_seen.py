"""What the text layer holds and the page does not show: white on white, under a bar, beyond the page's edge.

A reader who compares a citation with its page would look for it in vain, and what somebody hid is not what the document
says. Each word's box is looked at in the rendered page: where nothing contrasts, there is nothing to see.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import pypdfium2.raw as pdfium

from workbench.convert.pdf_glyphs import Page, Source, Word
from workbench.convert.pdf_lines import lines
from workbench.convert.places import Box, Change, around
from workbench.convert.refusals import refuse

SCALE: Final = 1.5
MOST_PIXELS: Final = 4_000_000
CONTRAST: Final = 10
"""Of 255; light grey on white has more."""
HIDDEN_SHARE: Final = 0.25
HIDDEN_LEAST: Final = 100
_VISIBLE: Final = {pdfium.FPDF_ANNOT_FREETEXT: "Contents", pdfium.FPDF_ANNOT_WIDGET: "V"}


def hidden(source: Source, page: Page) -> frozenset[Word]:
    """The words of the page's text layer that the page as it is drawn does not show."""
    words = [*page.words, *(word for part in page.turned for word in part)]
    if not words:
        return frozenset()
    drawn = source.document[page.number - 1]
    width, height = drawn.get_size()
    scale = min(SCALE, math.sqrt(MOST_PIXELS / max(width * height, 1.0)))
    bitmap = drawn.render(scale=scale, force_bitmap_format=pdfium.FPDFBitmap_BGRx)
    pixels = bytes(bitmap.buffer)
    boxes = {word: around([glyph.box for glyph in word.glyphs]) for word in words}
    # A second, wider look, since some fonts' boxes are not where their letters are: in doubt it is to be seen.
    return frozenset(
        word for word, box in boxes.items() if not any(_contrasts(pixels, bitmap, drawn, box, by) for by in (0.0, 1.0))
    )


def _contrasts(pixels: bytes, bitmap: Any, page: Any, box: Box, by: float) -> bool:
    xs, ys = [], []
    for x, y in ((box.x0 - by, box.y0 - by), (box.x1 + by, box.y1 + by)):
        right, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, bitmap.width, bitmap.height, 0, x, y, right, down)
        xs.append(min(max(right.value, 0), bitmap.width))
        ys.append(min(max(down.value, 0), bitmap.height))
    low, high = [255] * 3, [0] * 3
    for y in range(min(ys), min(max(ys) + 1, bitmap.height)):
        row = pixels[y * bitmap.stride + 4 * min(xs) : y * bitmap.stride + 4 * min(max(xs) + 1, bitmap.width)]
        for channel in range(3):
            part = row[channel::4]
            if part:
                low[channel], high[channel] = min(low[channel], min(part)), max(high[channel], max(part))
                if high[channel] - low[channel] > CONTRAST:
                    return True
    return False


def without(page: Page, gone: frozenset[Word], changes: list[Change]) -> Page:
    """The page without the words that are not to be seen, each line of them listed; Refused where they are many."""
    if not gone:
        return page
    lost = sum(len(word.glyphs) for word in gone)
    letters = sum(1 for _ in page.glyphs())
    if lost >= HIDDEN_LEAST and lost > HIDDEN_SHARE * letters:
        message = f"{lost} of the {letters} letters of its text layer are not to be seen"
        raise refuse("hidden_text", message, page=page.number)
    for line in lines(gone):
        box = around([glyph.box for word in line for glyph in word.glyphs])
        changes.append(Change("HIDDEN", " ".join(word.text for word in line), "", box))

    def kept(words: Iterable[Word]) -> tuple[Word, ...]:
        return tuple(word for word in words if word not in gone)

    return replace(page, words=kept(page.words), turned=tuple(kept(part) for part in page.turned))


def laid_over(source: Source, number: int) -> list[Change]:
    """Filled form fields and texts laid over the page: shown, but in no text layer, so each is listed."""
    held = source.document[number - 1]  # closed with its last reference
    page = held.raw
    found: list[Change] = []
    for at in range(min(pdfium.FPDFPage_GetAnnotCount(page), 10_000)):
        note = pdfium.FPDFPage_GetAnnot(page, at)
        if not note:
            continue
        key = _VISIBLE.get(pdfium.FPDFAnnot_GetSubtype(note))
        text = _string(note, key) if key is not None else ""
        if text.strip():
            place = pdfium.FS_RECTF()
            pdfium.FPDFAnnot_GetRect(note, place)
            box = Box(number, *(round(v, 2) for v in (place.left, place.bottom, place.right, place.top)))
            found.append(Change("LAID_OVER", text, "", box))
        pdfium.FPDFPage_CloseAnnot(note)
    return found


def _string(note: Any, key: str) -> str:
    size = min(pdfium.FPDFAnnot_GetStringValue(note, key.encode(), None, 0), 100_000)
    buffer = ctypes.create_string_buffer(max(size, 2))
    pdfium.FPDFAnnot_GetStringValue(note, key.encode(), ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0")
