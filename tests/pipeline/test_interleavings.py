"""Random interleavings of requests with corrections, revocations, changed texts and swaps (contract 4.7, 4.8).

One register and corpus of two procedures are changed again and again while requests begin, go on a step, and finish,
in any order, by every way to find and with every kind of cache. Whatever leaves is compared with the direct resolver
on the state of that very moment: no answer that it would refuse, no passage that it would not allow, and nothing else
than a fresh search finds.
"""

import random
from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import workbench as wb
from tests.evidence import small_models
from workbench.contract import Context, Decision, Status, fingerprint
from workbench.errors import ContextError
from workbench.intervals import UNBOUNDED, Interval
from workbench.pipeline import session as session_module
from workbench.pipeline.answer import Step

from .seals import scope, shipped

PROCEDURES = ["torque", "storage"]
DOCUMENTS = ["manual-A", "bulletin-B", "manual-C", "manual-A-de"]
GROUPS = [*[frozenset({"wartung", "leitung"})] * 3, frozenset({"wartung"}), frozenset({"leitung"}), frozenset()]
ACTORS = [
    *(wb.Actor("werk-nord", groups) for groups in ({"wartung"}, {"leitung"}, {"wartung", "leitung"})),
    wb.Actor("werk-nord", {"wartung"}, active=False),
    wb.Actor("werk-sued", {"wartung"}),
]
VECTORS = wb.Vectors(wb.Kept(small_models.model()), 4)
SYNONYMS = wb.Synonyms.of([["Drehmoment", "Anzugsmoment", "45 Nm", "4 Nm"], ["fehlt", "Handbuch"]])
FINDERS = {
    "strict": wb.Strict(),
    "any": wb.Ranked(5, match="any"),
    "german": wb.Analyzed(5),
    "vectors": VECTORS,
    "fused": wb.Fused((wb.Analyzed(5), VECTORS), 5),
    "expanded": wb.Expanded(wb.Ranked(5, match="any"), SYNONYMS),
    "reranked": wb.Reranked(wb.Expanded(wb.Analyzed(5), SYNONYMS), wb.Nearness(), 5),
}
QUERIES = ["Anzugsmoment", "zweimal anziehen", "Handbuch", "45 Nm", "fehlt", "Drehmomente", "Drehmoment"]

Running = Generator[Step, None, wb.Answer]


