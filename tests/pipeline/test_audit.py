"""The audit log: one appended line for each request, texts as keyed digests, the protected part for the operator."""

import json
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

import workbench as wb
from workbench.errors import ContextError, EvidenceError, QueryRefused, RequestError
from workbench.pipeline.audit import AuditLog, AuditVerdict

from .conftest import MECHANIC
from .seals import scope, shipped
from .test_session import Outsider

KEY = b"k" * 32
QUESTION = "Anzugsmoment zweimal"
KEYS = {
    *("format", "recorded_at", "kind", "error", "request", "tenant", "query", "finder", "cut", "status", "context_id"),
    *(
        "decision",
        "missing",
        "rivals",
        "allowed",
        "cache",
        "hits",
        "manifests",
        "passages",
        "microseconds",
        "protected",
        "seal",
    ),
}


@pytest.fixture
def log(tmp_path: Path) -> AuditLog:
    return AuditLog(tmp_path / "audit.jsonl", key=KEY, now=lambda: datetime(2026, 11, 9, 12, tzinfo=UTC))


def records(log: AuditLog) -> list[dict]:
    return [json.loads(line) for line in log.path.read_text(encoding="ascii").splitlines()]


def session(log: AuditLog, **more: object) -> wb.Session:
    seals = shipped()
    return wb.Session(seals.corpus, seals.register, audit=log, **more)


def ask(session: wb.Session, query: object = QUESTION, actor: wb.Actor = MECHANIC, **more: object) -> wb.Answer:
    return session.ask(query, actor=actor, request=wb.Request(scope(), **{"at": 6, **more}))


def test_a_request_and_what_it_was_answered(log: AuditLog) -> None:
    answer = ask(session(log))
    [record] = records(log)
    assert set(record) == KEYS
    [hit], context = answer.hits, answer.decision.context
    assert (record["format"], record["recorded_at"]) == ("workbench-audit/2", "2026-11-09T12:00:00.000000Z")
    assert record["context_id"] == context.id
    assert (record["status"], record["hits"], record["manifests"], record["allowed"]) == ("RESOLVED", 1, 1, 1)
    assert record["decision"]["revision_id"] == "bulletin-B"
    assert (record["decision"]["mode"], record["decision"]["at"]) == ("historical", "6")
    [passage] = record["passages"]
    assert passage == {
        "document_id": "bulletin-B",
        "content_sha256": hit.content_sha256,
        "paragraph": 2,
        "start": hit.start,
        "end": hit.end,
        "quote": log.sealed(hit.quote),
    }
    assert record["query"] == log.sealed(QUESTION)
    assert list(record["microseconds"]) == ["resolved", "viewed", "found", "cited", "checked"]
    assert all(type(took) is int and took >= 0 for took in record["microseconds"].values())


def test_texts_are_keyed_digests_unless_they_are_switched_on(log: AuditLog, tmp_path: Path) -> None:
    ask(session(log))
    held = log.path.read_text(encoding="ascii")
    assert not any(word in held for word in ("Anzugsmoment", "zweimal", "45 Nm"))
    other = AuditLog(tmp_path / "other.jsonl", key=b"o" * 32)
    ask(session(other))
    assert records(other)[0]["query"] != records(log)[0]["query"]  # who lacks the key cannot test a guess
    open_log = AuditLog(tmp_path / "open.jsonl", key=KEY, texts=True)
    ask(session(open_log))
    [record] = records(open_log)
    assert record["query_text"] == QUESTION
    assert "45 Nm" in record["passages"][0]["quote_text"]


def test_the_protected_part_is_in_the_log_and_nowhere_else(log: AuditLog) -> None:
    answer = ask(session(log))
    [record] = records(log)
    assert record["protected"] == {
        "reason": "RESOLVED",
        "actor": {"tenant": "werk-nord", "groups": ["wartung"], "active": True},
        "access_reference": answer.decision.context.access,
        "access": {"bulletin-B": True},
        "approvals": [{"row": 3, "approval_ref": "FG-bulletin-B"}],
        "supersessions": [
            {"row": 2, "superseding": "bulletin-B", "superseded": "manual-A", "approval_ref": "AB-bulletin-B"}
        ],
        "review_ref": None,
    }
    assert answer.manifests[0].mapping()["access_reference"] == record["protected"]["access_reference"]
    assert "FG-" not in repr(answer) + answer.manifests[0].canonical()


def test_only_the_approval_in_force_is_recorded(log: AuditLog) -> None:
    seals = shipped()
    seals.applies("bulletin-B", 20, 30)
    ask(wb.Session(seals.corpus, seals.register, audit=log))
    assert records(log)[0]["protected"]["approvals"] == [{"row": 3, "approval_ref": "FG-bulletin-B"}]


def test_an_edition_is_recorded_with_its_review_and_both_documents(log: AuditLog) -> None:
    ask(session(log), at=4, language="de")
    protected = records(log)[0]["protected"]
    assert protected["review_ref"] == "PR-manual-A-de"
    assert protected["access"] == {"manual-A": True, "manual-A-de": True}


