"""Conformance: who may read what, and that nothing else comes back (contract 2 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workbench.contract import Actor, Document, Status, access_digest
from workbench.evidence.corpus import Corpus
from workbench.evidence.view import View
from workbench.stores.bound import ScopeAt, time_of
from workbench.stores.conformance_asking import WARTUNG, Asked, Open, differ, names, outside, quotes, resolved, told
from workbench.stores.conformance_world import HOSTILE, TEXTS, World, twins


def finds(open_store: Open) -> Iterator[str]:
    """What the view holds is found, by its own words first."""
    world = World().add("a", TEXTS[0]).add("b", TEXTS[1]).add("c", TEXTS[2], groups=("leitung",))
    with open_store() as store:
        store.load(world.corpus)
        view = world.corpus.view(WARTUNG)
        for document, passage in view.passages():
            quote = document.text[passage.start : passage.end]
            first = store.find(view, quote, 1)
            yield from differ(f"searched by its own words, {document.id} {passage.number}", quotes(first), [quote])


def access(open_store: Open) -> Iterator[str]:
    """Only what the actor may read is ranked."""
    better = "Anzugsmoment Anzugsmoment"
    world = World().add("erlaubt", "Das Anzugsmoment der Pumpe steht im Blatt.").add("geheim", better, groups=["chef"])
    world.add("fremd", better, tenant="süd").add("ohne", better, groups=())
    with open_store() as store:
        store.load(world.corpus)
        for actor, wanted in [
            (WARTUNG, ["erlaubt"]),
            (Actor("nord", {"wartung", "chef"}), ["geheim"]),
            (Actor("süd", {"wartung"}), ["fremd"]),
            (Actor("nord", {"gast"}), []),
            (Actor("west", {"wartung"}), []),
            (Actor("nord", {"wartung"}, active=False), []),
        ]:
            found = store.find(world.corpus.view(actor), "Anzugsmoment", 1)
            yield from differ(f"the first hit for {actor}", names(found), wanted)


def no_trace(open_store: Open) -> Iterator[str]:
    """Forbidden documents change neither hits nor scores."""
    world = World().add("a", "Anzugsmoment der Dichtung.\n\nDie Dichtung prüfen.").add("b", "Anzugsmoment, Dichtung")
    alone = world.corpus
    for i in range(20):
        world.add(f"geheim{i}", "Anzugsmoment Dichtung Dichtung.\n\nAnzugsmoment", groups=["chef"])
    with open_store() as first, open_store() as second:
        first.load(alone)
        second.load(world.corpus)
        for query in ("Anzugsmoment", "Dichtung", "Anzugsmoment Dichtung"):
            there = second.find(world.corpus.view(WARTUNG), query)
            yield from differ(f"hits with scores for {query}", there, first.find(alone.view(WARTUNG), query))


def empty_set(open_store: Open) -> Iterator[str]:
    """Nothing allowed finds nothing."""
    world = twins()
    decision = resolved(world, WARTUNG, world.key(), 6)
    assert decision.context is not None
    context = replace(decision.context, allowed=(), access=access_digest(WARTUNG, {}), id="")
    nothing = replace(decision, context=context)
    with open_store() as store:
        store.load(world.corpus, world.register)
        views = {
            "no document allowed": world.corpus.view(WARTUNG, nothing),
            "no group": world.corpus.view(Actor("nord", ())),
            "inactive": world.corpus.view(Actor("nord", {"wartung"}, active=False)),
        }
        for why, view in views.items():
            yield from differ(why, names(told(store, view) or []), [])
    with open_store() as store:
        store.load(Corpus([]))
        yield from differ("an empty corpus", store.find(Corpus([]).view(WARTUNG), "Anzugsmoment"), [])


def unknown(open_store: Open) -> Iterator[str]:
    """What the store does not know as it is now is refused."""
    world = World().add("a", TEXTS[0]).add("b", TEXTS[1])
    new = World(documents=dict(world.documents)).add("neu", "Anzugsmoment, neu.").corpus
    other = World(documents=dict(world.documents)).add("a", TEXTS[0].replace("40", "45")).corpus
    regrouped = World(documents=dict(world.documents)).add("a", TEXTS[0], groups=("chef",)).corpus
    for what, corpus in {"a new document": new, "another text": other, "other groups": regrouped}.items():
        with open_store() as store:
            store.load(world.corpus)
            yield from _never_old(what, store, corpus.view(WARTUNG))
    under = twins()
    with open_store() as store:
        store.load(under.corpus)
        view = under.corpus.view(WARTUNG, resolved(under, WARTUNG, under.key(), 6))
        found = told(store, view)
        yield from differ("without the register's rows", found and set(names(found)), {"B"} if found else found)
        if found == []:
            yield "without the register's rows: nothing found instead of a refusal"


def _never_old(what: str, store: Asked, view: View) -> Iterator[str]:
    """A store that was not loaded again refuses, or answers from what is there now; it never answers from the old."""
    found = told(store, view)
    if found is None:
        return
    yield from outside(found, view)
    missed = {d.id for d, _ in view.passages()} - set(names(found))
    yield from (f"{what}: {name} was silently missed" for name in sorted(missed))


def verbatim(open_store: Open) -> Iterator[str]:
    """Each quote stands in the corpus at exactly its place."""
    corpus = Corpus(Document(f"t{i}", "nord", frozenset({"wartung"}), "1", text) for i, text in enumerate(TEXTS))
    with open_store() as store:
        store.load(corpus)
        view = corpus.view(WARTUNG)
        found = store.find(view, "Anzugsmoment", 100)
        yield from outside(found, view)
        for hit in found:
            text = corpus.documents[int(hit.document_id[1:])].text
            yield from differ(f"the quote of {hit!r}", hit.quote, text[hit.start : hit.end])
        yield from differ("documents with the word", set(names(found)) >= {d.id for d in corpus.documents}, True)


def at_once(open_store: Open) -> Iterator[str]:
    """A deletion or a change of groups holds from the next search on."""
    world = World().add("a", TEXTS[0]).add("b", TEXTS[1])
    chef = Actor("nord", {"chef"})
    with open_store() as store:
        store.load(world.corpus)
        before = store.find(world.corpus.view(WARTUNG), "Anzugsmoment")
        yield from differ("before", set(names(before)), {"a", "b"})
        less = World(documents={"b": world.documents["b"]}).add("b", TEXTS[1], groups=("chef",))
        yield from _never_old("deleted, not loaded again", store, less.corpus.view(WARTUNG))
        store.load(less.corpus)
        for actor, wanted in ((WARTUNG, set()), (chef, {"b"})):
            found = store.find(less.corpus.view(actor), "Anzugsmoment")
            yield from differ(f"after deletion and regrouping, {actor}", set(names(found)), wanted)
        # The same words in another process that still has the old corpus: what was taken away must not come back.
        old = told(store, world.corpus.view(WARTUNG))
        if isinstance(old, list) and any(hit.document_id not in world.documents for hit in old):
            yield "an old view is given what is not in it"


def hostile(open_store: Open) -> Iterator[str]:
    """Values in any spelling are data."""
    quiet = "Anzugsmoment der Pumpe."
    for value in HOSTILE:
        world = World(tenant=value).add(value, quiet, groups=(value,)).add("andere", quiet, groups=("andere",))
        world.add("fremd", quiet, groups=(value,), tenant="fremd")
        key = world.key(configuration=value, region=value, procedure=value)
        world.applies(value, key).applies("andere", world.key())
        actor = Actor(value, {value})
        with open_store() as store:
            store.load(world.corpus, world.register)
            view = world.corpus.view(actor)
            plain = names(store.find(view, "Anzugsmoment"))
            yield from differ(f"with {value!r} as id, tenant and group", plain, [value])
            yield from differ(f"rows for {value!r}", store.applying(ScopeAt(key, time_of("6"))), {value})
            decision = resolved(world, actor, key, 6)
            if decision.status is Status.RESOLVED:  # a wildcard is no scope to ask about
                bound = names(store.find(world.corpus.view(actor, decision), "Anzugsmoment"))
                yield from differ(f"with {value!r} as scope", bound, [value])
            asked = value.replace("\u001f", " ")  # a control character in a question is refused before any store
            yield from outside(store.find(view, f"Anzugsmoment {asked}"), view)
            other = world.corpus.view(Actor(value, {f"{value} "}))
            yield from differ(f"with a group like {value!r}", store.find(other, "Anzugsmoment"), [])
