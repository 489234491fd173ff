"""What an engine is asked to filter by: typed values in a small tree, never a piece of a query language.

Each engine's file writes the same tree in its own language. A tree cannot be empty: in Qdrant an empty filter finds
everything, and a set without members would have to mean nothing (S1, "eine leere Menge löst keine unbeschränkte Suche
aus"). So both are refused where they would be built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from workbench.errors import EvidenceError
from workbench.validity.instants import Kind

EMPTY: Final = "An empty set finds nothing; no filter is made of it."


@dataclass(frozen=True, slots=True, order=True)
class Time:
    """An instant as a typed value: a logical step, or microseconds since 1970 in UTC."""

    kind: Kind
    value: int


Value = str | int | Time
Field = Value | Sequence[str] | Sequence[Mapping[str, Value]]
Fields = Mapping[str, Field]
"""What a stored passage says of itself; an array of objects is a sequence of mappings."""


@dataclass(frozen=True, slots=True)
class Equal:
    """The field is there and equals the value."""

    field: str
    value: str | int


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The field is there and is one of the values."""

    field: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        _not_empty(self.values)


@dataclass(frozen=True, slots=True)
class Meets:
    """The field is a list, and one of its members is one of the values."""

    field: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        _not_empty(self.values)


@dataclass(frozen=True, slots=True)
class AtMost:
    """The field is there, of the same kind, and not after the instant: a start, which is included."""

    field: str
    time: Time


@dataclass(frozen=True, slots=True)
class After:
    """The field is there, of the same kind, and after the instant: an end, which is excluded."""

    field: str
    time: Time


@dataclass(frozen=True, slots=True)
class Every:
    """All parts hold."""

    parts: tuple[Condition, ...]

    def __post_init__(self) -> None:
        _not_empty(self.parts)


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part holds."""

    parts: tuple[Condition, ...]

    def __post_init__(self) -> None:
        _not_empty(self.parts)


@dataclass(frozen=True, slots=True)
class Same:
    """One single object of the array holds the whole part: values of two objects are never combined."""

    array: str
    part: Condition


Condition = Equal | AnyOf | Meets | AtMost | After | Every | Either | Same


def holds(condition: Condition, fields: Fields) -> bool:
    """Whether the condition holds for what a passage says of itself: the meaning that every engine must give it.

    >>> here = {"applies": [{"configuration": "C1", "region": "EU"}, {"configuration": "C2", "region": "US"}]}
    >>> mixed = Every((Equal("configuration", "C1"), Equal("region", "US")))
    >>> holds(Same("applies", mixed), here), holds(Same("applies", Equal("region", "US")), here)
    (False, True)
    """
    match condition:
        case Every(parts):
            return all(holds(part, fields) for part in parts)
        case Either(parts):
            return any(holds(part, fields) for part in parts)
        case Same(array, part):
            objects = fields.get(array)
            return _is_list(objects) and any(isinstance(one, Mapping) and holds(part, one) for one in objects)
        case Meets(name, values):
            members = fields.get(name)
            return _is_list(members) and any(member in values for member in members)
    found = fields.get(condition.field)
    match condition:
        case Equal(_, value):
            return type(found) is type(value) and found == value
        case AnyOf(_, values):
            return isinstance(found, str) and found in values
        case AtMost(_, time):
            return isinstance(found, Time) and found.kind == time.kind and found.value <= time.value
        case After(_, time):
            return isinstance(found, Time) and found.kind == time.kind and found.value > time.value


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _not_empty(values: tuple[object, ...]) -> None:
    if not values:
        raise EvidenceError(EMPTY)
