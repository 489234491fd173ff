"""The last check: the decision while it still is the newest one, else CONTEXT_EXPIRED and nothing more."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import workbench as wb
from workbench.contract import Decision, Status, fingerprint

from .conftest import MECHANIC, SEAL, Plant
from .seals import Seals, scope, shipped

EXPIRED = Decision(Status.CONTEXT_EXPIRED)


def decided(seals: Seals, at: object = 6, *, clock: Callable | None = None, **more: object) -> Decision:
    return seals.register.resolve(wb.Request(scope(), at=at, **more), MECHANIC, clock=clock)


def checked(decision: Decision, seals: Seals, actor: wb.Actor = MECHANIC, *, clock: Callable | None = None) -> Decision:
    return wb.still_valid(decision, actor, seals.corpus, seals.register, clock=clock)


def hide_in_corpus(seals: Seals) -> None:
    seals.groups["bulletin-B"] = frozenset({"leitung"})


def hide_in_register(seals: Seals) -> None:
    seals.registered["bulletin-B"] = frozenset({"leitung"})


def withdraw(seals: Seals) -> None:
    del seals.texts["bulletin-B"]


def change_text(seals: Seals) -> None:
    seals.texts["bulletin-B"] = seals.texts["bulletin-B"].replace("45", "46")


def change_text_and_digest(seals: Seals) -> None:
    change_text(seals)
    seals.digests["bulletin-B"] = fingerprint(seals.texts["bulletin-B"])


def close_the_row(seals: Seals) -> None:
    seals.rows = [row for row in seals.rows if row.revision_id != "bulletin-B"]


def drop_precedence(seals: Seals) -> None:
    seals.relations.clear()


def add_a_rival(seals: Seals) -> None:
    seals.applies("manual-C", 6, 7)


def end_earlier(seals: Seals) -> None:
    seals.rows[1] = replace(seals.rows[1], valid=seals.rows[1].valid._replace(end=8))


def locate(seals: Seals) -> None:
    seals.located("bulletin-B", "torque", 13, 50)


def new_rules(seals: Seals) -> None:
    seals.settings["rules_version"] = "2"


CHANGES = [
    *(hide_in_corpus, hide_in_register, withdraw, change_text, change_text_and_digest, close_the_row),
    *(drop_precedence, add_a_rival, end_earlier, locate, new_rules),
]


def elsewhere(seals: Seals) -> None:
    """Another procedure's row, another document's text and access: another snapshot, and this decision is untouched."""
    seals.applies("manual-C", 3, procedure="storage")
    seals.texts["manual-A"] += "\n\nNachtrag."
    seals.groups["manual-C"] = seals.registered["manual-C"] = frozenset({"leitung"})


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_the_decision_or_its_access_expires_it(change: Callable[[Seals], None]) -> None:
    seals = shipped()
    decision = decided(seals)
    assert checked(decision, seals) is decision
    change(seals)
    assert checked(decision, seals) == EXPIRED


def test_another_snapshot_alone_changes_nothing() -> None:
    seals = shipped()
    decision, before = decided(seals), seals.register.snapshot()
    elsewhere(seals)
    assert seals.register.snapshot() != before
    assert checked(decision, seals) is decision


@pytest.mark.parametrize(
    "actor",
    [
        wb.Actor("werk-nord", {"lager"}),
        wb.Actor("werk-nord", {"wartung", "lager"}),
        wb.Actor("werk-nord", {"wartung"}, active=False),
        wb.Actor("werk-sued", {"wartung"}),
    ],
)
def test_an_actor_whose_rights_are_others_now(actor: wb.Actor) -> None:
    """More rights too: the decision is this actor's as it was then, and asking again costs nothing."""
    seals = shipped()
    assert checked(decided(seals), seals, actor) == EXPIRED


@pytest.mark.parametrize("name", ["rules", "valid_to", "access", "snapshot"])
def test_an_altered_context_is_expired(name: str) -> None:
    seals = shipped()
    decision = decided(seals)
    altered = replace(decision, context=replace(decision.context, **{name: "altered"}))
    assert checked(altered, seals) == EXPIRED


def test_an_altered_decision_around_its_context_is_expired() -> None:
    seals = shipped()
    assert checked(replace(decided(seals), revision_id="manual-A"), seals) == EXPIRED
    assert checked(replace(decided(seals), context=None), seals) == EXPIRED


def test_a_refusal_carries_nothing_and_comes_back() -> None:
    seals = shipped()
    refusal = decided(seals, at=-1)
    assert checked(refusal, seals) is refusal


def test_a_current_decision_expires_with_its_interval() -> None:
    seals = shipped()
    current = decided(seals, at=None, clock=lambda: 9)
    assert current.mode == "current"
    assert checked(current, seals, clock=lambda: 9) is current
    assert checked(current, seals, clock=lambda: 10) == EXPIRED
    assert checked(current, seals) is current  # no clock: about its own instant
    close_the_row(seals)
    assert checked(current, seals) == EXPIRED


def test_a_historical_decision_does_not_age_and_a_planned_one_does() -> None:
    seals = shipped()
    past, ahead = decided(seals, clock=lambda: 7), decided(seals, at=8, clock=lambda: 7)
    assert (past.mode, ahead.mode) == ("historical", "planned")
    assert checked(past, seals, clock=lambda: 30) is past
    assert checked(ahead, seals, clock=lambda: 7) is ahead
    assert checked(ahead, seals, clock=lambda: 8) == EXPIRED  # it would be passed off as planned


def test_an_edition_expires_with_its_review() -> None:
    seals = shipped()
    german = decided(seals, at=4, language="de")
    assert german.edition_id == "manual-A-de"
    assert checked(german, seals) is german
    seals.equivalences.clear()
    assert checked(german, seals) == EXPIRED


def test_the_source_language_way_expires_with_its_permission() -> None:
    seals = shipped()
    seals.settings["source_language"] = "permitted"
    way = decided(seals, at=12, language="de", source_language=True)
    assert checked(way, seals) is way
    seals.settings["source_language"] = "refused"
    assert checked(way, seals) == EXPIRED


def test_what_was_known_then_stays_known(plant: Plant) -> None:
    """A correction from recorded time 3 on, and a decision as known at 2: the newest register still says it."""
    request = wb.Request(SEAL, at=6, known_at=2)
    decision = plant.register.resolve(request, MECHANIC)
    plant.set("pump-seal/applicability.csv", "revision_id", "bulletin-B", recorded_to="3")
    assert wb.still_valid(decision, MECHANIC, plant.corpus, plant.register) is decision
    today = plant.register.resolve(wb.Request(SEAL, at=6), MECHANIC)
    assert today.revision_id != decision.revision_id
