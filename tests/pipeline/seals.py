"""A small invented plant as values: a register that is corrected, documents that change, all without files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import workbench as wb
from workbench.contract import fingerprint
from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.rows import Applicability, Equivalence, Revision, ScopeKey, Section, Supersession
from workbench.validity.settings import parse_settings

TENANT, FAMILY = "werk-nord", "pump-seal"
SETTINGS = {"name": "seals", "time": "logical", "rules": "direct", "whole_documents": True, "stewards": ["redaktion"]}
ALWAYS = Interval(0, UNBOUNDED)


def scope(procedure: str = "torque") -> wb.Scope:
    return wb.Scope(FAMILY, procedure, "C2", "EU")


def key(procedure: str = "torque", tenant: str = TENANT) -> ScopeKey:
    return ScopeKey(tenant, FAMILY, procedure, "C2", "EU")


@dataclass
class Seals:
    """What is in the cupboard: texts with their groups, and the register's rows; ``corpus`` and ``register`` of today.

    ``groups`` are who may read a document by the corpus, ``registered`` by the register.
    """

    texts: dict[str, str] = field(default_factory=dict)
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    registered: dict[str, frozenset[str]] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)
    rows: list[Applicability] = field(default_factory=list)
    relations: list[Supersession] = field(default_factory=list)
    equivalences: list[Equivalence] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    settings: dict[str, object] = field(default_factory=lambda: dict(SETTINGS))

    def add(self, name: str, text: str, *, groups: Iterable[str] = ("wartung",), language: str = "de") -> None:
        """A document, known to corpus and register alike."""
        self.texts[name] = text
        self.groups[name] = self.registered[name] = frozenset(groups)
        self.digests[name], self.languages[name] = fingerprint(text), language

    def applies(self, name: str, start: int = 0, end: int = UNBOUNDED, *, procedure: str = "torque") -> None:
        self.rows.append(
            Applicability(name, key(procedure), Interval(start, end), f"FG-{name}", ALWAYS, len(self.rows) + 2)
        )

    def supersedes(self, new: str, old: str, start: int = 0, *, procedure: str = "torque") -> None:
        effective, row = Interval(start, UNBOUNDED), len(self.relations) + 2
        self.relations.append(Supersession(new, old, key(procedure), effective, f"AB-{new}", ALWAYS, False, row))

    def edition(self, name: str, of: str, language: str) -> None:
        row = len(self.equivalences) + 2
        self.equivalences.append(Equivalence(f"EQ-{name}", name, of, language, f"PR-{name}", ALWAYS, row))

    def located(self, name: str, procedure: str, start: int, end: int) -> None:
        self.sections.append(Section(name, procedure, Interval(start, end), len(self.sections) + 2))

    @property
    def corpus(self) -> wb.Corpus:
        made = (
            wb.Document(name, TENANT, self.groups[name], "1", text, self.languages[name])
            for name, text in self.texts.items()
        )
        return wb.Corpus(made)

    @property
    def register(self) -> wb.Register:
        revisions = {
            name: Revision(name, FAMILY, TENANT, groups, self.languages[name], self.digests[name], None, None, row)
            for row, (name, groups) in enumerate(self.registered.items(), 2)
        }
        return wb.Register(
            settings=parse_settings(self.settings),
            revisions=revisions,
            applicability=tuple(self.rows),
            supersessions=tuple(self.relations),
            equivalences=tuple(self.equivalences),
            sections=tuple(self.sections),
        )

    def copy(self) -> Seals:
        """A copy that can be changed alone."""
        parts = {name: type(value)(value) for name, value in vars(self).items()}
        return replace(self, **parts)


def shipped() -> Seals:
    """S1's four documents in short: A [0,10), B [5,10) over A, C [10,...), and A in German."""
    made = Seals()
    made.add("manual-A", "Handbuch A.\n\nAnzugsmoment 40 Nm, zweimal anziehen.", language="en")
    made.add("bulletin-B", "Bulletin B.\n\nAnzugsmoment 45 Nm, zweimal anziehen.", language="en")
    made.add("manual-C", "Handbuch C.\n\nAnzugsmoment 50 Nm, zweimal anziehen.", language="en")
    made.add("manual-A-de", "Handbuch A, deutsch.\n\nAnzugsmoment 40 Nm, zweimal anziehen.", language="de")
    made.applies("manual-A", 0, 10)
    made.applies("bulletin-B", 5, 10)
    made.applies("manual-C", 10)
    made.supersedes("bulletin-B", "manual-A", 5)
    made.edition("manual-A-de", "manual-A", "de")
    return made
