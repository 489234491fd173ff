"""A view as an engine is asked for it, and an engine's answer as hits of that view (contract 4.2, 4.3; S1, "Filter").

An engine decides nothing. It gets who asks and what was decided as conditions, and each passage that it names is
compared with the view's own before it becomes a hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from workbench.contract import UNBOUNDED_TEXT, Context, Hit
from workbench.errors import EvidenceError
from workbench.evidence.cuts import Passage
from workbench.evidence.view import View
from workbench.stores.conditions import After, AnyOf, AtMost, Condition, Either, Equal, Every, Meets, Same, Time
from workbench.stores.entries import INSTANT_TEXT, WHOLE, part_of, place
from workbench.validity.instants import STEP, TimeRule
from workbench.validity.rows import ScopeKey

OUTSIDE: Final = "The store named a passage that is not part of this view; nothing was handed on."
DAMAGED: Final = "The store named a passage without the metadata that it needs; nothing was handed on."


@dataclass(frozen=True, slots=True)
class ScopeAt:
    """A scope at a valid time, as known at a recorded time (``None``: as corrected today)."""

    key: ScopeKey
    at: Time
    known_at: Time | None = None
    revision_id: str | None = None

    def condition(self) -> Condition:
        """One row of the document is for this scope and holds at this time; values of two rows are never combined."""
        named: list[Condition] = [Equal(name, value) for name, value in self.key._asdict().items()]
        if self.revision_id is not None:
            named.append(Equal("revision_id", self.revision_id))
        return Same("applies", Every((*named, *_during("valid", self.at), *self._recorded())))

    def _recorded(self) -> tuple[Condition, ...]:
        if self.known_at is None:
            return (Equal("recorded_end", UNBOUNDED_TEXT),)
        return _during("recorded", self.known_at)


def _during(name: str, time: Time) -> tuple[Condition, ...]:
    """Half-open: the start is included, the end is not (contract 3.1)."""
    ends = Every((Equal(f"{name}_end", INSTANT_TEXT), After(f"{name}_to", time)))
    return AtMost(f"{name}_from", time), Either((Equal(f"{name}_end", UNBOUNDED_TEXT), ends))


@dataclass(frozen=True, slots=True)
class Bound:
    """A view as conditions: who asks, the cut, and, under a decision, its documents and its scope.

    ``documents`` and ``places`` are ``None`` without a decision and never empty under one.
    """

    tenant: str
    groups: tuple[str, ...]
    cut: str
    documents: tuple[str, ...] | None
    places: tuple[str, ...] | None
    scope: ScopeAt | None

    def condition(self) -> Condition:
        """Tenant and groups first, then the resolved documents with text and part, then the scope at its time."""
        parts: list[Condition] = [Equal("tenant", self.tenant), Meets("groups", self.groups), Equal("cut", self.cut)]
        if self.documents is None or self.places is None or self.scope is None:
            parts.append(Equal("part", WHOLE))
        else:
            parts += [AnyOf("document_id", self.documents), AnyOf("place", self.places), self.scope.condition()]
        return Every(tuple(parts))


def bound(view: View) -> Bound | None:
    """The view as an engine is asked for it, or ``None`` where nothing may be found: then no engine is asked at all.

    Raises ContextError where the view's decision no longer holds.
    """
    now, actor = view.now(), view.actor
    if not now.admitted:  # so it is for whoever is inactive, has no groups, or may read nothing of what was decided
        return None
    groups, cut = tuple(sorted(actor.groups)), repr(view.rule)
    context = None if view.decision is None else view.decision.context
    if context is None:
        return Bound(actor.tenant, groups, cut, None, None, None)
    documents = tuple(sorted(now.admitted))
    places = tuple(place(name, now.state.fingerprints[name], part_of(now.admitted[name])) for name in documents)
    return Bound(actor.tenant, groups, cut, documents, places, scope_of(context))


def scope_of(context: Context) -> ScopeAt:
    """The scope and the times of a context, as typed values."""
    family, procedure, configuration, region = (part or "" for part in context.scope.parts())
    key = ScopeKey(context.tenant, family, procedure, configuration, region)
    known_at = None if context.known_at is None else time_of(context.known_at)
    return ScopeAt(key, time_of(context.at), known_at, context.revision_id)


def time_of(spelled: str) -> Time:
    """An instant in the register's spelling as a typed value.

    >>> time_of("6"), time_of("1970-01-01T00:00:01Z")
    (Time(kind='logical', value=6), Time(kind='utc', value=1000000))
    """
    rule = TimeRule("logical" if STEP.fullmatch(spelled) else "utc")
    return Time(rule.kind, rule.read(spelled))


@dataclass(frozen=True, slots=True)
class Found:
    """A passage as an engine names it. ``score``: smaller is better, comparable within this answer only."""

    document_id: str
    content_sha256: str
    part: str
    number: int
    start: int
    end: int
    score: float


def found(payload: Mapping[str, object], score: float) -> Found:
    """An engine's record as a passage; EvidenceError where metadata is missing or of another type (contract 4.2)."""
    return Found(
        document_id=_text(payload, "document_id"),
        content_sha256=_text(payload, "content_sha256"),
        part=_text(payload, "part"),
        number=_number(payload, "number"),
        start=_number(payload, "start"),
        end=_number(payload, "end"),
        score=score,
    )


def _text(payload: Mapping[str, object], name: str) -> str:
    value = payload.get(name)
    if not isinstance(value, str):
        raise EvidenceError(DAMAGED)
    return value


def _number(payload: Mapping[str, object], name: str) -> int:
    value = payload.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise EvidenceError(DAMAGED)
    return value


def hits(view: View, answer: Iterable[Found], depth: int) -> list[Hit]:
    """The engine's passages as hits of the view, in order of score, document and number.

    Raises EvidenceError, and hands nothing on, where one is of another document, text, part or place, or is named
    twice.
    """
    named = sorted(answer, key=lambda f: (f.score, f.document_id, f.number))
    now = view.now()
    passages: dict[str, dict[int, Passage]] = {}
    seen: set[tuple[str, int]] = set()
    made = []
    for one in named:
        name = one.document_id
        if name not in now.admitted or now.state.fingerprints[name] != one.content_sha256:
            raise EvidenceError(OUTSIDE)
        document, spans = now.state.documents[name], now.admitted[name]
        if name not in passages:
            passages[name] = {p.number: p for p in view.rule.passages(document.text, spans)}
        passage = passages[name].get(one.number)
        if passage != (one.number, one.start, one.end) or one.part != part_of(spans) or (name, one.number) in seen:
            raise EvidenceError(OUTSIDE)
        seen.add((name, one.number))
        made.append(view.hit(document, passage, one.score))
    return made[:depth]
