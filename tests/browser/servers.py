"""The workbench's servers, started as a user starts them in a copy of the checkout, stopped by their process id."""

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

REPO = Path(__file__).resolve().parents[2]
START = "import sys; from workbench.cli import main; sys.exit(main(sys.argv[1:]))"
# Lets a test ask the page's own model which cells have run, seen or scrolled away.
EXPOSED = "--LabApp.expose_app_in_browser=True"
PATIENCE = 120  # seconds that a busy machine may take for what normally takes five


def checkout_copy(folder: Path) -> Path:
    """Package, notebooks and data as they are now, in `folder`; relative paths between them hold."""
    for part in ("workbench", "notebooks", "data"):
        shutil.copytree(REPO / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    return folder


@contextmanager
def started(checkout: Path, *command: str, package: Path | None = None) -> Iterator[str]:
    """`workbench COMMAND` with a home of its own, run in its own process group; gives its first line on stdout.

    It runs in `checkout`, with the package that lies there or in `package`.
    """
    home = checkout / "home"
    home.mkdir(exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "PYTEST", "VOILA"))}
    places = {
        "HOME": home,
        "IPYTHONDIR": home / ".ipython",
        "PYTHONPATH": package or checkout,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    log = checkout / f"{command[0]}.log"
    with log.open("w") as kept:
        process = subprocess.Popen(
            [sys.executable, "-c", START, *command],
            cwd=checkout,
            env=clean | {name: str(value) for name, value in places.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=kept,
            text=True,
            start_new_session=True,
        )
    assert process.stdout is not None
    try:
        address = first_line(process.stdout)
        assert address, log.read_text()
        yield address
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()


def first_line(stream: IO[str]) -> str:
    """The first line of a stream, waited for, but not for ever."""
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: lines.put(stream.readline()), daemon=True).start()
    return lines.get(timeout=PATIENCE).strip()
