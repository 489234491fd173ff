"""Chunkers of other libraries as cuts: their offsets are taken, and each one is checked (contract 2.6, 2.7).

No library is imported here: a chunker is called, and what it says is verified against the text. Maintained ones that
give character offsets are chonkie, semchunk and langchain-text-splitters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from workbench.contract import Spans
from workbench.errors import InputError
from workbench.evidence.cuts import Cut
from workbench.evidence.structure import Border, Spanning
from workbench.evidence.tokens import between_tokens
from workbench.intervals import Interval, merge

Within = Literal["refuse", "move"]


class Chunk(NamedTuple):
    """What a chunker says of one chunk: its code points ``[start, end)``, and its text where it gives one."""

    start: int
    end: int
    text: str | None = None


class Semchunk(Protocol):
    """The chunkers that ``semchunk.chunkerify`` makes."""

    def __call__(self, text: str, *, offsets: bool) -> tuple[Sequence[str], Sequence[tuple[int, int]]]:
        """The chunks of a text and where they stand."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Chunker(Spanning):
    """Another library's chunks as a cut. Every chunk must be a slice of the text, and in order; else InputError.

    A border within a word is refused, since the passages' words would not be the text's; with ``within_word="move"``
    every border moves on to the next white space, and a chunk within one word goes to the one before. Blank chunks are
    left out. ``name`` must say all that decides the result (library, version, size): equal names mean equal cuts. Such
    a cut is for analysis: a citation of it cannot be resolved later, since no label brings a library's version back.

    >>> halves = Chunker("halves", lambda text: [Chunk(0, len(text) // 2), Chunk(len(text) // 2, len(text))], "move")
    >>> text = "Zwei Personen prüfen"
    >>> [text[p.start : p.end] for p in halves.passages(text)], halves
    (['Zwei Personen', ' prüfen'], Chunker('halves', within_word='move'))
    """

    name: str
    chunks: Callable[[str], Iterable[Chunk]] = field(compare=False)
    within_word: Within = "refuse"

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a chunker has a name that says what decides its result")
        if self.within_word not in ("refuse", "move"):
            raise ValueError('borders within a word are to "refuse" or to "move"')

    @classmethod
    def semchunk(cls, name: str, chunker: Semchunk, *, within_word: Within = "refuse") -> Chunker:
        """A chunker made by ``semchunk.chunkerify``."""

        def chunks(text: str) -> Iterator[Chunk]:
            texts, offsets = chunker(text, offsets=True)
            return (Chunk(start, end, part) for part, (start, end) in zip(texts, offsets, strict=True))

        return cls(name, chunks, within_word)

    @classmethod
    def chonkie(cls, name: str, chunker: Callable[[str], Iterable[Any]], *, within_word: Within = "refuse") -> Chunker:
        """One of chonkie's chunkers; most of them cut words in two, so that borders are to be moved."""
        return cls(name, lambda text: (Chunk(c.start_index, c.end_index, c.text) for c in chunker(text)), within_word)

    @classmethod
    def langchain(cls, name: str, splitter: Any, *, within_word: Within = "refuse") -> Chunker:
        """A splitter of langchain-text-splitters, made with ``add_start_index=True``."""

        def chunks(text: str) -> Iterator[Chunk]:
            for made in splitter.create_documents([text]):
                start = made.metadata.get("start_index", -1)
                yield Chunk(start, start + len(made.page_content), made.page_content)

        return cls(name, chunks, within_word)

    def __repr__(self) -> str:
        moved = "" if self.within_word == "refuse" else f", within_word={self.within_word!r}"
        return f"Chunker({self.name!r}{moved})"

    def borders(self, text: str, start: int, end: int) -> Iterator[Border]:
        """The checked borders of the chunks of ``text[start:end]``."""
        piece = text[start:end]
        before = (0, 0)
        given: Border | None = None
        for number, chunk in enumerate(self.chunks(piece), 1):
            self._check(piece, number, chunk, given)
            given = chunk.start, chunk.end
            border = (self._whole(piece, number, chunk.start), self._whole(piece, number, chunk.end))
            if border[0] < border[1] and border != before and not piece[slice(*border)].isspace():
                before = border
                yield start + border[0], start + border[1]

    def _check(self, text: str, number: int, chunk: Chunk, before: Border | None) -> None:
        start, end, said = chunk
        if type(start) is not int or type(end) is not int or not 0 <= start <= end <= len(text):
            raise self._error(number, f"code points within the text's 0 to {len(text)} are wanted", (start, end))
        if said is not None and text[start:end] != said:
            raise self._error(number, "its text is not the slice that its offsets name", said)
        if before is not None and (start < before[0] or end < before[1]):
            raise self._error(number, f"it does not come after {before}", (start, end))

    def _whole(self, text: str, number: int, at: int) -> int:
        if self.within_word == "refuse" and not between_tokens(text, at):
            raise self._error(number, "a border lies within a word", text[max(0, at - 20) : at + 20])
        if self.within_word == "move" and at > 0 and not text[at - 1].isspace():
            while at < len(text) and not text[at].isspace():
                at += 1
        return at

    def _error(self, number: int, message: str, found: object) -> InputError:
        remedy = 'within_word="move" moves them to the word\'s end' if "within a word" in message else "it is not used"
        return InputError(f"{self!r}: {message}", row=number, column="chunk", found=found, remedy=remedy)


def gaps(cut: Cut, text: str, spans: Spans | None = None) -> list[Interval]:
    """The stretches of a text that no passage holds, white space aside: what this cut can never find.

    >>> from workbench.evidence.structure import Sentences
    >>> first = Chunker("first five", lambda text: [Chunk(0, 5)])
    >>> gaps(Sentences(1), "Zwei Worte. Drei."), gaps(first, "Zwei Worte")
    ([], [[5,10)])
    """
    held = merge(Interval(p.start, p.end) for p in cut.passages(text, spans))
    found = []
    for span in (Interval(0, len(text)),) if spans is None else spans:
        at = span.start
        for start, end in (*(h for h in held if h.overlaps(span)), Interval(span.end, span.end)):
            if text[at:start].strip():
                found.append(Interval(at, start))
            at = max(at, end)
    return found
