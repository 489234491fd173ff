"""Cells of the true tables that each reader gets right, for each file, in one run.

``python -m tests.bench.bench_hard_docs [FOLDER] [--to RESULTS.jsonl]``; with docling-parse where it is installed.
"""

import argparse
import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

from tests.real.hard_docs_measure import measure, report

PACKAGES = {"pdfplumber": "pdfplumber", "docling-parse": "docling-parse", "workbench": "pypdfium2"}

if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", nargs="?", default=os.environ.get("WORKBENCH_TEST_DATA", "../shared/data"))
    asked.add_argument("--to", help="also write one line for each file")
    args = asked.parse_args()
    found = measure(Path(args.folder) / "hard_docs")
    sys.stdout.write(report(found) + "\n")
    if args.to:
        lines = []
        for file, cells, readers in found:
            shares = {name: {"text_and_box": round(a, 4), "all": round(b, 4)} for name, (a, b) in readers.items()}
            versions = {name: version(PACKAGES[name]) for name in readers}
            lines.append(json.dumps({"file": file, "cells": cells, "shares": shares, "versions": versions}) + "\n")
        Path(args.to).write_text("".join(lines), encoding="utf-8")
