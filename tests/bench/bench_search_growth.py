"""What building, opening and searching cost as the corpus grows 10, 100 and 1,000 times: ``data/search/growth.csv``.

    python -m tests.bench.bench_search_growth [--paragraphs 1000 10000 100000 1000000]

Needs ``pip install tantivy``. Each size in a process of its own, so that its peak memory is its own; half of the
paragraphs may be read. A row says ``what`` was measured of ``whom``: seconds and milliseconds of building and opening
are the processor's, those of questions are by the clock (quickest of three). FTS5 is one cached table of what may be
read; it and tantivy are the engines of bench_search.py.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
from pathlib import Path

from tests.bench import bench_search as search
from tests.bench import bench_search_corpora as corpora
from workbench.contract import Document
from workbench.evidence import fts
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs
from workbench.evidence.index import index_of

SIZES = (1_000, 10_000, 100_000, 1_000_000)
FILE = Path(__file__).resolve().parents[2] / "data" / "search" / "growth.csv"
BUDGET = 20.0
"""Seconds that an engine gets for a kind of question."""
Row = tuple[int, str, str, float]


def built_by_fts5(documents: list[Document]) -> float:
    """Seconds."""
    texts = [(d.id, p.number, d.text[p.start : p.end]) for d in documents for p in Paragraphs().passages(d.text)]
    return search.seconds(lambda: fts.table(texts).close())[1]


def measured(size: int) -> list[Row]:
    """The rows of one size."""
    rows: list[Row] = []
    documents = corpora.synthetic(size)
    _, cpu, index = search.seconds(lambda: index_of(documents))
    _, more, paragraphs = search.seconds(lambda: index.parts[0].layout(Paragraphs()))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table = built_by_fts5(documents)
    rows += [
        (size, "build, s", "view", cpu + more),
        (size, "build, s", "FTS5", table),
        (size, "peak, MB", "view", peak),
    ]
    opened = search.opening(index.parts[0].segment, paragraphs)
    names = {"open_ms": "open, ms", "vocabulary_ms": "vocabulary, ms", "disk_mb": "disk, MB"}
    rows += [(size, names[name], "view", value) for name, value in opened.items()]
    corpus = Corpus(documents)
    corpus.state.__dict__["index"] = index
    view = corpus.view(corpora.READER)
    engines = {"view": view.rank, "FTS5": search.cached_fts5(documents)[0]}
    tantivy = search.tantivy_index(documents)
    if tantivy is not None:
        engines["tantivy"] = tantivy
    for kind, words, depth, match, count in (("all words", (1, 4), 3, "all", 100), ("any of 9", (9, 9), 10, "any", 50)):
        asked = corpora.questions(documents, count, words)
        for name, figures in search.timed(engines, asked, depth, match, budget=BUDGET).items():
            rows += [
                (size, f"{kind}, {which}, ms", name, f) for which, f in zip(("median", "p95"), figures, strict=True)
            ]
    return rows


def main() -> None:
    """Each size in its own process; the file is written anew."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--paragraphs", type=int, nargs="+", default=SIZES)
    parser.add_argument("--one", action="store_true", help="print the rows of one size")
    given = parser.parse_args()
    if given.one:
        sys.stdout.write(json.dumps(measured(given.paragraphs[0])))
        return
    rows = []
    for size in given.paragraphs:
        command = [sys.executable, "-m", "tests.bench.bench_search_growth", "--one", "--paragraphs", str(size)]
        rows += json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    FILE.parent.mkdir(exist_ok=True)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("paragraphs", "what", "who", "value"))
        writer.writerows((size, what, who, f"{value:.4g}") for size, what, who, value in rows)


if __name__ == "__main__":
    main()
