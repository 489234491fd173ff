"""The audit log: one line for each request, appended and never changed (contract 4.9; S0, "Datenminimierung").

It is the operator's: it holds the protected part of decisions. What was asked and quoted is in it only as a keyed
digest (HMAC-SHA-256), which the operator can compare with a text in question and nobody can guess without the key. The
texts themselves are written where the operator switches them on.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from workbench.contract import Decision, Hit, Request
from workbench.errors import WorkbenchError
from workbench.pipeline.answer import Answer, Inquiry, Trace

FORMAT: Final = "workbench-audit/1"
SHORTEST_KEY: Final = 16
LONGEST_TEXT: Final = 200
_REQUEST: Final = ("family", "procedure", "configuration", "region", "at", "known_at", "language")


def _wall_clock() -> datetime:
    return datetime.now(UTC)


class AuditLog:
    """A JSONL file that is only ever appended to, each record in one write, so that several processes may share it.

    ``key`` is the operator's, at least 16 bytes, and is kept elsewhere. ``texts=True`` adds question and quotes in
    plain. ``now`` dates the records. A record that cannot be written is an OSError, and the answer does not leave.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        key: bytes,
        texts: bool = False,
        now: Callable[[], datetime] = _wall_clock,
    ) -> None:
        if len(key) < SHORTEST_KEY:
            raise ValueError(f"the key is at least {SHORTEST_KEY} bytes, such as {AuditLog.__name__}.new_key()")
        self.path = Path(path)
        self._key, self._texts, self._now = key, texts, now

    @staticmethod
    def new_key() -> bytes:
        """A key of 32 random bytes; whoever has it can test guesses against the log."""
        return secrets.token_bytes(32)

    def sealed(self, text: str) -> str:
        """The keyed digest under which a text stands in this log (HMAC-SHA-256 in hex)."""
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def append(self, record: Mapping[str, object]) -> None:
        """Append one record as one line of JSON."""
        line = json.dumps({"format": FORMAT, "recorded_at": _stamp(self._now()), **record}) + "\n"
        # The mode of a new file: for the operator alone. O_APPEND: nothing that stands in it can be overwritten.
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            written = os.write(file, line.encode("ascii"))
        finally:
            os.close(file)
        if written != len(line):
            raise OSError(f"only {written} of {len(line)} bytes of an audit record were written")

    def request(self, inquiry: Inquiry, outcome: Answer | WorkbenchError, trace: Trace) -> None:
        """Append the record of one request: the same keys for every outcome."""
        answer = outcome if isinstance(outcome, Answer) else None
        hits = answer.hits if answer else ()
        record: dict[str, object] = {
            "kind": "request",
            "error": None if answer else type(outcome).__name__,
            **_asked(inquiry.request),
            "tenant": _safe(inquiry.actor.tenant),
            "query": self.sealed(str(inquiry.query)),
            "finder": repr(inquiry.find),
            "cut": repr(inquiry.cut),
            **_decided(answer.decision if answer else None),
            "cache": trace.cache,
            "hits": len(hits),
            "manifests": len(answer.manifests) if answer else 0,
            "passages": [self._passage(hit) for hit in hits],
            "microseconds": dict(trace.microseconds),
            "protected": trace.protected,
        }
        if self._texts:
            record["query_text"] = _safe(inquiry.query, limit=None)
        self.append(record)

    def _passage(self, hit: Hit) -> dict[str, object]:
        found: dict[str, object] = {
            "document_id": _safe(hit.document_id),
            "content_sha256": hit.content_sha256,
            "paragraph": hit.paragraph,
            "start": hit.start,
            "end": hit.end,
            "quote": self.sealed(hit.quote),
        }
        return {**found, "quote_text": hit.quote} if self._texts else found

    def __repr__(self) -> str:
        return f"AuditLog({self.path.name!r}, {'texts' if self._texts else 'digests'})"


def _asked(request: object) -> dict[str, object]:
    """What was asked for, as text and shortened; nothing of what is no request at all."""
    if not isinstance(request, Request):
        return {"request": dict.fromkeys(_REQUEST)}
    asked = {name: _safe(getattr(request.scope, name, None)) for name in _REQUEST[:4]}
    return {"request": {**asked, **{name: _safe(getattr(request, name)) for name in _REQUEST[4:]}}}


def _decided(decision: Decision | None) -> dict[str, object]:
    context = None if decision is None else decision.context
    names = ("revision_id", "edition_id", "mode", "at", "known_at", "valid_from", "valid_to", "snapshot", "rules")
    return {
        "status": None if decision is None else decision.status.value,
        "context_id": None if context is None else context.id,
        "decision": {name: None if context is None else getattr(context, name) for name in names},
        "missing": [] if decision is None else list(decision.missing),
        "rivals": [] if decision is None else list(decision.rivals),
        "allowed": 0 if context is None else len(context.allowed),
    }


def _safe(value: object, limit: int | None = LONGEST_TEXT) -> str | None:
    """The value as text that JSON and its readers can hold."""
    if value is None:
        return None
    text = value if isinstance(value, str) else str(value)
    return text[:limit].encode("utf-8", "backslashreplace").decode("utf-8")


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
