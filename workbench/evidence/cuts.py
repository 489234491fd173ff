"""How a text is cut into passages; the repr of a cut is its label (contract 2.3, 2.7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple, Protocol, runtime_checkable

from workbench.contract import Spans
from workbench.intervals import Interval

BREAK: Final = "\n\n"
_NON_SPACE: Final = re.compile(r"\S+")


class Passage(NamedTuple):
    """A part of a text: its number from 1, and its code points ``[start, end)``."""

    number: int
    start: int
    end: int


@runtime_checkable
class Cut(Protocol):
    """A rule that cuts a text, or given spans of it, into numbered passages; equal rules have equal reprs."""

    def passages(self, text: str, spans: Spans | None = None) -> Iterator[Passage]:
        """The searchable passages in ascending order."""
        ...

    def passage(self, text: str, number: int, spans: Spans | None = None) -> Passage | None:
        """The passage of this number, searchable or not; ``None`` where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """The parts of the whole text between blank lines, as S0 counts them.

    Numbers count over the whole text, empty paragraphs included, whatever spans are given; blank paragraphs are not
    searchable. Of given spans, only paragraphs that lie wholly within one of them belong to the cut.

    >>> list(Paragraphs().passages("Eins\\n\\n\\n\\nDrei"))
    [Passage(number=1, start=0, end=4), Passage(number=3, start=8, end=12)]
    """

    def passages(self, text: str, spans: Spans | None = None) -> Iterator[Passage]:
        """The paragraphs with something in them."""
        for passage in self._all(text, spans):
            if not text[passage.start : passage.end].isspace() and passage.start < passage.end:
                yield passage

    def passage(self, text: str, number: int, spans: Spans | None = None) -> Passage | None:
        """The paragraph of this number, a blank one too: it can be cited, only not found."""
        return next((p for p in self._all(text, spans) if p.number == number), None)

    def _all(self, text: str, spans: Spans | None) -> Iterator[Passage]:
        start = 0
        for number, part in enumerate(text.split(BREAK), 1):
            end = start + len(part)
            if spans is None or any(s.start <= start and end <= s.end for s in spans):
                yield Passage(number, start, end)
            start = end + len(BREAK)


def paragraph_borders(text: str) -> tuple[set[int], set[int]]:
    """Where the paragraphs of a text start, and where they end.

    >>> starts, ends = paragraph_borders("Eins\\n\\nZwei")
    >>> sorted(starts), sorted(ends)
    ([0, 6], [4, 10])
    """
    paragraphs = list(Paragraphs()._all(text, None))
    return {p.start for p in paragraphs}, {p.end for p in paragraphs}


@dataclass(frozen=True, slots=True)
class Words:
    """Windows of ``size`` words, each beginning ``size - overlap`` words after the one before.

    A word is a run without white space. The last window is the first that reaches the end. Given spans are cut
    separately, with numbers running on, so that no window reaches from one into the next.

    >>> Words(120, overlap=20), Words(3)
    (Words(120, overlap=20), Words(3))
    >>> [(p.number, "a b c d e"[p.start : p.end]) for p in Words(3, overlap=1).passages("a b c d e")]
    [(1, 'a b c'), (2, 'c d e')]
    """

    size: int
    overlap: int = 0

    def __post_init__(self) -> None:
        if type(self.size) is not int or self.size < 1:
            raise ValueError("the size is a whole number of at least 1")
        if type(self.overlap) is not int or not 0 <= self.overlap < self.size:
            raise ValueError("the overlap is a whole number from 0 to below the size")

    def __repr__(self) -> str:
        return f"Words({self.size}, overlap={self.overlap})" if self.overlap else f"Words({self.size})"

    def passages(self, text: str, spans: Spans | None = None) -> Iterator[Passage]:
        """The windows; every one holds a word and is searchable."""
        number = 0
        for span in (Interval(0, len(text)),) if spans is None else spans:
            borders = [found.span() for found in _NON_SPACE.finditer(text, span.start, span.end)]
            for first in range(0, len(borders), self.size - self.overlap):
                number += 1
                last = min(first + self.size, len(borders)) - 1
                yield Passage(number, borders[first][0], borders[last][1])
                if last == len(borders) - 1:
                    break

    def passage(self, text: str, number: int, spans: Spans | None = None) -> Passage | None:
        """The window of this number."""
        return next(islice(self.passages(text, spans), number - 1, None), None) if number >= 1 else None
