"""The resolver equals a second, plainly written one on 52,000 random requests over random registers."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from tests.validity import worlds
from tests.validity.plain_resolver import Plain
from workbench.contract import Actor, Decision
from workbench.intervals import Interval
from workbench.validity import contents, hierarchies, precedence, resolver
from workbench.validity.rows import Supersession

WORLDS, REQUESTS, SHARDS = 1300, 40, 4


def seen(decision: Decision) -> dict:
    """What a decision says, in the plain resolver's words and on the grid."""
    said: dict = {"status": decision.status.value}
    if decision.missing:
        said["missing"] = list(decision.missing)
    if decision.rivals:
        said["rivals"] = list(decision.rivals)
    if said["status"] == "NO_EQUIVALENT_EDITION":
        said["source_way"] = decision.source_way
    if said["status"] == "RESOLVED":
        said |= {"revision": decision.revision_id, "edition": decision.edition_id, "language": decision.language}
        said |= {"from": worlds.step_of(decision.valid_from), "to": worlds.step_of(decision.valid_to)}
        said["mode"] = decision.mode
    return said


def difference(seed: int) -> tuple[str | None, Counter]:
    """The first request of a world that the two answer differently, and what was answered until then."""
    made = worlds.world(seed)
    register, plain, draw = worlds.register(made), Plain(made), random.Random(-seed)
    counted: Counter = Counter()
    for request, actor, now, ask in worlds.requests(draw, made, REQUESTS):
        ours = seen(register.resolve(request, actor, clock=worlds.clock(made, now)))
        theirs = plain.answer(ask)
        counted[theirs["status"]] += 1
        if ours != theirs:
            return f"world {seed}, {ask}: resolver {ours}, plain {theirs}", counted
    return None, counted


@pytest.mark.parametrize("shard", range(SHARDS))
def test_equal_to_the_plain_resolver(shard: int) -> None:
    total: Counter = Counter()
    for seed in range(shard, WORLDS, SHARDS):
        found, counted = difference(seed)
        assert found is None
        total += counted
    assert total.total() * SHARDS >= 50_000
    # the worlds are worth comparing: every outcome is common
    for status in ("RESOLVED", "MISSING_SCOPE", "UNAVAILABLE", "NO_EQUIVALENT_EDITION", "HISTORY_UNAVAILABLE"):
        assert total[status] > 200, total
    assert total["UNRESOLVED_AUTHORITY"] > 200, total


def cycles_ignored(relations: list[Supersession]) -> set[int]:
    return set()


def revives_ignored(scope: precedence.ScopeRows) -> list[precedence.Force]:
    rows = tuple(replace(relation, revives=False) for relation in scope.relations)
    return FORCES(precedence.ScopeRows(scope.rows, rows))


def always_revives(scope: precedence.ScopeRows) -> list[precedence.Force]:
    rows = tuple(replace(relation, revives=True) for relation in scope.relations)
    return FORCES(precedence.ScopeRows(scope.rows, rows))


def chains_ignored(direct: list[Supersession], links: list[Supersession]) -> list[Supersession]:
    return list(direct)


def unknown_ignored(forced: list[precedence.Force], t: int) -> object:
    return ACTING(forced, t)._replace(unknown=False)


def links_never_start(forced: list[precedence.Force], t: int) -> object:
    found = ACTING(forced, t)
    return found._replace(links=found.direct)


def closed_end(self: Interval, t: int) -> bool:
    return self.start <= t <= self.end


def rows_of_all_times(recorded: Interval, known_at: int | None) -> bool:
    return True


FORCES, ACTING = precedence.forces, precedence.acting_at


@pytest.mark.parametrize(
    ("home", "name", "wrong"),
    [
        (precedence, "on_cycles", cycles_ignored),
        (precedence, "forces", revives_ignored),
        (precedence, "forces", always_revives),
        (precedence, "_chained", chains_ignored),
        (precedence, "acting_at", unknown_ignored),
        (precedence, "acting_at", links_never_start),
        (Interval, "holds", closed_end),
        (contents, "is_known", rows_of_all_times),
        (resolver, "is_known", rows_of_all_times),
        (hierarchies.Hierarchy, "leaves", lambda _self, value: (value,)),
        (hierarchies.Hierarchy, "standing", lambda _self, _value: "leaf"),
        (Actor, "may", lambda self, _tenant, groups: not self.groups.isdisjoint(groups)),
    ],
    ids=lambda found: getattr(found, "__name__", str(found)),
)
def test_each_guard_is_seen(monkeypatch: pytest.MonkeyPatch, home: object, name: str, wrong: object) -> None:
    """A resolver without one of its guards differs from the plain one within the first worlds."""
    monkeypatch.setattr(home, name, wrong)
    assert any(difference(seed)[0] for seed in range(200))
