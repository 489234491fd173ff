"""Frames into DuckDB tables by way of a Parquet file: DuckDB takes a frame itself only through a package of 170 MB."""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb
import polars as pl


def put_frame(connection: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame) -> None:
    """Make the table hold what the frame holds, in place of what it held.

    >>> with duckdb.connect() as connection:
    ...     put_frame(connection, "t", pl.DataFrame({"a": ["x", None]}))
    ...     connection.execute("SELECT a FROM t").fetchall()
    [('x',), (None,)]
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.parquet"
        frame.write_parquet(path)
        connection.execute(f'DROP TABLE IF EXISTS "{table}"')
        connection.read_parquet(str(path)).create(f'"{table}"')
