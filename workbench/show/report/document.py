"""A report as one HTML page: summary first, then what failed and who owns it, then every detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from workbench.show.report.checklist import AGAIN, Outcome
from workbench.show.report.details import corpus_html, digests_html, environment_html, proofs_html, register_html
from workbench.show.report.examples import BROUGHT, MADE, OURS, examples_html
from workbench.show.report.made import Report
from workbench.show.report.page import (
    Cells,
    Marked,
    Markup,
    State,
    code,
    element,
    joined,
    link,
    listed,
    page,
    paragraph,
    section,
    state,
    table,
    text,
)
from workbench.show.report.tuning import in_short, tuning_html
from workbench.validity.findings import UNOWNED, worklist

TITLE: Final = "Evidence report"
PRIVATE: Final = (
    "For the operator and the auditor. This report names rows, owners, texts and refused scopes that no asker may see; "
    "do not hand it to askers."
)
MAKERS: Final = "whoever maintains the workbench"
KEEPERS: Final = "whoever keeps the corpus"
OWNERS: Final = "the owners named above"
REPAIR: Final = "release nothing until it is repaired"
PARTS: Final = {
    "checklist": ("Release checklist", "checklist"),
    "search": ("Checklist for a verifiable search", "search"),
    "register": ("Register check (every scope)", "register"),
    "corpus": ("Corpus check", "corpus"),
    "proofs": ("Proofs (51 conditions of retrieval, 21 of validity)", "proofs"),
    "tuning": ("Tuning", "tuning"),
    "examples": ("Questions with their sources", "examples"),
}
MOST_AGAINST: Final = 10


def report_html(made: Report) -> str:
    """The whole page. The same report gives the same text; everything from documents is escaped.

    >>> from workbench.show.report.made import report
    >>> page = report_html(report())
    >>> page.startswith("<!DOCTYPE html>"), "<script" in page
    (True, False)
    """
    sections = [
        section("summary", "Summary", *_summary(made)),
        section("failed", "What failed, and who owns it", *_failed(made)),
        section("checklist", "Release checklist", *_checklist(made.points)),
        section("search", "Checklist for a verifiable search", *_search(made.search)),
        section("register", "Register check", *register_html(made)),
        section("corpus", "Corpus check", *corpus_html(made)),
        section("tuning", "Tuning", *_tuning(made)),
        section("examples", "Questions with their sources", *_examples(made)),
        section("proofs", "Proofs", *proofs_html(made)),
        section("environment", "Environment", *environment_html()),
        section("digests", "Digests", *digests_html(made)),
    ]
    name = made.subject.name if made.subject is not None else "the workbench over its shipped data"
    head = element(
        "header",
        element("h1", text(f"{TITLE}: {name}")),
        element("p", element("strong", text("Confidential. ")), text(PRIVATE), class_="confidential"),
    )
    return page(f"{TITLE}: {name}", head, _contents(), element("main", *sections))


def _contents() -> Markup:
    places = {
        "summary": "Summary",
        "failed": "What failed, and who owns it",
        **{place: title for title, place in PARTS.values()},
        "environment": "Environment",
        "digests": "Digests",
    }
    return element(
        "nav", element("ol", *(element("li", link(*place)) for place in places.items())), aria_label="Contents"
    )


# --- summary --------------------------------------------------------------------------------------------------------


def _summary(made: Report) -> list[Markup]:
    failing = [title for part, (title, _) in PARTS.items() if made.states[part] is State.FAILS]
    verdict = state(State.HOLDS, "Nothing failed.") if made.ok else state(State.FAILS, f"Failed: {', '.join(failing)}.")
    present = made.subject.now if made.subject is not None else None
    return [
        element("p", verdict, text(f" Release checklist, {_of_points(made.points)}.")),
        paragraph(
            "A point holds here only if its check was run for this report and nothing spoke against it. "
            "“Not shown” is no failure and no success: nothing was run that could show it."
        ),
        table("At a glance", ["part", "outcome", "in short"], list(_glance(made))),
        paragraph(
            "In commands, CORPUS and REGISTER stand for the folders whose digests are given under Digests. "
            + (
                f"The present of this report is {present}, as it was named."
                if present
                else "No present was named (--now): every time in this report counts as past."
            ),
            kind="note",
        ),
    ]


def _glance(made: Report) -> Iterator[Cells]:
    cited = sum(one.verdict is not None for one in made.examples)
    short = {
        "checklist": _of_points(made.points),
        "search": _of_points(made.search),
        "register": _of_register(made),
        "corpus": f"{len(made.texts)} findings in the texts" if made.subject else "no corpus was given",
        "proofs": _of_proofs(made),
        "tuning": in_short(made.tuned) if made.tuned else "no questions were given",
        "examples": f"{len(made.examples)} questions, {cited} citations",
    }
    for part, (title, place) in PARTS.items():
        yield [Marked(link(place, title)), Marked(state(made.states[part])), short[part]]


def _of_points(points: Sequence[Outcome]) -> str:
    counts = Counter(point.state for point in points)
    words = ", ".join(f"{counts[each]} {each.value.removesuffix('s')}" for each in State if counts[each])
    failing = "; ".join(point.point.says.rstrip(".") for point in points if point.state is State.FAILS)
    return f"{len(points)} points: {words}" + (f" ({failing})" if failing else "")


def _of_register(made: Report) -> str:
    if made.subject is None:
        return "no register was given"
    owners = worklist(made.subject.findings)
    named = f"{len(owners)} owner{'' if len(owners) == 1 else 's'}" if owners else "nobody"
    loads = "" if made.subject.register is not None else "the register does not load; "
    return f"{loads}{len(made.subject.findings)} findings for {named}"


def _of_proofs(made: Report) -> str:
    if not made.proofs:
        return made.no_proof
    return ", ".join(f"{part} {sum(row.ok for row in rows)} of {len(rows)} hold" for part, rows in made.proofs.items())


# --- what failed ----------------------------------------------------------------------------------------------------


def _failed(made: Report) -> list[Markup]:
    rows = list(_faults(made))
    if not rows:
        return [paragraph("Nothing failed.")]
    return [
        paragraph("Each owner with what has to be decided or repaired; the details stand in the parts that are named."),
        table("Open work by owner", ["owner", "what", "cases", "what would repair it", "where"], rows, numbers=(2,)),
    ]


def _faults(made: Report) -> Iterator[Cells]:
    if made.subject is not None:
        for owner, found in worklist(made.subject.findings).items():
            remedies = {f.code: f.remedy for f in reversed(found)}
            for kind, count in Counter(f.code for f in found).items():
                who = "nobody is named" if owner == UNOWNED else owner
                yield [who, kind.value, count, remedies[kind], Marked(link("register", "Register check"))]
        ways_out = {f.code: f.remedy for f in reversed(made.texts)}
        for rule, count in Counter(f.code for f in made.texts).items():
            yield [KEEPERS, rule, count, ways_out[rule], Marked(link("corpus", "Corpus check"))]
    for part, rows in made.proofs.items():
        broken = [row for row in rows if not row.ok]
        if broken:
            what = f"conditions of {part} that do not hold"
            yield [MAKERS, what, len(broken), REPAIR, Marked(link(part, "Proofs"))]
    for point in (*made.points, *made.search):
        if point.state is State.FAILS:
            where = Marked(link(f"point-{point.point.name}", "Release checklist"))
            owner, way_out = (MAKERS, REPAIR) if point.point.check is None else (OWNERS, "the rows named above")
            yield [owner, f"does not hold: {point.point.says}", len(point.against), way_out, where]
    if made.tuned is not None and made.tuned.breaches:
        breaches = "settings with wrong revisions or unreadable documents"
        yield [MAKERS, breaches, len(made.tuned.breaches), REPAIR, Marked(link("tuning", "Tuning"))]
    wrong = [one for one in made.examples if one.verdict is not None and not one.verdict.ok]
    if wrong:
        yield [MAKERS, "citations that do not hold", len(wrong), REPAIR, Marked(link("examples", "Questions"))]


# --- the checklist --------------------------------------------------------------------------------------------------


def _checklist(points: Sequence[Outcome]) -> list[Markup]:
    made = [
        paragraph(
            "Every point of the release checklist, with the check that was run for this report and what it saw. "
            "Searches are asked by a test persona that holds every group of its tenant."
        ),
        element(
            "p",
            text("The same checks again: "),
            code(AGAIN),
            text(". The command at a point looks deeper, the tests at the shipped texts."),
        ),
    ]
    for group in dict.fromkeys(point.point.group for point in points):
        rows = [_point(point) for point in points if point.point.group == group]
        made.append(
            table(
                f"{group}: points of the release checklist",
                ["point", "outcome", "what was seen, and how to see it again"],
                rows,
                kind="points",
            )
        )
    return made


def _search(points: Sequence[Outcome]) -> list[Markup]:
    head = ["point", "outcome", "what was seen, and how to see it again"]
    return [
        paragraph(
            "What the conditions of the proofs show of a search whose results can be checked, and what they cannot."
        ),
        table("A verifiable search", head, [_point(point) for point in points], kind="points"),
    ]


def _point(point: Outcome) -> Cells:
    name = element("span", text(point.point.says), id=f"point-{point.point.name}")
    parts = [element("p", text(point.said))]
    if point.against:
        shown = [text(line) for line in point.against[:MOST_AGAINST]]
        left = len(point.against) - len(shown)
        parts.append(listed([*shown, text(f"and {left} more")] if left else shown))
    if point.conditions:
        each = ((f"{part}-{n}", f"{part} {n}{'' if ok else ' (fails)'}") for part, n, ok in point.conditions)
        links = joined((link(*one) for one in each), ", ")
        parts.append(element("p", text("Rests also on conditions "), links, text("."), class_="note"))
    parts.append(element("p", text("Again: "), code(point.point.again), class_="note"))
    return [Marked(name), Marked(state(point.state)), Marked(joined(parts))]


# --- parts that may be absent ---------------------------------------------------------------------------------------


def _tuning(made: Report) -> list[Markup]:
    if made.tuned is None:
        return [element("p", state(State.NOT_SHOWN), text(": no questions were given (--questions)."))]
    return tuning_html(made.tuned)


def _examples(made: Report) -> list[Markup]:
    if not made.examples:
        return [element("p", state(State.NOT_SHOWN), text(": there is nothing to ask."))]
    whose = BROUGHT if made.tuned is not None else OURS if made.subject is None else MADE
    return examples_html(made.examples, whose)
