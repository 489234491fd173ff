"""Kept answers: equal to fresh ones, without text, checked when read, and gone when what they rest on is."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import workbench as wb
from workbench.contract import access_digest
from workbench.errors import EvidenceError
from workbench.pipeline.cache import Cache, CacheError, Entry, Place, cache_key, entry_of, recalled

from .conftest import MECHANIC
from .seals import Seals, scope, shipped
from .test_recheck import CHANGES, elsewhere

MAKERS = ["memory", "sqlite"]


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Cache]]:
    """Makes a cache of one kind; the SQLite ones share one file and are closed afterwards."""
    opened = []

    def made(**more: object) -> Cache:
        if request.param == "memory":
            return wb.MemoryCache(**more)
        opened.append(wb.SqliteCache(tmp_path / "answers.sqlite", **more))
        return opened[-1]

    yield made
    for cache in opened:
        cache.close()


def ask(session: wb.Session, query: str = "Anzugsmoment", at: object = 6, **more: object) -> wb.Answer:
    return session.ask(query, actor=MECHANIC, request=wb.Request(scope(), at=at), **more)


class Counting:
    """The strict search, counting how often it really searches."""

    def __init__(self) -> None:
        self.searched = 0

    def check(self, query: str) -> None: ...

    def find(self, view: wb.View, query: str) -> list[wb.Hit]:
        self.searched += 1
        return view.search(query)

    def __repr__(self) -> str:
        return "Counting()"


@pytest.mark.parametrize("windows", [False, True])
def test_a_kept_answer_equals_a_fresh_one_and_is_not_searched_again(make: Callable, windows: bool) -> None:
    seals, find = shipped(), Counting()
    session = wb.Session(seals.corpus, seals.register, cache=make(windows=windows))
    times = [6, 6, 7, 6, 8, 5]
    for at in times:
        assert ask(session, at=at, find=find) == ask(wb.Session(seals.corpus, seals.register), at=at)
    assert find.searched == (1 if windows else len(set(times)))


@pytest.mark.parametrize("windows", [False, True])
def test_what_differs_in_anything_is_searched_anew(make: Callable, windows: bool) -> None:
    seals, find = shipped(), Counting()
    session = wb.Session(seals.corpus, seals.register, cache=make(windows=windows))
    asked = [
        {},
        {"query": "zweimal"},
        {"at": 4},
        {"at": 12},
        {"cut": wb.Words(3)},
        {"cut": wb.Words(3, overlap=1)},
    ]
    for number, more in enumerate(asked, 1):
        ask(session, find=find, **more)
        assert find.searched == number
    ask(session, find=wb.Ranked(3))
    ask(session, find=wb.Strict(3))
    assert find.searched == len(asked)
    for actor in (wb.Actor("werk-nord", {"wartung", "lager"}), wb.Actor("werk-nord", {"wartung"})):
        session.ask("Anzugsmoment", actor=actor, request=wb.Request(scope(), at=6), find=find)
    assert find.searched == len(asked) + 1


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("change", [*CHANGES, elsewhere])
def test_a_change_invalidates(make: Callable, windows: bool, change: Callable[[Seals], None]) -> None:
    seals = shipped()
    cache = make(windows=windows)
    session = wb.Session(seals.corpus, seals.register, cache=cache)
    assert ask(session).hits
    assert len(cache) == 1
    change(seals)
    session.renew(corpus=seals.corpus, register=seals.register)
    assert len(cache) == 0 or seals.register.snapshot() == shipped().register.snapshot()
    assert ask(session) == ask(wb.Session(seals.corpus, seals.register))


@pytest.mark.parametrize("change", CHANGES)
def test_an_entry_that_was_not_removed_cannot_answer_either(make: Callable, change: Callable[[Seals], None]) -> None:
    """As when another process kept it: the decision comes first, and its key and view are of today."""
    seals, cache = shipped(), make(windows=True)
    ask(wb.Session(seals.corpus, seals.register, cache=cache))
    change(seals)
    late = wb.Session(seals.corpus, seals.register, cache=cache)
    assert len(cache) == 1
    assert ask(late) == ask(wb.Session(seals.corpus, seals.register))


def test_access_is_checked_when_a_kept_answer_is_read(make: Callable) -> None:
    """Right key in hand: a view of today is needed, and somebody else's or a withdrawn one is none."""
    seals, cache = shipped(), make()
    decision = seals.register.resolve(wb.Request(scope(), at=6), MECHANIC)
    view = seals.corpus.view(MECHANIC, decision)
    key = cache_key(decision.context, "Anzugsmoment")
    cache.put(key, entry_of(tuple(view.search("Anzugsmoment")), decision))
    assert recalled(cache, key, view, decision) == tuple(view.search("Anzugsmoment"))
    other = seals.register.resolve(wb.Request(scope(), at=12), MECHANIC)
    with pytest.raises(EvidenceError):
        recalled(cache, key, seals.corpus.view(MECHANIC, other), other)
    assert cache.get(key) is None


