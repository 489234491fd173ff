"""Many requests at once are answered as one after the other."""

import json
import random
from datetime import UTC, date, datetime

import polars as pl
import pytest

from tests.validity import worlds
from tests.validity.crowds import crowd
from workbench.contract import Actor, Request, Scope
from workbench.errors import InputError, RequestError
from workbench.validity.register import Register

REQUESTS = 60
COLUMNS = ("status", "revision_id", "edition_id", "valid_from", "valid_to", "valid_to_kind", "mode")


def single(register: Register, request: Request, actor: Actor, clock: object) -> tuple:
    """What one resolve answers, as a row of the frame."""
    try:
        found = register.resolve(request, actor, clock=clock)
    except RequestError:
        return ("INVALID_REQUEST", *[None] * 6)
    if found.context is None:
        return (found.status.value, *[None] * 6)
    end = None if found.valid_to == "unbounded" else found.valid_to
    kind = "unbounded" if end is None else "instant"
    return ("RESOLVED", found.revision_id, found.edition_id, found.valid_from, end, kind, found.mode)


def frame_of(asked: list[tuple[Request, Actor]], draw: random.Random, kind: str, recorded: str) -> pl.DataFrame:
    """The requests as a table, with times typed or written, groups as lists or text."""
    rows = []
    as_list, typed = draw.random() < 0.5, draw.random() < 0.5
    for request, actor in asked:
        scope, groups = request.scope, sorted(actor.groups)
        rows.append(
            {
                "tenant": actor.tenant,
                "groups": groups if as_list else draw.choice([";".join(groups), json.dumps(groups)]),
                "active": actor.active if as_list else str(actor.active).lower(),
                "family": scope.family,
                "procedure": scope.procedure,
                "configuration": scope.configuration,
                "region": scope.region,
                "at": cell(request.at, kind, typed),
                "language": request.language,
                "known_at": cell(request.known_at, recorded, typed),
                "mode": request.mode,
                "source_language": request.source_language,
            }
        )
    texts = ("tenant", "family", "procedure", "configuration", "region", "language", "mode")
    types = dict.fromkeys(texts, pl.String) | {"groups": pl.List(pl.String) if as_list else pl.String}
    for column, axis in (("at", kind), ("known_at", recorded)):
        types[column] = pl.String if not typed else pl.Int64 if axis == "logical" else pl.Datetime("us", "UTC")
    return pl.DataFrame(rows, schema_overrides=types)


def cell(value: object, kind: str, typed: bool) -> object:
    if value is None:
        return None
    if kind == "logical":
        return int(value) if typed else str(value)
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.astimezone(UTC) if typed else moment.isoformat()


def test_equal_to_one_after_the_other() -> None:
    statuses: dict[str, int] = {}
    for seed in range(9000, 9150):
        made = worlds.world(seed)
        register, draw = worlds.register(made), random.Random(-seed)
        asked = [(request, actor) for request, actor, _, _ in worlds.requests(draw, made, REQUESTS)]
        kind, recorded = str(made.settings["time"]), str(made.settings["recorded_time"])
        frame = frame_of(asked, draw, kind, recorded)
        clock = worlds.clock(made, draw.choice([None, 5]) if kind == "logical" else 5)
        found = register.resolve_many(frame, clock=clock)
        assert found.columns == [*frame.columns, *COLUMNS[:-1]]  # the decision's mode replaces the requested one
        for row, (request, actor) in zip(found.select(COLUMNS).iter_rows(), asked, strict=True):
            assert row == single(register, request, actor, clock), (seed, request, actor)
            statuses[row[0]] = statuses.get(row[0], 0) + 1
    assert min(statuses.values()) > 100, statuses
    assert len(statuses) == 6, statuses


BASE = {
    "tenant": "T",
    "groups": "a;b",
    "family": "f1",
    "procedure": "p1",
    "configuration": "C1",
    "region": "R1",
    "at": 1,
}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"tenant": None},
        {"tenant": " "},
        {"groups": None},
        {"groups": "a;"},
        {"groups": "[1]"},
        {"groups": "[broken"},
        {"active": "yes"},
        {"active": ""},
        {"active": "false"},
        {"family": None},
        {"procedure": "  "},
        {"region": "*"},
        {"at": "soon"},
        {"at": 1.5},
        {"at": 10**18},
        {"at": None},
        {"at": date(2024, 1, 1)},
        {"known_at": "then"},
        {"known_at": -1},
        {"known_at": 0},
        {"mode": "current"},
        {"mode": "current", "at": None},
        {"mode": "newest"},
        {"mode": 3},
        {"source_language": "perhaps"},
        {"language": 5},
        {"language": "de"},
        {"family": 5},
    ],
    ids=str,
)
def test_odd_cells_are_answered_as_single_requests_are(change: dict[str, object]) -> None:
    register = crowd(3, 4)
    row = {**BASE, **change}
    (answer,) = register.resolve_many(pl.DataFrame([row])).select(COLUMNS).iter_rows()
    truths = {None: True, "": True, "false": False}
    groups = {None: set(), "a;b": {"a", "b"}}
    scope = Scope(*(row[field] for field in ("family", "procedure", "configuration", "region")))
    if row.get("active") not in truths or row["groups"] not in groups or not str(row["tenant"] or "").strip():
        assert answer[0] == "INVALID_REQUEST"
        return
    actor = Actor(row["tenant"], groups[row["groups"]], truths[row.get("active")])
    more = {name: row[name] for name in ("language", "known_at", "mode", "source_language") if name in row}
    assert answer == single(register, Request(scope, at=row["at"], **more), actor, None)


def test_no_rows_and_missing_columns() -> None:
    register = crowd(2, 2)
    assert register.resolve_many(pl.DataFrame([BASE]).clear()).shape == (0, 14)
    with pytest.raises(InputError, match="column region"):
        register.resolve_many(pl.DataFrame([BASE]).drop("region"))


def test_the_clock_is_read_once_for_all() -> None:
    register, read = crowd(2, 2), []
    frame = pl.concat([pl.DataFrame([BASE])] * 3).with_columns(at=pl.lit(None, dtype=pl.Int64))
    found = register.resolve_many(frame, clock=lambda: read.append(1) or 5)
    assert (found["mode"].to_list(), len(read)) == (["current"] * 3, 1)


def test_a_register_without_rows_has_no_answers() -> None:
    register = crowd(1, 1)
    empty = Register(register.settings, {})
    found = empty.resolve_many(pl.DataFrame([BASE]))
    assert found["status"].to_list() == ["UNAVAILABLE"]
