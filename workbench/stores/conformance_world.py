"""Small invented worlds for the conformance run: documents and register rows as values, without files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from workbench.contract import Document, Scope, fingerprint
from workbench.evidence.corpus import Corpus
from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.instants import Kind
from workbench.validity.register import Register
from workbench.validity.rows import Applicability, Equivalence, Revision, ScopeKey, Section, Supersession
from workbench.validity.settings import parse_settings

FAMILY: Final = "pumpe"
ALWAYS: Final = Interval(0, UNBOUNDED)
# Umlauts, characters outside the BMP, combining marks, line ends of two kinds, blank paragraphs.
TEXTS: Final = (
    "Handbuch A.\n\nAnzugsmoment 40 Nm, zweimal anziehen.",
    "Blatt B: Öl prüfen.\n\n\n\n🔧 Anzugsmoment 45 Nm; 👩‍🚒 danach sichern!\n\nEnde",
    "Fu\u0308r Anlage C: Anzugsmoment 50 Nm.\r\nZweite Zeile\u2028dritte.\n\n \n\nAnhang 𝒳",
    "\n\nAnzugsmoment, Größe: »x«\t'y' \"z\"",
)
HOSTILE: Final = (
    "O'Brien",
    '"; DROP TABLE passages; --',
    "' or 1 eq 1 or '",
    "x') or applies/any(a: true) or search.in(tenant, 'x",
    "a,b|c;d\u001fe f",
    '{"must": []}',
    "\\' OR ''='",
    "{wartung,NULL}",
    "%s %(tenant)s $1 {0}",
    "*",
    "ä\u0308🔧\u202e",
    " leer ",
)


@dataclass
class World:
    """Documents and register rows of one tenant; each method adds something and gives the world back."""

    tenant: str = "nord"
    kind: Kind = "logical"
    documents: dict[str, Document] = field(default_factory=dict)
    rows: list[Applicability] = field(default_factory=list)
    relations: list[Supersession] = field(default_factory=list)
    equivalences: list[Equivalence] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)

    def add(
        self,
        name: str,
        text: str,
        *,
        groups: Iterable[str] = ("wartung",),
        tenant: str | None = None,
        language: str = "en",
    ) -> World:
        """A document, in corpus and register alike; one of the same name is replaced."""
        of = self.tenant if tenant is None else tenant
        self.documents[name] = Document(name, of, frozenset(groups), "1", text, language)
        return self

    def key(self, configuration: str = "C2", region: str = "EU", procedure: str = "moment") -> ScopeKey:
        """A scope of this world's tenant."""
        return ScopeKey(self.tenant, FAMILY, procedure, configuration, region)

    def scope(self, key: ScopeKey) -> Scope:
        """The scope as a request names it."""
        return Scope(key.family, key.procedure, key.configuration, key.region)

    def applies(self, name: str, key: ScopeKey, start: int = 0, end: int = UNBOUNDED) -> World:
        """A row of the register."""
        row = len(self.rows) + 2
        self.rows.append(Applicability(name, key, Interval(start, end), "FG-1", ALWAYS, row))
        return self

    def supersedes(self, new: str, old: str, key: ScopeKey, start: int) -> World:
        """A relation of the register."""
        effective = Interval(start, UNBOUNDED)
        self.relations.append(Supersession(new, old, key, effective, "FG-2", ALWAYS, False, len(self.relations) + 2))
        return self

    def edition(self, name: str, of: str, language: str) -> World:
        """A reviewed translation."""
        self.equivalences.append(Equivalence(f"EQ-{name}", name, of, language, "PR-1", ALWAYS, 2))
        return self

    def located(self, name: str, procedure: str, start: int, end: int) -> World:
        """Where a procedure stands in a document."""
        self.sections.append(Section(name, procedure, Interval(start, end), len(self.sections) + 2))
        return self

    @property
    def corpus(self) -> Corpus:
        """The documents."""
        return Corpus(self.documents.values())

    @property
    def register(self) -> Register:
        """The rows, over these documents."""
        revisions = {
            d.id: Revision(d.id, FAMILY, d.tenant, d.groups, d.language or "", fingerprint(d.text), None, None, row)
            for row, d in enumerate(self.documents.values(), 2)
        }
        return Register(
            settings=parse_settings({"name": "w", "time": self.kind, "rules": "direct", "whole_documents": True}),
            revisions=revisions,
            applicability=tuple(self.rows),
            supersessions=tuple(self.relations),
            equivalences=tuple(self.equivalences),
            sections=tuple(self.sections),
        )


def twins(*, editions: bool = True) -> World:
    """S1's course of things: A [0,10), B [5,10) over A, C [10,unbounded), and A in German; nearly the same words."""
    world = World()
    for name, torque in (("A", 40), ("B", 45), ("C", 50)):
        world.add(name, f"Document {name}.\n\nAnzugsmoment {torque} Nm, zweimal anziehen.")
    world.applies("A", world.key(), 0, 10).applies("B", world.key(), 5, 10).applies("C", world.key(), 10)
    world.supersedes("B", "A", world.key(), 5)
    if editions:
        world.add("A-de", "Handbuch A.\n\nAnzugsmoment 40 Nm, zweimal anziehen.", language="de")
        world.edition("A-de", "A", "de")
    return world
