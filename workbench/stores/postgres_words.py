"""The contract's words as PostgreSQL's ``tsvector`` and ``tsquery``, so that both take the same things for words.

PostgreSQL's own parser makes other words of a text, in the configuration ``simple`` too: ``pumpe.example/blatt`` is one
host and one path to it, and ``-5`` a signed number. So texts do not go through it: their words are FTS5's, and they are
written as lexemes with positions. What then differs from the contract is the ranking alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from workbench.evidence.query import Match
from workbench.evidence.tokens import terms

LONGEST: Final = 2046
"""PostgreSQL refuses a lexeme of more bytes; such a word is held by its digest."""


def vector(text: str) -> str:
    """The words of a text with their positions, as the text of a ``tsvector``.

    >>> vector("Öl, das Öl")
    "'öl':1,3 'das':2"
    """
    places: dict[str, list[int]] = {}
    for position, term in enumerate(terms(text), 1):
        places.setdefault(term, []).append(position)
    return " ".join(f"{lexeme(term)}:{','.join(map(str, at))}" for term, at in places.items())


def query(words: Iterable[str], match: Match) -> str | None:
    """The question's words as the text of a ``tsquery``: each literal, all or any; ``None`` where nothing can match.

    A word of which FTS5 makes several is a phrase, as in FTS5; one of which it makes none is in no passage.

    >>> query(["zwei", "or"], "all"), query(["\u19b0"], "any")
    ("('zwei') & ('or')", None)
    """
    phrases = [terms(word) for word in words]
    if match == "all" and not all(phrases):
        return None
    joined = (" & " if match == "all" else " | ").join(_phrase(phrase) for phrase in phrases if phrase)
    return joined or None


def lexeme(term: str) -> str:
    """A word as a quoted lexeme, in which nothing is an operator.

    >>> lexeme("a'b")
    "'a''b'"
    """
    raw = term.encode("utf-8")
    held = term if len(raw) <= LONGEST else f"sha256:{hashlib.sha256(raw).hexdigest()}"
    return "'" + held.replace("\\", "\\\\").replace("'", "''") + "'"


def _phrase(phrase: Sequence[str]) -> str:
    return "(" + " <-> ".join(map(lexeme, phrase)) + ")"
