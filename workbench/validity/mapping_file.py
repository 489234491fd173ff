"""What a declared mapping says: how source data become a register, with every constant written down once.

Source data that do not say what a column needs are mapped, and what cannot be known is refused, not invented (contract
5). A mapping holds ``[register]`` (the keys of ``register.toml``), ``[constants]``, ``[sources]`` (a name for each file
of the source folder), ``[views]`` (named intermediate SELECTs, in their order), ``[tables.<name>]`` with one DuckDB
``select`` for each table of the register, ``[rejected]`` with the ``select`` of the rows that become no row of the
register and their ``reason``, and ``[[quarantine]]`` entries that take rows out by name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Final, Literal

from workbench.errors import InputError
from workbench.validity.settings import KEYS, parse_settings
from workbench.validity.tables import REQUIRED

Scalar = str | int | bool | float | date | time
Format = Literal["csv", "parquet"]

NAME = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)
VARIABLE = re.compile(r"getvariable\s*\(\s*'([^']*)'\s*\)", re.IGNORECASE)
ASKED_TWICE = re.compile(
    r"(?<![\w\"])(current_date|current_time|current_timestamp|localtime|localtimestamp|tablesample|using\s+sample)(?![\w\"])|"
    r"\b(now|today|age|random|setseed|nextval|uuid|uuidv4|uuidv7|gen_random_uuid|get_current_time|get_current_timestamp|"
    r"current_localtime|current_localtimestamp|transaction_timestamp|txid_current)(?=\"?\s*\()",
    re.IGNORECASE,
)
"""What answers differently when asked again: a register never depends on the hour of its import (contract 3.2)."""
LITERAL = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
SECTIONS: Final = ("register", "constants", "sources", "views", "tables", "rejected", "quarantine")
WANTED: Final = ("revisions", "applicability")


@dataclass(frozen=True, slots=True)
class Select:
    """One SELECT of a mapping, and how its rows are written."""

    sql: str
    format: Format = "csv"


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Applicability rows taken out by name: ``where`` holds column values that all must match.

    Each of them is written to ``rejected.csv`` with ``reason``, and its scope gets an ``unknown`` successor from
    ``effective_from`` on; unless given, from the earlier one of the row's two ends.
    """

    where: Mapping[str, str]
    reason: str
    effective_from: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """A mapping as its file declares it; ``file`` is the name that errors carry."""

    file: str
    register: Mapping[str, object]
    variables: Mapping[str, Scalar | list[str]]
    sources: Mapping[str, str]
    views: Mapping[str, str]
    tables: Mapping[str, Select]
    rejected: Select | None = None
    quarantine: Sequence[Quarantine] = ()

    def error(self, place: str, message: str, *, found: object = None, remedy: str | None = None) -> InputError:
        """The error that names this mapping and a place in it."""
        return InputError(message, file=f"{self.file}, {place}", found=found, remedy=remedy)


def read_mapping(path: Path) -> Declared:
    """What a mapping file declares; raises InputError naming the file and the place in it."""
    if not path.is_file():
        raise InputError("there is no such mapping", file=str(path), remedy="give the mapping's TOML file")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text", file=path.name) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"broken TOML: {error}", file=path.name) from None
    return parse_mapping(path.name, found)


def parse_mapping(file: str, found: Mapping[str, object]) -> Declared:
    """The mapping from the keys and values of its file.

    Constants and the keys of ``[register]`` are the variables of its SQL. Each is written down once, and no constant is
    unused, since that is mostly a misspelt one.

    >>> declared = parse_mapping("m.toml", {
    ...     "register": {"name": "m", "time": "logical", "rules": "direct"},
    ...     "constants": {"tenant": "werk-nord"},
    ...     "tables": {"revisions": {"select": "SELECT getvariable('tenant') AS tenant"},
    ...                "applicability": {"select": "SELECT 1", "format": "parquet"}}})
    >>> declared.variables["tenant"], declared.tables["applicability"].format
    ('werk-nord', 'parquet')
    """
    for key in found:
        if key not in SECTIONS:
            raise _wrong(file, key, "unknown section", remedy=f"known are {', '.join(SECTIONS)}")
    register = _table(file, found, "register")
    if not register:
        raise _wrong(file, "[register]", "the section is missing", remedy="write the keys of register.toml into it")
    try:
        parse_settings(register)
    except InputError as error:
        raise _wrong(file, f"[register], {error.column}", error.message, error.found, error.remedy) from None
    views = {name: _sql(file, f"[views], {name}", sql) for name, sql in _table(file, found, "views").items()}
    tables = {name: _select(file, f"[tables.{name}]", value) for name, value in _table(file, found, "tables").items()}
    for name in tables:
        if name not in REQUIRED:
            raise _wrong(file, f"[tables.{name}]", "unknown table", remedy=f"known are {', '.join(REQUIRED)}")
    for name in WANTED:
        if name not in tables:
            raise _wrong(file, f"[tables.{name}]", "the section is missing", remedy="every register has this table")
    rejected = found.get("rejected")
    declared = Declared(
        file=file,
        register=register,
        variables=_variables(file, register, _table(file, found, "constants")),
        sources=_sources(file, _table(file, found, "sources")),
        views=views,
        tables=tables,
        rejected=None if rejected is None else _select(file, "[rejected]", rejected, formats=("csv",)),
        quarantine=tuple(_quarantine(file, found.get("quarantine", []))),
    )
    _check_names(declared)
    _check_variables(declared)
    return declared


