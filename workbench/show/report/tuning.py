"""The tuning result in a report: every setting, the curve, and in words whether any difference is shown."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from workbench.contract import Actor
from workbench.evidence.cuts import Cut
from workbench.show.report.page import Markup, State, element, heading, listed, paragraph, state, table, text
from workbench.show.report.world import World
from workbench.show.tables_timeline import Frame
from workbench.show.tables_tuning import tuning as curve
from workbench.study.compare import Difference, compare
from workbench.study.measures import all_measures
from workbench.study.questions import Question
from workbench.study.sweep import Match, summary, sweep

ACROSS: Final = 6
COUNTED: Final = {
    "questions": "How many were asked.",
    "answerable": "How many have their expected place in what their asker may see under the decision.",
    "out of view": "How many were searched although access or decision keep their expected place out.",
    "refused": "How many the register refused, so that no search ran.",
    "no hit": "How many found no passage.",
}


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is to be tuned: the questions and who asks them, the cuts, and how deep is looked."""

    questions: Sequence[Question]
    sha256: str
    actor: Actor
    cuts: Sequence[Cut]
    depth: int = 10
    match: Match = "any"


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """What came of it: the rows of the sweep, and each setting compared with the first one."""

    asked: Tuning
    rows: Frame
    differences: tuple[Difference, ...]

    @property
    def measure(self) -> str:
        """The measure that settings are compared in."""
        return f"Recall({self.asked.depth})"

    @property
    def breaches(self) -> list[str]:
        """Settings under which a hit was of a wrong revision, or one that its asker may not read: there may be none."""
        return [
            f"{row[name]:.3f} of the questions had a hit of {what} under {row['cut']}"
            for row in summary(self.rows).to_dicts()
            for name, what in (
                (f"WrongRevision({self.asked.depth})", "a revision that does not apply"),
                (f"Leak({self.asked.depth})", "a document that the asker may not read"),
            )
            if row[name]
        ]


def tuned(asked: Tuning, world: World) -> Tuned:
    """The sweep over these questions, and its comparisons, corrected for their number."""
    k = asked.depth
    measures = all_measures(k, asked.match)
    rows = sweep(
        world.corpus,
        asked.questions,
        actor=asked.actor,
        register=world.register,
        cuts=asked.cuts,
        measures=measures,
        depth=k,
        match=asked.match,
        clock=world.clock,
    )
    first = repr(asked.cuts[0])
    differences = compare(rows, f"Recall({k})", against=first) if len(asked.cuts) > 1 else ()
    return Tuned(asked, rows, differences)


def said(result: Tuned) -> list[str]:
    """The result in sentences: each comparison, and what no comparison can say."""
    if not result.differences:
        return ["One setting was measured, so there was nothing to compare it with."]
    return [
        f"{one.words} (95 % interval of the difference {one.low:+.3f} to {one.high:+.3f}, p {one.p:.4f})"
        for one in result.differences
    ]


def in_short(result: Tuned) -> str:
    """The result in half a sentence."""
    shown = sum("no difference shown" not in one.words for one in result.differences)
    first = repr(result.asked.cuts[0])
    if not result.differences:
        return f"{first} alone was measured"
    if not shown:
        return f"no difference shown between {first} and {len(result.differences)} others"
    return f"{shown} of {len(result.differences)} settings differ from {first} in {result.measure}"


def tuning_html(result: Tuned) -> list[Markup]:
    """The pieces of the section: verdicts, the curve with its figures, all measures."""
    asked, table_of = result.asked, summary(result.rows).to_dicts()
    held = State.FAILS if result.breaches else State.HOLDS
    made = [
        paragraph(
            f"{len(asked.questions)} questions, {len(asked.cuts)} settings, {asked.depth} passages looked at, "
            f"{asked.match} of the words. Figures are means over the questions that a measure applies to; intervals "
            "are 95 % bootstrap intervals over these questions, and say nothing of other ones."
        ),
        element(
            "p",
            state(held),
            text(" No hit was of a revision that does not apply, or of a document that its asker may not read."),
        ),
        listed(text(breach) for breach in result.breaches),
        heading("tuning-differences", "Is any difference real?"),
        listed(text(sentence) for sentence in said(result)),
        paragraph(
            f"Compared in {result.measure} by question: permutation test, corrected for the number of "
            "comparisons (Holm). A difference is only called one where the test and the interval both show it.",
            kind="note",
        ),
        heading("tuning-curve", f"{result.measure} by setting"),
        _picture(result),
        table(
            f"{result.measure} of each setting, with its 95 % interval",
            ["setting", "questions", "mean", "from", "to"],
            [
                [r["cut"], r["questions"], *(_figure(r[name]) for name in ("mean", "low", "high"))]
                for r in curve(result.rows, result.measure).to_dicts()
            ],
            numbers=(1, 2, 3, 4),
        ),
        heading("tuning-measures", "All measures"),
    ]
    names = [name for name in table_of[0] if name not in ("cut", "depth", "match")]
    for first in range(0, len(table_of), ACROSS):  # more would run off a printed page
        shown = table_of[first : first + ACROSS]
        which = f"settings {first + 1} to {first + len(shown)} of {len(table_of)}"
        head = ["measure", *(str(row["cut"]) for row in shown)]
        rows = [[name.replace("_", " "), *(_figure(row[name]) for row in shown)] for name in names]
        made.append(table(f"Each measure, {which}", head, rows, numbers=range(1, len(shown) + 1)))
    made.append(table("What the figures say", ["figure", "meaning"], [*COUNTED.items(), *_meanings(names)]))
    return made


def _meanings(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The measures in their own words."""
    for kind in map(type, all_measures(1, "any")):
        for name in names:
            if name.partition("(")[0] == kind.__name__:
                yield name, " ".join((kind.__doc__ or "").partition("\n\n")[0].replace("``", "").split())


def _figure(value: object) -> str:
    if value is None:
        return "does not apply"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _picture(result: Tuned) -> Markup:
    try:
        from workbench.show.plots import tuning  # here, so that a report needs no matplotlib
    except ImportError:
        return paragraph("The curve is not drawn: matplotlib is not installed (extra lab). Its figures follow.")
    raw = tuning(result.rows, result.measure)._repr_png_()
    what = f"{result.measure} against the size of a passage, with intervals; the next table holds every value drawn."
    data = base64.b64encode(raw).decode("ascii")
    image = Markup(f'<img src="data:image/png;base64,{data}" alt="{text(what)}">')
    return element("figure", image, element("figcaption", text(what)))
