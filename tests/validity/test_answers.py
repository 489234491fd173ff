"""What the asker sees, and what only stewards and the operator see (contract 3.2 to 3.7)."""

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.validity.folders import FILES, SCOPES, TOML, changed, with_row, write
from workbench.contract import OPERATOR, Actor, Decision, Request, Scope, Status, access_digest
from workbench.errors import ContextError, RequestError
from workbench.validity import resolver
from workbench.validity.register import Register
from workbench.validity.resolver import Reason

ALL = Actor("T", {"a", "b"})
STEWARD = Actor("T", {"stewards"})
SCOPE = Scope("f", "p", "C", "EU")
Make = Callable[..., Register]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """The small register, with some files changed."""

    def made(*changes: dict[str, str]) -> Register:
        files: dict[str, str] = {}
        for change in changes:
            files |= change
        return Register.read(write(tmp_path, dict(files)))

    return made


# --- one sentence for every unavailability -----------------------------------------------------------------------

A_ONLY = changed("revisions.csv", "B,f,T,a;b", "B,f,T,b")
NO_RELATION = {"supersessions.csv": FILES["supersessions.csv"].splitlines()[0] + "\n"}
UNKNOWN = with_row("supersessions", "unknown,A,p,C,EU,6,7,ok,0,unbounded")
UNAVAILABLE = {
    "nothing in the family": ((), replace(SCOPE, family="nowhere"), 6, Actor("T", {"a"})),
    "no such procedure": ((), replace(SCOPE, procedure="q"), 6, Actor("T", {"a"})),
    "no such region": ((), replace(SCOPE, region="CH"), 6, Actor("T", {"a"})),
    "the wildcard": ((), replace(SCOPE, region="*"), 6, Actor("T", {"a"})),
    "undeclared value": (({"scopes.csv": SCOPES + "region,EU,\n"},), replace(SCOPE, region="CH"), 6, Actor("T", {"a"})),
    "before the first row": ((), SCOPE, -1, Actor("T", {"a"})),
    "after the last row": ((), SCOPE, 10, Actor("T", {"a"})),
    "of another tenant": ((), SCOPE, 6, Actor("U", {"a"})),
    "of an unknown tenant": ((), SCOPE, 6, Actor("V", {"a"})),
    "the successor is not yours": ((A_ONLY,), SCOPE, 6, Actor("T", {"a"})),
    "not yours at all": ((), SCOPE, 6, Actor("T", {"c"})),
    "no groups": ((), SCOPE, 6, Actor("T", set())),
    "inactive": ((), SCOPE, 6, Actor("T", {"a"}, active=False)),
    "a rival is not yours": ((A_ONLY, NO_RELATION), SCOPE, 6, Actor("T", {"a"})),
    "both rivals are not yours": ((A_ONLY, NO_RELATION), SCOPE, 6, Actor("T", {"c"})),
    "the successor is unknown": ((UNKNOWN,), SCOPE, 6, Actor("T", {"a"})),
    "it stays unknown": ((UNKNOWN,), SCOPE, 8, Actor("T", {"a"})),
}


@pytest.mark.parametrize(("changes", "scope", "at", "actor"), UNAVAILABLE.values(), ids=UNAVAILABLE)
def test_unavailable_is_one_answer_byte_for_byte(
    make: Make, changes: tuple[dict[str, str], ...], scope: Scope, at: int, actor: Actor
) -> None:
    found = make(*changes).resolve(Request(scope, at=at), actor)
    bare = Decision(Status.UNAVAILABLE)
    assert found == bare
    assert repr(found) == repr(bare)
    assert pickle.dumps(found) == pickle.dumps(bare)
    assert json.dumps(asdict(found), sort_keys=True) == json.dumps(asdict(bare), sort_keys=True)
    assert found.message == "No instruction is available for this request."


