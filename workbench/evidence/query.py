"""What a question may be, and which words it consists of (contract 2.2, 2.5; S0, "Die Suchbedeutung").

A word is a literal: no operator, prefix, column filter, stem, spelling help or folded umlaut. The texts of the refusals
are fixed and name nothing of the corpus.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

from workbench.errors import QueryRefused

MAX_CHARACTERS: Final = 200
MAX_WORDS: Final = 12
MAX_WORD: Final = 40
MAX_LIMIT: Final = 5

MAX_RANK_CHARACTERS: Final = 10_000
MAX_RANK_WORDS: Final = 1_000

NOT_A_QUERY: Final = f"A query is text of at most {MAX_CHARACTERS} characters."
CONTROLS: Final = "Control characters are not allowed in a query."
WORDS_REFUSED: Final = f"A query has at most {MAX_WORDS} distinct words of at most {MAX_WORD} letters."
LIMIT_REFUSED: Final = f"The limit is a whole number from 1 to {MAX_LIMIT}."
NOT_A_QUESTION: Final = f"A question to rank by is text of at most {MAX_RANK_CHARACTERS} characters."
QUESTION_WORDS_REFUSED: Final = f"A question to rank by has at most {MAX_RANK_WORDS} distinct words."
DEPTH_REFUSED: Final = "The depth is a whole number of at least 1."
MATCH_REFUSED: Final = 'The match is "all" or "any".'

Match = Literal["all", "any"]
_WORD = re.compile(r"[^\W_]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SPACING = re.compile(r"[\t\n\v\f\r]")


def words(query: object) -> list[str]:
    """The distinct words of a strict query in their order; QueryRefused where it is none.

    >>> words("Zwei Personen, zwei Schlüssel!")
    ['zwei', 'personen', 'schlüssel']
    """
    if not isinstance(query, str) or len(query) > MAX_CHARACTERS:
        raise QueryRefused(NOT_A_QUERY)
    if _CONTROL.search(query):
        raise QueryRefused(CONTROLS)
    found = _distinct(query)
    if len(found) > MAX_WORDS or any(len(word) > MAX_WORD for word in found):
        raise QueryRefused(WORDS_REFUSED)
    return found


def question_words(query: object) -> list[str]:
    """The distinct words of a question for ``view.rank``, with its wider limits; line breaks and tabs separate words.

    >>> question_words("Was\\ngilt?")
    ['was', 'gilt']
    """
    if not isinstance(query, str) or len(query) > MAX_RANK_CHARACTERS:
        raise QueryRefused(NOT_A_QUESTION)
    spaced = _SPACING.sub(" ", query)
    if _CONTROL.search(spaced):
        raise QueryRefused(CONTROLS)
    found = _distinct(spaced)
    if len(found) > MAX_RANK_WORDS:
        raise QueryRefused(QUESTION_WORDS_REFUSED)
    return found


def limit(value: object) -> int:
    """The strict limit, 1 to 5; ``True`` is no number here."""
    if type(value) is not int or not 1 <= value <= MAX_LIMIT:
        raise QueryRefused(LIMIT_REFUSED)
    return value


def depth(value: object) -> int:
    """How deep to rank: at least 1."""
    if type(value) is not int or value < 1:
        raise QueryRefused(DEPTH_REFUSED)
    return value


def match(value: object) -> Match:
    """Whether all words must occur in one passage, or any."""
    if value == "all":
        return "all"
    if value == "any":
        return "any"
    raise QueryRefused(MATCH_REFUSED)


def _distinct(query: str) -> list[str]:
    return list(dict.fromkeys(_WORD.findall(unicodedata.normalize("NFC", query).lower())))
