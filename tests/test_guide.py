"""The guide: the first hour is run as it is written, and the catalogue of errors names what the code names."""

import ast
import builtins
import inspect
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from workbench.contract import Status
from workbench.convert.refusals import REMEDIES
from workbench.evidence.checks import RULES
from workbench.pipeline.drafts import Statement
from workbench.pipeline.session import DISAGREE
from workbench.show import tables_why_not
from workbench.show.report.page import State
from workbench.validity import resolver
from workbench.validity.findings import Code
from workbench.validity.precedence import Kind
from workbench.validity.resolver import Reason

REPO = Path(__file__).resolve().parents[1]
GUIDE = REPO / "notebooks" / "guide"
PAGES = sorted(GUIDE.glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = ("first_hour.md",)


@dataclass(frozen=True)
class Step:
    """A block of shell, and what it says on stdout where the page prints it."""

    shell: str
    said: str | None


def steps(page: str) -> list[Step]:
    """The shell blocks of a page in order, each with the text block that follows it directly."""
    found: list[Step] = []
    end = -1
    for fence in FENCE.finditer(page):
        if fence[1] == "sh":
            found.append(Step(fence[2], None))
        elif fence[1] == "text" and found and not page[end : fence.start()].strip():
            found[-1] = Step(found[-1].shell, fence[2])
        end = fence.end()
    return found


def same(said: str, printed: str) -> bool:
    """Whether the printed lines are what was said; ``…`` stands for anything in one line."""
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", printed.rstrip("\n")))
    return re.fullmatch(pattern, said.rstrip("\n")) is not None


@pytest.mark.parametrize("name", RUN)
def test_each_command_runs_and_says_what_is_printed(name: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "LC_ALL": "C.UTF-8",
    }
    found = steps((GUIDE / name).read_text(encoding="utf-8"))
    assert len(found) >= 8
    for number, step in enumerate(found, 1):
        done = subprocess.run(
            ["bash", "-euc", step.shell],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"block {number}: {done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        if step.said is not None:
            assert same(done.stdout, step.said), f"block {number} said:\n{done.stdout}"


@pytest.mark.parametrize("name", RUN)
def test_nothing_looks_like_a_command_and_is_not_run(name: str) -> None:
    page = (GUIDE / name).read_text(encoding="utf-8")
    assert {fence[1] for fence in FENCE.finditer(page)} == {"sh", "text"}


@pytest.mark.parametrize(("said", "printed", "wanted"), [("a 1 b\n", "a … b\n", True), ("a\nb", "a …", False)])
def test_an_ellipsis_stands_for_a_part_of_a_line(said: str, printed: str, wanted: bool) -> None:
    assert same(said, printed) is wanted


def anchors(page: str) -> set[str]:
    """A page's headings, as a link to them is written."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        place, _, anchor = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file.read_text(encoding="utf-8")), target


# --- the catalogue of errors and the code name the same ---------------------------------------------------------------

ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def catalogue() -> dict[str, dict[str, tuple[str, str]]]:
    """The catalogue by section: each name with what it means and the way out."""
    page = (GUIDE / "errors.md").read_text(encoding="utf-8")
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title, _, text = part.partition("\n")
        rows = ROW.findall(text)
        lines = [line for line in text.splitlines() if line.startswith("|")]
        assert len(rows) == len(lines) - 2, f"{title}: a row is none, or a name stands there twice"
        found[title] = {name: (meaning, way) for name, meaning, way in rows}
        assert len(found[title]) == len(rows), f"{title}: a name is there twice"
    return found


@cache
def sources(*parts: str) -> list[ast.AST]:
    """The syntax of the package, or of a part of it; not of the implementations that are wrong on purpose."""
    files = sorted((REPO / "workbench").joinpath(*parts).rglob("*.py"))
    return [ast.parse(file.read_text(encoding="utf-8")) for file in files if "mutants" not in file.parts]


def exceptions() -> set[str]:
    """The exceptions that the package defines, by their bases."""
    classes = {
        node.name: {base.id if isinstance(base, ast.Name) else getattr(base, "attr", "") for base in node.bases}
        for tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    known = {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    found: set[str] = set()
    while more := {name for name, bases in classes.items() if bases & (known | found)} - found:
        found |= more
    return found


def refusing_verdicts() -> set[str]:
    """The reasons with which a ``Verdict`` is made."""
    return {
        node.args[1].value
        for tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Verdict" and len(node.args) > 1
        and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str)
    }  # fmt: skip


def named(keyword: str, *parts: str) -> set[str]:
    """The constant texts that are given for a keyword."""
    return {
        node.value.value
        for tree in sources(*parts)
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == keyword and isinstance(node.value, ast.Constant)
    }


def texts_in(function: object, pattern: str) -> set[str]:
    """The constant texts in a function that fit a pattern, as far as it goes."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))  # type: ignore[arg-type]
    said = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {found[0].strip() for text in said if (found := re.match(pattern, text))}


def exit_statuses() -> set[str]:
    """Every status with which the command line ends: those of ``fail``, and those of a ``Result``."""
    found = set()
    for tree in sources("cli"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("fail", "Result"):
                place = 1 if getattr(node.func, "id", "") == "fail" else 2
                for part in node.args[place : place + 1]:
                    found |= {
                        str(n.value) for n in ast.walk(part) if isinstance(n, ast.Constant) and type(n.value) is int
                    }
    return found | {"0"}


@cache
def code_names() -> dict[str, set[str]]:
    """What the code names, by the section of the catalogue that has to list it."""
    return {
        "Decisions": set(Status),
        "Reasons": {*Reason, DISAGREE},
        "Rows of an explanation": {
            *texts_in(resolver._why_not, r"[A-Z]{3}[A-Z_]* ?"),
            *texts_in(tables_why_not._told, r"[A-Z]{2}[A-Z_]+$"),
        },
        "Outcomes of the projection": set(Kind),
        "Verdicts": refusing_verdicts(),
        "Findings of a draft": texts_in(Statement.findings.fget, r"(not cited|quotation|figure)[^:]*"),
        "Findings of the register check": set(Code),
        "Findings of the corpus check": {rule.code for rule in RULES},
        "Refusals of the import": set(REMEDIES),
        "Exceptions": exceptions(),
        "Exit statuses": exit_statuses(),
        "Kinds of error in JSON": named("kind", "cli"),
        "States in a report": set(State),
    }


SECTIONS = sorted(code_names())


@pytest.mark.parametrize("section", SECTIONS)
def test_the_catalogue_and_the_code_name_the_same(section: str) -> None:
    listed, there = set(catalogue()[section]), {str(name) for name in code_names()[section]}
    assert there - listed == set(), "the code has these, and the catalogue does not explain them"
    assert listed - there == set(), "the catalogue explains these, and the code has none of them"


def test_every_section_is_compared() -> None:
    assert sorted(catalogue()) == SECTIONS
    assert all(len(names) > 2 for names in code_names().values())


@pytest.mark.parametrize("section", SECTIONS)
def test_every_name_has_a_meaning_and_a_way_out(section: str) -> None:
    for name, (meaning, way_out) in catalogue()[section].items():
        assert len(meaning.strip()) > 7, name
        assert len(way_out.strip()) > 6, name


def test_no_line_of_errors_module_is_left_out() -> None:
    tree = ast.parse((REPO / "workbench" / "errors.py").read_text(encoding="utf-8"))
    here = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert here <= set(catalogue()["Exceptions"])
