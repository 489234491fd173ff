"""What a register of a million rows costs, side by side in one run: ``python -m tests.bench.bench_register [ROWS]``.

Ratios are what counts: the same machine, the same files, the same minute; processor time beside wall time, where a busy
machine makes wall time say little. Prints one JSON object. Peak memory is that of another process, which loads the same
register from its files and does the same work without the things that it is compared with.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import subprocess
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
ROWS_EACH = 10
ASKED_SINGLY = 20_000
FIELDS = ("tenant", "family", "procedure", "configuration", "region")
ASOF = """
    SELECT r.*, c.outcome, c.revision_id, c.valid_from, c.valid_to, c.valid_to_kind
    FROM '{requests}' r ASOF LEFT JOIN '{canonical}' c
    ON r.tenant = c.tenant AND r.family = c.document_family AND r.procedure = c.procedure_id
    AND r.configuration = c.asset_configuration AND r.region = c.region AND r.at >= c.valid_from
"""
Figures = dict[str, float]


def seconds(run: Callable[[], object]) -> Figures:
    """The shortest of a few runs, on the wall and on the processors."""
    wall, cpu = [], []
    for _ in range(REPEATS):
        clocks = time.perf_counter(), time.process_time()
        run()
        wall.append(time.perf_counter() - clocks[0])
        cpu.append(time.process_time() - clocks[1])
    return {"wall": min(wall), "cpu": min(cpu)}


def compared(ours: Figures, other: Figures, name: str) -> dict[str, object]:
    """Both, and how many times the other one ours is."""
    return {"ours": ours, name: other, "ratio": {clock: ours[clock] / other[clock] for clock in ours}}


def requests(register: Register, count: int) -> pl.DataFrame:
    """Requests for scopes of the register, at instants within and beyond its rows."""
    draw = random.Random(3)
    keys = [draw.choice(register.applicability).scope for _ in range(count)]
    frame = pl.DataFrame(dict(zip(FIELDS, zip(*keys, strict=True), strict=True)))
    return frame.with_columns(groups=pl.lit("a;b"), at=pl.Series([draw.randint(0, 6000) for _ in range(count)]))


def single(register: Register, frame: pl.DataFrame) -> dict[str, Figures]:
    """Microseconds of one resolve after another: of scopes not asked for before, and of the same again (medians)."""
    actor = Actor("T", {"a", "b"})
    rows = frame.select(*FIELDS[1:], "at").head(ASKED_SINGLY).iter_rows()
    asked = [Request(Scope(*row[:4]), at=row[4]) for row in rows]
    register.resolve(asked[0], actor)  # what is made once for a register is part of loading it
    found: dict[str, Figures] = {}
    for name in ("first", "again"):
        wall, cpu = [], []
        for request in asked:
            clocks = time.perf_counter_ns(), time.process_time_ns()
            register.resolve(request, actor)
            cpu.append(time.process_time_ns() - clocks[1])
            wall.append(time.perf_counter_ns() - clocks[0])
        found[name] = {"wall": sorted(wall)[len(wall) // 2] / 1e3, "cpu": sorted(cpu)[len(cpu) // 2] / 1e3}
    return found


def peak_memory(register: str, asked: str) -> None:
    """Loads, projects and answers, and prints the process's peak in GB."""
    loaded = Register.read(register)
    answers = loaded.resolve_many(pl.read_parquet(asked))
    single(loaded, answers)
    sys.stdout.write(str(own_peak() / 1e6))


def own_peak() -> int:
    """The most memory that this program has held, in kB.

    Linux counts what the parent held before this program was started as the process's own in ``ru_maxrss``: a parent
    that holds a large register itself would be measured. ``VmHWM`` is of this program's memory alone.
    """
    status = Path("/proc/self/status")
    if not status.is_file():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    held = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(held.split()[1])


def main(rows: int) -> dict[str, object]:
    """The figures of one run."""
    register = crowd(rows // ROWS_EACH, ROWS_EACH)
    gc.freeze()  # what a loaded register holds stays; the collector need not look at it again and again
    frame, projected = requests(register, rows), project(register)
    cells = [(*row.scope, row.valid.start) for row in register.applicability]
    raw = pl.DataFrame(cells, schema=[*SCOPE, "start"], orient="row").sample(fraction=1, shuffle=True, seed=1)
    found: dict[str, object] = {"rows": rows, "intervals": projected.height}
    found["projecting"] = compared(
        seconds(lambda: project(register)), seconds(lambda: raw.sort(*SCOPE, "start")), "sorting"
    )
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        asked, canonical = Path(folder) / "requests.parquet", Path(folder) / "canonical.parquet"
        frame.write_parquet(asked)
        write_projection(projected, canonical)
        register.lookup  # noqa: B018  (laid out once for a register, like the file that the join reads)
        statement = ASOF.format(requests=asked, canonical=canonical)
        joining = seconds(lambda: pl.DataFrame(connection.sql(statement)))
        many = seconds(lambda: register.resolve_many(pl.read_parquet(asked)))
        found["resolve_many"] = compared(many, joining, "asof_join")
        found["single_resolve_microseconds"] = single(register, frame)
        register.write(Path(folder) / "register")
        command = [sys.executable, "-m", "tests.bench.bench_register", "memory", f"{folder}/register", str(asked)]
        found["peak_memory_gb"] = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


if __name__ == "__main__":
    if sys.argv[1:2] == ["memory"]:
        peak_memory(*sys.argv[2:])
    else:
        sys.stdout.write(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000), indent=1) + "\n")
