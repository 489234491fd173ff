"""The conformance run itself: the built-in view passes it, and so does the reference engine behind the store's door."""

from contextlib import nullcontext

import pytest

from tests.stores.memory import Memory
from tests.stores.wrong import WRONG, IgnoresTheDecision, IgnoresTheSection
from workbench.contract import Request
from workbench.errors import EvidenceError
from workbench.stores.bound import bound
from workbench.stores.builtin import Builtin
from workbench.stores.conformance import GUARANTEES, Guarantee, outcome
from workbench.stores.conformance_asking import WARTUNG
from workbench.stores.conformance_world import twins
from workbench.stores.store import Store


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_the_built_in_view_gives_every_guarantee(guarantee: Guarantee) -> None:
    found = outcome(guarantee, lambda: nullcontext(Builtin()))
    assert found.holds, found.found


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_the_reference_engine_gives_every_guarantee(guarantee: Guarantee) -> None:
    found = outcome(guarantee, lambda: nullcontext(Store(Memory())))
    assert found.holds, found.found


def test_a_wrong_store_is_known_for_every_guarantee() -> None:
    assert list(WRONG) == [guarantee.name for guarantee in GUARANTEES]


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_a_store_that_breaks_a_guarantee_is_found_out(guarantee: Guarantee) -> None:
    for wrong in WRONG[guarantee.name]:
        found = outcome(guarantee, lambda: nullcontext(wrong()))  # noqa: B023  # called before the loop goes on
        assert not found.holds, wrong()
        assert found.found


@pytest.mark.parametrize("wrong", [IgnoresTheDecision, IgnoresTheSection])
def test_what_a_wrong_engine_names_does_not_come_through_the_door(wrong: type[Memory]) -> None:
    """A store compares with the view: such an engine ends in a refusal, not in a passage from outside."""
    world = twins()
    world.located("B", "moment", 0, len("Document B.")).located("A", "moment", 0, len("Document A."))
    store = Store(wrong())
    store.load(world.corpus, world.register)
    view = world.corpus.view(WARTUNG, world.register.resolve(Request(world.scope(world.key()), at=6), WARTUNG))
    with pytest.raises(EvidenceError):
        store.find(view, "Document")
    asked = bound(view)
    assert asked is not None
    assert store.engine.best(asked, "Anzugsmoment", 10), "the engine would have handed on what the decision rules out"
