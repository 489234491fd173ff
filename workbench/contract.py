"""The words of the contract: the values that every part of the workbench hands on.

A *no* is a value (a :class:`Decision` or :class:`Verdict` with a status); a breach or malformed input is an exception.
Nothing in this module reads files, clocks or databases.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from json.encoder import encode_basestring as _quoted
from operator import attrgetter
from typing import Final

from workbench.cards import card as card
from workbench.errors import shown, visible
from workbench.intervals import Interval

UNBOUNDED_TEXT: Final = "unbounded"
Instant = int | datetime
"""A public instant: an int in a logical register, an aware UTC datetime otherwise."""
Clock = Callable[[], Instant]
_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def digest(value: object) -> str:
    """The SHA-256 (hex) of a value's canonical JSON: sorted keys, no spaces, UTF-8.

    >>> digest({"b": 1, "a": [2]}) == digest({"a": [2], "b": 1})
    True
    """
    return hashlib.sha256(_canonical(value).encode("utf-8")).hexdigest()


def fingerprint(text: str) -> str:
    """The SHA-256 (hex) of the whole text in UTF-8: which bytes a citation speaks of (contract 1)."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _place(document_id: str, version: str, paragraph: int, start: int | None, end: int | None, sha: str) -> str:
    """Where a passage stands, as every picture says it."""
    characters = "" if start is None or end is None else f" · characters {start} to {end}"
    return f"{document_id} · version {version} · paragraph {paragraph}{characters} · {sha[:12]}"


# --- who asks ---------------------------------------------------------------------------------------------------


def group_set(groups: Iterable[str]) -> frozenset[str]:
    """The groups as a frozen set; a lone string is refused, since it would be taken apart into letters."""
    if isinstance(groups, str):
        raise TypeError(f"groups must be a set or list of names, not the string {shown(groups)}")
    found = frozenset(groups)
    if not all(isinstance(group, str) for group in found):
        raise TypeError("groups must be names (str)")
    return found


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: trusted context of the calling process, never read from a question (contract 1; S0).

    >>> Actor("werk-nord", {"wartung", "leitung"})
    Actor('werk-nord', {'leitung', 'wartung'})
    """

    tenant: str
    groups: frozenset[str]
    active: bool = True

    def __init__(self, tenant: str, groups: Iterable[str], active: bool = True) -> None:
        if not isinstance(tenant, str):
            raise TypeError("tenant must be a name (str)")
        if not isinstance(active, bool):
            raise TypeError("active must be True or False")
        object.__setattr__(self, "tenant", tenant)
        object.__setattr__(self, "groups", group_set(groups))
        object.__setattr__(self, "active", active)
        for name in (tenant, *self.groups):
            if not name.isascii():
                name.encode("utf-8")  # a name that cannot be stored matches nobody: UnicodeEncodeError, a ValueError

    def __repr__(self) -> str:
        return f"Actor({self.tenant!r}, {braces(self.groups)}{'' if self.active else ', active=False'})"

    def may(self, tenant: str, groups: frozenset[str]) -> bool:
        """Whether tenant equal, groups intersect and the actor is active (contract 2.1)."""
        return self.active and self.tenant == tenant and not self.groups.isdisjoint(groups)


class Operator:
    """Whoever has the files; passed explicitly as :data:`OPERATOR`, never a default (contract 1)."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "OPERATOR"


OPERATOR: Final = Operator()


def access_digest(actor: Actor, verdicts: Mapping[str, bool]) -> str:
    """The digest of an actor's access: tenant, groups, active, and the verdict for each allowed document (4.1)."""
    seen = ",".join(
        [f"[{_quoted(name)},{'true' if verdict else 'false'}]" for name, verdict in sorted(verdicts.items())]
    )
    return fingerprint(f"[{_who(actor)},[{seen}]]")


@lru_cache(maxsize=1024)
def _who(actor: Actor) -> str:
    return _canonical([actor.tenant, sorted(actor.groups), actor.active])[1:-1]


def _texts(values: Iterable[str | None]) -> str:
    """The canonical JSON of a list of texts, which is all that contexts are made of; in half the encoder's time."""
    return f"[{','.join(['null' if value is None else _quoted(value) for value in values])}]"


