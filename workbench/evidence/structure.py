"""Cuts that follow the text: sentences, characters, headings and recursive division (contract 2.6; S0, "Absätze").

Every passage is a slice, in order, and no border lies within a word, so that a passage's words are those of the text.
Units are words (runs without white space), sentences or code points; each cut says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

from workbench.contract import Spans
from workbench.evidence.cuts import Passage
from workbench.evidence.sentences import sentences
from workbench.intervals import Interval

Border = tuple[int, int]

_WORD: Final = re.compile(r"\S+")
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n\s*")
_LINE: Final = re.compile(r"\n\s*")
_HEADING: Final = re.compile(
    r"^(?:(?P<marks>#{1,6})|(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){1,5})\.?|(?P<lone>[0-9]{1,3})\.?(?=[^\S\n]+[^\W\d_]{4}))"
    r"[^\S\n]+(?=\S)(?P<title>[^\n]{1,120})$",
    re.MULTILINE,
)
_SENTENCE_END: Final = (".", "!", "?", ";", ":", ",")


def checked(size: object, overlap: object) -> None:
    """Refuse nonsense: sizes below 1, overlaps that never let a window move on."""
    if type(size) is not int or size < 1:
        raise ValueError("the size is a whole number of at least 1")
    if type(overlap) is not int or not 0 <= overlap < size:
        raise ValueError("the overlap is a whole number from 0 to below the size")


def label(name: str, size: int, overlap: int) -> str:
    """The label of a cut by size and overlap."""
    return f"{name}({size}, overlap={overlap})" if overlap else f"{name}({size})"


def windows(units: Sequence[Border], size: int, overlap: int) -> Iterator[Border]:
    """Runs of ``size`` units, each beginning ``size - overlap`` after the one before; the last reaches the end."""
    for first in range(0, len(units), size - overlap):
        last = min(first + size, len(units)) - 1
        yield units[first][0], units[last][1]
        if last == len(units) - 1:
            return


def numbered(text: str, spans: Spans | None, cut: Spanning) -> Iterator[Passage]:
    """The passages of a whole text or of given spans, each cut separately, with numbers running on."""
    whole: Iterable[Interval] = (Interval(0, len(text)),) if spans is None else spans
    borders = (border for span in whole for border in cut.borders(text, span.start, span.end))
    for number, (start, end) in enumerate(borders, 1):
        yield Passage(number, start, end)


class Spanning:
    """What these cuts share: passages by their borders within a span."""

    __slots__ = ()

    def borders(self, text: str, start: int, end: int) -> Iterator[Border]:
        """The borders of the passages of ``text[start:end]``, ascending, none of them blank."""
        raise NotImplementedError

    def passages(self, text: str, spans: Spans | None = None) -> Iterator[Passage]:
        """The searchable passages in ascending order."""
        return numbered(text, spans, self)

    def passage(self, text: str, number: int, spans: Spans | None = None) -> Passage | None:
        """The passage of this number; ``None`` where there is none."""
        return next(islice(self.passages(text, spans), number - 1, None), None) if number >= 1 else None


@dataclass(frozen=True, slots=True, repr=False)
class Sentences(Spanning):
    """Windows of ``size`` sentences; see :mod:`workbench.evidence.sentences` for where one ends.

    >>> text = "Eins ist z. B. kurz. Zwei folgt. Drei endet."
    >>> [text[p.start : p.end] for p in Sentences(2, overlap=1).passages(text)]
    ['Eins ist z. B. kurz. Zwei folgt.', 'Zwei folgt. Drei endet.']
    """

    size: int = 1
    overlap: int = 0

    def __post_init__(self) -> None:
        checked(self.size, self.overlap)

    def __repr__(self) -> str:
        return label("Sentences", self.size, self.overlap)

    def borders(self, text: str, start: int, end: int) -> Iterator[Border]:
        """Windows of sentences."""
        return windows(list(sentences(text, start, end)), self.size, self.overlap)


@dataclass(frozen=True, slots=True, repr=False)
class Characters(Spanning):
    """Windows of at most ``size`` code points that end at white space; a longer word stays whole.

    With an overlap, a window begins with the first word that starts within the last ``overlap`` code points of the one
    before.

    >>> text = "aaa bb cccc dd"
    >>> [text[p.start : p.end] for p in Characters(7).passages(text)]
    ['aaa bb', 'cccc dd']
    """

    size: int
    overlap: int = 0

    def __post_init__(self) -> None:
        checked(self.size, self.overlap)

    def __repr__(self) -> str:
        return label("Characters", self.size, self.overlap)

    def borders(self, text: str, start: int, end: int) -> Iterator[Border]:
        """Windows of code points, on word borders."""
        units = [found.span() for found in _WORD.finditer(text, start, end)]
        first = 0
        while first < len(units):
            last = first
            while last + 1 < len(units) and units[last + 1][1] - units[first][0] <= self.size:
                last += 1
            yield units[first][0], units[last][1]
            if last == len(units) - 1:
                return
            after = last + 1
            # A step forward by at least one word, however large the overlap, so that any input ends.
            while after - 1 > first and units[last][1] - units[after - 1][0] <= self.overlap:
                after -= 1
            first = after


@dataclass(frozen=True, slots=True, repr=False)
class Recursive(Spanning):
    """Pieces of at most ``size`` words: whole paragraphs where they fit, else lines, sentences, words; small neighbours
    of one level are joined.

    >>> text = "a b c d.\\n\\ne f\\n\\ng h"
    >>> [text[p.start : p.end] for p in Recursive(4).passages(text)]
    ['a b c d.', 'e f\\n\\ng h']
    """

    size: int

    def __post_init__(self) -> None:
        checked(self.size, 0)

    def __repr__(self) -> str:
        return f"Recursive({self.size})"

    def borders(self, text: str, start: int, end: int) -> Iterator[Border]:
        """Paragraphs, lines, sentences or words, joined up to the size."""
        return divided(text, start, end, self.size)


@dataclass(frozen=True, slots=True, repr=False)
class Headings(Spanning):
    """Sections from one heading to the next; one of more than ``size`` words is divided further.

    A heading is a line that starts with ``#`` marks or a decimal number, as in ``4.2 Anzugsmomente`` (a lone number
    only where it opens a paragraph), and does not end like a sentence. :meth:`path` gives the headings that a passage
    stands under.

    >>> text = "1 Pumpe\\nVorwort.\\n\\n1.1 Dichtung\\n40 Nm.\\n\\n2 Motor\\n3 kW."
    >>> [(text[p.start : p.end], Headings().path(text, p.start)) for p in Headings().passages(text)][1]
    ('1.1 Dichtung\\n40 Nm.', ('1 Pumpe', '1.1 Dichtung'))
    """

    size: int | None = None

    def __post_init__(self) -> None:
        if self.size is not None:
            checked(self.size, 0)

    def __repr__(self) -> str:
        return "Headings()" if self.size is None else f"Headings({self.size})"

    def borders(self, text: str, start: int, end: int) -> Iterator[Border]:
        """Sections, divided where they are too long."""
        starts = [start, *(at for at, _, _ in headings(text) if start < at < end), end]
        for begin, stop in pairwise(starts):
            words = [found.span() for found in _WORD.finditer(text, begin, stop)]
            if not words:
                continue
            if self.size is None or len(words) <= self.size:
                yield words[0][0], words[-1][1]
            else:
                yield from divided(text, begin, stop, self.size)

    def path(self, text: str, position: int) -> tuple[str, ...]:
        """The headings above a position of the text, outermost first, verbatim; part of how a passage is shown."""
        open_: list[tuple[int, str]] = []
        for at, level, title in headings(text):
            if at > position:
                break
            while open_ and open_[-1][0] >= level:
                open_.pop()
            open_.append((level, title))
        return tuple(title for _, title in open_)


def headings(text: str) -> Iterator[tuple[int, int, str]]:
    """The headings of a text: position, level from 1, and the line verbatim."""
    for found in _HEADING.finditer(text):
        line = found[0].strip()
        if line.endswith(_SENTENCE_END) or (found["lone"] and not _opens_paragraph(text, found.start())):
            continue  # a sentence, or a line of figures such as "40 Nm"
        number = found["number"] or found["lone"] or ""
        yield found.start(), len(found["marks"] or "") or number.count(".") + 1, line


def _opens_paragraph(text: str, position: int) -> bool:
    return not text[:position].strip() if position < 2 else text[position - 2 : position].strip() == ""


def divided(text: str, start: int, end: int, size: int) -> Iterator[Border]:
    """Pieces of at most ``size`` words, at the coarsest borders that do: blank lines, lines, sentences, words."""
    words = [found.span() for found in _WORD.finditer(text, start, end)]
    if words:
        yield from _joined(words, _pieces(text, words, 0, size), size)


def _pieces(text: str, words: Sequence[Border], level: int, size: int) -> list[int]:
    """How many words each piece of these words has, with no piece over the size."""
    if len(words) <= size:
        return [len(words)]
    if level == 3:
        return [min(size, len(words) - at) for at in range(0, len(words), size)]
    counts: list[int] = []
    for part in _split(text, words, level):
        counts.extend(_pieces(text, part, level + 1, size))
    return counts


def _split(text: str, words: Sequence[Border], level: int) -> Iterator[Sequence[Border]]:
    start, end = words[0][0], words[-1][1]
    if level == 2:
        starts = {border[0] for border in sentences(text, start, end)}
    else:
        pattern = _BLANK_LINE if level == 0 else _LINE
        starts = {found.end() for found in pattern.finditer(text, start, end)}
    first = 0
    for at in range(1, len(words)):
        if words[at][0] in starts:
            yield words[first:at]
            first = at
    yield words[first:]


def _joined(words: Sequence[Border], counts: Iterable[int], size: int) -> Iterator[Border]:
    first, last = 0, 0
    for count in counts:
        if last > first and last - first + count > size:
            yield words[first][0], words[last - 1][1]
            first = last
        last += count
    if last > first:
        yield words[first][0], words[last - 1][1]
