"""Conditions 22 to 44 of the 51: the meaning of a query, limits, and no duplicate ids (S0; contract 2.2, 2.5, 2.11).

Each is a row of data over a :class:`~workbench.study.proof.bench.Bench`, whatever retriever is on it. All documents are
fictional.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from workbench.study.proof.bench import Bench, invented, outcome, places, s0, unanimous
from workbench.study.proof.rows import Condition

CONTROLS: Final = ("\x00", "\t", "\n", "\r", "\x1f", "\x7f")
GERMAN: Final = ("Größe", "Ölstand", "prüfen")

# --- the meaning of a query -------------------------------------------------------------------------------------


def nfd(bench: Bench) -> str:
    """The places of queries whose umlauts are a letter and a combining mark."""
    return "; ".join(f"{word} → {bench.places(unicodedata.normalize('NFD', word))}" for word in GERMAN)


def repeated(bench: Bench) -> str:
    """Whether thirteen times the same word finds what it finds once, with the same scores."""
    once, often = bench.find("Freigabe"), bench.find(" ".join(["Freigabe", "freigabe"] * 6 + ["FREIGABE"]))
    same = [(places([hit]), hit.score) for hit in once] == [(places([hit]), hit.score) for hit in often]
    return f"{len(often)} hits, {'the same scores' if same else 'not the same'}"


def characters(bench: Bench) -> str:
    """A query of 200 characters, and one of 201."""
    return f"200: {len(bench.find('Freigabe'.ljust(200)))} hits; 201: {bench.outcome('Freigabe'.ljust(201))}"


def distinct_words(bench: Bench) -> str:
    """A query of the first twelve distinct words of a passage, and one of thirteen."""
    paragraph = bench.document("ablauf").text.split("\n\n")[0]
    words = list(dict.fromkeys("".join(c if c.isalnum() else " " for c in paragraph).split()))
    return f"12: {bench.places(' '.join(words[:12]))}; 13: {bench.outcome(' '.join(words[:13]))}"


def letters(bench: Bench) -> str:
    """A word of 40 letters that stands in a document, and one of 41."""
    among = (invented("langwort", "Fiktiv: " + "ü" * 40),)
    return f"40: {bench.places('ü' * 40, among=among)}; 41: {bench.outcome('ü' * 41, among=among)}"


MEANING: Final[tuple[Condition[Bench], ...]] = (
    Condition(22, "an empty query finds nothing", "nothing", lambda b: b.each("", "   ")),
    Condition(23, "only punctuation finds nothing", "nothing", lambda b: b.each("?!", "–", "_", "„“", "😀")),
    Condition(24, "an unknown word finds nothing", "nothing", lambda b: b.each("Freigäbe", "Personal", "Kranöse")),
    Condition(
        25,
        "words of two different paragraphs find nothing",
        "nothing",
        lambda b: b.each("Personen Schichtleitung", "Freigabe Leckage"),
    ),
    Condition(
        26,
        "words of one paragraph in another order are found",
        "ablauf 1",
        lambda b: b.each("Personen zwei", "Drehrichtung Absperrung zwei"),
    ),
    Condition(
        27,
        "OR is a word",
        "OR → rundgang 3; Taster OR → rundgang 3; Personen OR Leckage → nothing",
        lambda b: b.every("OR", "Taster OR", "Personen OR Leckage"),
    ),
    Condition(
        28,
        "NOT and NEAR(...) are words",
        "NOT → rundgang 3; Freigabe NOT Pumpe → nothing; NEAR(zwei Personen) → nothing",
        lambda b: b.every("NOT", "Freigabe NOT Pumpe", "NEAR(zwei Personen)"),
    ),
    Condition(29, "an asterisk makes no prefix search", "nothing", lambda b: b.each("Freig*", "Person *", "*")),
    Condition(
        30,
        "column filter, quotes and brackets are no syntax",
        '"Personen zwei" → ablauf 1; (zwei) {Personen} → ablauf 1; ^zwei "Personen → ablauf 1; body:Personen → nothing',
        lambda b: b.every('"Personen zwei"', "(zwei) {Personen}", '^zwei "Personen', "body:Personen"),
    ),
    Condition(
        31,
        "case does not matter",
        "zWEI PERSONEN → ablauf 1; ÖLSTAND → notiz 2; drehrichtung → ablauf 1",
        lambda b: b.every("zWEI PERSONEN", "ÖLSTAND", "drehrichtung"),
    ),
    Condition(32, "an NFD query finds NFC text", "Größe → rundgang 2; Ölstand → notiz 2; prüfen → ablauf 1", nfd),
    Condition(
        33,
        "a missing umlaut does not match",
        "nothing",
        lambda b: b.each("Große", "Olstand", "prufen", "Groesse"),
    ),
    Condition(34, "a word stem does not match", "nothing", lambda b: b.each("Person", "Freigaben", "Schalter")),
    Condition(35, "repeated words count once", "4 hits, the same scores", repeated),
    Condition(36, "200 characters pass, 201 are refused", "200: 4 hits; 201: refused", characters),
    Condition(37, "twelve distinct words pass, 13 are refused", "12: ablauf 1; 13: refused", distinct_words),
    Condition(38, "a word of 40 letters passes, 41 are refused", "40: langwort 1; 41: refused", letters),
    Condition(
        39,
        "each of NUL, tab, newline, carriage return, 0x1F and DEL is refused",
        "refused",
        lambda b: unanimous({repr(c): b.outcome(f"zwei{c}Personen") for c in CONTROLS}),
    ),
    Condition(
        40,
        "a query that is no string is refused",
        "refused",
        lambda b: refusals(b, queries=(None, 3, b"zwei Personen", ["zwei", "Personen"])),
    ),
)

# --- limits and register ----------------------------------------------------------------------------------------


def refusals(bench: Bench, *, queries: Sequence[object] = ("Freigabe",), limits: Sequence[object] = (5,)) -> str:
    """Whether each query is refused with each limit."""
    said = {f"{query!r}, limit {limit!r}": bench.outcome(query, limit=limit) for query in queries for limit in limits}
    return unanimous(said)


def one_alone(bench: Bench) -> str:
    """What limit 1 gives of the four."""
    one = bench.find("Freigabe", limit=1)
    return f"{len(one)} hit, {'the first' if one == bench.find('Freigabe')[:1] else 'not the first'}"


def duplicates(bench: Bench) -> str:
    """What a search and a resolution say of a register in which an id stands twice."""
    original = bench.document("ablauf")
    twice = (*bench.documents, replace(original, text="Fiktiv: ein anderer Text."))
    citation = s0(bench.find("zwei Personen")[0])
    search = bench.outcome("zwei", among=twice)
    resolution = outcome(lambda: bench.resolve(citation, among=twice))
    return f"search {search}, resolution {resolution}"


LIMITS: Final[tuple[Condition[Bench], ...]] = (
    Condition(41, "limits 0, 6 and -1 are refused", "refused", lambda b: refusals(b, limits=(0, 6, -1))),
    Condition(
        42,
        'True, 3.0, "3" and None are refused as limits',
        "refused",
        lambda b: refusals(b, limits=(True, 3.0, "3", None)),
    ),
    Condition(43, "limit 1 gives the first hit alone", "1 hit, the first", one_alone),
    Condition(
        44,
        "duplicate ids are refused by search and by resolution",
        "search refused, resolution refused",
        duplicates,
    ),
)