def test_an_empty_view_recalls_nothing(make: Callable) -> None:
    seals, cache = shipped(), make()
    decision = seals.register.resolve(wb.Request(scope(), at=6), MECHANIC)
    hits = tuple(seals.corpus.view(MECHANIC, decision).search("Anzugsmoment"))
    empty = replace(decision.context, allowed=(), access=access_digest(MECHANIC, {}), id="")
    nothing = replace(decision, context=empty)
    cache.put("key", entry_of(hits, decision))
    with pytest.raises(EvidenceError):
        recalled(cache, "key", seals.corpus.view(MECHANIC, nothing), nothing)


@pytest.mark.parametrize(
    "forged",
    [
        {"document_id": "manual-A"},
        {"document_id": "nirgends"},
        {"content_sha256": "0" * 64},
        {"number": 1},
        {"number": 9},
        {"start": 0},
        {"end": 30},
    ],
)
def test_an_entry_that_names_another_place_is_an_error_and_forgotten(make: Callable, forged: dict) -> None:
    seals, cache = shipped(), make()
    session = wb.Session(seals.corpus, seals.register, cache=cache)
    good = ask(session)
    context = good.decision.context
    key = cache_key(context, "Anzugsmoment", finder=repr(wb.Strict()))
    entry = cache.get(key)
    assert entry is not None
    cache.put(key, replace(entry, places=(entry.places[0]._replace(**forged),)))
    with pytest.raises(EvidenceError, match="nothing was handed on"):
        ask(session)
    assert cache.get(key) is None
    assert ask(session) == good


def test_the_longest_unused_make_room(make: Callable) -> None:
    cache = make(most=2)
    entry = Entry("s", (("d", "0" * 64),), (Place("d", "0" * 64, 1, 0, 4, -0.1),))
    for key in ("a", "b"):
        cache.put(key, entry)
    assert cache.get("a") == entry
    cache.put("c", entry)
    assert [cache.get(key) is not None for key in "abc"] == [True, False, True]
    assert len(cache) == 2
    cache.drop("a")
    assert len(cache) == 1
    assert cache.retain("s", {"d": "0" * 64}) == 0
    assert cache.retain("s", {"d": "1" * 64}) == 1
    assert len(cache) == 0


def test_scores_come_back_to_the_bit(make: Callable) -> None:
    cache = make()
    scores = [-1.0000000000000002, -5e-324, -0.1, -0.0, 1e300]
    places = tuple(Place("d", "0" * 64, n, 0, 1, score) for n, score in enumerate(scores))
    cache.put("k", Entry("s", (), places))
    found = cache.get("k")
    assert found is not None
    assert [place.score.hex() for place in found.places] == [score.hex() for score in scores]


