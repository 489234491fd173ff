"""The audit log: one line for each request, appended and never changed (contract 4.9; S0, "Datenminimierung").

It is the operator's: it holds the protected part of decisions. What was asked and quoted is in it only as a keyed
digest (HMAC-SHA-256), which the operator can compare with a text in question and nobody can guess without the key. The
texts themselves are written where the operator switches them on.

Each line ends with a seal: a keyed digest over the whole line before it and over its own content. So a line that was
changed, moved, put in or taken out from between is found by whoever has the key. That the last lines were cut off can
only be found with a seal that was noted elsewhere.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from workbench.contract import Decision, Hit, Request
from workbench.errors import WorkbenchError
from workbench.pipeline.answer import Answer, Inquiry, Trace

FORMAT: Final = "workbench-audit/2"
SEAL: Final = ', "seal": "'
BLOCK: Final = 65536
SHORTEST_KEY: Final = 16
LONGEST_TEXT: Final = 200
_REQUEST: Final = ("family", "procedure", "configuration", "region", "at", "known_at", "language")


def _wall_clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """Whether a log is whole: how many records it holds, the first line that does not fit, and the last one's seal.

    Note the seal elsewhere: with it, a later check finds out whether the log has been cut off before it.
    """

    ok: bool
    records: int
    line: int | None = None
    reason: str | None = None
    seal: str | None = None

    def __repr__(self) -> str:
        said = f"ok, {self.records} records" if self.ok else f"line {self.line}: {self.reason}"
        return f"AuditVerdict({said})"


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
        """Append one record as one line of JSON, sealed to the line before it."""
        body = json.dumps({"format": FORMAT, "recorded_at": _stamp(self._now()), **record})[:-1]
        # The mode of a new file: for the operator alone. O_APPEND: nothing that stands in it can be overwritten.
        file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            with _alone(file):
                before = _last_line(file)
                torn = b"" if not before or before.endswith(b"\n") else b"\n"  # a writer was killed in its line
                line = torn + f'{body}{SEAL}{self._seal(before + torn, body)}"}}\n'.encode("ascii")
                written = os.write(file, line)
        finally:
            os.close(file)
        if written != len(line):
            raise OSError(f"only {written} of {len(line)} bytes of an audit record were written")

    def verify(self, *, noted: str | None = None) -> AuditVerdict:
        """Whether every line is as it was written and none is missing between; ``noted`` is a seal of an earlier check.

        The first line that does not fit is named. Where the ``noted`` seal stands on no line, the log was cut off
        before it or written anew. Raises OSError where there is no log.
        """
        before, number, seal, seen = b"", 0, None, noted is None
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                body, found, rest = line.decode("ascii", "replace").rpartition(SEAL)
                seal = rest.removesuffix('"}\n')
                if not found or rest != f'{seal}"}}\n':
                    return AuditVerdict(False, number - 1, number, "this line has no seal")
                if not hmac.compare_digest(self._seal(before, body), seal):
                    reason = "this line, or the one before it, is not as it was written, or one between is missing"
                    return AuditVerdict(False, number - 1, number, reason)
                before, seen = line, seen or seal == noted
        if not seen:
            return AuditVerdict(False, number, number + 1, "the line with the noted seal is missing", seal)
        return AuditVerdict(True, number, seal=seal)

    def _seal(self, before: bytes, body: str) -> str:
        return hmac.new(
            self._key, hashlib.sha256(before).digest() + body.encode("ascii", "replace"), hashlib.sha256
        ).hexdigest()

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


@contextmanager
def _alone(file: int) -> Iterator[None]:
    """One writer at a time: a line is sealed to the one before it. The lock ends with its holder, however that ends."""
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _last_line(file: int) -> bytes:
    """The last line with its end, or what there is of it; nothing in an empty file."""
    at = os.fstat(file).st_size
    found = b""
    while at > 0 and b"\n" not in found[:-1]:
        start = max(0, at - BLOCK)
        found = os.pread(file, at - start, start) + found
        at = start
    return found[found.rfind(b"\n", 0, -1) + 1 :]


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
