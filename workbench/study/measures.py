"""Measures of a setting: values whose repr labels their result, one figure for each question.

Ranked measures come from ir-measures (trec_eval's definitions); there, hits are ranked by their place in our order, so
that ties are broken by score, document id and passage number and by nothing else. Span measures count code points.
A figure is ``None`` where the measure does not apply to the question; empty results score 0, and never fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import ir_measures

from workbench.intervals import Interval, merge
from workbench.study.judging import Judged, holds, place

Figures = list[float | None]


@runtime_checkable
class Measure(Protocol):
    """A rule that gives each judged question a figure."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """The figures, in the order of the questions."""
        ...


def depth_checked(k: object) -> None:
    """Refuse a depth that is no whole number of at least 1."""
    if type(k) is not int or k < 1:
        raise ValueError("the depth is a whole number of at least 1")


@dataclass(frozen=True, slots=True)
class _At:
    """A measure over the first ``k`` passages."""

    k: int

    def __post_init__(self) -> None:
        depth_checked(self.k)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.k})"


@dataclass(frozen=True, slots=True, repr=False)
class Recall(_At):
    """The share of a question's gold spans that one of the first ``k`` passages holds whole."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return [self._one(j) if j.answerable else None for j in judged]

    def _one(self, judged: Judged) -> float:
        first = judged.hits[: self.k]
        return sum(any(holds(hit, gold) for hit in first) for gold in judged.gold) / len(judged.gold)


