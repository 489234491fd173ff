"""Guarantee by store, as measured: the table that the notebook shows.

``python -m tests.stores.table`` measures every store that runs here and writes ``data/stores/guarantees.csv``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from tests.stores.engines import WORDS, Database, database, qdrant_edge, qdrant_local
from tests.stores.odata_evaluator import Index
from tests.validity.servers import Absent
from workbench.stores.azure_search import AzureSearch
from workbench.stores.builtin import Builtin
from workbench.stores.conformance import GUARANTEES, run
from workbench.stores.conformance_asking import Open
from workbench.stores.store import Store

FILE = Path(__file__).resolve().parents[2] / "data" / "stores" / "guarantees.csv"
NOT_RUN = {
    "Qdrant server": "no server in Debian or in Python's packages; WORKBENCH_QDRANT_URL names one to the tests",
    "Azure AI Search": "a service; the filters' meaning alone is evaluated",
}


@contextmanager
def azure() -> Iterator[Store]:
    yield Store(AzureSearch(Index(), WORDS))


PLAIN: dict[str, Open] = {
    "built-in": lambda: nullcontext(Builtin()),
    "Qdrant's engine in process": qdrant_edge,
    "Qdrant client, local mode": qdrant_local,
    "Azure filters, evaluated": azure,
}


def of_database(version: int, there: Database) -> dict[str, Open]:
    found: dict[str, Open] = {f"PostgreSQL {version}, words": there.opened}
    if there.vectors:
        found[f"PostgreSQL {version}, pgvector"] = lambda: there.opened(order="vectors", encoder=WORDS)
    return found


def rows(stores: dict[str, Open]) -> Iterator[list[str]]:
    for name, opened in stores.items():
        for outcome in run(opened):
            yield [outcome.guarantee, name, "holds" if outcome.holds else f"fails: {outcome.found}"]


def main() -> None:
    found = list(rows(PLAIN))
    for version in (15, 18):
        try:
            with database(version) as there:
                found += rows(of_database(version, there))
        except Absent as why:
            sys.exit(f"not written: {why}")
    found += [[guarantee.name, name, f"not run: {why}"] for name, why in NOT_RUN.items() for guarantee in GUARANTEES]
    FILE.parent.mkdir(exist_ok=True)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["guarantee", "store", "outcome"], *found])


if __name__ == "__main__":
    main()
