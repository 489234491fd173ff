"""How fast views are searched, next to FTS5 and tantivy, asked the same questions in turn in one run.

    python -m tests.bench.bench_search --paragraphs 100000 --allowed 0.5
    python -m tests.bench.bench_search --li-law ../shared/data

Needs ``pip install tantivy``. A line of JSON for each figure goes to stdout, with machine and date; ratios within one
run mean something on a shared machine, milliseconds alone do not. Before times are taken, hits and scores of the view
are compared with FTS5's for every question. tantivy ranks differently and counts what the reader may not see: it is
here for its time.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from tests.bench import bench_search_corpora as corpora
from workbench.contract import Document
from workbench.evidence import fts, query, store
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs
from workbench.evidence.index import index_of
from workbench.evidence.layout import Layout
from workbench.evidence.segment import Segment

Ask = Callable[[str, int, str], object]


def say(**figures: object) -> None:
    """One line of results."""
    machine = {"cpu": platform.processor() or platform.machine(), "python": platform.python_version()}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    sys.stdout.write(json.dumps({"date": now, **machine, "sqlite": fts.APSW.version, **figures}) + "\n")
    sys.stdout.flush()


def seconds(work: Callable[[], object]) -> tuple[float, float, object]:
    """Wall and processor seconds, and what came out."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    return time.perf_counter() - wall, time.process_time() - cpu, found


def cached_fts5(documents: list[Document]) -> tuple[Ask, list[tuple[str, int, str]]]:
    """One FTS5 table of what the reader may read, kept."""
    own = [d for d in documents if "reader" in d.groups]
    texts = [(d.id, p.number, d.text[p.start : p.end]) for d in own for p in Paragraphs().passages(d.text)]
    table = fts.table(texts)

    def ask(text: str, depth: int, match: str) -> object:
        return fts.ranked(table, query.question_words(text), match=query.match(match), depth=depth)

    return ask, texts


