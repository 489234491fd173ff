"""A condition as a row: what it expects, what was seen, whether the two are the same words; and who must fail it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

Subject = TypeVar("Subject")
"""What a condition is asked of: a bench with a retriever on it, or a desk with an authority at it."""
Wrong = TypeVar("Wrong", covariant=True)
"""What a mutant is: a retriever or an authority."""


@dataclass(frozen=True, slots=True)
class Condition(Generic[Subject]):
    """One numbered condition. It holds where ``observe`` gives exactly the expected words, and in no other case.

    ``expected`` is a text, or a function that works it out from the subject's data (never from its answers).
    """

    number: int
    condition: str
    expected: str | Callable[[Subject], str]
    observe: Callable[[Subject], str]

    def wanted(self, subject: Subject) -> str:
        """The expected words, worked out where they depend on the documents."""
        return self.expected if isinstance(self.expected, str) else self.expected(subject)

    def seen(self, subject: Subject) -> str:
        """The words for what was seen; an error is something seen too, and never the expected."""
        try:
            return self.observe(subject)
        except Exception as error:
            # Wrong implementations fail in every way there is; a proof that broke off at the first would show nothing.
            return f"raised {type(error).__name__}"


@dataclass(frozen=True, slots=True)
class Row:
    """A condition after it was run; what ``workbench proof`` prints and the notebook tabulates."""

    number: int
    condition: str
    expected: str
    observed: str
    ok: bool

    def mapping(self) -> dict[str, object]:
        """The row as JSON values, in the order of the contract (section 6)."""
        return {
            "number": self.number,
            "condition": self.condition,
            "expected": self.expected,
            "observed": self.observed,
            "ok": self.ok,
        }


@dataclass(frozen=True, slots=True)
class Mutant(Generic[Wrong]):
    """One small, named mistake: an implementation that makes it, and the rows for whose sake it stands in a table.

    It must fail these; it may fail others too.
    """

    name: str
    made: Wrong
    rows: tuple[int, ...]


def run(conditions: Iterable[Condition[Subject]], subjects: Mapping[str, Subject]) -> list[Row]:
    """One row for each condition, over all subjects side by side: ``ok`` only if every one of them holds.

    Where they saw the same, it is said once; where they differ, each is named with what it saw.

    >>> even = Condition(1, "a number is even", "even", lambda n: "odd" if n % 2 else "even")
    >>> run([even], {"two": 2, "four": 4})[0].ok
    True
    >>> run([even], {"two": 2, "three": 3})[0].observed
    'two: even; three: odd'
    """
    rows = []
    for condition in conditions:
        seen = {name: condition.seen(subject) for name, subject in subjects.items()}
        wanted = {condition.wanted(subject) for subject in subjects.values()}
        if len(wanted) != 1:
            raise ValueError(f"condition {condition.number}: the subjects hold different data, or there is none")
        [expected] = wanted
        ok = all(observed == expected for observed in seen.values())
        alike = len(set(seen.values())) == 1
        observed = next(iter(seen.values())) if alike else "; ".join(f"{name}: {said}" for name, said in seen.items())
        rows.append(Row(condition.number, condition.condition, expected, observed, ok))
    return rows
