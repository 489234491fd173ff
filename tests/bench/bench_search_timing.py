"""Whether the time of a search tells a word that only forbidden documents hold from one that nobody wrote.

    python -m tests.bench.bench_search_timing

Method: one corpus, half of it for the reader; words of four kinds, all of one length, each asked alone, in random
order, many times: *unknown* and *control* (in no document), *rare* and *common* (in one, or in every document that the
reader may not read). Of each word the median over the rounds is taken, of each kind the median over its words; beside
it how well a guess by time alone does (area under the ROC curve against unknown words: 0.5 is a coin, and what the
control words get is what other letters make of it). A garbage collection in between would hide small differences, so
there is none. A line of JSON for each layout of access goes to stdout.

A word is looked up by its checksum first, in a table of what this reader may see; only a word that falls on the place
of another one there (at most one in sixteen) is looked for in the vocabulary, where one that is there takes a few
tenths of a microsecond longer.
"""

from __future__ import annotations

import gc
import random
import time

import numpy as np

from tests.bench.bench_search import say
from tests.bench.bench_search_corpora import READER, synthetic
from workbench.contract import Document
from workbench.evidence.corpus import Corpus

WORDS = 40
ROUNDS = 400


def area(forbidden: list[float], unknown: list[float]) -> float:
    """How often a forbidden word takes longer than an unknown one, ties counted half."""
    left, right = np.array(forbidden)[:, None], np.array(unknown)[None, :]
    return float(((left > right) + 0.5 * (left == right)).mean())


def measure(documents: list[Document], said: str) -> None:
    """Ask all words in turn and compare the kinds."""
    other = [d for d in documents if "reader" not in d.groups]
    marked = {d.id: "\n\n" + " ".join(f"everwhere{n}" for n in range(WORDS)) for d in other}
    for number in range(WORDS):
        marked[other[number].id] += f" forbidden{number}"
    corpus = Corpus(
        Document(d.id, d.tenant, d.groups, d.version, d.text + marked.get(d.id, ""), d.language) for d in documents
    )
    view = corpus.view(READER)
    kinds = {"unknown": "unbekannt", "control": "nirgendwo", "rare": "forbidden", "common": "everwhere"}
    words = [(kind, f"{stem}{n}") for kind, stem in kinds.items() for n in range(WORDS)]
    times: dict[tuple[str, str], list[float]] = {word: [] for word in words}
    shuffle = random.Random(1).shuffle
    gc.collect()
    gc.disable()
    for _ in range(ROUNDS):
        shuffle(words)
        for word in words:
            begun = time.perf_counter_ns()
            view.search(word[1])
            times[word].append(time.perf_counter_ns() - begun)
    gc.enable()
    medians = {kind: [float(np.median(t)) / 1e3 for (k, _), t in times.items() if k == kind] for kind in kinds}
    say(
        what="timing of forbidden words",
        access=said,
        ranges=sum(len(lens.runs) for lens in view.ranking().lenses),
        median_us={kind: round(float(np.median(found)), 2) for kind, found in medians.items()},
        area={kind: round(area(medians[kind], medians["unknown"]), 3) for kind in ("control", "rare", "common")},
    )


def main() -> None:
    """With documents in few access classes, and after access was changed for many of them."""
    documents = synthetic(20_000)
    measure(documents, "one range: readable documents lie together")
    spread = [
        Document(d.id, d.tenant, d.groups | {f"abteilung{n % 40}"}, d.version, d.text) for n, d in enumerate(documents)
    ]
    measure(spread, "many ranges: forty departments")


if __name__ == "__main__":
    main()