class Interleavings(RuleBasedStateMachine):
    """What the register office, the owners of rights and texts, and the askers may do, in any order."""

    totals: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.running: list[tuple[Running, wb.Inquiry]] = []

    @initialize(seed=st.integers(0, 2**32))
    def begin_anew(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.now = 6
        self.seals = shipped()
        self.seals.applies("manual-C", 0, procedure="storage")
        self.sessions = [
            wb.Session(self.seals.corpus, self.seals.register, clock=lambda: self.now, cache=cache)
            for cache in (
                None,
                wb.MemoryCache(),
                wb.MemoryCache(windows=True),
                wb.SqliteCache(":memory:", windows=True),
            )
        ]

    # --- the world changes ---------------------------------------------------------------------------------------

    @rule(times=st.integers(1, 3))
    def correct(self, times: int) -> None:
        """A row is closed, moved or added; a precedence is withdrawn or stated; a review likewise."""
        for _ in range(times):
            self.totals["corrections"] += 1
            seals, draw = self.seals, self.draw
            kind = draw.randrange(6)
            if kind == 0 and seals.rows:
                seals.rows.pop(draw.randrange(len(seals.rows)))
            elif kind == 1 and seals.rows:
                place = draw.randrange(len(seals.rows))
                start = draw.randrange(10)
                end = draw.choice([UNBOUNDED, start + draw.randint(1, 6)])
                seals.rows[place] = replace(seals.rows[place], valid=Interval(start, end))
            elif kind == 2 and seals.relations:
                seals.relations.pop(draw.randrange(len(seals.relations)))
            elif kind == 3 and seals.equivalences:
                seals.equivalences.pop()
            elif kind == 4 and not seals.equivalences:
                seals.edition("manual-A-de", draw.choice(DOCUMENTS[:3]), "de")
            elif len(seals.rows) < 6:
                self._state_a_row()
        self._renew()

    def _state_a_row(self) -> None:
        draw, procedure = self.draw, self.draw.choice(PROCEDURES)
        name, start = draw.choice(DOCUMENTS[:3]), draw.randrange(10)
        self.seals.applies(name, start, draw.choice([UNBOUNDED, start + draw.randint(1, 6)]), procedure=procedure)
        others = [other for other in DOCUMENTS[:3] if other != name]
        for other in draw.sample(others, draw.randrange(3)):
            self.seals.supersedes(name, other, start, procedure=procedure)
        if len(self.seals.relations) > 6:
            del self.seals.relations[:3]

    @rule()
    def change_rights(self) -> None:
        """In the corpus, the register, or both."""
        self.totals["rights"] += 1
        name, groups = self.draw.choice(DOCUMENTS), self.draw.choice(GROUPS)
        where = self.draw.randrange(3)
        if where != 0:
            self.seals.groups[name] = groups
        if where != 1:
            self.seals.registered[name] = groups
        self._renew()

    @rule()
    def change_text(self) -> None:
        """A text under its old id; the register hears of it or not, and sometimes it is the old text again."""
        self.totals["texts"] += 1
        name = self.draw.choice(DOCUMENTS)
        text = shipped().texts[name]
        if self.draw.random() < 0.5:
            text = text.replace("0 Nm", f"{self.draw.randrange(1, 9)} Nm")
        self.seals.texts[name] = text
        if self.draw.random() < 0.85:
            self.seals.digests[name] = fingerprint(text)
        self._renew()

    @rule()
    def set_up_again(self) -> None:
        """Everything as it was shipped: the very same snapshot and texts as some kept answers."""
        self.totals["swaps"] += 1
        self.seals = shipped()
        self.seals.applies("manual-C", 0, procedure="storage")
        self._renew()

    @rule()
    def time_passes(self) -> None:
        self.now = self.draw.randrange(12)

    def _renew(self) -> None:
        for session in self.sessions:
            session.renew(corpus=self.seals.corpus, register=self.seals.register)

    # --- requests ------------------------------------------------------------------------------------------------

    @rule(times=st.integers(8, 20))
    def ask(self, times: int) -> None:
        """Whole requests, of one session after another."""
        for _ in range(times):
            session, inquiry = self.draw.choice(self.sessions), self._inquiry()
            self._left(self._finished(session.steps(inquiry)), inquiry)

    @rule(times=st.integers(1, 4))
    def begin(self, times: int) -> None:
        """Requests that are left standing after some step."""
        for _ in range(times):
            session, inquiry = self.draw.choice(self.sessions), self._inquiry()
            self.running.append((session.steps(inquiry), inquiry))
            self._go_on(self.running[-1], self.draw.randrange(1, 5))

    @rule()
    def go_on(self) -> None:
        """Every request under way does a step or two, or finishes."""
        for one in list(self.running):
            self._go_on(one, self.draw.randrange(4))

    def teardown(self) -> None:
        for one in list(self.running):
            self._go_on(one, 9)

    def _go_on(self, one: tuple[Running, wb.Inquiry], steps: int) -> None:
        running, inquiry = one
        for _ in range(steps):
            try:
                next(running)
            except StopIteration as end:
                self.running.remove(one)
                self._left(end.value, inquiry)
                return

    @staticmethod
    def _finished(steps: Running) -> wb.Answer:
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value

    def _inquiry(self) -> wb.Inquiry:
        draw = self.draw
        request = wb.Request(
            scope(draw.choice(PROCEDURES)),
            at=draw.choice([None, None, *range(12)]),
            language=draw.choice([None, None, "en", "de"]),
        )
        actor = draw.choice(ACTORS[:3]) if draw.random() < 0.9 else draw.choice(ACTORS)
        return wb.Inquiry(draw.choice(QUERIES), actor, request, draw.choice(list(FINDERS.values())))

    # --- what must hold ------------------------------------------------------------------------------------------

    def _left(self, answer: wb.Answer, inquiry: wb.Inquiry) -> None:
        """An answer has left: the direct resolver, on the state of this moment, must agree with it."""
        self.totals["requests"] += 1
        self.totals[answer.decision.status] += 1
        if answer.decision.status is not Status.RESOLVED:
            assert (answer.hits, answer.manifests, answer.decision.context) == ((), (), None)
            return
        corpus, register, actor, mode = self.seals.corpus, self.seals.register, inquiry.actor, answer.decision.mode
        at = None if mode == "current" else answer.decision.at
        direct = register.resolve(replace(inquiry.request, at=at), actor, clock=lambda: self.now)
        assert direct.status is Status.RESOLVED, "the direct resolver refuses what was answered"
        same = ("revision_id", "edition_id", "valid_from", "valid_to", "mode", "language")
        assert [getattr(direct, n) for n in same] == [getattr(answer.decision, n) for n in same]
        try:
            view = corpus.view(actor, direct)
        except ContextError:
            raise AssertionError("register and corpus refuse what was answered") from None
        fresh = inquiry.find.find(view, inquiry.query)
        places = [(h.document_id, h.content_sha256, h.start, h.end, h.quote, h.score) for h in answer.hits]
        assert places == [(h.document_id, h.content_sha256, h.start, h.end, h.quote, h.score) for h in fresh]
        assert [m.citation for m in answer.manifests] == [hit.citation() for hit in answer.hits]
        self.totals["evidence"] += bool(answer.hits)
        self.totals[next(name for name, way in FINDERS.items() if way is inquiry.find)] += bool(answer.hits)
        for manifest in answer.manifests[:1]:
            assert wb.verify(manifest, actor, corpus, register, clock=lambda: self.now).ok


def play(examples: int, *, shrink: bool = True) -> Counter[str]:
    """Let it all happen so many times over; gives what happened how often."""
    Interleavings.totals.clear()
    phases = list(Phase) if shrink else [Phase.generate]
    run = settings(max_examples=examples, stateful_step_count=40, database=None, phases=phases)
    run_state_machine_as_test(Interleavings, settings=run)
    return Interleavings.totals


def test_no_interleaving_answers_what_the_resolver_would_refuse() -> None:
    totals = play(210)
    # worth running: every kind of change is common, and so are answers with evidence, refusals and expiries
    least = {
        "requests": 10_000,
        "corrections": 500,
        "rights": 300,
        "texts": 300,
        "evidence": 1000,
        Status.CONTEXT_EXPIRED: 50,
    }
    least |= {Status.UNAVAILABLE: 500, Status.UNRESOLVED_AUTHORITY: 50, Status.NO_EQUIVALENT_EDITION: 100}
    least |= dict.fromkeys(FINDERS, 80)  # evidence by every way to find
    assert {name: totals[name] for name, wanted in least.items() if totals[name] < wanted} == {}, totals


def unchecked(decision: Decision, *args: object, **more: object) -> Decision:
    return decision


def keyed_by_question(context: Context, query: str, **more: object) -> str:
    return f"{query} {more}"


def renewed_without_forgetting(session: wb.Session, *, corpus: wb.Corpus, register: wb.Register) -> None:
    session._newest = (corpus, register)


def never_renewed(session: wb.Session, *, corpus: wb.Corpus, register: wb.Register) -> None:
    assert session.register is not register


@pytest.mark.parametrize("broken", ["no last check", "key without decision", "never renewed"])
def test_a_missing_guard_is_found(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if broken == "no last check":
        monkeypatch.setattr(session_module, "still_valid", unchecked)
    elif broken == "key without decision":
        monkeypatch.setattr(session_module, "cache_key", keyed_by_question)
        monkeypatch.setattr(session_module.Session, "renew", renewed_without_forgetting)
    else:
        monkeypatch.setattr(session_module.Session, "renew", never_renewed)
    with pytest.raises((AssertionError, wb.WorkbenchError)):
        play(130, shrink=False)
