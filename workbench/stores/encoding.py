"""Vectors for a store: what an encoder is, and the smallest one that needs nothing."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from workbench.evidence.tokens import terms


@runtime_checkable
class Encoder(Protocol):
    """Texts as vectors of one length; equal encoders have equal reprs, and the repr names the encoder completely."""

    @property
    def dimensions(self) -> int:
        """How long each vector is."""
        ...

    def encode(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text; the same text gives the same vector on every machine."""
        ...


@dataclass(frozen=True, slots=True)
class HashedWords:
    """A text as a bag of its words, each hashed to one place: it knows equal words, and nothing of their meaning.

    Enough to show what a store filters. To find what is meant instead of what is written, use a trained encoder.

    >>> one, two = HashedWords(64).encode(["Zwei Personen", "personen, ZWEI"])
    >>> one == two, round(sum(x * x for x in one), 6)
    (True, 1.0)
    """

    dimensions: int = 256

    def encode(self, texts: Sequence[str]) -> list[list[float]]:
        """Vectors of length 1; a text without a word gets the first axis, since engines refuse a vector of zeros."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        counts = Counter(self._place(term) for term in terms(text)) or Counter({0: 1})
        length = math.sqrt(sum(count * count for count in counts.values()))
        return [counts[i] / length for i in range(self.dimensions)]

    def _place(self, term: str) -> int:
        return int.from_bytes(hashlib.sha256(term.encode("utf-8")).digest()[:8], "big") % self.dimensions

    def __repr__(self) -> str:
        return f"HashedWords({self.dimensions})"
