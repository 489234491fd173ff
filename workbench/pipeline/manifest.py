"""The manifest of a citation: the passage and its decision, without what the asker may not see (contract 4.5).

Its public form is a flat JSON object. What stays in the protected log is the approval reference and what the access
reference stands for; the reference itself is an opaque digest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from workbench.contract import (
    MODES,
    Allowed,
    Citation,
    Context,
    Decision,
    Hit,
    Scope,
    Spans,
    Verdict,
    card,
    digest,
    fingerprint,
)
from workbench.errors import WorkbenchError, shown, visible
from workbench.intervals import Interval
from workbench.pipeline.gate import admit, context_of

FORMAT: Final = "workbench-manifest/1"
SCHEMA: Final = "manifest.schema.json"

_CITED: Final = ("document_id", "version", "content_sha256", "paragraph", "quote", "cut", "start", "end")
_DECIDED: Final = {
    # key of the manifest: field of the context
    "tenant": "tenant",
    "access_reference": "access",
    "mode": "mode",
    "reference_time": "at",
    "known_at": "known_at",
    "language": "language",
    "source_language": "source_language",
    "answer_language": "answer_language",
    "governing_revision_id": "revision_id",
    "governing_revision_sha256": "revision_sha256",
    "edition_id": "edition_id",
    "equivalence_id": "equivalence_id",
    "equivalence_status": "equivalence_status",
    "valid_from": "valid_from",
    "valid_to": "valid_to",
    "register_snapshot": "snapshot",
    "rule_set": "rules",
}
_TIMES: Final = ("reference_time", "known_at", "valid_from", "valid_to")
_SCOPE: Final = ("family", "procedure", "configuration", "region")


class ManifestError(WorkbenchError, ValueError):
    """A manifest that is none: the message names the field."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A citation with its decision. Without one it says ``authority: none`` and is never labelled current."""

    citation: Citation
    quote_sha256: str
    context_id: str | None = None
    context: Context | None = None

    @property
    def authority(self) -> str:
        """Who says that the passage applies: ``register``, or ``none``."""
        return "none" if self.context is None else "register"

    @property
    def mode(self) -> str | None:
        """``current``, ``historical`` or ``planned`` at the time of asking; ``None`` without a decision."""
        return None if self.context is None else self.context.mode

    def mapping(self) -> dict[str, object]:
        """The public form: JSON values under the names of the contract's list."""
        found: dict[str, object] = {"format": FORMAT, "authority": self.authority}
        if self.context is not None:
            found["context_id"] = self.context_id
            for key, name in _DECIDED.items():
                value = getattr(self.context, name)
                found[key] = _json_time(value) if key in _TIMES else value
            found.update(zip(_SCOPE, self.context.scope.parts(), strict=True))
            found["allowed"] = [
                {"document_id": a.document_id, "content_sha256": a.content_sha256, "spans": _json_spans(a.spans)}
                for a in self.context.allowed
            ]
        cited = self.citation.mapping()
        found.update((name, cited.get(name)) for name in _CITED)
        found["within"] = _json_spans(self.citation.within)
        found["quote_sha256"] = self.quote_sha256
        return found

    @property
    def label(self) -> str:
        """What must stand beside the quote wherever it is shown: by whose authority, and historical or current.

        >>> Manifest(Citation("a", "1", "0" * 64, 1, "Eins"), "0" * 64).label
        'no authority'
        """
        c = self.context
        return "no authority" if c is None else f"{c.mode} at {c.at}, {self._window(c)}"

    def label_after(self, verdict: Verdict) -> str:
        """The label once a check has shown whether what it says is today's: nothing historical is shown as current."""
        c = self.context
        if not verdict.historical:
            return self.label
        return f"{self.label}, historical" if c is None else f"historical at {c.at}, {self._window(c)}"

    @staticmethod
    def _window(context: Context) -> str:
        return f"valid [{context.valid_from},{context.valid_to})"

    def canonical(self) -> str:
        """The public form as canonical JSON: sorted keys, no spaces, nothing but UTF-8 (as RFC 8785 writes it)."""
        return json.dumps(self.mapping(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    def digest(self) -> str:
        """The SHA-256 of the canonical form: the manifest's own name."""
        return digest(self.mapping())

    @staticmethod
    def schema() -> dict[str, object]:
        """The JSON Schema of the public form, which every produced manifest fulfils.

        It is stricter than reading: a digest that is none is read, so that verification can name the part that failed.
        """
        found: dict[str, object] = json.loads(files("workbench.pipeline").joinpath(SCHEMA).read_text(encoding="utf-8"))
        return found

    @classmethod
    def of(cls, mapping: Mapping[str, object]) -> Manifest:
        """The manifest that a public form stands for; raises ManifestError naming what is missing or wrong."""
        if not isinstance(mapping, Mapping):
            raise ManifestError("a manifest is a JSON object")
        known = {"format", "authority", "context_id", "allowed", "within", "quote_sha256"}
        known.update(_CITED, _DECIDED, _SCOPE)
        for key in mapping:
            if key not in known:
                raise ManifestError(f"unknown field {shown(key)}")
        if mapping.get("format") != FORMAT:
            raise ManifestError(f"format: {FORMAT} is wanted")
        authority = mapping.get("authority")
        if authority not in ("none", "register"):
            raise ManifestError("authority: none or register is wanted")
        if authority == "none":
            for key in ("context_id", "allowed", *_DECIDED, *_SCOPE):
                if key in mapping:
                    raise ManifestError(f"{key}: a manifest without authority has no decision")
            known -= {"context_id", "allowed", *_DECIDED, *_SCOPE}
        for key in sorted(known):
            if key not in mapping:
                raise ManifestError(f"{key}: the field is missing; what is not so is null")
        citation = _citation(mapping)
        context = _context(mapping) if authority == "register" else None
        return cls(
            citation=citation,
            quote_sha256=_text(mapping, "quote_sha256"),
            context_id=_text(mapping, "context_id") if context is not None else None,
            context=context,
        )

    def __repr__(self) -> str:
        c = self.citation
        by = "" if self.context is None else f"{self.context.revision_id}, "
        return visible(f"Manifest({c.document_id!r}, paragraph {c.paragraph}, {by}{self.label})")

    def _repr_html_(self) -> str:
        c, decided = self.citation, self.context
        place = f"paragraph {c.paragraph} · characters {c.start} to {c.end} · {c.content_sha256[:12]}"
        lines: list[tuple[str, object]] = [("label", self.label), ("quote", c.quote)]
        lines += [("document", f"{c.document_id} · version {c.version}"), ("stands at", place), ("cut", c.cut)]
        if decided is not None:
            lines += [
                ("revision", decided.revision_id),
                ("applies", f"from {decided.valid_from} (included) until {decided.valid_to} (excluded)"),
                ("asked for", f"{decided.at}: {MODES.get(decided.mode, decided.mode)}"),
                ("language", f"{decided.answer_language}; the source is {decided.source_language}"),
                ("context", self.context_id),
            ]
        return card(repr(self), lines)


def cite(hit: Hit, decision: Decision | None = None) -> Manifest:
    """The manifest of a hit, under the decision whose view it comes from.

    Raises :class:`~workbench.errors.EvidenceError` for a hit from outside that view, and
    :class:`~workbench.errors.ContextError` where the decision is no RESOLVED one (contract 4.3).
    """
    context = None
    if decision is not None:
        context = context_of(decision)
        admit(hit, context)
    return Manifest(
        citation=hit.citation(),
        quote_sha256=fingerprint(hit.quote),
        context_id=context.id if context else None,
        context=context,
    )


# --- reading the public form ------------------------------------------------------------------------------------


def _citation(mapping: Mapping[str, object]) -> Citation:
    return Citation(
        document_id=_text(mapping, "document_id"),
        version=_text(mapping, "version"),
        content_sha256=_text(mapping, "content_sha256"),
        paragraph=_number(mapping, "paragraph"),
        quote=_text(mapping, "quote"),
        cut=_text(mapping, "cut"),
        start=_number(mapping, "start"),
        end=_number(mapping, "end"),
        within=_spans(mapping.get("within"), "within"),
    )


def _context(mapping: Mapping[str, object]) -> Context:
    allowed = mapping.get("allowed")
    if not isinstance(allowed, list) or not all(isinstance(item, Mapping) for item in allowed):
        raise ManifestError("allowed: a list of objects is wanted")
    if any(set(item) != {"document_id", "content_sha256", "spans"} for item in allowed):
        raise ManifestError("allowed: document_id, content_sha256 and spans are wanted, and nothing else")
    if _text(mapping, "mode") not in MODES:
        raise ManifestError(f"mode: {', '.join(MODES)} is wanted")
    return Context(
        tenant=_text(mapping, "tenant"),
        access=_text(mapping, "access_reference"),
        scope=Scope(*(_text(mapping, name) for name in _SCOPE)),
        mode=_text(mapping, "mode"),
        at=_time(mapping, "reference_time"),
        known_at=None if mapping.get("known_at") is None else _time(mapping, "known_at"),
        language=_optional(mapping, "language"),
        source_language=_text(mapping, "source_language"),
        answer_language=_text(mapping, "answer_language"),
        revision_id=_text(mapping, "governing_revision_id"),
        revision_sha256=_text(mapping, "governing_revision_sha256"),
        edition_id=_optional(mapping, "edition_id"),
        equivalence_id=_optional(mapping, "equivalence_id"),
        equivalence_status=_text(mapping, "equivalence_status"),
        allowed=tuple(
            Allowed(_text(item, "document_id"), _text(item, "content_sha256"), _spans(item.get("spans"), "spans"))
            for item in allowed
        ),
        valid_from=_time(mapping, "valid_from"),
        valid_to=_time(mapping, "valid_to"),
        snapshot=_text(mapping, "register_snapshot"),
        rules=_text(mapping, "rule_set"),
    )


def _text(mapping: Mapping[str, object], key: str) -> str:
    value = mapping.get(key)
    if not isinstance(value, str):
        raise ManifestError(f"{key}: text is wanted")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ManifestError(f"{key}: the text holds a lone surrogate") from None
    return value


def _optional(mapping: Mapping[str, object], key: str) -> str | None:
    return None if mapping.get(key) is None else _text(mapping, key)


def _time(mapping: Mapping[str, object], key: str) -> str:
    value = mapping.get(key)
    return str(value) if type(value) is int else _text(mapping, key)


def _number(mapping: Mapping[str, object], key: str) -> int:
    value = mapping.get(key)
    if type(value) is not int:
        raise ManifestError(f"{key}: a whole number is wanted")
    return value


def _spans(value: object, key: str) -> Spans | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise ManifestError(f"{key}: a list of [start, end] is wanted")
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(part) is int for part in pair):
            raise ManifestError(f"{key}: a list of [start, end] is wanted")
    return tuple(Interval(start, end) for start, end in value)


def _json_spans(spans: Spans | None) -> list[list[int]] | None:
    return None if spans is None else [list(span) for span in spans]


def _json_time(text: str | None) -> int | str | None:
    """A logical step as a number, everything else as it is spelt."""
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]+", text) else text
