"""What of a drafted answer can be checked: its citations, quotations and figures, statement by statement.

A draft is text with marks such as ``[1]``, and the manifest behind each mark. The check says what it finds and what it
cannot judge; it gives no share and no score, since there is no number for truth (S0, "Auch ein vollständiger Satz mit
einer Quellenangabe kann falsch sein").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from workbench.cards import card, sheet
from workbench.contract import Actor, Clock, Verdict
from workbench.evidence.corpus import Corpus
from workbench.pipeline.manifest import Manifest, ManifestError
from workbench.pipeline.statements import Part, figures, parts, quotations
from workbench.pipeline.verify import MALFORMED, verify
from workbench.validity.register import Register

NOT_JUDGED: Final = (
    "Not judged: whether a statement is true, whether the cited passage supports it or only shares its figures and "
    "words, figures written as words, conversions and sums, and what the draft leaves out."
)
Source = Manifest | Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Cited:
    """One mark of a statement: whether its manifest holds today, and under which label.

    ``verdict.reason`` is ``no_source`` where the draft brings no manifest for the mark.
    """

    mark: str
    verdict: Verdict
    label: str | None = None

    def __repr__(self) -> str:
        said = "ok" if self.verdict.ok else self.verdict.reason
        return f"[{self.mark}] {said}{', historical' if self.verdict.historical else ''}"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the draft, ``draft[start:end]``, and what was found about it.

    ``quotes`` and ``figures`` say of each quotation and figure whether it stands verbatim in a cited passage that
    holds; without such a passage they are not there to be found.
    """

    text: str
    start: int
    end: int
    cited: tuple[Cited, ...]
    quotes: tuple[tuple[str, bool], ...]
    figures: tuple[tuple[str, bool], ...]

    @property
    def findings(self) -> tuple[str, ...]:
        """What has to be looked at; none for a statement in which nothing was found, which is no proof of it."""
        found = [] if self.cited else ["not cited"]
        found += [f"[{one.mark}] {one.verdict.reason}" for one in self.cited if not one.verdict.ok]
        found += [f"quotation not in a cited passage: {text}" for text, there in self.quotes if not there]
        found += [f"figure not in a cited passage: {text}" for text, there in self.figures if not there]
        return tuple(found)

    @property
    def historical(self) -> bool:
        """Whether it rests on a passage that does not hold today, and has to say so."""
        return any(one.verdict.historical for one in self.cited)


@dataclass(frozen=True, slots=True)
class DraftReport:
    """The statements of a draft, in order, and what no check of this kind can judge."""

    statements: tuple[Statement, ...]
    not_judged: str = NOT_JUDGED

    @property
    def findings(self) -> tuple[tuple[int, str], ...]:
        """Every finding with the number of its statement, from 1."""
        return tuple((n, text) for n, one in enumerate(self.statements, 1) for text in one.findings)

    def mapping(self) -> dict[str, object]:
        """The report as JSON values."""
        return {
            "statements": [
                {
                    "text": one.text,
                    "start": one.start,
                    "end": one.end,
                    "cited": [
                        {"mark": c.mark, "ok": c.verdict.ok, "failed": c.verdict.failed, "label": c.label}
                        | {"historical": c.verdict.historical}
                        for c in one.cited
                    ],
                    "quotes": [{"text": text, "in_cited_passage": there} for text, there in one.quotes],
                    "figures": [{"text": text, "in_cited_passage": there} for text, there in one.figures],
                    "findings": list(one.findings),
                    "historical": one.historical,
                }
                for one in self.statements
            ],
            "not_judged": self.not_judged,
        }

    def __repr__(self) -> str:
        return f"DraftReport({len(self.statements)} statements, {len(self.findings)} findings)"

    def _repr_html_(self) -> str:
        rows = [
            (number, one.text, ", ".join(map(repr, one.cited)), "; ".join(one.findings) or "nothing found")
            for number, one in enumerate(self.statements, 1)
        ]
        made = sheet(repr(self), ("number", "statement", "cites", "to look at"), rows)
        return made + card("Not judged", [("by any check", self.not_judged)])


def check_draft(
    draft: str,
    sources: Mapping[str, Source],
    actor: Actor,
    corpus: Corpus,
    register: Register,
    *,
    clock: Clock | None = None,
) -> DraftReport:
    """What can be said of each statement of a draft, against corpus, register and access as they are now.

    ``sources`` holds the manifest (or its public form) behind each mark. A statement is a sentence or a line; marks
    stand in it or directly after its full stop. Each mark's manifest is verified; quotations and figures are looked
    for, as they are written, in the passages that hold.

    >>> from workbench.contract import Request, Scope
    >>> from workbench.pipeline.ask import ask
    >>> corpus, register = Corpus.read("data/pumps"), Register.read("data/pump-seal")
    >>> mechanic = Actor("werk-nord", {"wartung"})
    >>> request = Request(Scope("pump-seal", "seal-torque", "C2", "EU"), at=6)
    >>> found = ask(corpus, register, "Anzugsmoment", actor=mechanic, request=request)
    >>> draft = "Es gelten 45 Nm [1]. Früher waren es 40 Nm [1]. Vorher entlasten."
    >>> check_draft(draft, {"1": found.manifests[0]}, mechanic, corpus, register).findings
    ((2, 'figure not in a cited passage: 40 Nm'), (3, 'not cited'))
    """
    verdicts = {mark: _verified(source, actor, corpus, register, clock) for mark, source in sources.items()}
    return DraftReport(tuple(_statement(part, verdicts) for part in parts(draft)))


def _verified(
    source: Source, actor: Actor, corpus: Corpus, register: Register, clock: Clock | None
) -> tuple[Verdict, str | None]:
    try:
        manifest = source if isinstance(source, Manifest) else Manifest.of(source)
    except ManifestError:
        return MALFORMED, None
    verdict = verify(manifest, actor, corpus, register, clock=clock)
    return verdict, manifest.label_after(verdict) if verdict.ok else None


def _statement(part: Part, verdicts: Mapping[str, tuple[Verdict, str | None]]) -> Statement:
    missing = (Verdict(False, "no_source"), None)
    cited = tuple(Cited(mark, *verdicts.get(mark, missing)) for mark in part.marks)
    passages = [one.verdict.quote for one in cited if one.verdict.quote is not None]
    there = {figure for passage in passages for figure in figures(passage)}
    bare = {figure.split()[0] for figure in there}
    return Statement(
        text=part.text,
        start=part.start,
        end=part.end,
        cited=cited,
        quotes=tuple((text, any(text in passage for passage in passages)) for text in quotations(part.text)),
        figures=tuple(
            (figure, figure in (there if " " in figure else there | bare)) for figure in figures(part.unmarked)
        ),
    )
