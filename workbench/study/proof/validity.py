"""The 21 checks: 13 of the resolver on S1's register, 8 of the cache key (S1; contract 3.3, 4.7).

Each is a row of data over a :class:`Desk`, whatever authority sits at it. They need no SQLite. The torques in the
documents are invented test data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from workbench.contract import Actor, Allowed, Clock, Context, Decision, Request, Scope, Status
from workbench.evidence.corpus import Corpus
from workbench.evidence.view import View
from workbench.intervals import UNBOUNDED, Interval
from workbench.pipeline.ask import Answer, ask
from workbench.pipeline.cache import cache_key
from workbench.study.proof.bench import MECHANIC, data_folder
from workbench.study.proof.rows import Condition
from workbench.validity.register import Register

SEAL: Final = Scope("pump-seal", "seal-torque", "C2", "EU")
QUESTION: Final = "Anzugsmoment"


class Authority(Protocol):
    """What the checks are asked of: decisions, a question under a decision, and a cache key."""

    @property
    def name(self) -> str:
        """How a row names it where authorities differ."""
        ...

    def resolve(self, register: Register, request: Request, actor: Actor, *, clock: Clock | None = None) -> Decision:
        """Which revision applies."""
        ...

    def ask(
        self, corpus: Corpus, register: Register, query: str, *, actor: Actor, request: Request, clock: Clock
    ) -> Answer:
        """The decision, and under it the evidence."""
        ...

    def key(self, context: Context, query: str) -> str:
        """Under which key the answer may be kept."""
        ...


@dataclass(frozen=True, slots=True)
class ShippedAuthority:
    """The way that every caller goes: ``register.resolve``, ``ask``, ``cache_key``."""

    name: str = "register"

    def resolve(self, register: Register, request: Request, actor: Actor, *, clock: Clock | None = None) -> Decision:
        """``register.resolve``."""
        return register.resolve(request, actor, clock=clock)

    def ask(
        self, corpus: Corpus, register: Register, query: str, *, actor: Actor, request: Request, clock: Clock
    ) -> Answer:
        """``ask`` of the pipeline."""
        return ask(corpus, register, query, actor=actor, request=request, clock=clock)

    def key(self, context: Context, query: str) -> str:
        """``cache_key`` of the pipeline."""
        return cache_key(context, query)


class Watched(Corpus):
    """A corpus that counts its views: since nothing else can be searched, no view means that no search ran."""

    views = 0

    def view(self, actor: Actor, decision: Decision | None = None) -> View:
        """A view as ever, and counted."""
        self.views += 1
        return super().view(actor, decision)


@dataclass(frozen=True, slots=True)
class Desk:
    """An authority with S1's register and corpus, and the words for what it answers."""

    authority: Authority
    register: Register
    corpus: Corpus

    def now(self, t: int, *, language: str | None = None, register: Register | None = None) -> str:
        """The answer to a present question at a logical time."""
        return self.said(Request(SEAL, language=language), clock=t, register=register)

    def said(self, request: Request, *, clock: int = 12, register: Register | None = None) -> str:
        """The answer to a request, asked when the clock shows that time."""
        decision = self.authority.resolve(register or self.register, request, MECHANIC, clock=lambda: clock)
        return words_for(decision)

    def asked(self, request: Request) -> str:
        """The answer to a question under a request, and how many views were opened for it."""
        corpus = Watched(self.corpus.documents)
        answer = self.authority.ask(corpus, self.register, QUESTION, actor=MECHANIC, request=request, clock=lambda: 12)
        return f"{words_for(answer.decision)}; {corpus.views} views, {len(answer.hits)} hits"

    def context(self) -> Context:
        """The context of bulletin B at 6, made by the shipped register: what every cache check starts from."""
        context = self.register.resolve(Request(SEAL, at=6), MECHANIC).context
        if context is None:
            raise ValueError("S1's register has no revision at 6")
        return context

    def key_with(self, **changed: object) -> str:
        """Whether the key stays for the same decision, and differs where only this differs."""
        context = self.context()
        other = replace(context, id="", **changed)  # type: ignore[arg-type]  # each part is a field of its own type
        keys = [self.authority.key(c, QUESTION) for c in (context, replace(context, id=""), other)]
        same = "same key" if keys[0] == keys[1] else "another key"
        return f"same decision, {same}; changed, {'same key' if keys[0] == keys[2] else 'another key'}"


SHIPPED_AUTHORITY: Final[Authority] = ShippedAuthority()


def desk(authority: Authority = SHIPPED_AUTHORITY, *, register: Path | None = None, corpus: Path | None = None) -> Desk:
    """The desk with this authority at it, over the shipped data or other folders; InputError where they are absent."""
    return Desk(
        authority,
        Register.read(data_folder("pump-seal") if register is None else register),
        Corpus.read(data_folder("pumps") if corpus is None else corpus),
    )


