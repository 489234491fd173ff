"""Some questions from beginning to end: decision, passage, verdict, and the place in the source that it opens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from workbench.contract import Actor, Decision, Request, Scope, Status, Verdict
from workbench.evidence.view import View
from workbench.intervals import Interval
from workbench.pipeline.manifest import Manifest, cite
from workbench.pipeline.verify import verify
from workbench.show.report.page import Markup, State, element, heading, paragraph, table
from workbench.show.report.world import World, own_question
from workbench.show.source import source_html
from workbench.study.questions import Question
from workbench.study.sweep import in_context

MOST: Final = 6
SEAL: Final = Scope("pump-seal", "seal-torque", "C2", "EU")
NO_REGISTER: Final = "none was asked for: what the persona may read was searched, and nobody says that it applies"
BROUGHT: Final = "One question for each kind of outcome, the first of its kind among those that were brought."
MADE: Final = "No questions were brought: these are words of the documents themselves, and refusals of the register."
OURS: Final = "The case of the article that the register rules are from; all torques are invented."
HOW: Final = (
    "The first passage found is shown and verified; whether it answers the question is for a reader to judge. Marked "
    "is the quote, in its place in the source."
)


@dataclass(frozen=True, slots=True)
class Example:
    """One question: who asked, what was decided, and the first passage with its verdict and its source."""

    question: Question
    actor: Actor
    decision: Decision | None
    manifest: Manifest | None = None
    verdict: Verdict | None = None
    source: Markup | None = None

    @property
    def kind(self) -> str:
        """The outcome in a word: the decision's status, or what a search without decision came to."""
        found = "passage" if self.manifest is not None else "no passage"
        return f"{self.decision.status if self.decision else 'no request'}, {found}"


def shipped_questions() -> list[Question]:
    """S1's own case: three times, a translation, one that is out of date, and a missing configuration."""
    mechanic = Actor("werk-nord", {"wartung"})
    asked = [
        Request(SEAL, at=4),
        Request(SEAL, at=6),
        Request(SEAL, at=4, language="de"),
        Request(SEAL, at=12, language="de"),
        Request(Scope("pump-seal", "seal-torque", None, "EU"), at=6),
    ]
    return [
        Question(f"S1-{number}", "Welches Anzugsmoment in Nm gilt?", "unanswerable", persona=mechanic, request=request)
        for number, request in enumerate(asked, 1)
    ]


def own_questions(world: World) -> list[Question]:
    """Questions in the words of the documents themselves, where nobody brought any: some decisions, some refusals."""
    found = [
        Question(f"own-{number}", words, "unanswerable", persona=bound.actor, request=world.request(bound.slot))
        for number, bound in enumerate(world.bound[: MOST // 2], 1)
        if (words := own_question(bound, world.corpus))
    ]
    blocked = [slot for slot in world.slots if slot not in {bound.slot for bound in world.bound}][: MOST // 2]
    for number, slot in enumerate(blocked, len(found) + 1):
        persona, request = world.reader(slot.key.tenant), world.request(slot)
        found.append(Question(f"own-{number}", "What applies here?", "unanswerable", persona=persona, request=request))
    return found


def examples(questions: Sequence[Question], world: World, *, actor: Actor, every: bool = False) -> list[Example]:
    """The first question of each kind of outcome, at most six of them; with ``every``, all that fit."""
    found: dict[str, Example] = {}
    for asked in in_context(world.corpus, questions, actor=actor, register=world.register, clock=world.clock):
        made = Example(asked.question, asked.actor, asked.decision)
        if asked.view is not None:
            made = _evidence(made, asked.view, world)
        found.setdefault(made.question.id if every else made.kind, made)
        if len(found) == MOST:
            break
    return list(found.values())


def _evidence(made: Example, view: View, world: World) -> Example:
    corpus = world.corpus
    hits = view.rank(made.question.text, 1, match="any")
    if not hits:
        return made
    [hit] = hits
    manifest = cite(hit, made.decision)
    verdict = verify(manifest, made.actor, corpus, world.register, clock=world.clock)
    source = source_html(corpus, hit)
    if corpus.folder is not None:  # a message may name where a file lies, which is not the same on every machine
        source = source.replace(str(corpus.folder.absolute()), "CORPUS").replace(str(corpus.folder), "CORPUS")
    return replace(made, manifest=manifest, verdict=verdict, source=Markup(source))


def examples_html(found: Sequence[Example], whose: str) -> list[Markup]:
    """The pieces of the section; ``whose`` says where the questions come from."""
    return [paragraph(f"{whose} {HOW}"), *(_example(number, one) for number, one in enumerate(found, 1))]


def _example(number: int, one: Example) -> Markup:
    name = f"example-{number}"
    title = heading(name, f"{number}. {one.question.text}")
    rows = table(f"Question {one.question.id}", ["item", "what was asked and answered"], _rows(one), kind="told")
    opened = () if one.source is None else (one.source,)
    return element("article", title, rows, *opened, class_="example", aria_labelledby=name)


def _rows(one: Example) -> Iterator[tuple[str, str]]:
    groups = ", ".join(sorted(one.actor.groups)) or "none"
    active = "" if one.actor.active else ", not active"
    yield "asked by", f"a test persona of {one.actor.tenant}, groups {groups}{active}"
    request = one.question.request
    if request is not None:
        language = f", in {request.language}" if request.language else ""
        scope = " / ".join(part or "(not said)" for part in request.scope.parts())
        yield "asked for", f"{scope} at {_instant(request.at)}{language}"
    if one.decision is None:
        yield "decision", NO_REGISTER
    else:
        yield "decision", _inside(one.decision)
        yield "the asker is told", one.decision.message
    if one.manifest is None or one.verdict is None:
        searched = one.decision is None or one.decision.status is Status.RESOLVED
        yield "passage", "no matching passage in the accessible corpus" if searched else "no search has run"
        return
    citation = one.manifest.citation
    place = f"{citation.document_id}, paragraph {citation.paragraph}"
    yield "passage", f"{place}, characters {citation.start} to {citation.end}"
    yield "label", one.manifest.label_after(one.verdict)
    yield "verdict", _inside(one.verdict)
    if one.question.gold:
        span = Interval(citation.start or 0, citation.end or 0)
        there = any(g.document_id == citation.document_id and g.span.overlaps(span) for g in one.question.gold)
        yield "expected place", "this passage reaches it" if there else "another passage"


def _instant(at: object) -> str:
    """An instant as people write it to the register."""
    if at is None:
        return "the present"
    return at.isoformat().replace("+00:00", "Z") if isinstance(at, datetime) else str(at)


def _inside(value: object) -> str:
    """What a value's repr says, without the name of its type."""
    return repr(value).partition("(")[2].removesuffix(")")


def verdicts_hold(found: Sequence[Example]) -> State:
    """Whether every citation that was made holds."""
    verdicts = [one.verdict for one in found if one.verdict is not None]
    if not verdicts:
        return State.NOT_SHOWN
    return State.HOLDS if all(verdict.ok for verdict in verdicts) else State.FAILS
