"""A document under a cut, as a frame: which piece of its text lies in which passages, and which is gold."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import polars as pl

from workbench.evidence.view import View
from workbench.intervals import Interval
from workbench.study.questions import Gold

TYPES: Final[dict[str, pl.DataType | type[pl.DataType]]] = {
    "start": pl.Int64,
    "end": pl.Int64,
    "begins": pl.List(pl.Int64),
    "passages": pl.List(pl.Int64),
    "gold": pl.Boolean,
    "cut": pl.Boolean,
    "text": pl.String,
}


def chunks(
    view: View, document_id: str, *, gold: Iterable[Gold] = (), around: tuple[int, int] | None = None
) -> pl.DataFrame:
    """A document of the view in pieces between the borders of its passages and of the gold spans, in order.

    ``start`` and ``end`` are code points, ``passages`` the numbers of all passages that hold the piece (none between
    passages, several where they overlap), ``begins`` of those that begin with it, ``gold`` whether it is expected, and
    ``cut`` whether a gold span that no passage holds whole is cut where the piece begins. ``text`` is the piece: all of
    them together are the text, or of a view that holds parts of it those parts. ``around`` limits the frame to these
    code points. Raises ValueError for a document that the view does not hold.

    >>> from workbench.contract import Actor, Document
    >>> from workbench.evidence.corpus import Corpus
    >>> from workbench.evidence.cuts import Words
    >>> corpus = Corpus([Document("a", "nord", {"wartung"}, "1", "eins zwei drei")])
    >>> view = corpus.view(Actor("nord", {"wartung"})).cut(Words(2))
    >>> chunks(view, "a", gold=[Gold("a", (5, 14))]).select("text", "passages", "gold", "cut").rows()
    [('eins ', [1], False, False), ('zwei', [1], True, False), (' ', [], True, True), ('drei', [2], True, True)]
    """
    now = view.now()
    if document_id not in now.admitted:
        raise ValueError("the view holds no such document")
    text = now.state.documents[document_id].text
    parts = now.admitted[document_id] or (Interval(0, len(text)),)
    passages = list(view.rule.passages(text, now.admitted[document_id]))
    spans = [g.span for g in gold if g.document_id == document_id]
    broken = [span for span in spans if not any(Interval(p.start, p.end).covers(span) for p in passages)]
    limits = Interval(0, len(text)) if around is None else Interval(*around).meet(Interval(0, len(text)))
    borders = {border for p in passages for border in (p.start, p.end)}
    every = borders | {border for span in (*spans, *parts, limits) for border in span}
    places = sorted(border for border in every if limits.start <= border <= limits.end)
    rows = []
    for start, end in pairwise(places):
        piece = Interval(start, end)
        if not any(Interval(*part).covers(piece) for part in parts):
            continue
        holding = [p.number for p in passages if p.start < end and start < p.end]
        rows.append(
            {
                "start": start,
                "end": end,
                "begins": [p.number for p in passages if p.start == start],
                "passages": holding,
                "gold": any(span.covers(piece) for span in spans),
                "cut": start in borders and any(span.start < start < span.end for span in broken),
                "text": text[start:end],
            }
        )
    return pl.DataFrame(rows, schema=pl.Schema(TYPES))
