"""What the README says is run: its Python, its commands, its links."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
README = (REPO / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(*languages: str) -> list[str]:
    return [text for language, text in BLOCK.findall(README) if language in languages]


def commands() -> list[str]:
    """The lines of shell blocks that start with `workbench`, except those that stay until they are stopped."""
    lines = (line.removeprefix("$ ") for text in blocks("sh", "console") for line in text.splitlines())
    return [line for line in lines if line.startswith("workbench ") and not line.startswith("workbench lab")]


def anchors() -> set[str]:
    """The README's headings, as a link to them is written."""
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", README), re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_python_examples_give_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPO)
    examples = blocks("python")
    assert all(">>>" in text for text in examples), "an example without a prompt would not be run"
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "README.md", "README.md", 0)
    assert test.examples
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert failed == 0, "".join(said)


@pytest.mark.parametrize("line", commands())
def test_commands_run(line: str) -> None:
    """As typed in the activated environment; what comes after a # says what the exit status is, if it is not 0."""
    command, _, comment = line.partition("#")
    expected = re.search(r"exit (\d)", comment)
    environment = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    done = subprocess.run(
        shlex.split(command),
        cwd=REPO,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (int(expected[1]) if expected else 0), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def links() -> list[str]:
    """Where the README points to inside the project; nothing outside is fetched in a test."""
    return sorted({target for target in re.findall(r"\]\(([^)\s]+)\)", README) if "://" not in target})


@pytest.mark.parametrize("target", links())
def test_links_lead_somewhere(target: str) -> None:
    if target.startswith("#"):
        assert target in anchors()
    else:
        assert (REPO / target.partition("#")[0]).exists()