def words_for(decision: Decision) -> str:
    """A decision in a row's words: status, revision, edition with its equivalence, mode, or what is missing."""
    if decision.status is Status.RESOLVED:
        revision, context = str(decision.revision_id), decision.context
        if decision.edition_id is not None:
            equivalence = context.equivalence_id if context else None
            revision = f"{decision.edition_id} for {revision} by {equivalence}"
        return f"RESOLVED {revision}, {decision.mode}"
    return " ".join((decision.status, *decision.missing, *decision.rivals))


def without_access_to_b(register: Register) -> Register:
    """The register with bulletin B for another group: A and its translation stay readable."""
    closed = replace(register.revisions["bulletin-B"], groups=frozenset({"leitung"}))
    return replace(register, revisions={**register.revisions, closed.id: closed})


def with_rival(register: Register) -> Register:
    """The register with a second approved row from 10 on, D beside C, and no precedence between them."""
    d = replace(register.revisions["manual-C"], id="manual-D", source_digest="d" * 64)
    [c] = (row for row in register.applicability if row.revision_id == "manual-C")
    row = replace(c, revision_id="manual-D", valid=Interval(10, UNBOUNDED), approval_ref="FG-0004", row=c.row + 1)
    return replace(register, revisions={**register.revisions, d.id: d}, applicability=(*register.applicability, row))


RESOLVER: Final[tuple[Condition[Desk], ...]] = (
    Condition(1, "at 4: A", "RESOLVED manual-A, current", lambda d: d.now(4)),
    Condition(2, "at 5: B", "RESOLVED bulletin-B, current", lambda d: d.now(5)),
    Condition(3, "at 9: B", "RESOLVED bulletin-B, current", lambda d: d.now(9)),
    Condition(4, "at 10: C", "RESOLVED manual-C, current", lambda d: d.now(10)),
    Condition(5, "at 12: C", "RESOLVED manual-C, current", lambda d: d.now(12)),
    Condition(
        6,
        "historical at 6: B, labelled historical",
        "RESOLVED bulletin-B, historical",
        lambda d: d.said(Request(SEAL, at=6, mode="historical")),
    ),
    Condition(
        7,
        "no configuration: MISSING_SCOPE, and no search ran",
        "MISSING_SCOPE configuration; 0 views, 0 hits",
        lambda d: d.asked(Request(replace(SEAL, configuration=None))),
    ),
    Condition(
        8,
        "mode historical without a time: MISSING_SCOPE",
        "MISSING_SCOPE time",
        lambda d: d.said(Request(SEAL, mode="historical")),
    ),
    Condition(
        9,
        "another region: UNAVAILABLE",
        "UNAVAILABLE",
        lambda d: d.said(Request(replace(SEAL, region="US"))),
    ),
    Condition(
        10,
        "German at 4: the German edition of A, with its equivalence",
        "RESOLVED manual-A-de for manual-A by EQ-A-de, current",
        lambda d: d.now(4, language="de"),
    ),
    Condition(
        11,
        "German at 12: NO_EQUIVALENT_EDITION",
        "NO_EQUIVALENT_EDITION",
        lambda d: d.now(12, language="de"),
    ),
    Condition(
        12,
        "at 6 with access to A and its translation only: UNAVAILABLE, never A",
        "UNAVAILABLE",
        lambda d: d.now(6, register=without_access_to_b(d.register)),
    ),
    Condition(
        13,
        "a second approved row [10,unbounded) without precedence, at 10: UNRESOLVED_AUTHORITY",
        "UNRESOLVED_AUTHORITY manual-C manual-D",
        lambda d: d.now(10, register=with_rival(d.register)),
    ),
)


def cache_check(number: int, what: str, **changed: object) -> Condition[Desk]:
    """The check that a key counts this part of the context."""
    return Condition(
        number,
        f"the cache key differs when only this differs: {what}",
        "same decision, same key; changed, another key",
        lambda d: d.key_with(**changed),
    )


# Numbered on from the resolver's 13, so that a number names one row of the 21.
CACHE: Final[tuple[Condition[Desk], ...]] = (
    cache_check(14, "rule set", rules="direct/2"),
    cache_check(15, "allowed revisions", allowed=(Allowed("manual-A", "a" * 64),)),
    cache_check(16, "access", access="a" * 64),
    cache_check(17, "register snapshot", snapshot="b" * 64),
    cache_check(18, "language", language="de"),
    cache_check(19, "time", at="7"),
    cache_check(20, "mode", mode="current"),
    cache_check(21, "tenant", tenant="werk-sued"),
)
