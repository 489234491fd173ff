"""Loading a register: from a folder's files to checked contents (contract 3.8, 5).

Every malformed row is reported; loading passes a report that raises, the register check one that collects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from workbench.errors import InputError
from workbench.records import Report, Row, find_table, read_rows
from workbench.validity.contents import Contents
from workbench.validity.settings import Settings, read_settings
from workbench.validity.tables import (
    OPTIONAL_TABLES,
    REQUIRED,
    Known,
    optional_columns,
    read_applicability,
    read_equivalences,
    read_owners,
    read_revisions,
    read_scopes,
    read_sections,
    read_supersessions,
)


def read_contents(place: Path, report: Report) -> Contents:
    """The contents of the register in a folder or a ``.duckdb`` file; each malformed row is reported and left out."""
    if place.suffix == ".duckdb" and not place.is_dir():
        from workbench.validity.register_duckdb import read_database  # DuckDB only where it is asked for

        return read_database(place, report)
    return read_folder(place, report)


def read_folder(folder: Path, report: Report) -> Contents:
    """The contents of the register in a folder; each malformed row is reported and left out."""
    if not folder.is_dir():
        raise InputError("there is no such folder", file=str(folder), remedy="give the register's folder")
    settings = read_settings(folder)
    tables = {name: _table(folder, name, report) for name in REQUIRED}
    return assemble(settings, tables, report)


def _table(folder: Path, name: str, report: Report) -> Iterator[Row]:
    """The table's rows, one at a time; where the table itself cannot be read, that is reported and it has no more."""
    try:
        path = find_table(folder, name)
        if path is not None:
            yield from read_rows(path, required=REQUIRED[name], optional=optional_columns(name), report=report)
        elif name not in OPTIONAL_TABLES:
            raise InputError(
                f"the table {name} is missing",
                file=str(folder),
                remedy=f"add {name}.csv, .jsonl or .parquet; with its header row alone where it is empty",
            )
    except InputError as error:
        report(error)


def assemble(settings: Settings, tables: Mapping[str, Iterable[Row]], report: Report) -> Contents:
    """The contents from the settings and the rows of its tables, whatever store they come from."""
    scopes = tuple(read_scopes(tables["scopes"], report))
    revisions = {r.id: r for r in read_revisions(tables["revisions"], report)}
    known = Known(revisions, settings.valid, settings.recorded, frozenset(value.kind for value in scopes))
    return Contents(
        settings=settings,
        revisions=revisions,
        applicability=tuple(read_applicability(tables["applicability"], report, known)),
        supersessions=tuple(read_supersessions(tables["supersessions"], report, known)),
        equivalences=tuple(read_equivalences(tables["equivalences"], report, known)),
        scopes=scopes,
        sections=tuple(read_sections(tables["sections"], report, known)),
        owners={(family, procedure): owner for family, procedure, owner in read_owners(tables["owners"], report)},
    )
