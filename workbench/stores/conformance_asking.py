"""How the conformance checks ask a store, and how they say what they found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final, Protocol

from workbench.contract import Actor, Decision, Hit, Request
from workbench.errors import ContextError, EvidenceError
from workbench.evidence.corpus import Corpus
from workbench.evidence.view import View
from workbench.stores.bound import ScopeAt
from workbench.stores.conformance_world import World
from workbench.validity.register import Register
from workbench.validity.rows import ScopeKey

WARTUNG: Final = Actor("nord", {"wartung"})


class Asked(Protocol):
    """What the checks need of a store."""

    def load(self, corpus: Corpus, register: Register | None = None, /) -> object:
        """Hold exactly this."""
        ...

    def find(self, view: View, query: str, depth: int = 10) -> list[Hit]:
        """The best passages of the view."""
        ...

    def applying(self, scope: ScopeAt) -> set[str]:
        """The documents with a row for the scope at its time."""
        ...


Open = Callable[[], AbstractContextManager[Asked]]
"""Opens a new, empty store and closes it again."""
Check = Callable[[Open], Iterator[str]]


def names(hits: list[Hit]) -> list[str]:
    """Which documents the hits are of, in order."""
    return [hit.document_id for hit in hits]


def told(store: Asked, view: View, query: str = "Anzugsmoment", depth: int = 10) -> list[Hit] | None:
    """The hits, or ``None`` where the store refuses."""
    try:
        return store.find(view, query, depth)
    except (ContextError, EvidenceError):
        return None


def differ(what: str, found: object, wanted: object) -> Iterator[str]:
    """What was found where something else was wanted."""
    if found != wanted:
        yield f"{what}: {found} instead of {wanted}"


def outside(hits: list[Hit], view: View) -> Iterator[str]:
    """Hits that are not the view's own passages, word for word and place for place."""
    own = {(d.id, p.number): view.hit(d, p, 0.0) for d, p in view.passages()}
    for hit in hits:
        if own.get((hit.document_id, hit.paragraph)) != replace(hit, score=0.0):
            yield f"{hit!r} is not a passage of the view"


def resolved(world: World, actor: Actor, scope: ScopeKey, at: int) -> Decision:
    """The register's decision for a scope at a step."""
    return world.register.resolve(Request(world.scope(scope), at=at), actor)


def quotes(hits: list[Hit]) -> list[str]:
    """What the hits say."""
    return [hit.quote for hit in hits]
