"""The store's door: what an engine may be given, and what of its answers becomes a hit."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from tests.stores.memory import Memory
from workbench.contract import access_digest
from workbench.errors import EvidenceError, QueryRefused
from workbench.intervals import UNBOUNDED, Interval
from workbench.stores import conditions as c
from workbench.stores.bound import DAMAGED, OUTSIDE, Bound, Found, ScopeAt, bound, found, time_of
from workbench.stores.conformance_asking import WARTUNG
from workbench.stores.conformance_world import TEXTS, World, twins
from workbench.stores.encoding import HashedWords
from workbench.stores.entries import entries, part_of, place, rows_of
from workbench.stores.store import OTHER_CUT, STALE, Store
from workbench.validity.rows import ScopeValue


@pytest.fixture
def world() -> World:
    return twins()


@pytest.fixture
def store(world: World) -> Store:
    made = Store(Memory())
    made.load(world.corpus, world.register)
    return made


def decided(world: World, at: object = 6, **more: object) -> wb.View:
    decision = world.register.resolve(wb.Request(world.scope(world.key()), at=at, **more), WARTUNG)
    return world.corpus.view(WARTUNG, decision)


# --- answers ----------------------------------------------------------------------------------------------------

CHANGES = [
    ("document_id", "A"),
    ("document_id", "nirgends"),
    ("content_sha256", "0" * 64),
    ("part", "0-5"),
    ("number", 1),
    ("number", 99),
    ("start", 0),
    ("end", 10_000),
]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_passage_of_another_place_is_not_handed_on(name: str, value: object, world: World, store: Store) -> None:
    class Altered(Memory):
        def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
            first, *rest = super().best(asked, query, depth)
            return [*rest, replace(first, **{name: value})]

    engine = Altered()
    altered = Store(engine)
    altered.load(world.corpus, world.register)
    assert store.find(decided(world), "Anzugsmoment")
    with pytest.raises(EvidenceError) as refused:
        altered.find(decided(world), "Anzugsmoment")
    assert str(refused.value) == OUTSIDE


def test_every_part_but_the_score_is_tried() -> None:
    assert {name for name, _ in CHANGES} == {part.name for part in fields(Found)} - {"score"}


def test_a_passage_that_is_named_twice_is_not_handed_on(world: World) -> None:
    class Twice(Memory):
        def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
            return super().best(asked, query, depth) * 2

    store = Store(Twice())
    store.load(world.corpus, world.register)
    with pytest.raises(EvidenceError):
        store.find(decided(world), "Anzugsmoment")


@pytest.mark.parametrize("name", [part.name for part in fields(Found) if part.name != "score"])
@pytest.mark.parametrize("value", [None, True, 1.5, b"x", ["x"]])
def test_a_record_without_its_metadata_is_no_passage(name: str, value: object) -> None:
    whole = {"document_id": "a", "content_sha256": "b", "part": "whole", "number": 1, "start": 0, "end": 5}
    assert found(whole, -1.0) == Found("a", "b", "whole", 1, 0, 5, -1.0)
    for damaged in ({**whole, name: value}, {n: v for n, v in whole.items() if n != name}):
        with pytest.raises(EvidenceError) as refused:
            found(damaged, -1.0)
        assert str(refused.value) == DAMAGED


def test_hits_come_in_order_of_score_document_and_number_and_no_more_than_asked_for() -> None:
    corpus = wb.Corpus(wb.Document(name, "nord", {"wartung"}, "1", "wort\n\nwort wort\n\nwort") for name in "cab")

    class Unordered(Memory):
        def best(self, asked: Bound, query: str, depth: int) -> list[Found]:
            return super().best(asked, query, 100)[::-1]

    store = Store(Unordered())
    store.load(corpus)
    hits = store.find(corpus.view(WARTUNG), "wort", 5)
    assert [(h.document_id, h.paragraph) for h in hits] == [("a", 2), ("b", 2), ("c", 2), ("a", 1), ("a", 3)]
    assert store.find(corpus.view(WARTUNG), "wort", 2) == hits[:2]


# --- what it holds ----------------------------------------------------------------------------------------------


def test_a_store_that_was_not_loaded_refuses(world: World) -> None:
    with pytest.raises(EvidenceError) as refused:
        Store(Memory()).find(decided(world), "Anzugsmoment")
    assert str(refused.value) == STALE


@pytest.mark.parametrize("change", ["text", "groups", "version", "language", "tenant"])
def test_a_corpus_that_has_changed_is_refused_until_it_is_loaded(change: str, world: World, store: Store) -> None:
    values = {"text": "Anzugsmoment 46 Nm.", "groups": {"wartung", "x"}, "version": "2", "language": "fr"}
    changed = {d.id: d for d in world.corpus.documents}
    moved = change == "tenant"
    changed["B"] = replace(changed["B"], **({"tenant": "süd"} if moved else {change: values[change]}))
    corpus = wb.Corpus(changed.values())
    actor = wb.Actor("süd", {"wartung"}) if moved else WARTUNG
    with pytest.raises(EvidenceError) as refused:
        store.find(corpus.view(actor), "Anzugsmoment")
    assert str(refused.value) == STALE
    store.load(corpus, world.register)
    assert store.find(corpus.view(actor), "Anzugsmoment")


def test_a_register_that_has_changed_is_refused_where_its_rows_no_longer_agree(world: World, store: Store) -> None:
    world.rows[1] = replace(world.rows[1], valid=Interval(7, 10))
    old = decided(twins())
    assert store.find(old, "Anzugsmoment")
    store.load(world.corpus, world.register)
    with pytest.raises(EvidenceError):
        store.find(old, "Anzugsmoment")


def test_a_passage_that_went_missing_in_the_engine_is_noticed(world: World, store: Store) -> None:
    engine = store.engine
    assert isinstance(engine, Memory)
    view = world.corpus.view(WARTUNG)
    assert store.find(view, "Anzugsmoment")
    engine.entries["B"] = replace(engine.entries["B"], pieces=engine.entries["B"].pieces[:-1])
    with pytest.raises(EvidenceError):
        store.find(view, "Anzugsmoment")


def test_another_cut_than_the_store_s_is_refused(world: World, store: Store) -> None:
    with pytest.raises(EvidenceError) as refused:
        store.find(decided(world).cut(wb.Words(3)), "Anzugsmoment")
    assert str(refused.value) == OTHER_CUT


@pytest.mark.parametrize("cut", [wb.Words(3, overlap=1), wb.Words(100), wb.Sentences(1)])
def test_other_cuts_and_sections_have_the_view_s_own_passages(cut: object) -> None:
    world = World().add("heft", TEXTS[0] + "\n\n" + TEXTS[1])
    world.applies("heft", world.key()).applies("heft", world.key(procedure="anderes"))
    world.located("heft", "moment", 13, 40).located("heft", "anderes", 45, 60).located("heft", "anderes", 62, 80)

    class Everything(Memory):
        def score(self, query: str, text: str) -> float:
            return 1.0

    store = Store(Everything(), cut=cut)
    store.load(world.corpus, world.register)
    for procedure in ("moment", "anderes"):
        request = wb.Request(world.scope(world.key(procedure=procedure)), at=6)
        view = world.corpus.view(WARTUNG, world.register.resolve(request, WARTUNG)).cut(cut)
        own = {(p.number, p.start, p.end) for _, p in view.passages()}
        assert {(h.paragraph, h.start, h.end) for h in store.find(view, "Anzugsmoment", 100)} == own


def test_loading_takes_out_before_it_puts_in_and_writes_only_what_differs(world: World) -> None:
    class Noting(Memory):
        notes: list[tuple[list[str], list[str]]] = []  # noqa: RUF012  # one engine, one list

        def change(self, gone, put) -> None:
            gone, put = list(gone), list(put)
            self.notes.append((gone, [entry.document_id for entry in put]))
            super().change(gone, put)

    engine = Noting()
    store = Store(engine)
    store.load(world.corpus, world.register)
    store.load(world.corpus, world.register)
    world.add("B", "Anzugsmoment 46 Nm")
    del world.documents["A-de"]
    world.equivalences.clear()
    store.load(world.corpus, world.register)
    assert engine.notes == [([], ["A", "B", "C", "A-de"]), ([], []), (["A-de", "B"], ["B"])]


def test_a_change_that_failed_leaves_a_store_that_refuses(world: World) -> None:
    class Failing(Memory):
        fails = False

        def change(self, gone, put) -> None:
            if self.fails:
                raise OSError("no disk")
            super().change(gone, put)

    engine = Failing()
    store = Store(engine)
    store.load(world.corpus, world.register)
    engine.fails = True
    with pytest.raises(OSError, match="no disk"):
        store.load(world.corpus, world.register)
    with pytest.raises(EvidenceError):
        store.find(decided(world), "Anzugsmoment")


def test_another_encoder_makes_other_records(world: World) -> None:
    records = {
        encoder.digest: [e.record for e in entries(world.corpus.state, world.register, wb.Paragraphs(), encoder.digest)]
        for encoder in (HashedWords(64), HashedWords(65))
    }
    first, second = records.values()
    assert set(first).isdisjoint(second)


# --- questions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["\x00", "a\x7f", "x" * 10_001, None, 3])
def test_what_is_no_question_is_refused_before_any_engine(query: object, world: World, store: Store) -> None:
    with pytest.raises(QueryRefused):
        store.check(query)
    with pytest.raises(QueryRefused):
        store.find(decided(world), query)
    for depth in (0, -1, True, 1.5):
        with pytest.raises(QueryRefused):
            store.find(decided(world), "a", depth)
        with pytest.raises(QueryRefused):
            Store(Memory(), depth=depth)


def test_a_view_that_no_longer_holds_is_no_empty_answer(world: World, store: Store) -> None:
    view = decided(world)
    view.corpus.regroup("B", {"chef"})
    with pytest.raises(wb.ContextError):
        store.find(view, "Anzugsmoment")


# --- where and when rows apply ----------------------------------------------------------------------------------


def test_wildcards_and_inner_values_stand_for_their_leaves() -> None:
    world = World().add("a", "Anzugsmoment").add("b", "Anzugsmoment")
    world.applies("a", world.key("C2", "EU")).applies("b", world.key("*", "US"))
    declared = [("region", "EU", None), ("region", "DE", "EU"), ("region", "AT", "EU"), ("region", "US", None)]
    values = [*declared, ("configuration", "C1", None), ("configuration", "C2", None)]
    register = replace(world.register, scopes=tuple(ScopeValue(*value, 2) for value in values))
    store = Store(Memory())
    store.load(world.corpus, register)
    for configuration, region, wanted in [
        ("C2", "DE", {"a"}),
        ("C2", "AT", {"a"}),
        ("C1", "DE", set()),
        ("C1", "US", {"b"}),
        ("C2", "EU", set()),
        ("*", "US", set()),
    ]:
        assert store.applying(ScopeAt(world.key(configuration, region), time_of("6"))) == wanted


def test_an_edition_applies_where_its_revision_does_while_both_were_said() -> None:
    world = twins()
    world.rows[0] = replace(world.rows[0], recorded=Interval(2, 8))
    world.equivalences[0] = replace(world.equivalences[0], recorded=Interval(5, UNBOUNDED))
    rows = rows_of(world.register)
    at = {
        known: {name for name, own in rows.items() if c.holds(scope(world, known), {"applies": own})}
        for known in (1, 2, 4, 5, 7, 8, None)
    }
    world.equivalences[0] = replace(world.equivalences[0], recorded=Interval(8, UNBOUNDED))
    assert "A-de" not in rows_of(world.register)
    a, both = {"A"}, {"A", "A-de"}
    assert at == {1: set(), 2: a, 4: a, 5: both, 7: both, 8: set(), None: set()}


def scope(world: World, known: int | None) -> c.Condition:
    known_at = None if known is None else c.Time("logical", known)
    return ScopeAt(world.key(), time_of("4"), known_at).condition()


def test_a_request_as_known_earlier_is_answered_from_the_rows_of_then() -> None:
    world = twins()
    world.rows[1] = replace(world.rows[1], recorded=Interval(0, 3))
    world.rows.append(replace(world.rows[1], valid=Interval(7, 10), recorded=Interval(3, UNBOUNDED), row=9))
    settings = replace(world.register.settings, history_from=0)
    register = replace(world.register, settings=settings)
    store = Store(Memory())
    store.load(world.corpus, register)
    for known_at, wanted in ((2, "B"), (3, "A"), (None, "A")):
        request = wb.Request(world.scope(world.key()), at=6, known_at=known_at)
        view = world.corpus.view(WARTUNG, register.resolve(request, WARTUNG))
        assert {hit.document_id for hit in store.find(view, "Anzugsmoment")} == {wanted}


def test_steps_and_moments_are_never_compared() -> None:
    step, moment = c.Time("logical", 5), c.Time("utc", 5)
    assert c.holds(c.AtMost("t", step), {"t": step})
    assert not c.holds(c.AtMost("t", step), {"t": moment})
    assert not c.holds(c.After("t", step), {"t": c.Time("utc", 9)})
    assert not c.holds(c.AtMost("t", step), {"t": 5})
    assert not c.holds(c.AtMost("t", step), {})


@given(st.sampled_from(["unbounded", "instant"]), st.booleans(), st.integers(-2, 12))
def test_an_end_that_is_missing_is_not_an_end_that_never_comes(said: str, there: bool, at: int) -> None:
    row: dict[str, object] = {
        **World().key()._asdict(),
        "valid_from": c.Time("logical", 0),
        "valid_end": said,
        "recorded_from": c.Time("logical", 0),
        "recorded_end": "unbounded",
    }
    if there:
        row["valid_to"] = c.Time("logical", 10)
    holds = c.holds(ScopeAt(World().key(), time_of(str(at))).condition(), {"applies": [row]})
    assert holds == (at >= 0 and (said == "unbounded" or (there and at < 10)))


# --- what an engine is asked with -------------------------------------------------------------------------------


def test_a_view_as_conditions_names_who_asks_and_what_was_decided(world: World) -> None:
    asked = bound(decided(world))
    assert asked is not None
    assert (asked.tenant, asked.groups, asked.cut, asked.documents) == ("nord", ("wartung",), "Paragraphs()", ("B",))
    assert asked.places == (place("B", world.corpus.fingerprint("B"), part_of(None)),)
    assert asked.scope == ScopeAt(world.key(), c.Time("logical", 6), None, "B")
    free = bound(world.corpus.view(WARTUNG))
    assert free is not None
    assert (free.documents, free.places, free.scope) == (None, None, None)


def test_each_field_of_a_passage_and_of_its_row_counts() -> None:
    world = twins(editions=False)
    world.rows[1] = replace(world.rows[1], valid=Interval(5, 7))
    asked, free = bound(decided(world)), bound(world.corpus.view(WARTUNG))
    assert asked is not None
    assert free is not None
    entry = next(e for e in entries(world.corpus.state, world.register, wb.Paragraphs()) if e.document_id == "B")
    passage = dict(entry.fields(entry.pieces[0]))
    assert c.holds(asked.condition(), passage)
    assert c.holds(free.condition(), passage)
    for field in ("tenant", "cut", "document_id", "place"):
        assert not c.holds(asked.condition(), passage | {field: "anders"}), field
    for field in ("tenant", "cut", "part"):
        assert not c.holds(free.condition(), passage | {field: "anders"}), field
    for condition in (asked.condition(), free.condition()):
        assert not c.holds(condition, passage | {"groups": ("anders",)})
    [row] = entry.applies
    for field in row:
        time = isinstance(row[field], c.Time)
        other = {"valid_from": 7, "valid_to": 6, "recorded_from": 3}.get(field) if time else "anders"
        changed = dict(row) | {field: c.Time("logical", other) if time else other}
        assert c.holds(asked.condition(), passage | {"applies": [changed]}) == (field == "recorded_from"), field
    assert not c.holds(asked.condition(), passage | {"applies": []})


def test_under_an_empty_decision_no_engine_is_asked(world: World, store: Store) -> None:
    decision = decided(world).decision
    assert decision is not None
    assert decision.context is not None
    nothing = replace(decision, context=replace(decision.context, allowed=(), access=access_digest(WARTUNG, {}), id=""))
    store.engine = None
    for view in (
        world.corpus.view(WARTUNG, nothing),
        world.corpus.view(wb.Actor("nord", ())),
        world.corpus.view(wb.Actor("nord", {"wartung"}, active=False)),
    ):
        assert store.find(view, "Anzugsmoment") == []


def test_a_document_with_sections_is_found_once_without_a_decision(world: World) -> None:
    world.located("B", "moment", 0, len("Document B."))
    store = Store(Memory())
    store.load(world.corpus, world.register)
    found = store.find(world.corpus.view(WARTUNG), "Anzugsmoment Document", 100)
    assert sorted((h.document_id, h.paragraph) for h in found if h.document_id == "B") == [("B", 1), ("B", 2)]


def test_more_groups_and_other_sections_are_written_too(world: World, store: Store) -> None:
    world.add("B", world.documents["B"].text, groups=("wartung", "x"))
    store.load(world.corpus, world.register)
    assert store.find(world.corpus.view(wb.Actor("nord", {"x"})), "Anzugsmoment")
    world.located("B", "moment", len("Document B.") + 2, len(world.documents["B"].text))
    store.load(world.corpus, world.register)
    assert [hit.paragraph for hit in store.find(decided(world), "Anzugsmoment Document")] == [2]


def test_a_place_pins_document_text_and_part_together() -> None:
    places = {place(a, b, d) for a in ("x", "xy") for b in ("y", "yz") for d in ("whole", "0-5")}
    assert len(places) == 8
