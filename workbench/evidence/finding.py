"""What a way to find is: it takes a view and a question, and can see nothing else (contract 4.2).

Each way is a value of its own and no further door of the view: ``view.search`` and ``view.rank`` stay what they are,
whatever is given a view instead of a corpus cannot look past it, and the value's repr names it where an answer is kept.
"""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

from workbench.contract import Hit
from workbench.errors import EvidenceError
from workbench.evidence.view import View

CHANGED: Final = "What this search was set up with has changed meanwhile; set it up again."


@runtime_checkable
class Finder(Protocol):
    """A way to find; equal finders have equal reprs, which name method, settings and whatever else decides."""

    def check(self, query: str) -> None:
        """Raise QueryRefused where this is no question for it, whether or not an answer is kept."""
        ...

    def find(self, view: View, query: str) -> list[Hit]:
        """The best passages of the view, in order."""
        ...


def unchanged(pinned: str, now: str) -> None:
    """Refuse an analyzer, encoder or reranker that is no longer what it was: EvidenceError, and no search runs."""
    if pinned != now:
        raise EvidenceError(CHANGED)
