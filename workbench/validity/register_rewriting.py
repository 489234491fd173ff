"""Replacing one table of a register's folder: alone, in one step, and on the disk at once (contract 3.2)."""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from workbench.errors import ChangedMeanwhile, InputError
from workbench.records import Row


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Holds the folder for one writer; the lock ends with its holder, however that ends."""
    if not folder.is_dir():
        raise InputError("there is no such folder", file=str(folder), remedy="give the register's folder")
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ChangedMeanwhile("another correction is being written; read the register again afterwards") from None
        yield
    finally:
        os.close(handle)


def content_of(path: Path, rows: Sequence[Row]) -> bytes:
    """The table's file with these rows, in the form that it has."""
    columns = list(rows[0].cells)
    if path.suffix == ".parquet":
        buffer = io.BytesIO()
        frame = pl.DataFrame([dict(row.cells) for row in rows], schema=dict.fromkeys(columns, pl.String))
        frame.write_parquet(buffer)
        return buffer.getvalue()
    if path.suffix == ".jsonl":
        return "".join(json.dumps(dict(row.cells), ensure_ascii=False) + "\n" for row in rows).encode("utf-8")
    with path.open("rb") as file:
        ending = "\r\n" if file.readline().endswith(b"\r\n") else "\n"
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator=ending)
    writer.writeheader()
    writer.writerows(dict(row.cells) for row in rows)
    return text.getvalue().encode("utf-8")


def put(path: Path, content: bytes) -> None:
    """Puts the file in place in one step, and on the disk before anything else happens."""
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
