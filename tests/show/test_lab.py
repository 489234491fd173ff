"""`workbench lab` is really started, on a free port, and asked over HTTP."""

import json
import os
import queue
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from workbench.show import lab

START = "import sys; from workbench.show.lab import lab; sys.exit(lab(sys.argv[1:]))"
PATIENCE = 90  # seconds that a busy machine may take for what normally takes five


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


HTTP = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def status(url: str) -> int:
    try:
        with HTTP.open(url, timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


def first_line(stream: IO[str]) -> str:
    """The first line of a stream, waited for, but not for ever."""
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: lines.put(stream.readline()), daemon=True).start()
    return lines.get(timeout=PATIENCE).strip()


@contextmanager
def running(home: Path, *options: str) -> Iterator[str]:
    """The lab with a user's home of its own; gives the address that it printed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "PYTEST"))}
    environment = clean | {"HOME": str(home), "IPYTHONDIR": str(home / ".ipython")}
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", START, "--no-browser", *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdout is not None
        try:
            address = first_line(process.stdout)
            assert address, (home / "log").read_text()
            yield address
        finally:
            process.terminate()
            process.wait(PATIENCE)
            process.stdout.close()


def test_it_opens_behind_its_token_on_loopback_with_the_news_off(tmp_path: Path) -> None:
    jupyter = tmp_path / ".jupyter"
    jupyter.mkdir()
    # A user's own configuration that would open the lab to all is there, outranked, and stays as it is.
    careless = "c.ServerApp.ip = '0.0.0.0'\nc.IdentityProvider.token = ''\n"
    (jupyter / "jupyter_server_config.py").write_text(careless)

    # Port 0 is Jupyter's own way to ask the system for a free one.
    with running(tmp_path, "--port=0") as address:
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)lab/tree/00_tour\.ipynb\?token=(\w{48})", address)
        assert found, address
        base, token = found.groups()

        assert status(f"{base}api/contents") == 403
        assert status(f"{base}lab") == 302
        assert status(f"{base}api/contents?token=wrong") == 403
        assert status(f"{base}lab?token={token}") == 200

        with HTTP.open(f"{base}api/contents?token={token}", timeout=PATIENCE) as answer:
            listed = {entry["name"] for entry in json.load(answer)["content"]}
        assert lab.TOUR in listed

        settings = f"{base}lab/api/settings/@jupyterlab/apputils-extension:notification?token={token}"
        with HTTP.open(settings, timeout=PATIENCE) as answer:
            quiet = json.load(answer)["schema"]["properties"]
        assert quiet["fetchNews"]["default"] == "false"
        assert quiet["checkForUpdates"]["default"] is False

    assert (jupyter / "jupyter_server_config.py").read_text() == careless
    assert not list(jupyter.rglob("*overrides*"))


def test_options_go_to_jupyter_and_outrank_the_workbench_s_own(tmp_path: Path) -> None:
    (tmp_path / "here.txt").touch()
    options = ("--port=0", "--IdentityProvider.token=chosen", f"--ServerApp.root_dir={tmp_path}")
    with running(tmp_path, *options, "--ServerApp.base_url=/desk/") as address:
        base = address.partition("lab/tree")[0]
        assert base.endswith("/desk/")
        with HTTP.open(f"{base}api/contents?token=chosen", timeout=PATIENCE) as answer:
            assert "here.txt" in {entry["name"] for entry in json.load(answer)["content"]}


@pytest.mark.parametrize("option", ["--IdentityProvider.token=", "--ServerApp.token="])
def test_it_refuses_to_open_without_a_token(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lab.lab([option]) == 2
    assert "without a token" in capsys.readouterr().err


def test_it_says_where_notebooks_are_when_they_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lab, "__file__", str(tmp_path / "site-packages" / "workbench" / "show" / "lab.py"))
    assert lab.lab([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "no notebooks here" in said


def test_root_is_allowed_only_where_it_is_root() -> None:
    plain = lab.jupyter_options([], Path("nb"), "t", root=False)
    assert "--allow-root" not in plain
    assert "--allow-root" in lab.jupyter_options([], Path("nb"), "t", root=True)


def test_jupyterlab_finds_the_extension_that_names_the_handles_of_sliders() -> None:
    from jupyterlab_server.config import get_federated_extensions

    assert f"--LabApp.extra_labextensions_path={lab.EXTENSIONS}" in lab.jupyter_options([], Path("nb"), "t", root=False)
    found = get_federated_extensions([str(lab.EXTENSIONS)])["workbench-names"]
    script = Path(found["ext_path"]) / found["jupyterlab"]["_build"]["load"]
    text = script.read_text(encoding="utf-8")
    assert f'_JUPYTERLAB["{found["name"]}"]' in text
    assert "http" not in text
