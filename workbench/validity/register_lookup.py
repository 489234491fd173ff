"""A register's projection laid out for searching: many scopes and instants found at once (contract 3.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from workbench.intervals import UNBOUNDED
from workbench.validity.precedence import Kind
from workbench.validity.projection import SCOPE

if TYPE_CHECKING:
    from workbench.validity.register import Register

Integers = NDArray[np.int64]
KINDS: Final = {kind.value: code for code, kind in enumerate(Kind)}
GAP: Final = KINDS[Kind.GAP.value]
NOWHERE: Final = -1


class Lookup:
    """Intervals by scope and start, and revisions by number.

    Scopes are numbered in their order, and the distinct starts too; an interval's key is both numbers in one integer,
    so that one binary search finds scope and instant together.
    """

    def __init__(self, register: Register, frame: pl.DataFrame) -> None:
        revisions = list(register.revisions.values())
        self.revisions = revisions
        self.names = pl.Series([revision.id for revision in revisions], dtype=pl.String)
        number = pl.DataFrame({"revision_id": self.names}).with_row_index("number")
        group_sets: dict[frozenset[str], int] = {}
        self.groups_of = np.array([group_sets.setdefault(r.groups, len(group_sets)) for r in revisions], dtype=np.int64)
        self.group_sets = list(group_sets)

        self.scopes = frame.select(SCOPE).unique(maintain_order=True).with_row_index("scope")
        fresh = pl.any_horizontal(pl.col(column).ne_missing(pl.col(column).shift(1)) for column in SCOPE)
        # one last entry that no scope reaches: where NOWHERE points
        self.scope = np.append(np.cumsum(frame.select(fresh).to_series().to_numpy()) - 1, NOWHERE).astype(np.int64)
        self.start = _integers(frame["valid_from"])
        self.end = _integers(frame["valid_to"])
        self.kind = np.append(frame["outcome"].replace_strict(KINDS, return_dtype=pl.Int64).to_numpy(), GAP)
        named = frame.select("revision_id").join(number, on="revision_id", how="left", maintain_order="left")
        self.revision = _integers(named["number"].cast(pl.Int64), absent=NOWHERE)
        self.rivals = frame["rivals"]
        self._starts = np.unique(self.start[:-1])
        self._keys = self._key(self.scope[:-1], np.searchsorted(self._starts, self.start[:-1]) + 1)

    def _key(self, scope: Integers, place: Integers) -> Integers:
        keys: Integers = scope * (len(self._starts) + 1) + place
        return keys

    def find(self, scope: pl.DataFrame, at: Integers) -> Integers:
        """For each scope and instant the place of the interval that holds it, or :data:`NOWHERE`."""
        numbered = scope.rename(dict(zip(scope.columns, SCOPE, strict=True))).join(
            self.scopes, on=SCOPE, how="left", maintain_order="left"
        )
        code = numbered["scope"].cast(pl.Int64).fill_null(NOWHERE).to_numpy()
        wanted = self._key(code, np.searchsorted(self._starts, at, side="right"))
        place = np.searchsorted(self._keys, wanted, side="right") - 1
        holds = (code != NOWHERE) & (place != NOWHERE) & (self.scope[place] == code)
        found: Integers = np.where(holds, place, NOWHERE)
        return found


def _integers(cells: pl.Series, absent: int = UNBOUNDED) -> Integers:
    found: Integers = np.append(cells.cast(pl.Int64).fill_null(absent).to_numpy(), absent)
    return found