@dataclass(frozen=True, slots=True, repr=False)
class Precision(_At):
    """trec_eval's P@k: the share of ``k`` places taken by passages that hold a gold span whole."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return _ranked(ir_measures.P @ self.k, judged)


@dataclass(frozen=True, slots=True, repr=False)
class NDCG(_At):
    """nDCG@k with binary gains (Järvelin and Kekäläinen 2002; trec_eval's ndcg_cut)."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return _ranked(ir_measures.nDCG @ self.k, judged)


@dataclass(frozen=True, slots=True)
class RR:
    """The reciprocal rank of the first passage that holds a gold span whole; its mean is MRR."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return _ranked(ir_measures.RR, judged)


@dataclass(frozen=True, slots=True)
class AP:
    """Average precision; its mean is MAP."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return _ranked(ir_measures.AP, judged)


@dataclass(frozen=True, slots=True, repr=False)
class SpanRecall(_At):
    """The share of the gold's code points that the first ``k`` passages cover."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return [_ratio(both, gold, gold) for both, gold, _ in _characters(judged, self.k)]


@dataclass(frozen=True, slots=True, repr=False)
class SpanPrecision(_At):
    """The share of the first ``k`` passages' code points that are gold."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; 0 without a hit; ``None`` without gold in the view."""
        return [_ratio(both, found, gold) for both, gold, found in _characters(judged, self.k)]


@dataclass(frozen=True, slots=True, repr=False)
class SpanIoU(_At):
    """Code points in both gold and the first ``k`` passages, over those in either."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return [_ratio(both, gold + found - both, gold) for both, gold, found in _characters(judged, self.k)]


@dataclass(frozen=True, slots=True)
class GoldCut:
    """The share of a question's gold spans that no passage of the view holds whole: the cut went through them."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 to 1; ``None`` without gold in the view."""
        return [j.cut / len(j.gold) if j.gold else None for j in judged]


@dataclass(frozen=True, slots=True, repr=False)
class ContextSize(_At):
    """How many code points the first ``k`` passages have together: what a reader, or a model, would have to take in."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """Code points; ``None`` where nothing was searched."""
        return [None if j.refused else float(sum(h.end - h.start for h in j.hits[: self.k])) for j in judged]


@dataclass(frozen=True, slots=True)
class FalseRefusal:
    """1 where the register, or an all-words search without a hit, refused a question that its context can answer."""

    match: str = "any"

    def __repr__(self) -> str:
        return "FalseRefusal()" if self.match == "any" else f"FalseRefusal({self.match!r})"

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 or 1; ``None`` for questions that their context cannot answer."""
        return [_flag(_refuses(j, self.match)) if _could_answer(j) else None for j in judged]


@dataclass(frozen=True, slots=True)
class CorrectRefusal:
    """1 where a question that its context cannot answer was refused.

    With any word nearly every question has a hit, so that only the register's refusals are counted; a question without
    a request is then not applicable.
    """

    match: str = "any"

    def __repr__(self) -> str:
        return "CorrectRefusal()" if self.match == "any" else f"CorrectRefusal({self.match!r})"

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 or 1; ``None`` for answerable questions, and where no refusal is possible."""
        figures: Figures = []
        for j in judged:
            possible = self.match == "all" or j.decision is not None
            figures.append(None if _could_answer(j) or not possible else _flag(_refuses(j, self.match)))
        return figures


@dataclass(frozen=True, slots=True, repr=False)
class WrongRevision(_At):
    """1 where one of the first ``k`` passages belongs to another document than the decided one."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 or 1; ``None`` for questions without a RESOLVED decision."""
        return [
            None if j.decision is None or j.refused else _flag(any(place(h) in j.wrong for h in j.hits[: self.k]))
            for j in judged
        ]


@dataclass(frozen=True, slots=True, repr=False)
class Leak(_At):
    """1 where one of the first ``k`` passages is from a document that the persona may not read; must be 0 always."""

    def of(self, judged: Sequence[Judged]) -> Figures:
        """0 or 1."""
        return [_flag(any(place(hit) in j.leaked for hit in j.hits[: self.k])) for j in judged]


def all_measures(depth: int, match: str) -> list[Measure]:
    """One of each measure, at a depth: what ``workbench tune`` and the report show of a setting.

    >>> [repr(measure) for measure in all_measures(5, "any")][:3]
    ['Recall(5)', 'Precision(5)', 'RR()']
    """
    return [
        *(Recall(depth), Precision(depth), RR(), AP(), NDCG(depth)),
        *(SpanRecall(depth), SpanPrecision(depth), SpanIoU(depth), GoldCut(), ContextSize(depth)),
        *(CorrectRefusal(match), FalseRefusal(match), WrongRevision(depth), Leak(depth)),
    ]


def _flag(value: bool) -> float:
    return 1.0 if value else 0.0


def _could_answer(judged: Judged) -> bool:
    """Whether the question's own context should give an answer: its kind says so, and the register did not hide it.

    A question whose gold the register's refusal kept out of sight is answerable by its kind.
    """
    if judged.question.kind != "answerable":
        return False
    return judged.answerable or judged.refused


def _refuses(judged: Judged, match: str) -> bool:
    return judged.refused or (match == "all" and not judged.hits)


def _ranked(measure: ir_measures.Measure, judged: Sequence[Judged]) -> Figures:
    relevant = {str(n): j for n, j in enumerate(judged) if j.relevant}
    qrels = [ir_measures.Qrel(n, _key(key), 1) for n, j in relevant.items() for key in sorted(j.relevant)]
    run = [
        ir_measures.ScoredDoc(n, _key(place(hit)), -float(rank))
        for n, j in relevant.items()
        for rank, hit in enumerate(j.hits)
    ]
    found: dict[str, float] = {}
    if run:
        found = {figure.query_id: figure.value for figure in ir_measures.iter_calc([measure], qrels, run)}
    return [float(found.get(str(n), 0.0)) if j.answerable else None for n, j in enumerate(judged)]


def _key(key: tuple[str, int]) -> str:
    return f"{key[0]}\x1f{key[1]}"


def _characters(judged: Sequence[Judged], k: int) -> Iterable[tuple[int, int, int]]:
    """For each question: code points in both, in gold, in the first ``k`` passages."""
    for j in judged:
        both = gold_size = found_size = 0
        documents = {g.document_id for g in j.gold} | {h.document_id for h in j.hits[:k]}
        for document in documents:
            gold = merge(g.span for g in j.gold if g.document_id == document)
            found = merge(Interval(h.start, h.end) for h in j.hits[:k] if h.document_id == document)
            gold_size += sum(s.end - s.start for s in gold)
            found_size += sum(s.end - s.start for s in found)
            meets = (a.meet(b) for a in gold for b in found)
            both += sum(m.end - m.start for m in meets if not m.empty)
        yield both, gold_size, found_size


def _ratio(part: int, whole: int, gold: int) -> float | None:
    if gold == 0:
        return None
    return part / whole if whole else 0.0
