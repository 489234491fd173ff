"""A segment: the positional index of some texts, made once and never changed (design: one index, many views).

It knows neither access nor passages. Every token has a place in the segment, counted through all its texts; the places
of each term are kept together in ascending order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from workbench.evidence import tokens

Ints = npt.NDArray[np.integer]
_NOTHING: Final = np.empty(0, np.int32)
MAX_TOKENS: Final = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Texts under ids, and where each of their tokens stands.

    ``places[pointer[v] : pointer[v + 1]]`` are the places of term ``v``; ``token_start`` holds the code point at which
    each token begins, ``text_first`` the one at which each text does (both counted through the whole segment, one
    code point between two texts), and ``token_first`` the first token of each text; the last two have one entry more.
    """

    ids: tuple[str, ...]
    vocabulary: Mapping[str, int]
    pointer: Ints
    places: Ints
    token_start: Ints
    text_first: Ints
    token_first: Ints
    check: Callable[[], None] | None = None
    """Raises where what was read from disk is not what was written; called before places are used."""

    def checked(self) -> Segment:
        """The segment, once its places are known to be whole."""
        if self.check is not None:
            self.check()
        return self

    @property
    def count(self) -> int:
        """How many tokens it holds."""
        return int(self.token_first[-1])

    def of_term(self, term: str) -> Ints:
        """The places of a term, ascending; none for a term that is not there."""
        number = self.vocabulary.get(term)
        if number is None:
            return _NOTHING
        return self.checked().places[self.pointer[number] : self.pointer[number + 1]]

    def of_phrase(self, terms: Sequence[str]) -> Ints:
        """The places at which these terms follow one another, ascending."""
        found = self.of_term(terms[0])
        for offset, term in enumerate(terms[1:], 1):
            there = self.of_term(term)
            if not len(there):
                return _NOTHING
            wanted = found + offset
            at = np.minimum(np.searchsorted(there, wanted), len(there) - 1)
            found = found[there[at] == wanted]
        return found


def segment_of(ids: Sequence[str], texts: Sequence[str]) -> Segment:
    """The segment of these texts, in their order.

    >>> segment = segment_of(["a", "b"], ["Zwei Personen", "zwei"])
    >>> segment.of_term("zwei").tolist(), segment.of_phrase(["zwei", "personen"]).tolist()
    ([0, 2], [0])
    """
    found = tokens.scan(texts)
    if len(found.term) > MAX_TOKENS:
        raise OverflowError(f"one segment holds at most {MAX_TOKENS} tokens")
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    text_first = np.concatenate(([0], np.cumsum(lengths + 1)))
    return Segment(
        ids=tuple(ids),
        vocabulary={term: number for number, term in enumerate(found.vocabulary)},
        pointer=np.concatenate(([0], np.cumsum(np.bincount(found.term, minlength=len(found.vocabulary))))),
        places=_by_term(found.term),
        token_start=found.start,
        text_first=text_first,
        token_first=np.searchsorted(found.start, text_first.astype(found.start.dtype)),
    )


def _by_term(term: Ints) -> Ints:
    """The places sorted by term, then place: by the low half of the numbers, then stably by the high one."""
    order = np.argsort(term.astype(np.uint16), kind="stable")
    if term.max(initial=0) >= 2**16:
        order = order[np.argsort((term >> 16).astype(np.uint16)[order], kind="stable")]
    return order.astype(np.int32)