def braces(names: Iterable[str]) -> str:
    """A set of names, printed sorted so that the same set always reads the same."""
    return "{" + ", ".join(repr(name) for name in sorted(names)) + "}"


# --- documents and passages -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Document:
    """One immutable text (contract 1). A corrected text is a new document, never new bytes under an old id."""

    id: str
    tenant: str
    groups: frozenset[str]
    version: str
    text: str
    language: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", group_set(self.groups))

    def __repr__(self) -> str:
        what = f"version {self.version!r}, {len(self.text)} characters"
        return f"Document({self.id!r}, {self.tenant!r}, {braces(self.groups)}, {what})"


Spans = tuple[Interval, ...]
"""Parts of one document in code points, ascending and disjoint."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked passage (contract 2.6): where it stands, what it says verbatim, and its place in this run's order.

    ``start`` and ``end`` are code points of the document, half-open: ``text[start:end] == quote`` always. ``score`` is
    FTS5's bm25 (negative, smaller is better): an order of this run only, no percentage and no confidence. ``within``
    holds the spans that the cut was applied to, or ``None`` for the whole document. ``view_id`` names the view that
    found it.
    """

    document_id: str
    version: str
    content_sha256: str
    paragraph: int
    cut: str
    start: int
    end: int
    quote: str
    score: float
    within: Spans | None = None
    view_id: str = field(default="", repr=False)

    def __repr__(self) -> str:
        return f"Hit({self.document_id!r}, paragraph {self.paragraph}, [{self.start},{self.end}), {self.cut})"

    def _repr_html_(self) -> str:
        place = _place(self.document_id, self.version, self.paragraph, self.start, self.end, self.content_sha256)
        return card("Hit", [("quote", self.quote), ("stands at", place), ("cut", self.cut)])

    def citation(self) -> Citation:
        """The same place without score: what can be written down and resolved again later."""
        return Citation(
            document_id=self.document_id,
            version=self.version,
            content_sha256=self.content_sha256,
            paragraph=self.paragraph,
            quote=self.quote,
            cut=self.cut,
            start=self.start,
            end=self.end,
            within=self.within,
        )


@dataclass(frozen=True, slots=True)
class Citation:
    """A hit made re-checkable. S0's five fields suffice; cut, offsets and spans are compared where they are given."""

    document_id: str
    version: str
    content_sha256: str
    paragraph: int
    quote: str
    cut: str = "Paragraphs()"
    start: int | None = None
    end: int | None = None
    within: Spans | None = None

    def mapping(self) -> dict[str, object]:
        """The citation as JSON values; absent parts are left out."""
        found: dict[str, object] = {
            name: getattr(self, name)
            for name in (
                "document_id",
                "version",
                "content_sha256",
                "paragraph",
                "quote",
                "cut",
                "start",
                "end",
            )
            if getattr(self, name) is not None
        }
        if self.within is not None:
            found["within"] = [list(span) for span in self.within]
        return found


# --- requests and decisions -------------------------------------------------------------------------------------


def scope_value(value: str | None) -> str | None:
    """A scope value as it is compared: NFC, case-sensitive; ``None``, empty and blank are missing (contract 3.10)."""
    if value is None or not value.strip():
        return None
    return value if value.isascii() else unicodedata.normalize("NFC", value)


