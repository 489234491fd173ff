"""The projection equals the resolver at every boundary and between, for random registers; a correction is cheap."""

import itertools
import random
from dataclasses import replace
from pathlib import Path

import duckdb
import polars as pl
import pytest

from tests.validity import worlds
from tests.validity.crowds import crowd
from workbench.contract import Actor
from workbench.errors import ContextError, InputError, RequestError
from workbench.intervals import UNBOUNDED, Interval
from workbench.validity import projection
from workbench.validity.precedence import Kind, Outcome, outcome_at
from workbench.validity.register import Register
from workbench.validity.rows import ScopeKey

WORLDS = range(5000, 5120)


def by_scope(frame: pl.DataFrame) -> dict[ScopeKey, list[dict]]:
    found: dict[ScopeKey, list[dict]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(ScopeKey(*(row[column] for column in projection.SCOPE)), []).append(row)
    return found


def held(pieces: list[dict], t: int, register: Register) -> Outcome:
    """The outcome that a scope's pieces hold at an instant."""
    moment = register.settings.valid.public(t)
    for piece in pieces:
        if piece["valid_from"] <= moment and (piece["valid_to"] is None or moment < piece["valid_to"]):
            assert (piece["valid_to"] is None) == (piece["valid_to_kind"] == "unbounded")
            return Outcome(
                Kind(piece["outcome"]), (piece["revision_id"],) if piece["revision_id"] else tuple(piece["rivals"])
            )
    return Outcome(Kind.GAP)


def bounds(register: Register, key: ScopeKey) -> set[int]:
    inner = sorted(register.by_scope[key].boundaries() - {UNBOUNDED})
    between = {(a + b) // 2 for a, b in itertools.pairwise(inner)}
    return {*inner, *between, *(t - 1 for t in inner), *(t + 1 for t in inner)}


@pytest.mark.parametrize("known_at", [None, 0, 3, 5])
def test_equal_to_the_resolver_everywhere(known_at: int | None) -> None:
    compared = 0
    for seed in WORLDS:
        made = worlds.world(seed)
        register = worlds.register(made)
        t = (
            None
            if known_at is None
            else register.settings.recorded.read(
                worlds.value(made.settings["recorded_time"], known_at, random.Random(1))
            )
        )
        pieces = by_scope(projection.project(register, known_at=t))
        transitive = register.settings.rules == "transitive"
        assert pieces.keys() <= register.by_scope.keys()
        for key in register.by_scope:
            rows = register.scope_rows(key, t)
            found = pieces.get(key, [])
            for instant in bounds(register, key):
                assert held(found, instant, register) == outcome_at(rows, instant, transitive=transitive), (
                    seed,
                    key,
                    instant,
                )
                compared += 1
            # maximal: neighbours differ, and the first is no gap
            told = [(piece["outcome"], piece["revision_id"], piece["rivals"]) for piece in found]
            assert all(one != other for one, other in itertools.pairwise(told))
            assert all(a["valid_to"] == b["valid_from"] for a, b in itertools.pairwise(found))
            assert not found or found[0]["outcome"] != "gap"
    assert compared > 5_000


def test_the_sweep_and_the_resolver_say_the_same() -> None:
    """Both ways of projecting, side by side on the same scopes."""
    register = crowd(400, 8, related=0.5, overlap=0.4)
    swept = projection.project(register)
    assert swept.equals(projection.project(register, scopes=register.by_scope.keys()))
    assert set(swept["outcome"]) == {"revision", "conflict"}
    relations = tuple(replace(r, revives=r.row % 2 == 0) for r in register.supersessions)
    mixed = replace(register, supersessions=relations)
    assert projection.project(mixed).equals(projection.project(mixed, scopes=mixed.by_scope.keys()))


def test_nothing_projects_to_nothing() -> None:
    empty = replace(crowd(1, 1), applicability=(), supersessions=())
    assert projection.project(empty).shape == (0, 11)
    assert projection.project(empty).schema == projection.project(crowd(1, 1)).schema


def test_incremental_after_a_correction_equals_recomputed() -> None:
    draw = random.Random(7)
    compared = 0
    for seed in WORLDS:
        register = worlds.register(worlds.world(seed))
        frame = projection.project(register)
        rows = list(register.applicability)
        place = draw.randrange(len(rows))
        closed = replace(rows[place], recorded=Interval(rows[place].recorded.start, rows[place].recorded.start + 1))
        moved = replace(rows[place], valid=Interval(rows[place].valid.start + 1, UNBOUNDED), row=len(rows) + 2)
        relations = register.supersessions[1:] if draw.random() < 0.5 else register.supersessions
        after = replace(
            register, applicability=(*rows[:place], closed, *rows[place + 1 :], moved), supersessions=relations
        )
        again = projection.corrected(frame, register, after)
        assert again.equals(projection.project(after)), seed
        compared += not again.equals(frame)
    assert compared > 50


def test_files_hold_the_same_rows(tmp_path: Path) -> None:
    frames = [projection.project(worlds.register(worlds.world(seed))) for seed in range(20)]
    for number, frame in enumerate(frames):
        parquet, database = tmp_path / f"{number}.parquet", tmp_path / f"{number}.duckdb"
        projection.write_projection(frame, parquet)
        projection.write_projection(frame, database)
        projection.write_projection(frame, database)  # writing again replaces
        assert pl.read_parquet(parquet).equals(frame)
        with duckdb.connect(database) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            back = connection.execute("FROM canonical").fetchall()
        assert [tuple(row)[:5] for row in back] == frame.select(projection.SCOPE).rows()
        assert [row[8:10] for row in back] == frame.select("outcome", "revision_id").rows()
        assert [row[5].timestamp() if hasattr(row[5], "timestamp") else row[5] for row in back] == [
            t.timestamp() if hasattr(t, "timestamp") else t for t in frame["valid_from"]
        ]
    with pytest.raises(InputError, match=r"\.parquet or \.duckdb"):
        projection.write_projection(frames[0], tmp_path / "x.csv")


def test_the_projection_is_for_stewards_and_the_operator(repo: Path) -> None:
    register = Register.read(repo / "data" / "pump-seal")
    assert register.project().equals(register.project(actor=Actor("werk-nord", {"redaktion"})))
    assert register.project(actor=Actor("elsewhere", {"redaktion"})).is_empty()
    assert register.project(known_at=0).height == 3
    with pytest.raises(ContextError):
        register.project(actor=Actor("werk-nord", {"wartung"}))
    with pytest.raises(RequestError, match="history"):
        register.project(known_at=-1)
