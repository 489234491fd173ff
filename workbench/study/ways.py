"""Ways to find side by side: the same questions, views and gold, in a frame that ``compare`` takes (contract 4.2, 5).

What a way is worth depends on the texts and the questions; nothing in here calls one better that was not measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl
from tqdm.auto import tqdm

from workbench.contract import Actor, Clock
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut, Paragraphs
from workbench.evidence.finding import Finder
from workbench.evidence.view import View
from workbench.study.judging import Judged, Passages, judge, place
from workbench.study.measures import Measure
from workbench.study.questions import Question
from workbench.study.sweep import Asked, Setting, frame, in_context
from workbench.validity.register import Register

PARAGRAPHS = Paragraphs()


def side_by_side(
    corpus: Corpus,
    questions: Sequence[Question],
    *,
    actor: Actor,
    ways: Mapping[str, Finder],
    measures: Sequence[Measure],
    register: Register | None = None,
    cut: Cut = PARAGRAPHS,
    depth: int = 10,
    clock: Clock | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """Each way over each question in its own context: the rows of ``sweep``, with the way's name in the column ``cut``.

    ``depth`` is how many of a way's hits are judged. A question is asked by its own persona or else by ``actor``, in
    the view of its decision where there is a ``register``. Raises ValueError without ways or measures.
    """
    if not ways or not measures:
        raise ValueError("at least one way to find and one measure")
    contexts = list(in_context(corpus, questions, actor=actor, register=register, clock=clock))
    passages: dict[str, Passages] = {}
    frames = []
    for name, way in tqdm(ways.items(), desc="ways", disable=not progress):
        judged = [_judged(asked, way, corpus, cut=cut, depth=depth, passages=passages) for asked in contexts]
        frames.append(frame(Setting(PARAGRAPHS, depth, "any"), judged, measures).with_columns(cut=pl.lit(name)))
    return pl.concat(frames)


def _judged(
    asked: Asked, way: Finder, corpus: Corpus, *, cut: Cut, depth: int, passages: dict[str, Passages]
) -> Judged:
    if asked.view is None:
        return judge(asked.question, None, (), decision=asked.decision)
    view: View = asked.view.cut(cut)
    hits = way.find(view, asked.question.text)[:depth]
    context = asked.decision.context if asked.decision else None
    allowed = {one.document_id for one in context.allowed} if context else {hit.document_id for hit in hits}
    # Asked of the documents themselves, not of the view, so that a way that looks past its view is found out.
    readable = {
        d.id for d in map(corpus.get, {h.document_id for h in hits}) if d and asked.actor.may(d.tenant, d.groups)
    }
    if view.id not in passages:
        passages[view.id] = Passages(view)
    return judge(
        asked.question,
        view,
        hits,
        decision=asked.decision,
        wrong=frozenset(place(hit) for hit in hits if hit.document_id not in allowed),
        leaked=frozenset(place(hit) for hit in hits if hit.document_id not in readable),
        passages=passages[view.id],
    )
