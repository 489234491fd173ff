"""A correction killed at 100 points: ``python -m tests.bench.bench_register_killed [POINTS]``.

After each death the folder holds the old register or the new one, whole, and can be corrected again. Prints how often
which; fails by an AssertionError that names the point. The test run does the same at ten points.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.validity.correcting import correction
from tests.validity.folders import write
from workbench.validity.corrections import correct, read_corrections
from workbench.validity.register import Register


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.validity.correcting", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main(points: int, place: Path) -> dict[str, int]:
    """How many deaths left the old register, and how many the new one."""
    lines = int(run("count", write(place / "whole", {})).stdout)
    old = Register.read(write(place / "old", {}))
    new = correct(write(place / "new", {}), correction("traced"))
    seen = {"lines": lines, "old": 0, "new": 0}
    for point in range(points):
        deadly = 1 + round(point * (lines - 1) / max(points - 1, 1))
        folder = write(place / str(point), {})
        assert run("kill", folder, str(deadly)).returncode == -signal.SIGKILL, deadly
        found = Register.read(folder)
        assert found in (old, new), deadly
        assert len(read_corrections(folder)) == (found == new), deadly
        if found == old:
            assert correct(folder, correction("again")) == new, deadly
        seen["new" if found == new else "old"] += 1
    return seen


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, Path(folder))) + "\n")
