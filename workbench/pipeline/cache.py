"""Under which key an answer may be kept, and what is kept of it (contract 4.7; S1).

The key is built from the decision, never from the question alone. What is kept are places and scores, no text: a reader
makes the decision and its view anew, and reads the quotes from there. So access is checked at every reading, and an old
entry can never answer around the resolver.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, Protocol

from workbench.contract import Context, Decision, Hit, digest
from workbench.errors import EvidenceError
from workbench.evidence.cuts import Passage
from workbench.evidence.view import View
from workbench.pipeline.gate import OUTSIDE, context_of, handed_on

FORMAT: Final = "workbench-cache/1"


class CacheError(EvidenceError):
    """Kept answers that cannot be reached; the message says what to do."""


def cache_key(
    context: Context,
    query: str,
    *,
    cut: str = "Paragraphs()",
    match: Literal["all", "any"] = "all",
    depth: int = 3,
    finder: str = "",
    windows: bool = False,
) -> str:
    """Which answers are interchangeable with the one to this query under this context: a SHA-256 in hex.

    Two keys are equal exactly if query, cut, match, depth, finder and every field of the context are: rule set,
    register snapshot, allowed revisions with digests and spans, access, languages, scope, time, mode, tenant, and the
    rest. The instant itself is in it, so that a kept answer can never cross a boundary; with ``windows`` the decision's
    validity interval stands for it, in which nothing that matters begins or ends. The context's own id is not trusted
    but computed again. Holding a key is no access: whoever reads a kept answer checks access anew.

    >>> from dataclasses import replace
    >>> from workbench.contract import Actor, Request, Scope
    >>> from workbench.validity.register import Register
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> register, mechanic = Register.read("data/pump-seal"), Actor("werk-nord", {"wartung"})
    >>> at_6, at_7, at_10 = (register.resolve(Request(seal, at=t), mechanic).context for t in (6, 7, 10))
    >>> key = cache_key(at_6, "Anzugsmoment")
    >>> key == cache_key(at_6, "Anzugsmoment")
    True
    >>> key in {cache_key(at_6, "Drehmoment"), cache_key(at_7, "Anzugsmoment")}
    False
    >>> key == cache_key(replace(at_6, rules="direct/2"), "Anzugsmoment")
    False
    >>> len({cache_key(context, "Anzugsmoment", windows=True) for context in (at_6, at_7, at_10)})
    2
    """
    if windows:
        context = replace(context, at="", id="")
    asked = hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()
    return digest([FORMAT, context.computed_id(), asked, cut, match, depth, finder])


class Place(NamedTuple):
    """A kept hit without its text: document, digest, passage number, ``[start, end)``, and the score of its run."""

    document_id: str
    content_sha256: str
    number: int
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of an answer: its places in order, and what it rests on (the register's snapshot, the documents)."""

    snapshot: str
    sources: tuple[tuple[str, str], ...]
    places: tuple[Place, ...]

    def rests_on(self, snapshot: str, fingerprints: Mapping[str, str]) -> bool:
        """Whether register and texts are still those that the entry was made from."""
        return self.snapshot == snapshot and all(fingerprints.get(name) == sha256 for name, sha256 in self.sources)


class Cache(Protocol):
    """Where entries are kept; ``windows`` says whether the keys are those of validity intervals."""

    @property
    def windows(self) -> bool:
        """Whether an answer is kept for its whole validity interval, or for its instant only."""
        ...

    def get(self, key: str) -> Entry | None:
        """The entry under a key; EvidenceError, and the entry is gone, where it was damaged."""
        ...

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry; the longest unused ones make room."""
        ...

    def drop(self, key: str) -> None:
        """Forget one entry."""
        ...

    def retain(self, snapshot: str, fingerprints: Mapping[str, str]) -> int:
        """Forget whatever does not rest on this register and these texts; gives how many entries went."""
        ...

    def __len__(self) -> int: ...


def entry_of(hits: tuple[Hit, ...], decision: Decision) -> Entry:
    """What may be kept of these hits under their decision."""
    context = context_of(decision)
    return Entry(
        snapshot=context.snapshot,
        sources=tuple((a.document_id, a.content_sha256) for a in context.allowed),
        places=tuple(Place(h.document_id, h.content_sha256, h.paragraph, h.start, h.end, h.score) for h in hits),
    )


def recalled(cache: Cache, key: str, view: View, decision: Decision) -> tuple[Hit, ...] | None:
    """The kept hits as hits of this view, each checked as if it had just been found; ``None`` where none are kept.

    An entry that does not fit the view is forgotten and an EvidenceError: nothing of it is handed on.
    """
    entry = cache.get(key)
    if entry is None:
        return None
    try:
        return handed_on([_again(place, view) for place in entry.places], view, decision)
    except EvidenceError:
        cache.drop(key)
        raise


def _again(place: Place, view: View) -> Hit:
    now = view.now()
    if place.document_id not in now.admitted or now.state.fingerprints[place.document_id] != place.content_sha256:
        raise EvidenceError(OUTSIDE)
    passage = Passage(place.number, place.start, place.end)
    return view.hit(now.state.documents[place.document_id], passage, place.score)
