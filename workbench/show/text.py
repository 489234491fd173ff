"""Document text as plain text that does nothing: control, bidirectional and invisible characters are spelt out."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """The text with every character that a terminal or reader would act on, rather than show, as an escape.

    Line breaks stay; everything else of the Unicode categories Cc, Cf, Cs, Co, Zl and Zp is written as ``\\xNN``,
    ``\\uNNNN`` or ``\\UNNNNNNNN``.

    >>> print(visible("rot: \\x1b[31m, gedreht: \\u202e"))
    rot: \\x1b[31m, gedreht: \\u202e
    """
    if text.isprintable():
        return text
    return "".join(c if c == "\n" or not _acts(c) else c.encode("unicode_escape").decode() for c in text)


def one_line(text: str, limit: int = 100) -> str:
    """The visible text on one line, cut at ``limit`` characters with an ellipsis.

    >>> one_line("Zwei\\nPersonen", limit=8)
    'Zwei Per…'
    """
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= limit else flat[:limit] + "…"


def _acts(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
