"""A table of requests as arrays: who asks, for which scope, about which instant (contract 3.3 step (a), 3.7, 6).

Each column is read once for every distinct value in it, by the same rules as a single request's. A cell that cannot be
read makes its row no request; ``invalid`` names the column.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from workbench.contract import Actor, scope_value
from workbench.errors import InputError
from workbench.validity.instants import InstantError, TimeRule

SCOPE_FIELDS: Final = ("family", "procedure", "configuration", "region")
REQUIRED: Final = ("tenant", "groups", *SCOPE_FIELDS)
OPTIONAL: Final = ("active", "at", "language", "known_at", "mode", "source_language")
ABSENT: Final = -(2**63)
"""In a column of instants: none given."""
Integers = NDArray[np.int64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Requests:
    """The requests of a table, column by column; rows in ``invalid`` say nothing else that can be used."""

    actors: Sequence[Actor]
    actor: Integers
    scope: pl.DataFrame
    """``tenant`` and the four fields, in NFC, null where missing."""
    at: Integers
    known_at: Integers
    languages: Sequence[str | None]
    language: Integers
    mode: Integers
    """0: not given, 1: current, 2: historical."""
    source_language: Truths
    invalid: pl.Series
    """The column that is wrong, or null."""


def read_requests(frame: pl.DataFrame, *, valid: TimeRule, recorded: TimeRule) -> Requests:
    """The table's requests; raises InputError where a column of who asks or of the scope is missing altogether."""
    for column in REQUIRED:
        if column not in frame.columns:
            raise InputError("the column is missing", file="requests", column=column, remedy="add it")
    reading = _Reading(frame)
    tenant, tenants = reading.coded("tenant", _tenant)
    groups, group_sets = reading.coded("groups", _groups)
    active, actives = reading.coded("active", _active)
    together = (tenant * max(len(group_sets), 1) + groups) * max(len(actives), 1) + active
    distinct, actor = np.unique(together, return_inverse=True)
    nobody = Actor("", ())
    actors = [nobody] * len(distinct)
    if tenants and group_sets and actives:
        for place, number in enumerate(distinct.tolist()):
            rest, is_active = divmod(number, len(actives))
            whose, which = divmod(rest, len(group_sets))
            actors[place] = Actor(tenants[whose], group_sets[which], actives[is_active])
    scope = pl.DataFrame([reading.text(column) for column in ("tenant", *SCOPE_FIELDS)])
    language, languages = reading.coded("language", _language)
    mode, modes = reading.coded("mode", _mode)
    source, sources = reading.coded("source_language", _source_language)
    at, known_at = reading.instants("at", valid), reading.instants("known_at", recorded)
    mode = np.array(modes, dtype=np.int64)[mode] if modes else mode
    reading.wrong("mode", (mode == 1) & (at != ABSENT))
    return Requests(
        actors=actors,
        actor=actor.astype(np.int64),
        scope=scope,
        at=at,
        known_at=known_at,
        languages=languages,
        language=language,
        mode=mode,
        source_language=np.array(sources, dtype=np.bool_)[source] if sources else source.astype(np.bool_),
        invalid=reading.invalid(),
    )


