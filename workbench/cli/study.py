"""``lab`` and ``proof`` on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import cast

from workbench.cli.options import Commands, Result
from workbench.errors import visible
from workbench.study.proof import proof


def add(commands: Commands) -> None:
    """Add the commands."""
    commands.add(
        "lab",
        run=lambda _: Result({}, ""),  # main hands everything after the word to JupyterLab
        help="open JupyterLab on the notebooks",
        example="workbench lab --no-browser --port=8899",
    )
    commands.add(
        "proof",
        run=_proof,
        help="the 51 conditions of retrieval and the 21 of validity, here and now, on both builds of SQLite",
        example="workbench proof",
    )


def _proof(_: argparse.Namespace) -> Result:
    found = proof()
    rows = {part: cast(Sequence[Mapping[str, object]], found[part]) for part in ("retrieval", "validity")}
    held = {part: sum(bool(row["ok"]) for row in part_rows) for part, part_rows in rows.items()}
    versions = cast(Mapping[str, str], found["versions"])
    lines = [" · ".join(f"{name} {version}" for name, version in versions.items())]
    for part, part_rows in rows.items():
        lines.append(f"\n{part}: {held[part]} of {len(part_rows)} hold")
        for row in part_rows:
            line = f"  {row['number']:>2} {'ok  ' if row['ok'] else 'FAIL'} {row['condition']}"
            lines.append(
                line if row["ok"] else f"{line}\n        expected {row['expected']}\n        saw {row['observed']}"
            )
    whole = all(held[part] == len(part_rows) for part, part_rows in rows.items())
    return Result(found, visible("\n".join(lines), keep="\n"), 0 if whole else 1)
