"""Vectors for a store: what a store needs of an encoder, and the smallest one, which needs nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from workbench import contract
from workbench.evidence.tokens import terms

Vectors = npt.NDArray[np.float32]


class Encoder(Protocol):
    """What a store needs of an encoder; those for the built-in search fit as they are."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def digest(self) -> str:
        """The digest of whatever decides the numbers: what was stored under another one is stored anew."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A row for each text to be found."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """A row for each question."""
        ...


@dataclass(frozen=True, slots=True)
class HashedWords:
    """A text as a bag of its words, each hashed to one place: it knows equal words, and nothing of their meaning.

    Enough to show what a store filters. To find what is meant instead of what is written, use a trained encoder.

    >>> one, two = HashedWords(64).passages(["Zwei Personen", "personen, ZWEI"])
    >>> bool((one == two).all()), round(float((one * two).sum()), 6)
    (True, 1.0)
    """

    dimension: int = 256

    @property
    def digest(self) -> str:
        """Its name says all that decides its numbers."""
        return contract.digest(repr(self))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1; a text without a word gets the first axis, since engines refuse a vector of zeros."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for place in [self._place(term) for term in terms(text)] or [0]:
                row[place] += 1
        found: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return found

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as for passages."""
        return self.passages(texts)

    def _place(self, term: str) -> int:
        return int.from_bytes(hashlib.sha256(term.encode("utf-8")).digest()[:8], "big") % self.dimension

    def __repr__(self) -> str:
        return f"HashedWords({self.dimension})"