class _Reading:
    """Reads columns and remembers, for each row, the first column that could not be read."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self.wrongs: list[tuple[str, Truths]] = []

    def wrong(self, column: str, rows: Truths) -> None:
        if rows.any():
            self.wrongs.append((column, rows))

    def invalid(self) -> pl.Series:
        found = pl.Series("invalid", [None] * 1, dtype=pl.String).extend_constant(None, self.frame.height)[1:]
        for column, rows in reversed(self.wrongs):
            found = pl.select(pl.when(pl.Series(rows)).then(pl.lit(column)).otherwise(found)).to_series()
        return found

    def _column(self, column: str) -> pl.Series:
        if column in self.frame.columns:
            return self.frame[column]
        return pl.Series(column, [None], dtype=pl.String).new_from_index(0, self.frame.height)

    def coded(self, column: str, read: Callable[[Any], Any]) -> tuple[Integers, list[Any]]:
        """For each row the place of its value among the distinct values read; an unreadable one counts as the first."""
        cells = self._column(column)
        if isinstance(cells.dtype, pl.List):
            cells = cells.map_elements(lambda names: json.dumps(names.to_list()), return_dtype=pl.String)
        distinct = cells.unique(maintain_order=True)
        values: list[Any] = []
        places: list[int] = []
        for cell in distinct.to_list():
            try:
                value = read(cell)
            except ValueError:
                places.append(-1)
                continue
            if value not in values:
                values.append(value)
            places.append(values.index(value))
        if len(distinct) == 1:
            codes = np.full(len(cells), places[0], dtype=np.int64)
        else:
            key = pl.DataFrame({"cell": distinct, "place": pl.Series(places, dtype=pl.Int64)})
            codes = (
                pl.DataFrame({"cell": cells})
                .join(key, on="cell", how="left", nulls_equal=True, maintain_order="left")["place"]
                .to_numpy()
            )
        self.wrong(column, codes < 0)
        return np.maximum(codes, 0), values

    def text(self, column: str) -> pl.Series:
        """Scope values in NFC, null where they are missing (contract 3.10)."""
        cells = self._column(column)
        if cells.dtype == pl.Null:
            return cells.cast(pl.String)
        if cells.dtype != pl.String:
            self.wrong(column, cells.is_not_null().to_numpy())
            return pl.Series(column, [None], dtype=pl.String).new_from_index(0, len(cells))
        if not cells.str.contains(r"[^!-~]|^$").any():
            return cells
        distinct = cells.unique()
        read = [None if cell is None else scope_value(cell) for cell in distinct.to_list()]
        key = pl.DataFrame({column: distinct, "read": pl.Series(read, dtype=pl.String)})
        return (
            pl.DataFrame({column: cells})
            .join(key, on=column, how="left", nulls_equal=True, maintain_order="left")["read"]
            .alias(column)
        )

    def instants(self, column: str, rule: TimeRule) -> Integers:
        """Instants as integers, :data:`ABSENT` where none is given."""
        cells = self._column(column)
        if rule.kind == "logical" and cells.dtype.is_signed_integer():
            steps = cells.cast(pl.Int64)
            self.wrong(column, (steps.abs() >= 10**18).fill_null(value=False).to_numpy())
            return steps.fill_null(ABSENT).to_numpy()
        if rule.kind == "utc" and isinstance(cells.dtype, pl.Datetime) and cells.dtype.time_zone is not None:
            return cells.dt.cast_time_unit("us").cast(pl.Int64).fill_null(ABSENT).to_numpy()
        codes, values = self.coded(column, lambda cell: _instant(cell, rule))
        return np.array(values or [ABSENT], dtype=np.int64)[codes]


def _instant(cell: object, rule: TimeRule) -> int:
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return ABSENT
    return rule.read(cell)


def _tenant(cell: object) -> str:
    if not isinstance(cell, str) or not cell.strip():
        raise InstantError("a tenant is wanted")
    return cell


def _groups(cell: object) -> frozenset[str]:
    if cell is None or cell == "":
        return frozenset()
    if not isinstance(cell, str):
        raise InstantError("names are wanted")
    names = json.loads(cell) if cell.lstrip().startswith("[") else cell.split(";")
    if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
        raise InstantError("names are wanted")
    return frozenset(names)


def _active(cell: object) -> bool:
    return True if cell is None or cell == "" else _truth(cell)


def _source_language(cell: object) -> bool:
    return False if cell is None or cell == "" else _truth(cell)


def _truth(cell: object) -> bool:
    if isinstance(cell, bool):
        return cell
    if cell in ("true", "false"):
        return cell == "true"
    raise InstantError("true or false is wanted")


def _language(cell: object) -> str | None:
    if cell is not None and not isinstance(cell, str):
        raise InstantError("text is wanted")
    return scope_value(cell)


def _mode(cell: object) -> int:
    modes = {None: 0, "": 0, "current": 1, "historical": 2}
    if (cell is not None and not isinstance(cell, str)) or cell not in modes:
        raise InstantError("current or historical is wanted")
    return modes[cell]
