"""Which relations lie on a cycle, so that each of them would remove what removes it (contract 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.validity.rows import Supersession


def on_cycles(relations: Sequence[Supersession]) -> set[int]:
    """The ids of the relations that lie on a cycle: both ends in one strongly connected component (Kosaraju)."""
    superseded = {r.superseded for r in relations}
    if not any(r.superseding in superseded for r in relations):
        return set()
    forward: dict[str, list[str]] = {}
    backward: dict[str, list[str]] = {}
    for r in relations:
        forward.setdefault(r.superseding, []).append(r.superseded)
        backward.setdefault(r.superseded, []).append(r.superseding)
    component: dict[str, str] = {}
    for node in reversed(_finished(forward)):
        pile = [node] if node not in component else []
        while pile:
            member = pile.pop()
            if member not in component:
                component[member] = node
                pile.extend(backward.get(member, ()))
    return {id(r) for r in relations if component[r.superseding] == component[r.superseded]}


def _finished(graph: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes in the order in which a depth-first walk leaves them (without recursion, so any depth ends)."""
    order: list[str] = []
    seen: set[str] = set()
    for root in graph:
        pile: list[tuple[str, bool]] = [(root, False)]
        while pile:
            node, leaving = pile.pop()
            if leaving:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                pile.append((node, True))
                pile.extend((after, False) for after in graph.get(node, ()) if after not in seen)
    return order
