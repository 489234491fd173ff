"""The canonical projection: what decides in each scope, interval by interval, as a frame and a file (contract 3.9; S1).

Per tenant and leaf scope, time is cut at every boundary; neighbouring intervals with the same outcome are one. At every
instant it equals the resolver. Outside a scope's intervals there is a gap; gaps before its first one are not listed.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from workbench.errors import InputError
from workbench.intervals import UNBOUNDED
from workbench.validity.contents import known
from workbench.validity.cycles import on_cycles
from workbench.validity.instants import TimeRule
from workbench.validity.precedence import Kind, Timeline
from workbench.validity.projection_sweep import PIECES, RELATIONS, ROWS, sweep
from workbench.validity.register import Register
from workbench.validity.register_frames import put_frame
from workbench.validity.rows import UNKNOWN, ScopeKey, Supersession

SCOPE: Final = ("tenant", "document_family", "procedure_id", "asset_configuration", "region")
TABLE: Final = "canonical"
"""The name of the projection's table in a database."""


def instants_type(rule: TimeRule) -> pl.DataType:
    """How instants stand in a frame: integers, or UTC timestamps in microseconds."""
    return pl.Int64() if rule.kind == "logical" else pl.Datetime("us", "UTC")


def project(
    register: Register, *, known_at: int | None = None, scopes: Collection[ScopeKey] | None = None
) -> pl.DataFrame:
    """The projection of a register as corrected today, or as known at a recorded time; of all scopes, or of some.

    Rows stand in the order of their scope and time: the five columns of the scope, ``valid_from``, ``valid_to`` (null
    where ``valid_to_kind`` is ``unbounded``), ``outcome`` (``revision``, ``conflict``, ``gap`` or ``unknown``),
    ``revision_id``, and ``rivals`` of a conflict.

    >>> frame = project(Register.read("data/pump-seal"))
    >>> frame.select("valid_from", "valid_to", "revision_id").rows()
    [(0, 5, 'manual-A'), (5, 10, 'bulletin-B'), (10, None, 'manual-C')]
    """
    if scopes is not None:
        keys = sorted({*scopes} & register.by_scope.keys())
        return _public(register, keys, _resolved(register, known_at, keys, range(len(keys))))
    leaves = _Leaves(register, known_at)
    hard = leaves.need_resolving()
    rows, relations = (
        table.filter(~pl.col("scope").is_in(hard)) if hard else table for table in (leaves.rows(), leaves.relations())
    )
    pieces = [sweep(rows, relations), _resolved(register, known_at, leaves.keys, hard)]
    return _public(register, leaves.keys, pl.concat(pieces))


def corrected(frame: pl.DataFrame, before: Register, after: Register) -> pl.DataFrame:
    """The projection of ``after``, made from the one of ``before`` by projecting anew only what a correction touched.

    Equal to ``project(after)``; both registers as corrected today.
    """
    touched = {key for row in _difference(before, after) for key in row}
    changed = pl.DataFrame(sorted(touched), schema=dict.fromkeys(SCOPE, pl.String), orient="row")
    kept = frame.join(changed, on=SCOPE, how="anti")
    return pl.concat([kept, project(after, scopes=touched)]).sort(*SCOPE, "valid_from")


def write_projection(frame: pl.DataFrame, target: str | Path) -> None:
    """Writes a projection to ``.parquet``, or into the table ``canonical`` of a ``.duckdb`` file."""
    path = Path(target)
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".duckdb":
        with duckdb.connect(path) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            put_frame(connection, TABLE, frame)
    else:
        raise InputError("unknown kind of file", file=path.name, remedy="use .parquet or .duckdb")


def _public(register: Register, keys: Sequence[ScopeKey], pieces: pl.DataFrame) -> pl.DataFrame:
    kind = instants_type(register.settings.valid)
    end = pl.when(pl.col("end").is_null()).then(pl.lit("unbounded")).otherwise(pl.lit("instant"))
    ordered = pieces.sort("scope", "start")
    named = pl.DataFrame(keys, schema=dict.fromkeys(SCOPE, pl.String), orient="row")
    return named[ordered["scope"]].hstack(
        ordered.select(
            pl.col("start").cast(kind).alias("valid_from"),
            pl.col("end").cast(kind).alias("valid_to"),
            end.alias("valid_to_kind"),
            "outcome",
            "revision_id",
            "rivals",
        )
    )