REFUSALS = [
    ({"at": -1}, "UNAVAILABLE", "NO_APPLICABLE_REVISION"),
    ({"actor": wb.Actor("werk-nord", {"lager"})}, "UNAVAILABLE", "ACCESS_DENIED"),
    ({"at": 12, "language": "de"}, "NO_EQUIVALENT_EDITION", "NO_EDITION"),
    ({"known_at": 3}, "HISTORY_UNAVAILABLE", "HISTORY_UNAVAILABLE"),
    ({"at": None}, "MISSING_SCOPE", "INCOMPLETE"),
]


@pytest.mark.parametrize(("more", "status", "reason"), REFUSALS)
def test_a_refusal_is_recorded_with_its_precise_reason(log: AuditLog, more: dict, status: str, reason: str) -> None:
    answer = ask(session(log), **more)
    [record] = records(log)
    assert set(record) == KEYS
    assert (answer.decision.status, record["status"], record["protected"]["reason"]) == (status, status, reason)
    assert (record["context_id"], record["hits"], record["passages"]) == (None, 0, [])


def test_a_disagreement_of_register_and_corpus_is_recorded_as_one(log: AuditLog) -> None:
    seals = shipped()
    seals.groups["bulletin-B"] = frozenset({"leitung"})
    answer = ask(wb.Session(seals.corpus, seals.register, audit=log))
    [record] = records(log)
    assert answer == ask(wb.Session(seals.corpus, seals.register), at=-1)
    assert (record["status"], record["protected"]["reason"]) == ("UNAVAILABLE", "REGISTER_AND_CORPUS_DISAGREE")


def test_an_expired_request_is_recorded_as_one(log: AuditLog) -> None:
    seals = shipped()
    running = wb.Session(seals.corpus, seals.register, audit=log)
    steps = running.steps(wb.Inquiry(QUESTION, MECHANIC, wb.Request(scope(), at=6)))
    next(steps)
    seals.groups["bulletin-B"] = frozenset()
    running.renew(corpus=seals.corpus)
    assert list(steps)
    [record] = records(log)
    assert (record["status"], record["context_id"], record["passages"]) == ("CONTEXT_EXPIRED", None, [])


def test_what_is_refused_by_an_error_is_recorded_too(log: AuditLog) -> None:
    running = session(log)
    with pytest.raises(QueryRefused):
        ask(running, "x" * 500)
    with pytest.raises(RequestError):
        ask(running, at="bald")
    with pytest.raises(RequestError):
        running.ask(QUESTION, actor=MECHANIC, request="no request")
    old = next(h for h in running.corpus.view(MECHANIC).search(QUESTION, 5) if h.document_id == "manual-A")
    with pytest.raises(EvidenceError):
        running.ask(QUESTION, actor=MECHANIC, request=wb.Request(scope(), at=6), find=Outsider(old))
    found = records(log)
    assert [record["error"] for record in found] == ["QueryRefused", "RequestError", "RequestError", "EvidenceError"]
    assert all(set(record) == KEYS and record["passages"] == [] for record in found)


def test_kept_answers_are_recorded_as_such(log: AuditLog) -> None:
    running = session(log, cache=wb.MemoryCache())
    first, second = ask(running), ask(running)
    assert first == second
    one, two = records(log)
    assert (one["cache"], two["cache"]) == ("miss", "hit")
    assert one["passages"] == two["passages"]


def test_the_log_is_appended_to_and_for_the_operator_alone(log: AuditLog) -> None:
    log.path.write_text('{"kind": "earlier"}\n', encoding="ascii")
    ask(session(log))
    ask(session(AuditLog(log.path, key=KEY)))
    assert [record["kind"] for record in records(log)] == ["earlier", "request", "request"]
    if os.name == "posix":
        fresh = log.path.with_name("fresh.jsonl")
        ask(session(AuditLog(fresh, key=KEY)))
        assert stat.S_IMODE(fresh.stat().st_mode) == 0o600


