"""What a score is made of: one row for each hit and word (contract 2.4; SQLite, "FTS5", section 5.1.1).

A score is a place in one view's order and nothing else: N, df and avgdl are those of the view, so scores of two views
do not compare, and none of them is a percentage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.contract import Hit
from workbench.errors import EvidenceError
from workbench.evidence import query as queries
from workbench.evidence.ranking import Ints, Lens, Ranking, contribution
from workbench.evidence.tokens import terms

if TYPE_CHECKING:
    from workbench.evidence.view import View


@dataclass(frozen=True, slots=True)
class Share:
    """What one word of a question adds to the score of one hit.

    ``tf``: how often the passage holds it; ``length``: the passage's tokens; ``df``: passages of the view that hold it;
    ``passages``: passages of the view (N); ``average``: their average length (avgdl); ``idf``: with FTS5's floor of
    1e-6; ``contribution``: what it adds, negative as FTS5's scores are. Added one after another, in the question's
    order, contributions are exactly the score.
    """

    document_id: str
    paragraph: int
    word: str
    tf: int
    length: int
    df: int
    passages: int
    average: float
    idf: float
    contribution: float
    score: float


def explain(view: View, query: str, hits: Sequence[Hit]) -> list[Share]:
    """For each hit and each word of the question, how the word adds to the hit's score in this view.

    Raises EvidenceError for a hit from another view or another state of it, QueryRefused for what is no question.

    >>> from workbench.contract import Actor, Document
    >>> from workbench.evidence.corpus import Corpus
    >>> view = Corpus([Document("a", "nord", {"w"}, "1", "zwei zwei\\n\\nund eins")]).view(Actor("nord", {"w"}))
    >>> [share] = explain(view, "zwei", view.search("zwei"))
    >>> share.tf, share.length, share.df, share.passages, share.average, share.contribution == share.score
    (2, 2, 1, 2, 2.0, True)
    """
    words = queries.question_words(query)
    now = view.now()
    if any(hit.view_id != now.id for hit in hits):
        raise EvidenceError("a hit is explained by the view that found it, as it then was")
    ranking = view.ranking()
    phrases = [tuple(terms(word)) for word in words]
    counts = [[lens.pairs(phrase) for lens in ranking.lenses] if phrase else [] for phrase in phrases]
    rows = []
    for hit in hits:
        part, passage = _place(ranking, hit)
        length = int(ranking.lenses[part].layout.length[passage])
        for word, found in zip(words, counts, strict=True):
            df = sum(len(passages) for passages, _ in found)
            tf = _tf(*found[part], passage) if found else 0
            idf = ranking.idf(df)
            norms = ranking.norms[part][passage : passage + 1]
            adds = float(contribution(idf, np.array([tf]), norms)[0])
            rows.append(
                Share(
                    hit.document_id,
                    hit.paragraph,
                    word,
                    tf,
                    length,
                    df,
                    ranking.passages,
                    ranking.average,
                    idf,
                    -adds if tf else 0.0,
                    hit.score,
                )
            )
    return rows


def _place(ranking: Ranking, hit: Hit) -> tuple[int, int]:
    """In which part of the view a hit lies, and which passage it is there."""
    for part, lens in enumerate(ranking.lenses):
        passage = _passage(lens, hit)
        if passage is not None:
            return part, passage
    raise EvidenceError("this hit is not in the view")


def _passage(lens: Lens, hit: Hit) -> int | None:
    layout = lens.layout
    for index in (i for i, name in enumerate(layout.ids) if name == hit.document_id):
        low, high = int(layout.first[index]), int(layout.first[index + 1])
        for passage in range(low, high):
            if lens.seen[passage] and int(layout.number[passage]) == hit.paragraph:
                return passage
    return None


def _tf(passages: Ints, counts: Ints, passage: int) -> int:
    at = int(np.searchsorted(passages, passage))
    return int(counts[at]) if at < len(passages) and int(passages[at]) == passage else 0
