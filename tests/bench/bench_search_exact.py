"""200,000 random cases of the index against a fresh FTS5 table, over random and over real German texts.

    python -m tests.bench.bench_search_exact [--cases 200000] [--data ../shared/data]

Views by access, decision and cut; all words and any, alone and many questions at once; adds, replacements, removals and
group changes in between; of the real texts (Liechtenstein law; German court decisions, in NFD as well) parts of some
paragraphs. A difference is an error; at the end a line of JSON says how many hits were equal.
"""

from __future__ import annotations

import argparse
import unicodedata
from pathlib import Path
from random import Random

import polars as pl

from tests.bench.bench_search import say
from tests.evidence import cases, views
from tests.evidence.test_batch import equal
from tests.evidence.test_changes import change
from workbench.contract import Document
from workbench.evidence import pruning, ranking
from workbench.evidence.corpus import Corpus

QUESTIONS = 10


def real_texts(data: Path) -> list[str]:
    """Texts of li_law and of the court decisions."""
    texts = pl.read_parquet(data / "li_law" / "corpus_current.parquet")["text"].to_list()
    decisions = data / "qa" / "legalquad_de" / "docs.jsonl"
    return texts + (pl.read_ndjson(decisions)["text"].to_list() if decisions.is_file() else [])


def real_corpus(random: Random, texts: list[str]) -> tuple[Corpus, list[str]]:
    """Some paragraphs of some texts as documents, and words that stand in them."""
    documents, known = [], []
    for name in random.sample(views.NAMES, random.randint(1, 8)):
        parts = random.choice(texts).split("\n\n")
        first = random.randrange(len(parts))
        text = "\n\n".join(parts[first : first + 12])[:4_000]
        if random.random() < 0.3:
            text = unicodedata.normalize("NFD", text)
        known.extend(text.split())
        groups = frozenset(random.sample(cases.GROUPS, random.randint(1, 2)))
        documents.append(Document(name, "nord", groups, "1", text))
    return Corpus(documents), known or ["a"]


def main() -> None:
    """Half the cases on random texts, half on real ones where they are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    given = parser.parse_args()
    texts = real_texts(given.data) if given.data.is_dir() else []
    random = Random(20)
    done = hits = 0
    few = pruning.FEW, pruning.SHARE, ranking.WORTH_KEEPING
    while done < given.cases:
        # Every other corpus goes the ways of large ones.
        pruning.FEW, pruning.SHARE, ranking.WORTH_KEEPING = (0, 9.0, 0) if random.random() < 0.5 else few
        if texts and random.random() < 0.5:
            corpus, known = real_corpus(random, texts)
        else:
            corpus, known = views.corpus(random), None
        for _ in range(4):
            hits += views.compare(random, views.view(random, corpus), known, questions=QUESTIONS)
            together = [views.question(random, known) for _ in range(QUESTIONS)]
            hits += equal(views.view(random, corpus), together, random.choice([1, 3, 10, 10**9]))
            done += 2 * QUESTIONS
            change(random, corpus)
    say(what="equal to a fresh FTS5 table", cases=done, hits=hits, real_texts=len(texts), different=0)


if __name__ == "__main__":
    main()
