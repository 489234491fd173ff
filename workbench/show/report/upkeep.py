"""The probes of operation: kept answers under withdrawn rights, corrections and boundaries (S1; contract 4.7, 4.8).

Nothing that was given is changed: each probe works on a small corpus of its own, of the documents around one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from workbench.contract import Status
from workbench.pipeline.answer import Answer
from workbench.pipeline.cache import cache_key
from workbench.pipeline.cache_stores import MemoryCache
from workbench.pipeline.finders import Ranked
from workbench.pipeline.session import Session
from workbench.show.report.probes import Seen
from workbench.show.report.world import Bound, World, bounded, own_question, spread
from workbench.validity.register import Register

Made = type[Session]
FIND: Final = Ranked(3, "any")
MOST_CHANGED: Final = 12
"""Each of these needs a corpus and an index of its own."""
NOBODY: Final = frozenset({"nobody"})


def _sessions(world: World, made: Made) -> Iterator[tuple[Bound, Session, Callable[[], Answer]]]:
    """A session for each of some decisions, with its answer kept: asked twice, and the second time from the cache."""
    for bound in spread(world.bound, MOST_CHANGED):
        words = own_question(bound, world.corpus)
        if words is None:
            continue
        session = made(world.around(bound), world.register, clock=world.clock, cache=MemoryCache())

        def ask(bound: Bound = bound, session: Session = session, words: str = words) -> Answer:
            return session.ask(words, actor=bound.actor, request=world.request(bound.slot), find=FIND)

        if ask().hits and ask().hits:
            yield bound, session, ask


def withdrawal(world: World, *, made: Made = Session) -> Seen:
    """Is a kept answer gone once the right to read it is withdrawn, in the corpus or in the register?"""
    cases, against = 0, []
    for bound, session, ask in _sessions(world, made):
        name, register = bound.context.allowed[0].document_id, world.register
        groups = _groups(session, name)
        session.corpus.regroup(name, NOBODY)
        cases += 1
        if ask().hits:
            against.append(f"withdrawn in the corpus, still answered for {bound.slot}")
        session.corpus.regroup(name, groups)
        closed = replace(register.revisions[name], groups=NOBODY)
        session.renew(register=replace(register, revisions={**register.revisions, name: closed}))
        cases += 1
        if ask().hits:
            against.append(f"withdrawn in the register, still answered for {bound.slot}")
    said = f"{cases} rights withdrawn, half in the corpus and half in the register, each after an answer was kept: "
    return Seen(cases, said + _outcome(against, "none was answered from what was kept."), tuple(against))


def _groups(session: Session, name: str) -> frozenset[str]:
    document = session.corpus.get(name)
    return document.groups if document else frozenset()


def correction(world: World, *, made: Made = Session) -> Seen:
    """Is a kept answer gone once the register's row behind it is closed?"""
    cases, against = 0, []
    for bound, session, ask in _sessions(world, made):
        session.renew(register=without(world.register, bound.context.revision_id))
        cases += 1
        answer = ask()
        if answer.decision.revision_id == bound.context.revision_id or _cites(answer, bound):
            against.append(f"closed, still answered for {bound.slot}")
    said = f"{cases} corrections, each closing the rows of a revision after an answer was kept: "
    return Seen(cases, said + _outcome(against, "none was answered from what was kept."), tuple(against))


def without(register: Register, revision: str) -> Register:
    """The register with the rows of a revision closed."""
    rows = tuple(row for row in register.applicability if row.revision_id != revision)
    return replace(register, applicability=rows)


def _cites(answer: Answer, bound: Bound) -> bool:
    mine = {allowed.document_id for allowed in bound.context.allowed}
    return any(hit.document_id in mine for hit in answer.hits)


def boundaries(world: World, *, made: Made = Session) -> Seen:
    """Is an answer kept for its interval only: asked at its last instant, then at the instant after it?"""
    cases, against = 0, []
    ending = [bound for bound in world.bound if bounded(bound.slot.interval)]
    for bound in ending:
        words = own_question(bound, world.corpus)
        if words is None:
            continue
        session = made(world.corpus, world.register, clock=world.clock, cache=MemoryCache(windows=True))
        end = bound.slot.interval.end
        before, after = (
            session.ask(words, actor=bound.actor, request=world.request(bound.slot, at=t), find=FIND)
            for t in (end - 1, end)
        )
        fresh = world.register.resolve(world.request(bound.slot, at=end), bound.actor, clock=world.clock)
        cases += 1
        same = fresh.revision_id == before.decision.revision_id and fresh.edition_id == before.decision.edition_id
        allowed = {a.document_id for a in fresh.context.allowed} if fresh.context else set()
        if any(hit.document_id not in allowed for hit in after.hits):
            against.append(f"an old passage was answered at the boundary of {bound.slot}")
        if not same and _key(before, words) == _key(after, words):
            against.append(f"two revisions share a key at the boundary of {bound.slot}")
    said = f"{cases} ends of intervals, asked about at the last instant and at the next, answers kept by interval: "
    return Seen(cases, said + _outcome(against, "none was answered across its boundary."), tuple(against))


def _key(answer: Answer, words: str) -> str:
    context = answer.decision.context
    if answer.decision.status is not Status.RESOLVED or context is None:
        return answer.decision.status.value
    return cache_key(context, words, windows=True)


def _outcome(against: list[str], none: str) -> str:
    return f"{len(against)} were answered." if against else none
