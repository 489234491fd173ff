"""Azure AI Search: the filters' meaning, by an evaluator of the forms that are written. No service is asked.

What it proves: that a filter, read by the rules of the language, holds exactly where its conditions hold, and that no
value breaks out of its literal. What it does not: that a service reads it so, ranks so, or is as fresh.
"""

import re
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.stores.engines import WORDS
from tests.stores.odata_evaluator import Index, Malformed, evaluate, read, tokens
from tests.stores.test_qdrant import conditions, documents, flat
from workbench.errors import EvidenceError, InputError
from workbench.stores import azure_search
from workbench.stores import conditions as c
from workbench.stores.azure_search import AzureSearch, document, index_definition
from workbench.stores.bound import ScopeAt, bound, time_of
from workbench.stores.conformance import GUARANTEES, Guarantee, outcome
from workbench.stores.conformance_asking import WARTUNG
from workbench.stores.conformance_world import HOSTILE, World, twins
from workbench.stores.entries import entries
from workbench.stores.odata import NOT_A_LITERAL, field_of, odata
from workbench.stores.store import Store


@contextmanager
def evaluated():
    yield Store(AzureSearch(Index(), WORDS))


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_every_guarantee_is_given_by_the_evaluator_s_reading(guarantee: Guarantee) -> None:
    found = outcome(guarantee, evaluated)
    assert found.holds, found.found


# --- meaning ----------------------------------------------------------------------------------------------------


def as_document(value):
    if isinstance(value, dict):
        return {
            field_of(name, part) if isinstance(part, c.Time) else name: as_document(part)
            for name, part in value.items()
        }
    if isinstance(value, list):
        return [as_document(part) for part in value]
    return value.value if isinstance(value, c.Time) else value


@settings(max_examples=500)
@given(documents, conditions)
def test_a_filter_means_what_its_conditions_mean(fields, condition) -> None:
    assert evaluate(odata(condition), as_document(fields)) == c.holds(condition, fields)


wild = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.sampled_from("'\" ()|,;~#¦/:aO\n\u001f"), max_size=12),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)


@settings(max_examples=500)
@given(wild, wild, st.lists(wild, min_size=1, max_size=3).map(tuple))
def test_no_value_breaks_out_of_its_literal(first, second, several) -> None:
    condition = c.Every((c.Equal("x", first), c.Meets("groups", several), c.Same("rows", c.Equal("y", second))))
    written = odata(condition)
    same = {"x": first, "groups": [several[-1]], "rows": [{"y": second}]}
    assert evaluate(written, same)
    assert not evaluate(written, {**same, "x": first + "'"})
    assert not evaluate(written, {**same, "groups": [several[-1] + "\u2603"]})
    assert not evaluate(written, {**same, "rows": [{"y": second + " "}]})
    # Without its literals it is the same text for all values: they are in no other place.
    plain = odata(c.Every((c.Equal("x", "a"), c.Meets("groups", several), c.Same("rows", c.Equal("y", "a")))))
    assert shape(written) == shape(plain)


def shape(written: str) -> list[str]:
    return ["''" if token.startswith("'") else token for token in tokens(written)]


def test_pasting_would_break_out() -> None:
    value = "x' or tenant ne '"
    assert evaluate(odata(c.Equal("tenant", value)), {"tenant": value})
    pasted = f"(tenant eq '{value}')"
    with pytest.raises(Malformed):
        read(pasted)
    assert evaluate("(tenant eq 'x' or tenant gt '')", {"tenant": "anybody"}), "what such a paste would mean"


@pytest.mark.parametrize(("values", "written"), [
    (("a", "b"), "search.in(x, 'a|b', '|')"),
    (("a|", "b"), "search.in(x, 'a|,b', ',')"),
    (("a|,;~#¦", "b"), "(x eq 'a|,;~#¦' or x eq 'b')"),
    ((" a", "b"), "(x eq ' a' or x eq 'b')"),
    (("", "b"), "(x eq '' or x eq 'b')"),
    (("O'Brien",), "search.in(x, 'O''Brien', '|')"),
])  # fmt: skip
def test_lists_have_a_delimiter_that_no_value_holds(values, written) -> None:
    assert odata(c.AnyOf("x", values)) == written


@pytest.mark.parametrize("condition", [
    c.Equal("x", "\ud800"),
    c.Equal("x", True),
    c.Equal("x", 2**63),
    c.AtMost("x", c.Time("logical", 2**63)),
    c.AnyOf("x", ("a", "\ud800")),
])  # fmt: skip
def test_a_value_without_a_literal_is_refused(condition) -> None:
    with pytest.raises(EvidenceError) as refused:
        odata(condition)
    assert str(refused.value) == NOT_A_LITERAL


@pytest.mark.parametrize("inner", [c.Meets("groups", ("a",)), c.Same("rows", c.Equal("x", "a"))])
def test_a_list_inside_a_row_is_refused(inner) -> None:
    with pytest.raises(EvidenceError):
        odata(c.Same("rows", inner))


def test_an_empty_set_makes_no_filter() -> None:
    for build in (lambda: c.AnyOf("x", ()), lambda: c.Meets("x", ()), lambda: c.Every(()), lambda: c.Either(())):
        with pytest.raises(EvidenceError, match="finds nothing"):
            build()


