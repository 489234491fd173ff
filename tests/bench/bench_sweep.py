"""What one cut of a sweep costs, side by side in one run: ``python -m tests.bench.bench_sweep law 1000000``.

The corpus is ``law`` (Liechtenstein's law, real German) or ``synthetic``.

200 whole questions, any word, depth 10, under disjoint and overlapping windows: the batch (passages, statistics and
ranking), a freshly built FTS5 table asked with OR, and bm25s indexed again (another ranking; only where installed). The
batch's ranking is compared with the table's, every hit and score. Ratios are what counts: the same machine, the same
minute. ``cpu`` is processor time, which other work on the machine disturbs less. Prints one JSON object; what was found
is kept in bench_sweep_results.jsonl.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.bench.bench_search_corpora import READER, li_law, questions, synthetic
from workbench.contract import Document
from workbench.evidence import fts
from workbench.evidence.batch import Batch
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Words
from workbench.evidence.query import question_words
from workbench.evidence.view import View
from workbench.study.measures import NDCG, RR, GoldCut, Leak, Recall, SpanIoU, WrongRevision
from workbench.study.questions import Gold, Question
from workbench.study.sweep import Setting, Task, grouped, in_context

DATA = Path(os.environ.get("WORKBENCH_TEST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
SIZES = (32, 64, 128, 192, 256, 512, 1024)
COMPARED = (64, 192)
SHARES = {"disjoint": 0.0, "overlapping": 0.25}
QUESTIONS = 200
DEPTH = 10
REPEATS = 7
MEASURES = (Recall(DEPTH), RR(), NDCG(DEPTH), SpanIoU(DEPTH), GoldCut(), WrongRevision(DEPTH), Leak(DEPTH))


class Cost(NamedTuple):
    """Milliseconds: by the clock and of the processor."""

    wall: float
    cpu: float


def cost(run: Callable[[], object], repeats: int = 1) -> Cost:
    """The least of a few runs."""
    found = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        run()
        found.append((1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)))
    return Cost(*(round(min(column), 1) for column in zip(*found, strict=True)))


def corpus(kind: str, tokens: int) -> list[Document]:
    """Documents of about so many tokens."""
    if kind == "synthetic":
        return synthetic(tokens // 40, allowed=1.0)
    found: list[Document] = []
    documents = li_law(DATA)
    random.Random(1).shuffle(documents)
    for document in documents:
        if sum(len(d.text) for d in found) > 7.4 * tokens:
            break
        found.append(document)
    return found


def asked(kind: str, documents: list[Document]) -> list[str]:
    """Whole German questions; of a synthetic corpus as many words as those have."""
    if kind == "synthetic":
        return questions(documents, QUESTIONS, (8, 12))
    found = []
    for name in ("legalquad_de", "xquad"):
        lines = (DATA / "qa" / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        found += [row["question"] for row in map(json.loads, lines) if row.get("lang", "de") == "de"]
    return found[:QUESTIONS]


def forget(view: View) -> None:
    """Drop what the index keeps of cuts, so that each run works as for a cut that is new."""
    index = view.now().state.index
    index._rankings.clear()
    for part in index.parts:
        part.layouts.clear()


def batched(view: View, batch: Batch) -> list[list[tuple[float, str, int]]]:
    """The batch over a cut that is new."""
    forget(view)
    return [[(f.score, f.document, f.passage.number) for f in best] for best in batch.rank(view, depth=DEPTH)]


def rebuilt(view: View, texts: list[str]) -> list[list[tuple[float, str, int]]]:
    """A fresh FTS5 table of the cut, asked with OR."""
    passages = ((d.id, p.number, d.text[p.start : p.end]) for d, p in view.passages())
    with closing(fts.table(passages)) as database:
        ranked = (fts.ranked(database, question_words(text), match="any", depth=DEPTH) for text in texts)
        return [[(score, document, number) for document, number, score in best] for best in ranked]


def reindexed(view: View, texts: list[str]) -> object:
    """bm25s over the same cut: its own tokens, its own ranking."""
    import bm25s

    passages = [d.text[p.start : p.end] for d, p in view.passages()]
    retriever = bm25s.BM25()
    retriever.index(bm25s.tokenize(passages, stopwords=None, show_progress=False), show_progress=False)
    tokens = bm25s.tokenize(texts, stopwords=None, show_progress=False)
    return retriever.retrieve(tokens, k=DEPTH, show_progress=False)


def judging(documents: Corpus, texts: list[str], cut: Words) -> dict[str, Cost]:
    """A whole setting of a sweep, with a gold span for each question, and its ranking alone."""
    draw = random.Random(5)
    long = [d for d in documents.documents if len(d.text) > 500]
    asked_: list[Question] = []
    for number, text in enumerate(texts):
        document = draw.choice(long)
        start = draw.randrange(len(document.text) - 200)
        gold = (Gold(document.id, (start, start + 150)),)
        asked_.append(Question(f"q{number}", text, "answerable", gold))
    contexts = list(in_context(documents, asked_, actor=READER, register=None))
    task, view = Task(documents, tuple(grouped(contexts)), MEASURES), documents.view(READER).cut(cut)

    def whole() -> object:
        forget(view)
        return task(Setting(cut, DEPTH, "any"))

    batch = Batch.of(texts)
    return {"setting": cost(whole, REPEATS), "ranking": cost(lambda: batched(view, batch), REPEATS)}


def side_by_side(view: View, batch: Batch, texts: list[str]) -> dict[str, object]:
    """One cut, all ways, and whether the two that must be equal are."""
    found: dict[str, object] = {}
    own = cost(lambda: batched(view, batch), REPEATS)
    equal: list[bool] = []
    table = cost(lambda: equal.append(rebuilt(view, texts) == batched(view, batch)))
    found |= {"batch": own._asdict(), "fts5": table._asdict(), "equal": equal[0]}
    found["fts5_ratio"] = {"wall": round(table.wall / own.wall), "cpu": round(table.cpu / own.cpu)}
    try:
        other = cost(lambda: reindexed(view, texts))
    except ModuleNotFoundError:
        return found
    ratio = {"wall": round(other.wall / own.wall, 1), "cpu": round(other.cpu / own.cpu, 1)}
    return found | {"bm25s": other._asdict(), "bm25s_ratio": ratio}


def main(arguments: list[str]) -> int:
    """Measures one corpus and prints what was found."""
    kind = arguments[0] if arguments else "law"
    documents = Corpus(corpus(kind, int(arguments[1]) if len(arguments) > 1 else 1_000_000))
    view = documents.view(READER)
    texts = asked(kind, list(documents.documents))
    built = cost(lambda: view.rank("und"))
    first = cost(lambda: view.cut(Words(7)).rank("und"))
    found: dict[str, object] = {
        "corpus": kind,
        "tokens": sum(part.segment.count for part in view.now().state.index.parts),
        "questions": len(texts),
        "words_a_question": statistics.mean(len(question_words(text)) for text in texts),
        "index": built._asdict(),
        "words_found_once": first._asdict(),
    }
    batch = Batch.of(texts)
    for name, share in SHARES.items():
        cuts = [Words(size, overlap=int(size * share)) for size in SIZES]
        every = {repr(cut): cost(partial(batched, view.cut(cut), batch), REPEATS) for cut in cuts}
        compared = {
            repr(cut): side_by_side(view.cut(cut), batch, texts)
            for cut in (Words(size, overlap=int(size * share)) for size in COMPARED)
        }
        found[name] = {
            "batch": {cut: one._asdict() for cut, one in every.items()},
            "median_wall": statistics.median(one.wall for one in every.values()),
            "median_cpu": statistics.median(one.cpu for one in every.values()),
            "side_by_side": compared,
        }
    found["judging"] = {name: one._asdict() for name, one in judging(documents, texts, Words(192)).items()}
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
