"""How much of what is named has exactly one revision at an instant, by configuration and region, as a frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import polars as pl

from workbench.contract import Actor, Operator, Request, Scope, Status
from workbench.errors import RequestError
from workbench.show.tables_bars import tenant_of
from workbench.validity.applicable import scopes_for
from workbench.validity.instants import InstantError
from workbench.validity.register import Register
from workbench.validity.rows import ScopeKey

KINDS: Final = ("revision", "conflict", "unknown", "gap", "elsewhere", "unavailable")
"""What can be said of a procedure in a cell: what decides it, or why nothing does."""

CELLS: Final = 40
"""How many configurations, or regions, a picture shows one by one."""


class Slot(NamedTuple):
    """What a cell counts: one procedure of a family for a configuration, and what is said of it in a region."""

    configuration: str
    region: str
    kind: str


def coverage(
    register: Register,
    *,
    actor: Actor | Operator,
    at: object,
    known_at: object = None,
    tenant: str | None = None,
) -> pl.DataFrame:
    """Of the procedures named for a configuration, how many have exactly one revision at an instant in each region.

    A row for each leaf configuration and region: ``scopes`` counts the procedures for which anything is approved for
    the configuration in some region, ``revision`` those with exactly one revision at ``at`` here, and the others by
    what they have in its place: ``conflict``, ``unknown`` (the successor is), ``gap`` (nothing now) and ``elsewhere``
    (never anything in this region) for stewards of the tenant and the operator; ``unavailable`` is what anybody else
    is told of the last three alike, and of what it may not read. Such an actor's rows are those procedures that its
    drop-downs offer, and count what the resolver answers it. ``share`` is ``revision`` by ``scopes``, 0 to 1.

    ``known_at`` is a recorded time; ``tenant`` is for the operator of several tenants. Raises RequestError where a time
    is none, or the tenant is not said. Contract 3.6, 3.9, 3.12.

    >>> from workbench.contract import OPERATOR
    >>> register = Register.read("data/pump-seal")
    >>> coverage(register, actor=OPERATOR, at=6).select("configuration", "region", "scopes", "revision", "share").rows()
    [('C2', 'EU', 1, 1, 1.0)]
    """
    tenant = tenant_of(register, actor, tenant)
    seen = register if known_at is None else register.as_known_at(known_at)
    try:
        t = seen.settings.valid.read(at)
    except InstantError as error:
        raise RequestError("at", str(error)) from None
    if seen.is_steward(actor, tenant):
        return _frame(_recorded(seen, tenant, t))
    assert isinstance(actor, Actor), "the operator is a steward everywhere"
    return _frame(_told(seen, actor, at))


def _recorded(register: Register, tenant: str, t: int) -> Iterator[Slot]:
    """What the register's rows say, for stewards and the operator."""
    keys = {key for key in register.by_scope if key.tenant == tenant}
    keys = {key for key in keys if (rows := register.scope_rows(key, None)).rows or rows.relations}
    for key in _cells(keys):
        found = register.timeline(key, None).at(t) if key in keys else None
        yield Slot(key.configuration, key.region, "elsewhere" if key not in keys else found[1].kind if found else "gap")


def _told(register: Register, actor: Actor, at: object) -> Iterator[Slot]:
    """What the resolver tells this actor, of the procedures that it may know of."""
    said = {Status.RESOLVED: "revision", Status.UNRESOLVED_AUTHORITY: "conflict"}
    offered = (scope.parts() for scope in scopes_for(register, actor))
    keys = {ScopeKey(actor.tenant, *(part or "" for part in parts)) for parts in offered}
    for key in _cells(keys):
        decision = register.resolve(Request(Scope(*key[1:]), at=at), actor)
        yield Slot(key.configuration, key.region, said.get(decision.status, "unavailable"))


def _cells(keys: Iterable[ScopeKey]) -> list[ScopeKey]:
    """Every procedure that is named for a configuration, in every region."""
    known = set(keys)
    regions = sorted({key.region for key in known})
    named = sorted({key._replace(region="") for key in known})
    return [key._replace(region=region) for key in named for region in regions]


def _frame(slots: Iterable[Slot]) -> pl.DataFrame:
    counts = Counter(slots)
    cells = sorted({(slot.configuration, slot.region) for slot in counts})
    rows = [{"configuration": c, "region": r, **{kind: counts[Slot(c, r, kind)] for kind in KINDS}} for c, r in cells]
    text = {"configuration": pl.String, "region": pl.String}
    return _shared(pl.DataFrame(rows, schema={**text, **dict.fromkeys(KINDS, pl.Int64)}))


def _shared(frame: pl.DataFrame) -> pl.DataFrame:
    columns = [name for name in frame.columns if name not in ("scopes", "share")]
    counted = frame.select(columns).with_columns(scopes=pl.sum_horizontal(*KINDS))
    first = [name for name in columns if name not in KINDS]
    return counted.select(*first, "scopes", *KINDS, (pl.col("revision") / pl.col("scopes")).alias("share"))


def binned_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of :func:`coverage` as a picture can show it: with a column ``rows``, how many rows of it a cell holds.

    Given back as it is up to 40 configurations and 40 regions. Else neighbouring ones are added up to at most 40, each
    named by its first and last; the ``rows`` add up to the frame's height.
    """
    names = {side: frame[side].unique().sort().to_list() for side in ("configuration", "region")}
    if all(len(found) <= CELLS for found in names.values()):
        return frame
    renamed = frame.with_columns(pl.col(side).replace(_bins(found)) for side, found in names.items())
    cells = renamed.group_by("configuration", "region", maintain_order=True)
    return _shared(cells.agg(pl.sum(*KINDS), pl.len().cast(pl.Int64).alias("rows")))


def _bins(names: list[str]) -> Mapping[str, str]:
    per = -(-len(names) // CELLS)
    parts = [names[start : start + per] for start in range(0, len(names), per)]
    return {
        name: part[0] if len(part) == 1 else f"{part[0]} … {part[-1]} ({len(part)})" for part in parts for name in part
    }


def drawn_cells(rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    """What was read back from a coverage picture's artists: each cell, its words, and the share of it by kind."""
    text = {"configuration": pl.String, "region": pl.String, "words": pl.String}
    return pl.DataFrame(list(rows), schema={**text, **dict.fromkeys(KINDS, pl.Float64)})