def test_a_file_outlives_its_process_and_holds_no_text_and_no_question(tmp_path: Path) -> None:
    seals, path = shipped(), tmp_path / "answers.sqlite"
    first = wb.SqliteCache(path, windows=True)
    before = ask(wb.Session(seals.corpus, seals.register, cache=first))
    first.close()
    again, find = wb.SqliteCache(path, windows=True), Counting()
    session = wb.Session(seals.corpus, seals.register, cache=again)
    assert repr(again) == "SqliteCache(1 answers by window)"
    assert ask(session) == before
    ask(session, find=find)
    ask(session, find=find)
    assert find.searched == 1
    again.close()
    held = path.read_bytes()
    for text in ("Anzugsmoment", "45 Nm", "wartung", "zweimal"):
        assert text.encode() not in held


def test_a_damaged_row_is_an_error_once(tmp_path: Path) -> None:
    seals, path = shipped(), tmp_path / "answers.sqlite"
    cache = wb.SqliteCache(path)
    session = wb.Session(seals.corpus, seals.register, cache=cache)
    good = ask(session)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE answers SET entry = replace(entry, 'bulletin-B', 'manual-C')")
    file.close()
    with pytest.raises(EvidenceError, match="damaged"):
        ask(session)
    assert ask(session) == good
    with sqlite3.connect(path) as file:
        file.execute("UPDATE answers SET key = 'another'")
    file.close()
    assert cache.retain(seals.register.snapshot(), seals.corpus.state.fingerprints) == 1
    cache.close()


@pytest.mark.parametrize("most", [0, -1, True, 2.5])
def test_a_size_is_a_number(most: object) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        wb.MemoryCache(most=most)


def test_windows_and_instants_never_meet() -> None:
    seals = shipped()
    context = seals.register.resolve(wb.Request(scope(), at=6), MECHANIC).context
    assert cache_key(context, "x") != cache_key(context, "x", windows=True)


def test_while_another_program_writes_answers_are_searched_and_not_kept(tmp_path: Path) -> None:
    seals, find = shipped(), Counting()
    cache = wb.SqliteCache(tmp_path / "answers.sqlite")
    session = wb.Session(seals.corpus, seals.register, cache=cache)
    kept = ask(session, find=find)
    other = sqlite3.connect(tmp_path / "answers.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert ask(session, find=find) == kept  # reading goes on; only its use is not noted
    assert ask(session, at=4, find=find) == ask(wb.Session(seals.corpus, seals.register), at=4)
    assert (find.searched, len(cache)) == (2, 1)
    for unreachable in (lambda: cache.drop("key"), lambda: session.renew(register=seals.register)):
        with pytest.raises(CacheError, match="Another program holds"):
            unreachable()
    other.execute("COMMIT")
    other.close()
    ask(session, at=4, find=find)
    assert len(cache) == 2
    cache.close()


def test_a_renewed_session_whose_cache_is_held_answers_from_what_is_newest(tmp_path: Path) -> None:
    seals = shipped()
    cache = wb.SqliteCache(tmp_path / "answers.sqlite", windows=True)
    session = wb.Session(seals.corpus, seals.register, cache=cache)
    ask(session)
    seals.rows.clear()
    other = sqlite3.connect(tmp_path / "answers.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CacheError):
        session.renew(register=seals.register)
    assert ask(session).decision.status == "UNAVAILABLE"
    other.execute("ROLLBACK")
    other.close()
    cache.close()


def test_a_file_that_cannot_be_used_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("this is no database, whatever its name says" * 100, encoding="utf-8")
    with pytest.raises(CacheError, match="cannot be used; delete it"):
        wb.SqliteCache(tmp_path / "text.sqlite")
    other = sqlite3.connect(tmp_path / "held.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(CacheError, match="Another program holds"):
        wb.SqliteCache(tmp_path / "held.sqlite")
    other.close()
    cache = wb.SqliteCache(tmp_path / "answers.sqlite")
    cache._file.execute("DROP TABLE answers")
    with pytest.raises(CacheError, match="cannot be used; delete it"):
        cache.get("key")
    cache.close()
