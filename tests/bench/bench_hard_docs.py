"""Cells of the true tables that each reader gets right, for each file, in one run.

``python -m tests.bench.bench_hard_docs [FOLDER]``; docling-parse is measured where it is installed.
"""

import os
import sys
from pathlib import Path

from tests.real.hard_docs_measure import measure, report

if __name__ == "__main__":
    data = os.environ.get("WORKBENCH_TEST_DATA", "../shared/data")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else data) / "hard_docs"
    sys.stdout.write(report(measure(folder)) + "\n")