def test_an_unavailable_answer_does_not_depend_on_the_language(make: Make) -> None:
    register = make(A_ONLY)
    for language in (None, "de", "fr"):
        asked = Request(SCOPE, at=6, language=language, source_language=True)
        assert register.resolve(asked, Actor("T", {"a"})) == Decision(Status.UNAVAILABLE)


def test_the_older_manual_is_never_a_fallback(make: Make) -> None:
    register = make(A_ONLY)
    assert register.resolve(Request(SCOPE, at=4), Actor("T", {"a"})).revision_id == "A"
    assert register.resolve(Request(SCOPE, at=6), Actor("T", {"a"})).revision_id is None


def test_a_conflict_names_rivals_and_owner_to_those_who_may_read_all(make: Make) -> None:
    register = make(NO_RELATION)
    found = register.resolve(Request(SCOPE, at=6), ALL)
    assert (found.status, found.rivals, found.owner) == (Status.UNRESOLVED_AUTHORITY, ("A", "B"), "desk")
    assert (found.revision_id, found.valid_from, found.valid_to, found.context) == (None, None, None, None)
    owned = make(NO_RELATION, {"owners.csv": "document_family,procedure_id,owner\nf,p,the seal desk\n"})
    assert owned.resolve(Request(SCOPE, at=6), ALL).owner == "the seal desk"


# --- what is missing ---------------------------------------------------------------------------------------------


def test_all_missing_fields_are_named_at_once(make: Make) -> None:
    register = make({"scopes.csv": SCOPES + "region,EU,Europe\nconfiguration,C,\n"})
    for empty in (None, "", " \t"):
        found = register.resolve(Request(Scope(empty, empty, empty, empty)), ALL)
        assert found.missing == ("family", "procedure", "configuration", "region", "time")
    found = register.resolve(Request(replace(SCOPE, region="Europe"), at=6), ALL)
    assert (found.status, found.missing) == (Status.MISSING_SCOPE, ("region",))


def test_what_is_missing_is_said_before_history_and_access(make: Make) -> None:
    register = make()
    nobody = Actor("V", set(), active=False)
    found = register.resolve(Request(replace(SCOPE, region=None), at=6, known_at=-5), nobody)
    assert found.status is Status.MISSING_SCOPE
    found = register.resolve(Request(SCOPE, at=6, known_at=-5), nobody)
    assert found.status is Status.HISTORY_UNAVAILABLE


# --- modes and clocks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "now", "expected"),
    [
        (Request(SCOPE, at=6), None, ("B", "historical")),
        (Request(SCOPE, at=6), 6, ("B", "historical")),
        (Request(SCOPE, at=6), 5, ("B", "planned")),
        (Request(SCOPE, at=6, mode="historical"), 5, ("B", "planned")),
        (Request(SCOPE), 4, ("A", "current")),
        (Request(SCOPE, mode="current"), 4, ("A", "current")),
        (Request(SCOPE), None, "time"),
        (Request(SCOPE, mode="current"), None, "time"),
        (Request(SCOPE, mode="historical"), 4, "time"),
    ],
)
def test_modes(make: Make, request_: Request, now: int | None, expected: object) -> None:
    found = make().resolve(request_, ALL, clock=None if now is None else lambda: now)
    seen = "".join(found.missing) if found.missing else (found.revision_id, found.mode)
    assert seen == expected


def test_the_clock_is_read_once(make: Make) -> None:
    read = []
    found = make().resolve(Request(SCOPE), ALL, clock=lambda: read.append(1) or 4)  # type: ignore[func-returns-value]
    assert (found.at, found.mode, len(read)) == ("4", "current", 1)


