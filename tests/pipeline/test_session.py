"""What happens when the world changes while a request is under way: the evidence does not leave."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import workbench as wb
from workbench.contract import Decision, Status
from workbench.errors import EvidenceError, QueryRefused
from workbench.pipeline.answer import Step

from .conftest import MECHANIC
from .seals import Seals, scope, shipped
from .test_recheck import CHANGES, change_text_and_digest, elsewhere, hide_in_corpus, hide_in_register

STEPS = [Step.RESOLVED, Step.VIEWED, Step.FOUND, Step.CITED]
ASKED = wb.Inquiry("Anzugsmoment", MECHANIC, wb.Request(scope(), at=6))
EXPIRED = wb.Answer(Decision(Status.CONTEXT_EXPIRED))


def finished(session: wb.Session, inquiry: wb.Inquiry, at: Step | None = None, change: Callable | None = None):
    """The answer to an inquiry whose world changes right after one step."""
    steps = session.steps(inquiry)
    done = []
    while True:
        try:
            done.append(next(steps))
        except StopIteration as end:
            assert at is None or at in done
            return end.value
        if done[-1] == at and change is not None:
            change()


def renewed(session: wb.Session, seals: Seals, change: Callable[[Seals], None]) -> Callable[[], None]:
    def apply() -> None:
        change(seals)
        session.renew(corpus=seals.corpus, register=seals.register)

    return apply


def sessions(seals: Seals) -> Iterator[wb.Session]:
    for cache in (None, wb.MemoryCache(), wb.MemoryCache(windows=True)):
        yield wb.Session(seals.corpus, seals.register, cache=cache)


@pytest.mark.parametrize("at", STEPS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_after_any_step_expires_the_request(at: Step, change: Callable[[Seals], None]) -> None:
    for session in sessions(shipped()):
        for warm in (False, True):
            seals = shipped()
            session.renew(corpus=seals.corpus, register=seals.register)
            if warm:
                assert session.ask("Anzugsmoment", actor=MECHANIC, request=ASKED.request).hits
            assert finished(session, ASKED, at, renewed(session, seals, change)) == EXPIRED
            again = session.ask("Anzugsmoment", actor=MECHANIC, request=ASKED.request)
            assert again == wb.ask(seals.corpus, seals.register, "Anzugsmoment", actor=MECHANIC, request=ASKED.request)


@pytest.mark.parametrize("at", STEPS)
def test_a_change_that_concerns_nothing_here_does_not(at: Step) -> None:
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register)
    answer = finished(session, ASKED, at, renewed(session, seals, elsewhere))
    assert answer == finished(wb.Session(shipped().corpus, shipped().register), ASKED)
    assert [hit.document_id for hit in answer.hits] == ["bulletin-B"]


@pytest.mark.parametrize("at", STEPS)
@pytest.mark.parametrize("first", [hide_in_corpus, change_text_and_digest])
def test_a_change_that_is_taken_back_in_time_does_not(at: Step, first: Callable[[Seals], None]) -> None:
    """What counts is the newest state when the evidence leaves, and what was searched is the same again."""
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register)

    def there_and_back() -> None:
        renewed(session, seals.copy(), first)()
        session.renew(corpus=seals.corpus, register=seals.register)

    assert finished(session, ASKED, at, there_and_back).hits


@pytest.mark.parametrize("at", STEPS)
def test_the_clock_passes_the_end_of_the_interval(at: Step) -> None:
    seals = shipped()
    clock = [9]
    session = wb.Session(seals.corpus, seals.register, clock=lambda: clock[0])
    inquiry = wb.Inquiry("Anzugsmoment", MECHANIC, wb.Request(scope()))
    assert finished(session, inquiry).decision.mode == "current"
    assert finished(session, inquiry, at, lambda: clock.__setitem__(0, 10)) == EXPIRED
    assert [hit.document_id for hit in finished(session, inquiry).hits] == ["manual-C"]


def test_a_request_that_was_searched_in_the_old_corpus_is_not_answered_from_the_new() -> None:
    """The view is pinned: whatever comes between, its hits are those of its own texts."""
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register)
    steps = session.steps(ASKED)
    assert next(steps) == Step.RESOLVED
    renewed(session, seals, change_text_and_digest)()
    assert list(steps)[-1] == Step.CITED  # it goes on with what it began with
    with pytest.raises(StopIteration):
        next(steps)


IN_PLACE = {
    "replaced": lambda corpus: corpus.replace(replace(corpus.get("bulletin-B"), text="Neu.\n\nAnzugsmoment 46 Nm.")),
    "removed": lambda corpus: corpus.remove("bulletin-B"),
    "regrouped": lambda corpus: corpus.regroup("bulletin-B", {"leitung"}),
}


@pytest.mark.parametrize("at", STEPS)
@pytest.mark.parametrize("change", IN_PLACE)
@pytest.mark.parametrize("cache", [None, wb.MemoryCache(windows=True)])
def test_a_corpus_that_changes_in_place(at: Step, change: str, cache: wb.MemoryCache | None) -> None:
    """The same object, no renewal: after the decision nothing is found in it, and before it nothing is decided for."""
    seals = shipped()
    corpus = seals.corpus
    session = wb.Session(corpus, seals.register, cache=cache)
    assert finished(session, ASKED).hits
    answer = finished(session, ASKED, at, lambda: IN_PLACE[change](corpus))
    expected = Status.UNAVAILABLE if at == Step.RESOLVED else Status.CONTEXT_EXPIRED
    assert answer == wb.Answer(Decision(expected))
    assert finished(session, ASKED) == wb.Answer(Decision(Status.UNAVAILABLE))


def test_corpus_and_register_are_swapped_together() -> None:
    """One after the other there is a moment in which they disagree, and it answers nothing."""
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register)
    change_text_and_digest(seals)
    session.renew(corpus=seals.corpus)
    assert session.ask("Anzugsmoment", actor=MECHANIC, request=ASKED.request) == wb.Answer(Decision(Status.UNAVAILABLE))
    session.renew(register=seals.register)
    assert "46 Nm" in session.ask("Anzugsmoment", actor=MECHANIC, request=ASKED.request).hits[0].quote
    session.renew(corpus=wb.Corpus([]))
    assert len(session.corpus) == 0


def test_the_clock_is_read_once_for_the_decision() -> None:
    seals, read = shipped(), []

    def clock() -> int:
        read.append(len(read))
        return 8 + len(read)

    session = wb.Session(seals.corpus, seals.register, clock=clock)
    steps = session.steps(wb.Inquiry("Anzugsmoment", MECHANIC, wb.Request(scope())))
    assert [next(steps), next(steps), next(steps), next(steps)] == STEPS
    assert len(read) == 1


class Outsider:
    """A finder that brings a passage of its own choice."""

    def __init__(self, hit: wb.Hit) -> None:
        self.hit = hit

    def check(self, query: str) -> None: ...

    def find(self, view: wb.View, query: str) -> list[wb.Hit]:
        return [*view.search(query), self.hit]

    def __repr__(self) -> str:
        return "Outsider()"


@pytest.mark.parametrize("cache", [None, wb.MemoryCache(windows=True)])
def test_a_finder_that_brings_what_is_not_in_the_view_stops_the_request(cache: wb.MemoryCache | None) -> None:
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register, cache=cache)
    old = next(h for h in seals.corpus.view(MECHANIC).search("Anzugsmoment", 5) if h.document_id == "manual-A")
    with pytest.raises(EvidenceError, match="nothing was handed on"):
        session.ask("Anzugsmoment", actor=MECHANIC, request=ASKED.request, find=Outsider(old))
    assert cache is None or len(cache) == 0


def test_a_refused_question_is_refused_with_a_kept_answer_too() -> None:
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register, cache=wb.MemoryCache())
    for query in ("x" * 201, "a\x00b", "Anzugsmoment\ud800\x7f"):
        with pytest.raises(QueryRefused):
            session.ask(query, actor=MECHANIC, request=ASKED.request)
    lone = session.ask("Anzugsmoment \ud800", actor=MECHANIC, request=ASKED.request)
    assert lone == session.ask("Anzugsmoment \ud800", actor=MECHANIC, request=ASKED.request)
    assert lone.hits


def test_hide_in_register_is_the_same_refusal_as_nothing_there() -> None:
    seals = shipped()
    session = wb.Session(seals.corpus, seals.register)
    renewed(session, seals, hide_in_register)()
    answer = session.ask("Anzugsmoment", actor=MECHANIC, request=ASKED.request)
    assert answer == session.ask("Anzugsmoment", actor=MECHANIC, request=wb.Request(scope("keine"), at=6))
