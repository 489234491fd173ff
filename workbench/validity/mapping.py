"""From source data to a register, by a mapping that declares how (contract 5).

What a mapping file may say stands in :mod:`workbench.validity.mapping_file`, how its SQL is run in
:mod:`workbench.validity.mapping_sql`. Here the rows are written, read back strictly, and only then put in place.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from pathlib import Path

import polars as pl

from workbench.errors import InputError
from workbench.validity.instants import InstantError
from workbench.validity.mapping_file import Declared, Format, Quarantine, read_mapping, written_settings
from workbench.validity.mapping_sql import Written, sandbox, selected
from workbench.validity.register import Register
from workbench.validity.rows import UNKNOWN
from workbench.validity.settings import FILE, parse_settings
from workbench.validity.tables import OPTIONAL_TABLES, REQUIRED, optional_columns


def map_register(mapping: Path, source: Path, to: Path) -> dict[str, int]:
    """How many rows each table of the new register has; the register itself is then the folder ``to``.

    The folder holds ``register.toml``, one file for each table and, where the mapping rejects or quarantines rows,
    ``rejected.csv``. The same mapping and sources give the same bytes. Nothing is put in place unless the register
    loads strictly; an existing register is never overwritten. Raises InputError naming the mapping and the place in it.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "plants.csv").write_text("plant,since\\nP1,3\\n")
    >>> _ = (folder / "plants.toml").write_text('''
    ... [register]
    ... name = "plants"
    ... time = "logical"
    ... rules = "direct"
    ... history_from = 0
    ... [constants]
    ... tenant = "werk-nord"
    ... [sources]
    ... plants = "plants.csv"
    ... [tables.revisions]
    ... select = \"\"\"SELECT plant AS revision_id, 'plants' AS document_family, getvariable('tenant') AS tenant,
    ...     'reader' AS groups, 'de' AS source_language, sha256(plant) AS source_digest, NULL AS owner,
    ...     NULL AS imported_at FROM plants\"\"\"
    ... [tables.applicability]
    ... select = \"\"\"SELECT plant AS revision_id, 'start' AS procedure_id, 'C1' AS asset_configuration,
    ...     'EU' AS region, since AS valid_from, 'unbounded' AS valid_to, NULL AS approval_ref,
    ...     getvariable('history_from') AS recorded_from, 'unbounded' AS recorded_to FROM plants\"\"\"
    ... ''')
    >>> map_register(folder / "plants.toml", folder, folder / "register")
    {'revisions': 1, 'applicability': 1, 'supersessions': 0, 'equivalences': 0}
    >>> Register.read(folder / "register")
    Register('plants', 1 revisions, 1 applicability rows, direct/1)
    """
    declared = read_mapping(mapping)
    if not source.is_dir():
        raise InputError("there is no such folder", file=str(source), remedy="give the folder of the source files")
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise InputError(
            "this is there already", file=str(to), remedy="a register is never overwritten; give a new folder"
        )
    tables, rejected = _mapped(declared, source)
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{to.name}-", dir=to.parent))
        try:
            made = work / "register"
            made.mkdir()
            _write(made, declared, tables, rejected)
            _load_strictly(made, declared)
            made.rename(to)
        finally:
            shutil.rmtree(work)
    except OSError as error:
        raise InputError(f"the register cannot be written here: {error.strerror or error}", file=str(to)) from None
    counts = {name: len(table.rows) for name, table in tables.items()}
    return counts if rejected is None else {**counts, "rejected": len(rejected.rows)}


def _mapped(declared: Declared, source: Path) -> tuple[dict[str, Written], Written | None]:
    """The rows of each table in the contract's columns, and the rejected ones."""
    tables: dict[str, Written] = {}
    with sandbox(declared, source) as connection:
        for name, required in REQUIRED.items():
            select = declared.tables.get(name)
            if select is not None:
                place = f"[tables.{name}]"
                tables[name] = _in_columns(declared, name, selected(connection, declared, place, select.sql))
            elif name not in OPTIONAL_TABLES:
                tables[name] = Written(required, ())
        rejected = None
        if declared.rejected is not None:
            rejected = selected(connection, declared, "[rejected]", declared.rejected.sql)
            if "reason" not in rejected.columns or any(not row["reason"].strip() for row in rejected.dicts()):
                raise declared.error("[rejected], column reason", "a reason is missing", remedy="give one in every row")
    return _quarantined(declared, tables, rejected) if declared.quarantine else (tables, rejected)


