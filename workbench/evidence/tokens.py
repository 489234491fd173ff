"""FTS5's own tokens, with the code point at which each begins: no other rule for words gives FTS5's scores.

Rules built on ``unicodedata`` differ from FTS5's (``unicode61 remove_diacritics 0``) at hundreds of thousands of code
points. So tokens come from FTS5 itself; for large amounts of text, from a table of all code points that is asked of
FTS5 once and applied by numpy. Both give the same tokens (tests/evidence/test_tokens.py holds it at every code point).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import apsw
import numpy as np
import numpy.typing as npt

from workbench.evidence.fts import TOKENIZER

Ints = npt.NDArray[np.integer]

MAX_TOKEN: Final = 32_768
"""FTS5 cuts a token after this many bytes (FTS5_MAX_TOKEN_SIZE)."""
TABLE_PAYS: Final = 1_000_000
"""Above so many code points, making the table costs less than it saves."""
CHUNK: Final = 500_000
SEPARATOR, TOKEN, MARK = 0, 1, 2
"""The kinds of a code point: a MARK goes on with a token but begins none."""
_CODE_POINTS: Final = 0x110000


@dataclass(frozen=True, slots=True)
class Scan:
    """The tokens of some texts, one after the other.

    ``vocabulary[term[i]]`` is token i, ``start[i]`` its first code point in its own text, ``counts`` how many tokens
    each text has.
    """

    vocabulary: tuple[str, ...]
    term: Ints
    start: Ints
    counts: Ints


@dataclass(frozen=True, slots=True)
class Table:
    """For each code point its kind, and what FTS5 writes for it in a token."""

    kind: npt.NDArray[np.uint8]
    fold: npt.NDArray[np.uint32]


def terms(text: str) -> list[str]:
    """The tokens of a short text, such as one word of a query.

    >>> terms("Zwei Schlüssel"), terms("²½"), terms("\u19b0")
    (['zwei', 'schlüssel'], ['²½'], [])
    """
    if text.isascii() and text.isalnum() and len(text) <= MAX_TOKEN:
        return [text.lower()]  # most words of most queries; test_tokens.py holds that FTS5 says the same
    return [token for _, _, token in _tokens(text.encode("utf-8"))]


@cache
def kind(point: str) -> int:
    """Whether FTS5 takes a code point for a SEPARATOR, a TOKEN or a MARK.

    >>> kind("a"), kind("-"), kind("\u0301")
    (1, 0, 2)
    """
    if terms(point):
        return TOKEN
    return MARK if len(terms(f"a{point}a")) == 1 else SEPARATOR


def between_tokens(text: str, at: int) -> bool:
    """Whether surely no token goes on across this place of the text."""
    if not 0 < at < len(text):
        return True
    return kind(text[at]) == SEPARATOR or kind(text[at - 1]) == SEPARATOR


def scan(texts: Sequence[str]) -> Scan:
    """The tokens of these texts: from FTS5 directly, or from its table where there is much to read."""
    return scan_by_fts5(texts) if sum(map(len, texts)) < TABLE_PAYS else scan_by_table(texts)


def scan_by_fts5(texts: Sequence[str]) -> Scan:
    """The tokens as FTS5 hands them out, text by text."""
    numbers: dict[str, int] = {}
    term: list[int] = []
    starts: list[Ints] = []
    for text in texts:
        raw = text.encode("utf-8")
        found = _tokens(raw)
        term.extend(numbers.setdefault(token, len(numbers)) for _, _, token in found)
        at = np.fromiter((start for start, _, _ in found), np.int64, len(found))
        if len(raw) != len(text):
            # Bytes to code points: count the bytes that begin one.
            begins = (np.frombuffer(raw, np.uint8) & 0xC0) != 0x80
            at = np.cumsum(begins)[at] - 1
        starts.append(at)
    counts = np.fromiter(map(len, starts), np.int64, len(starts))
    start = np.concatenate(starts) if starts else np.empty(0, np.int64)
    return Scan(tuple(numbers), np.array(term, np.int32), start, counts)


def scan_by_table(texts: Sequence[str]) -> Scan:
    """The tokens by the table of all code points, many texts at a time."""
    known = _Known()
    whose: list[int] = []
    parts: list[tuple[Ints, Ints, Ints]] = []
    for pieces in _chunks(texts):
        whose.extend(index for index, _, _ in pieces)
        parts.append(_chunk([text for _, _, text in pieces], np.array([at for _, at, _ in pieces]), known))
    term, start, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Scan(tuple(known.numbers), term, start, np.bincount(whose, counts, len(texts)).astype(np.int64))


@cache
def table() -> Table:
    """The table, asked of FTS5 at every code point (once in a process)."""
    kind = np.zeros(_CODE_POINTS, np.uint8)
    fold = np.arange(_CODE_POINTS, dtype=np.uint32)
    points = [c for c in range(_CODE_POINTS) if not 0xD800 <= c < 0xE000]
    for block in (points[i : i + 4_096] for i in range(0, len(points), 4_096)):
        plain = " ".join(map(chr, block))
        if " ".join(terms(plain)) == plain:
            kind[block] = TOKEN  # each a token, none folded: most of what Unicode has
            continue
        rest = _probe(block, "", "", TOKEN, kind, fold)
        # What is no token alone may still go on with one.
        _probe(rest, "a", "a", MARK, kind, fold)
    return Table(kind, fold)


def _probe(
    points: list[int], before: str, after: str, found: int, kind: npt.NDArray[np.uint8], fold: npt.NDArray[np.uint32]
) -> list[int]:
    """Mark the points that stand within one token between ``before`` and ``after``; hand back the others."""
    pieces = [(before + chr(point) + after).encode("utf-8") for point in points]
    begins = {}
    at = 0
    for point, piece in zip(points, pieces, strict=True):
        begins[at] = (point, len(piece))
        at += len(piece) + 1
    marked = set()
    for start, end, token in _tokens(b" ".join(pieces)):
        point, length = begins.get(start, (-1, -1))
        if end - start == length and len(token) == len(before) + 1 + len(after):
            kind[point], fold[point] = found, ord(token[len(before)])
            marked.add(point)
    return [point for point in points if point not in marked]


def _chunks(texts: Sequence[str]) -> Iterator[list[tuple[int, int, str]]]:
    """The texts in bundles that fit the processor's caches: whose piece, where it begins there, what it says."""
    bundle: list[tuple[int, int, str]] = []
    size = 0
    for index, text in enumerate(texts):
        at = 0
        while at < len(text):
            # A long text is cut after a space, where no token goes on.
            end = len(text) if len(text) - at <= CHUNK else text.find(" ", at + CHUNK) + 1 or len(text)
            bundle.append((index, at, text[at:end]))
            size += end - at
            at = end
            if size >= CHUNK:
                yield bundle
                bundle, size = [], 0
    if bundle:
        yield bundle


