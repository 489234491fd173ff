"""Random small registers and requests on a grid of instants, written as tables and as values.

A world's times are grid steps 0 to 11 (ends may be ``None``: unbounded). Nothing happens between two steps, so an
outcome on the grid is the outcome everywhere. Everything is drawn from one ``random.Random``: a seed names a world.
"""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

from workbench.contract import Actor, Request, Scope
from workbench.records import Row, refuse
from workbench.validity.loading import assemble
from workbench.validity.register import Register
from workbench.validity.settings import parse_settings

STEPS = range(-1, 13)
REVISIONS = ["r1", "r2", "r3", "r4", "r5"]
EDITIONS = ["e1", "e2", "e3"]
FAMILIES = ["f", "g"]
PROCEDURES = ["p", "Gröbe"]
CONFIGURATIONS = ["C1", "C2", "C3"]
REGIONS = ["DE", "AT", "EU"]
LANGUAGES = ["en", "de", "fr"]
EPOCH = datetime(2024, 3, 31, tzinfo=UTC)


@dataclass
class World:
    """Raw tables whose times are grid steps, and the settings' keys."""

    settings: dict[str, object]
    revisions: list[dict] = field(default_factory=list)
    applicability: list[dict] = field(default_factory=list)
    supersessions: list[dict] = field(default_factory=list)
    equivalences: list[dict] = field(default_factory=list)
    scopes: list[dict] = field(default_factory=list)


def world(seed: int) -> World:
    """The world of a seed."""
    draw = random.Random(seed)
    hierarchy = draw.random() < 0.5
    made = World(
        {
            "name": "world",
            "time": draw.choice(["logical", "utc"]),
            "recorded_time": draw.choice(["logical", "utc"]),
            "rules": draw.choice(["direct", "transitive"]),
            "source_language": draw.choice(["permitted", "refused"]),
            "whole_documents": True,
        }
    )
    if draw.random() < 0.7:
        made.settings["history_from"] = draw.choice([0, 0, 2, 5])
    crowd = draw.choice([1, 1, 1, 2])
    for name in [*REVISIONS, *EDITIONS]:
        made.revisions.append(
            {
                "revision_id": name,
                "document_family": FAMILIES[0] if draw.random() < 0.93 else FAMILIES[1],
                "tenant": "T" if draw.random() < 0.93 else "U",
                "groups": draw.choice(["a", "a", "a;b", "a;c", "b"]),
                "source_language": draw.choice(LANGUAGES) if name in EDITIONS else draw.choice(["en", "en", "de"]),
            }
        )
    if hierarchy:
        made.scopes = [
            {"kind": "configuration", "value": "C1", "parent": "all"},
            {"kind": "configuration", "value": "C2", "parent": "all"},
            {"kind": "region", "value": "EU", "parent": ""},
            {"kind": "region", "value": "DE", "parent": "EU"},
            {"kind": "region", "value": "AT", "parent": "EU"},
        ]
        if draw.random() < 0.3:
            made.scopes.append({"kind": "region", "value": "DE", "parent": "DACH"})
    home = {row["revision_id"]: (row["tenant"], row["document_family"]) for row in made.revisions}
    for _ in range(draw.randint(3, 12)):
        name = draw.choice(REVISIONS) if draw.random() < 0.95 else draw.choice(EDITIONS)
        made.applicability.append(
            {"revision_id": name, **_scope(draw, crowd, hierarchy), **_span(draw, "valid"), **_recorded(draw)}
        )
    for _ in range(draw.choice([0, 1, 2, 3, 4, 6, 8])):
        superseded = draw.choice(REVISIONS)
        mates = [name for name in REVISIONS if home[name] == home[superseded]]
        made.supersessions.append(
            {
                "superseding": "unknown" if draw.random() < 0.07 else draw.choice(mates),
                "superseded": superseded,
                **_scope(draw, crowd, hierarchy),
                **_span(draw, "effective"),
                **_recorded(draw),
                "revives": draw.random() < 0.25,
            }
        )
    for number in range(draw.randint(0, 5)):
        edition, original = draw.choice(EDITIONS), draw.choice(REVISIONS)
        if home[edition] == home[original]:
            made.equivalences.append(
                {
                    "equivalence_id": f"q{draw.choice([number, 9 - number])}",
                    "edition": edition,
                    "of_revision": original,
                    "language": draw.choice(["de", "de", "fr"]),
                    **_recorded(draw),
                }
            )
    _unique(made.applicability, "revision_id", "procedure_id", "asset_configuration", "region", "valid_from")
    _unique(
        made.supersessions,
        *("superseding", "superseded", "procedure_id", "asset_configuration", "region", "effective_from"),
    )
    _unique(made.equivalences, "equivalence_id")
    return made


def _scope(draw: random.Random, crowd: int, hierarchy: bool) -> dict:
    def one(values: list[str], above: str) -> str:
        if hierarchy and draw.random() < 0.4:
            return draw.choice([above, "*"])
        return values[0] if draw.random() < 1 / crowd else draw.choice(values)

    return {
        "procedure_id": "p" if draw.random() < 0.9 else PROCEDURES[1],
        "asset_configuration": one(CONFIGURATIONS, "all"),
        "region": one(REGIONS, "EU"),
    }


def _span(draw: random.Random, axis: str) -> dict:
    start = draw.randint(0, 9)
    end = None if draw.random() < 0.3 else draw.randint(start + 1, 11)
    return {f"{axis}_from": start, f"{axis}_to": end}


