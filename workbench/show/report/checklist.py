"""S1's release checklist, point by point: what shows it here, what was seen, and how to see it again.

The four groups and eleven points are those of "Freigabecheckliste, Aufwand und ein begrenzter Einstieg" (S1). A point
holds only if its own check ran and every condition of the proofs that it rests on holds; what was not run is said to be
not shown, never passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from workbench.show.report.page import State
from workbench.show.report.probes import Seen, editions, empty_set, identity, resolved_set, unknown_metadata
from workbench.show.report.register import conflicts, context_keys, digests, owners, supersessions, time_semantics
from workbench.show.report.upkeep import boundaries, correction, withdrawal
from workbench.show.report.world import World
from workbench.study.proof.rows import Row
from workbench.validity.findings import Finding

NOT_GIVEN: Final = "No corpus and register were given."
SHIPPED: Final = "On the shipped fictional data, since no others were given:"
CHECK: Final = "workbench register check REGISTER CORPUS --every-scope"
PROOF: Final = "workbench proof"
AGAIN: Final = "workbench report CORPUS REGISTER --to report.html"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the checks are made of: the world that is probed, the findings about what was given, and the proofs' rows.

    ``world`` is ``None`` where there is none that loads, and ``why`` says why not. A shipped world is probed in place
    of one that was not given, but its rows show nothing of anybody's register. ``proofs`` is empty where they did not
    run.
    """

    world: World | None
    findings: Sequence[Finding]
    proofs: Mapping[str, Sequence[Row]]
    why: str = NOT_GIVEN


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a checklist: its words in English, the check that shows it, and the conditions it rests on.

    A point with ``words`` is shown by its conditions alone; without any, it is not shown and ``words`` say why.
    """

    name: str
    group: str
    says: str
    again: str
    check: Callable[[World, Sequence[Finding]], Seen] | None = None
    probe: Callable[[World], Seen] | None = None
    rests_on: tuple[tuple[str, int], ...] = ()
    more: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a point: its state, what was seen in words, and what speaks against it."""

    point: Point
    state: State
    said: str
    against: tuple[str, ...] = ()
    conditions: tuple[tuple[str, int, bool], ...] = ()


def conditions_of(part: str, *numbers: int) -> tuple[tuple[str, int], ...]:
    """Conditions of a proof, by their numbers."""
    return tuple((part, number) for number in numbers)


POINTS: Final = (
    Point(
        *("digests", "Register", "Source digests are immutable."),
        again=CHECK,
        check=digests,
        rests_on=conditions_of("retrieval", 5, 45, 46),
    ),
    Point(*("supersessions", "Register", "Supersessions are confirmed."), again=CHECK, check=supersessions),
    Point(
        *("keys", "Register", "Context keys are complete."),
        again=CHECK,
        check=context_keys,
        rests_on=conditions_of("validity", 7, 8, 9),
    ),
    Point(
        *("time", "Register", "The semantics of time are explicit."),
        again=CHECK,
        check=time_semantics,
        rests_on=conditions_of("validity", 1, 2, 3, 4, 5),
    ),
    Point(
        *("conflicts", "Register", "Conflicts are monitored."),
        again=CHECK,
        check=conflicts,
        rests_on=conditions_of("validity", 13),
        more="That the check is run at each change is not shown: schedule it.",
    ),
    Point(
        *("paths", "Retrieval", "Every search path enforces the resolved set of revisions."),
        again="python -m pytest tests/pipeline/test_twins.py tests/pipeline/test_twins_other_paths.py",
        probe=resolved_set,
        rests_on=conditions_of("retrieval", 12, 13, 19, 20),
    ),
    Point(
        *("metadata", "Retrieval", "Unknown metadata stop the request."),
        again="python -m pytest tests/pipeline/test_gate.py",
        probe=unknown_metadata,
        rests_on=conditions_of("retrieval", 44),
    ),
    Point(
        *("empty", "Retrieval", "An empty set starts no unrestricted search."),
        again="python -m pytest tests/pipeline/test_gate.py tests/stores/test_conformance.py",
        probe=empty_set,
        rests_on=(*conditions_of("retrieval", 16, 17, 18), *conditions_of("validity", 12)),
    ),
    Point(
        *("citations", "Evidence", "Citations keep their context and the revision's identity."),
        again="python -m pytest tests/pipeline/test_verify.py",
        probe=identity,
        rests_on=conditions_of("retrieval", 8, 9, 45, 46, 47, 48, 49, 50),
    ),
    Point(
        *("translations", "Evidence", "Translations do not silently replace current instructions by older ones."),
        again=PROOF,
        probe=editions,
        rests_on=conditions_of("validity", 10, 11),
    ),
    Point(
        *("rights", "Operation", "Caches take withdrawn rights into account."),
        again="python -m pytest tests/pipeline/test_cache_stores.py",
        probe=withdrawal,
        rests_on=conditions_of("validity", 15, 16, 21),
    ),
    Point(
        *("corrections", "Operation", "Caches take corrections of the register into account."),
        again="python -m pytest tests/pipeline/test_session.py",
        probe=correction,
        rests_on=conditions_of("validity", 14, 17),
    ),
    Point(
        *("boundaries", "Operation", "Caches take the boundaries of validity into account."),
        again="python -m pytest tests/pipeline/test_windows.py",
        probe=boundaries,
        rests_on=conditions_of("validity", 18, 19, 20),
    ),
    Point(*("owners", "Operation", "Every blocked case has somebody responsible."), again=CHECK, check=owners),
)


def checklist(evidence: Evidence, points: Sequence[Point] = POINTS) -> list[Outcome]:
    """Every point with its outcome, in the order of the list: S1's unless another one is given."""
    return [outcome(point, evidence) for point in points]


def outcome(point: Point, evidence: Evidence) -> Outcome:
    """Whether a point holds: its own check over what was given, and each condition of the proofs that it rests on."""
    rows = {(part, row.number): row.ok for part, found in evidence.proofs.items() for row in found}
    conditions = tuple((part, number, rows[part, number]) for part, number in point.rests_on if (part, number) in rows)
    broken = tuple(f"condition {number} of {part} does not hold" for part, number, ok in conditions if not ok)
    seen = Seen(len(conditions), point.words) if point.words else _seen(point, evidence)
    if broken or seen.against:
        return Outcome(point, State.FAILS, seen.said, (*seen.against, *broken), conditions)
    if not seen.cases:
        return Outcome(point, State.NOT_SHOWN, seen.said, (), conditions)
    return Outcome(point, State.HOLDS, f"{seen.said} {point.more}".strip(), (), conditions)


def _seen(point: Point, evidence: Evidence) -> Seen:
    world = evidence.world
    if world is not None and point.probe is not None:
        seen = point.probe(world)
        return replace(seen, said=f"{SHIPPED} {seen.said}") if world.shipped else seen
    if world is not None and point.check is not None and not world.shipped:
        return point.check(world, evidence.findings)
    return Seen(0, evidence.why)