@dataclass(frozen=True, slots=True)
class Scope:
    """What an instruction is for, within one tenant. Each part may be ``None``: then the answer is MISSING_SCOPE."""

    family: str | None
    procedure: str | None
    configuration: str | None
    region: str | None

    def __repr__(self) -> str:
        return visible(f"Scope({' / '.join(part or '?' for part in self.parts())})")

    def parts(self) -> tuple[str | None, str | None, str | None, str | None]:
        """Family, procedure, configuration, region, in this order."""
        return (self.family, self.procedure, self.configuration, self.region)


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the register (contract 3.3). Without ``at`` it is about the present; with it, about that time.

    ``at`` and ``known_at`` are an int (logical), an aware datetime, a date, or their CSV spelling; ``mode`` is
    ``None``, ``"current"`` or ``"historical"``. Types are checked by the resolver, which raises :class:`RequestError`.
    """

    scope: Scope
    at: object = None
    language: str | None = None
    known_at: object = None
    mode: str | None = None
    source_language: bool = False


class Status(StrEnum):
    """What the resolver can answer (contract 3.6)."""

    RESOLVED = "RESOLVED"
    MISSING_SCOPE = "MISSING_SCOPE"
    UNRESOLVED_AUTHORITY = "UNRESOLVED_AUTHORITY"
    UNAVAILABLE = "UNAVAILABLE"
    NO_EQUIVALENT_EDITION = "NO_EQUIVALENT_EDITION"
    HISTORY_UNAVAILABLE = "HISTORY_UNAVAILABLE"
    CONTEXT_EXPIRED = "CONTEXT_EXPIRED"
    INVALID_REQUEST = "INVALID_REQUEST"


MESSAGES: Final[Mapping[Status, str]] = {
    Status.RESOLVED: "One approved revision applies and may be read.",
    Status.MISSING_SCOPE: "Give the missing fields and ask again; no search has run.",
    Status.UNRESOLVED_AUTHORITY: (
        "Several approved revisions apply without precedence; ask the owner, use none of them."
    ),
    Status.UNAVAILABLE: "No instruction is available for this request.",
    Status.NO_EQUIVALENT_EDITION: "No reviewed edition in the requested language is available.",
    Status.HISTORY_UNAVAILABLE: "The register cannot say what it knew at that time.",
    Status.CONTEXT_EXPIRED: "The decision or the access changed meanwhile; ask again.",
    Status.INVALID_REQUEST: "This is no request.",
}


NEXT: Final[Mapping[Status, str]] = {
    Status.UNRESOLVED_AUTHORITY: "Ask the owner which of them applies.",
    Status.UNAVAILABLE: "Ask the stewards of the register.",
    Status.NO_EQUIVALENT_EDITION: "Ask without a language, or the stewards for a reviewed edition.",
    Status.HISTORY_UNAVAILABLE: "Ask without known_at: the register as corrected today.",
    Status.CONTEXT_EXPIRED: "Ask again.",
    Status.INVALID_REQUEST: "Correct the field that is named.",
}
MODES: Final[Mapping[str, str]] = {
    "current": "current, what applies now",
    "historical": "historical, what applied then and may not apply today",
    "planned": "planned, what is to apply then and may still change",
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """One document that a decision allows: its fingerprint, and the spans of the procedure (``None``: all of it)."""

    document_id: str
    content_sha256: str
    spans: Spans | None = None

    def canonical(self) -> str:
        """The canonical JSON of document, fingerprint and spans."""
        spans = "null" if self.spans is None else f"[{','.join([f'[{start},{end}]' for start, end in self.spans])}]"
        return f"[{_quoted(self.document_id)},{_quoted(self.content_sha256)},{spans}]"


@dataclass(frozen=True, slots=True)
class Context:
    """The pinned decision that every later step carries (contract 4.1). Times are in the register's spelling.

    ``id`` is the digest of all other fields; two contexts are interchangeable exactly if their ids are equal.
    """

    tenant: str
    access: str
    scope: Scope
    mode: str
    at: str
    known_at: str | None
    language: str | None
    source_language: str
    answer_language: str
    revision_id: str
    revision_sha256: str
    edition_id: str | None
    equivalence_id: str | None
    equivalence_status: str
    allowed: tuple[Allowed, ...]
    valid_from: str
    valid_to: str
    snapshot: str
    rules: str
    id: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", self.computed_id())

    def computed_id(self) -> str:
        """The digest of the context's content, which :attr:`id` must equal."""
        allowed = ",".join([a.canonical() for a in self.allowed])
        return fingerprint(f"[{_texts(_plain_fields(self))},{_texts(self.scope.parts())},[{allowed}]]")

    def __repr__(self) -> str:
        return f"Context({self.id[:12]})"


_plain_fields = attrgetter(*(part.name for part in fields(Context) if part.name not in ("id", "scope", "allowed")))


