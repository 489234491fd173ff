"""Valid time and recorded time of one scope as a frame: one row for each rectangle that the picture draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import polars as pl

from workbench.contract import Actor, Decision, Operator, Scope, Status
from workbench.intervals import UNBOUNDED, Interval
from workbench.show.tables_bars import ALWAYS, DECIDES, Bar, BarKind, Seen, answered, deciding, seen_by
from workbench.show.tables_timeline import bound_kind, instant, time_type
from workbench.validity.instants import TimeRule
from workbench.validity.register import Register

AXES: Final = ("valid", "recorded")
ALL_TIME: Final = Interval(ALWAYS, UNBOUNDED)


@dataclass(frozen=True, slots=True)
class Rectangle:
    """What the register decides for ``bar.span``, as it said within ``recorded``."""

    bar: Bar
    recorded: Interval


def bitemporal(register: Register, scope: Scope, *, actor: Actor | Operator, tenant: str | None = None) -> pl.DataFrame:
    """What the register says of each valid time, as known at each recorded time: one row for each rectangle.

    The rectangles cover both axes without a hole and never overlap: ``[valid_from, valid_to)`` by ``[recorded_from,
    recorded_to)``, each bound in its axis' type and null where there is none, with its ``_kind`` in words. Read across
    at one recorded time, they are what could have been known then; the uppermost ones are the register as corrected
    today. ``kind``, ``label`` and ``rivals`` are those of the lane ``decides`` in ``tables.timeline``, and what an
    actor may not read is left out as there. Before ``history_from``, and everywhere if none is declared, the kind is
    ``refused``. Raises RequestError as ``tables.timeline``. Contract 3.2, 3.6; S1 on valid and transaction time.

    >>> from workbench.contract import OPERATOR
    >>> register = Register.read("data/pump-seal-corrected")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> frame = bitemporal(register, seal, actor=OPERATOR)
    >>> frame.filter(label="bulletin-B").select("valid_from", "valid_to", "recorded_from", "recorded_to").rows()
    [(5, 10, 8, None)]
    """
    return bitemporal_frame(seen_by(register, scope, actor, tenant=tenant))


def bitemporal_frame(seen: Seen) -> pl.DataFrame:
    """The frame of one look at a scope."""
    settings = seen.register.settings
    rows = [
        {
            "kind": str(found.bar.kind),
            "revision_id": found.bar.revision_id,
            "label": found.bar.label,
            "rivals": list(found.bar.rivals),
            **_bounds("valid", found.bar.span, settings.valid),
            **_bounds("recorded", found.recorded, settings.recorded),
        }
        for found in rectangles(seen)
    ]
    schema = {"kind": pl.String(), "revision_id": pl.String(), **_columns(settings.valid, settings.recorded)}
    return pl.DataFrame(rows, schema={**schema, "label": pl.String(), "rivals": pl.List(pl.String())})


def drawn_rectangles(drawn: Iterable[Mapping[str, object]], valid: TimeRule, recorded: TimeRule) -> pl.DataFrame:
    """What was read back from a picture's artists, as a frame; ``label`` is the text written, ``fill`` its colour."""
    schema = {"kind": pl.String(), **_columns(valid, recorded), "label": pl.String(), "fill": pl.String()}
    return pl.DataFrame(list(drawn), schema=schema)


def rectangles(seen: Seen) -> list[Rectangle]:
    """The rectangles by recorded, then valid time. What stays as it was from one recorded time to the next is one."""
    done: list[Rectangle] = []
    growing: dict[Bar, Interval] = {}
    for recorded, said in _stretches(seen):
        grown = {bar: Interval(growing.pop(bar, recorded).start, recorded.end) for bar in said}
        done += [Rectangle(bar, span) for bar, span in growing.items()]
        growing = grown
    done += [Rectangle(bar, span) for bar, span in growing.items()]
    return sorted(done, key=lambda found: (found.recorded, found.bar.span))


def _stretches(seen: Seen) -> Iterator[tuple[Interval, list[Bar]]]:
    """Recorded time, cut wherever a row of the scope comes or goes, and what is decided as known in each piece."""
    first = seen.register.settings.history_from
    if seen.refusal() is not None:
        yield ALL_TIME, deciding(seen)
        return
    unheard = Bar(DECIDES, BarKind.REFUSED, ALL_TIME, label=repr(Decision(Status.HISTORY_UNAVAILABLE)))
    yield Interval(ALWAYS, UNBOUNDED if first is None else first), [unheard]
    if first is None:
        return
    scope = seen.all_rows()
    spans = [*(row.recorded for row in scope.rows), *(relation.recorded for relation in scope.relations)]
    cuts = sorted({first, *(bound for span in spans for bound in span if bound > first), UNBOUNDED})
    for start, end in pairwise(cuts):
        then = replace(seen, known_at=seen.register.settings.recorded.public(start))
        yield Interval(start, end), answered(then)


def _bounds(axis: str, span: Interval, rule: TimeRule) -> dict[str, object]:
    return {
        f"{axis}_from": instant(rule, span.start),
        f"{axis}_from_kind": bound_kind(span.start),
        f"{axis}_to": instant(rule, span.end),
        f"{axis}_to_kind": bound_kind(span.end),
    }


def _columns(valid: TimeRule, recorded: TimeRule) -> dict[str, pl.DataType]:
    columns: dict[str, pl.DataType] = {}
    for axis, rule in zip(AXES, (valid, recorded), strict=True):
        for bound in ("from", "to"):
            columns |= {f"{axis}_{bound}": time_type(rule), f"{axis}_{bound}_kind": pl.String()}
    return columns
