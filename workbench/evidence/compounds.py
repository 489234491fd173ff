"""German compounds taken apart by the words of the view itself: no outside list, and nothing of a forbidden text.

A compound is two or more words that the same view holds, with or without a joining letter or two. What is not found so
stays whole: no guess is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

LEAST: Final = 4
"""The fewest letters of a part: shorter ones are endings and prefixes as often as words."""
JOINTS: Final = ("", "s", "es", "n", "en", "er")


def parts_of(known: Mapping[str, Sequence[str]], stem: Callable[[str], str]) -> dict[str, tuple[str, ...]]:
    """For each compound among the known terms (by stem) the stems of its parts.

    >>> stems = {"wartung": ["wartung"], "freigab": ["freigabe"], "wartungsfreigab": ["wartungsfreigabe"]}
    >>> parts_of(stems, lambda word: word.removesuffix("e"))
    {'wartungsfreigabe': ('wartung', 'freigab')}
    """
    heads = {term for same in known.values() for term in same if len(term) >= LEAST and term.isalpha()}
    found: dict[str, tuple[str, ...]] = {}
    for term in sorted(heads):
        parts = _split(term, heads, known, stem)
        if parts:
            found[term] = tuple(dict.fromkeys(part for part in parts if part != stem(term)))
    return found


def _split(
    term: str, heads: set[str], known: Mapping[str, Sequence[str]], stem: Callable[[str], str]
) -> tuple[str, ...] | None:
    """The parts from the left, longest first; the last may be any form of a known word."""
    for at in range(len(term) - LEAST, LEAST - 1, -1):
        if not any(term[: at - len(j)] in heads for j in JOINTS if term[:at].endswith(j) and at - len(j) >= LEAST):
            continue
        head = next(term[: at - len(j)] for j in JOINTS if term[:at].endswith(j) and term[: at - len(j)] in heads)
        rest = term[at:]
        if stem(rest) in known:
            return stem(head), stem(rest)
        further = _split(rest, heads, known, stem)
        if further:
            return stem(head), *further
    return None
