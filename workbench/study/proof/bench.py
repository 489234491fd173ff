"""The bench of the 51 conditions: five fictional documents, and a place into which any retriever can be put."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from workbench.contract import Actor, Document, Hit, Verdict
from workbench.errors import InputError, QueryRefused
from workbench.evidence import fts
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus

MECHANIC: Final = Actor("werk-nord", {"wartung"})
"""The actor of the conditions: one tenant, one group."""
READABLE: Final = ("ablauf", "notiz", "rundgang")
FIVE: Final = (*READABLE, "budget", "suedwerk")


class Retriever(Protocol):
    """What the conditions are asked of: a search and a resolution over a list of documents, as in S0."""

    @property
    def name(self) -> str:
        """How a row names it where retrievers differ."""
        ...

    def search(self, actor: Actor, query: object, documents: Sequence[Document], limit: object = 3) -> list[Hit]:
        """The hits; QueryRefused or InputError for what the contract refuses."""
        ...

    def resolve(self, actor: Actor, citation: Mapping[str, object], documents: Sequence[Document]) -> Verdict:
        """Whether the citation holds; InputError for a duplicate id."""
        ...


@dataclass(frozen=True, slots=True)
class Shipped:
    """The way that every caller goes: ``Corpus``, ``view.search``, ``resolve_citation``."""

    name: str = "view"

    def search(self, actor: Actor, query: object, documents: Sequence[Document], limit: object = 3) -> list[Hit]:
        """``view.search``, whatever index stands behind it."""
        return Corpus(documents).view(actor).search(query, limit)  # type: ignore[arg-type]  # wrong types are asked too

    def resolve(self, actor: Actor, citation: Mapping[str, object], documents: Sequence[Document]) -> Verdict:
        """``resolve_citation``, which needs no SQLite."""
        return resolve_citation(actor, citation, Corpus(documents))


@dataclass(frozen=True, slots=True)
class Strict:
    """The strict retriever, a fresh FTS5 table for each question, on one build of SQLite."""

    engine: fts.Engine

    @property
    def name(self) -> str:
        """The library's name."""
        return self.engine.name

    def search(self, actor: Actor, query: object, documents: Sequence[Document], limit: object = 3) -> list[Hit]:
        """The reference search over the actor's view."""
        return fts.search(Corpus(documents).view(actor), query, limit, engine=self.engine)

    def resolve(self, actor: Actor, citation: Mapping[str, object], documents: Sequence[Document]) -> Verdict:
        """``resolve_citation``, which needs no SQLite."""
        return resolve_citation(actor, citation, Corpus(documents))


SHIPPED: Final[tuple[Retriever, ...]] = (Strict(fts.APSW), Strict(fts.STANDARD), Shipped())


def data_folder(name: str) -> Path:
    """Where a folder of the shipped data lies: beside the package, as in a checkout; InputError where it does not.

    >>> data_folder("pumps").name
    'pumps'
    """
    folder = Path(__file__).resolve().parents[3] / "data" / name
    if not folder.is_dir():
        remedy = "install from a checkout with pip install -e ."
        raise InputError("the proof's documents are part of the checkout and not here", file=str(folder), remedy=remedy)
    return folder


def five_documents(folder: Path | None = None) -> tuple[Document, ...]:
    """The five documents of the conditions, in the order of :data:`FIVE`; InputError naming one that is missing.

    >>> [document.id for document in five_documents()]
    ['ablauf', 'notiz', 'rundgang', 'budget', 'suedwerk']
    """
    place = data_folder("pumps") if folder is None else folder
    corpus = Corpus.read(place)
    found = [corpus.get(name) for name in FIVE]
    for name, document in zip(FIVE, found, strict=True):
        if document is None:
            raise InputError("a document of the proof is missing", file=str(place), column="id", found=name)
    return tuple(document for document in found if document is not None)


@dataclass(frozen=True, slots=True)
class Bench:
    """A retriever over the five documents, and the words for what it answers."""

    retriever: Retriever
    documents: tuple[Document, ...]

    def document(self, name: str) -> Document:
        """The document of this id."""
        return next(document for document in self.documents if document.id == name)

    def find(
        self, query: object, *, limit: object = 5, actor: Actor = MECHANIC, among: Sequence[Document] | None = None
    ) -> list[Hit]:
        """The retriever's hits over the five documents, or over others."""
        return self.retriever.search(actor, query, self.documents if among is None else among, limit)

    def outcome(self, query: object, *, limit: object = 5, among: Sequence[Document] | None = None) -> str:
        """Whether a search is ``refused`` or ``accepted``."""
        return outcome(lambda: self.find(query, limit=limit, among=among))

    def resolve(
        self, citation: Mapping[str, object], *, actor: Actor = MECHANIC, among: Sequence[Document] | None = None
    ) -> str:
        """``ok``, or the reason of the refusal."""
        verdict = self.retriever.resolve(actor, citation, self.documents if among is None else among)
        return "ok" if verdict.ok else str(verdict.reason)

    def places(
        self, query: object, *, actor: Actor = MECHANIC, among: Sequence[Document] | None = None, limit: object = 5
    ) -> str:
        """The hits as places in their order, such as ``ablauf 2, ablauf 4``; ``nothing`` where there is none."""
        return places(self.find(query, actor=actor, among=among, limit=limit))

    def each(self, *queries: str, among: Sequence[Document] | None = None) -> str:
        """The places of several queries, said once where all are the same."""
        return unanimous({repr(query): self.places(query, among=among) for query in queries})

    def every(self, *queries: str) -> str:
        """The places of several queries, each named."""
        return "; ".join(f"{query} → {self.places(query)}" for query in queries)


def invented(name: str, text: str, *, tenant: str = "werk-nord", groups: Sequence[str] = ("wartung",)) -> Document:
    """A further fictional document, made for one condition."""
    return Document(name, tenant, frozenset(groups), "1", text)


def s0(hit: Hit) -> dict[str, object]:
    """A hit as a citation in S0's own five fields."""
    names = ("document_id", "version", "content_sha256", "paragraph", "quote")
    return {name: getattr(hit, name) for name in names}


def places(hits: Iterable[Hit]) -> str:
    """Hits as places: document id and paragraph number."""
    return ", ".join(f"{hit.document_id} {hit.paragraph}" for hit in hits) or "nothing"


def unanimous(said: Mapping[str, str]) -> str:
    """What all say, once; where they differ, who says what.

    >>> unanimous({"a": "ok", "b": "ok"}), unanimous({"a": "ok", "b": "gone"})
    ('ok', 'a: ok; b: gone')
    """
    return said[next(iter(said))] if len(set(said.values())) == 1 else "; ".join(f"{k}: {v}" for k, v in said.items())


def outcome(attempt: Callable[[], object]) -> str:
    """``refused`` where the contract's own errors say so, else ``accepted``; other errors are failures of their own.

    >>> outcome(lambda: [])
    'accepted'
    """
    try:
        attempt()
    except (QueryRefused, InputError):
        return "refused"
    return "accepted"
