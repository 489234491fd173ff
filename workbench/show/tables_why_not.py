"""Why each other revision does not decide at an instant: from the record, or from public answers alone (3.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from workbench.contract import Actor, Clock, Operator, Request, Scope, Status
from workbench.show.tables_bars import ALWAYS, DECIDES, BarKind, Seen, bars, seen_by
from workbench.validity.instants import TimeRule
from workbench.validity.register import Register
from workbench.validity.requests import now_of

SCHEMA: Final = {
    "revision_id": pl.String(),
    "verdict": pl.String(),
    "interval": pl.String(),
    "configuration": pl.String(),
    "region": pl.String(),
    "approval_ref": pl.String(),
    "row": pl.Int64(),
}


def why_not(
    register: Register,
    scope: Scope,
    *,
    actor: Actor | Operator,
    at: object = None,
    language: str | None = None,
    known_at: object = None,
    tenant: str | None = None,
    clock: Clock | None = None,
) -> pl.DataFrame:
    """What became of each revision of a scope at an instant: a frame with one row for each of them.

    For stewards and the operator these are the rows of ``register.explain``, other configurations and regions of the
    procedure included, with ``approval_ref`` and source ``row``. Anybody else is told what the public answers over all
    time say, and nothing of rows: the revisions that it is given at some instant, each stretch with its ``interval``
    and a ``verdict``: ``DECIDES``, ``RIVAL``, ``NO_EDITION`` (decides, but not in the language that is asked for),
    ``GIVEN_EARLIER`` or ``GIVEN_LATER``. An empty frame where the request is refused. Without ``at`` it is about what
    the clock says, as ``register.resolve`` is. Raises RequestError as
    ``tables.timeline``. Contract 3.6; S1, "Warum nicht".

    >>> register = Register.read("data/pump-seal")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> why_not(register, seal, actor=Actor("werk-nord", {"wartung"}), at=6).select("revision_id", "verdict").rows()
    [('manual-A', 'GIVEN_EARLIER'), ('bulletin-B', 'DECIDES'), ('manual-C', 'GIVEN_LATER')]
    """
    seen = seen_by(register, scope, actor, known_at=known_at, tenant=tenant)
    request = Request(scope, at=at, language=language, known_at=known_at)
    if seen.protected:
        why = register.explain(request, seen.reader, reader=actor, clock=clock)
        rows = [{name: getattr(row, name) for name in SCHEMA} for row in why.rows]
    else:
        rows = list(_told(seen, request, clock))
    return pl.DataFrame(rows, schema=SCHEMA)


def _told(seen: Seen, request: Request, clock: Clock | None) -> Iterator[dict[str, object]]:
    """The stretches in which this actor is given a revision, and where the instant stands to them."""
    valid = seen.register.settings.valid
    decision = seen.register.resolve(request, seen.reader, clock=clock)
    if decision.status in (Status.MISSING_SCOPE, Status.HISTORY_UNAVAILABLE):
        return
    t = now_of(valid, clock) if request.at is None else valid.read(request.at)
    assert t is not None, "a request without a time is refused"
    now = {
        Status.UNRESOLVED_AUTHORITY: "RIVAL",
        Status.NO_EQUIVALENT_EDITION: "NO_EDITION",
    }.get(decision.status, "DECIDES")
    for bar in bars(seen):
        if bar.lane == DECIDES or bar.kind is not BarKind.REVISION:
            continue
        place = "GIVEN_EARLIER" if bar.span.end <= t else "GIVEN_LATER" if bar.span.start > t else now
        yield {
            "revision_id": bar.revision_id,
            "verdict": place,
            "interval": f"[{_spelled(valid, bar.span.start)},{valid.spell(bar.span.end)})",
            "configuration": seen.scope.configuration,
            "region": seen.scope.region,
        }


def _spelled(valid: TimeRule, t: int) -> str:
    return "always" if t == ALWAYS else valid.spell(t)
