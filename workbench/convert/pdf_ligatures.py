"""Ligatures whose text layer keeps one of their letters only: made whole where the font names them, refused elsewhere.

Some programs write ``i`` for a drawn ``fi`` and ``h`` for ``Th``. Both readers believe it, so comparing them shows
nothing; but the letter is drawn as wide as two, and a font's own encoding may still call it ``f_i``. Names are read as
the Adobe Glyph List's specification says (section 2); PDF 1.7 (ISO 32000-1), 9.6.6, 9.10.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pdfminer.pdffont import PDFUnicodeNotDefined
from pdfminer.pdftypes import resolve1
from pdfminer.psparser import literal_name

from workbench.convert.pdf_glyphs import Glyph, Page, Word
from workbench.convert.places import Change
from workbench.convert.refusals import refuse

_KNOWN: Final = frozenset({"ff", "fi", "fl", "ffi", "ffl", "fj", "ft", "Th"})
_PARTS: Final = re.compile(r"[A-Za-z](?:_[A-Za-z])+")
_TAG: Final = re.compile(r"^[A-Z]{6}\+")
_DEEPEST: Final = 4
WIDE: Final = 1.35
"""A letter this many times as wide as it usually is in its font is not drawn as that letter alone."""
WIDE_LEAST: Final = 3
USUAL_LEAST: Final = 10


class Named(NamedTuple):
    """What a font says of one of its signs: the letters of its name, what its text layer gives, both widths.

    Widths are shares of the lettering's size; ``usual`` is that of the letter by itself, or ``None``.
    """

    whole: str
    given: str
    width: float
    usual: float | None


def named(manager: Any, resources: Any, depth: int = 0) -> dict[str, list[Named]]:
    """For each font (without its subset's tag) the ligatures that lose letters; ``manager`` is pdfminer's of fonts."""
    found: defaultdict[str, list[Named]] = defaultdict(list)
    held = resolve1(resources) or {}
    for reference in (resolve1(held.get("Font")) or {}).values():
        spec = resolve1(reference)
        if not isinstance(spec, Mapping) or not isinstance(resolve1(spec.get("Encoding")), Mapping):
            continue
        font = manager.get_font(getattr(reference, "objid", None), spec)
        found[_TAG.sub("", str(getattr(font, "fontname", "")))] += _of_font(font, resolve1(spec["Encoding"]))
    for reference in (resolve1(held.get("XObject")) or {}).values() if depth < _DEEPEST else ():
        form = getattr(resolve1(reference), "attrs", {})
        if "Resources" in form:
            for name, more in named(manager, form["Resources"], depth + 1).items():
                found[name] += more
    return {name: more for name, more in found.items() if more}


def _of_font(font: Any, encoding: Mapping[str, Any]) -> Iterator[Named]:
    code, names = 0, {}
    for item in resolve1(encoding.get("Differences")) or []:
        if isinstance(item, int):
            code = item
        else:
            names[code] = literal_name(item).partition(".")[0]
            code += 1
    usual = {_given(font, code): float(font.char_width(code)) for code in range(256) if code not in names}
    for code, name in names.items():
        whole = name.replace("_", "") if _PARTS.fullmatch(name) else name if name in _KNOWN else ""
        given = _given(font, code)
        if len(whole) > len(given) == 1 and given in (whole[0], whole[-1]):
            yield Named(whole, given, float(font.char_width(code)), usual.get(given))


def _given(font: Any, code: int) -> str:
    try:
        return str(font.to_unichr(code))
    except (PDFUnicodeNotDefined, KeyError, TypeError, ValueError):
        return ""


def restored(page: Page, fonts: Mapping[str, Sequence[Named]], changes: list[Change]) -> Page:
    """The page with the ligatures whole that a font names; each is listed as a change."""
    if not fonts:
        return page
    narrowest: dict[tuple[str, str], float] = {}
    for glyph in page.glyphs():
        key = _TAG.sub("", glyph.font), glyph.text
        narrowest[key] = min(narrowest.get(key, _width(glyph)), _width(glyph))

    def whole(word: Word) -> Word:
        made: list[Glyph] = []
        for glyph, shared in zip(word.glyphs, _shared(word), strict=True):
            font = _TAG.sub("", glyph.font)
            options = [option for option in fonts.get(font, ()) if option.given == glyph.text]
            letters = _letters(glyph, options, narrowest[font, glyph.text]) if options and not shared else ""
            if letters:
                changes.append(Change("LOST_LETTERS", glyph.text, letters, glyph.box))
                made += [glyph._replace(text=letter) for letter in letters]
            else:
                made.append(glyph)
        return word._replace(glyphs=tuple(made))

    return replace(
        page,
        words=tuple(map(whole, page.words)),
        turned=tuple(tuple(map(whole, part)) for part in page.turned),
    )


def _width(glyph: Glyph) -> float:
    """A letter's width as a share of the lettering's size; what hangs over, as of an f, is drawn and so counts."""
    return (glyph.x1 - glyph.x0) / max(glyph.size, 0.01)


def _letters(glyph: Glyph, options: Sequence[Named], narrowest: float) -> str:
    """The letters of the ligature that a glyph is, as its width says; empty for the letter by itself."""
    width = _width(glyph)
    fitting = [(abs(width - option.width), option.whole) for option in options]
    alone = [option.usual for option in options if option.usual is not None]
    if all(abs(narrowest - option.width) > 0.02 for option in options):
        alone.append(narrowest)  # else the page has the ligature only
    return min([*((abs(width - usual), "") for usual in alone), *fitting])[1]


def _shared(word: Word) -> list[bool]:
    """Whether each letter shares its box with a neighbour: a ligature that the reader took apart itself."""
    boxes = [glyph.box for glyph in word.glyphs]
    return [box in (*boxes[max(0, at - 1) : at], *boxes[at + 1 : at + 2]) for at, box in enumerate(boxes)]


def need_whole(pages: Sequence[Page]) -> None:
    """Refuse where letters are drawn as wide as two and nothing says which ones they are.

    Fonts that are stretched here and there have wide letters of all kinds and are none of these.
    """
    widths: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    where: dict[tuple[str, str], int] = {}
    for page in pages:
        for word in (*page.words, *(w for part in page.turned for w in part)):
            for glyph, shared in zip(word.glyphs, _shared(word), strict=True):
                if not shared and glyph.size > 0 and glyph.text.isascii() and glyph.text.isalpha():
                    key = glyph.font, glyph.text
                    width = round(100 * _width(glyph))
                    widths[key][width] += 1
                    if key not in where and width > WIDE * widths[key].most_common(1)[0][0]:
                        where[key] = page.number
    wide: Counter[tuple[str, str]] = Counter()
    for key, found in widths.items():
        usual, count = found.most_common(1)[0]
        if count >= USUAL_LEAST:
            wide[key] = sum(n for width, n in found.items() if width > WIDE * usual)
    for font in {font for font, _ in widths}:
        lost = {letter: wide[font, letter] for letter in "fijlth" if wide[font, letter]}
        others = sum(n for (name, letter), n in wide.items() if name == font and letter not in "fijlth")
        if sum(lost.values()) >= WIDE_LEAST and others == 0:
            message = f"{sum(lost.values())} letters ({', '.join(sorted(lost))}) are drawn as wide as two"
            raise refuse("lost_letters", message, page=min(where.get((font, letter), 1) for letter in lost))
