"""The other Pythons that the project says it runs on. In a file of its own: it takes minutes, so a second process can
run the rest meanwhile."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
SUPPORTED = ["3.11", "3.12", "3.13"]
OTHERS = [version for version in SUPPORTED if version != f"{sys.version_info.major}.{sys.version_info.minor}"]


def run(*command: str | Path, cwd: Path) -> None:
    """Runs a command and fails with what it said."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}", pytrace=False)


def interpreters(version: str) -> list[Path]:
    """Where a Python of that version may lie: on the PATH, or kept by pyenv without being on it."""
    found = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    kept = sorted(pyenv.glob(f"{version}.*/bin/python{version}"), reverse=True)
    return [*([Path(found)] if found else []), *kept]


def runs(interpreter: Path, version: str) -> bool:
    """Whether it is a Python of that version that can make environments; pyenv leaves shims that are none."""
    ask = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([interpreter, "-c", ask], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


@pytest.mark.parametrize("version", OTHERS)
def test_it_runs_on_other_pythons(version: str, tmp_path: Path) -> None:
    """From the same lock, in a copy of the checkout: it imports, its docstrings' examples hold, and both proofs."""
    working = [interpreter for interpreter in interpreters(version) if runs(interpreter, version)]
    if not working:
        pytest.skip(f"Python {version} does not run here (no python{version} with venv on the PATH or under pyenv)")
    copy = tmp_path / "checkout"
    shutil.copytree(
        REPO, copy, ignore=shutil.ignore_patterns(".git", ".venv*", ".*_cache", "*.egg-info", "__pycache__")
    )
    environment = tmp_path / "environment"
    run(working[0], "-m", "venv", environment, cwd=tmp_path)
    pip = [environment / "bin" / "python", "-m", "pip", "install", "--quiet"]
    run(*pip, "--require-hashes", "-r", "constraints.txt", cwd=copy)
    run(*pip, "--no-deps", "--no-build-isolation", "-e", ".", cwd=copy)
    try:
        run(environment / "bin" / "python", "-c", "import workbench", cwd=tmp_path)
        run(environment / "bin" / "workbench", "proof", cwd=tmp_path)
        run(environment / "bin" / "python", "-m", "pytest", "-q", "workbench", cwd=copy)
    finally:
        shutil.rmtree(environment)  # nearly a gigabyte that nobody looks at afterwards
