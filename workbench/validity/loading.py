"""Loading a register: from a folder's files to checked contents (contract 3.8, 5).

Every malformed row is reported; loading passes a report that raises, the register check one that collects.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from workbench.errors import InputError
from workbench.records import Row, find_table, read_rows
from workbench.validity.contents import Contents
from workbench.validity.hierarchies import Hierarchy
from workbench.validity.rows import ANY, Section
from workbench.validity.settings import Settings, read_settings
from workbench.validity.tables import (
    OPTIONAL_TABLES,
    REQUIRED,
    Report,
    optional_columns,
    read_applicability,
    read_equivalences,
    read_owners,
    read_revisions,
    read_scopes,
    read_sections,
    read_supersessions,
)


def refuse(error: InputError) -> None:
    """The report of a strict load: the first malformed row refuses the register."""
    raise error


def read_folder(folder: Path, report: Report) -> Contents:
    """The contents of the register in a folder; each malformed row is reported and left out."""
    if not folder.is_dir():
        raise InputError("there is no such folder", file=str(folder), remedy="give the register's folder")
    settings = read_settings(folder)
    tables = {name: tuple(_table(folder, name)) for name in REQUIRED}
    return assemble(settings, tables, report)


def _table(folder: Path, name: str) -> Iterator[Row]:
    path = find_table(folder, name)
    if path is not None:
        yield from read_rows(path, required=REQUIRED[name], optional=optional_columns(name))
    elif name not in OPTIONAL_TABLES:
        raise InputError(
            f"the table {name} is missing",
            file=str(folder),
            remedy=f"add {name}.csv, .jsonl or .parquet; with its header row alone where it is empty",
        )


def assemble(settings: Settings, tables: Mapping[str, Iterable[Row]], report: Report) -> Contents:
    """The contents from the settings and the rows of its tables, whatever store they come from."""
    revisions = {r.id: r for r in read_revisions(tables["revisions"], report)}
    valid, recorded = settings.valid, settings.recorded
    contents = Contents(
        settings=settings,
        revisions=revisions,
        applicability=tuple(
            read_applicability(tables["applicability"], report, revisions, valid, recorded),
        ),
        supersessions=tuple(read_supersessions(tables["supersessions"], report, revisions, valid, recorded)),
        equivalences=tuple(read_equivalences(tables["equivalences"], report, revisions, recorded)),
        scopes=tuple(read_scopes(tables["scopes"], report)),
        sections=tuple(read_sections(tables["sections"], report, revisions)),
        owners={(family, procedure): owner for family, procedure, owner in read_owners(tables["owners"], report)},
    )
    _check_wildcards(contents, report)
    _check_sections(contents, report)
    return contents


def _check_wildcards(contents: Contents, report: Report) -> None:
    configurations = Hierarchy(value for value in contents.scopes if value.kind == "configuration")
    regions = Hierarchy(value for value in contents.scopes if value.kind == "region")
    for table, rows in (("applicability", contents.applicability), ("supersessions", contents.supersessions)):
        for row in rows:
            for column, value, hierarchy in (
                ("asset_configuration", row.scope.configuration, configurations),
                ("region", row.scope.region, regions),
            ):
                if value == ANY and not hierarchy.declared:
                    report(
                        InputError(
                            "the wildcard * needs the table scopes to say what it stands for",
                            file=table,
                            row=row.row,
                            column=column,
                            found=value,
                            remedy="declare the values in scopes, or write one",
                        )
                    )


def _check_sections(contents: Contents, report: Report) -> None:
    by_document: dict[str, list[Section]] = {}
    for section in contents.sections:
        by_document.setdefault(section.document_id, []).append(section)
    for sections in by_document.values():
        sections.sort(key=lambda s: s.span)
        for before, after in itertools.pairwise(sections):
            if before.span.overlaps(after.span):
                report(
                    InputError(
                        f"the section overlaps {before.procedure} in row {before.row}",
                        file="sections",
                        row=after.row,
                        column="start",
                        found=after.span.start,
                        remedy="sections of one document are disjoint",
                    )
                )