def test_a_utc_register_has_the_wall_clock(make: Make) -> None:
    rows = (
        FILES["applicability.csv"].splitlines()[0] + "\nA,p,C,EU,2024-05-01T06:00:00+02:00,unbounded,ok,0,unbounded\n"
    )
    register = make(
        NO_RELATION,
        {
            "register.toml": TOML.replace('"logical"', '"utc"') + 'recorded_time = "logical"\n',
            "applicability.csv": rows,
        },
    )
    found = register.resolve(Request(SCOPE), ALL)
    assert (found.revision_id, found.mode, found.valid_to) == ("A", "current", "unbounded")
    assert found.valid_from == datetime(2024, 5, 1, 4, tzinfo=UTC)
    before = register.resolve(Request(SCOPE), ALL, clock=lambda: datetime(2024, 5, 1, 3, 59, tzinfo=UTC))
    assert before.status is Status.UNAVAILABLE
    with pytest.raises(RequestError, match="clock"):
        register.resolve(Request(SCOPE), ALL, clock=lambda: datetime(2024, 5, 1))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (Request(SCOPE, at=6, mode="current"), "mode"),
        (Request(SCOPE, at=6, mode="newest"), "mode"),
        (Request(SCOPE, at=6.0), "at"),
        (Request(SCOPE, at=True), "at"),
        (Request(SCOPE, at="soon"), "at"),
        (Request(SCOPE, at=6, known_at="then"), "known_at"),
        (Request(Scope(1, "p", "C", "EU"), at=6), "family"),  # type: ignore[arg-type]
        (Request("f/p/C/EU", at=6), "scope"),  # type: ignore[arg-type]
        (Request(SCOPE, at=6, language=7), "language"),  # type: ignore[arg-type]
        (Request(SCOPE, at=6, source_language=1), "source_language"),  # type: ignore[arg-type]
        ("what applies?", "request"),
    ],
)
def test_what_is_no_request_is_an_error_naming_its_field(make: Make, request_: Request, field: str) -> None:
    with pytest.raises(RequestError) as caught:
        make().resolve(request_, ALL)
    assert caught.value.field == field


def test_only_an_actor_is_answered(make: Make) -> None:
    with pytest.raises(TypeError, match="Actor"):
        make().resolve(Request(SCOPE, at=6), OPERATOR)  # type: ignore[arg-type]


# --- editions ----------------------------------------------------------------------------------------------------


def test_editions(make: Make) -> None:
    register = make()
    assert make().resolve(Request(SCOPE, at=4, language="en"), ALL).edition_id is None
    german = register.resolve(Request(SCOPE, at=4, language="de"), ALL)
    assert (german.revision_id, german.edition_id, german.language) == ("A", "A-de", "de")
    assert german.context is not None
    assert (german.context.source_language, german.context.answer_language) == ("en", "de")
    assert (german.context.equivalence_id, german.context.equivalence_status) == ("q1", "reviewed")
    assert [allowed.document_id for allowed in german.context.allowed] == ["A-de"]
    for language in ("DE", "de-CH", "fr"):
        refused = register.resolve(Request(SCOPE, at=4, language=language), ALL)
        assert refused == Decision(Status.NO_EQUIVALENT_EDITION)
    assert register.resolve(Request(SCOPE, at=6, language="de"), ALL) == Decision(Status.NO_EQUIVALENT_EDITION)


def test_an_unreadable_edition_counts_as_absent_and_the_lowest_id_is_chosen(make: Make) -> None:
    more = with_row("equivalences", "q0,B,A,de,ok,0,unbounded", "q9,A-de,A,de,ok,3,unbounded")
    register = make(more)
    assert register.resolve(Request(SCOPE, at=4, language="de"), ALL).edition_id == "B"
    register = make(more, A_ONLY)
    assert register.resolve(Request(SCOPE, at=4, language="de"), Actor("T", {"a"})).edition_id == "A-de"


def test_the_source_language_way_is_taken_only_where_permitted(make: Make) -> None:
    ask = Request(SCOPE, at=6, language="de", source_language=True)
    assert make().resolve(ask, ALL) == Decision(Status.NO_EQUIVALENT_EDITION)
    permitting = make({"register.toml": TOML + 'source_language = "permitted"\n'})
    found = permitting.resolve(ask, ALL)
    assert found.context is not None
    three = (found.context.source_language, found.context.answer_language, found.context.equivalence_status)
    assert (found.revision_id, three) == ("B", ("en", "en", "none"))
    told = permitting.resolve(replace(ask, source_language=False), ALL)
    assert told == Decision(Status.NO_EQUIVALENT_EDITION, source_way=True)


