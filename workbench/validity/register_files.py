"""Writing a register: a folder of CSV, JSONL or Parquet files, or one DuckDB file (contract 5).

Everything is written beside its place and then put there in one step; nothing that is there already is overwritten.
"""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from workbench.errors import InputError
from workbench.validity.contents import Contents
from workbench.validity.register_duckdb import write_database
from workbench.validity.settings import FILE
from workbench.validity.written import WrittenTable, settings_text, written

Form = Literal["csv", "jsonl", "parquet"]


def write(contents: Contents, place: Path, form: Form = "csv") -> None:
    """Writes the register; ``form`` is of no matter where the place is a ``.duckdb`` file."""
    if form not in get_args(Form):
        raise InputError("unknown form", found=form, remedy=f"write {', '.join(get_args(Form))}")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InputError("this is there already", file=str(place), remedy="give a new place")
    place.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        made = work / place.name
        if place.suffix == ".duckdb":
            write_database(contents, made)
        else:
            made.mkdir()
            (made / FILE).write_text(settings_text(contents), encoding="utf-8")
            for name, table in written(contents).items():
                write_table(made / f"{name}.{form}", table)
        made.rename(place)
    finally:
        shutil.rmtree(work)


def write_table(path: Path, table: WrittenTable) -> None:
    """Writes one table, as its file's suffix says: text in every cell, null or nothing where a cell is empty."""
    if path.suffix == ".parquet":
        pl.DataFrame(table.rows, schema=dict.fromkeys(table.columns, pl.String), orient="row").write_parquet(path)
    elif path.suffix == ".jsonl":
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for row in table.rows:
                file.write(json.dumps(dict(zip(table.columns, row, strict=True)), ensure_ascii=False) + "\n")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(table.columns)
            writer.writerows(table.rows)
