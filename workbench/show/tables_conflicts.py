"""Which scopes have a conflict or a gap when, between whom, and who owns it: a register's open questions as a frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from workbench.contract import Actor, Operator, Scope
from workbench.show.tables_bars import Bar, BarKind, Seen, deciding, tenant_of
from workbench.show.tables_timeline import bar_frame
from workbench.validity.applicable import scopes_for
from workbench.validity.register import Register

WORST: Final = (BarKind.CONFLICT, BarKind.UNKNOWN, BarKind.GAP, BarKind.UNAVAILABLE)
"""The kinds of a conflict map, in the order of its lanes."""

PARTS: Final = ("family", "procedure", "configuration", "region")


def conflicts(
    register: Register, *, actor: Actor | Operator, known_at: object = None, tenant: str | None = None
) -> pl.DataFrame:
    """Which scopes have no single revision when, and who has to decide: a row for each such stretch of each scope.

    ``lane`` names the scope (its ``family``, ``procedure``, ``configuration`` and ``region`` follow); scopes with a
    conflict come first, then those with an unknown successor, then gaps. Times and ``kind`` are as in
    ``tables.timeline``; of a scope nothing is listed before it first has an answer, and everything else that is not
    exactly one revision is. ``rivals`` are those of a conflict; ``owner`` is who has to decide or to approve (null
    where nobody is stated).

    Stewards of the tenant and the operator see what the rows say of every scope. Anybody else sees, of the scopes that
    its drop-downs offer, what the resolver answers: conflicts of which it may read all rivals, with their owner, and
    stretches that are ``unavailable``, without one. ``known_at`` is a recorded time; ``tenant`` is for the operator of
    several tenants. Raises RequestError where the time is none, or the tenant is not said. Contract 3.6, 3.8, 3.9.

    >>> from workbench.contract import OPERATOR
    >>> register = Register.read("data/handbooks-register")
    >>> conflicts(register, actor=OPERATOR, tenant="grauwede").select("procedure", "kind", "rivals", "owner").rows()[0]
    ('dichtungswechsel', 'conflict', ['kr-bwh-r2', 'kr-sb-23'], 'Fachstelle Dichtungstechnik')
    """
    tenant = tenant_of(register, actor, tenant)
    seen = register if known_at is None else register.as_known_at(known_at)
    worst = {kind: place for place, kind in enumerate(WORST)}
    found: list[tuple[int, Seen, list[Bar]]] = []
    for scope in _scopes(seen, actor, tenant):
        look = Seen(seen, scope, tenant, actor)
        open_ = [replace(bar, lane=lane_of_scope(scope)) for bar in _open(look)]
        if open_:
            found.append((min(worst[bar.kind] for bar in open_), look, open_))
    found.sort(key=lambda each: each[0])
    frame = bar_frame((bar for _, _, open_ in found for bar in open_), seen.settings.valid)
    rows = [(*look.scope.parts(), _owner(look, bar)) for _, look, open_ in found for bar in open_]
    more = pl.DataFrame(rows, schema=dict.fromkeys((*PARTS, "owner"), pl.String), orient="row")
    times = ("start", "start_kind", "end", "end_kind")
    return pl.concat([frame, more], how="horizontal").select("lane", *PARTS, "kind", *times, "rivals", "owner", "label")


def lane_of_scope(scope: Scope) -> str:
    """A scope as its lane is named."""
    return " / ".join(part or "?" for part in scope.parts())


def _scopes(register: Register, actor: Actor | Operator, tenant: str) -> Iterator[Scope]:
    if not register.is_steward(actor, tenant):
        assert isinstance(actor, Actor), "the operator is a steward everywhere"
        yield from scopes_for(register, actor)
        return
    for key in sorted(key for key in register.by_scope if key.tenant == tenant):
        rows = register.scope_rows(key, None)
        if rows.rows or rows.relations:
            yield Scope(*key[1:])


def _open(seen: Seen) -> list[Bar]:
    """The stretches of a scope that are not one revision, without what lies before its first answer."""
    first, *told = deciding(seen)
    if first.kind not in (BarKind.GAP, BarKind.UNAVAILABLE):
        told.insert(0, first)
    return [bar for bar in told if bar.kind is not BarKind.REVISION]


def _owner(seen: Seen, bar: Bar) -> str | None:
    """Who has to decide or approve; for a gap that is whoever owns what ended last before it, as in the check."""
    if bar.kind is BarKind.UNAVAILABLE:
        return None  # an owner would say that there is something
    rows = seen.rows().rows
    ended = [row for row in rows if row.valid.end <= bar.span.start] or list(rows)
    last = max(ended, key=lambda row: (row.valid.end, row.row), default=None)
    others = [last.revision_id] if last else []
    family, procedure = seen.scope.family or "", seen.scope.procedure or ""
    return seen.register.owner_of(family, procedure, bar.rivals or others)


def drawn_conflicts(bars_drawn: pl.DataFrame, owners: Mapping[str, str]) -> pl.DataFrame:
    """What was read back from a conflict map's artists: its bars, each with the owner written beside its lane."""
    return bars_drawn.with_columns(owner=pl.col("lane").replace_strict(owners, default=None, return_dtype=pl.String))
