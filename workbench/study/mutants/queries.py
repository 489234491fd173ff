"""Wrong searches, I: access, words, and what SQLite is asked; each is the small retriever with one step replaced.

Each is a mistake that somebody could really make. The numbers beside it are the conditions that it is here to fail.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from workbench.contract import Actor, Document
from workbench.study.mutants.small_retriever import RIGHT, Part, SmallRetriever, by_score, may, mutants, words
from workbench.study.proof.rows import Mutant

WORD: Final = r"[^\W_]+"


# --- access: who is let in, and what is counted -------------------------------------------------------------------


def every_tenant(actor: Actor, document: Document) -> bool:
    """Groups are compared, tenants are not."""
    return actor.active and bool(actor.groups & document.groups)


def every_group(actor: Actor, document: Document) -> bool:
    """Tenants are compared, groups are not."""
    return actor.active and actor.tenant == document.tenant


def inactive_too(actor: Actor, document: Document) -> bool:
    """Nobody asks whether the actor is still active."""
    return actor.tenant == document.tenant and bool(actor.groups & document.groups)


def all_groups_needed(actor: Actor, document: Document) -> bool:
    """The document must admit every group of the actor, instead of one."""
    return may(actor, document) and actor.groups <= document.groups


def none_means_all(readable: Sequence[Document], documents: Sequence[Document]) -> Sequence[Document]:
    """An empty filter is taken for no filter."""
    return readable or documents


def everything(_readable: Sequence[Document], documents: Sequence[Document]) -> Sequence[Document]:
    """The index holds all documents; the forbidden ones are taken out of the hits afterwards."""
    return documents


# --- words and what SQLite is asked ---------------------------------------------------------------------------------


def nfc(text: str) -> str:
    """What is done to a query where nothing else is said."""
    return unicodedata.normalize("NFC", text).lower()


def capitals_marked(text: str) -> str:
    """Capitals told apart, for a tokenizer that would fold them."""
    return re.sub(r"[A-ZÄÖÜ]", lambda capital: f"q9{capital[0]}", unicodedata.normalize("NFC", text))


def stemmed(text: str) -> str:
    """German endings cut off, in the text and in the query."""
    return re.sub(r"(?:en|n|e|s)\b", "", nfc(text))


def controls_as_spaces(query: object) -> list[str]:
    """Control characters are replaced instead of refused."""
    return words(re.sub(r"[\x00-\x1f\x7f]", " ", query) if isinstance(query, str) else query)


def any_type(query: object) -> list[str]:
    """What is no string is made one."""
    return words(query if isinstance(query, str) else str(query))


def raw(query: object, _terms: Sequence[str]) -> str:
    """The query goes to SQLite as it is typed, operators and all."""
    return str(query)


def any_word(_query: object, terms: Sequence[str]) -> str:
    """One of the words suffices."""
    return " OR ".join(f'"{term}"' for term in terms)


def prefixes(_query: object, terms: Sequence[str]) -> str:
    """Each word is the beginning of one."""
    return " AND ".join(f'"{term}"*' for term in terms)


def phrase(_query: object, terms: Sequence[str]) -> str:
    """The words must stand one after the other."""
    return f'"{" ".join(terms)}"'


# --- what is found where nothing matches ----------------------------------------------------------------------------


def all_of_it(parts: Sequence[Part], terms: Sequence[str]) -> list[Part]:
    """A query without words matches everything."""
    return [] if terms else [replace(part, score=-1.0) for part in parts]


def most_similar(parts: Sequence[Part], terms: Sequence[str]) -> list[Part]:
    """Rather than nothing, the passage that looks most like the question."""
    likeness = difflib.SequenceMatcher(None, " ".join(terms))
    scored: list[Part] = []
    for part in parts if terms else ():
        likeness.set_seq2(part.quote.lower())
        scored.append(replace(part, score=-likeness.ratio()))
    return sorted(scored, key=by_score)[:1]


def spelling_help(parts: Sequence[Part], terms: Sequence[str]) -> list[Part]:
    """A word that is not there is read as the nearest one that is."""
    held = {part: set(re.findall(WORD, part.quote.lower())) for part in parts}
    known = sorted(set().union(*held.values())) if held else []
    mended = [difflib.get_close_matches(term, known, 1, 0.8) for term in terms]
    if not terms or not all(mended):
        return []
    return [replace(part, score=-1.0) for part in parts if {near[0] for near in mended} <= held[part]]


def counted(part: Part, terms: Sequence[str]) -> float:
    """How often the words stand in the passage, for its length; nothing else is looked at."""
    found = re.findall(WORD, part.quote.lower())
    return -sum(found.count(term) for term in terms) / len(found)


# --- the table ------------------------------------------------------------------------------------------------------

SEARCHES: Final[tuple[Mutant[SmallRetriever], ...]] = mutants(
    ("tenant not compared", replace(RIGHT, may=every_tenant), (12, 15, 18)),
    ("groups not compared", replace(RIGHT, may=every_group), (13, 17)),
    ("inactive actors let in", replace(RIGHT, may=inactive_too), (16,)),
    ("all groups needed", replace(RIGHT, may=all_groups_needed), (14,)),
    ("nothing readable means everything", replace(RIGHT, allowed=none_means_all), (16, 17, 18)),
    ("filter after ranking", replace(RIGHT, indexed=everything), (19, 20)),
    ("filter after the limit", replace(RIGHT, indexed=everything, cut_first=True), (7, 19, 20)),
    ("OR instead of AND", replace(RIGHT, expression=any_word), (25, 27, 28)),
    ("prefix search", replace(RIGHT, expression=prefixes), (29, 34)),
    ("phrase search", replace(RIGHT, expression=phrase), (26, 30)),
    ("raw MATCH syntax", replace(RIGHT, expression=raw), (27, 28, 29, 30)),
    ("substring search", replace(RIGHT, tokenizer="trigram"), (34,)),
    ("diacritics folded", replace(RIGHT, tokenizer="unicode61 remove_diacritics 2"), (33,)),
    ("stemmed", replace(RIGHT, body=stemmed, words=partial(words, form=stemmed)), (34,)),
    ("case kept", replace(RIGHT, body=capitals_marked, words=partial(words, form=capitals_marked)), (31,)),
    ("query not normalised", replace(RIGHT, words=partial(words, form=str.lower)), (32,)),
    ("repeated words counted again", replace(RIGHT, words=partial(words, once=False)), (35,)),
    ("200 characters refused", replace(RIGHT, words=partial(words, characters=199)), (36,)),
    ("201 characters accepted", replace(RIGHT, words=partial(words, characters=201)), (36,)),
    ("12 words refused", replace(RIGHT, words=partial(words, most=11)), (37,)),
    ("13 words accepted", replace(RIGHT, words=partial(words, most=13)), (37,)),
    ("40 letters refused", replace(RIGHT, words=partial(words, letters=39)), (38,)),
    ("41 letters accepted", replace(RIGHT, words=partial(words, letters=41)), (38,)),
    ("control characters become spaces", replace(RIGHT, words=controls_as_spaces), (39,)),
    ("DEL forgotten", replace(RIGHT, words=partial(words, controls=r"[\x00-\x1f]")), (39,)),
    ("any type of query", replace(RIGHT, words=any_type), (40,)),
    ("no words find everything", replace(RIGHT, rescue=all_of_it), (22, 23)),
    ("the most similar rather than nothing", replace(RIGHT, rescue=most_similar), (24, 25)),
    ("spelling help", replace(RIGHT, rescue=spelling_help), (24, 33, 34)),
    ("scores from the passage alone", replace(RIGHT, score=counted), (21,)),
)
"""In the order of the search's steps."""