def test_an_answer_that_cannot_be_recorded_does_not_leave(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        ask(session(AuditLog(tmp_path / "nowhere" / "audit.jsonl", key=KEY)))


@pytest.mark.parametrize("key", [b"", b"short"])
def test_a_key_has_a_length(key: bytes, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        AuditLog(tmp_path / "audit.jsonl", key=key)
    assert len(AuditLog.new_key()) == 32
    assert AuditLog.new_key() != AuditLog.new_key()


def test_hostile_texts_stay_one_line_of_json(log: AuditLog) -> None:
    hostile = "a\n{}\u2028\ud800\x00" + "x" * 10_000
    seals = shipped()
    running = wb.Session(seals.corpus, seals.register, audit=log)
    request = wb.Request(wb.Scope(hostile, hostile, hostile, hostile), at=6, language=hostile)
    assert running.ask(hostile, actor=MECHANIC, request=request).decision.status == "UNAVAILABLE"
    [record] = records(log)
    assert len(record["request"]["family"]) < 300


def test_duckdb_reads_it(log: AuditLog) -> None:
    running = session(log, cache=wb.MemoryCache())
    for at in (4, 6, 6, -1):
        ask(running, at=at)
    with pytest.raises(QueryRefused):
        ask(running, "x" * 500)
    found = duckdb.sql(
        "SELECT status, error, decision.revision_id, cache, hits, protected.reason, passages[1].paragraph, "
        f"microseconds.resolved >= 0 FROM read_json_auto('{log.path}')"
    ).fetchall()
    assert found == [
        ("RESOLVED", None, "manual-A", "miss", 1, "RESOLVED", 2, True),
        ("RESOLVED", None, "bulletin-B", "miss", 1, "RESOLVED", 2, True),
        ("RESOLVED", None, "bulletin-B", "hit", 1, "RESOLVED", 2, True),
        ("UNAVAILABLE", None, None, None, 0, "NO_APPLICABLE_REVISION", None, True),
        (None, "QueryRefused", None, None, 0, "RESOLVED", None, True),
    ]


def test_the_protected_record_is_for_stewards_and_the_operator() -> None:
    seals = shipped()
    register = seals.register
    decision = register.resolve(wb.Request(scope(), at=6), MECHANIC)
    steward = wb.Actor("werk-nord", {"redaktion"})
    as_operator = wb.protected_record(register, decision, MECHANIC, reader=wb.OPERATOR)
    assert wb.protected_record(register, decision, MECHANIC, reader=steward) == as_operator
    for reader in (MECHANIC, wb.Actor("werk-sued", {"redaktion"}), wb.Actor("werk-nord", {"redaktion"}, active=False)):
        with pytest.raises(ContextError, match="stewards"):
            wb.protected_record(register, decision, MECHANIC, reader=reader)


def lines(log: AuditLog) -> list[bytes]:
    return log.path.read_bytes().splitlines(keepends=True)


@pytest.fixture
def written(log: AuditLog) -> AuditLog:
    running = session(log)
    for at in (4, 6, -1, 12, 6):
        ask(running, at=at)
    return log


def test_a_log_as_it_was_written_is_whole(written: AuditLog) -> None:
    verdict = written.verify()
    assert (verdict.ok, verdict.records, verdict.seal) == (True, 5, records(written)[-1]["seal"])
    assert written.verify(noted=records(written)[2]["seal"]) == verdict
    written.path.write_bytes(b"")
    assert written.verify() == AuditVerdict(True, 0)


def without_status(found: list[bytes]) -> list[bytes]:
    return [*found[:2], found[2].replace(b"UNAVAILABLE", b"RESOLVED"), *found[3:]]


def sealed_by_no_key(found: list[bytes]) -> list[bytes]:
    record = json.loads(found[2])
    return [*found[:2], json.dumps({**record, "hits": 0, "seal": "0" * 64}).encode() + b"\n", *found[3:]]


TAMPERED = [
    (without_status, 3),
    (sealed_by_no_key, 3),
    (lambda found: [*found[:2], *found[3:]], 3),
    (lambda found: found[1:], 1),
    (lambda found: [found[0], found[2], found[1], *found[3:]], 2),
    (lambda found: [*found[:3], found[2], *found[3:]], 4),
    (lambda found: [*found[:3], b'{"kind": "request"}\n', *found[3:]], 4),
    (lambda found: [*found[:3], b"\xff\n", *found[3:]], 4),
    (lambda found: [*found[:4], found[4][:-1]], 5),
    (lambda found: [*found[:4], found[4][:-40]], 5),
]


@pytest.mark.parametrize(("tamper", "line"), TAMPERED)
def test_a_changed_missing_moved_or_added_line_is_found(
    written: AuditLog, tamper: Callable[[list[bytes]], list[bytes]], line: int
) -> None:
    written.path.write_bytes(b"".join(tamper(lines(written))))
    verdict = written.verify()
    assert (verdict.ok, verdict.line, verdict.records) == (False, line, line - 1)


def test_another_key_finds_the_first_line(written: AuditLog) -> None:
    assert AuditLog(written.path, key=b"o" * 32).verify().line == 1


def test_a_log_that_was_cut_off_is_found_with_a_noted_seal_only(written: AuditLog) -> None:
    noted = written.verify().seal
    written.path.write_bytes(b"".join(lines(written)[:3]))
    assert written.verify().ok
    verdict = written.verify(noted=noted)
    assert (verdict.ok, verdict.line) == (False, 4)
    ask(session(written))
    assert not written.verify(noted=noted).ok


def test_after_a_line_that_was_torn_off_the_next_begins_anew(written: AuditLog) -> None:
    written.path.write_bytes(b"".join(lines(written))[:-30])
    ask(session(written))
    assert json.loads(lines(written)[-1])["status"] == "RESOLVED"
    assert written.verify().line == 5


def test_several_writers_make_one_chain(tmp_path: Path) -> None:
    """Each with a log object of its own, as processes have it; long lines too."""
    path = tmp_path / "audit.jsonl"

    def write(number: int) -> None:
        for _ in range(40):
            AuditLog(path, key=KEY).append({"writer": number, "text": "x" * (70_000 if number == 0 else 10)})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    verdict = AuditLog(path, key=KEY).verify()
    assert (verdict.ok, verdict.records) == (True, 160)
