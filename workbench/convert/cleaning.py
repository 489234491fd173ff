"""Text made searchable, with a list of what was changed; places stay with their characters (contract 2.11).

Line ends become line feeds, accents are composed (NFC), ligatures become their letters, invisible characters go, words
parted at a line end are joined. Nothing else is touched: no case, no punctuation, no spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from workbench.convert.places import Block, Change, Char, join_places, plain, strip

SUSPENDED: Final = frozenset({"und", "oder", "bzw", "sowie", "bis", "and", "or", "to"})
"""After these a hyphen at a line end stays: Ein- und Ausgang."""
HYPHENS: Final = "-\u2010\u00ad"
_INVISIBLE: Final = {
    "\u00ad": "SOFT_HYPHEN",
    **dict.fromkeys("\u180e\u200b\u2060\u2061\u2062\u2063\u2064\ufeff", "ZERO_WIDTH"),
    **dict.fromkeys("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", "DIRECTION_MARK"),
}
_JOINERS: Final = "\u200c\u200d"  # they mean something in other scripts, never between Latin letters
_LIGATURES: Final = dict(
    zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", ["ff", "fi", "fl", "ffi", "ffl", "st", "st"], strict=True)
)
_LINE_ENDS: Final = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def clean(block: Sequence[Char], changes: list[Change]) -> Block:
    """The block with line ends, invisible characters, ligatures and accents in order; what was changed is appended.

    >>> changes = []
    >>> plain(clean([Char(c) for c in "Dru\\u0308cke O\\ufb03zier\\r\\n"], changes)), [c.code for c in changes]
    ('Drücke Offizier\\n', ['NOT_NFC', 'LIGATURE', 'CRLF'])
    """
    if plain(block).isascii() and not any(c.text in _LINE_ENDS for c in block):
        return list(block)
    made: Block = []
    at = 0
    while at < len(block):
        char = block[at]
        after = block[at + 1].text if at + 1 < len(block) else ""
        if char.text in _LINE_ENDS:
            both = char.text == "\r" and after == "\n"
            code = "CRLF" if char.text == "\r" else "OTHER_LINE_END"
            changes.append(Change(code, char.text + ("\n" if both else ""), "\n", char.place))
            made.append(Char("\n", char.place, char.cell))
            at += 1 + both
        elif char.text in _INVISIBLE or (char.text in _JOINERS and _latin(made[-1].text if made else "")):
            code = _INVISIBLE.get(char.text, "ZERO_WIDTH")
            changes.append(Change(code, char.text, "", char.place))
            at += 1
            if char.text == "\u00ad" and after == "\n":  # the line end that it was there for
                at += 1
        elif char.text in _LIGATURES:
            changes.append(Change("LIGATURE", char.text, _LIGATURES[char.text], char.place))
            made += [Char(c, char.place, char.cell) for c in _LIGATURES[char.text]]
            at += 1
        elif char.text.isascii() and after.isascii():
            made.append(char)
            at += 1
        else:
            at = _compose(block, at, made, changes)
    return made


def _latin(character: str) -> bool:
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN")


def _compose(block: Sequence[Char], at: int, made: Block, changes: list[Change]) -> int:
    """Append the composed form of the letter at ``at`` with all that combines with it; gives where to go on."""
    found, end = block[at].text, at + 1
    while end < len(block):
        after = block[end].text
        apart = unicodedata.normalize("NFC", found) + unicodedata.normalize("NFC", after)
        if after.isascii():
            break
        if not unicodedata.combining(after) and unicodedata.normalize("NFC", found + after) == apart:
            break
        found += after
        end += 1
    became = unicodedata.normalize("NFC", found)
    if became == found:
        made += block[at:end]
    else:
        place = block[at].place
        for char in block[at + 1 : end]:
            place = (join_places(place, char.place) or place) if place and char.place else place
        changes.append(Change("NOT_NFC", found, became, place))
        made += [Char(c, place, block[at].cell) for c in became]
    return end


def words_of(texts: Iterable[str]) -> Counter[str]:
    """How often each word stands in the texts, in lower case, with its hyphens: what decides about a hyphen."""
    return Counter(word.lower() for text in texts for word in _WORD.findall(text))


def hyphen_goes(before: str, after: str, words: Counter[str]) -> bool:
    """Whether a hyphen at a line end only parts the word, ``before`` and ``after`` being the text around the break.

    It stays before a capital (Datenschutz-Grundverordnung), before a word of a list (Ein- und Ausgang), after a number
    or a capital alone, and where the document writes the whole word with a hyphen elsewhere and never without.

    >>> from collections import Counter
    >>> hyphen_goes("die Gleitring", "dichtung ist", Counter()), hyphen_goes("Ein", "und Ausgang", Counter())
    (True, False)
    """
    head = re.search(r"[^\W_]+$", before)
    tail = re.match(r"[^\W_]+", after)
    if head is None or tail is None or not tail[0][0].islower() or tail[0] in SUSPENDED:
        return False
    if not head[0][-1].islower():
        return False
    joined, parted = (head[0] + tail[0]).lower(), f"{head[0]}-{tail[0]}".lower()
    return not (words[parted] > 0 and words[joined] == 0)


def join_lines(block: Sequence[Char], words: Counter[str], changes: list[Change]) -> Block:
    """The block with words that a line end parts made whole; the other line ends stay.

    >>> changes = []
    >>> plain(join_lines([Char(c) for c in "Gleitring-\\ndichtung"], Counter(), changes)), [c.found for c in changes]
    ('Gleitringdichtung', ['Gleitring-\\ndichtung'])
    """
    text = plain(block)
    gone: set[int] = set()
    for found in re.finditer(r"(?<=[^\W\d_])[-\u2010]\n", text):
        before, after = text[max(0, found.start() - 60) : found.start()], text[found.end() : found.end() + 60]
        if hyphen_goes(before, after, words):
            gone |= {found.start(), found.start() + 1}
            note_join(before, "\n" + after, block[found.start()], changes)
    return [char for at, char in enumerate(block) if at not in gone] if gone else list(block)


def note_join(before: str, after: str, hyphen: Char, changes: list[Change]) -> None:
    """Record that the word around a line end was made whole."""
    head = re.search(r"[^\W_]+$", before)
    tail = re.match(r"\n?[^\W_]+", after)
    left, right = head[0] if head else "", tail[0] if tail else ""
    changes.append(Change("HYPHENATION", f"{left}-{right}", left + right.lstrip("\n"), hyphen.place))


SUPERSCRIPTS: Final = dict(zip("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻", strict=True))
_RAISED: Final = re.compile(r"[+\-\u2212\u2013]?\d{1,3}\)?")
LONG_WORD: Final = re.compile(r"[^\W\d_]{4}$")
"""Behind a word of four letters or more a raised number is the mark of a note, not part of a unit."""


def superscript(block: Sequence[Char], before: str, changes: list[Change]) -> Block:
    """A raised number as superscripts, each sign listed; anything else that is raised stays.

    A raised number would otherwise be part of the number ``before`` it: ``10³`` is no ``103``.

    >>> changes = []
    >>> plain(superscript([Char("3")], "10", changes)), plain(superscript([Char("1")], "Drehzahl", changes))
    ('³', ' ¹')
    """
    if not _RAISED.fullmatch(plain(block).strip()):
        return list(block)
    made: Block = [Char(" ")] if LONG_WORD.search(before) else []
    for char in strip(block):
        became = SUPERSCRIPTS.get(char.text, char.text)
        if became != char.text:
            changes.append(Change("SUPERSCRIPT", char.text, became, char.place))
        made.append(Char(became, char.place, char.cell))
    return made
