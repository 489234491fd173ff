"""The notebooks keep their rules, and the suite that runs them fails when a stored output is no longer true.

nbval compares stored outputs with a fresh run, but not every one: it passes cells without an execution count, never
compares a PNG, and does not route what an Output widget prints. Each gap is closed here by a rule, and each rule is
shown to find what it is for.
"""

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import nbformat
import polars as pl
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

REPO = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((REPO / "notebooks").glob("*.ipynb"))
MOST_CELLS = 25
MOST_LINES = 15
PLACE = re.compile(r"(?<![\w.])/(?:home|root|tmp|usr|opt|work|Users)/|[A-Z]:\\|\bat 0x[0-9a-fA-F]{4,}")
UNCOMPARED_WIDGETS = {"interact", "interact_manual", "interactive", "interactive_output", "Output"}

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)


@pytest.fixture(scope="session")
def recorder() -> ModuleType:
    """The module notebooks/record.py, which is a script and no part of a package."""
    spec = importlib.util.spec_from_file_location("record", REPO / "notebooks" / "record.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def public_only(tree: ast.AST) -> Iterator[str]:
    """Private names that a cell takes from the workbench: by import, or by attribute of anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "workbench" and any(part.startswith("_") for part in name.split(".")):
                yield f"imports the private name {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            yield f"uses the private name .{node.attr}"


def used_names(tree: ast.AST) -> set[str]:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def shown_text(output: NotebookNode) -> str:
    """What of an output a reader could read: its stream, or its text forms, without pictures."""
    if output.output_type == "stream":
        return str(output.text)
    return "\n".join(str(value) for form, value in output.get("data", {}).items() if form.startswith("text/"))


def faults(notebook: NotebookNode) -> list[str]:
    """Which rules a notebook breaks, one line each; none for a good one."""
    cells = code_cells(notebook)
    found = []
    counts = [cell.execution_count for cell in cells]
    if counts != list(range(1, len(cells) + 1)):
        found.append(f"execution counts are {counts}: record it again")
    if len(notebook.cells) > MOST_CELLS:
        found.append(f"{len(notebook.cells)} cells, at most {MOST_CELLS}")
    for number, cell in enumerate(cells, 1):
        found += [f"code cell {number}: {fault}" for fault in cell_faults(cell)]
    return found


def cell_faults(cell: NotebookNode) -> Iterator[str]:
    """Which rules a code cell breaks."""
    lines = len(cell.source.splitlines())
    if lines > MOST_LINES:
        yield f"{lines} lines, at most {MOST_LINES}"
    try:
        tree = ast.parse(cell.source)
    except SyntaxError:
        yield "is not plain Python (a magic command?)"
        return
    yield from public_only(tree)
    for name in sorted(used_names(tree) & UNCOMPARED_WIDGETS):
        yield f"{name} prints where nbval cannot compare; let the slider write into an HTML or Image widget"
    for output in cell.outputs:
        if output.output_type == "error":
            yield f"ends in {output.ename}"
        if output.get("name") == "stderr":
            yield "writes to stderr"
        if place := PLACE.search(shown_text(output)):
            yield f"shows a place of one machine: {place[0]!r}"
    if any("image/png" in output.get("data", {}) for output in cell.outputs) and not reads_back(cell):
        yield "draws a figure without ending in the frame read back from it, and nbval compares no pictures"


def reads_back(cell: NotebookNode) -> bool:
    """Whether the cell's last output is a table, which is what nbval compares in place of the picture."""
    last = cell.outputs[-1]
    return last.output_type == "execute_result" and "shape: (" in last.data.get("text/plain", "")


@each_notebook
def test_a_notebook_keeps_the_rules(path: Path) -> None:
    assert faults(nbformat.read(path, as_version=4)) == []


@each_notebook
def test_a_notebook_is_stored_as_the_recorder_writes_it(path: Path, recorder: ModuleType) -> None:
    again = "run notebooks/record.py"
    assert recorder.shaped(nbformat.read(path, as_version=4)) == path.read_text(encoding="utf-8"), again


def figure(ending: str) -> str:
    return f"import matplotlib.pyplot as plt\nbars = plt.barh(frame['name'], frame['value'])\nplt.show()\n{ending}"


READ_BACK = "pl.DataFrame({'drawn': [bar.get_width() for bar in bars]})"


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory, recorder: ModuleType) -> Path:
    """A small notebook, really recorded: a printed number, a table, a figure and a slider."""
    cells = [
        new_markdown_cell("# An invented notebook"),
        new_code_cell("import polars as pl\nfrom ipywidgets import HTML, IntSlider, VBox\nprint('found', 6 * 7)"),
        new_code_cell("frame = pl.DataFrame({'name': ['A', 'B'], 'value': [5, 10]})\nframe"),
        new_code_cell(figure(READ_BACK)),
        new_code_cell(
            "at, shown = IntSlider(5), HTML()\n"
            "at.observe(lambda change: setattr(shown, 'value', str(change['new'])), 'value')\n"
            "VBox([at, shown])"
        ),
        new_code_cell("at.value = 7\nshown.value"),
    ]
    path = tmp_path_factory.mktemp("small") / "small.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    assert recorder.record(path)
    return path


