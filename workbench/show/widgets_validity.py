"""The validity panel: which instruction is in force for a scope as of one time, as known at another, and why no other.

Everything shown comes from the functions that the next cell can call: ``register.resolve``, ``tables.timeline`` with
``plots.timeline``, and ``tables.why_not``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from ipywidgets import HTML, SelectionSlider, VBox

from workbench.contract import Actor, Clock, Decision, Operator, Request, Scope, Status
from workbench.errors import RequestError
from workbench.show.plots_canvas import Cursor
from workbench.show.plots_grammar import DPI, Picture, TimeAxis, colours
from workbench.show.plots_timeline import draw
from workbench.show.tables_bars import Seen, bars, seen_by
from workbench.show.tables_timeline import Frame, timeline_frame
from workbench.show.tables_why_not import why_not
from workbench.show.widgets_scope import ScopeBox, given_scope
from workbench.show.widgets_status import StatusLine
from workbench.show.widgets_stops import NOW, TODAY, label_of, recorded_stops, stops
from workbench.show.widgets_validity_text import here, in_words, why_table
from workbench.show.widgets_writing import STYLE, badge, line, paragraph, pictured
from workbench.validity.instants import InstantError, TimeRule
from workbench.validity.register import Register
from workbench.validity.requests import now_of

NOWHERE: Final = Scope(None, None, None, None)


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a scope as known at one time: who looks, and the timeline's frame."""

    seen: Seen
    frame: Frame


