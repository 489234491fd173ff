"""Do the 51 conditions of S0 and the 21 checks of S1 hold here, on this machine?

The 51 are asked of three searches side by side, and a row is ``ok`` only if all three hold: ``apsw`` and ``sqlite3``,
the strict retriever with a fresh FTS5 table for each question on either build of SQLite; and ``view``, what every
caller uses, ``Corpus(...).view(actor).search(...)`` with whatever index stands behind it. Citations are resolved by
``resolve_citation`` in all three, which needs no SQLite. The 21 are asked of ``register.resolve``, ``ask`` and
``cache_key``, which need none either. That each row could fail is shown by :mod:`workbench.study.mutants`.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Final

from workbench.evidence import fts
from workbench.study.proof.bench import SHIPPED, Bench, Retriever, five_documents
from workbench.study.proof.citations import CITATIONS
from workbench.study.proof.hits import ACCESS, HITS
from workbench.study.proof.queries import LIMITS, MEANING
from workbench.study.proof.rows import Condition, Row, run
from workbench.study.proof.validity import CACHE, RESOLVER, SHIPPED_AUTHORITY, Authority, Desk, desk

RETRIEVAL: Final[tuple[Condition[Bench], ...]] = (*HITS, *ACCESS, *MEANING, *LIMITS, *CITATIONS)
"""The 51, in their order."""
VALIDITY: Final[tuple[Condition[Desk], ...]] = (*RESOLVER, *CACHE)
"""The 21, in their order: 1 to 13 of the resolver, 14 to 21 of the cache key."""


def retrieval_rows(*retrievers: Retriever, documents: Path | None = None) -> list[Row]:
    """The 51 rows over these retrievers side by side; over the shipped ones where none is named."""
    five = five_documents(documents)
    return run(RETRIEVAL, {retriever.name: Bench(retriever, five) for retriever in retrievers or SHIPPED})


def validity_rows(authority: Authority = SHIPPED_AUTHORITY) -> list[Row]:
    """The 21 rows over this authority; over the shipped one where none is named."""
    return run(VALIDITY, {authority.name: desk(authority)})


def versions() -> dict[str, str]:
    """What the proof ran on: Python, the workbench, and both builds of SQLite.

    >>> list(versions())
    ['python', 'workbench', 'sqlite3', 'apsw']
    """
    # The package that is running, which its installed metadata may lag behind; nothing below may import it by name.
    package = sys.modules[__name__.partition(".")[0]]
    return {
        "python": platform.python_version(),
        "workbench": str(package.__version__),
        "sqlite3": fts.STANDARD.version,
        "apsw": fts.APSW.version,
    }


def proof() -> dict[str, object]:
    """Both proofs as JSON values: ``retrieval`` (51 rows), ``validity`` (21 rows), ``versions`` (contract 6).

    A row has number, condition, expected, observed and ok. Raises InputError where the checkout's data are absent.

    >>> found = proof()
    >>> [len(found[part]) for part in ("retrieval", "validity")]
    [51, 21]
    """
    return {
        "retrieval": [row.mapping() for row in retrieval_rows()],
        "validity": [row.mapping() for row in validity_rows()],
        "versions": versions(),
    }
