"""The report for an auditor: what was checked of a corpus and a register, what failed, who owns it, how to repeat it.

S1, "Freigabecheckliste, Aufwand und ein begrenzter Einstieg". The same input gives the same report: there is no time of
day in it, no chance and no path. It is the operator's: it names rows, owners and refused scopes that no asker may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from workbench.contract import Actor, Clock
from workbench.errors import InputError
from workbench.evidence.checks import Finding as TextFinding
from workbench.evidence.checks import findings as text_findings
from workbench.evidence.corpus import Corpus
from workbench.show.report.checklist import Evidence, Outcome, checklist
from workbench.show.report.examples import Example, examples, own_questions, shipped_questions, verdicts_hold
from workbench.show.report.page import State
from workbench.show.report.search_list import SEARCH_POINTS
from workbench.show.report.tuning import Tuned, Tuning, tuned
from workbench.show.report.world import World
from workbench.study.proof import retrieval_rows, validity_rows
from workbench.study.proof.bench import data_folder
from workbench.study.proof.rows import Row
from workbench.validity.findings import Finding
from workbench.validity.register import Register

NOBODY: Final = Actor("nobody", frozenset())


@dataclass(frozen=True, slots=True)
class Subject:
    """What a report is about: a corpus, and a register with what its check found.

    ``register`` is ``None`` where it does not load; ``refused`` says why. ``clock`` shows the present that was named,
    ``now`` spells it.
    """

    corpus: Corpus
    register: Register | None
    findings: Sequence[Finding]
    name: str
    refused: str = ""
    clock: Clock | None = None
    now: str | None = None


@dataclass(frozen=True)
class Report:
    """Everything that a report says, as values; :func:`workbench.show.report.document.report_html` writes it down."""

    subject: Subject | None
    proofs: Mapping[str, Sequence[Row]]
    no_proof: str
    texts: Sequence[TextFinding]
    points: Sequence[Outcome]
    search: Sequence[Outcome]
    tuned: Tuned | None
    examples: Sequence[Example]
    world: World | None = field(repr=False)

    @cached_property
    def states(self) -> dict[str, State]:
        """Each part of the report with what it came to."""
        rows = [row for part in self.proofs.values() for row in part]
        found = {
            "proofs": _state([row.ok for row in rows]),
            "register": State.NOT_SHOWN if self.subject is None else _state([not self.subject.findings]),
            "corpus": State.NOT_SHOWN if self.subject is None else _state([not self.texts]),
            "checklist": _worst([point.state for point in self.points]),
            "search": _worst([point.state for point in self.search]),
            "tuning": State.NOT_SHOWN if self.tuned is None else _state([not self.tuned.breaches]),
            "examples": verdicts_hold(self.examples),
        }
        if self.subject is not None and self.subject.register is None:
            found["register"] = State.FAILS
        return found

    @property
    def ok(self) -> bool:
        """Whether nothing failed; what was not shown is no failure, and no success either."""
        return State.FAILS not in self.states.values()

    def mapping(self) -> dict[str, object]:
        """The outcome as JSON values: each part, and each point of the checklist."""
        return {
            "ok": self.ok,
            "parts": {name: state.value for name, state in self.states.items()},
            "checklist": [_told(point) for point in self.points],
            "search": [_told(point) for point in self.search],
        }


def report(subject: Subject | None = None, *, tuning: Tuning | None = None) -> Report:
    """Run every check and gather what was seen; without a subject, of the package itself over its shipped data.

    Raises InputError where neither a corpus and a register nor the shipped data are there.

    >>> report().ok
    True
    """
    proofs, no_proof = _proofs()
    world = _world(subject)
    if subject is None:
        evidence = Evidence(world, (), proofs)
    else:
        evidence = Evidence(world, subject.findings, proofs, f"The register does not load: {subject.refused}")
    return Report(
        subject=subject,
        proofs=proofs,
        no_proof=no_proof,
        texts=() if subject is None else text_findings(subject.corpus.documents),
        points=checklist(evidence),
        search=checklist(evidence, SEARCH_POINTS),
        tuned=None if world is None or tuning is None else tuned(tuning, world),
        examples=[] if world is None else _examples(world, tuning),
        world=world,
    )


def _examples(world: World, tuning: Tuning | None) -> list[Example]:
    """A question of each kind of outcome among those that were brought, or some that are made here."""
    if tuning is not None:
        return examples(tuning.questions, world, actor=tuning.actor)
    return examples(shipped_questions() if world.shipped else own_questions(world), world, actor=NOBODY, every=True)


def _told(point: Outcome) -> dict[str, str]:
    return {"point": point.point.name, "says": point.point.says, "state": point.state.value}


def _proofs() -> tuple[dict[str, list[Row]], str]:
    """Both proofs, or why they could not be run: their documents are part of a checkout."""
    try:
        return {"retrieval": retrieval_rows(), "validity": validity_rows()}, ""
    except InputError as error:
        return {}, f"{error.message}; {error.remedy}"


def _world(subject: Subject | None) -> World | None:
    if subject is None:
        corpus, register = Corpus.read(data_folder("pumps")), Register.read(data_folder("pump-seal"))
        return World(corpus, register, shipped=True)
    return None if subject.register is None else World(subject.corpus, subject.register, clock=subject.clock)


def _state(held: Sequence[bool]) -> State:
    if not held:
        return State.NOT_SHOWN
    return State.HOLDS if all(held) else State.FAILS


def _worst(states: Sequence[State]) -> State:
    for state in (State.FAILS, State.NOT_SHOWN):
        if state in states:
            return state
    return State.HOLDS
