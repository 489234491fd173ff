"""Panels for a notebook: controls bound to the same plain functions that the next cell can call.

Text goes into HTML widgets that are written anew, never into an Output widget: nothing is removed before its
replacement is there, and what a notebook's test compares does not depend on how messages are routed.

Every control and every output bears a CSS class, by which a page, a style sheet and a test in the browser find it:

- ``validity_slider``: ``wb-slider``, ``wb-asof``, ``wb-decision``;
- ``tuner``: ``wb-tuner``, ``wb-tuner-kind``, ``-size``, ``-share``, ``-depth``, ``-numbers``, ``-curve``, ``-changes``,
  ``-question``, ``-before``, ``-now``, ``-status``;
- ``search``: ``wb-search``, ``wb-search-actor``, ``-family``, ``-procedure``, ``-configuration``, ``-region``,
  ``-language``, ``-source-language``, ``-at``, ``-match``, ``-limit``, ``-query``, ``-ask``, ``-status``,
  ``-decision``, ``-hits``, and in each hit (``wb-search-hit``) ``-quote``, ``-verify``, ``-verdict``, ``-open``,
  ``-source``, ``-place``, ``-score``; ``wb-old`` marks hits that answer another question than the one typed;
- ``validity``: ``wb-validity``, ``wb-validity-actor``, ``-family``, ``-procedure``, ``-configuration``, ``-region``,
  ``-language``, ``-asof``, ``-known``, ``-status``, ``-decision``, ``-timeline``, ``-why``.

The three panels also bear ``wb-panel``, and their status lines ``wb-status``.
"""

from __future__ import annotations

from typing import Any

from ipywidgets import HTML, SelectionSlider, VBox

from workbench.contract import Actor, Clock, Operator, Request, Scope
from workbench.errors import RequestError, WorkbenchError
from workbench.show.plots_grammar import TimeAxis
from workbench.show.tables_bars import bars, seen_by
from workbench.show.widgets_search import search as search
from workbench.show.widgets_status import ASK_AGAIN
from workbench.show.widgets_stops import label_of, stops
from workbench.show.widgets_tuner import tuner as tuner
from workbench.show.widgets_validity import validity as validity
from workbench.show.widgets_writing import problem
from workbench.validity.instants import InstantError
from workbench.validity.register import Register


def validity_slider(
    register: Register,
    scope: Scope,
    *,
    actor: Actor | Operator,
    at: object = None,
    known_at: object = None,
    tenant: str | None = None,
    clock: Clock | None = None,
) -> VBox:
    """Which instruction is in force as of the slider's time: a slider (arrow keys move it) above the decision.

    It stops at every boundary, just before it and between two of them (in a logical register at every step), so that no
    answer is skipped; the stops are those of the actor's own timeline. The decision below is the one that
    ``register.resolve`` gives for that time; ``panel.children`` are the slider and the HTML. ``at`` is where it starts.
    Raises RequestError where the scope or a time is none. Contract 3.6, 3.7.

    >>> register = Register.read("data/pump-seal")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> panel = validity_slider(register, seal, actor=Actor("werk-nord", {"wartung"}), at=4)
    >>> slider, shown = panel.children
    >>> slider.value = 10
    >>> "RESOLVED manual-C [10,unbounded) at 10" in shown.value
    True
    """
    seen = seen_by(register, scope, actor, known_at=known_at, tenant=tenant)
    valid = register.settings.valid
    axis = TimeAxis(valid.kind, 0, valid.days.zone if valid.days else "UTC")
    try:
        begin = None if at is None else valid.read(at)
    except InstantError as error:
        raise RequestError("at", str(error)) from None
    places = stops(bars(seen), logical=valid.kind == "logical", at=begin)
    values = [valid.public(place) for place in places]
    options = [(label_of(axis, value), value) for value in values]
    start = values[0] if begin is None else valid.public(begin)
    slider = SelectionSlider(options=options, value=start, description="as of", continuous_update=True)
    slider.layout.width = "95%"
    slider.add_class("wb-asof")
    shown = HTML()
    shown.add_class("wb-decision")

    def write(change: dict[str, Any]) -> None:
        request = Request(scope, at=change["new"], known_at=known_at)
        try:
            shown.value = register.resolve(request, seen.reader, clock=clock)._repr_html_()
        except WorkbenchError as error:
            shown.value = problem("This cannot be asked", error, ASK_AGAIN)

    slider.observe(write, "value")
    write({"new": start})
    panel = VBox([slider, shown])
    panel.add_class("wb-slider")
    return panel
