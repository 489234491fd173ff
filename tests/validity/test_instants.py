"""Instants: every clock change of two zones, dates by the register's rule, leap days, far times, microseconds."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.contract import UNBOUNDED_TEXT
from workbench.intervals import UNBOUNDED
from workbench.validity.instants import EPOCH, FIRST, LAST, DayRule, InstantError, TimeRule, zone_named

ZONES = ("Europe/Berlin", "America/New_York")
UTC_RULE, STEPS = TimeRule("utc"), TimeRule("logical")
MINUTE = timedelta(minutes=1)


@lru_cache
def changes(zone: str) -> list[tuple[datetime, timedelta, timedelta]]:
    """Every change of a zone's offset from 1900 to 2037: the instant (to the minute), the offset before and after."""
    rules, found = zone_named(zone), []
    day = datetime(1900, 1, 1, tzinfo=UTC)
    while day.year < 2038:
        after = day + timedelta(days=1)
        if offset(day, rules) != offset(after, rules):
            low, high = day, after
            while high - low > MINUTE:
                middle = low + (high - low) // 2
                low, high = (middle, high) if offset(middle, rules) == offset(day, rules) else (low, middle)
            found.append((high.replace(second=0, microsecond=0), offset(low, rules), offset(high, rules)))
        day = after
    return found


def offset(moment: datetime, rules: ZoneInfo) -> timedelta:
    return moment.astimezone(rules).utcoffset() or timedelta(0)


def test_the_zones_have_their_changes() -> None:
    assert len(changes("Europe/Berlin")) > 140
    assert len(changes("America/New_York")) > 200


def day_start(zone: str, local: datetime, skipped: str = "error", doubled: str = "error") -> datetime:
    return DayRule(zone, local.time(), skipped, doubled).instant(local.date())  # type: ignore[arg-type]


CHANGE = st.sampled_from(ZONES).flatmap(lambda zone: st.tuples(st.just(zone), st.sampled_from(changes(zone))))


@given(CHANGE, st.integers(-3000, 3000))
def test_around_each_change_a_local_time_means_what_the_clock_shows(
    found: tuple[str, tuple[datetime, timedelta, timedelta]], minutes: int
) -> None:
    """Against a definition without zone arithmetic: the instants at which a clock on the wall shows the local time."""
    zone, (change, before, after) = found
    local = (change + before).replace(tzinfo=None) + minutes * MINUTE
    shows = sorted({t for o in (before, after) if offset(t := (local - o).replace(tzinfo=UTC), zone_named(zone)) == o})
    candidates = sorted((local - o).replace(tzinfo=UTC) for o in (before, after))
    if len(shows) == 1:
        assert day_start(zone, local) == shows[0]
        return
    what = "skipped" if not shows else "doubled"
    with pytest.raises(InstantError, match="does not exist" if not shows else "occurs twice"):
        day_start(zone, local, **{"doubled" if not shows else "skipped": "earlier"})
    assert day_start(zone, local, **{what: "earlier"}) == candidates[0]
    assert day_start(zone, local, **{what: "later"}) == candidates[1]


def test_every_change_has_its_skipped_and_doubled_times() -> None:
    """The property above meets both: each change but a mere renaming skips or doubles the minutes after it."""
    for zone in ZONES:
        skipped = doubled = 0
        for change, before, after in changes(zone):
            if after - before < timedelta(minutes=30) and before - after < timedelta(minutes=30):
                continue  # local mean time, to the minute
            local = (change + max(before, after)).replace(tzinfo=None) - timedelta(minutes=30)
            choice = "skipped" if after > before else "doubled"
            earlier, later = (day_start(zone, local, **{choice: c}) for c in ("earlier", "later"))
            assert later - earlier == abs(after - before)
            skipped, doubled = skipped + (after > before), doubled + (after < before)
        assert skipped > 60
        assert doubled > 60


def test_no_ordinary_day_needs_the_choices() -> None:
    for zone in ZONES:
        for number in range(366):
            day = date(2024, 1, 1) + timedelta(days=number)
            found = DayRule(zone, time(12), "error", "error").instant(day)
            assert found.astimezone(zone_named(zone)).replace(tzinfo=None) == datetime.combine(day, time(12))


@given(st.datetimes(), st.integers(-14 * 60, 14 * 60))
def test_every_timestamp_reads_back_as_it_is_spelled(moment: datetime, minutes: int) -> None:
    aware = moment.replace(tzinfo=timezone(minutes * MINUTE))
    if not FIRST <= (aware - EPOCH) // timedelta(microseconds=1) <= LAST:
        with pytest.raises(InstantError, match="years 1 to 9999"):
            UTC_RULE.read(aware)
        return
    instant = UTC_RULE.read(aware)
    assert FIRST <= instant <= LAST
    assert UTC_RULE.read(aware.isoformat()) == instant
    assert UTC_RULE.read(UTC_RULE.spell(instant)) == instant
    assert UTC_RULE.public(instant) == aware
    assert UTC_RULE.spell(instant).endswith("Z")


@given(st.integers(-(10**18) + 1, 10**18 - 1))
def test_every_step_reads_back_as_it_is_spelled(step: int) -> None:
    assert STEPS.read(step) == STEPS.read(STEPS.spell(step)) == STEPS.public(step) == step


def test_open_ends_have_one_spelling() -> None:
    for rule in (UTC_RULE, STEPS):
        assert rule.read_end("unbounded") == UNBOUNDED
        assert rule.spell(UNBOUNDED) == rule.public(UNBOUNDED) == UNBOUNDED_TEXT
        with pytest.raises(InstantError, match="a start may not"):
            rule.read("unbounded")
        for wrong in ("infinity", "", None, "UNBOUNDED", "9999-12-31", float("inf")):
            with pytest.raises(InstantError):
                rule.read_end(wrong)
    assert UNBOUNDED > LAST


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29T00:00:00Z", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2000-02-29T23:59:59.999999Z", datetime(2000, 2, 29, 23, 59, 59, 999999, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        ("2024-05-01T06:00+05:30", datetime(2024, 5, 1, 0, 30, tzinfo=UTC)),
        ("2024-05-01 06:00:00.1Z", datetime(2024, 5, 1, 6, 0, 0, 100000, tzinfo=UTC)),
        ("1969-12-31T23:59:59.999999Z", EPOCH - timedelta(microseconds=1)),
    ],
)
def test_leap_days_far_times_and_microseconds(text: str, expected: datetime) -> None:
    assert UTC_RULE.public(UTC_RULE.read(text)) == expected


@pytest.mark.parametrize(
    "text",
    ["1900-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2024-06-30T23:59:60Z", "10000-01-01T00:00Z", "٢٠٢٤-05-01T06:00Z"],
)
def test_what_no_calendar_has_is_refused(text: str) -> None:
    with pytest.raises(InstantError):
        UTC_RULE.read(text)


def test_leap_days_by_the_registers_rule() -> None:
    rule = DayRule("Europe/Berlin", time(0), "error", "error")
    assert rule.instant(date(2024, 2, 29)) == datetime(2024, 2, 28, 23, tzinfo=UTC)
    assert rule.instant(date(1, 1, 2)).year == 1
    with pytest.raises(InstantError, match="years 1 to 9999"):
        rule.instant(date(1, 1, 1))
    with pytest.raises(InstantError, match="no zone name"):
        zone_named("../etc/passwd")
