"""Every command's ``--help`` ends with an example, and every example runs, on shipped data in a folder of its own."""

import argparse
import os
import queue
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.cli import main, parser

STAYING = ("lab", "app")  # these stay until they are stopped: started, and stopped once they have printed an address
START = "import sys; from workbench.cli import main; sys.exit(main(sys.argv[1:]))"
PATIENCE = 120  # seconds that a busy machine may take for what normally takes five
EPILOG = re.compile(r"^examples?:\n((?:  \S.*\n?)(?:  .*\n?)*)\Z", re.MULTILINE)


def walk(made: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and all below it."""
    yield made
    for action in made._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from walk(below)


PARSERS = {made.prog: made for made in walk(parser())}


def example(made: argparse.ArgumentParser) -> list[str]:
    """The lines of the example at the end of a help, continued lines joined, without what stands after a ``#``."""
    found = EPILOG.search(made.format_help())
    assert found is not None, f"{made.prog} --help does not end with an example"
    lines = found[1].replace("\\\n", " ").splitlines()
    return [line.partition("  #")[0].strip() for line in lines]


@pytest.fixture
def place(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder beside copies of the shipped data."""
    shutil.copytree(repo / "data", tmp_path / "data", ignore=shutil.ignore_patterns("li-law*", ".index"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(words: list[str]) -> int:
    if words[0] == "workbench":
        return main(words[1:])
    assert words[:2] == ["cp", "-r"], "an example is made of workbench commands, and of copies for them"
    return subprocess.run(words, check=False).returncode


def test_every_command_is_walked() -> None:
    wanted = {"workbench", "workbench lab", "workbench report", "workbench register check", "workbench corpus import"}
    assert wanted <= set(PARSERS)


@pytest.mark.parametrize("prog", PARSERS)
def test_help_ends_with_an_example_of_this_command(prog: str) -> None:
    lines = example(PARSERS[prog])
    assert any(f"{line} ".startswith(f"{prog} ") for line in lines)


@pytest.mark.parametrize("prog", PARSERS)
def test_help_names_every_option_in_words(prog: str) -> None:
    """An option of which nothing is said helps nobody."""
    silent = [a.dest for a in PARSERS[prog]._actions if not a.help and not isinstance(a, argparse._SubParsersAction)]
    assert silent == []


@pytest.mark.parametrize("prog", PARSERS)
def test_the_example_runs(prog: str, place: Path, capsys: pytest.CaptureFixture) -> None:
    before = set((place / "data").rglob("*"))
    for line in example(PARSERS[prog]):
        words = shlex.split(line)
        if words[1] in STAYING:
            continue
        status = ran(words)
        assert status == 0, f"{line}\n{''.join(capsys.readouterr())}"
    assert set((place / "data").rglob("*")) == before, "an example leaves the shipped data alone"


@pytest.mark.parametrize("prog", [prog for prog in PARSERS if prog.split()[1:2] and prog.split()[1] in STAYING])
def test_an_example_that_stays_is_started(prog: str, repo: Path, place: Path) -> None:
    pytest.importorskip("jupyterlab")
    [line] = example(PARSERS[prog])
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "PYTEST", "VOILA"))}
    home = {"HOME": str(place), "IPYTHONDIR": str(place / ".ipython"), "PYTHONPATH": str(repo)}
    with (place / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", START, *shlex.split(line)[1:]],
            env=clean | home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout is not None
    said: queue.Queue[str] = queue.Queue()
    reader = process.stdout
    threading.Thread(target=lambda: said.put(reader.readline()), daemon=True).start()
    try:
        assert "http://" in said.get(timeout=PATIENCE), (place / "log").read_text()
    finally:
        process.terminate()
        process.wait(PATIENCE)
        reader.close()


@pytest.mark.parametrize("end", ["", "\n\nmore", "\n\nexample:\n"])
def test_a_help_without_an_example_at_its_end_would_be_seen(end: str) -> None:
    made = argparse.ArgumentParser(epilog=f"example:{end}", formatter_class=argparse.RawDescriptionHelpFormatter)
    with pytest.raises(AssertionError):
        example(made)
