"""Measures against plain definitions, on random results; half-open spans; ties; empty results."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from workbench.contract import Hit
from workbench.intervals import Interval
from workbench.study.judging import Judged, judge
from workbench.study.measures import (
    AP,
    NDCG,
    RR,
    ContextSize,
    CorrectRefusal,
    FalseRefusal,
    GoldCut,
    Leak,
    Measure,
    Precision,
    Recall,
    SpanIoU,
    SpanPrecision,
    SpanRecall,
    WrongRevision,
)
from workbench.study.questions import Gold, Question

ANSWERABLE = Question("q", "x", "answerable", (Gold("d", Interval(0, 1)),))
REFUSAL = wb.Decision(wb.Status.UNAVAILABLE)


def hit(document: str, number: int, start: int, end: int) -> Hit:
    return Hit(document, "1", "0", number, "Words(1)", start, end, "x" * (end - start), -1.0)


def results(hits=(), gold=((0, 10),), relevant=(), cut=0, **more: object) -> Judged:
    spans = tuple(Gold("d", Interval(*span)) for span in gold)
    places = frozenset(("d", number) for number in relevant)
    return Judged(ANSWERABLE, more.pop("decision", None), tuple(hits), spans, places, cut, **more)


def one(measure: Measure, judged: Judged) -> float | None:
    [figure] = measure.of([judged])
    return figure


RANKINGS = st.lists(st.integers(1, 12), unique=True, max_size=10)
RELEVANT = st.sets(st.integers(1, 12), min_size=1, max_size=5)


@given(RANKINGS, RELEVANT, st.integers(1, 12))
def test_ranked_measures_equal_their_textbook_definitions(ranking: list[int], relevant: set[int], k: int) -> None:
    judged = results([hit("d", n, n * 10, n * 10 + 5) for n in ranking], relevant=relevant)
    good = [n in relevant for n in ranking]
    assert one(RR(), judged) == pytest.approx(1 / (good.index(True) + 1) if any(good) else 0.0)
    assert one(Precision(k), judged) == pytest.approx(sum(good[:k]) / k)
    precisions = [sum(good[: n + 1]) / (n + 1) for n, found in enumerate(good) if found]
    assert one(AP(), judged) == pytest.approx(sum(precisions) / len(relevant))
    gain = sum(1 / math.log2(n + 2) for n, found in enumerate(good[:k]) if found)
    ideal = sum(1 / math.log2(n + 2) for n in range(min(k, len(relevant))))
    assert one(NDCG(k), judged) == pytest.approx(gain / ideal)


SPAN = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(st.lists(SPAN, max_size=6), st.lists(SPAN, min_size=1, max_size=4), st.integers(1, 6))
def test_span_measures_count_code_points(passages, gold, k: int) -> None:
    judged = results([hit("d", n, *span) for n, span in enumerate(passages)], gold=gold)
    found = set().union(*(range(*span) for span in passages[:k]))
    wanted = set().union(*(range(*span) for span in gold))
    assert one(SpanRecall(k), judged) == pytest.approx(len(found & wanted) / len(wanted))
    assert one(SpanPrecision(k), judged) == pytest.approx(len(found & wanted) / len(found) if found else 0.0)
    assert one(SpanIoU(k), judged) == pytest.approx(len(found & wanted) / len(found | wanted))
    whole = [any(a <= start and end <= b for a, b in passages[:k]) for start, end in gold]
    assert one(Recall(k), judged) == pytest.approx(sum(whole) / len(gold))


def test_touching_is_no_find_and_a_part_is_none() -> None:
    touching = results([hit("d", 1, 10, 20)], gold=[(0, 10)])
    part = results([hit("d", 1, 5, 20)], gold=[(0, 10)])
    assert (one(Recall(1), touching), one(SpanRecall(1), touching)) == (0.0, 0.0)
    assert (one(Recall(1), part), one(SpanRecall(1), part)) == (0.0, 0.5)


def test_another_document_at_the_same_place_is_no_find() -> None:
    assert one(Recall(1), results([hit("e", 1, 0, 10)])) == 0.0
    assert one(SpanRecall(1), results([hit("e", 1, 0, 10)])) == 0.0


@pytest.mark.parametrize(
    "measure", [Recall(5), Precision(5), RR(), AP(), NDCG(5), SpanRecall(5), SpanPrecision(5), SpanIoU(5)]
)
def test_an_empty_result_scores_zero_and_no_gold_scores_nothing(measure: Measure) -> None:
    assert measure.of([results(), results(gold=()), results([hit("d", 1, 0, 10)], relevant=[1])])[:2] == [0.0, None]
    assert measure.of([]) == []


def test_refusals_are_right_or_wrong_by_the_question() -> None:
    unanswerable = Question("u", "x", "unanswerable")
    hits = (hit("d", 1, 0, 10),)
    cases = [
        Judged(ANSWERABLE, REFUSAL, ()),
        results(hits),
        results(),
        Judged(unanswerable, REFUSAL, ()),
        Judged(unanswerable, None, hits),
        Judged(unanswerable, None, ()),
    ]
    assert FalseRefusal().of(cases) == [1.0, 0.0, 0.0, None, None, None]
    assert FalseRefusal("all").of(cases) == [1.0, 0.0, 1.0, None, None, None]
    assert CorrectRefusal().of(cases) == [None, None, None, 1.0, None, None]
    assert CorrectRefusal("all").of(cases) == [None, None, None, 1.0, 0.0, 1.0]


def test_wrong_revisions_and_leaks_are_counted_within_depth() -> None:
    resolved = wb.Decision(wb.Status.RESOLVED)
    hits = [hit("d", 1, 0, 10), hit("e", 7, 0, 10)]
    judged = results(hits, decision=resolved, wrong=frozenset({("e", 7)}), leaked=frozenset({("e", 7)}))
    assert (one(WrongRevision(1), judged), one(WrongRevision(2), judged)) == (0.0, 1.0)
    assert (one(Leak(1), judged), one(Leak(2), judged)) == (0.0, 1.0)
    assert one(WrongRevision(2), results(hits)) is None


def test_context_and_cut_gold() -> None:
    judged = results([hit("d", 1, 0, 10), hit("d", 2, 5, 20)], gold=[(0, 3), (8, 12)], cut=1)
    assert (one(ContextSize(1), judged), one(ContextSize(2), judged), one(GoldCut(), judged)) == (10.0, 25.0, 0.5)


def test_judging_finds_relevant_passages_and_cut_gold() -> None:
    text = "eins zwei drei vier fünf"
    corpus = wb.Corpus([wb.Document("d", "t", {"g"}, "1", text)])
    view = corpus.view(wb.Actor("t", {"g"})).cut(wb.Words(2))
    inside, across = Gold("d", Interval(0, 9)), Gold("d", Interval(5, 14))
    question = Question("q", "zwei", "answerable", (inside, across))
    judged = judge(question, view, view.rank("zwei", match="any"))
    assert (judged.relevant, judged.cut, judged.gold) == (frozenset({("d", 1)}), 1, (inside, across))
    hidden = judge(question, corpus.view(wb.Actor("t", {"h"})).cut(wb.Words(2)), [])
    assert (hidden.gold, hidden.answerable) == ((), False)


@pytest.mark.parametrize("k", [0, -1, True, 2.0, "3"])
def test_a_depth_is_a_whole_number(k: object) -> None:
    with pytest.raises(ValueError, match="whole number"):
        Recall(k)


def test_labels() -> None:
    assert [repr(m) for m in (Recall(5), RR(), NDCG(10), FalseRefusal(), FalseRefusal("all"))] == [
        *("Recall(5)", "RR()", "NDCG(10)", "FalseRefusal()", "FalseRefusal('all')"),
    ]
