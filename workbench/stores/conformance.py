"""Which guarantees of the contract does a store give? One small invented world for each, and what was found otherwise.

The checks ask through the same door as everybody: a view, and what comes back. A guarantee holds where nothing is found
against it. Only ``applying`` looks beneath: which documents an engine's own filter takes for a scope at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from workbench.errors import ContextError, EvidenceError, QueryRefused
from workbench.stores import conformance_access as access
from workbench.stores import conformance_validity as validity
from workbench.stores.conformance_asking import Open

Check = Callable[[Open], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A promise of the contract by name, what it says, and the check that yields what speaks against it."""

    name: str
    says: str
    check: Check


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a store gives a guarantee; ``found`` is what speaks against it."""

    guarantee: str
    holds: bool
    found: str = ""


def run(open_store: Open) -> list[Outcome]:
    """One outcome for each guarantee, in their order."""
    return [outcome(guarantee, open_store) for guarantee in GUARANTEES]


def outcome(guarantee: Guarantee, open_store: Open) -> Outcome:
    """Whether a store gives one guarantee. A refusal where an answer is due speaks against it."""
    try:
        against = next(guarantee.check(open_store), "")
    except (ContextError, EvidenceError, QueryRefused) as error:
        against = f"{type(error).__name__}: {error}"
    return Outcome(guarantee.name, not against, against)


GUARANTEES: Final = (
    Guarantee("finds", "what the view holds is found, by its own words first", access.finds),
    Guarantee("access", "only what the actor may read is ranked: a forbidden better hit takes no place", access.access),
    Guarantee("no trace", "forbidden documents change neither hits nor scores", access.no_trace),
    Guarantee("resolved set", "under a decision only its revision, or its edition, is found", validity.resolved_set),
    Guarantee("empty set", "nothing allowed finds nothing, never everything", access.empty_set),
    Guarantee("same object", "configuration and region match in one row, never across two", validity.same_object),
    Guarantee("half-open", "a row holds from its start, included, to its end, excluded", validity.half_open),
    Guarantee("unknown", "what the store does not know as it is now is refused, not left out", access.unknown),
    Guarantee("verbatim", "each quote stands in the corpus at exactly its place", access.verbatim),
    Guarantee("twin", "a superseded near copy that ranks first is absent, within one document too", validity.twin),
    Guarantee("at once", "a deletion or a change of groups holds from the next search on", access.at_once),
    Guarantee("hostile", "ids, tenants, groups, scopes and questions are data in any spelling", access.hostile),
)
