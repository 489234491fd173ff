"""Hierarchies of configurations and regions: declared values, their leaves, and the wildcard (contract 3.10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from workbench.validity.rows import ANY, ScopeValue

Standing = Literal["leaf", "inner", "unknown"]


class Hierarchy:
    """The declared values of one kind (configuration or region). With none declared, every value stands for itself.

    >>> h = Hierarchy([ScopeValue("region", "EU", None, 2), ScopeValue("region", "DE", "EU", 3)])
    >>> h.leaves("EU"), h.leaves("*"), h.standing("EU"), h.standing("CH")
    (('DE',), ('DE',), 'inner', 'unknown')
    """

    def __init__(self, values: Iterable[ScopeValue]) -> None:
        self.children: dict[str, set[str]] = {}
        for value in values:
            self.children.setdefault(value.value, set())
            if value.parent is not None:
                self.children.setdefault(value.parent, set()).add(value.value)

    @property
    def declared(self) -> bool:
        """Whether the register declares any value of this kind."""
        return bool(self.children)

    def all_leaves(self) -> tuple[str, ...]:
        """The declared values without children, sorted."""
        return tuple(sorted(value for value, below in self.children.items() if not below))

    def all_values(self) -> tuple[str, ...]:
        """All declared values, sorted."""
        return tuple(sorted(self.children))

    def standing(self, value: str) -> Standing:
        """What a requested value is: a leaf to resolve for, an inner value to ask about again, or unknown."""
        if value == ANY:
            return "unknown"
        if not self.declared:
            return "leaf"
        if value not in self.children:
            return "unknown"
        return "inner" if self.children[value] else "leaf"

    def leaves(self, value: str) -> tuple[str, ...]:
        """The leaves that a row's value stands for, sorted; an undeclared value stands for itself."""
        if not self.declared or (value not in self.children and value != ANY):
            return (value,)
        found: set[str] = set()
        seen: set[str] = set()
        pile = list(self.children) if value == ANY else [value]
        while pile:
            node = pile.pop()
            if node in seen:
                continue
            seen.add(node)
            if not self.children[node]:
                found.add(node)
            pile.extend(self.children[node])
        return tuple(sorted(found))

    def below(self, value: str, other: str) -> bool:
        """Whether ``other`` is ``value`` or lies below it."""
        seen: set[str] = set()
        pile = [value]
        while pile:
            node = pile.pop()
            if node not in seen:
                seen.add(node)
                pile.extend(self.children.get(node, ()))
        return other in seen
