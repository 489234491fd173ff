"""What a report's probes are asked of: a corpus and a register, their scopes over time, questions in their own words.

The probes ask as a test persona that holds every group of its tenant: whatever it is refused, nobody else is given.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from workbench.contract import Actor, Clock, Context, Decision, Document, Request, Scope, Status
from workbench.errors import ContextError
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs
from workbench.evidence.query import MAX_WORD
from workbench.evidence.view import View
from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.precedence import Kind, Outcome
from workbench.validity.register import Register
from workbench.validity.rows import ScopeKey

MOST: Final = 60
"""How many scopes over an interval a probe asks about at most, spread evenly over all of them."""
WORDS: Final = 6
_WORD: Final = re.compile(r"[^\W_]+")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Slot:
    """One scope over one elementary interval of the canonical projection, and what holds there."""

    key: ScopeKey
    interval: Interval
    outcome: Outcome

    def __repr__(self) -> str:
        return f"{' / '.join(self.key[1:])} {self.interval}"


@dataclass(frozen=True, slots=True)
class Bound:
    """A slot with one revision, asked about by the persona: the decision, and its view where the corpus agrees."""

    slot: Slot
    actor: Actor
    decision: Decision
    context: Context
    view: View


@dataclass(frozen=True)
class World:
    """A corpus and a register to be probed; ``shipped`` where they are the project's own fictional data."""

    corpus: Corpus
    register: Register
    shipped: bool = False
    clock: Clock | None = None

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every scope that the register's rows speak of, over each of its elementary intervals."""
        return tuple(self._slots())

    def _slots(self) -> Iterator[Slot]:
        for key in sorted(self.register.by_scope):
            timeline = self.register.timeline(key, None)
            for interval, outcome in zip(timeline.spans(), timeline.outcomes, strict=True):
                yield Slot(key, interval, outcome)

    def of_kind(self, *kinds: Kind) -> list[Slot]:
        """The slots with these outcomes."""
        return [slot for slot in self.slots if slot.outcome.kind in kinds]

    @cached_property
    def bound(self) -> tuple[Bound, ...]:
        """Decisions with a view, at the beginning of their intervals; a spread of at most :data:`MOST` slots."""
        return tuple(found for slot in spread(self.of_kind(Kind.REVISION)) if (found := self._bound(slot)))

    def _bound(self, slot: Slot) -> Bound | None:
        actor = self.reader(slot.key.tenant)
        decision = self.register.resolve(self.request(slot), actor, clock=self.clock)
        if decision.status is not Status.RESOLVED or decision.context is None:
            return None
        try:
            return Bound(slot, actor, decision, decision.context, self.corpus.view(actor, decision))
        except ContextError:
            return None  # register and corpus disagree, which is a finding of the check and refused to everybody

    def reader(self, tenant: str) -> Actor:
        """The persona of a tenant: every group that the tenant's documents and revisions name."""
        return self._readers.get(tenant) or Actor(tenant, set())

    @cached_property
    def _readers(self) -> dict[str, Actor]:
        groups: dict[str, set[str]] = {}
        for document in self.corpus.documents:
            groups.setdefault(document.tenant, set()).update(document.groups)
        for revision in self.register.revisions.values():
            groups.setdefault(revision.tenant, set()).update(revision.groups)
        return {tenant: Actor(tenant, names) for tenant, names in groups.items()}

    def request(self, slot: Slot, *, at: int | None = None, language: str | None = None) -> Request:
        """A request for the slot's scope, at the beginning of its interval or at an instant."""
        scope = Scope(slot.key.family, slot.key.procedure, slot.key.configuration, slot.key.region)
        instant = self.register.settings.valid.public(slot.interval.start if at is None else at)
        return Request(scope, at=instant, language=language)

    def others(self, bound: Bound, most: int = 3) -> list[Document]:
        """Documents that the persona may read and the decision leaves out; those of the same family come first."""
        left_out = {allowed.document_id for allowed in bound.context.allowed}
        named = sorted(r.id for r in self.register.revisions.values() if r.family == bound.slot.key.family)
        family = [document for name in named if (document := self.corpus.get(name)) is not None]
        found: list[Document] = []
        for document in itertools.chain(family, self._of_tenant.get(bound.actor.tenant, ())):
            if len(found) == most:
                break
            if document.id not in left_out and bound.actor.may(document.tenant, document.groups):
                left_out.add(document.id)
                found.append(document)
        return found

    @cached_property
    def _of_tenant(self) -> dict[str, list[Document]]:
        """The documents of each tenant, in the order of their ids."""
        found: dict[str, list[Document]] = {}
        for document in sorted(self.corpus.documents, key=lambda d: d.id):
            found.setdefault(document.tenant, []).append(document)
        return found

    def around(self, bound: Bound) -> Corpus:
        """A small corpus of its own that may be changed: the decision's documents, and some that it leaves out."""
        context = bound.context
        names = {context.revision_id, *(allowed.document_id for allowed in context.allowed)}
        names |= {document.id for document in self.others(bound)}
        return Corpus(document for name in sorted(names) if (document := self.corpus.get(name)) is not None)


def spread(items: Sequence[Item], most: int = MOST) -> list[Item]:
    """At most so many of the items, evenly spread over all of them, always the same ones.

    >>> spread("abcdefgh", 4)
    ['a', 'c', 'e', 'g']
    """
    return list(items) if len(items) <= most else [items[place * len(items) // most] for place in range(most)]


def of_all(asked: Sequence[object], there: Sequence[object]) -> str:
    """How many were asked about of how many there are.

    >>> of_all("ab", "abcd"), of_all("ab", "ab")
    ('2 of 4', 'all 2')
    """
    return f"all {len(there)}" if len(asked) == len(there) else f"{len(asked)} of {len(there)}"


def question(text: str) -> str | None:
    """Some words that stand in one passage of a text, as a question that every search accepts; ``None`` if none do.

    >>> question("Titel\\n\\nDas Anzugsmoment beträgt 40 Nm.")
    'Das Anzugsmoment beträgt 40 Nm'
    """
    for least in (4, 1):
        for passage in Paragraphs().passages(text):
            words = _words(text[passage.start : passage.end])
            if len(words) >= least:
                return " ".join(words[:WORDS])
    return None


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(word for word in _WORD.findall(text) if len(word) <= MAX_WORD and word.isalnum()))


def own_question(bound: Bound, corpus: Corpus) -> str | None:
    """A question in the words of the decision's own document."""
    allowed = bound.context.allowed[0]
    document = corpus.get(allowed.document_id)
    if document is None:
        return None
    spans = allowed.spans or (Interval(0, len(document.text)),)
    return next((asked for span in spans if (asked := question(document.text[span.start : span.end]))), None)


def questions(documents: Iterable[Document]) -> list[str]:
    """A question in the words of each document that has any."""
    return [asked for document in documents if (asked := question(document.text))]


def bounded(interval: Interval) -> bool:
    """Whether an interval ends."""
    return interval.end < UNBOUNDED
