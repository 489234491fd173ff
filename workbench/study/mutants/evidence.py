"""Wrong searches, II, and wrong resolutions: order, numbers, hits, limits, citations, found orders.

Each is a mistake that somebody could really make. The numbers beside it are the conditions that it is here to fail.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from workbench.contract import Document, Hit
from workbench.errors import QueryRefused
from workbench.study.mutants.small_retriever import (
    RIGHT,
    Citation,
    Part,
    SmallRetriever,
    hit_of,
    mutants,
    paragraphs,
    sha256,
)
from workbench.study.proof.rows import Mutant

# --- order, numbers, hits -------------------------------------------------------------------------------------------


def number_as_text(part: Part) -> tuple[object, ...]:
    """Paragraph 10 before paragraph 9."""
    return (part.score, part.document.id, str(part.number))


def without_empty_ones(document: Document) -> list[Part]:
    """The empty paragraphs are thrown away before counting."""
    kept = [part for part in paragraphs(document) if part.quote.strip()]
    return [replace(part, number=number) for number, part in enumerate(kept, 1)]


def from_zero(document: Document) -> list[Part]:
    """Paragraphs are counted from 0."""
    return [replace(part, number=part.number - 1) for part in paragraphs(document)]


def without_heading(document: Document) -> list[Part]:
    """The first paragraph is taken for a heading."""
    return paragraphs(document)[1:]


def trimmed(document: Document) -> list[Part]:
    """White space is tidied up on the way into the index."""
    return [replace(part, quote=" ".join(part.quote.split())) for part in paragraphs(document)]


def best_of_each(found: list[Part], _documents: Sequence[Document]) -> list[Part]:
    """One hit for each document."""
    return list({part.document.id: part for part in reversed(found)}.values())[::-1]


def suspicious_left_out(found: list[Part], _documents: Sequence[Document]) -> list[Part]:
    """Passages that give orders are hidden from the reader."""
    return [part for part in found if "Ignoriere" not in part.quote]


def obeyed(found: list[Part], documents: Sequence[Document]) -> list[Part]:
    """What a found passage orders is done: everything is shown."""
    told = any("Ignoriere alle bisherigen Regeln" in part.quote for part in found)
    return [*found, *(part for document in documents for part in paragraphs(document))] if told else found


@dataclass(frozen=True, slots=True)
class WarningHit(Hit):
    """A hit with a field more."""

    warning: bool = False


def with_warning(part: Part) -> Hit:
    """A found order gets a field of its own."""
    hit = hit_of(part)
    values = (hit.document_id, hit.version, hit.content_sha256, hit.paragraph, hit.cut, hit.start, hit.end)
    return WarningHit(*values, hit.quote, hit.score, warning=True) if "Ignoriere" in hit.quote else hit


def percent(part: Part) -> Hit:
    """The score is shown as a percentage."""
    return replace(hit_of(part), score=round(100 * part.score / (part.score - 1)))


# --- limits ---------------------------------------------------------------------------------------------------------


def refused(value: object, *, lowest: int = 1, highest: int = 5) -> int:
    """A limit with other bounds."""
    if type(value) is not int or not lowest <= value <= highest:
        raise QueryRefused("no limit")
    return value


def coerced(value: object) -> int:
    """What is no whole number is made one, and 3 where that fails."""
    return refused(int(value) if isinstance(value, float | str | bool | int) else 3)


def clamped(value: object) -> int:
    """A limit that is too small or too large is moved to the next good one."""
    return max(1, min(value, 5)) if type(value) is int else refused(value)


def at_least_three(value: object) -> int:
    """A limit below the usual 3 is not taken seriously."""
    return max(3, refused(value))


# --- resolution -------------------------------------------------------------------------------------------------------


def gone_or_forbidden(document: Document | None) -> str:
    """The refusal says which of the two it is."""
    return "gone" if document is None else "forbidden"


def version_only(document: Document, citation: Citation) -> bool:
    """The fingerprint is not looked at."""
    return citation.get("version") == document.version


def fingerprint_only(document: Document, citation: Citation) -> bool:
    """The version is not looked at."""
    return citation.get("content_sha256") == sha256(document.text)


Same = Callable[[object, str], bool]


def equal(quote: object, part: str) -> bool:
    """The quote is exactly the paragraph."""
    return quote == part


def exactly(number: object) -> Any:
    """A paragraph number: a whole number from 1, and no other kind of thing."""
    if type(number) is not int or number < 1:
        raise ValueError("no paragraph number")
    return number


def as_python_takes_it(number: object) -> Any:
    """True is 1, and what is below the first counts from the end."""
    return number


def made_a_number(number: object) -> Any:
    """Whatever can be made a whole number is one."""
    return exactly(int(number))  # type: ignore[call-overload]


def at_number(
    document: Document,
    citation: Citation,
    *,
    same: Same = equal,
    place: Callable[[object], Any] = exactly,
) -> str | None:
    """The paragraph at its number; a mutant has another idea of a number, or of what is the same."""
    try:
        part: str = document.text.split("\n\n")[place(citation.get("paragraph")) - 1]
    except (IndexError, TypeError, ValueError):
        return None
    return part if same(citation.get("quote"), part) else None


def anywhere(document: Document, citation: Citation) -> str | None:
    """The quote is looked for in the whole document, whatever the number says."""
    return next((part for part in document.text.split("\n\n") if part == citation.get("quote")), None)


def within_it(quote: object, part: str) -> bool:
    """A piece of the paragraph will do."""
    return isinstance(quote, str) and quote in part


def alike(quote: object, part: str) -> bool:
    """Nearly the same will do."""
    return isinstance(quote, str) and difflib.SequenceMatcher(None, quote, part).ratio() > 0.9


def same_words(quote: object, part: str) -> bool:
    """White space does not count."""
    return isinstance(quote, str) and quote.split() == part.split()


def missing_is_fine(quote: object, part: str) -> bool:
    """No quote, no objection."""
    return quote is None or quote == part


def counted_without_empty_ones(document: Document, citation: Citation) -> str | None:
    """The empty paragraphs are thrown away before the number is looked up."""
    kept = "\n\n".join(part for part in document.text.split("\n\n") if part.strip())
    return at_number(replace(document, text=kept), citation)


def tidied(document: Document, citation: Citation) -> str | None:
    """The right passage, but its white space comes back tidied up."""
    found = at_number(document, citation)
    return None if found is None else " ".join(found.split())


# --- the table ------------------------------------------------------------------------------------------------------

EVIDENCE: Final[tuple[Mutant[SmallRetriever], ...]] = mutants(
    ("worst first", replace(RIGHT, order=lambda part: (-part.score, part.document.id, part.number)), (1, 10)),
    ("order by document id", replace(RIGHT, order=lambda part: (part.document.id, part.number)), (1,)),
    ("paragraph numbers sorted as text", replace(RIGHT, order=number_as_text), (10,)),
    ("one hit for each document", replace(RIGHT, after=best_of_each), (7,)),
    ("first paragraph taken for a heading", replace(RIGHT, paragraphs=without_heading), (1, 2)),
    ("paragraphs counted from 0", replace(RIGHT, paragraphs=from_zero), (2, 8, 11)),
    ("paragraphs counted without empty ones", replace(RIGHT, paragraphs=without_empty_ones), (8, 11)),
    ("quotes tidied up", replace(RIGHT, paragraphs=trimmed), (3, 8)),
    ("version not the registered one", replace(RIGHT, hit=lambda part: replace(hit_of(part), version="latest")), (4,)),
    (
        "fingerprint of the paragraph",
        replace(RIGHT, hit=lambda part: replace(hit_of(part), content_sha256=sha256(part.quote))),
        (5, 8),
    ),
    ("scores as percentages", replace(RIGHT, hit=percent), (6,)),
    ("limits clamped", replace(RIGHT, limit=clamped), (41,)),
    ("limit 6 accepted", replace(RIGHT, limit=partial(refused, highest=6)), (41,)),
    ("limits made whole numbers", replace(RIGHT, limit=coerced), (42,)),
    ("at least three hits", replace(RIGHT, limit=at_least_three), (43,)),
    ("duplicate ids tolerated", replace(RIGHT, unique=False), (44,)),
    ("fingerprint ignored", replace(RIGHT, same_source=version_only), (45,)),
    ("version ignored", replace(RIGHT, same_source=fingerprint_only), (46,)),
    ("access not checked again", replace(RIGHT, may_cite=lambda _actor, _document: True), (47,)),
    ("gone told apart from forbidden", replace(RIGHT, unavailable=gone_or_forbidden), (47, 48)),
    ("paragraph number as Python takes it", replace(RIGHT, quoted=partial(at_number, place=as_python_takes_it)), (49,)),
    ("paragraph number made a number", replace(RIGHT, quoted=partial(at_number, place=made_a_number)), (49,)),
    ("quote looked for anywhere", replace(RIGHT, quoted=anywhere), (49,)),
    ("resolved without empty paragraphs", replace(RIGHT, quoted=counted_without_empty_ones), (8,)),
    ("quote within the paragraph", replace(RIGHT, quoted=partial(at_number, same=within_it)), (50,)),
    ("quote nearly the paragraph", replace(RIGHT, quoted=partial(at_number, same=alike)), (50,)),
    ("white space of quotes ignored", replace(RIGHT, quoted=partial(at_number, same=same_words)), (50,)),
    ("a missing quote is fine", replace(RIGHT, quoted=partial(at_number, same=missing_is_fine)), (50,)),
    ("resolved quote tidied up", replace(RIGHT, quoted=tidied), (9,)),
    ("orders hidden", replace(RIGHT, after=suspicious_left_out), (7, 51)),
    ("orders obeyed", replace(RIGHT, after=obeyed), (51,)),
    ("orders marked in a field", replace(RIGHT, hit=with_warning), (51,)),
)
"""In the order of the contract: order, hits, limits, register, resolution, found orders."""