class _Leaves:
    """The rows and relations of a register as known at one time, each for every leaf scope that it stands for; the leaf
    scopes are numbered in their order (contract 3.10)."""

    def __init__(self, register: Register, known_at: int | None) -> None:
        self.transitive = register.settings.rules == "transitive"
        self.applicability = known(register.applicability, known_at)
        self.supersessions = known(register.supersessions, known_at)
        scopes = {row.scope for row in self.applicability} | {row.scope for row in self.supersessions}
        leaves = {scope: tuple(register.leaf_scopes(scope)) for scope in scopes}
        self.keys = sorted({leaf for found in leaves.values() for leaf in found})
        number = {key: place for place, key in enumerate(self.keys)}
        self.of = {scope: [number[leaf] for leaf in found] for scope, found in leaves.items()}

    def rows(self) -> pl.DataFrame:
        """The applicability rows, for :func:`~workbench.validity.projection_sweep.sweep`."""
        of, rows = self.of, self.applicability
        cells = {
            "scope": [leaf for row in rows for leaf in of[row.scope]],
            "revision": [row.revision_id for row in rows for _ in of[row.scope]],
            "start": [row.valid.start for row in rows for _ in of[row.scope]],
            "end": [row.valid.end for row in rows for _ in of[row.scope]],
        }
        return pl.DataFrame(cells, schema=ROWS)

    def relations(self) -> pl.DataFrame:
        """The supersessions, for the same."""
        of, rows = self.of, self.supersessions
        cells = {
            "scope": [leaf for row in rows for leaf in of[row.scope]],
            "superseding": [row.superseding for row in rows for _ in of[row.scope]],
            "superseded": [row.superseded for row in rows for _ in of[row.scope]],
            "start": [row.effective.start for row in rows for _ in of[row.scope]],
            "end": [row.effective.end for row in rows for _ in of[row.scope]],
        }
        return pl.DataFrame(cells, schema=RELATIONS)

    def need_resolving(self) -> list[int]:
        """The scopes whose supersessions are more than an earlier end of the superseded rows.

        Those with a relation that revives or whose successor is unknown, those with a cycle, and under transitive rules
        those with a chain.
        """
        by_scope: dict[int, list[Supersession]] = {}
        for relation in self.supersessions:
            for leaf in self.of[relation.scope]:
                by_scope.setdefault(leaf, []).append(relation)
        return sorted(leaf for leaf, found in by_scope.items() if _is_hard(found, transitive=self.transitive))


def _is_hard(relations: Sequence[Supersession], *, transitive: bool) -> bool:
    if any(relation.revives or relation.superseding == UNKNOWN for relation in relations):
        return True
    superseded = {relation.superseded for relation in relations}
    chained = any(relation.superseding in superseded for relation in relations)
    return chained and (transitive or bool(on_cycles(relations)))


def _resolved(
    register: Register, known_at: int | None, keys: Sequence[ScopeKey], numbers: Iterable[int]
) -> pl.DataFrame:
    """The projection of some of the numbered scopes, each through the resolver's own precedence."""
    transitive = register.settings.rules == "transitive"
    found: list[tuple[object, ...]] = []
    for number in numbers:
        timeline = Timeline(register.scope_rows(keys[number], known_at), transitive=transitive)
        pieces = zip(timeline.spans(), timeline.outcomes, strict=True)
        for span, outcome in itertools.dropwhile(lambda piece: piece[1].kind is Kind.GAP, pieces):
            decides = outcome.kind is Kind.REVISION
            found.append(
                (
                    number,
                    span.start,
                    None if span.end == UNBOUNDED else span.end,
                    outcome.kind.value,
                    outcome.revisions[0] if decides else None,
                    [] if decides else list(outcome.revisions),
                )
            )
    return pl.DataFrame(found, schema=PIECES, orient="row")


def _difference(before: Register, after: Register) -> Iterable[list[ScopeKey]]:
    """The leaf scopes of each row that says something else today than before."""
    said_before, said_after = (_said(register) for register in (before, after))
    for row in said_before ^ said_after:
        for register in (before, after):
            yield list(register.leaf_scopes(row[0]))


def _said(register: Register) -> set[tuple[ScopeKey, object]]:
    rows: set[tuple[ScopeKey, object]] = {
        (r.scope, (r.revision_id, r.valid)) for r in known(register.applicability, None)
    }
    relations: set[tuple[ScopeKey, object]] = {
        (r.scope, (r.superseding, r.superseded, r.effective, r.revives)) for r in known(register.supersessions, None)
    }
    return rows | relations
