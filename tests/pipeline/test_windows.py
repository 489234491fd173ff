"""An answer kept for its validity interval equals a fresh one at every instant (contract 4.7).

Random registers of the validity tests with one text for each revision, and every instant of their grid in random order:
the first of an interval is searched, the others are kept answers, and none differs from a fresh one in anything.
"""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.validity import worlds
from workbench.contract import fingerprint
from workbench.pipeline import session as session_module
from workbench.pipeline.cache import cache_key

REQUESTS = 3


def furnished(seed: int) -> tuple[worlds.World, wb.Corpus, wb.Register]:
    """A world, its register, and a corpus with one text for each revision."""
    made = worlds.world(seed)
    register = worlds.register(made)
    texts = {name: f"Revision {name}.\n\nDas Anzugsmoment ist {n} Nm." for n, name in enumerate(register.revisions)}
    revisions = {
        name: replace(revision, source_digest=fingerprint(texts[name])) for name, revision in register.revisions.items()
    }
    corpus = wb.Corpus(
        wb.Document(name, r.tenant, r.groups, "1", texts[name], r.source_language) for name, r in revisions.items()
    )
    return made, corpus, replace(register, revisions=revisions)


def compare(seed: int, cache: wb.MemoryCache) -> tuple[int, int]:
    """Every instant of a few requests, kept and fresh; gives how many answers had evidence, and how many were kept."""
    made, corpus, register = furnished(seed)
    draw = random.Random(seed)
    answered = 0
    before = len(cache)
    for request, actor, now, _ in worlds.requests(draw, made, REQUESTS):
        clock = worlds.clock(made, now)
        kept = wb.Session(corpus, register, cache=cache, clock=clock)
        fresh = wb.Session(corpus, register, clock=clock)
        instants = [*worlds.STEPS] * 2
        draw.shuffle(instants)
        for step in instants:
            asked = replace(request, at=worlds.value(made.settings["time"], step, draw), mode=None)
            answer = kept.ask("Anzugsmoment", actor=actor, request=asked)
            assert answer == fresh.ask("Anzugsmoment", actor=actor, request=asked)
            if answer.hits:
                answered += 1
                assert {hit.document_id for hit in answer.hits} <= {
                    answer.decision.edition_id or answer.decision.revision_id
                }
    return answered, answered - (len(cache) - before)


@given(st.integers(0, 100_000))
@settings(max_examples=60)
def test_a_windowed_answer_equals_a_fresh_one_at_every_instant(seed: int) -> None:
    compare(seed, wb.MemoryCache(windows=True))


def test_the_worlds_are_worth_comparing() -> None:
    """Most answers with evidence were kept ones: otherwise the property would hold of nothing."""
    found = [compare(seed, wb.MemoryCache(windows=True)) for seed in range(40)]
    answered, kept = (sum(column) for column in zip(*found, strict=True))
    assert answered > 300
    assert kept > answered / 2


def test_a_key_without_the_window_is_found_out(monkeypatch) -> None:
    """The property goes red when the key forgets what its window is."""

    def careless(context, query, **more):
        timeless = replace(context, at="", valid_from="", valid_to="", revision_id="", revision_sha256="", id="")
        return cache_key(replace(timeless, allowed=(), access="", snapshot="", mode="", id=""), query, **more)

    monkeypatch.setattr(session_module, "cache_key", careless)
    caught = 0
    for seed in range(40):
        try:
            compare(seed, wb.MemoryCache(windows=True))
        except (AssertionError, wb.EvidenceError):
            caught += 1
    assert caught > 0
