"""Conditions as an OData filter of Azure AI Search: every value through one encoder, nothing pasted (S1, "OData").

Six forms are written and no others: ``eq`` on text and whole numbers, ``search.in``, ``le`` and ``gt`` on whole
numbers, ``and``, ``or``, and ``any`` with a lambda, in which all of a row's conditions stand together. After
Microsoft's reference of the syntax; that a service reads it so is not tested here.
"""

from __future__ import annotations

from typing import Final

from workbench.errors import EvidenceError
from workbench.stores.conditions import After, AnyOf, AtMost, Condition, Either, Equal, Every, Meets, Same, Time

DELIMITERS: Final = "|,;~#\u00a6"
SMALLEST, LARGEST = -(2**63), 2**63 - 1
NOT_A_LITERAL: Final = "This value has no literal in a filter; no filter is made of it."


def odata(condition: Condition) -> str:
    """The filter; EvidenceError for a value that has no literal. An empty one cannot be built.

    >>> row = Every((Equal("region", "EU"), Equal("configuration", "C'2")))
    >>> odata(Every((Meets("groups", ("a", "b")), Same("applies", row))))
    "(groups/any(m: search.in(m, 'a|b', '|')) and applies/any(r: (r/region eq 'EU' and r/configuration eq 'C''2')))"
    """
    return _written(condition, "")


def text(value: str) -> str:
    """A string literal: apostrophes doubled, everything else as it is.

    >>> text("O'Brien")
    "'O''Brien'"
    """
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise EvidenceError(NOT_A_LITERAL) from None
    return "'" + value.replace("'", "''") + "'"


def whole(value: int) -> str:
    """An ``Edm.Int64`` literal."""
    if type(value) is not int or not SMALLEST <= value <= LARGEST:
        raise EvidenceError(NOT_A_LITERAL)
    return str(value)


def field_of(name: str, time: Time) -> str:
    """The field that holds instants of this kind: steps and moments are never compared with each other."""
    return f"{name}_{time.kind}"


def _written(condition: Condition, row: str) -> str:
    match condition:
        case Every(parts):
            return "(" + " and ".join(_written(part, row) for part in parts) + ")"
        case Either(parts):
            return "(" + " or ".join(_written(part, row) for part in parts) + ")"
        case Same(array, part) if not row:
            return f"{array}/any(r: {_written(part, 'r/')})"
        case Meets(field, values) if not row:
            return f"{field}/any(m: {_any_of('m', values)})"
        case Equal(field, value):
            return f"{row}{field} eq {text(value) if isinstance(value, str) else whole(value)}"
        case AnyOf(field, values):
            return _any_of(row + field, values)
        case AtMost(field, time):
            return f"{row}{field_of(field, time)} le {whole(time.value)}"
        case After(field, time):
            return f"{row}{field_of(field, time)} gt {whole(time.value)}"
    raise EvidenceError("A row of a document holds no lists; no filter is made of it.")


def _any_of(variable: str, values: tuple[str, ...]) -> str:
    """``search.in`` with a delimiter that no value holds; where that is in doubt, one equality for each value.

    How a service trims the parts of the list, or reads an empty one, its reference does not say.
    """
    delimiter = next((d for d in DELIMITERS if not any(d in value for value in values)), None)
    if delimiter is None or any(value != value.strip() or not value for value in values):
        return "(" + " or ".join(f"{variable} eq {text(value)}" for value in values) + ")"
    return f"search.in({variable}, {text(delimiter.join(values))}, '{delimiter}')"
