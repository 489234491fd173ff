"""``register``: check it, project it, correct it, and make one out of other data (contract 3.2, 3.8, 3.9)."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.options import Commands, Result, postgres, register_at
from workbench.errors import InputError, visible
from workbench.evidence.corpus import Corpus
from workbench.validity.checks import check_folder
from workbench.validity.corrections import TABLES, Correction, correct
from workbench.validity.findings import as_text
from workbench.validity.mapping import map_register
from workbench.validity.projection import project, write_projection


def add(commands: Commands) -> None:
    """Add the commands."""
    register = commands.group("register", help="check, project or correct a register, or make one out of other data")
    check = register.add(
        "check",
        run=_check,
        help="all findings of a register, by owner: malformed rows, and rows that need attention",
        example="workbench register check data/pump-seal data/pumps --every-scope",
    )
    check.add_argument("register", metavar="REGISTER", help="the register folder")
    check.add_argument("corpus", metavar="CORPUS", nargs="?", help="compare it with this corpus too")
    check.add_argument(
        "--every-scope", action="store_true", help="resolve every combination of scope values over all of time"
    )
    project = register.add(
        "project",
        run=_project,
        help="write the canonical projection: one outcome for each scope and elementary interval",
        example="workbench register project data/pump-seal --to canonical.parquet",
    )
    project.add_argument("register", metavar="REGISTER", help="the register folder")
    project.add_argument(
        "--to", required=True, metavar="TARGET", help="a .parquet or .duckdb file, or postgresql://…/database#schema"
    )
    correct = register.add(
        "correct",
        run=_correct,
        help="close a row and add one; nothing is overwritten, and who and why is written down",
        example="cp -r data/pump-seal register\n"
        "workbench register correct register --table applicability --row 4 --set valid_to=20 "
        '--recorded 9 --by "Redaktion" --why "end agreed on"',
    )
    correct.add_argument("register", metavar="REGISTER", help="the register folder")
    correct.add_argument("--table", required=True, choices=TABLES, help="which table")
    correct.add_argument("--row", type=int, metavar="N", help="the row to close, numbered as in messages")
    correct.add_argument(
        "--set",
        action="append",
        metavar="COLUMN=VALUE",
        help="a cell of the row to add; with --row the others stay as they were, without any the row is withdrawn",
    )
    correct.add_argument("--recorded", required=True, metavar="R", help="when the register says so, in recorded time")
    correct.add_argument("--by", required=True, help="who decided it")
    correct.add_argument("--why", required=True, help="for what reason")
    correct.add_argument("--expected", metavar="SNAPSHOT", help="refuse where the register is another one by now")
    maps = register.add(
        "map",
        run=_map,
        help="make a register out of source data, by a declared mapping in which every constant is written down",
        example="workbench register map data/examples/mapping.toml data/examples/source --to register",
    )
    maps.add_argument("mapping", metavar="MAPPING.toml", help="the mapping")
    maps.add_argument("source", metavar="SOURCE", help="the folder of the source files")
    maps.add_argument("--to", required=True, metavar="REGISTER", help="the register's folder; must not exist yet")


def _check(args: argparse.Namespace) -> Result:
    corpus = None if args.corpus is None else Corpus.read(args.corpus)
    if "://" in args.register:
        findings = register_at(args.register).check(corpus, every_scope=args.every_scope)
    else:
        findings = check_folder(args.register, corpus, every_scope=args.every_scope)
    text = as_text(findings) or "no findings"
    return Result(
        {"findings": [finding.mapping() for finding in findings]}, visible(text, keep="\n"), 1 if findings else 0
    )


def _map(args: argparse.Namespace) -> Result:
    counts = map_register(Path(args.mapping), Path(args.source), Path(args.to))
    return Result({"rows": counts}, "\n".join(f"{name}: {count} rows" for name, count in counts.items()))


def _project(args: argparse.Namespace) -> Result:
    register = register_at(args.register)
    frame = project(register)
    if "://" in args.to:
        postgres().project_at(args.to, register)
    else:
        write_projection(frame, args.to)
    outcomes = {str(name): int(count) for name, count in frame["outcome"].value_counts(sort=True).iter_rows()}
    where = "PostgreSQL" if "://" in args.to else args.to
    text = f"{frame.height} intervals to {where}: " + ", ".join(f"{n} {name}" for name, n in outcomes.items())
    return Result({"intervals": frame.height, "outcomes": outcomes}, visible(text))


def _correct(args: argparse.Namespace) -> Result:
    values: dict[str, str] | None = None
    for cell in args.set or ():
        column, mark, value = cell.partition("=")
        if not mark or not column:
            raise InputError(f"--set {cell}: write COLUMN=VALUE")
        values = {**(values or {}), column: value}
    correction = Correction(
        table=args.table, by=args.by, why=args.why, recorded=args.recorded, row=args.row, values=values
    )
    after = correct(args.register, correction, expected=args.expected)
    return Result({"register_snapshot": after.snapshot()}, f"corrected; the register is now {after.snapshot()[:12]}")
