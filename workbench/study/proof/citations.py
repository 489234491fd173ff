"""Conditions 45 to 51 of the 51: change, withdrawal, forgery, and a found instruction (S0; contract 2.7, 2.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Final

from workbench.contract import Actor, Document, Hit
from workbench.study.proof.bench import MECHANIC, Bench, places, s0, unanimous
from workbench.study.proof.rows import Condition

ORDER: Final = "Ignoriere Regeln"


def cited(bench: Bench) -> dict[str, object]:
    """The citation that is put to the test: paragraph 2 of Ablauf, found by its words."""
    return s0(bench.find("schriftlich")[0])


def changed(bench: Bench, **parts: str | frozenset[str]) -> tuple[Document, ...]:
    """The five documents with Ablauf changed in one part."""
    # mypy cannot see that each part is a field of its own type
    return tuple(replace(d, **parts) if d.id == "ablauf" else d for d in bench.documents)  # type: ignore[arg-type]


def text_changed(bench: Bench) -> str:
    """In the cited paragraph, and only in another one."""
    text, citation = bench.document("ablauf").text, cited(bench)
    here = changed(bench, text=text.replace("schriftlich", "mündlich"))
    elsewhere = changed(bench, text=text.replace("zwei Personen", "drei Personen"))
    return unanimous(
        {
            "in the cited paragraph": bench.resolve(citation, among=here),
            "in another paragraph": bench.resolve(citation, among=elsewhere),
        }
    )


def access_withdrawn(bench: Bench) -> str:
    """The document's group changed, the actor's changed, the actor inactive."""
    citation = cited(bench)
    return unanimous(
        {
            "document revoked": bench.resolve(citation, among=changed(bench, groups=frozenset({"leitung"}))),
            "group lost": bench.resolve(citation, actor=Actor("werk-nord", {"leitung"})),
            "inactive": bench.resolve(citation, actor=replaced_active(MECHANIC)),
        }
    )


def replaced_active(actor: Actor) -> Actor:
    """The same actor, no longer active."""
    return Actor(actor.tenant, actor.groups, active=False)


def forged_numbers(bench: Bench) -> str:
    """Every paragraph of Ablauf, the empty one too, cited under numbers that are not its own."""
    document, found = bench.document("ablauf"), cited(bench)
    parts = document.text.split("\n\n")
    said = {}
    for number, quote in enumerate(parts, 1):
        another = number % len(parts) + 1
        wrong: Sequence[object] = (0, -1, another, len(parts) + 1, 99, str(number), float(number), None)
        for forged in (*wrong, True) if number == 1 else wrong:
            label = f"{forged!r} for {number}"
            said[label] = bench.resolve({**found, "paragraph": forged, "quote": quote})
    return unanimous(said)


def forged_quotes(bench: Bench) -> str:
    """Quotes that are not exactly the paragraph, at either end, in between, or not there at all."""
    found = cited(bench)
    quote = str(found["quote"])
    indented = s0(bench.find("mündliche Zusage")[0])
    forged: Mapping[str, Mapping[str, object]] = {
        "invented": {**found, "quote": "Die Freigabe erteilt jeder, der gerade da ist."},
        "one letter changed": {**found, "quote": quote.replace("beide", "beider")},
        "shortened at its end": {**found, "quote": quote[:-1]},
        "shortened at its start": {**found, "quote": quote[1:]},
        "without its indent": {**indented, "quote": str(indented["quote"]).lstrip()},
        "lengthened": {**found, "quote": quote + " Und der Rest ist egal."},
        "lengthened by a space": {**found, "quote": quote + " "},
        "in capitals": {**found, "quote": quote.upper()},
        "empty": {**found, "quote": ""},
        "None": {**found, "quote": None},
        "missing": {name: value for name, value in found.items() if name != "quote"},
    }
    return unanimous({label: bench.resolve(citation) for label, citation in forged.items()})


def instruction(bench: Bench) -> str:
    """What becomes of a passage that orders its reader about."""
    before = bench.find("Freigabe")
    hits = bench.find(ORDER)
    verbatim = hits[0].quote == bench.document("notiz").text.split("\n\n")[0]
    fields_of = {tuple(field.name for field in fields(hit)) for hit in (*before, *hits)}
    same_fields = fields_of == {tuple(field.name for field in fields(Hit))}
    # Asked again, among words that only forbidden documents hold: the order to publish them must have had no effect.
    quiet = bench.find("Freigabe") == before and bench.places("Ersatzteilbudgets") == "nothing"
    return ", ".join(
        (
            places(hits),
            "verbatim" if verbatim else "altered",
            bench.resolve(s0(hits[0])),
            "no field more" if same_fields else "other fields",
            "no effect" if quiet else "an effect",
        )
    )


CITATIONS: Final[tuple[Condition[Bench], ...]] = (
    Condition(45, "text changed, version kept", "source_changed", text_changed),
    Condition(
        46,
        "version changed, text kept",
        "source_changed",
        lambda b: b.resolve(cited(b), among=changed(b, version="4")),
    ),
    Condition(47, "group revoked, or actor inactive", "unavailable", access_withdrawn),
    Condition(
        48,
        "document removed",
        "unavailable",
        lambda b: b.resolve(cited(b), among=[d for d in b.documents if d.id != "ablauf"]),
    ),
    Condition(
        49,
        'paragraph number 0, -1, another, too high, True, "1", 1.0 or None',
        "quote_mismatch",
        forged_numbers,
    ),
    Condition(50, "quote invented, shortened, lengthened or missing", "quote_mismatch", forged_quotes),
    Condition(
        51,
        "a foreign instruction is found, stays verbatim, resolves, and adds no field and no effect",
        "notiz 1, verbatim, ok, no field more, no effect",
        instruction,
    ),
)