def _in_columns(declared: Declared, name: str, found: Written) -> Written:
    required, optional = REQUIRED[name], optional_columns(name)
    for column in found.columns:
        if column not in (*required, *optional):
            known = ", ".join((*required, *optional))
            raise declared.error(f"[tables.{name}]", "unknown column", found=column, remedy=f"known are {known}")
    for column in required:
        if column not in found.columns:
            raise declared.error(f"[tables.{name}]", f"the column {column} is missing", remedy="select it")
    return found.ordered((*required, *(column for column in optional if column in found.columns)))


def _quarantined(
    declared: Declared, tables: dict[str, Written], rejected: Written | None
) -> tuple[dict[str, Written], Written | None]:
    """The tables without the rows taken out by name; each such scope has an ``unknown`` successor (contract 3.8)."""
    applicability, supersessions = tables["applicability"], tables["supersessions"]
    kept: list[tuple[str, ...]] = []
    out: list[tuple[str, ...]] = []
    successors: list[tuple[str, ...]] = []
    used: set[int] = set()
    for cells, row in zip(applicability.rows, applicability.dicts(), strict=True):
        hits = [n for n, q in enumerate(declared.quarantine) if all(row.get(c) == v for c, v in q.where.items())]
        used.update(hits)
        if not hits:
            kept.append(cells)
            continue
        entry = declared.quarantine[hits[0]]
        out.append((*cells, entry.reason))
        successor = {
            **row,
            "superseding": UNKNOWN,
            "superseded": row["revision_id"],
            "effective_from": _start(declared, hits[0], entry, row["valid_from"], row["valid_to"]),
            "effective_to": "unbounded",
        }
        successors.append(tuple(successor.get(column, "") for column in supersessions.columns))
    for number, entry in enumerate(declared.quarantine):
        if number not in used:
            raise declared.error(f"[[quarantine]] {number + 1}", "no row has these values", found=dict(entry.where))
    taken = Written((*applicability.columns, "reason"), tuple(out))
    columns = tuple(dict.fromkeys((*(rejected.columns if rejected else ()), *taken.columns)))
    both = (*(rejected.ordered(columns).rows if rejected else ()), *taken.ordered(columns).rows)
    new = {
        "applicability": Written(applicability.columns, tuple(kept)),
        "supersessions": Written(supersessions.columns, tuple(sorted({*supersessions.rows, *successors}))),
    }
    return {name: new.get(name, table) for name, table in tables.items()}, Written(columns, tuple(sorted(both)))


def _start(declared: Declared, number: int, entry: Quarantine, valid_from: str, valid_to: str) -> str:
    """From when the scope of a quarantined row is not given out: as stated, else the earlier one of its ends."""
    if entry.effective_from is not None:
        return entry.effective_from
    rule = parse_settings(declared.register).valid
    try:
        return valid_from if rule.read(valid_from) <= rule.read_end(valid_to) else valid_to
    except InstantError as error:
        raise declared.error(
            f"[[quarantine]] {number + 1}", f"the row's ends cannot be read: {error}", remedy="state effective_from"
        ) from None


def _write(folder: Path, declared: Declared, tables: dict[str, Written], rejected: Written | None) -> None:
    (folder / FILE).write_text(written_settings(declared.register), encoding="utf-8", newline="\n")
    for name, table in tables.items():
        form: Format = declared.tables[name].format if name in declared.tables else "csv"
        _write_table(folder / f"{name}.{form}", table)
    if rejected is not None:
        _write_table(folder / "rejected.csv", rejected)


def _write_table(path: Path, table: Written) -> None:
    if path.suffix == ".parquet":
        schema = dict.fromkeys(table.columns, pl.String)
        pl.DataFrame(table.rows, schema=schema, orient="row").write_parquet(path, compression="zstd")
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows((table.columns, *table.rows))


def _load_strictly(folder: Path, declared: Declared) -> None:
    try:
        Register.read(folder)
    except InputError as error:
        raise InputError(
            error.message,
            file=f"{declared.file}, {(error.file or '').replace(str(folder), 'the register')}",
            row=error.row,
            column=error.column,
            found=error.found,
            remedy=error.remedy,
        ) from None
