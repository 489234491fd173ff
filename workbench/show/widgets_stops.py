"""Where a slider over time stops: wherever what the actor is told changes, and nowhere that would betray more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from workbench.intervals import UNBOUNDED
from workbench.show.plots_grammar import TimeAxis
from workbench.show.tables_bars import ALWAYS, Bar, Seen, bars

EVERY_STEP: Final = 1000
"""Up to so many logical steps, the slider stops at each; beyond, at the boundaries and between them."""

TODAY: Final = "as corrected today"
"""The right end of a slider over recorded time."""

NOW: Final = "now"
"""The stop at which a request is about the present, and the decision current."""


def stops(drawn: Sequence[Bar], *, logical: bool, at: int | None = None) -> list[int]:
    """Where a slider over these bars stops, ascending: from before the first boundary to after the last."""
    known = sorted({bound for bar in drawn for bound in bar.span} - {ALWAYS, UNBOUNDED})
    if not known:
        if at is None:
            return [0]
        return sorted({0, at}) if logical else [at]  # the beginning of a calendar means nothing
    margin = 1 if logical else max(known[-1] - known[0], 86_400_000_000) // 10
    first, last = known[0] - margin, known[-1] + margin
    if logical and last - first <= EVERY_STEP:
        found = set(range(first, last + 3))
    else:
        between = {(one + other) // 2 for one, other in pairwise(known)}
        found = {first, last, *known, *(bound - 1 for bound in known), *between}
    return sorted(found | ({at} if at is not None else set()))


def recorded_stops(seen: Seen) -> list[int]:
    """The recorded times at which what this actor is told of the scope changes, the start of the history first.

    None where no history is declared, or the request is refused at any time. A row that the actor may not know of and
    that changes nothing for it is no stop.
    """
    settings = seen.register.settings
    first = settings.history_from
    if first is None or seen.refusal() is not None:
        return []
    scope = seen.all_rows()
    spans = [*(row.recorded for row in scope.rows), *(relation.recorded for relation in scope.relations)]
    cuts = sorted({first, *(bound for span in spans for bound in span if first < bound < UNBOUNDED)})
    found: list[int] = []
    said: list[Bar] | None = None
    for cut in cuts:
        told = bars(replace(seen, known_at=settings.recorded.public(cut)))
        if told != said:
            found.append(cut)
        said = told
    return found


def label_of(axis: TimeAxis, value: object) -> str:
    """How a stop is written beside the slider."""
    return " ".join(axis.labels([value])[0].split())