def _chunk(texts: Sequence[str], offsets: Ints, known: _Known) -> tuple[Ints, Ints, Ints]:
    lookup = table()
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    # A zero between two texts keeps their tokens apart.
    points = np.frombuffer("\0".join(texts).encode("utf-32-le"), np.uint32)
    kind = lookup.kind[points]
    inside = np.zeros(len(points) + 2, np.bool_)
    inside[1:-1] = _inside(kind)
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    first, last = edges[::2], edges[1::2]
    folded = lookup.fold[points]
    term = known.number(folded, first, last - first)
    begins = np.concatenate(([0], np.cumsum(lengths + 1)))
    counts = np.diff(np.searchsorted(first, begins))
    return term, first - np.repeat(begins[:-1] - offsets, counts), counts


def _inside(kind: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which code points lie within a token: TOKEN, and each MARK that follows one directly or over other marks."""
    marks = kind == MARK
    if marks.any():
        kind = kind[np.maximum.accumulate(np.where(marks, 0, np.arange(len(kind))))]
    inside: npt.NDArray[np.bool_] = kind == TOKEN
    return inside


class _Known:
    """The terms seen so far, found again by the hash of their code points and then compared with them."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._hashes = np.empty(0, np.uint64)  # ascending; the next three run beside it
        self._number = np.empty(0, np.int32)
        self._at = np.empty(0, np.int64)
        self._length = np.empty(0, np.int64)
        self._letters = np.empty(1 << 16, np.uint32)
        self._used = 0

    def number(self, folded: Ints, first: Ints, length: Ints) -> Ints:
        """The number of each token's term, new terms numbered as they come."""
        if not len(first):
            return np.empty(0, np.int32)
        hashes = _hashes(folded, first, length)
        order = np.argsort(hashes)
        ordered = hashes[order]
        new = np.concatenate(([True], ordered[1:] != ordered[:-1]))
        example = order[new]
        group = np.empty(len(order), np.int64)
        group[order] = np.cumsum(new) - 1
        # Equal hashes are not yet equal tokens: each is compared with the example of its hash.
        if not _same(folded, first, length, folded, first[example][group], length[example][group]):
            return self._one_by_one(folded, first, length)
        hashes, first, length = ordered[new], first[example], length[example]
        known = np.isin(hashes, self._hashes, assume_unique=True)
        at = np.searchsorted(self._hashes, hashes[known])
        if not _same(folded, first[known], length[known], self._letters, self._at[at], self._length[at]):
            return self._one_by_one(folded, first, length)[group]
        found = np.empty(len(hashes), np.int32)
        found[known] = self._number[at]
        found[~known] = self._learn(hashes[~known], folded, first[~known], length[~known])
        return found[group]

    def _learn(self, hashes: Ints, folded: Ints, first: Ints, length: Ints) -> Ints:
        numbers = self._one_by_one(folded, first, length)
        total = int(length.sum())
        while self._used + total > len(self._letters):
            self._letters = np.concatenate((self._letters, np.empty_like(self._letters)))
        begins = np.cumsum(length) - length
        source = np.arange(total) + np.repeat(first - begins, length)
        self._letters[self._used : self._used + total] = folded[source]
        place = np.searchsorted(self._hashes, hashes)
        self._hashes = np.insert(self._hashes, place, hashes)
        self._number = np.insert(self._number, place, numbers)
        self._at = np.insert(self._at, place, begins + self._used)
        self._length = np.insert(self._length, place, length)
        self._used += total
        return numbers

    def _one_by_one(self, folded: Ints, first: Ints, length: Ints) -> Ints:
        raw = folded.tobytes()
        begin, end = 4 * first, 4 * (first + length)
        words = (raw[b:e].decode("utf-32-le") for b, e in zip(begin.tolist(), end.tolist(), strict=True))
        numbers = self.numbers
        return np.fromiter((numbers.setdefault(_cut(word), len(numbers)) for word in words), np.int32, len(first))


_BASE: Final = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64


@cache
def _powers(base: int, count: int) -> npt.NDArray[np.uint64]:
    factors = np.full(count, base, np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)


def _hashes(folded: Ints, first: Ints, length: Ints) -> npt.NDArray[np.uint64]:
    """A hash of each token by differences of a running sum: no array longer than the text is made."""
    count = 1 << (len(folded) - 1).bit_length()
    value = (folded + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)
    value ^= value >> np.uint64(32)
    value *= _powers(_BASE, count)[: len(value)]
    total = np.concatenate(([np.uint64(0)], np.cumsum(value, dtype=np.uint64)))
    back = _powers(pow(_BASE, -1, 2**64), count)
    found: npt.NDArray[np.uint64] = (total[first + length] - total[first]) * back[first] + length.astype(np.uint64)
    return found


_PLACES: Final = 64


def _same(left: Ints, left_at: Ints, length: Ints, right: Ints, right_at: Ints, right_length: Ints) -> bool:
    """Whether each token has the code points of the other one named for it, place by place."""
    if not np.array_equal(length, right_length):
        return False
    # The few very long ones each as a whole: place by place, a word of a million letters would take a million steps.
    for at in np.flatnonzero(length > _PLACES):
        one, other, size = int(left_at[at]), int(right_at[at]), int(length[at])
        if not np.array_equal(left[one : one + size], right[other : other + size]):
            return False
    short = length <= _PLACES
    left_at, right_at, length = left_at[short], right_at[short], length[short]
    order = np.argsort(-length)
    left_at, right_at, counts = left_at[order], right_at[order], np.bincount(length)
    longer = len(order)
    for place in range(len(counts) - 1):
        longer -= int(counts[place])
        if not np.array_equal(left[left_at[:longer] + place], right[right_at[:longer] + place]):
            return False
    return True


def _cut(token: str) -> str:
    if len(token) * 4 <= MAX_TOKEN:
        return token
    # Half a code point may be left at the end, as FTS5 leaves it.
    return token.encode("utf-8")[:MAX_TOKEN].decode("utf-8", "surrogateescape")


_local = threading.local()


def _tokens(raw: bytes) -> list[tuple[int, int, str]]:
    """FTS5's tokens of UTF-8 text: first byte, end byte, token."""
    if not hasattr(_local, "tokenizer"):
        # One for each thread: a tokenizer belongs to its connection.
        name, *arguments = TOKENIZER.split()
        _local.tokenizer = apsw.Connection(":memory:").fts5_tokenizer(name, arguments)
    found = _local.tokenizer(raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
    return [(start, end, _cut(token)) for start, end, token in found]
