"""Is this a request, is it complete, and can the register's history answer it? Contract 3.3 step (a), 3.7."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

from workbench.contract import Clock, Decision, Request, Scope, Status, scope_value
from workbench.errors import RequestError
from workbench.validity.hierarchies import Hierarchy
from workbench.validity.instants import InstantError, TimeRule
from workbench.validity.settings import Settings

Mode = Literal["current", "historical", "planned"]
FIELDS: Final = ("family", "procedure", "configuration", "region")


class Asked(NamedTuple):
    """A complete request: scope in NFC, one instant, its mode, and the recorded time where one was given.

    A tuple, since one is made for each request, and a frozen dataclass takes four times as long to make.
    """

    family: str
    procedure: str
    configuration: str
    region: str
    scope: Scope
    """The four as the context carries them."""
    at: int
    mode: Mode
    language: str | None
    known_at: int | None
    source_language: bool


def examine(
    request: Request, settings: Settings, *, configurations: Hierarchy, regions: Hierarchy, clock: Clock | None
) -> Asked | Decision:
    """The request made complete, or the refusal that says what it lacks.

    Raises :class:`~workbench.errors.RequestError` naming the field where it is no request at all. The clock is read at
    most once. A declared value that is no leaf is a missing field: the register knows several it could stand for.
    """
    family, procedure, configuration, region = scope = _types(request)
    at = _instant("at", request.at, settings.valid)
    known_at = _instant("known_at", request.known_at, settings.recorded)
    if at is not None and request.mode == "current":
        raise RequestError("mode", "a current request takes its time from the clock; leave out at, or the mode")
    now = now_of(settings.valid, clock)

    missing = [name for name, value in zip(FIELDS, scope, strict=True) if value is None] if None in scope else []
    if configuration is not None and configurations.standing(configuration) == "inner":
        missing.append("configuration")
    if region is not None and regions.standing(region) == "inner":
        missing.append("region")
    if at is None and (request.mode == "historical" or now is None):
        missing.append("time")
    if missing or family is None or procedure is None or configuration is None or region is None:
        return Decision(Status.MISSING_SCOPE, missing=tuple(missing))

    if known_at is not None and (settings.history_from is None or known_at < settings.history_from):
        return Decision(Status.HISTORY_UNAVAILABLE)
    mode: Mode = "current"
    if at is not None:
        mode = "planned" if now is not None and at > now else "historical"
    return Asked(
        family=family,
        procedure=procedure,
        configuration=configuration,
        region=region,
        scope=request.scope if scope == request.scope.parts() else Scope(*scope),
        at=at if at is not None else now or 0,
        mode=mode,
        language=scope_value(request.language),
        known_at=known_at,
        source_language=request.source_language,
    )


def _types(request: Request) -> tuple[str | None, str | None, str | None, str | None]:
    if not isinstance(request, Request):
        raise RequestError("request", "a Request is wanted")
    scope = request.scope
    if not isinstance(scope, Scope):
        raise RequestError("scope", "a Scope is wanted")
    parts = (
        scope_value(_text("family", scope.family)),
        scope_value(_text("procedure", scope.procedure)),
        scope_value(_text("configuration", scope.configuration)),
        scope_value(_text("region", scope.region)),
    )
    _text("language", request.language)
    if request.mode not in (None, "current", "historical"):
        raise RequestError("mode", "write current or historical, or leave it out")
    if not isinstance(request.source_language, bool):
        raise RequestError("source_language", "True or False is wanted")
    return parts


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
