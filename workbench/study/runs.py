"""A sweep on disk: what was run is named by digests, what is done stays done, and a changed input starts afresh.

A run is a folder: ``run.json`` says what it is of (corpus, questions, register, actor, measures, depths, code and
package versions), ``settings/`` holds one Parquet file for each finished setting, ``rows.parquet`` all of them at the
end. A setting's file is named by a digest over all that its rows depend on, so that no old result is ever reused for a
new question.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

import workbench.contract
from workbench.contract import Actor, digest
from workbench.errors import InputError
from workbench.evidence.corpus import Corpus
from workbench.study.measures import Measure
from workbench.study.questions import Question
from workbench.study.sweep import Apply, Setting
from workbench.validity.register import Register

RECORD: Final = "run.json"
ROWS: Final = "rows.parquet"
PACKAGES: Final = ("apsw", "ir-measures", "numpy", "polars", "pytrec-eval-terrier")
CODE: Final = Path(workbench.contract.__file__).parent


@dataclass(frozen=True, slots=True)
class Run:
    """A folder for one sweep, and the digest of all that its rows depend on."""

    folder: Path
    record: dict[str, object]

    @property
    def digest(self) -> str:
        """The name of this run's inputs."""
        return digest(self.record)

    def apply(self, inner: Apply = map) -> Apply:
        """How to work through settings: those that are done are read, each other one is written as soon as it is done.

        Stopping in between keeps what is done; the same run goes on from there. ``inner`` works through what is left,
        for instance on a cluster.
        """

        def each(run: Callable[[Setting], pl.DataFrame], settings: Sequence[Setting]) -> Iterable[pl.DataFrame]:
            left = [setting for setting in settings if not self._path(setting).is_file()]
            fresh = iter(inner(run, left))
            for setting in settings:
                path = self._path(setting)
                if setting in left:
                    rows = next(fresh)
                    _whole(path, rows.write_parquet)
                    yield rows
                else:
                    yield _read(path)

        return each

    def done(self, settings: Sequence[Setting]) -> int:
        """How many of the settings have been finished before."""
        return sum(self._path(setting).is_file() for setting in settings)

    def finish(self, rows: pl.DataFrame) -> Path:
        """Write all rows to ``rows.parquet``; gives its path."""
        path = self.folder / ROWS
        _whole(path, rows.write_parquet)
        return path

    def _path(self, setting: Setting) -> Path:
        return self.folder / "settings" / f"{digest([self.digest, repr(setting)])[:32]}.parquet"


def open_run(
    folder: str | Path,
    corpus: Corpus,
    questions: Sequence[Question],
    *,
    actor: Actor,
    register: Register | None,
    measures: Sequence[Measure],
    bind: bool = True,
    now: str | None = None,
    settings: Sequence[Setting] = (),
) -> Run:
    """The run in a folder, made where it is not there; its record is written before any result.

    A folder may hold unfinished runs of different inputs one after the other: their settings never meet. With
    ``settings`` a finished one is not replaced: InputError where ``rows.parquet`` is of other inputs, or has a setting
    that is not among these.
    """
    folder = Path(folder)
    record: dict[str, object] = {
        "corpus": corpus.digest,
        "questions": digest([repr(question) for question in questions]),
        "register": None if register is None else register.snapshot(),
        "actor": repr(actor),
        "measures": [repr(measure) for measure in measures],
        "bind": bind,
        "now": now,
        "code": code_digest(),
        "packages": {name: _version(name) for name in PACKAGES},
        "python": platform.python_version(),
    }
    run = Run(folder, record)
    named = sorted(repr(setting) for setting in settings)
    if named:
        _not_replaced(folder, run, named)
    (folder / "settings").mkdir(parents=True, exist_ok=True)
    of = {"settings": named} if named else {}
    text = json.dumps({"digest": run.digest, **record, **of}, indent=1, sort_keys=True) + "\n"
    _whole(folder / RECORD, lambda path: path.write_text(text, encoding="utf-8"))
    return run


def _not_replaced(folder: Path, run: Run, named: Sequence[str]) -> None:
    """Refuse a folder whose finished result would be lost."""
    if not (folder / ROWS).is_file():
        return
    try:
        before = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        same = before["digest"] == run.digest and set(before["settings"]) <= set(named)
    except (OSError, ValueError, LookupError, TypeError):
        same = False
    if not same:
        raise InputError(
            "this folder holds the finished result of other inputs or settings, which would be lost",
            file=str(folder / ROWS),
            remedy="give another folder; a finished one takes the same inputs, with its settings and more",
        )


def code_digest() -> str:
    """The digest over the package's own source: other code, other results."""
    found = sorted(path for path in CODE.rglob("*.py"))
    return digest([[path.relative_to(CODE).as_posix(), path.read_text(encoding="utf-8")] for path in found])


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _read(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        remedy = "delete this file; the setting is then run again"
        raise InputError(f"this is no readable Parquet file: {error}", file=str(path), remedy=remedy) from None


def _whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place and move it there, so that it is whole or not there at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        write(Path(name))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
