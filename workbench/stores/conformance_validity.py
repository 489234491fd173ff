"""Conformance: what was decided, and where and when rows apply (contract 3 and 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workbench.contract import Actor, Request, Status
from workbench.stores.bound import ScopeAt, time_of
from workbench.stores.conformance_asking import WARTUNG, Open, differ, names, resolved
from workbench.stores.conformance_world import TEXTS, World, twins


def resolved_set(open_store: Open) -> Iterator[str]:
    """Under a decision only its document is found."""
    world = twins()
    with open_store() as store:
        store.load(world.corpus, world.register)
        for at, wanted in [(4, "A"), (5, "B"), (6, "B"), (9, "B"), (10, "C"), (12, "C")]:
            view = world.corpus.view(WARTUNG, resolved(world, WARTUNG, world.key(), at))
            yield from differ(f"documents at {at}", set(names(store.find(view, "Anzugsmoment"))), {wanted})
        edition = world.register.resolve(Request(world.scope(world.key()), at=4, language="de"), WARTUNG)
        found = store.find(world.corpus.view(WARTUNG, edition), "Anzugsmoment")
        yield from differ("documents for the edition", set(names(found)), {"A-de"})


def same_object(open_store: Open) -> Iterator[str]:
    """Configuration and region match in one row."""
    world = World().add("eins", TEXTS[0]).add("zwei", TEXTS[1])
    for configuration, region in (("C1", "EU"), ("C2", "US")):
        world.applies("eins", world.key(configuration, region))
    world.applies("zwei", world.key("C2", "EU"))
    with open_store() as store:
        store.load(world.corpus, world.register)
        for configuration, region, wanted in [
            ("C1", "EU", {"eins"}),
            ("C2", "US", {"eins"}),
            ("C2", "EU", {"zwei"}),
            ("C1", "US", set()),
        ]:
            key = world.key(configuration, region)
            carried = store.applying(ScopeAt(key, time_of("6")))
            yield from differ(f"rows for {configuration}/{region}", carried, wanted)
            decision = resolved(world, WARTUNG, key, 6)
            if decision.status is Status.RESOLVED:
                found = store.find(world.corpus.view(WARTUNG, decision), "Anzugsmoment")
                yield from differ(f"documents for {configuration}/{region}", set(names(found)), wanted)


def half_open(open_store: Open) -> Iterator[str]:
    """The start is included, the end is not."""
    first, second = time_of("2024-05-01T06:00:00Z"), time_of("2024-05-01T06:00:00.000001Z")
    utc = World(kind="utc").add("A", TEXTS[0]).add("B", TEXTS[1])
    utc.applies("A", utc.key(), first.value, second.value).applies("B", utc.key(), second.value)
    steps = {-1: "", 0: "A", 4: "A", 5: "AB", 9: "AB", 10: "C", 12: "C"}
    for world, rows in [
        (twins(editions=False), {time_of(str(step)): wanted for step, wanted in steps.items()}),
        (utc, {replace(first, value=first.value - 1): "", first: "A", second: "B"}),
    ]:
        with open_store() as store:
            store.load(world.corpus, world.register)
            for at, wanted in rows.items():
                yield from differ(f"rows at {at}", sorted(store.applying(ScopeAt(world.key(), at))), list(wanted))


def twin(open_store: Open) -> Iterator[str]:
    """A superseded near copy is absent."""
    old = "Anzugsmoment der Dichtung: 40 Nm."
    world = World().add("alt", old).add("neu", "Anzugsmoment der neuen Dichtung nach Umbau: 45 Nm.")
    both = f"{old}\n\nAnzugsmoment der neuen Dichtung nach Umbau: 45 Nm.\n\nAnhang: Anzugsmoment der Dichtung"
    world.add("heft", both, groups=("heft",))
    world.applies("alt", world.key(), 0).applies("neu", world.key(), 5).supersedes("neu", "alt", world.key(), 5)
    section = world.key(procedure="heft")
    world.applies("heft", section).located("heft", "heft", len(old) + 2, both.rindex("\n\n"))
    reader = Actor("nord", {"wartung", "heft"})
    with open_store() as store:
        store.load(world.corpus, world.register)
        first = store.find(world.corpus.view(WARTUNG), old, 1)
        yield from differ("unrestricted, the old one is first", names(first), ["alt"])
        for what, key, wanted in [("two documents", world.key(), ("neu", 1)), ("one document", section, ("heft", 2))]:
            view = world.corpus.view(reader, resolved(world, reader, key, 6))
            hits = store.find(view, old)
            yield from differ(what, [(h.document_id, h.paragraph) for h in hits], [wanted])
