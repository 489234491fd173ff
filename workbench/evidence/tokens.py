"""FTS5's own tokens, with the code point at which each begins: no other rule for words gives FTS5's scores.

Rules built on ``unicodedata`` differ from FTS5's (``unicode61 remove_diacritics 0``) at hundreds of thousands of code
points. So tokens come from FTS5 itself. Where they begin it says in bytes, and telling so takes it longer than finding
them: that is worked out from the kind of each code point, which FTS5 is asked once for each that occurs
(tests/evidence/test_tokens.py holds it at every code point).
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import apsw
import numpy as np
import numpy.typing as npt

from workbench.evidence.fts import TOKENIZER

Ints = npt.NDArray[np.integer]

MAX_TOKEN: Final = 32_768
"""FTS5 cuts a token after this many bytes (FTS5_MAX_TOKEN_SIZE)."""
CHUNK: Final = 100_000
"""So many code points are read at once: what is made of them fits the processor's caches."""
SEPARATOR, TOKEN, MARK = 1, 2, 3
"""The kinds of a code point: a MARK goes on with a token but begins none."""
_PLAIN: Final = re.compile("[0-9a-zß-öø-ÿ]+").fullmatch
_KINDS: Final = np.zeros(0x110000, np.uint8)  # 0 where FTS5 has not been asked yet


@dataclass(frozen=True, slots=True)
class Scan:
    """The tokens of some texts, one after the other.

    ``vocabulary[term[i]]`` is token i; ``start[i]`` its first code point, counted through all texts with one code point
    between two.
    """

    vocabulary: tuple[str, ...]
    term: Ints
    start: Ints


def terms(text: str) -> list[str]:
    """The tokens of a short text, such as one word of a query.

    >>> terms("Zwei Schlüssel"), terms("²½"), terms("\u19b0")
    (['zwei', 'schlüssel'], ['²½'], [])
    """
    if len(text) * 2 <= MAX_TOKEN and _PLAIN(text):
        return [text]  # most words of most queries; test_tokens.py holds that FTS5 says the same
    return list(map(_cut, _tokens(text)))


def kind(point: str) -> int:
    """Whether FTS5 takes a code point for a SEPARATOR, a TOKEN or a MARK.

    >>> [{SEPARATOR: "separator", TOKEN: "token", MARK: "mark"}[kind(point)] for point in "a-\u0301"]
    ['token', 'separator', 'mark']
    """
    known = int(_KINDS[ord(point)])
    if not known:
        known = TOKEN if terms(point) else MARK if len(terms(f"a{point}a")) == 1 else SEPARATOR
        _KINDS[ord(point)] = known
    return known


def between_tokens(text: str, at: int) -> bool:
    """Whether surely no token goes on across this place of the text."""
    if not 0 < at < len(text):
        return True
    return kind(text[at]) == SEPARATOR or kind(text[at - 1]) == SEPARATOR


def scan(texts: Sequence[str]) -> Scan:
    """The tokens of these texts.

    >>> found = scan(["Zwei Personen", "zwei"])
    >>> found.vocabulary, found.term.tolist(), found.start.tolist()
    (('zwei', 'personen'), [0, 1, 0], [0, 5, 14])
    """
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    narrow = np.int32 if sum(map(len, texts)) + len(texts) < 2**31 else np.int64
    term, start = [np.empty(0, np.int32)], [np.empty(0, narrow)]
    for begin, text in _chunks(texts):
        first = _begins(np.frombuffer(text.encode("utf-32-le"), np.uint32))
        found = _tokens(text)
        if len(found) != len(first):
            raise AssertionError("FTS5 finds other tokens in a text than the kinds of its code points say")
        term.append(np.fromiter(map(numbers.__getitem__, found), np.int32, len(found)))
        start.append((first + begin).astype(narrow))
    # Long tokens may be the same only after FTS5 has cut them.
    cut: dict[str, int] = {}
    number = np.array([cut.setdefault(_cut(token), len(cut)) for token in numbers], np.int32)
    every = np.concatenate(term)
    return Scan(tuple(cut), every if len(cut) == len(numbers) else number[every], np.concatenate(start))


def _chunks(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The texts, each with a NUL after it to keep its tokens apart, in pieces: where each begins, and what it says."""
    held: list[str] = []
    begin = size = 0
    for text in texts:
        at = 0
        while at <= len(text):
            # A long text is cut after a space, where no token goes on.
            end = (text.find(" ", at + CHUNK) + 1 if len(text) - at > CHUNK else 0) or len(text) + 1
            held += [text[at:end], "\0" * (end > len(text))]
            size += end - at
            at = end
            if size >= CHUNK:
                yield begin, "".join(held)
                begin, size, held = begin + size, 0, []
    yield begin, "".join(held)


def _begins(points: npt.NDArray[np.uint32]) -> Ints:
    """Where tokens begin: within one are each TOKEN, and each MARK that follows one directly or over other marks."""
    kinds = _KINDS[points]
    if not kinds.all():
        for point in np.unique(points[kinds == 0]).tolist():
            kind(chr(point))
        kinds = _KINDS[points]
    marks = kinds == MARK
    if marks.any():
        kinds = kinds[np.maximum.accumulate(np.where(marks, 0, np.arange(len(kinds))))]
    inside = kinds == TOKEN
    return np.flatnonzero(inside > np.concatenate(([False], inside[:-1])))


def _cut(token: str) -> str:
    if len(token) * 4 <= MAX_TOKEN:
        return token
    # Half a code point may be left at the end, as FTS5 leaves it.
    return token.encode("utf-8")[:MAX_TOKEN].decode("utf-8", "surrogateescape")


_local = threading.local()


def _tokens(text: str) -> list[str]:
    """FTS5's tokens of a text, however long."""
    if not hasattr(_local, "tokenizer"):
        # One for each thread: a tokenizer belongs to its connection.
        name, *arguments = TOKENIZER.split()
        _local.tokenizer = apsw.Connection(":memory:").fts5_tokenizer(name, arguments)
    raw = text.encode("utf-8")
    found: list[str] = _local.tokenizer(
        raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
    )
    return found
