"""The linter and the type checker."""

import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]


def run(*command: str | Path, cwd: Path = REPO) -> None:
    """Runs a command and fails with what it said."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}", pytrace=False)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["ruff", "check", "."], id="ruff check"),
        pytest.param(["ruff", "format", "--check", "."], id="ruff format"),
        pytest.param(["mypy"], id="mypy --strict"),  # strict and the package are set in pyproject.toml
    ],
)
def test_code_is_clean(arguments: list[str]) -> None:
    run(sys.executable, "-m", *arguments)
