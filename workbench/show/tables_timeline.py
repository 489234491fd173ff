"""The validity timeline as a frame: one row for each bar that the picture draws (contract 3.6, 3.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import polars as pl

from workbench.contract import Actor, Operator, Scope
from workbench.intervals import UNBOUNDED
from workbench.show.tables_bars import ALWAYS, Bar, Seen, bars, seen_by
from workbench.validity.instants import Kind, TimeRule
from workbench.validity.register import Register

Frame = pl.DataFrame
"""The type of all frames, for modules that take one and need nothing else of Polars."""

INSTANT: Final = "instant"
UNBOUNDED_KIND: Final = "unbounded"


def timeline(
    register: Register, scope: Scope, *, actor: Actor | Operator, known_at: object = None, tenant: str | None = None
) -> pl.DataFrame:
    """Which revision decides a scope when, and why: a frame with one row for each bar of its timeline.

    The lane ``decides`` covers all time, from always on to ever after, and says at every instant what the resolver
    says; the lanes below it are its reasons. ``start`` is included, ``end`` excluded (Int64 steps in a logical
    register, else Datetime in UTC); each is null where there is none, and ``start_kind`` and ``end_kind`` say so in
    words (``instant`` or ``unbounded``). ``kind`` is one of

    - ``revision``: it applies; ``superseded``: approved, but replaced (``superseded_by``, or ``unknown``);
    - ``conflict``: several are left without precedence (``rivals``); ``gap``: none; ``unknown``: the successor is
      known to exist, but not recorded; these with the source ``row`` for stewards of the tenant and the operator only;
    - ``unavailable``: what anybody else is told of all three alike, and of what it may not read. Its frame holds what
      the public answers say and nothing else: no rows, no supersessions, no lane of a revision that it is never given;
    - ``refused``: the request itself is (fields missing, no such history); the ``label`` is the decision's repr.

    ``known_at`` is a recorded time; ``tenant`` is for the operator of several tenants. Raises RequestError where the
    scope or a time is none. Contract 3.6, 3.9; S1, the diagram of the synthetic validity time.

    >>> from workbench.contract import OPERATOR
    >>> register = Register.read("data/pump-seal")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> frame = timeline(register, seal, actor=OPERATOR)
    >>> frame.filter(lane="decides").select("label", "start", "end").rows()
    [('nothing applies', None, 0), ('manual-A', 0, 5), ('bulletin-B', 5, 10), ('manual-C', 10, None)]
    """
    return timeline_frame(seen_by(register, scope, actor, known_at=known_at, tenant=tenant))


def timeline_frame(seen: Seen) -> pl.DataFrame:
    """The timeline's frame of one look at a scope."""
    return bar_frame(bars(seen), seen.register.settings.valid)


def drawn_frame(drawn: Iterable[Mapping[str, object]], kind: Kind) -> pl.DataFrame:
    """What was read back from a picture's artists, as a frame; ``label`` is the text at a bar, ``fill`` its colour."""
    when = time_type(TimeRule(kind))
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        "lane": pl.String,
        "kind": pl.String,
        "start": when,
        "start_kind": pl.String,
        "end": when,
        "end_kind": pl.String,
        "label": pl.String,
        "fill": pl.String,
    }
    return pl.DataFrame(list(drawn), schema=schema)


def time_kind(frame: pl.DataFrame) -> Kind:
    """Whether a timeline's frame counts steps or tells UTC time."""
    return "logical" if frame.schema["start"] == pl.Int64 else "utc"


def bar_frame(found: Iterable[Bar], valid: TimeRule) -> pl.DataFrame:
    """The bars as a frame, their times in the types of the register's axis."""
    rows = [
        {
            "lane": bar.lane,
            "kind": str(bar.kind),
            "revision_id": bar.revision_id,
            "start": instant(valid, bar.span.start),
            "start_kind": bound_kind(bar.span.start),
            "end": instant(valid, bar.span.end),
            "end_kind": bound_kind(bar.span.end),
            "label": bar.label,
            "rivals": list(bar.rivals),
            "superseded_by": bar.superseded_by,
            "row": bar.row,
        }
        for bar in found
    ]
    when = time_type(valid)
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        "lane": pl.String,
        "kind": pl.String,
        "revision_id": pl.String,
        "start": when,
        "start_kind": pl.String,
        "end": when,
        "end_kind": pl.String,
        "label": pl.String,
        "rivals": pl.List(pl.String),
        "superseded_by": pl.String,
        "row": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema)


def time_type(rule: TimeRule) -> pl.DataType:
    """The column type of an axis: steps, or microseconds in UTC."""
    return pl.Int64() if rule.kind == "logical" else pl.Datetime("us", "UTC")


def instant(rule: TimeRule, t: int) -> object:
    """An instant as a frame holds it; ``None`` for a bound that never comes, or has always been."""
    return None if t in (ALWAYS, UNBOUNDED) else rule.public(t)


def bound_kind(t: int) -> str:
    """Whether a bound is an instant or unbounded, in words: a null alone would be taken for a missing value."""
    return UNBOUNDED_KIND if t in (ALWAYS, UNBOUNDED) else INSTANT
