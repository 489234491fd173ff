"""Is this a request, is it complete, and can the register's history answer it? Contract 3.3 step (a), 3.7."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from workbench.contract import Clock, Decision, Request, Scope, Status, scope_value
from workbench.errors import RequestError
from workbench.validity.hierarchies import Hierarchy
from workbench.validity.instants import InstantError, TimeRule
from workbench.validity.settings import Settings

Mode = Literal["current", "historical", "planned"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A complete request: scope in NFC, one instant, its mode, and the recorded time where one was given."""

    family: str
    procedure: str
    configuration: str
    region: str
    at: int
    mode: Mode
    language: str | None
    known_at: int | None
    source_language: bool

    @property
    def scope(self) -> Scope:
        """The scope as the context carries it."""
        return Scope(self.family, self.procedure, self.configuration, self.region)


def examine(
    request: Request, settings: Settings, *, configurations: Hierarchy, regions: Hierarchy, clock: Clock | None
) -> Asked | Decision:
    """The request made complete, or the refusal that says what it lacks.

    Raises :class:`~workbench.errors.RequestError` naming the field where it is no request at all. The clock is read at
    most once. A declared value that is no leaf is a missing field: the register knows several it could stand for.
    """
    scope = _types(request)
    at = _instant("at", request.at, settings.valid)
    known_at = _instant("known_at", request.known_at, settings.recorded)
    if at is not None and request.mode == "current":
        raise RequestError("mode", "a current request takes its time from the clock; leave out at, or the mode")
    now = now_of(settings.valid, clock)

    missing = [
        name
        for name, value in zip(("family", "procedure", "configuration", "region"), scope, strict=True)
        if value is None
    ]
    family, procedure, configuration, region = (value or "" for value in scope)
    for name, value, hierarchy in (("configuration", configuration, configurations), ("region", region, regions)):
        if value and hierarchy.standing(value) == "inner":
            missing.append(name)
    if at is None and (request.mode == "historical" or now is None):
        missing.append("time")
    if missing:
        return Decision(Status.MISSING_SCOPE, missing=tuple(missing))

    if known_at is not None and (settings.history_from is None or known_at < settings.history_from):
        return Decision(Status.HISTORY_UNAVAILABLE)
    if at is not None:
        moment, mode = at, "planned" if now is not None and at > now else "historical"
    else:
        moment, mode = now or 0, "current"
    return Asked(
        family=family,
        procedure=procedure,
        configuration=configuration,
        region=region,
        at=moment,
        mode="planned" if mode == "planned" else "historical" if mode == "historical" else "current",
        language=scope_value(request.language),
        known_at=known_at,
        source_language=request.source_language,
    )


def _types(request: Request) -> tuple[str | None, ...]:
    if not isinstance(request, Request):
        raise RequestError("request", "a Request is wanted")
    if not isinstance(request.scope, Scope):
        raise RequestError("scope", "a Scope is wanted")
    parts = []
    for name, value in zip(("family", "procedure", "configuration", "region"), request.scope.parts(), strict=True):
        parts.append(scope_value(_text(name, value)))
    _text("language", request.language)
    if request.mode not in (None, "current", "historical"):
        raise RequestError("mode", "write current or historical, or leave it out")
    if not isinstance(request.source_language, bool):
        raise RequestError("source_language", "True or False is wanted")
    return tuple(parts)


def _text(name: str, value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise RequestError(name, f"text is wanted, not {type(value).__name__}")
    return value


def _instant(name: str, value: object, rule: TimeRule) -> int | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        return rule.read(value)
    except InstantError as error:
        raise RequestError(name, str(error)) from None


def now_of(rule: TimeRule, clock: Clock | None) -> int | None:
    """The clock, read once: the wall clock by default for ``utc``; a logical register has none (contract 3.7)."""
    if clock is None:
        return rule.read(datetime.now(UTC)) if rule.kind == "utc" else None
    try:
        return rule.read(clock())
    except InstantError as error:
        raise RequestError("clock", str(error)) from None