# --- the context -------------------------------------------------------------------------------------------------


def test_the_context_pins_the_decision(make: Make) -> None:
    register = make({"register.toml": TOML + "whole_documents = true\n"})
    found = register.resolve(Request(SCOPE, at=6), ALL)
    context = found.context
    assert context is not None
    assert context.id == context.computed_id() == copy.deepcopy(context).id
    assert context.access == access_digest(ALL, {"B": True})
    assert (context.valid_from, context.valid_to, context.rules) == ("5", "10", "direct/1")
    assert context.snapshot == register.snapshot()
    assert context.allowed[0].spans is None
    other = register.resolve(Request(SCOPE, at=7), ALL).context
    assert other is not None
    assert other.id != context.id


def test_a_register_survives_a_pickle_with_its_answers(make: Make) -> None:
    register = make()
    before = register.resolve(Request(SCOPE, at=6), ALL)
    again = pickle.loads(pickle.dumps(register))
    assert again == register
    assert again.resolve(Request(SCOPE, at=6), ALL) == before


# --- the protected record ----------------------------------------------------------------------------------------


def test_the_record_is_for_stewards_and_the_operator(make: Make) -> None:
    register = make(A_ONLY)
    ask, mechanic = Request(SCOPE, at=6), Actor("T", {"a"})
    for reader in (None, mechanic, Actor("U", {"stewards"}), Actor("T", {"stewards"}, active=False)):
        with pytest.raises(ContextError, match="stewards"):
            register.explain(ask, mechanic, reader=reader)
    for reader in (STEWARD, OPERATOR):
        record = register.explain(ask, mechanic, reader=reader)
        assert record.decision == Decision(Status.UNAVAILABLE)
        assert (record.reason, record.access) == (Reason.ACCESS_DENIED, {"B": False})
        assert [(row.revision_id, row.verdict) for row in record.rows] == [("A", "SUPERSEDED_BY B"), ("B", "DECIDES")]


@pytest.mark.parametrize(
    ("changes", "scope", "at", "reason"),
    [
        ((), SCOPE, 6, Reason.RESOLVED),
        ((), SCOPE, 10, Reason.NO_APPLICABLE_REVISION),
        ((), replace(SCOPE, region="*"), 6, Reason.UNKNOWN_SCOPE),
        ((), replace(SCOPE, region=None), 6, Reason.INCOMPLETE),
        ((UNKNOWN,), SCOPE, 6, Reason.SUCCESSOR_UNKNOWN),
        ((NO_RELATION,), SCOPE, 6, Reason.RIVALS),
    ],
)
def test_the_record_says_why(make: Make, changes: tuple[dict[str, str]], scope: Scope, at: int, reason: Reason) -> None:
    assert make(*changes).explain(Request(scope, at=at), ALL, reader=OPERATOR).reason is reason


def test_every_row_left_out_has_its_reason(make: Make) -> None:
    rows = with_row(
        "applicability",
        "A,p,D,EU,0,9,ok,0,unbounded",
        "A,p,C,EU,7,9,ok,0,unbounded",
        "A,p,C,EU,1,3,ok,0,unbounded",
        "A,p,C,EU,2,9,ok,0,5",
        "B,q,C,EU,0,9,ok,0,unbounded",
    )
    record = make(rows).explain(Request(SCOPE, at=6), ALL, reader=OPERATOR)
    assert [(row.row, row.verdict) for row in record.rows] == [
        (2, "SUPERSEDED_BY B"),
        (3, "DECIDES"),
        (4, "OTHER_SCOPE"),
        (5, "NOT_YET_VALID"),
        (6, "ENDED"),
        (7, "CORRECTED"),
    ]
    then = make(rows).explain(Request(SCOPE, at=6, known_at=5), ALL, reader=OPERATOR)
    assert then.rows[5].verdict == "NOT_SAID_THEN"


