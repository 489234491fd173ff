"""The errors that the workbench raises on purpose, and how a value is shown in a message.

A *no* is a value and never one of these (:class:`~workbench.contract.Decision`, :class:`~workbench.contract.Verdict`).
Each message is one line that says where, what was found, and the way out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping


class WorkbenchError(Exception):
    """The root of all errors that the workbench raises on purpose."""


class InputError(WorkbenchError, ValueError):
    """Input that cannot be used; one line that names file, row, column, what was found and the way out.

    >>> print(InputError("needs a time zone", file="applicability.csv", row=3, column="valid_from",
    ...                  found="2020-01-01T00:00:00", remedy="append Z or an offset"))
    applicability.csv, row 3, column valid_from: needs a time zone (found '2020-01-01T00:00:00'); append Z or an offset
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        row: int | None = None,
        column: str | None = None,
        found: object = None,
        remedy: str | None = None,
    ) -> None:
        self.message, self.file, self.row, self.column = message, file, row, column
        self.found, self.remedy = found, remedy
        self.cells: Mapping[str, object] = {}
        """The whole row, where one was read: whom it is about, whoever has to mend it."""
        place = [file or "", f"row {row}" if row is not None else "", f"column {column}" if column else ""]
        where = ", ".join(part for part in place if part)
        text = f"{where}: {message}" if where else message
        if found is not None:
            text += f" (found {shown(found)})"
        if remedy:
            text += f"; {remedy}"
        super().__init__(text)


class QueryRefused(WorkbenchError, ValueError):
    """A query or limit outside the contract (2.2, 2.5); the text is fixed and names no record."""


class RequestError(WorkbenchError, ValueError):
    """A request that is no request; ``field`` names what is wrong with it."""

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(f"{field}: {message}")


class ChangedMeanwhile(WorkbenchError):
    """What was to be changed is another by now, or is being changed by somebody else; nothing was written."""


class ContextError(WorkbenchError):
    """A decision that cannot be used here: not RESOLVED, not this actor's, or not of this corpus (contract 4.1)."""


class EvidenceError(WorkbenchError):
    """Evidence from outside the view it is presented with (contract 4.2, 4.3); nothing falls back to a wider search."""


def shown(value: object, limit: int = 60) -> str:
    """The value as one safe, short line for a message: quoted, escaped, cut.

    >>> shown("a\\nb"), shown("x" * 100, limit=5)
    ("'a\\\\nb'", "'xxxxx…'")
    """
    if isinstance(value, str):
        cut = value if len(value) <= limit else value[:limit] + "…"
        return repr(cut).encode("utf-8", "backslashreplace").decode()
    text = repr(value).encode("utf-8", "backslashreplace").decode().replace("\n", " ")
    return text if len(text) <= limit else text[:limit] + "…"


def visible(text: str, *, keep: str = "") -> str:
    """The text with every character made visible that would hide, reorder or command: controls, ANSI escapes,
    bidirectional marks, zero-width and unassigned characters, lone surrogates. ``keep`` names exceptions.

    >>> visible("a\\x1b[31mb\\u202ec\\n"), visible("zwei\\nZeilen", keep="\\n")
    ('a⟨U+001B⟩[31mb⟨U+202E⟩c⟨U+000A⟩', 'zwei\\nZeilen')
    """
    if text.isprintable():
        return text
    return "".join(c if c in keep or c == " " or unicodedata.category(c) not in _HIDING else _named(c) for c in text)


def _named(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


_HIDING = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