def written_settings(register: Mapping[str, object]) -> str:
    """The keys of ``[register]`` as the text of ``register.toml``, in the order of the contract.

    >>> keys = {"rules": "direct", "name": "a", "time": "utc", "history_from": date(2026, 4, 17)}
    >>> print(written_settings(keys), end="")
    name = "a"
    time = "utc"
    history_from = 2026-04-17
    rules = "direct"
    """
    return "".join(f"{key} = {_written(register[key])}\n" for key in KEYS if key in register)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda c: f"\\u{ord(c[0]):04x}", escaped) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(_written(part) for part in value) + "]"
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)


def _wrong(file: str, place: str, message: str, found: object = None, remedy: str | None = None) -> InputError:
    return InputError(message, file=f"{file}, {place}", found=found, remedy=remedy)


def _table(file: str, found: Mapping[str, object], section: str) -> dict[str, object]:
    value = found.get(section, {})
    if not isinstance(value, dict):
        raise _wrong(file, f"[{section}]", "this is no section", remedy=f"write [{section}] on a line of its own")
    return value


def _sql(file: str, place: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong(file, place, "a SELECT is wanted", found=value, remedy='write it as text between """ and """')
    bare = LITERAL.sub(" ", value)
    unstable = ASKED_TWICE.search(bare)
    if unstable:
        raise _wrong(
            file, place, f"{unstable[0]} answers differently each time", remedy="write a constant into [constants]"
        )
    return value.strip().rstrip(";")


def _select(file: str, place: str, value: object, formats: Sequence[Format] = ("csv", "parquet")) -> Select:
    if not isinstance(value, dict) or "select" not in value or value.keys() - {"select", "format"}:
        raise _wrong(file, place, "select, and where wanted format, are the keys of this section")
    form = value.get("format", "csv")
    for known in formats:
        if form == known:
            return Select(_sql(file, place, value["select"]), known)
    raise _wrong(file, f"{place}, format", "unknown format", found=form, remedy=f"write {' or '.join(formats)}")


def _sources(file: str, found: Mapping[str, object]) -> dict[str, str]:
    sources: dict[str, str] = {}
    for name, value in found.items():
        if not isinstance(value, str) or Path(value).suffix not in (".csv", ".jsonl", ".parquet"):
            raise _wrong(file, f"[sources], {name}", "a .csv, .jsonl or .parquet file is wanted", found=value)
        sources[name] = value
    return sources


def _variables(
    file: str, register: Mapping[str, object], constants: Mapping[str, object]
) -> dict[str, Scalar | list[str]]:
    variables: dict[str, Scalar | list[str]] = {k: v for k, v in register.items() if isinstance(v, Scalar)}
    for name, value in constants.items():
        if not NAME.fullmatch(name):
            raise _wrong(file, f"[constants], {name}", "this is no name", remedy="use a-z, 0-9 and _")
        if name in variables:
            raise _wrong(file, f"[constants], {name}", "[register] states this already", remedy="write it down once")
        names = isinstance(value, list) and value and all(isinstance(part, str) for part in value)
        if not isinstance(value, Scalar | list) or (isinstance(value, list) and not names):
            wanted = "a text, number, date, truth value or list of texts is wanted"
            raise _wrong(file, f"[constants], {name}", wanted, found=value)
        variables[name] = value
    return variables


def _quarantine(file: str, found: object) -> list[Quarantine]:
    entries: list[Quarantine] = []
    columns = REQUIRED["applicability"]
    for number, entry in enumerate(found if isinstance(found, list) else [found], 1):
        place = f"[[quarantine]] {number}"
        if not isinstance(entry, dict) or entry.keys() - {"where", "reason", "effective_from"}:
            raise _wrong(file, place, "where, reason, and where wanted effective_from, are the keys of an entry")
        where, reason, start = entry.get("where"), entry.get("reason"), entry.get("effective_from")
        if not isinstance(where, dict) or not where or not all(isinstance(v, str) for v in where.values()):
            raise _wrong(file, place, "where names no row", remedy='write where = { revision_id = "…" }')
        for column in where:
            if column not in columns:
                raise _wrong(file, f"{place}, {column}", "unknown column", remedy=f"known are {', '.join(columns)}")
        if not isinstance(reason, str) or not reason.strip():
            raise _wrong(file, place, "the reason is missing", remedy="say why the row is taken out")
        if start is not None and not isinstance(start, str):
            raise _wrong(file, f"{place}, effective_from", "text is wanted", found=start)
        entries.append(Quarantine(where, reason, start))
    return entries


def _check_names(declared: Declared) -> None:
    for section, names in (("sources", declared.sources), ("views", declared.views)):
        for name in names:
            if not NAME.fullmatch(name):
                raise declared.error(f"[{section}], {name}", "this is no name", remedy="use a-z, 0-9 and _")
    for name in declared.views:
        if name in declared.sources:
            raise declared.error(f"[views], {name}", "a source has this name already", remedy="use another one")


def _check_variables(declared: Declared) -> None:
    """DuckDB answers NULL for an unknown variable, so a misspelt constant would empty a column unseen."""
    used: set[str] = set()
    places = {f"[views], {name}": sql for name, sql in declared.views.items()}
    places.update({f"[tables.{name}]": table.sql for name, table in declared.tables.items()})
    if declared.rejected:
        places["[rejected]"] = declared.rejected.sql
    for place, sql in places.items():
        for name in VARIABLE.findall(sql):
            if name not in declared.variables:
                known = ", ".join(declared.variables)
                raise declared.error(place, "no such constant is written down", found=name, remedy=f"known are {known}")
            used.add(name)
    for name in declared.variables:
        if name not in used and name not in declared.register:
            raise declared.error(f"[constants], {name}", "no SELECT uses it", remedy="use it or leave it out")
