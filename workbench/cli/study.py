"""``lab`` and ``proof`` on the command line."""

from __future__ import annotations

from workbench.cli.options import Commands, Result


def add(commands: Commands) -> None:
    """Add the commands."""
    commands.add(
        "lab",
        run=lambda _: Result({}, ""),  # main hands everything after the word to JupyterLab
        help="open JupyterLab on the notebooks",
        example="workbench lab --no-browser --port=8899",
    )