def test_recording_twice_gives_the_same_bytes(small: Path, recorder: ModuleType) -> None:
    before = small.read_bytes()
    assert not recorder.record(small)
    assert small.read_bytes() == before
    assert b"widget-view+json" in before  # the random names of widgets were there to be numbered


def test_a_recorded_notebook_keeps_the_rules(small: Path) -> None:
    assert faults(nbformat.read(small, as_version=4)) == []


def not_recorded(notebook: NotebookNode) -> None:
    code_cells(notebook)[1].execution_count = None


def stripped(notebook: NotebookNode) -> None:
    for cell in code_cells(notebook):
        cell.execution_count, cell.outputs = None, []


def source(text: str) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        code_cells(notebook)[0].source = text

    return change


def output(**fields: object) -> Callable[[NotebookNode], None]:
    def change(notebook: NotebookNode) -> None:
        code_cells(notebook)[0].outputs.append(nbformat.from_dict(fields))

    return change


def no_frame_after_the_figure(notebook: NotebookNode) -> None:
    code_cells(notebook)[2].outputs.pop()


def too_many_cells(notebook: NotebookNode) -> None:
    notebook.cells += [new_markdown_cell("more")] * MOST_CELLS


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (not_recorded, "execution counts"),
        (stripped, "execution counts"),
        (too_many_cells, "at most 25"),
        (source("x = 1\n" * 16), "16 lines"),
        (source("from workbench.evidence import _hidden"), "workbench.evidence._hidden"),
        (source("from workbench._hidden import x"), "workbench._hidden"),
        (source("view._index"), "._index"),
        (source("interact(f, x=3)"), "interact prints"),
        (source("widgets.Output()"), "Output prints"),
        (output(output_type="stream", name="stderr", text="careful"), "stderr"),
        (output(output_type="error", ename="KeyError", evalue="", traceback=[]), "ends in KeyError"),
        (output(output_type="stream", name="stdout", text="read /home/me/x.csv"), "'/home/"),
        (output(output_type="stream", name="stdout", text="<View at 0x7f00aa>"), "at 0x7f00aa"),
        (no_frame_after_the_figure, "nbval compares no pictures"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_each_rule_finds_its_fault(broken: Callable[[NotebookNode], None], said: str, small: Path) -> None:
    notebook = nbformat.read(small, as_version=4)
    broken(notebook)
    assert any(said in fault for fault in faults(notebook))


def test_a_failing_notebook_is_not_written(tmp_path: Path, recorder: ModuleType) -> None:
    path = tmp_path / "failing.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    before = path.read_bytes()
    assert recorder.main([str(path)]) == 1
    assert path.read_bytes() == before


# --- the suite itself goes red --------------------------------------------------------------------------------------


def a_printed_number(notebook: NotebookNode) -> int | None:
    """Changes a number in a printed line; gives the code cell, counted from 0, or None where there is none."""
    return changed(notebook, lambda output: output.output_type == "stream", "text")


def a_table_row(notebook: NotebookNode) -> int | None:
    """Changes a number in a table's row."""
    return changed(notebook, is_table, "data", figures=False)


def a_plotted_value(notebook: NotebookNode) -> int | None:
    """Changes a number in a frame that was read back from a figure."""
    return changed(notebook, is_table, "data", figures=True)


def is_table(output: NotebookNode) -> bool:
    return "shape: (" in output.get("data", {}).get("text/plain", "")


def changed(
    notebook: NotebookNode, wanted: Callable[[NotebookNode], bool], where: str, *, figures: bool = False
) -> int | None:
    """Counts one number up in the first stored output that is wanted, as if the code had once given another."""
    for number, cell in enumerate(code_cells(notebook)):
        drawn = any("image/png" in output.get("data", {}) for output in cell.outputs)
        if drawn != figures:
            continue
        for output in filter(wanted, cell.outputs):
            holder, key = (output, "text") if where == "text" else (output.data, "text/plain")
            head, body = split_head(holder[key])
            other = re.sub(r"\d(?=\D*\Z)", lambda digit: str((int(digit[0]) + 1) % 10), body)
            if other != body:
                holder[key] = head + other
                return number
    return None


def split_head(text: str) -> tuple[str, str]:
    """A table's head and body, so that a change hits a row and not a column's type; all else is body."""
    head, line, body = text.partition("╡\n")
    return (head + line, body) if line else ("", text)


def suite(folder: Path) -> str:
    """What the project's own test configuration says of the notebooks in a folder."""
    command = [sys.executable, "-m", "pytest", "-c", str(REPO / "pyproject.toml"), f"--rootdir={folder}"]
    command += ["-p", "no:cacheprovider", "--tb=no", "-rfE", str(folder)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


TAMPERINGS = [a_printed_number, a_table_row, a_plotted_value]


def tampered_copies(original: Path, folder: Path) -> set[tuple[str, int]]:
    """Copies of a notebook in `folder`, one as it is and one for each tampering; gives the cells that must now fail."""
    shutil.copy(original, folder / "untouched.ipynb")
    expected = set()
    for tamper in TAMPERINGS:
        notebook = nbformat.read(original, as_version=4)
        cell = tamper(notebook)
        if cell is not None:
            nbformat.write(notebook, folder / f"{tamper.__name__}.ipynb")
            expected.add((f"{tamper.__name__}.ipynb", cell))
    return expected


def failed_cells(said: str) -> set[tuple[str, int]]:
    found = re.findall(r"^FAILED (?:\S*/)?(\w+\.ipynb)::Cell (\d+)", said, re.MULTILINE)
    return {(name, int(cell)) for name, cell in found}


def test_the_suite_fails_when_a_number_a_row_or_a_plotted_value_changes(small: Path, tmp_path: Path) -> None:
    expected = tampered_copies(small, tmp_path)
    assert len(expected) == len(TAMPERINGS)
    said = suite(tmp_path)
    assert failed_cells(said) == expected, said


def test_the_suite_fails_when_the_drawing_changes_and_its_frame_does_not(small: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(small, as_version=4)
    drawing = code_cells(notebook)[2]
    drawing.source = drawing.source.replace("frame['value'])", "frame['value'] * 2)")
    nbformat.write(notebook, tmp_path / "redrawn.ipynb")
    said = suite(tmp_path)
    assert failed_cells(said) == {("redrawn.ipynb", 2)}, said


def test_the_suite_fails_for_a_real_notebook_too(tmp_path: Path) -> None:
    """The first real notebook that prints, tabulates and draws, in a copy of its folder beside the data."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (tmp_path / "data").symlink_to(REPO / "data")
    for path in NOTEBOOKS:
        expected = tampered_copies(path, folder)
        if len(expected) == len(TAMPERINGS):
            break
    else:
        pytest.fail("no notebook prints a number, shows a table and reads a figure back")
    said = suite(folder)
    assert failed_cells(said) == expected, said


def test_polars_tables_have_the_head_that_the_tamperings_look_for() -> None:
    assert split_head(str(pl.DataFrame({"a": [1]})))[1].startswith("│ 1")
