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
from workbench.validity.instants import TimeRule
from workbench.validity.precedence import Kind, Timeline, on_cycles, outcomes
from workbench.validity.projection_sweep import PIECES, RELATIONS, ROWS, SCOPE, sweep
from workbench.validity.register import Register
from workbench.validity.rows import UNKNOWN, ScopeKey, Supersession

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
        return _public(register, _resolved(register, known_at, sorted({*scopes} & register.by_scope.keys())))
    rows, relations = _rows(register, known_at), _relations(register, known_at)
    hard = sorted(_need_resolving(register, known_at))
    if hard:
        apart = pl.DataFrame(hard, schema=dict.fromkeys(SCOPE, pl.String), orient="row")
        rows, relations = (table.join(apart, on=SCOPE, how="anti") for table in (rows, relations))
    return _public(register, pl.concat([sweep(rows, relations), _resolved(register, known_at, hard)]))


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
            connection.register("projected", frame)
            connection.execute(f"CREATE OR REPLACE TABLE {TABLE} AS FROM projected")
    else:
        raise InputError("unknown kind of file", file=path.name, remedy="use .parquet or .duckdb")


def _public(register: Register, pieces: pl.DataFrame) -> pl.DataFrame:
    kind = instants_type(register.settings.valid)
    end = pl.when(pl.col("end").is_null()).then(pl.lit("unbounded")).otherwise(pl.lit("instant"))
    return pieces.sort(*SCOPE, "start").select(
        *SCOPE,
        pl.col("start").cast(kind).alias("valid_from"),
        pl.col("end").cast(kind).alias("valid_to"),
        end.alias("valid_to_kind"),
        *("outcome", "revision_id", "rivals"),
    )


def _rows(register: Register, known_at: int | None) -> pl.DataFrame:
    rows = known(register.applicability, known_at)
    cells = {
        **_scope_columns([row.scope for row in rows]),
        "revision": [row.revision_id for row in rows],
        "start": [row.valid.start for row in rows],
        "end": [row.valid.end for row in rows],
    }
    return _leaves(register, pl.DataFrame(cells, schema=ROWS))


def _relations(register: Register, known_at: int | None) -> pl.DataFrame:
    rows = known(register.supersessions, known_at)
    cells = {
        **_scope_columns([row.scope for row in rows]),
        "superseding": [row.superseding for row in rows],
        "superseded": [row.superseded for row in rows],
        "start": [row.effective.start for row in rows],
        "end": [row.effective.end for row in rows],
    }
    return _leaves(register, pl.DataFrame(cells, schema=RELATIONS))


def _scope_columns(scopes: Sequence[ScopeKey]) -> dict[str, Sequence[str]]:
    return dict(zip(SCOPE, zip(*scopes, strict=True), strict=True)) if scopes else dict.fromkeys(SCOPE, ())


def _leaves(register: Register, frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with each row once for every leaf scope that its scope stands for (contract 3.10)."""
    if not (register.configurations.declared or register.regions.declared):
        return frame
    written = [ScopeKey(*row) for row in frame.select(SCOPE).unique().iter_rows()]
    pairs = [(*scope, leaf.configuration, leaf.region) for scope in written for leaf in register.leaf_scopes(scope)]
    leaf = ("leaf_configuration", "leaf_region")
    stands_for = pl.DataFrame(pairs, schema=dict.fromkeys((*SCOPE, *leaf), pl.String), orient="row")
    return (
        frame.join(stands_for, on=SCOPE)
        .with_columns(asset_configuration="leaf_configuration", region="leaf_region")
        .drop(leaf)
    )


def _need_resolving(register: Register, known_at: int | None) -> set[ScopeKey]:
    """The scopes whose supersessions are more than an earlier end of the superseded rows: those with a relation that
    revives or whose successor is unknown, those with a cycle, and under transitive rules those with a chain."""
    by_scope: dict[ScopeKey, list[Supersession]] = {}
    for relation in known(register.supersessions, known_at):
        for key in register.leaf_scopes(relation.scope):
            by_scope.setdefault(key, []).append(relation)
    transitive = register.settings.rules == "transitive"
    return {key for key, relations in by_scope.items() if _is_hard(relations, transitive=transitive)}


def _is_hard(relations: Sequence[Supersession], *, transitive: bool) -> bool:
    if any(relation.revives or relation.superseding == UNKNOWN for relation in relations):
        return True
    superseded = {relation.superseded for relation in relations}
    chained = any(relation.superseding in superseded for relation in relations)
    return chained and (transitive or bool(on_cycles(relations)))


def _resolved(register: Register, known_at: int | None, keys: Iterable[ScopeKey]) -> pl.DataFrame:
    """The projection of some scopes, each through the resolver's own precedence."""
    transitive = register.settings.rules == "transitive"
    found: list[tuple[object, ...]] = []
    for key in keys:
        timeline = Timeline(outcomes(register.scope_rows(key, known_at), transitive=transitive))
        pieces = zip(timeline.spans(), timeline.outcomes, strict=True)
        for span, outcome in itertools.dropwhile(lambda piece: piece[1].kind is Kind.GAP, pieces):
            decides = outcome.kind is Kind.REVISION
            found.append(
                (
                    *key,
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
