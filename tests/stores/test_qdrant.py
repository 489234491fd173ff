"""Qdrant: its own engine in process (qdrant-edge-py), and the client with its local mode.

What each proves: qdrant-edge-py is the engine that a server runs, so its filters, ranges and counts are Qdrant's; it
proves nothing about the network, the server's API or several nodes. Local mode is an imitation in the client library;
it proves that what we send through the client's types is well-formed and means the same there. A server is tested where
WORKBENCH_QDRANT_URL names one.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import qdrant_edge as edge
from hypothesis import given, settings
from hypothesis import strategies as st
from qdrant_client import QdrantClient, models

import workbench as wb
from tests.stores import engines
from tests.stores.engines import QDRANT, WORDS
from tests.stores.wrong import unnested
from workbench.errors import EvidenceError, InputError
from workbench.stores import conditions as c
from workbench.stores import qdrant, qdrant_edge
from workbench.stores.bound import DAMAGED, ScopeAt, time_of
from workbench.stores.conformance import GUARANTEES, Guarantee, outcome
from workbench.stores.conformance_asking import WARTUNG
from workbench.stores.conformance_world import World, twins
from workbench.stores.qdrant_payload import LARGEST_STEP
from workbench.stores.store import STALE, Changes, Store

EVERY = pytest.mark.parametrize("opened", QDRANT.values(), ids=QDRANT.keys())


@EVERY
@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_every_guarantee_is_given(guarantee: Guarantee, opened) -> None:
    found = outcome(guarantee, opened)
    assert found.holds, found.found


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_a_server_gives_every_guarantee(guarantee: Guarantee) -> None:
    url = os.environ.get("WORKBENCH_QDRANT_URL")
    if url is None:
        pytest.skip("no Qdrant server (WORKBENCH_QDRANT_URL names none)")
    found = outcome(guarantee, partial(engines.qdrant_server, url))
    assert found.holds, found.found


# --- the same object --------------------------------------------------------------------------------------------


@EVERY
def test_an_unnested_filter_mixes_rows_and_ours_does_not(opened) -> None:
    world = World().add("eins", "Anzugsmoment").add("zwei", "Anzugsmoment")
    world.applies("eins", world.key("C1", "EU")).applies("eins", world.key("C2", "US"))
    world.applies("zwei", world.key("C2", "EU"))
    asked = ScopeAt(world.key("C2", "EU"), time_of("6"))
    with opened() as store:
        store.load(world.corpus, world.register)
        assert matching(store, asked.condition()) == {"zwei"}
        assert matching(store, flat(asked.condition())) == {"eins", "zwei"}


def matching(store: Store, condition: c.Condition) -> set[str]:
    """The documents that an engine finds under a condition."""
    engine = store.engine
    if isinstance(engine, qdrant.Qdrant):
        return {p["document_id"] for p in engine._scrolled(qdrant.filter_of(condition), ["document_id"])}
    assert isinstance(engine, qdrant_edge.QdrantEdge)
    return {p["document_id"] for p in engine._scrolled(qdrant_edge.filter_of(condition), ["document_id"])}


def flat(condition: c.Condition) -> c.Condition:
    """Each part on the array for itself, as if the fields were not nested."""
    mixed = unnested(condition)
    assert mixed != condition
    return mixed


# --- the meaning of every filter that can be built --------------------------------------------------------------

names = st.sampled_from(["a", "b", "A", "ä", "'", '"', "", " a", "*"])
times = st.builds(c.Time, st.sampled_from(["logical", "utc"]), st.sampled_from([-1, 0, 1, 5, 6, 10**15]))
leaves = st.one_of(
    st.builds(c.Equal, st.sampled_from(["x", "y", "gone"]), names),
    st.builds(c.AnyOf, st.sampled_from(["x", "y"]), st.lists(names, min_size=1, max_size=3).map(tuple)),
    st.builds(c.AtMost, st.sampled_from(["from", "to"]), times),
    st.builds(c.After, st.sampled_from(["from", "to"]), times),
)


def trees(base):
    parts = st.lists(base, min_size=1, max_size=3).map(tuple)
    return st.one_of(base, st.builds(c.Every, parts), st.builds(c.Either, parts))


groups = st.builds(c.Meets, st.just("groups"), st.lists(names, min_size=1, max_size=3).map(tuple))
inner = trees(trees(leaves))
conditions = trees(st.one_of(leaves, groups, st.builds(c.Same, st.just("rows"), inner)))
objects = st.fixed_dictionaries({}, optional={"x": names, "y": names, "from": times, "to": times})
documents = st.builds(
    lambda own, members, rows: {**own, "groups": members, "rows": rows},
    objects,
    st.lists(names, max_size=3),
    st.lists(objects, max_size=3),
)


def as_payload(value):
    if isinstance(value, c.Time):
        return qdrant.payloads.written(value)
    if isinstance(value, dict):
        return {name: as_payload(part) for name, part in value.items()}
    return [as_payload(part) for part in value] if isinstance(value, list) else value


@settings(max_examples=150)
@given(st.lists(documents, min_size=1, max_size=4), st.lists(conditions, min_size=1, max_size=4))
def test_both_engines_mean_by_a_filter_what_the_conditions_mean(made, asked) -> None:
    with opened_shard() as shard, opened_local() as client:
        numbered = list(enumerate(map(as_payload, made)))
        shard.update(edge.UpdateOperation.upsert_points([edge.Point(n, {"v": [1.0]}, p) for n, p in numbered]))
        client.upsert("c", [models.PointStruct(id=n, vector=[1.0], payload=p) for n, p in numbered])
        for condition in asked:
            wanted = {number for number, fields in enumerate(made) if c.holds(condition, fields)}
            found, _ = shard.scroll(edge.ScrollRequest(limit=9, filter=qdrant_edge.filter_of(condition)))
            assert {int(point.id) for point in found} == wanted, condition
            there, _ = client.scroll("c", scroll_filter=qdrant.filter_of(condition), limit=9)
            assert {point.id for point in there} == wanted, condition


@contextmanager
def opened_shard() -> Iterator[edge.EdgeShard]:
    with engines.folder() as place:
        vectors = {"v": edge.EdgeVectorParams(size=1, distance=edge.Distance.Cosine)}
        shard = edge.EdgeShard.create(place, edge.EdgeConfig(vectors=vectors))
        yield shard
        shard.close()


@contextmanager
def opened_local() -> Iterator[QdrantClient]:
    client = QdrantClient(":memory:")
    client.create_collection("c", vectors_config=models.VectorParams(size=1, distance=models.Distance.COSINE))
    yield client
    client.close()


# --- traps of the engine ----------------------------------------------------------------------------------------


def test_to_both_engines_an_empty_filter_is_everything_and_ours_cannot_be_built() -> None:
    with opened_shard() as shard, opened_local() as client:
        shard.update(edge.UpdateOperation.upsert_points([edge.Point(1, {"v": [1.0]}, {"x": "a"})]))
        client.upsert("c", [models.PointStruct(id=1, vector=[1.0], payload={"x": "a"})])
        for filters in ({}, {"must": []}):
            assert shard.count(edge.CountRequest(filter=edge.Filter(**filters))) == 1
            assert client.count("c", models.Filter(**filters)).count == 1
        none = edge.Filter(must=[edge.FieldCondition("x", match=edge.MatchAny([]))])
        assert shard.count(edge.CountRequest(filter=none)) == 0
    for build in (partial(c.AnyOf, "x"), partial(c.Meets, "x"), c.Every, c.Either):
        with pytest.raises(EvidenceError):
            build(())


def test_to_the_engine_true_means_one_so_our_payloads_hold_no_truth_values() -> None:
    with opened_shard() as shard:
        shard.update(edge.UpdateOperation.upsert_points([edge.Point(1, {"v": [1.0]}, {"x": True, "y": 1})]))

        def count(field: str) -> int:
            where = edge.Filter(must=[edge.FieldCondition(field, match=edge.MatchValue(True))])
            return shard.count(edge.CountRequest(filter=where))

        assert (count("x"), count("y")) == (0, 1)


def test_steps_that_the_engine_cannot_tell_apart_are_refused() -> None:
    world = World().add("a", "Anzugsmoment")
    world.applies("a", world.key(), LARGEST_STEP + 1)
    with engines.qdrant_edge() as store, pytest.raises(InputError, match="neighbour"):
        store.load(world.corpus, world.register)
    world.rows.clear()
    world.applies("a", world.key(), LARGEST_STEP - 1, LARGEST_STEP)
    with engines.qdrant_edge() as store:
        store.load(world.corpus, world.register)
        at = [LARGEST_STEP - 2, LARGEST_STEP - 1, LARGEST_STEP]
        assert [store.applying(ScopeAt(world.key(), time_of(str(t)))) for t in at] == [set(), {"a"}, set()]


# --- metadata that somebody changed in the engine ---------------------------------------------------------------

DAMAGE = [
    "document_id",
    "content_sha256",
    "tenant",
    "groups",
    "cut",
    "part",
    "place",
    "number",
    "start",
    "end",
    "applies",
]


@pytest.mark.parametrize("field", DAMAGE)
@EVERY
def test_a_passage_without_its_metadata_stops_the_request(field: str, opened) -> None:
    world = twins()
    with opened() as store:
        store.load(world.corpus, world.register)
        decision = world.register.resolve(wb.Request(world.scope(world.key()), at=6), WARTUNG)
        view = world.corpus.view(WARTUNG, decision)
        assert len(store.find(view, "Anzugsmoment")) == 2
        where = c.Every((c.Equal("document_id", "B"), c.Equal("part", "whole")))
        if isinstance(store.engine, qdrant.Qdrant):
            store.engine._client.delete_payload(
                "workbench", [field], models.FilterSelector(filter=qdrant.filter_of(where))
            )
        else:
            operation = edge.UpdateOperation.delete_payload_by_filter(qdrant_edge.filter_of(where), [field])
            store.engine._shard.update(operation)
        with pytest.raises(EvidenceError) as refused:
            store.find(view, "Anzugsmoment")
        assert str(refused.value) in (STALE, DAMAGED)


# --- loading ----------------------------------------------------------------------------------------------------


def test_loading_again_writes_what_differs_only(tmp_path: Path) -> None:
    world = twins()
    engine = qdrant_edge.QdrantEdge(tmp_path, WORDS)
    assert Store(engine).load(world.corpus, world.register) == Changes((), ("A", "A-de", "B", "C"))
    engine.close()
    reopened = qdrant_edge.QdrantEdge(tmp_path, WORDS)
    store = Store(reopened)
    assert store.load(world.corpus, world.register) == Changes((), ())
    world.rows[2] = replace(world.rows[2], valid=replace_end(world.rows[2].valid, 20))
    assert store.load(world.corpus, world.register) == Changes((), ("C",))
    del world.documents["A-de"]
    world.equivalences.clear()
    assert store.load(world.corpus, world.register) == Changes(("A-de",), ())
    assert set(reopened.records()) == {"A", "B", "C"}
    reopened.close()


def replace_end(interval, end: int):
    return interval._replace(end=end)


def test_a_collection_with_other_vectors_is_refused() -> None:
    with opened_local() as client, pytest.raises(InputError, match="other vectors"):
        qdrant.Qdrant(client, "c", WORDS, local=True)


# --- under a session --------------------------------------------------------------------------------------------


@EVERY
def test_a_session_finds_through_the_store_and_its_manifests_verify(opened) -> None:
    world = twins()
    corpus, register = world.corpus, world.register
    request = wb.Request(world.scope(world.key()), at=6)
    with opened() as store:
        store.load(corpus, register)
        answer = wb.Session(corpus, register).ask("Anzugsmoment", actor=WARTUNG, request=request, find=store)
        assert {hit.document_id for hit in answer.hits} == {"B"}
        assert answer.hits[0].quote.startswith("Anzugsmoment 45 Nm")
        assert all(wb.verify(manifest, WARTUNG, corpus, register) for manifest in answer.manifests)
