"""Records the notebooks: runs each from top to bottom with this Python and stores its outputs in one shape.

    .venv/bin/python notebooks/record.py                    all notebooks
    .venv/bin/python notebooks/record.py 02_validity.ipynb  only this one

The stored outputs are what the tests compare, so recording twice must give the same bytes. What differs from run to run
is dropped (times, widget states) or numbered (cells, widget models); output that still differs is the notebook's to
mend. A notebook in which a cell fails is not written.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

HERE = Path(__file__).resolve().parent
TIMEOUT = 600  # seconds for one cell; a cell that needs more belongs into a script

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def notebooks(folder: Path = HERE) -> list[Path]:
    """Which notebooks there are, in reading order."""
    return sorted(folder.glob("*.ipynb"))


def executed(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """The notebook after a run from top to bottom in `folder`, with the Python that runs this script.

    Raises CellExecutionError where a cell fails.
    """
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
    )
    return client.execute()


def shaped(notebook: NotebookNode) -> str:
    """The text of a notebook's file, without anything that differs from run to run. Shaping twice changes nothing."""
    written = (cell for cell in notebook.cells if cell.source.strip())
    cells = [_cell(cell, number) for number, cell in enumerate(written, 1)]
    code = (cell for cell in cells if cell["cell_type"] == "code")
    for count, cell in enumerate(code, 1):
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
    whole = nbformat.from_dict({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})
    nbformat.validate(whole)
    return _numbered_models(nbformat.writes(whole)) + "\n"


def record(path: Path) -> bool:
    """Whether the notebook's file changed by being run and written again."""
    fresh = shaped(executed(nbformat.read(path, as_version=4), path.parent))
    if fresh == path.read_text(encoding="utf-8"):
        return False
    path.write_text(fresh, encoding="utf-8")
    return True


def _cell(cell: NotebookNode, number: int) -> dict[str, object]:
    """A cell with what a reader sees and nothing else."""
    kept = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
    plain = {"cell_type": cell.cell_type, "id": f"cell-{number:02}", "metadata": kept, "source": cell.source.strip()}
    if cell.cell_type != "code":
        return plain
    return plain | {"execution_count": None, "outputs": _joined(cell.outputs)}


def _joined(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """The outputs, with neighbouring pieces of one stream as one: how a kernel cuts a stream depends on the clock."""
    joined: list[NotebookNode] = []
    for output in outputs:
        before = joined[-1] if joined else None
        if output.output_type == "stream" and before and before.get("name") == output.name:
            before["text"] += output.text
        else:
            joined.append(nbformat.from_dict(dict(output) | ({"metadata": {}} if "metadata" in output else {})))
    return joined


def _numbered_models(text: str) -> str:
    """The file's text with its widget models, which have random names, numbered in the order in which they appear."""
    names = dict.fromkeys(re.findall(r'"model_id": "(\w+)"', text))
    numbers = {name: f"{number:032}" for number, name in enumerate(names, 1)}
    return re.sub(r'"model_id": "(\w+)"', lambda found: f'"model_id": "{numbers[found[1]]}"', text)


def main(arguments: list[str]) -> int:
    """Records the named notebooks, or all; exit status 1 where a cell fails."""
    failed = False
    for path in [HERE / name for name in arguments] or notebooks():
        try:
            print(f"{path.name}: {'recorded' if record(path) else 'unchanged'}", flush=True)
        except CellExecutionError as error:
            failed = True
            print(f"{path.name}: not recorded\n{error}", file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