def test_removing_the_steward_guard_is_seen(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Register, "is_steward", lambda _self, _reader, _tenant: True)
    assert resolver.explain(make(), Request(SCOPE, at=6), ALL, reader=ALL).reason is Reason.RESOLVED


# --- recorded time -----------------------------------------------------------------------------------------------

CORRECTED = {
    "applicability.csv": FILES["applicability.csv"].splitlines()[0]
    + "\nA,p,C,EU,0,unbounded,ok,2,5\nA,p,C,EU,0,8,ok,5,unbounded\nB,p,C,EU,8,unbounded,ok,5,unbounded\n",
    **NO_RELATION,
}


def test_what_applied_and_what_was_known_then_are_two_questions(make: Make) -> None:
    register = make(CORRECTED)
    today = [register.resolve(Request(SCOPE, at=at), ALL).revision_id for at in (0, 7, 8)]
    then = [register.resolve(Request(SCOPE, at=at, known_at=4), ALL).revision_id for at in (0, 7, 8)]
    assert (today, then) == (["A", "A", "B"], ["A", "A", "A"])
    assert register.resolve(Request(SCOPE, at=0, known_at=1), ALL).status is Status.UNAVAILABLE
    assert register.resolve(Request(SCOPE, at=0, known_at=-1), ALL).status is Status.HISTORY_UNAVAILABLE
    silent = make(CORRECTED, {"register.toml": TOML.replace("history_from = 0\n", "")})
    assert silent.resolve(Request(SCOPE, at=0, known_at=4), ALL).status is Status.HISTORY_UNAVAILABLE


def test_as_known_at_answers_like_known_at(make: Make) -> None:
    register = make(CORRECTED)
    for known_at in (0, 2, 4, 5, 9):
        then = register.as_known_at(known_at)
        for at in (-1, 0, 7, 8):
            one = register.resolve(Request(SCOPE, at=at, known_at=known_at), ALL)
            other = then.resolve(Request(SCOPE, at=at), ALL)
            assert (one.status, one.revision_id, one.valid_to) == (other.status, other.revision_id, other.valid_to)
        assert then.snapshot() == register.snapshot(known_at)
        assert then.resolve(Request(SCOPE, at=0, known_at=9), ALL).status is Status.HISTORY_UNAVAILABLE
    for bad in (-1, "then"):
        with pytest.raises(RequestError, match="known_at"):
            register.as_known_at(bad)


def test_access_is_always_todays(make: Make) -> None:
    register = make(CORRECTED, changed("revisions.csv", "A,f,T,a", "A,f,T,c"))
    assert register.resolve(Request(SCOPE, at=0, known_at=4), ALL).status is Status.UNAVAILABLE


def test_a_snapshot_names_the_content_and_nothing_else(make: Make, tmp_path: Path) -> None:
    register = make(CORRECTED)
    first, *rows = CORRECTED["applicability.csv"].splitlines()
    turned = {"applicability.csv": "\n".join([first, *reversed(rows)]) + "\n"}
    assert make(CORRECTED, turned).snapshot() == register.snapshot()
    assert len({register.snapshot(t) for t in (None, 1, 3, 5)}) == 3  # as known at 5 is as known today
    assert register.snapshot(2) == register.snapshot(3)
    # closing a row tomorrow changes nothing of what was known yesterday
    closed = make(
        CORRECTED,
        {
            "applicability.csv": CORRECTED["applicability.csv"].replace(
                "8,unbounded,ok,5,unbounded", "8,unbounded,ok,5,9"
            )
        },
    )
    assert closed.snapshot(6) == register.snapshot(6)
    assert closed.snapshot() != register.snapshot()
    other = make(CORRECTED, {"register.toml": TOML.replace("direct", "transitive")})
    assert other.snapshot() != register.snapshot()
