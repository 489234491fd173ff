"""Every request against the newest corpus and register: decision, view, evidence, last check (contract 4; S1).

A session holds what is newest. A request pins what it began with, and before its evidence leaves it is compared with
what is newest then: a correction, a withdrawn right or a changed text in between ends in ``CONTEXT_EXPIRED``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from datetime import UTC, datetime
from typing import Final

from workbench.contract import OPERATOR, Actor, Clock, Decision, Hit, Instant, Request, Status
from workbench.errors import ContextError, WorkbenchError
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut
from workbench.evidence.view import View
from workbench.pipeline.answer import PARAGRAPHS, STRICT, Answer, Inquiry, Step, Trace
from workbench.pipeline.audit import AuditLog
from workbench.pipeline.cache import Cache, cache_key, entry_of, recalled
from workbench.pipeline.finders import Finder
from workbench.pipeline.gate import handed_on
from workbench.pipeline.manifest import cite
from workbench.pipeline.protected import protected_record
from workbench.pipeline.recheck import still_valid
from workbench.validity.register import Register

DISAGREE: Final = "REGISTER_AND_CORPUS_DISAGREE"
"""The precise reason, for the protected record only, where access, text or sections of the two differ (3.11, 3.13)."""


class Session:
    """The newest corpus and register, with the cache and the audit log that belong to them.

    >>> from workbench.contract import Scope
    >>> session = Session(Corpus.read("data/pumps"), Register.read("data/pump-seal"))
    >>> seal = Request(Scope("pump-seal", "seal-torque", "C2", "EU"), at=6)
    >>> session.ask("Anzugsmoment", actor=Actor("werk-nord", {"wartung"}), request=seal)
    Answer(Decision(RESOLVED bulletin-B [5,10) at 6, en, historical), 1 hits)
    """

    def __init__(
        self,
        corpus: Corpus,
        register: Register,
        *,
        clock: Clock | None = None,
        cache: Cache | None = None,
        audit: AuditLog | None = None,
    ) -> None:
        self._newest = (corpus, register)
        self._clock, self._cache, self._audit = clock, cache, audit
        self._renewing = threading.Lock()

    @property
    def corpus(self) -> Corpus:
        """The newest corpus."""
        return self._newest[0]

    @property
    def register(self) -> Register:
        """The newest register."""
        return self._newest[1]

    def renew(self, *, corpus: Corpus | None = None, register: Register | None = None) -> None:
        """Put a newer corpus or register, or both at once, in place of the old; kept answers that rest on it go.

        Requests under way go on with what they pinned and are compared with the new before their evidence leaves.
        Raises CacheError where kept answers cannot be reached; what is newest is new all the same, and an answer that
        rests on the old has another key.
        """
        with self._renewing:
            old_corpus, old_register = self._newest
            corpus = old_corpus if corpus is None else corpus
            register = old_register if register is None else register
            self._newest = (corpus, register)
        if self._cache is not None:
            self._cache.retain(register.snapshot(), corpus.state.fingerprints)

    def ask(
        self, query: str, *, actor: Actor, request: Request, find: Finder = STRICT, cut: Cut = PARAGRAPHS
    ) -> Answer:
        """The answer to one question: the decision first, then a search in its view only, then a manifest for each hit.

        Where register and corpus disagree about access or text, or the procedure is not located in the document, the
        decision is UNAVAILABLE (contract 3.11, 3.13); where something changed under way, CONTEXT_EXPIRED. Raises
        QueryRefused, RequestError, and EvidenceError where a finder or the cache brought what is not in the view.
        """
        steps = self.steps(Inquiry(query, actor, request, find, cut))
        while True:
            try:
                next(steps)
            except StopIteration as done:
                answer: Answer = done.value
                return answer

    def steps(self, inquiry: Inquiry) -> Generator[Step, None, Answer]:
        """The same answer, one step at a time, for whoever has to show what happens when the world changes in between.

        The last step, the check, is not given out: once it has passed, the answer leaves.
        """
        trace = Trace(time.perf_counter_ns)
        try:
            answer = yield from self._steps(inquiry, trace)
        except WorkbenchError as error:
            if self._audit is not None:
                self._audit.request(inquiry, error, trace)
            raise
        if self._audit is not None:
            self._audit.request(inquiry, answer, trace)
        return answer

    def _steps(self, inquiry: Inquiry, trace: Trace) -> Generator[Step, None, Answer]:
        actor = inquiry.actor
        trace.begin()
        corpus, register = self._newest
        decision = self._decided(inquiry, register, trace)
        yield trace.end(Step.RESOLVED)
        if decision.status is not Status.RESOLVED:
            return Answer(decision)
        trace.begin()
        try:
            view = corpus.view(actor, decision).cut(inquiry.cut)
        except ContextError:
            if trace.protected is not None:
                trace.protected = {**trace.protected, "reason": DISAGREE}
            return Answer(Decision(Status.UNAVAILABLE))
        yield trace.end(Step.VIEWED)
        try:
            trace.begin()
            hits = self._found(inquiry, view, decision, trace)
            yield trace.end(Step.FOUND)
            trace.begin()
            manifests = tuple(cite(hit, decision) for hit in handed_on(hits, view, decision))
            yield trace.end(Step.CITED)
        except ContextError:
            return Answer(decision.expired())
        trace.begin()
        checked = still_valid(decision, actor, *self._newest, clock=self._clock)
        trace.end(Step.CHECKED)
        return Answer(decision, hits, manifests) if checked.status is Status.RESOLVED else Answer(checked)

    def _decided(self, inquiry: Inquiry, register: Register, trace: Trace) -> Decision:
        """The decision, at an instant that is taken once; with an audit log also what stands behind it."""
        actor, request = inquiry.actor, inquiry.request
        clock = self._instant(register)
        decision = register.resolve(request, actor, clock=clock)
        if self._audit is not None:
            trace.protected = protected_record(register, decision, actor, reader=OPERATOR, request=request, clock=clock)
        return decision

    def _instant(self, register: Register) -> Clock | None:
        if self._clock is None and register.settings.valid.kind == "logical":
            return None
        now: Instant = datetime.now(UTC) if self._clock is None else self._clock()
        return lambda: now

    def _found(self, inquiry: Inquiry, view: View, decision: Decision, trace: Trace) -> tuple[Hit, ...]:
        """The finder's hits, or the kept ones of the same decision; each shown to be of this view."""
        query, find, cache, context = inquiry.query, inquiry.find, self._cache, decision.context
        find.check(query)
        if cache is None or context is None:
            return handed_on(find.find(view, query), view, decision)
        key = cache_key(context, query, cut=repr(view.rule), finder=repr(find), windows=cache.windows)
        kept = recalled(cache, key, view, decision)
        trace.cache = "miss" if kept is None else "hit"
        if kept is not None:
            return kept
        hits = handed_on(find.find(view, query), view, decision)
        cache.put(key, entry_of(hits, decision))
        return hits
