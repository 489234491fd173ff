"""What each word of a question adds to the scores of its hits, as a frame that adds up to them exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

import polars as pl

from workbench.contract import Hit
from workbench.evidence.view import View

HITS: Final = 40
"""How many hits a picture shows one by one."""

MERGED: Final = 25
"""How many bars a picture has that shows more hits."""

SCHEMA: Final = {
    "hit": pl.String(),
    "place": pl.Int64(),
    "document_id": pl.String(),
    "paragraph": pl.Int64(),
    "word": pl.String(),
    "contribution": pl.Float64(),
    "begins": pl.Float64(),
    "ends": pl.Float64(),
    "score": pl.Float64(),
}


def composition(view: View, query: str, hits: Sequence[Hit]) -> pl.DataFrame:
    """What each word of the question adds to each hit's score in this view: a row for each hit and word.

    Hits by their ``place`` in the order given (1 is the first), words in the question's order. ``contribution`` is
    negative as FTS5's scores are, 0 where the passage lacks the word; it leads from ``begins`` to ``ends``, and the
    last ``ends`` of a hit is its ``score`` to the last bit. A score is a place in this view's order: no percentage, no
    confidence, and not to be compared with another question's or another view's (contract 2.4).

    Raises EvidenceError for a hit of another view, QueryRefused for what is no question.

    >>> from workbench.contract import Actor
    >>> from workbench.evidence.corpus import Corpus
    >>> view = Corpus.read("data/pumps").view(Actor("werk-nord", {"wartung"}))
    >>> frame = composition(view, "zwei Personen", view.search("zwei Personen", limit=1))
    >>> frame.select("hit", "word").rows(), frame["ends"][-1] == frame["score"][-1]
    ([('1. ablauf, paragraph 1', 'zwei'), ('1. ablauf, paragraph 1', 'personen')], True)
    """
    rows: list[dict[str, object]] = []
    shares = view.explain(query, hits)
    words = len(shares) // max(1, len(hits))
    for place, hit in enumerate(hits, 1):
        ends = 0.0
        for share in shares[(place - 1) * words : place * words]:
            begins, ends = ends, ends + share.contribution
            rows.append(
                {
                    "hit": f"{place}. {hit.document_id}, paragraph {hit.paragraph}",
                    "place": place,
                    "document_id": hit.document_id,
                    "paragraph": hit.paragraph,
                    "word": share.word,
                    "contribution": share.contribution,
                    "begins": begins,
                    "ends": ends,
                    "score": share.score,
                }
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def binned_hits(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of :func:`composition` as a picture can show it: with a column ``rows``, of how many rows each is made.

    Given back as it is up to 40 hits. Else neighbouring places are merged to at most 25, each with the means of its
    hits' contributions and scores; the ``rows`` add up to the frame's height.
    """
    count = frame["place"].n_unique()
    if count <= HITS:
        return frame
    per = -(-count // MERGED)
    rows: list[dict[str, object]] = []
    means = (
        frame.group_by((pl.col("place") - 1) // per + 1, "word", maintain_order=True)
        .agg(pl.mean("contribution", "score"), rows=pl.len())
        .sort("place", maintain_order=True)
    )
    for _, found in groupby(means.iter_rows(named=True), key=lambda row: row["place"]):
        ends = 0.0
        for row in found:
            begins, ends = ends, ends + row["contribution"]
            first = (row["place"] - 1) * per + 1
            hit = f"places {first} to {first + row['rows'] - 1} (mean of {row['rows']})"
            alone = {"document_id": None, "paragraph": None}
            rows.append({**row, **alone, "hit": hit, "begins": begins, "ends": ends})
    return pl.DataFrame(rows, schema={**SCHEMA, "rows": pl.Int64()})


def drawn_parts(rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    """What was read back from a composition's artists: each part of a bar with its word, and where the bar ends."""
    numbers = dict.fromkeys(("begins", "ends"), pl.Float64)
    return pl.DataFrame(list(rows), schema={"hit": pl.String, "word": pl.String, **numbers, "label": pl.String})
