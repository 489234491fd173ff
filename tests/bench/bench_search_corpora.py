"""Corpora and questions for the search benchmarks: synthetic German-like words with a Zipf law, and li_law's norms.

Everything synthetic is invented.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from workbench.contract import Actor, Document

READER = Actor("public", {"reader"})
SYLLABLES = "an be der en fe ge heim ik jo ka len mo ne ord pum que ren sta ten un ver wart xa ys zug ä ö ü ß".split()
IN_DOCUMENT = 10


def words(count: int, seed: int = 1) -> list[str]:
    """Distinct invented words."""
    random = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        for row in random.integers(0, len(SYLLABLES), (count, 4)):
            found["".join(SYLLABLES[i] for i in row[: 2 + row[0] % 3])] = None
    return list(found)[:count]


def synthetic(paragraphs: int, *, allowed: float = 0.5, length: int = 40, vocabulary: int = 50_000) -> list[Document]:
    """Documents of ten paragraphs; a share of them is for the reader."""
    random = np.random.default_rng(2)
    known = np.array(words(vocabulary), dtype=object)
    weights = 1.0 / np.arange(1, vocabulary + 1)
    cumulated = np.cumsum(weights / weights.sum())
    documents = []
    for number in range(paragraphs // IN_DOCUMENT):
        lengths = random.integers(length // 2, length * 3 // 2, IN_DOCUMENT)
        drawn = known[np.minimum(np.searchsorted(cumulated, random.random(int(lengths.sum()))), vocabulary - 1)]
        parts = np.split(drawn, np.cumsum(lengths)[:-1])
        group = "reader" if random.random() < allowed else f"other{number % 5}"
        text = "\n\n".join(" ".join(part) for part in parts)
        documents.append(Document(f"d{number:07}", "public", frozenset({group}), "1", text))
    return documents


def li_law(folder: Path, *, allowed: float = 1.0) -> list[Document]:
    """The norms of Liechtenstein in force."""
    random = np.random.default_rng(3)
    frame = pl.read_parquet(folder / "li_law" / "corpus_current.parquet")
    return [
        Document(name, "public", frozenset({"reader" if random.random() < allowed else "other"}), "1", text)
        for name, text in frame.select("norm_id", "text").iter_rows()
    ]


def questions(documents: list[Document], count: int, sizes: tuple[int, int]) -> list[str]:
    """Questions of words that stand together in a paragraph that the reader may read."""
    random = np.random.default_rng(4)
    own = [d for d in documents if "reader" in d.groups]
    found = []
    while len(found) < count:
        parts = own[random.integers(len(own))].text.split("\n\n")
        there = parts[random.integers(len(parts))].split()
        if len(there) >= sizes[1]:
            chosen = random.choice(len(there), random.integers(sizes[0], sizes[1] + 1), replace=False)
            found.append(" ".join(there[i] for i in chosen)[:200].rsplit(" ", 1)[0] or there[0])
    return found