@dataclass(frozen=True, slots=True)
class Decision:
    """The resolver's answer to one request: a status, and the revision where there is one (contract 3.6).

    Refusals carry no interval, revision or context. ``valid_from`` is an :data:`Instant`, ``valid_to`` one or
    ``"unbounded"``; ``mode`` is ``current``, ``historical`` or ``planned``. ``missing`` names fields to give,
    ``rivals`` and ``owner`` are set for UNRESOLVED_AUTHORITY only. The protected reason is not in here:
    ``register.explain``.
    """

    status: Status
    revision_id: str | None = None
    edition_id: str | None = None
    valid_from: Instant | None = None
    valid_to: Instant | str | None = None
    at: str | None = None
    mode: str | None = None
    language: str | None = None
    missing: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    owner: str | None = None
    source_way: bool = False
    context: Context | None = None

    @property
    def message(self) -> str:
        """What the asker is told: one fixed sentence for each status."""
        return MESSAGES[self.status]

    def expired(self) -> Decision:
        """The refusal that takes this decision's place when the last check fails (contract 4.8)."""
        return Decision(Status.CONTEXT_EXPIRED)

    def __repr__(self) -> str:
        if self.status is Status.RESOLVED and self.context is not None:
            name = self.revision_id if self.edition_id is None else f"{self.edition_id} of {self.revision_id}"
            c = self.context
            span = f"[{c.valid_from},{c.valid_to})"
            return visible(f"Decision(RESOLVED {name} {span} at {c.at}, {c.answer_language}, {c.mode})")
        if self.status is Status.MISSING_SCOPE:
            return f"Decision(MISSING_SCOPE {', '.join(self.missing)})"
        if self.status is Status.UNRESOLVED_AUTHORITY:
            return visible(f"Decision(UNRESOLVED_AUTHORITY {', '.join(self.rivals)}; owner {self.owner or 'unstated'})")
        return f"Decision({self.status})"

    def _repr_html_(self) -> str:
        c = self.context
        lines: list[tuple[str, object]] = [("answer", self.message), ("next", self._next())]
        if c is not None:
            lines += [
                ("revision", self.revision_id),
                ("edition", self.edition_id),
                ("applies", f"from {c.valid_from} (included) until {c.valid_to} (excluded)"),
                ("asked for", f"{c.at}: {MODES.get(c.mode, c.mode)}"),
                ("as known at", c.known_at),
                ("language", f"{c.answer_language}; the source is {c.source_language}"),
            ]
        lines += [("rivals", ", ".join(self.rivals)), ("owner", (self.owner or "unstated") if self.rivals else None)]
        return card(repr(self), lines)

    def _next(self) -> str | None:
        """What the asker can do about a refusal."""
        if self.status is Status.MISSING_SCOPE:
            return f"Give {', '.join(self.missing)}."
        if self.status is Status.NO_EQUIVALENT_EDITION and self.source_way:
            return "Ask again with source_language=True for the source, labelled as such."
        return NEXT.get(self.status)


# --- what comes after -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a citation or a manifest still holds (contract 2.7, 4.6).

    ``reason`` and ``failed`` name the first part that failed (``None`` where all hold); ``historical`` says that what
    holds is not today's state; ``quote`` is the resolved passage. ``authority`` is set for a manifest that holds:
    ``register``, or ``none`` where no decision stands behind it, and it is then never current.
    """

    ok: bool
    reason: str | None = None
    historical: bool = False
    document_id: str | None = None
    paragraph: int | None = None
    quote: str | None = field(default=None, repr=False)
    authority: str | None = None

    @property
    def failed(self) -> str | None:
        """The part that failed; the same word as :attr:`reason`."""
        return self.reason

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        marks = f"{', historical' if self.historical else ''}{', no authority' if self.authority == 'none' else ''}"
        return f"Verdict({'ok' if self.ok else self.reason}{marks})"

    def _repr_html_(self) -> str:
        state = "it holds, but is not today's state" if self.historical else "it holds"
        if self.authority == "none":
            state += "; no decision says that it applies"
        where = None if self.document_id is None else f"{self.document_id} · paragraph {self.paragraph}"
        lines = [("verdict", state if self.ok else f"it fails: {self.reason}"), ("stands at", where)]
        return card(repr(self), [*lines, ("quote", self.quote)])
