"""Many requests at once: the resolver's answers, looked up in the projection (contract 3.3, 3.9, 7).

Row by row the same as resolving one after the other, without contexts. A row that is no request is answered
INVALID_REQUEST, where a single one raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from workbench.contract import Clock, Status
from workbench.intervals import UNBOUNDED
from workbench.validity.hierarchies import Hierarchy
from workbench.validity.precedence import Kind
from workbench.validity.projection import instants_type, project
from workbench.validity.register_lookup import KINDS, Integers, Lookup
from workbench.validity.register_requests import ABSENT, SCOPE_FIELDS, Requests, Truths, read_requests
from workbench.validity.requests import now_of
from workbench.validity.resolver import edition_for
from workbench.validity.rows import ScopeKey

if TYPE_CHECKING:
    from workbench.validity.register import Register

STATUSES: Final = tuple(Status)
CODE: Final = {status: code for code, status in enumerate(STATUSES)}
OPEN: Final = -1
NONE: Final = -1


def resolve_many(register: Register, frame: pl.DataFrame, *, clock: Clock | None = None) -> pl.DataFrame:
    """The frame with each row's decision.

    Adds ``status, revision_id, edition_id, valid_from, valid_to, valid_to_kind, mode``. ``valid_to`` is null and its
    kind ``unbounded`` where the end is open. The decision's mode takes the place of a requested one.

    Columns: ``tenant, groups, family, procedure, configuration, region``, and optionally ``active, at, language,
    known_at, mode, source_language``, as a table of requests has them (contract 6). The clock is read once for all.
    Raises InputError where a required column is missing.
    """
    asked = read_requests(frame, valid=register.settings.valid, recorded=register.settings.recorded)
    return frame.with_columns(_Answers(register, asked, now_of(register.settings.valid, clock)).columns())


class _Answers:
    """The answers, given step by step in the contract's order; a row that has its status is open no longer."""

    def __init__(self, register: Register, asked: Requests, now: int | None) -> None:
        self.register, self.asked, self.now = register, asked, now
        rows = len(asked.at)
        self.status = np.full(rows, OPEN, dtype=np.int64)
        self.revision, self.edition = np.full(rows, NONE), np.full(rows, NONE)
        self.start, self.end = np.full(rows, ABSENT), np.full(rows, ABSENT)
        self.editions: list[str] = []
        self.at = asked.at if now is None else np.where(asked.at == ABSENT, now, asked.at)
        self._say(Status.INVALID_REQUEST, asked.invalid.is_not_null().to_numpy())
        self._say(Status.MISSING_SCOPE, self._missing())
        self._say(Status.HISTORY_UNAVAILABLE, self._beyond_history())
        self._say(Status.UNAVAILABLE, self._standing("unknown"))
        for known_at in np.unique(asked.known_at[self.status == OPEN]).tolist():
            self._resolve(known_at)

    def _say(self, status: Status, rows: Truths) -> None:
        self.status[rows & (self.status == OPEN)] = CODE[status]

    def _missing(self) -> Truths:
        blank = self.asked.scope.select(pl.any_horizontal(pl.col(SCOPE_FIELDS).is_null())).to_series().to_numpy()
        untimed = self.asked.at == ABSENT
        if self.now is not None:
            untimed &= self.asked.mode == 2
        return np.asarray(blank | untimed | self._standing("inner"), dtype=np.bool_)

    def _beyond_history(self) -> Truths:
        given, history = self.asked.known_at != ABSENT, self.register.settings.history_from
        return given if history is None else np.asarray(given & (self.asked.known_at < history), dtype=np.bool_)

    def _standing(self, standing: str) -> Truths:
        found = np.zeros(len(self.status), dtype=np.bool_)
        for column, hierarchy in (("configuration", self.register.configurations), ("region", self.register.regions)):
            cells = self.asked.scope[column]
            named = _of_standing(cells, hierarchy, standing)
            if len(named):
                found |= cells.is_in(named.implode()).fill_null(value=False).to_numpy()
        return found

    def _resolve(self, known_at: int) -> None:
        """Steps (b) to (f) for the open rows of one recorded time."""
        rows = np.flatnonzero((self.status == OPEN) & (self.asked.known_at == known_at))
        scope = self.asked.scope if len(rows) == len(self.status) else self.asked.scope[rows]
        recorded = None if known_at == ABSENT else known_at
        lookup = self.register.lookup if recorded is None else self._lookup_then(scope, recorded)
        place, actor = lookup.find(scope, self.at[rows]), self.asked.actor[rows]
        kind = lookup.kind[place]
        self.status[rows] = CODE[Status.UNAVAILABLE]

        conflict = np.flatnonzero(kind == KINDS[Kind.CONFLICT])
        readable = _each(actor[conflict], place[conflict], lambda a, p: self._may_all(a, lookup.rivals[p].to_list()))
        self.status[rows[conflict[readable == 1]]] = CODE[Status.UNRESOLVED_AUTHORITY]

        decided = np.flatnonzero(kind == KINDS[Kind.REVISION])
        groups = lookup.groups_of[lookup.revision[place[decided]]]
        decided = decided[_each(actor[decided], groups, lambda a, g: self._may(a, lookup.group_sets[g])) == 1]
        self._give(lookup, rows[decided], place[decided], recorded)

    def _lookup_then(self, scope: pl.DataFrame, known_at: int) -> Lookup:
        keys = [ScopeKey(*key) for key in scope.unique().iter_rows()]
        return Lookup(self.register, project(self.register, known_at=known_at, scopes=keys))

    def _may(self, actor: int, groups: frozenset[str]) -> bool:
        who = self.asked.actors[actor]
        return who.may(who.tenant, groups)  # a scope's rows are of the tenant that it was looked up for

    def _may_all(self, actor: int, revisions: list[str]) -> bool:
        return all(self._may(actor, self.register.revisions[revision].groups) for revision in revisions)

    def _give(self, lookup: Lookup, rows: Integers, place: Integers, known_at: int | None) -> None:
        """Step (f): the edition, and what a resolved row says."""
        revision = lookup.revision[place]
        edition = self._editions(lookup, rows, revision, known_at)
        lacking = edition == LACKING
        if self.register.settings.source_language_permitted:
            lacking &= ~self.asked.source_language[rows]
        self.status[rows] = np.where(lacking, CODE[Status.NO_EQUIVALENT_EDITION], CODE[Status.RESOLVED])
        given = ~lacking
        self.revision[rows[given]] = revision[given]
        self.edition[rows[given]] = np.maximum(edition, NONE)[given]
        self.start[rows[given]] = lookup.start[place[given]]
        self.end[rows[given]] = lookup.end[place[given]]

    def _editions(self, lookup: Lookup, rows: Integers, revision: Integers, known_at: int | None) -> Integers:
        """For each row the number of its edition, NONE where it asks for the source, LACKING where there is none."""
        found = np.full(len(rows), NONE)
        language = self.asked.language[rows]
        wanted = {place: name for place, name in enumerate(self.asked.languages) if name is not None}
        other = np.isin(language, list(wanted))
        distinct, inverse = np.unique(revision[other], return_inverse=True)
        spoken = {name: place for place, name in wanted.items()}
        sources = np.array(
            [spoken.get(lookup.revisions[r].source_language, NONE) for r in distinct.tolist()], dtype=int
        )
        asking = np.flatnonzero(other)
        if len(asking):
            asking = asking[language[other] != sources[inverse]]
        pairs = language[asking] * len(self.asked.actors) + self.asked.actor[rows[asking]]

        def chosen(place: int, pair: int) -> int:
            actor = self.asked.actors[pair % len(self.asked.actors)]
            name = wanted[pair // len(self.asked.actors)]
            equivalence = edition_for(self.register, lookup.revisions[place], name, actor, known_at=known_at)
            if equivalence is None:
                return LACKING
            self.editions.append(equivalence.edition)
            return len(self.editions) - 1

        found[asking] = _each(revision[asking], pairs, chosen)
        return found

    def columns(self) -> list[pl.Series]:
        """The columns that the frame is given."""
        kind = instants_type(self.register.settings.valid)
        resolved = self.status == CODE[Status.RESOLVED]
        asked_at, now = self.asked.at, self.now
        mode = np.where(asked_at == ABSENT, 0, 1 if now is None else np.where(asked_at > now, 2, 1))
        open_end = self.end == UNBOUNDED
        start, end = (pl.Series(times) for times in (self.start, self.end))
        return [
            _named("status", self.status, [status.value for status in STATUSES]),
            _named("revision_id", self.revision, self.register.lookup.names),
            _named("edition_id", self.edition, self.editions),
            _where(start, resolved).cast(kind).alias("valid_from"),
            _where(end, resolved & ~open_end).cast(kind).alias("valid_to"),
            _named("valid_to_kind", np.where(resolved, open_end.astype(np.int64), NONE), ["instant", "unbounded"]),
            _named("mode", np.where(resolved, mode, NONE), ["current", "historical", "planned"]),
        ]


LACKING: Final = -2


def _of_standing(cells: pl.Series, hierarchy: Hierarchy, standing: str) -> pl.Series:
    if standing == "inner":
        return pl.Series([value for value, below in hierarchy.children.items() if below], dtype=pl.String)
    if not hierarchy.declared:
        return pl.Series(["*"], dtype=pl.String)
    distinct = cells.drop_nulls().unique()
    return distinct.filter(~distinct.is_in(pl.Series(hierarchy.all_values(), dtype=pl.String).implode()))


def _each(one: Integers, other: Integers, say: Callable[[int, int], int]) -> Integers:
    """``say`` for each pair of numbers, asked once for every distinct pair."""
    if not len(one):
        return np.zeros(0, dtype=np.int64)
    width = int(other.max()) + 1
    distinct, inverse = np.unique(one * width + other, return_inverse=True)
    said = np.array([say(pair // width, pair % width) for pair in distinct.tolist()], dtype=np.int64)
    answers: Integers = said[inverse]
    return answers


def _named(column: str, places: Integers, names: list[str] | pl.Series) -> pl.Series:
    """The names at these places, null at NONE."""
    series = pl.Series(names, dtype=pl.String) if isinstance(names, list) else names
    return series.gather(_where(pl.Series(places), places != NONE)).alias(column)


def _where(cells: pl.Series, kept: Truths) -> pl.Series:
    return cells.zip_with(pl.Series(kept), pl.Series([None], dtype=cells.dtype).new_from_index(0, len(cells)))
