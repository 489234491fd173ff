"""Could the 72 rows fail? Small, named wrong implementations, and which rows each of them fails.

A proof that nothing can fail proves nothing. Each mutant is a right and small implementation with one mistake in it:
:mod:`~workbench.study.mutants.queries` and :mod:`~workbench.study.mutants.evidence` for the 51,
:mod:`~workbench.study.mutants.validity` for the 21. Every row is failed by at least one of them, what is shipped fails
none, and the small implementations without a mistake fail none either. The searches run on apsw's SQLite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from workbench.study.mutants.evidence import EVIDENCE
from workbench.study.mutants.queries import SEARCHES
from workbench.study.mutants.small_retriever import SmallRetriever
from workbench.study.mutants.validity import AUTHORITIES
from workbench.study.proof import RETRIEVAL, VALIDITY, retrieval_rows, validity_rows
from workbench.study.proof.rows import Mutant

RETRIEVERS: Final[tuple[Mutant[SmallRetriever], ...]] = (*SEARCHES, *EVIDENCE)
"""The wrong retrievers, for the 51."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One line of the matrix: a mutant, the proof that it was put through, and the rows that it failed there."""

    mutant: str
    proof: str
    rows: tuple[int, ...]


def matrix() -> list[Failure]:
    """Which mutant fails which rows of which proof, in the order of the tables."""
    found = [
        Failure(m.name, "retrieval", tuple(row.number for row in retrieval_rows(m.made) if not row.ok))
        for m in RETRIEVERS
    ]
    found += [
        Failure(m.name, "validity", tuple(row.number for row in validity_rows(m.made) if not row.ok))
        for m in AUTHORITIES
    ]
    return found


def unfailed(failures: list[Failure]) -> Mapping[str, list[int]]:
    """The rows of each proof that no mutant fails: rows that prove nothing.

    >>> unfailed([Failure("all wrong", "retrieval", tuple(range(1, 52)))])["retrieval"]
    []
    """
    numbers = {"retrieval": [c.number for c in RETRIEVAL], "validity": [c.number for c in VALIDITY]}
    failed = {proof: {n for f in failures if f.proof == proof for n in f.rows} for proof in numbers}
    return {proof: [n for n in rows if n not in failed[proof]] for proof, rows in numbers.items()}


def text(failures: list[Failure]) -> str:
    """The matrix as lines of text, for a terminal or a test's message.

    >>> print(text([Failure("closed interval end", "validity", (4,))]))
    validity   closed interval end: 4
    """
    return "\n".join(f"{f.proof:<10} {f.mutant}: {', '.join(map(str, f.rows)) or 'none'}" for f in failures)
