"""The lab: JupyterLab on the notebooks of this checkout, on loopback, behind a token, the user's settings untouched."""

import json
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

TOUR: Final = "00_tour.ipynb"

EXTENSIONS: Final = Path(__file__).resolve().parent / "labextensions"
"""What JupyterLab loads beside its own: names for the handles of sliders, which a screen reader needs."""

# Asking a news feed and for updates would open a connection that nobody asked for, and a popup over the tour.
QUIET: Final = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    }
}

USAGE: Final = """\
usage: workbench lab [JUPYTER OPTIONS]

Opens JupyterLab on the notebooks, on 127.0.0.1 and behind a fresh token (or JUPYTER_TOKEN), and prints its address.
Common options: --no-browser, --port=8899. All others go to JupyterLab as they are;
`jupyter lab --help-all` lists them."""


def notebooks_folder() -> Path:
    """Where the notebooks lie: beside the package, as in a checkout.

    Raises FileNotFoundError, with the remedy, where the package was installed without its checkout.

    >>> notebooks_folder().name
    'notebooks'
    """
    folder = Path(__file__).resolve().parents[2] / "notebooks"
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder}: no notebooks here; they are part of the checkout: install it from there with pip install -e ."
        )
    return folder


def jupyter_options(argv: Sequence[str], folder: Path, token: str, *, root: bool) -> list[str]:
    """Which options JupyterLab gets: the workbench's own, each only where `argv` does not say otherwise, then `argv`.

    They are passed on the command line because only there they outrank the user's Jupyter configuration, which may
    listen on every address or ask for no token.

    >>> jupyter_options(["--port=9"], Path("nb"), "t", root=False)[-1]
    '--port=9'
    >>> "--ServerApp.ip=127.0.0.1" in jupyter_options(["--ip=::1"], Path("nb"), "t", root=False)
    False
    """
    said = {argument.partition("=")[0] for argument in argv}
    own = [
        ("--ServerApp.ip=127.0.0.1", {"--ip", "--ServerApp.ip"}),
        (f"--IdentityProvider.token={token}", {"--IdentityProvider.token", "--ServerApp.token"}),
        (f"--ServerApp.root_dir={folder}", {"--ServerApp.root_dir", "--notebook-dir"}),
        (f"--LabApp.extra_labextensions_path={EXTENSIONS}", {"--LabApp.extra_labextensions_path"}),
        (f"--LabApp.default_url=/lab/tree/{TOUR}", {"--LabApp.default_url", "--ServerApp.default_url"}),
        *([("--allow-root", {"--allow-root", "--ServerApp.allow_root"})] if root else []),
    ]
    return [option for option, names in own if not names & said] + list(argv)


def lab(argv: list[str]) -> int:
    """Opens JupyterLab on the tour and stays until it is stopped; gives the exit status.

    `argv` holds JupyterLab's own options. The address with its token is the one line on stdout; JupyterLab's log goes
    to stderr. Exit 2, with one line on stderr, where JupyterLab or the notebooks are missing, or where an option would
    open the lab without a token. Contract section 6.

    >>> lab(["--help"])  # doctest: +ELLIPSIS
    usage: workbench lab [JUPYTER OPTIONS]
    ...
    0
    """
    if {"-h", "--help"} & set(argv):
        print(USAGE)
        return 0
    try:
        from jupyterlab.labapp import LabApp
    except ImportError as missing:
        return _unusable(f"jupyterlab is not installed ({missing}); install the lab extra: workbench[lab]")
    try:
        folder = notebooks_folder()
    except FileNotFoundError as missing:
        return _unusable(str(missing))
    if any(argument in ("--IdentityProvider.token=", "--ServerApp.token=") for argument in argv):
        return _unusable("the lab does not open without a token; leave the option out for a fresh one")

    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    with TemporaryDirectory(prefix="workbench-lab-") as config:
        _layer_settings(Path(config))
        root = getattr(os, "geteuid", lambda: 1)() == 0
        try:
            server = LabApp.initialize_server(argv=jupyter_options(argv, folder, token, root=root))
            # JupyterLab binds its port in the loop's first callback: only after that is the address true.
            server.io_loop.add_callback(_print_address, server.connection_url, server.identity_provider.token)
            server.start()
        except SystemExit as stopped:  # JupyterLab's way to say that its options or its port cannot be had
            return int(stopped.code or 0)
    return 0


def _print_address(base: str, token: str) -> None:
    print(f"{base.rstrip('/')}/lab/tree/{TOUR}?token={token}", flush=True)


def _layer_settings(config: Path) -> None:
    """Adds the quiet settings as defaults below the user's own, from a folder that goes when the lab does."""
    (config / "labconfig").mkdir()
    (config / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(QUIET), encoding="utf-8")
    before = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([before, str(config)] if before else [str(config)])


def _unusable(why: str) -> int:
    print(f"workbench lab: {why}", file=sys.stderr)
    return 2
