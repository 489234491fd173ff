"""Conditions 1 to 21 of the 51: the hits with their evidence, and access before statistics (S0; contract 2.1-2.6).

Each is a row of data over a :class:`~workbench.study.proof.bench.Bench`, whatever retriever is on it. All documents are
fictional.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Final

from workbench.contract import Actor, Document, Hit
from workbench.errors import shown
from workbench.study.proof.bench import MECHANIC, Bench, invented, places, s0, unanimous
from workbench.study.proof.rows import Condition

LONG: Final = "\n\n".join(f"Fiktive Ablage, Blatt {n}: Freigabe der Freigabe zur Freigabe." for n in range(1, 201))


# --- hits and their evidence ------------------------------------------------------------------------------------


def first_document(bench: Bench) -> str:
    """Alone, and before a longer passage with the same words whose id sorts first."""
    longer = invented("abc-aushang", "Fiktiver Aushang: zwei Personen " + "und noch viele andere Wörter " * 20)
    alone, beside = bench.find("zwei Personen"), bench.find("zwei Personen", among=(longer, *bench.documents))
    return f"{alone[0].document_id}; beside a longer passage: {places(beside)}"


def first_hit(bench: Bench) -> Hit:
    """The hit that conditions 2 to 6 look at."""
    return bench.find("zwei Personen")[0]


def score_is(bench: Bench) -> str:
    """What kind of number the score is."""
    score = first_hit(bench).score
    return f"{'finite' if math.isfinite(score) else 'not finite'}, {'negative' if score < 0 else 'not negative'}"


def four(bench: Bench) -> list[Hit]:
    """The hits of "Freigabe"."""
    return bench.find("Freigabe")


def order_of(bench: Bench) -> str:
    """Whether the four hits ascend by score, and how passages with one and the same score stand."""
    scores = [hit.score for hit in four(bench)]
    twin = "\n\n".join(["Fiktiv."] * 8 + ["Freigabe."] * 3)
    ties = bench.places("Freigabe", among=(invented("zwilling-b", twin), invented("zwilling-a", twin)))
    return f"{'ascending' if scores == sorted(scores) else 'not ascending'}; of equal scores: {ties}"


HITS: Final[tuple[Condition[Bench], ...]] = (
    Condition(
        1,
        '"zwei Personen" finds Ablauf first',
        "ablauf; beside a longer passage: ablauf 1, abc-aushang 1",
        first_document,
    ),
    Condition(2, "it is paragraph 1", "paragraph 1", lambda b: f"paragraph {first_hit(b).paragraph}"),
    Condition(
        3,
        "the quote is that paragraph, verbatim",
        lambda b: shown(b.document("ablauf").text.split("\n\n")[0], 300),
        lambda b: shown(first_hit(b).quote, 300),
    ),
    Condition(
        4,
        "its version is the registered one",
        lambda b: f"version {b.document('ablauf').version}",
        lambda b: f"version {first_hit(b).version}",
    ),
    Condition(
        5,
        "its fingerprint is the SHA-256 of the whole text",
        lambda b: hashlib.sha256(b.document("ablauf").text.encode("utf-8")).hexdigest(),
        lambda b: first_hit(b).content_sha256,
    ),
    Condition(6, "its score is a finite negative number, for order only", "finite, negative", score_is),
    Condition(
        7,
        '"Freigabe" finds exactly the four readable passages',
        "ablauf 2, ablauf 4, notiz 1, rundgang 2",
        lambda b: places(sorted(four(b), key=lambda hit: (hit.document_id, hit.paragraph))),
    ),
    Condition(8, "each of them resolves", "4 × ok", lambda b: f"{len(four(b))} × {resolved(b)}"),
    Condition(
        9,
        "each resolves to the same quote",
        "4 of 4 the same",
        lambda b: f"{sum(same_quote(b, hit) for hit in four(b))} of {len(four(b))} the same",
    ),
    Condition(
        10,
        "they stand in the order score, document id, paragraph",
        "ascending; of equal scores: zwilling-a 9, zwilling-a 10, zwilling-a 11, zwilling-b 9, zwilling-b 10",
        order_of,
    ),
    Condition(
        11,
        "the paragraph after the empty section keeps its number 4",
        "ablauf 4",
        lambda b: b.places("mündliche Zusage"),
    ),
)


def resolved(bench: Bench) -> str:
    """How the four hits resolve: in S0's five fields, and as the whole citation."""
    said = {places([hit]): bench.resolve(s0(hit)) for hit in four(bench)}
    whole = {f"{places([hit])}, whole": bench.resolve(hit.citation().mapping()) for hit in four(bench)}
    return unanimous(said | whole)


