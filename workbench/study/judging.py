"""What one setting gave for one question, judged against its gold: the raw material of every measure.

A gold span is found by a passage that holds it whole. Touching is not holding, and a part is no find; parts count in
the span measures. Passages are compared by document and code points, so any cut can be judged by the same gold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.contract import Decision, Hit, Status
from workbench.evidence.view import View
from workbench.intervals import Interval
from workbench.study.questions import Gold, Question

Place = tuple[str, int]
"""A passage by document id and passage number."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question's hits in order, with what they are worth.

    ``gold`` holds the spans that this question's view admits; where none is, the question counts as unanswerable in its
    context. ``relevant`` are all passages of the view that hold a gold span whole; ``cut`` how many spans no passage
    holds. ``wrong`` and ``leaked`` name hits of another revision than the decided one, and hits that the persona may
    not read.
    """

    question: Question
    decision: Decision | None
    hits: tuple[Hit, ...]
    gold: tuple[Gold, ...] = ()
    relevant: frozenset[Place] = frozenset()
    cut: int = 0
    wrong: frozenset[Place] = frozenset()
    leaked: frozenset[Place] = frozenset()

    @property
    def answerable(self) -> bool:
        """Whether there is gold that this context admits."""
        return bool(self.gold)

    @property
    def refused(self) -> bool:
        """Whether the register refused."""
        return self.decision is not None and self.decision.status is not Status.RESOLVED

    @property
    def outcome(self) -> str:
        """``hits``, ``no_hit``, or the refusal's status."""
        if self.refused and self.decision is not None:
            return self.decision.status.value
        return "hits" if self.hits else "no_hit"


def place(hit: Hit) -> Place:
    """A hit as the key that tells passages apart."""
    return hit.document_id, hit.paragraph


def holds(hit: Hit, gold: Gold) -> bool:
    """Whether the passage holds the gold span whole."""
    return hit.document_id == gold.document_id and hit.start <= gold.span.start and gold.span.end <= hit.end


def judge(
    question: Question,
    view: View | None,
    hits: Sequence[Hit],
    *,
    decision: Decision | None = None,
    wrong: frozenset[Place] = frozenset(),
    leaked: frozenset[Place] = frozenset(),
) -> Judged:
    """The judgement of one question's hits in its view (``None``: refused, nothing was searched)."""
    if view is None:
        return Judged(question, decision, ())
    now = view.now()
    gold = tuple(g for g in question.gold if g.document_id in now.admitted and _inside(now.admitted, g))
    relevant: set[Place] = set()
    cut = 0
    for span in gold:
        text, spans = now.state.documents[span.document_id].text, now.admitted[span.document_id]
        holding = [
            (span.document_id, passage.number)
            for passage in view.rule.passages(text, spans)
            if Interval(passage.start, passage.end).covers(span.span)
        ]
        relevant.update(holding)
        cut += not holding
    return Judged(question, decision, tuple(hits), gold, frozenset(relevant), cut, wrong, leaked)


def _inside(admitted: object, gold: Gold) -> bool:
    spans = admitted[gold.document_id]  # type: ignore[index]
    return spans is None or any(Interval(*span).covers(gold.span) for span in spans)