class Validity(VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The panel of :func:`validity`. ``scope`` holds the lists, ``as_of`` and ``known`` are its sliders.

    What is on the screen: ``decision`` and ``request``, the timeline's ``frame`` and ``picture``, and ``why`` with the
    rows of the table.
    """

    def __init__(
        self,
        register: Register,
        *,
        actor: Actor | Operator,
        scope: Scope | None,
        at: object,
        known_at: object,
        language: str | None,
        tenant: str | None,
        clock: Clock | None,
    ) -> None:
        self._register, self._actor, self._clock = register, actor, clock
        first = seen_by(register, scope or NOWHERE, actor, tenant=tenant)
        self._tenant, self._reader = first.tenant, first.reader
        self._looks: dict[tuple[Scope, object], Look] = {}
        self._paint: dict[str, str] = {}
        self._held = False
        self.decision: Decision | None = None
        self.request: Request | None = None
        self.frame: Frame | None = None
        self.picture: Picture | None = None
        self.why: Frame | None = None
        self.actor = HTML(paragraph(f"Looking as {actor!r}"))
        self.scope = ScopeBox(register, self._reader, given=scope, language=language, prefix="wb-validity")
        self.as_of = _slider("as of")
        self.known = _slider("known at")
        self.status = StatusLine("wb-validity-status")
        self.shown, self.timeline, self.table = HTML(), HTML(), HTML()
        named = {"actor": self.actor, "asof": self.as_of, "known": self.known, "decision": self.shown}
        for name, widget in {**named, "timeline": self.timeline, "why": self.table}.items():
            widget.add_class(f"wb-validity-{name}")
        begin = _read("at", register.settings.valid, at)
        self._offer_known(_read("known_at", register.settings.recorded, known_at))
        self._offer_times(begin)
        self.scope.tell(self._other_scope)
        self.known.observe(lambda _: self._other_known(), "value")
        self.as_of.observe(lambda _: self._moved(), "value")
        controls = [HTML(STYLE), self.actor, self.scope, self.as_of, self.known]
        super().__init__([*controls, self.status, self.shown, self.timeline, self.table])
        self.add_class("wb-validity")
        self.add_class("wb-panel")
        self._write()

    def __repr__(self) -> str:
        return f"Validity({self.decision!r})"

    @property
    def known_at(self) -> object:
        """The recorded time that is chosen; ``None`` for the register as corrected today."""
        return None if self.known.value == TODAY else self.known.value

    # --- sliders -------------------------------------------------------------------------------------------------

    def _offer_known(self, kept: int | None) -> None:
        """Where "known at" stops: where what this actor is told changes, and "as corrected today" at the right end."""
        recorded = self._register.settings.recorded
        seen = seen_by(self._register, self.scope.scope, self._actor, tenant=self._tenant)
        found = recorded_stops(seen)
        places = sorted({*found, *([] if kept is None else [kept])})
        options = [(_worded(recorded, place), recorded.public(place)) for place in places]
        chosen = TODAY if kept is None else recorded.public(kept)
        self._set(self.known, [*options, (TODAY, TODAY)], chosen)

    def _offer_times(self, kept: int | None) -> None:
        """Where "as of" stops: at the boundaries of what this actor is told, and where it was; and at "now"."""
        valid = self._register.settings.valid
        places = stops(bars(self._look().seen), logical=valid.kind == "logical", at=kept)
        now = now_of(valid, self._clock)
        if now is not None and kept is None and places == [0]:
            places = []  # nothing is known here, and there is a now to stand at
        options: list[tuple[str, object]] = [(_worded(valid, place), valid.public(place)) for place in places]
        if now is not None:
            options.insert(bisect_right(places, now), (NOW, NOW))
        first = NOW if now is not None else valid.public(places[0])
        self._set(self.as_of, options, first if kept is None else valid.public(kept))

    @property
    def _kept(self) -> int | None:
        """Where "as of" stands; ``None`` for now."""
        return None if self.as_of.value == NOW else self._register.settings.valid.read(self.as_of.value)

    def _set(self, slider: Any, options: Sequence[tuple[str, object]], value: object) -> None:
        self._held = True
        try:
            if list(slider.options) != options:
                slider.options = options
            slider.value = value
        finally:
            self._held = False

    def _other_scope(self) -> None:
        with self.status.working("reading the register for this scope…"):
            known = self.known_at
            self._offer_known(None if known is None else self._register.settings.recorded.read(known))
            self._offer_times(self._kept)
        self._write()

    def _other_known(self) -> None:
        if not self._held:
            with self.status.working("reading the register as known then…"):
                self._offer_times(self._kept)
            self._write()

    def _moved(self) -> None:
        if not self._held:
            self._write()

    # --- what is shown -------------------------------------------------------------------------------------------

    def _look(self) -> Look:
        scope, known_at = self.scope.scope, self.known_at
        found = self._looks.get((scope, known_at))
        if found is None:
            seen = seen_by(self._register, scope, self._actor, known_at=known_at, tenant=self._tenant)
            found = self._looks[scope, known_at] = Look(seen, timeline_frame(seen))
            # A revision keeps its colour through every position of the sliders.
            self._paint = colours([*self._paint, *found.frame["revision_id"]])
        return found

    def _write(self) -> None:
        """Everything is made first and then shown, so that no part of the screen answers another question."""
        parts = (self.shown, self.timeline, self.table)
        for part in parts:
            part.add_class("wb-old")
        try:
            with self.status.working("reading the register…", failed=self._clear):
                self._answer()
        finally:
            for part in parts:
                part.remove_class("wb-old")

    def _clear(self) -> None:
        self.decision, self.request, self.frame, self.picture, self.why = None, None, None, None, None
        self.shown.value = self.timeline.value = self.table.value = ""

    def _answer(self) -> None:
        look, clock = self._look(), self._stopped()
        request = Request(
            self.scope.scope,
            at=None if self.as_of.value == NOW else self.as_of.value,
            language=self.scope.asked_language,
            known_at=self.known_at,
        )
        decision = self._register.resolve(request, look.seen.reader, clock=clock)
        protected, reason = look.seen.protected, None
        if protected:
            why = self._register.explain(request, look.seen.reader, reader=self._actor, clock=clock)
            reason = why.reason.value
        rows = why_not(
            self._register,
            request.scope,
            actor=self._actor,
            at=request.at,
            language=request.language,
            known_at=request.known_at,
            tenant=self._tenant,
            clock=clock,
        )
        picture = self._drawn(look, decision, request.at if clock is None or request.at is not None else clock())
        asked = decision.status is not Status.MISSING_SCOPE
        drawn = pictured(_png(picture), in_words(look.frame, decision)) if asked else ""
        shown = badge(decision, here(decision)), drawn
        table = why_table(rows, protected=protected, reason=reason, asked=asked)
        self.decision, self.request, self.frame, self.picture, self.why = (
            decision,
            request,
            look.frame,
            picture,
            rows,
        )
        self.shown.value, self.timeline.value = shown
        self.table.value = table
        self.status.say(line(f"As of {self.as_of.label}: {decision!r}"))

    def _stopped(self) -> Clock | None:
        """The clock, stopped at what it says now, so that decision, table and cursor speak of one instant."""
        valid = self._register.settings.valid
        now = now_of(valid, self._clock)
        moment = None if now is None else valid.public(now)
        return None if moment is None or isinstance(moment, str) else lambda: moment

    def _drawn(self, look: Look, decision: Decision, at: object) -> Picture:
        """As ``plots.timeline`` draws it, with the cursor's words of the language that is asked for."""
        settings, scope = self._register.settings, look.seen.scope
        title = " · ".join(part or "?" for part in scope.parts())
        if self.known_at is not None:
            title += f" · as known at {settings.recorded.spell(settings.recorded.read(self.known_at))}"
        zone = settings.valid.days.zone if settings.valid.days else "UTC"
        cursor = Cursor(at, repr(decision))
        return draw(look.frame, title=title, subject=repr(scope), zone=zone, cursor=cursor, colours=self._paint)


def _read(field: str, rule: TimeRule, value: object) -> int | None:
    try:
        return None if value is None else rule.read(value)
    except InstantError as error:
        raise RequestError(field, str(error)) from None


def _worded(rule: TimeRule, place: int) -> str:
    axis = TimeAxis(rule.kind, 0, rule.days.zone if rule.days else "UTC")
    return label_of(axis, rule.public(place))


def _png(picture: Picture) -> bytes:
    buffer = BytesIO()
    # Packed less: a tenth larger and a tenth of the time sooner on the screen.
    picture.savefig(buffer, format="png", dpi=DPI, pil_kwargs={"compress_level": 1})
    return buffer.getvalue()


def _slider(name: str) -> Any:
    made = SelectionSlider(options=[TODAY], value=TODAY, description=name, continuous_update=True)
    made.layout.width = "95%"
    return made


def validity(
    register: Register,
    *,
    actor: Actor | Operator,
    scope: Scope | None = None,
    at: object = None,
    known_at: object = None,
    language: str | None = None,
    tenant: str | None = None,
    clock: Clock | None = None,
) -> Validity:
    """Which instruction is in force for a scope, as of one time and as known at another, and why no other: a panel.

    Lists for scope and language, which offer what the actor may know; a slider for valid time and one for recorded
    time, both moved with the arrow keys, which stop wherever what this actor is told changes; the decision with the
    owner of a conflict; the timeline with the cursor; and the table of what became of each other revision: for stewards
    and the operator the protected record, for anybody else what the public answers say (contract 3.6). ``scope``,
    ``at``, ``known_at`` and ``language`` are where it starts, by default now where the register or ``clock`` has a now;
    ``tenant`` is for the operator of several tenants. Raises RequestError where a time is none, or the tenant has to be
    said.

    >>> register = Register.read("data/pump-seal-corrected")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> panel = validity(register, actor=Actor("werk-nord", {"wartung"}), scope=seal, at=6)
    >>> panel
    Validity(Decision(RESOLVED bulletin-B [5,10) at 6, en, historical))
    >>> panel.known.value = 0
    >>> panel
    Validity(Decision(RESOLVED manual-A [0,10) at 6, en, historical))
    """
    return Validity(
        register,
        actor=actor,
        scope=given_scope(scope),
        at=at,
        known_at=known_at,
        language=language,
        tenant=tenant,
        clock=clock,
    )
