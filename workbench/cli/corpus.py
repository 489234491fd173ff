"""``corpus check`` and ``corpus import``: what a search would silently miss, and documents as they come."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from workbench.cli.options import Commands, Result
from workbench.errors import visible
from workbench.evidence.checks import Finding, findings
from workbench.evidence.corpus import Corpus


def add(commands: Commands) -> None:
    """Add the commands."""
    corpus = commands.group("corpus", help="check a corpus, or make one from files")
    check = corpus.add(
        "check",
        run=_check,
        help="list what makes a search silently miss, with document and position",
        example="workbench corpus check data/pumps",
    )
    check.add_argument("corpus", metavar="CORPUS", help="the corpus folder")


def _check(args: argparse.Namespace) -> Result:
    found = findings(Corpus.read(args.corpus).documents)
    text = "\n".join(map(_line, found)) or "nothing found that a search would silently miss"
    return Result({"findings": [asdict(finding) for finding in found]}, text, 1 if found else 0)


def _line(finding: Finding) -> str:
    times = "once" if finding.count == 1 else f"{finding.count} times, first"
    where = visible(f"{finding.code} · {finding.document_id} · {times} at character {finding.position}")
    return f"{where}\n   {finding.message}; {finding.remedy}"
