"""Which cut a label names: a citation carries the label, and is cut again by it (contract 2.7)."""

from __future__ import annotations

import re
from typing import Final

from workbench.evidence.cuts import Cut, Paragraphs, Words
from workbench.evidence.structure import Characters, Headings, Recursive, Sentences

_LABEL: Final = re.compile(r"(?P<name>[A-Z][a-z]+)\((?P<size>[0-9]{1,18})?(?:, overlap=(?P<overlap>[0-9]{1,18}))?\)")


def parse(label: object) -> Cut | None:
    """The cut that a label names, or ``None`` where it names none; nothing is evaluated.

    >>> parse("Words(120, overlap=20)"), parse("Paragraphs()"), parse("Words(0)"), parse("exit()")
    (Words(120, overlap=20), Paragraphs(), None, None)
    """
    found = _LABEL.fullmatch(label) if isinstance(label, str) else None
    if found is None:
        return None
    size = int(found["size"]) if found["size"] else None
    try:
        cut = _named(found["name"], size, int(found["overlap"] or 0))
    except ValueError:
        return None
    return cut if cut is not None and repr(cut) == label else None


def _named(name: str, size: int | None, overlap: int) -> Cut | None:
    if name == "Paragraphs":
        return Paragraphs()
    if name == "Headings":
        return Headings(size)
    if size is None:
        return None
    if name == "Words":
        return Words(size, overlap=overlap)
    if name == "Sentences":
        return Sentences(size, overlap=overlap)
    if name == "Characters":
        return Characters(size, overlap=overlap)
    return Recursive(size) if name == "Recursive" else None