def _recorded(draw: random.Random) -> dict:
    if draw.random() < 0.7:
        return {"recorded_from": draw.choice([0, 0, 0, 4]), "recorded_to": None}
    return _span(draw, "recorded")


def _unique(rows: list[dict], *key: str) -> None:
    seen = set()
    for row in list(rows):
        found = tuple(row[column] for column in (*key, "recorded_from"))
        if found in seen:
            rows.remove(row)
        seen.add(found)


def requests(draw: random.Random, made: World, count: int) -> list[tuple[Request, Actor, int | None, dict]]:
    """Requests with actor and clock in the register's types, each with its plain form (grid steps) beside it."""
    return [_request(draw, made) for _ in range(count)]


def _request(draw: random.Random, made: World) -> tuple[Request, Actor, int | None, dict]:
    plain = {
        "family": _maybe(draw, "f" if draw.random() < 0.95 else "g"),
        "procedure": _maybe(draw, "p" if draw.random() < 0.9 else unicodedata.normalize("NFD", PROCEDURES[1])),
        "configuration": _maybe(draw, "C1" if draw.random() < 0.75 else draw.choice([*CONFIGURATIONS, "all", "*"])),
        "region": _maybe(draw, "DE" if draw.random() < 0.75 else draw.choice([*REGIONS, "*", "XX"])),
        "at": None if draw.random() < 0.1 else draw.randint(-1, 12),
        "language": draw.choice([None, None, "en", "de", "de", "fr", "DE"]),
        "known_at": None if draw.random() < 0.6 else draw.randint(-1, 12),
        "source_language": draw.random() < 0.3,
        "tenant": "T" if draw.random() < 0.96 else draw.choice(["U", "V"]),
        "groups": draw.choice([["a"], ["a", "b"], ["b"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c"], []]),
        "active": draw.random() < 0.97,
        "clock": draw.choice([None, 3, 7]) if made.settings["time"] == "logical" else draw.choice([3, 7, 12]),
    }
    plain["mode"] = draw.choice([None, None, "historical", "current" if plain["at"] is None else None])
    request = Request(
        Scope(plain["family"], plain["procedure"], plain["configuration"], plain["region"]),
        at=value(made.settings["time"], plain["at"], draw),
        language=plain["language"],
        known_at=value(made.settings["recorded_time"], plain["known_at"], draw),
        mode=plain["mode"],
        source_language=plain["source_language"],
    )
    return request, Actor(plain["tenant"], plain["groups"], plain["active"]), plain["clock"], plain


def _maybe(draw: random.Random, text: str) -> str | None:
    return text if draw.random() < 0.99 else draw.choice([None, "", "  "])


def value(kind: object, step: int | None, draw: random.Random) -> object:
    """A grid step as a value of a request: sometimes a value, sometimes its spelling."""
    if step is None:
        return None
    if kind == "logical":
        return step if draw.random() < 0.5 else str(step)
    moment = EPOCH + step * timedelta(hours=1)
    if draw.random() < 0.5:
        moment = moment.astimezone(timezone(timedelta(hours=draw.choice([-7, 0, 2]))))
    return moment if draw.random() < 0.5 else moment.isoformat()


def spelled(kind: object, step: int | None) -> str:
    """A grid step as it is written in a table."""
    if step is None:
        return "unbounded"
    return str(step) if kind == "logical" else (EPOCH + step * timedelta(hours=1)).isoformat()


def tables(made: World) -> dict[str, list[dict[str, str]]]:
    """The world's tables as they are written: text in every cell."""
    valid, recorded = made.settings["time"], made.settings["recorded_time"]

    def cells(row: dict, **more: str) -> dict[str, str]:
        written = {}
        for column, found in row.items():
            if column.endswith(("_from", "_to")):
                found = spelled(recorded if column.startswith("recorded") else valid, found)
            written[column] = str(found).lower() if isinstance(found, bool) else found
        return {**written, **more}

    return {
        "revisions": [
            cells(row, source_digest=f"{number:064x}", owner=f"owner {row['revision_id']}", imported_at="2024-01-01")
            for number, row in enumerate(made.revisions)
        ],
        "applicability": [cells(row, approval_ref="ok") for row in made.applicability],
        "supersessions": [cells(row, approval_ref="ok") for row in made.supersessions],
        "equivalences": [cells(row, review_ref="ok") for row in made.equivalences],
        "scopes": [cells(row) for row in made.scopes],
        "sections": [],
        "owners": [],
    }


def settings(made: World) -> dict[str, object]:
    """The settings as the keys of register.toml."""
    written = dict(made.settings)
    if "history_from" in written:
        kind, step = written["recorded_time"], written["history_from"]
        written["history_from"] = step if kind == "logical" else spelled(kind, step)
    return written


def register(made: World) -> Register:
    """The world as the workbench reads it."""
    rows = {
        name: [Row(f"{name}.csv", number, cells) for number, cells in enumerate(table, 2)]
        for name, table in tables(made).items()
    }
    return Register.of(assemble(parse_settings(settings(made)), rows, refuse))


def step_of(instant: object) -> int | None:
    """The grid step of a public instant; ``None`` for an open end."""
    if instant == "unbounded":
        return None
    return (instant - EPOCH) // timedelta(hours=1) if isinstance(instant, datetime) else instant


def clock(made: World, step: int | None) -> object:
    """A clock that stands at a grid step, or none."""
    if step is None:
        return None
    now = step if made.settings["time"] == "logical" else EPOCH + step * timedelta(hours=1)
    return lambda: now