def test_an_unnested_filter_mixes_rows_and_ours_does_not() -> None:
    world = World().add("eins", "Anzugsmoment").add("zwei", "Anzugsmoment")
    world.applies("eins", world.key("C1", "EU")).applies("eins", world.key("C2", "US"))
    world.applies("zwei", world.key("C2", "EU"))
    asked = ScopeAt(world.key("C2", "EU"), time_of("6")).condition()
    made = {
        e.document_id: document(e, e.pieces[0]) for e in entries(world.corpus.state, world.register, wb.Paragraphs())
    }
    assert {name for name, fields in made.items() if evaluate(odata(asked), fields)} == {"zwei"}
    assert {name for name, fields in made.items() if evaluate(odata(flat(asked)), fields)} == {"eins", "zwei"}


# --- requests ---------------------------------------------------------------------------------------------------


def test_each_search_states_that_the_filter_comes_first() -> None:
    world = twins()
    index = Index()
    store = Store(AzureSearch(index, WORDS))
    store.load(world.corpus, world.register)
    decision = world.register.resolve(wb.Request(world.scope(world.key()), at=6), WARTUNG)
    store.find(world.corpus.view(WARTUNG, decision), "Anzugsmoment", 3)
    body = index.bodies[-1]
    assert body["vectorFilterMode"] == "preFilter"
    assert body["vectorQueries"][0]["exhaustive"] is True
    assert (body["top"], body["vectorQueries"][0]["k"]) == (3, 3)
    assert "search" not in body, "an order by words would count words of forbidden documents"
    assert body["filter"].startswith("(tenant eq 'nord' and groups/any(m: search.in(m, 'wartung', '|')) and cut eq ")
    assert all(other.get("filter") for other in index.bodies[-2:])


def test_every_field_of_a_filter_is_filterable_and_every_written_field_is_defined() -> None:
    world = twins()
    decision = world.register.resolve(wb.Request(world.scope(world.key()), at=6), WARTUNG)
    defined = {field["name"]: field for field in index_definition("i", WORDS.dimension)["fields"]}
    inner = {field["name"]: field for field in defined["applies"]["fields"]}
    for view in (world.corpus.view(WARTUNG), world.corpus.view(WARTUNG, decision)):
        asked = bound(view)
        assert asked is not None
        for token in tokens(odata(asked.condition())):
            if re.fullmatch(r"[a-z_]+", token) and token not in ("eq", "le", "gt", "and", "or", "r", "m"):
                assert defined[token]["filterable"]
            if token.startswith("r/"):
                assert inner[token[2:]]["filterable"]
    for entry in entries(world.corpus.state, world.register, wb.Paragraphs()):
        made = document(entry, entry.pieces[0])
        assert made.keys() | {"embedding"} == defined.keys()
        assert all(row.keys() <= inner.keys() for row in made["applies"])
        assert re.fullmatch(r"[A-Za-z0-9_=-]+", made["key"])


def test_pages_are_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(azure_search, "PAGE", 3)
    world = World()
    for i in range(10):
        world.add(f"d{i}", "Anzugsmoment.\n\nSeite zwei.")
    engine = AzureSearch(Index(), WORDS)
    store = Store(engine)
    store.load(world.corpus)
    assert set(engine.records()) == set(world.documents)
    store.load(wb.Corpus([]))
    assert engine.records() == {}


# --- a service that does not do as it is told -------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer", [{}, {"value": None}, {"value": ["x"]}, {"value": [{"status": False}]}, {"value": []}]
)
def test_a_change_that_was_not_taken_is_an_error(answer) -> None:
    class Refusing(Index):
        def post(self, path, body):
            return answer if path == "docs/index" else super().post(path, body)

    store = Store(AzureSearch(Refusing(), WORDS))
    with pytest.raises(EvidenceError):
        store.load(World().add("a", "Anzugsmoment").corpus)


def test_a_service_that_ignores_the_filter_hands_nothing_on() -> None:
    class Ignoring(Index):
        def post(self, path, body):
            return super().post(
                path, {name: part for name, part in body.items() if name != "filter" or "top" not in body}
            )

    world = twins()
    index = Ignoring()
    store = Store(AzureSearch(index, WORDS))
    store.load(world.corpus, world.register)
    decision = world.register.resolve(wb.Request(world.scope(world.key()), at=6), WARTUNG)
    with pytest.raises(EvidenceError):
        store.find(world.corpus.view(WARTUNG, decision), "Anzugsmoment")


@pytest.mark.parametrize("answer", [{}, {"@odata.count": "1"}, {"@odata.count": None}])
def test_an_answer_without_its_count_is_an_error(answer) -> None:
    class Uncounted(Index):
        def post(self, path, body):
            return answer if body.get("count") else super().post(path, body)

    corpus = World().add("a", "Anzugsmoment").corpus
    store = Store(AzureSearch(Uncounted(), WORDS))
    store.load(corpus)
    with pytest.raises(EvidenceError):
        store.find(corpus.view(WARTUNG), "Anzugsmoment")


def test_more_rows_than_a_document_holds_are_refused() -> None:
    world = World().add("a", "Anzugsmoment")
    for i in range(azure_search.MOST_ROWS + 1):
        world.applies("a", world.key(f"C{i}"))
    with pytest.raises(InputError, match="3000 rows"):
        Store(AzureSearch(Index(), WORDS)).load(world.corpus, world.register)
    world.rows.pop()
    Store(AzureSearch(Index(), WORDS)).load(world.corpus, world.register)
