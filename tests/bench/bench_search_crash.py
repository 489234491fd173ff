"""A writer killed at 200 random points, and eight readers beside a writer for a minute.

    python -m tests.bench.bench_search_crash

After each kill every committed document must be there and the search right. Each answer of a reader must be the strict
retriever's for a committed state of the documents. A line of JSON for each goes to stdout; a wrong answer is an error.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from random import Random

from tests.bench.bench_search import say
from tests.evidence.test_disk import documents, killed_at_random_points, readers_beside_a_writer
from workbench.evidence.corpus import Corpus


def main() -> None:
    """Both, on small corpora."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "kills"
        Corpus(documents(Random(1))).save(folder)
        left = killed_at_random_points(folder, given.points, Random(2))
        say(what="writer killed", points=given.points, documents_left=left, wrong=0)
        folder = Path(name) / "readers"
        Corpus(documents(Random(1))).save(folder)
        answers, commits = readers_beside_a_writer(folder, readers=given.readers, seconds=given.seconds)
        say(what="readers beside a writer", readers=given.readers, seconds=given.seconds, answers=answers,
            commits=commits, wrong=0)  # fmt: skip


if __name__ == "__main__":
    main()
