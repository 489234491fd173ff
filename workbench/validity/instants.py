"""Instants: the one module that converts zones and dates (contract 3.1, 5).

Inside, every instant is an int: a logical step, or microseconds since 1970-01-01T00:00Z. The ``tzdata`` package is the
only source of zone rules, since the systems', DuckDB's and Polars' own copies differ for old dates.
"""

from __future__ import annotations

import importlib.resources
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, Literal
from zoneinfo import ZoneInfo

from workbench.contract import UNBOUNDED_TEXT, Instant
from workbench.errors import shown
from workbench.intervals import UNBOUNDED

Kind = Literal["logical", "utc"]
Choice = Literal["earlier", "later", "error"]

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(?P<zone>Z|[+-]\d{2}:\d{2})?", re.ASCII)
STEP = re.compile(r"-?\d{1,18}", re.ASCII)


class InstantError(ValueError):
    """A time that cannot be read; the message says why and what to write instead."""


@lru_cache
def zone_named(name: str) -> ZoneInfo:
    """The zone's rules from the ``tzdata`` package.

    >>> zone_named("Europe/Vaduz").key
    'Europe/Vaduz'
    """
    place = importlib.resources.files("tzdata").joinpath("zoneinfo")
    parts = name.split("/")
    if not all(re.fullmatch(r"[A-Za-z0-9_+-]+", part) for part in parts):
        raise InstantError(f"{shown(name)} is no zone name; write one like Europe/Berlin")
    for part in parts:
        place = place.joinpath(part)
    if not place.is_file():
        raise InstantError(f"the zone {shown(name)} is not known; write one like Europe/Berlin")
    with place.open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@dataclass(frozen=True, slots=True)
class DayRule:
    """How a date without a time becomes an instant: the register's stated rule, all four parts of it.

    A local time that a clock change skips or doubles has two candidate instants; ``earlier`` and ``later`` choose
    between them, ``error`` refuses.
    """

    zone: str
    day_starts: time
    skipped_time: Choice
    doubled_time: Choice

    def instant(self, day: date) -> datetime:
        """The UTC instant at which the day starts.

        >>> rule = DayRule("Europe/Berlin", time(2, 30), "later", "earlier")
        >>> rule.instant(date(2024, 3, 31)).isoformat(), rule.instant(date(2024, 10, 27)).isoformat()
        ('2024-03-31T01:30:00+00:00', '2024-10-27T00:30:00+00:00')
        """
        zone = zone_named(self.zone)
        local = datetime.combine(day, self.day_starts)
        try:
            first, second = sorted(local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
            if first == second:
                return first
            doubled = all(t.astimezone(zone).replace(tzinfo=None) == local for t in (first, second))
        except OverflowError:
            raise InstantError(f"{day} lies outside the years 1 to 9999 in UTC") from None
        choice = self.doubled_time if doubled else self.skipped_time
        if choice == "error":
            what = "occurs twice" if doubled else "does not exist"
            raise InstantError(f"{local.isoformat()} {what} in {self.zone}; write a timestamp with a zone")
        return first if choice == "earlier" else second


@dataclass(frozen=True, slots=True)
class TimeRule:
    """How one register reads and writes instants of one axis.

    >>> TimeRule("logical").read("5"), TimeRule("utc").spell(TimeRule("utc").read("2020-01-01T01:00:00+01:00"))
    (5, '2020-01-01T00:00:00Z')
    """

    kind: Kind
    days: DayRule | None = None
    missing_day_keys: tuple[str, ...] = ("zone", "day_starts", "skipped_time", "doubled_time")

    def read(self, value: object) -> int:
        """The instant that a cell, a TOML value or a Python value means; raises :class:`InstantError`.

        Accepts an int or its digits (logical); an aware datetime, a timestamp with a zone, or a date (utc).
        """
        return self._step(value) if self.kind == "logical" else self._moment(value)

    def read_end(self, value: object) -> int:
        """Like :meth:`read`, and ``unbounded`` for an end that never comes."""
        return UNBOUNDED if value == UNBOUNDED_TEXT else self.read(value)

    def spell(self, instant: int) -> str:
        """The instant as it is written in tables: digits, an ISO 8601 timestamp in UTC, or ``unbounded``."""
        if instant >= UNBOUNDED:
            return UNBOUNDED_TEXT
        if self.kind == "logical":
            return str(instant)
        moment = EPOCH + timedelta(microseconds=instant)
        return moment.isoformat().replace("+00:00", "Z")

    def public(self, instant: int) -> Instant | str:
        """The instant as Python users get it: int, aware UTC datetime, or ``"unbounded"``."""
        if instant >= UNBOUNDED:
            return UNBOUNDED_TEXT
        return instant if self.kind == "logical" else EPOCH + timedelta(microseconds=instant)

    def _step(self, value: object) -> int:
        if isinstance(value, str) and STEP.fullmatch(value):
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
            return value
        if value == UNBOUNDED_TEXT:
            raise InstantError("an end may be unbounded, a start may not; write the first step")
        raise InstantError(f"{shown(value)} is no logical step; write an integer of at most 18 digits")

    def _moment(self, value: object) -> int:
        if isinstance(value, str):
            value = self._parsed(value)
        if isinstance(value, datetime):
            if value.tzinfo is None or value.utcoffset() is None:
                raise InstantError(f"{value.isoformat()} has no time zone; append Z or an offset like +01:00")
        elif isinstance(value, date):
            if self.days is None:
                keys = ", ".join(self.missing_day_keys)
                raise InstantError(
                    f"{value} is a date and the register does not say when a day starts; "
                    f"state {keys} in register.toml, or write a timestamp with a zone"
                )
            value = self.days.instant(value)
        else:
            raise InstantError(f"{shown(value)} is no time; write a timestamp like 2024-05-01T06:00:00Z")
        instant = (value - EPOCH) // MICROSECOND
        if not FIRST <= instant <= LAST:
            raise InstantError(f"{value.isoformat()} lies outside the years 1 to 9999 in UTC")
        return instant

    def _parsed(self, text: str) -> date:
        try:
            if DATE.fullmatch(text):
                return date.fromisoformat(text)
            if TIMESTAMP.fullmatch(text):
                return datetime.fromisoformat(text)
        except ValueError as error:
            raise InstantError(f"{shown(text)} is no time: {error}") from None
        if text == UNBOUNDED_TEXT:
            raise InstantError("an end may be unbounded, a start may not; write the first instant")
        raise InstantError(f"{shown(text)} is no time; write a timestamp like 2024-05-01T06:00:00Z")


FIRST: Final = (datetime.min.replace(tzinfo=UTC) - EPOCH) // MICROSECOND
LAST: Final = (datetime.max.replace(tzinfo=UTC) - EPOCH) // MICROSECOND