def same_quote(bench: Bench, hit: Hit) -> bool:
    """Whether the hit resolves to its own quote."""
    return bench.retriever.resolve(MECHANIC, s0(hit), bench.documents).quote == hit.quote


# --- access -----------------------------------------------------------------------------------------------------


def absent(bench: Bench, name: str, *queries: str) -> str:
    """The places of one document among the hits of queries that it would answer."""
    return places(hit for query in queries for hit in bench.find(query) if hit.document_id == name)


def as_actor(bench: Bench, tenant: str, groups: Sequence[str], *, active: bool = True) -> str:
    """What another actor finds."""
    return bench.places("Freigabe", actor=Actor(tenant, groups, active))


def beside(bench: Bench, added: Document, *queries: str) -> str:
    """Whether a further document changes the hits of queries, or their scores."""
    before = [bench.find(query) for query in queries]
    after = [bench.find(query, among=(added, *bench.documents)) for query in queries]
    if [places(hits) for hits in before] != [places(hits) for hits in after]:
        return "other hits"
    # Bit for bit: a score that differs in its last place has seen something that it should not have.
    same = [[hit.score for hit in hits] for hits in before] == [[hit.score for hit in hits] for hits in after]
    return "the same hits, the same scores" if same else "the same hits, other scores"


ACCESS: Final[tuple[Condition[Bench], ...]] = (
    Condition(
        12,
        "the other tenant's document is absent",
        "nothing",
        lambda b: absent(b, "suedwerk", "Freigabe", "Betriebsleitung"),
    ),
    Condition(
        13,
        "the other group's document is absent",
        "nothing",
        lambda b: absent(b, "budget", "Freigabe", "Ersatzteilbudgets"),
    ),
    Condition(
        14,
        "with that group, it is found",
        "budget 1",
        lambda b: b.places("Ersatzteilbudgets", actor=Actor("werk-nord", {"wartung", "leitung"})),
    ),
    Condition(
        15,
        "the other tenant's actor finds only its own",
        "suedwerk 1",
        lambda b: as_actor(b, "werk-sued", ("wartung",)),
    ),
    Condition(
        16,
        "an inactive actor finds nothing",
        "nothing",
        lambda b: as_actor(b, "werk-nord", ("wartung",), active=False),
    ),
    Condition(17, "an actor without groups finds nothing", "nothing", lambda b: as_actor(b, "werk-nord", ())),
    Condition(
        18,
        "an actor of an unknown tenant finds nothing",
        "nothing",
        lambda b: as_actor(b, "werk-west", ("wartung",)),
    ),
    Condition(
        19,
        "a very long forbidden document of the same tenant changes no hit and no score",
        "the same hits, the same scores",
        lambda b: beside(b, invented("lang", LONG, groups=("leitung",)), "Freigabe", "zwei Personen"),
    ),
    Condition(
        20,
        "one of another tenant neither",
        "the same hits, the same scores",
        lambda b: beside(b, invented("lang", LONG, tenant="werk-sued"), "Freigabe", "zwei Personen"),
    ),
    Condition(
        21,
        "a long readable one does change the scores",
        "the same hits, other scores",
        lambda b: beside(b, invented("lang", LONG), "zwei Personen"),
    ),
)
