"""What one setting gave for one question, judged against its gold: the raw material of every measure.

A gold span is found by a passage that holds it whole. Touching is not holding, and a part is no find; parts count in
the span measures. Passages are compared by document and code points, so any cut can be judged by the same gold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from workbench.contract import Decision, Spans, Status
from workbench.evidence.ranking import Lens
from workbench.evidence.view import View
from workbench.intervals import Interval
from workbench.study.questions import Gold, Question

Place = tuple[str, int]
"""A passage by document id and passage number."""


class Placed(Protocol):
    """What is judged of a hit: where it stands."""

    @property
    def document_id(self) -> str:
        """The document."""
        ...

    @property
    def paragraph(self) -> int:
        """The passage's number."""
        ...

    @property
    def start(self) -> int:
        """Its first code point."""
        ...

    @property
    def end(self) -> int:
        """The code point after its last."""
        ...


class Ranked(NamedTuple):
    """A ranked passage without its quote, of which a sweep makes hundreds of thousands."""

    document_id: str
    paragraph: int
    start: int
    end: int


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
    hits: tuple[Placed, ...]
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


def place(hit: Placed) -> Place:
    """A hit as the key that tells passages apart."""
    return hit.document_id, hit.paragraph


def holds(hit: Placed, gold: Gold) -> bool:
    """Whether the passage holds the gold span whole."""
    return hit.document_id == gold.document_id and hit.start <= gold.span.start and gold.span.end <= hit.end


class Passages:
    """All passages of a view, by document: which of them hold a span is looked up, not cut again."""

    def __init__(self, view: View) -> None:
        now = view.now()
        self.admitted: Mapping[str, Spans | None] = now.admitted
        ranking = now.state.index.ranking(now.state.documents, now.admitted, view.rule, key=now.id)
        self._lenses = [(lens, {name: at for at, name in enumerate(lens.layout.ids)}) for lens in ranking.lenses]

    def holding(self, gold: Gold) -> list[Place]:
        """The passages that hold the span whole, in order."""
        found: list[Place] = []
        for lens, places in self._lenses:
            if gold.document_id in places:
                numbers = _holding(lens, places[gold.document_id], gold.span)
                found.extend((gold.document_id, number) for number in numbers.tolist())
        return found


def _holding(lens: Lens, document: int, span: Interval) -> npt.NDArray[np.integer]:
    layout = lens.layout
    own = slice(int(layout.first[document]), int(layout.first[document + 1]))
    whole = (layout.start[own] <= span.start) & (layout.end[own] >= span.end) & lens.seen[own]
    numbers: npt.NDArray[np.integer] = layout.number[own][whole]
    return numbers


def judge(
    question: Question,
    view: View | None,
    hits: Sequence[Placed],
    *,
    decision: Decision | None = None,
    wrong: frozenset[Place] = frozenset(),
    leaked: frozenset[Place] = frozenset(),
    passages: Passages | None = None,
) -> Judged:
    """The judgement of one question's hits in its view (``None``: refused, nothing was searched).

    ``passages`` are the view's, where many questions are judged in it.
    """
    if view is None:
        return Judged(question, decision, ())
    known = passages or Passages(view)
    gold = tuple(g for g in question.gold if g.document_id in known.admitted and _inside(known.admitted, g))
    relevant: set[Place] = set()
    cut = 0
    for span in gold:
        holding = known.holding(span)
        relevant.update(holding)
        cut += not holding
    return Judged(question, decision, tuple(hits), gold, frozenset(relevant), cut, wrong, leaked)


def _inside(admitted: Mapping[str, Spans | None], gold: Gold) -> bool:
    spans = admitted[gold.document_id]
    return spans is None or any(Interval(*span).covers(gold.span) for span in spans)
