"""The twin trap (contract 4.4): an old passage with nearly the same words, ranked first by any open search.

First it is shown to fool an unrestricted ranking, for every pair. Then, in current use, it is in no candidate, no
evidence, no manifest, no kept answer and no log, whatever the search, the cut and the cache.
"""

import json
import re
import sqlite3
from pathlib import Path

import pytest

import workbench as wb
from workbench.errors import EvidenceError
from workbench.pipeline.cache import cache_key, entry_of

from .conftest import MECHANIC
from .seals import Seals
from .test_session import Outsider
from .twins import CUTS, FINDERS, NOW, Twin, one_document, two_documents

Ground = tuple[Seals, wb.Corpus, wb.Register, list[Twin]]
LAYOUTS = [two_documents, one_document]


@pytest.fixture(scope="module", params=LAYOUTS, ids=lambda layout: layout.__name__)
def ground(request: pytest.FixtureRequest) -> Ground:
    seals, twins = request.param()
    assert len(twins) >= 500
    return seals, seals.corpus, seals.register, twins


def numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"(\d+) Nm", text)]


def test_the_trap_fools_an_open_ranking_every_time(ground: Ground) -> None:
    """Without a decision the old passage comes first, for the plain question and for the one that names its number."""
    _, corpus, _, twins = ground
    view = corpus.view(MECHANIC)
    fooled = {"plain": 0, "lure": 0, "any": 0}
    for twin in twins:
        for name, query, match in (
            ("plain", twin.plain, "all"),
            ("lure", twin.lure, "all"),
            ("any", twin.lure, "any"),
        ):
            first = view.rank(query, depth=1, match=match)[0]
            fooled[name] += (first.document_id, numbers(first.quote)) == (twin.old, [twin.old_nm])
    assert fooled == dict.fromkeys(fooled, len(twins))


def in_force(twin: Twin, hits: tuple[wb.Hit, ...]) -> bool:
    return all(hit.document_id == twin.current and numbers(hit.quote) in ([twin.new_nm], []) for hit in hits)


@pytest.mark.parametrize("cut", CUTS, ids=repr)
@pytest.mark.parametrize("find", FINDERS, ids=repr)
def test_it_is_never_evidence_in_current_use(ground: Ground, find: wb.Strict | wb.Ranked, cut: wb.Words) -> None:
    _, corpus, register, twins = ground
    session = wb.Session(corpus, register, clock=lambda: NOW)
    answered = wrong = 0
    for twin in twins:
        for query, request in ((twin.plain, twin.request), (twin.lure, wb.Request(twin.scope))):
            answer = session.ask(query, actor=MECHANIC, request=request, find=find, cut=cut)
            assert answer.decision.revision_id == twin.current
            answered += bool(answer.hits)
            wrong += not in_force(twin, answer.hits)
            wrong += any(m.citation.document_id != twin.current for m in answer.manifests)
    assert wrong == 0
    assert answered >= (len(twins) if getattr(find, "match", "all") == "any" or cut == wb.Paragraphs() else 0)


def test_it_is_no_candidate(ground: Ground) -> None:
    """What a view holds is all that any finder, expansion or reranker is given."""
    _, corpus, register, twins = ground
    for twin in twins:
        view = corpus.view(MECHANIC, register.resolve(twin.request, MECHANIC))
        for cut in CUTS:
            passages = [(d.id, d.text[p.start : p.end]) for d, p in view.cut(cut).passages()]
            assert passages
            assert {name for name, _ in passages} == {twin.current}
            assert not any(twin.old_nm in numbers(quote) for _, quote in passages)


def caches(tmp_path: Path) -> list[wb.MemoryCache | wb.SqliteCache]:
    found: list[wb.MemoryCache | wb.SqliteCache] = []
    for windows in (False, True):
        found.append(wb.MemoryCache(windows=windows))
        found.append(wb.SqliteCache(tmp_path / f"answers-{windows}.sqlite", windows=windows))
    return found


def test_it_is_in_no_kept_answer_and_in_no_log(ground: Ground, tmp_path: Path) -> None:
    """First asked while it was in force, so that every cache has it; then in current use, twice."""
    _, corpus, register, twins = ground
    for number, cache in enumerate(caches(tmp_path)):
        log = wb.AuditLog(tmp_path / f"audit-{number}.jsonl", key=b"k" * 32)
        past = wb.Session(corpus, register, cache=cache)
        present = wb.Session(corpus, register, cache=cache, audit=log)
        for twin in twins[:60]:
            before = past.ask(twin.plain, actor=MECHANIC, request=wb.Request(twin.scope, at=4))
            if twin.old != twin.current:
                assert [numbers(hit.quote) for hit in before.hits] == [[twin.old_nm]]
            for _ in range(2):
                answer = present.ask(twin.plain, actor=MECHANIC, request=twin.request)
                assert answer.hits
                assert in_force(twin, answer.hits)
        records = [json.loads(line) for line in log.path.read_text(encoding="ascii").splitlines()]
        assert {record["cache"] for record in records} == {"hit", "miss"}
        named = {(p["document_id"], p["start"]) for record in records for p in record["passages"]}
        assert named == {(t.current, len(t.text(t.old_nm)) + 2 if t.old == t.current else 0) for t in twins[:60]}
        if isinstance(cache, wb.SqliteCache):
            cache.close()
    with sqlite3.connect(tmp_path / "answers-True.sqlite") as file:
        held = "".join(text for (text,) in file.execute("SELECT entry FROM answers"))
    file.close()
    assert "Anzugsmoment" not in held


def test_a_kept_old_answer_under_the_current_key_is_refused(ground: Ground) -> None:
    """As if a cache had been written to from outside: the gate refuses it, and the next request is answered afresh."""
    _, corpus, register, twins = ground
    view = corpus.view(MECHANIC)
    for twin in twins[:50]:
        cache = wb.MemoryCache(windows=True)
        decision = register.resolve(twin.request, MECHANIC)
        old = tuple(view.search(twin.plain, 1))
        assert numbers(old[0].quote) == [twin.old_nm]
        key = cache_key(decision.context, twin.plain, finder=repr(wb.Strict()), windows=True)
        cache.put(key, entry_of(old, decision))
        session = wb.Session(corpus, register, cache=cache)
        with pytest.raises(EvidenceError):
            session.ask(twin.plain, actor=MECHANIC, request=twin.request)
        assert in_force(twin, session.ask(twin.plain, actor=MECHANIC, request=twin.request).hits)


def test_a_finder_that_brings_it_is_refused(ground: Ground) -> None:
    _, corpus, register, twins = ground
    view, session = corpus.view(MECHANIC), wb.Session(corpus, register)
    for twin in twins[:50]:
        old = view.search(twin.plain, 1)[0]
        with pytest.raises(EvidenceError):
            session.ask(twin.plain, actor=MECHANIC, request=twin.request, find=Outsider(old))
        with pytest.raises(EvidenceError):
            wb.cite(old, register.resolve(twin.request, MECHANIC))
