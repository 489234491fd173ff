"""Generated twins: an old and a current passage that differ in one number, built so that an open ranking is fooled.

Invented. ``FINDERS`` and ``CUTS`` are every way in which a session can look for passages: a new way belongs in here.
"""

from __future__ import annotations

from dataclasses import dataclass

import workbench as wb

from .seals import FAMILY, Seals

PAIRS = 520
NOW = 6
PARTS = [
    "Gleitringdichtung",
    "Flansch",
    "Kupplung",
    "Lagerdeckel",
    "Stopfbuchse",
    "Laufrad",
    "Spaltring",
    "Fußschraube",
]

FINDERS = [wb.Strict(5), wb.Ranked(20), wb.Ranked(20, match="any"), wb.Ranked(500, match="any")]
CUTS = [wb.Paragraphs(), wb.Words(8, overlap=2)]


@dataclass(frozen=True)
class Twin:
    """One question with its trap: the current document, the old passage and number, and the question's scope."""

    number: int
    current: str
    old: str
    old_nm: int
    new_nm: int

    @property
    def scope(self) -> wb.Scope:
        return wb.Scope(FAMILY, f"torque-{self.number}", "C2", "EU")

    @property
    def request(self) -> wb.Request:
        return wb.Request(self.scope, at=NOW)

    @property
    def lure(self) -> str:
        """Names the old number, as who knows the old manual would ask."""
        return f"Anzugsmoment {self.part} Baureihe K{self.number} {self.old_nm} Nm"

    @property
    def plain(self) -> str:
        """Says nothing that distinguishes them; the old one stands first in document order."""
        return f"Anzugsmoment {self.part} Baureihe K{self.number}"

    @property
    def part(self) -> str:
        return PARTS[self.number % len(PARTS)]

    def text(self, nm: int) -> str:
        return f"Das Anzugsmoment für {self.part} der Baureihe K{self.number} beträgt {nm} Nm, über Kreuz."


def _twin(number: int, current: str, old: str) -> Twin:
    old_nm = 20 + number % 71
    return Twin(number, current.format(number), old.format(number), old_nm, old_nm + 1 + number % 7)


def two_documents() -> tuple[Seals, list[Twin]]:
    """The old revision is another document, still readable, and superseded from 5 on."""
    seals, twins = Seals(), [_twin(n, "b-neu-{:03}", "a-alt-{:03}") for n in range(PAIRS)]
    for twin in twins:
        procedure = f"torque-{twin.number}"
        seals.add(twin.old, twin.text(twin.old_nm))
        seals.add(twin.current, twin.text(twin.new_nm))
        seals.applies(twin.old, 0, procedure=procedure)
        seals.applies(twin.current, 5, procedure=procedure)
        seals.supersedes(twin.current, twin.old, 5, procedure=procedure)
    return seals, twins


def one_document() -> tuple[Seals, list[Twin]]:
    """Old and current passage in one manual: a bulletin replaced the old one's procedure, the rest stays in force."""
    seals, twins = Seals(), [_twin(n, "handbuch-{:03}", "handbuch-{:03}") for n in range(PAIRS)]
    for twin in twins:
        old, new = twin.text(twin.old_nm), twin.text(twin.new_nm)
        text = f"{old}\n\n{new}\n\nAnhang: {old}"
        replaced, procedure = f"replaced-{twin.number}", f"torque-{twin.number}"
        seals.add(twin.current, text)
        seals.add(f"zettel-{twin.number:03}", "Prüfen Sie die Dichtung vor dem Anziehen.")
        for name, start in ((twin.current, 0), (f"zettel-{twin.number:03}", 5)):
            seals.applies(name, start, procedure=replaced)
        seals.supersedes(f"zettel-{twin.number:03}", twin.current, 5, procedure=replaced)
        seals.applies(twin.current, 5, procedure=procedure)
        seals.located(twin.current, replaced, 0, len(old))
        seals.located(twin.current, procedure, len(old) + 2, len(old) + 2 + len(new))
    return seals, twins
