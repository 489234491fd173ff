"""What a question costs on each store, as the corpus grows: all that an actor may read, and under one decision.

Run as ``python -m tests.bench.bench_stores 100 1000 5000`` (numbers of documents, ten passages each). It prints a table
as CSV: store, passages, seconds to the first answer, and medians in milliseconds. Times are of this machine and minute.
"""

from __future__ import annotations

import statistics
import sys
import time
from contextlib import ExitStack
from random import Random

import workbench as wb
from tests.stores.engines import Database, database, qdrant_edge, qdrant_local
from tests.validity.servers import Absent
from workbench.stores.builtin import Builtin
from workbench.stores.conformance_asking import WARTUNG, Asked
from workbench.stores.conformance_world import World

QUESTIONS = 20


def world(documents: int) -> World:
    """Documents of ten passages from a vocabulary of 5,000 words; half of them are for other groups."""
    random, made = Random(1), World()
    for i in range(documents):
        passages = [" ".join(f"wort{random.randint(1, 5000)}" for _ in range(40)) for _ in range(10)]
        made.add(f"d{i:06}", "\n\n".join(passages), groups=("wartung",) if i % 2 == 0 else (f"andere{i % 7}",))
        made.applies(f"d{i:06}", made.key(f"C{i}"))
    return made


def measured(store: Asked, made: World) -> list[float]:
    """Seconds to the first answer, and the medians of a question without and under a decision."""
    corpus, register, random = made.corpus, made.register, Random(2)
    begun = time.perf_counter()
    store.load(corpus, register)
    free = corpus.view(WARTUNG)
    store.find(free, "wort1")  # the built-in index is made at the first question
    loading = time.perf_counter() - begun
    decision = register.resolve(wb.Request(made.scope(made.key("C0")), at=6), WARTUNG)
    found = []
    for view in (free, corpus.view(WARTUNG, decision)):
        store.find(view, "wort1")
        times = []
        for _ in range(QUESTIONS):
            query = f"wort{random.randint(1, 5000)} wort{random.randint(1, 5000)}"
            begun = time.perf_counter()
            store.find(view, query)
            times.append(time.perf_counter() - begun)
        found.append(1000 * statistics.median(times))
    return [loading, *found]


def main(sizes: list[int]) -> None:
    with ExitStack() as stack:
        databases: dict[int, Database] = {}
        for version in (15, 18):
            try:
                databases[version] = stack.enter_context(database(version))
            except Absent as why:
                sys.stderr.write(f"{why}\n")
        sys.stdout.write("store,passages,first_answer_s,question_ms,under_decision_ms\n")
        for size in sizes:
            made = world(size)
            stores = {"built-in": Builtin(), "Qdrant's engine": stack.enter_context(qdrant_edge())}
            if size <= 1000:
                stores["Qdrant's local mode"] = stack.enter_context(qdrant_local())
            for version, there in databases.items():
                stores[f"PostgreSQL {version}"] = stack.enter_context(there.opened())
            for name, store in stores.items():
                loading, question, bound = measured(store, made)
                sys.stdout.write(f"{name},{10 * size},{loading:.2f},{question:.2f},{bound:.2f}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [100, 1000])
