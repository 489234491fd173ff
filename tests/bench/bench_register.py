"""What a register of a million rows costs, side by side in one run: ``python -m tests.bench.bench_register [ROWS]``.

Ratios are what counts: the same machine, the same files, the same minute. Prints one JSON object.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl

from tests.validity.crowds import crowd
from workbench.contract import Actor, Request, Scope
from workbench.validity.projection import SCOPE, project, write_projection
from workbench.validity.register import Register

REPEATS = 3
SCOPES_EACH = 10
FIELDS = ("tenant", "family", "procedure", "configuration", "region")
ASOF = """
    SELECT r.*, c.outcome, c.revision_id, c.valid_from, c.valid_to, c.valid_to_kind
    FROM read_parquet(?) r ASOF LEFT JOIN read_parquet(?) c
    ON r.tenant = c.tenant AND r.family = c.document_family AND r.procedure = c.procedure_id
    AND r.configuration = c.asset_configuration AND r.region = c.region AND r.at >= c.valid_from
"""


def seconds(run: Callable[[], object]) -> float:
    """The shortest of a few runs."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times)


def requests(register: Register, count: int) -> pl.DataFrame:
    """Requests for scopes of the register, at instants within and beyond its rows."""
    draw = random.Random(3)
    keys = [draw.choice(register.applicability).scope for _ in range(count)]
    frame = pl.DataFrame(dict(zip(FIELDS, zip(*keys, strict=True), strict=True)))
    return frame.with_columns(groups=pl.lit("a;b"), at=pl.Series([draw.randint(0, 6000) for _ in range(count)]))


def single(register: Register, frame: pl.DataFrame) -> dict[str, float]:
    """One resolve after another, each of a scope not asked for before, and of one asked for again."""
    actor = Actor("T", {"a", "b"})
    asked = [Request(Scope(*row[1:5]), at=row[5]) for row in frame.select(*FIELDS, "at").head(50_000).iter_rows()]
    found = {}
    for name in ("first", "again"):
        started = time.perf_counter()
        for request in asked:
            register.resolve(request, actor)
        found[name] = (time.perf_counter() - started) / len(asked) * 1e6
    return found


def main(rows: int) -> dict[str, object]:
    """The figures of one run."""
    register = crowd(rows // SCOPES_EACH, SCOPES_EACH)
    gc.freeze()  # what a loaded register holds stays; the collector need not look at it again and again
    frame = requests(register, rows)
    raw = pl.DataFrame(
        [(*row.scope, row.valid.start) for row in register.applicability], schema=[*SCOPE, "start"], orient="row"
    )
    raw = raw.sample(fraction=1, shuffle=True, seed=1)
    sorting = seconds(lambda: raw.sort(*SCOPE, "start"))
    projecting = seconds(lambda: project(register))
    projected = project(register)
    with tempfile.TemporaryDirectory() as folder:
        asked, canonical = Path(folder) / "requests.parquet", Path(folder) / "canonical.parquet"
        frame.write_parquet(asked)
        write_projection(projected, canonical)
        register.lookup  # noqa: B018  (laid out once for a register, like the file that the join reads)
        with duckdb.connect() as connection:
            joining = seconds(
                lambda: pl.DataFrame(connection.execute(ASOF, [str(asked), str(canonical)]).to_arrow_table())
            )
        many = seconds(lambda: register.resolve_many(pl.read_parquet(asked)))
    register.by_scope  # noqa: B018  (part of loading)
    return {
        "rows": rows,
        "intervals": projected.height,
        "projecting": {"seconds": projecting, "sorting": sorting, "ratio": projecting / sorting},
        "resolve_many": {"seconds": many, "asof_join": joining, "ratio": many / joining},
        "single_resolve_microseconds": single(register, frame),
        "peak_memory_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000), indent=1) + "\n")