def tantivy_index(documents: list[Document]) -> Ask | None:
    """tantivy's index of all paragraphs, filtered by group when it is asked; in memory."""
    try:
        import tantivy
    except ImportError:
        return None
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("groups", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", stored=True, index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(heap_size=256_000_000, num_threads=1)
    for document in documents:
        for p in Paragraphs().passages(document.text):
            body = document.text[p.start : p.end]
            writer.add_document(tantivy.Document(id=[document.id], groups=list(document.groups), body=[body]))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    readable = tantivy.Query.const_score_query(tantivy.Query.term_query(schema, "groups", "reader"), 0.0)

    def ask(text: str, depth: int, match: str) -> object:
        words = [tantivy.Query.term_query(schema, "body", w, "freq") for w in query.question_words(text)]
        if match == "any":
            some = tantivy.Query.boolean_query([(tantivy.Occur.Should, word) for word in words])
            parts = [(tantivy.Occur.Must, some)]
        else:
            parts = [(tantivy.Occur.Must, word) for word in words]
        whole = tantivy.Query.boolean_query([*parts, (tantivy.Occur.Must, readable)])
        return [searcher.doc(address) for _, address in searcher.search(whole, depth, count=False).hits]

    return ask


def timed(
    engines: dict[str, Ask], questions: list[str], depth: int, match: str, *, budget: float = 60.0
) -> dict[str, list[float]]:
    """Median and 95th percentile of each engine in ms, each question asked of all in turn.

    Of three rounds the quickest counts: what the others add is the machine's other work. Who has had ``budget`` seconds
    answers no more.
    """
    best: dict[str, dict[str, float]] = {name: {} for name in engines}
    spent = dict.fromkeys(engines, 0.0)
    gc.collect()
    gc.disable()
    for _ in range(3):
        for question in questions:
            for name in [name for name in engines if spent[name] < budget]:
                begun = time.perf_counter()
                engines[name](question, depth, match)
                took = time.perf_counter() - begun
                best[name][question] = min(took, best[name].get(question, took))
                spent[name] += took
    gc.enable()
    return {n: [round(1e3 * float(np.percentile(list(t.values()), q)), 4) for q in (50, 95)] for n, t in best.items()}


def compare(kind: str, engines: dict[str, Ask], questions: list[str], depth: int, match: str, **said: object) -> None:
    """Says the times of all engines, and how many times the view's they are."""
    figures = timed(engines, questions, depth, match)
    ratios = {n: [round(f[i] / figures["view"][i], 2) for i in (0, 1)] for n, f in figures.items() if n != "view"}
    say(what=kind, questions=len(questions), median_p95_ms=figures, times_the_view=ratios, **said)


def opening(segment: Segment, paragraphs: Layout) -> dict[str, float]:
    """Processor milliseconds to open a built index without its vocabulary, and for the vocabulary; its size on disk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / store.write_segment(Path(folder), segment, paragraphs)
        raw = "\0".join(segment.vocabulary).encode("utf-8", "surrogateescape")
        vocabulary = min(seconds(lambda: store.numbered(raw))[1] for _ in range(7))
        original, store.numbered = store.numbered, lambda _: {}
        opened = min(seconds(lambda: store.read_segment(path))[1] for _ in range(7))
        store.numbered = original
        size = path.stat().st_size
    found = {"open_ms": 1e3 * opened, "vocabulary_ms": 1e3 * vocabulary, "disk_mb": size / 1e6}
    return {name: round(value, 1) for name, value in found.items()}


def main() -> None:
    """Build everything once, compare, take times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--paragraphs", type=int, default=100_000)
    parser.add_argument("--li-law", type=Path)
    parser.add_argument("--allowed", type=float, default=0.5)
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    law = given.li_law
    made = (lambda: corpora.li_law(law, allowed=given.allowed)) if law else None
    documents = made() if made else corpora.synthetic(given.paragraphs, allowed=given.allowed)
    said = {"corpus": "li_law" if law else "synthetic", "allowed": given.allowed}
    said["paragraphs"] = sum(1 for d in documents for _ in Paragraphs().passages(d.text))
    corpus = Corpus(documents)

    wall, cpu, index = seconds(lambda: index_of(documents))
    layout, layout_cpu, _ = seconds(lambda: index.parts[0].layout(Paragraphs()))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    corpus.state.__dict__["index"] = index
    every = [(d.id, p.number, d.text[p.start : p.end]) for d in documents for p in Paragraphs().passages(d.text)]
    fts_wall, fts_cpu, _ = seconds(lambda: fts.table(every).close())
    say(
        what="build", wall_s=round(wall + layout, 2), cpu_s=round(cpu + layout_cpu, 2), fts5_wall_s=round(fts_wall, 2),
        fts5_cpu_s=round(fts_cpu, 2), cpu_ratio=round((cpu + layout_cpu) / fts_cpu, 2), peak_mb=memory, **said,
    )  # fmt: skip

    view = corpus.view(corpora.READER)
    ask_fts5, texts = cached_fts5(documents)
    engines: dict[str, Ask] = {"view": lambda q, n, m: view.rank(q, n, m), "cached FTS5": ask_fts5}
    tantivy = tantivy_index(documents)
    if tantivy is not None:
        engines["tantivy"] = tantivy
    few = corpora.questions(documents, given.questions, (1, 4))
    whole = corpora.questions(documents, given.questions // 2, (9, 9))
    for question, depth, match in [*((q, 3, "all") for q in few), *((q, 10, "any") for q in whole)]:
        wanted = ask_fts5(question, depth, match)
        assert [(h.document_id, h.paragraph, h.score) for h in view.rank(question, depth, match)] == wanted
    compare("all words, top 3", engines, few, 3, "all", **said)
    compare("any of 9 words, top 10", engines, whole, 10, "any", **said)

    fresh = [seconds(lambda: fts.table(texts).close())[0] for _ in range(2)]
    ours = [seconds(lambda q=q: view.rank(q, 3, "all"))[0] for q in few]
    ratio = round(min(fresh) / float(np.median(ours)))
    say(what="fresh FTS5 per call", fresh_ms=round(min(fresh) * 1e3), times_the_view=ratio, **said)

    segment, paragraphs = index.parts[0].segment, index.parts[0].layout(Paragraphs())
    assert paragraphs is not None
    say(what="open", words=len(segment.vocabulary), **opening(segment, paragraphs), **said)


if __name__ == "__main__":
    main()
