"""``register check`` and ``register map``: what a register's owners have to do, and registers out of other sources."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.options import Commands, Result
from workbench.errors import visible
from workbench.evidence.corpus import Corpus
from workbench.validity.checks import check_folder
from workbench.validity.findings import as_text
from workbench.validity.mapping import map_register


def add(commands: Commands) -> None:
    """Add the commands."""
    register = commands.group("register", help="check a register, or make one out of other data")
    check = register.add(
        "check",
        run=_check,
        help="all findings of a register, by owner: malformed rows, and rows that need attention",
        example="workbench register check data/handbooks-register data/handbooks --every-scope",
    )
    check.add_argument("register", metavar="REGISTER", help="the register folder")
    check.add_argument("corpus", metavar="CORPUS", nargs="?", help="compare it with this corpus too")
    check.add_argument(
        "--every-scope", action="store_true", help="resolve every combination of scope values over all of time"
    )
    maps = register.add(
        "map",
        run=_map,
        help="make a register out of source data, by a declared mapping in which every constant is written down",
        example="workbench register map data/mappings/li-law-norms.toml li_law --to registers/li-law-norms",
    )
    maps.add_argument("mapping", metavar="MAPPING.toml", help="the mapping")
    maps.add_argument("source", metavar="SOURCE", help="the folder of the source files")
    maps.add_argument("--to", required=True, metavar="REGISTER", help="the register's folder; must not exist yet")


def _check(args: argparse.Namespace) -> Result:
    corpus = None if args.corpus is None else Corpus.read(args.corpus)
    findings = check_folder(args.register, corpus, every_scope=args.every_scope)
    text = as_text(findings) or "no findings"
    return Result(
        {"findings": [finding.mapping() for finding in findings]}, visible(text, keep="\n"), 1 if findings else 0
    )


def _map(args: argparse.Namespace) -> Result:
    counts = map_register(Path(args.mapping), Path(args.source), Path(args.to))
    return Result({"rows": counts}, "\n".join(f"{name}: {count} rows" for name, count in counts.items()))
