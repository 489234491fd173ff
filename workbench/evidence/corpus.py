"""A corpus: immutable documents under unique ids, each with its fingerprint (contract 1, 2.11, 5; S0)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from workbench.contract import Actor, Decision, Document, fingerprint
from workbench.errors import InputError, shown
from workbench.evidence.access import need_actor
from workbench.evidence.index import Index, index_of
from workbench.evidence.reading import read_documents, read_texts
from workbench.evidence.view import View


@dataclass(frozen=True)
class State:
    """The documents of a corpus at one moment; a view searches one state and never two."""

    documents: Mapping[str, Document]
    fingerprints: Mapping[str, str]

    @cached_property
    def rows(self) -> Mapping[str, bytes]:
        """For each document the digest of what says who it is: id, tenant, groups, version, language, fingerprint."""
        return MappingProxyType({d.id: _row(d, self.fingerprints[d.id]) for d in self.documents.values()})

    @cached_property
    def digest(self) -> str:
        """The digest over all rows; the order in which documents were given does not matter."""
        return self.digest_of(self.documents)

    @cached_property
    def index(self) -> Index:
        """The index of the documents, made at the first search."""
        return index_of(self.documents.values())

    def digest_of(self, ids: Iterable[str]) -> str:
        """The digest over some documents' rows."""
        return hashlib.sha256(b"".join(self.rows[name] for name in sorted(ids))).hexdigest()


class Corpus:
    """Documents that can be searched, each actor's through a view of its own.

    >>> corpus = Corpus([Document("a", "nord", frozenset({"wartung"}), "1", "Zwei Personen.\\n\\nFreigabe")])
    >>> corpus
    Corpus(1 document, digest 7d97…)
    >>> corpus.view(Actor("nord", {"wartung"})).search("Freigabe")
    [Hit('a', paragraph 2, [16,24), Paragraphs())]
    >>> corpus.view(Actor("nord", {"leitung"})).search("Freigabe")
    []
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        """Raises InputError for a duplicate id, a lone surrogate or a wrong type, naming the document."""
        self._state = state_of(documents)

    @classmethod
    def read(cls, folder: str | Path) -> Corpus:
        """The corpus in a folder's ``documents.csv``, ``.jsonl`` or ``.parquet`` (contract 5).

        Columns: id, tenant, groups, version, [language], and text or path. A path is relative and stays in the folder.
        Raises InputError naming file, row and column.
        """
        return cls(read_documents(Path(folder)))

    @classmethod
    def from_texts(
        cls,
        folder: str | Path,
        *,
        tenant: str,
        groups: Iterable[str],
        version: str,
        language: str | None = None,
    ) -> Corpus:
        """A folder of texts (``.txt`` and ``.md``, below it too) as a corpus; the relative path is a document's id.

        Whose the texts are is said, never guessed: tenant, groups and version hold for all of them.
        """
        return cls(read_texts(Path(folder), tenant=tenant, groups=groups, version=version, language=language))

    @property
    def state(self) -> State:
        """The documents as they are now, as one consistent value."""
        return self._state

    @property
    def documents(self) -> tuple[Document, ...]:
        """All documents, in the order in which they were given: for whoever has the files, not for an actor."""
        return tuple(self._state.documents.values())

    @property
    def digest(self) -> str:
        """The digest over ids, tenants, groups, versions, languages and fingerprints."""
        return self._state.digest

    def get(self, document_id: str) -> Document | None:
        """The document of this id, or ``None``: for whoever has the files, not for an actor."""
        return self._state.documents.get(document_id)

    def fingerprint(self, document_id: str) -> str:
        """The SHA-256 of the document's whole text; KeyError where there is none."""
        return self._state.fingerprints[document_id]

    def view(self, actor: Actor, decision: Decision | None = None) -> View:
        """What this actor may search: its readable documents, or the passages that a RESOLVED decision allows.

        Raises ContextError on a decision that is not RESOLVED, not this actor's or not of this corpus (contract 4.1,
        4.2), and TypeError for anyone but an Actor.
        """
        return View(self, need_actor(actor), decision)

    def __len__(self) -> int:
        return len(self._state.documents)

    def __repr__(self) -> str:
        count = len(self)
        return f"Corpus({count} document{'' if count == 1 else 's'}, digest {self.digest[:4]}…)"


def state_of(documents: Iterable[Document]) -> State:
    """The checked state of these documents (contract 2.11)."""
    by_id: dict[str, Document] = {}
    prints: dict[str, str] = {}
    for document in documents:
        check_document(document)
        if document.id in by_id:
            raise InputError("the id is there twice", column="id", found=document.id, remedy="ids are unique")
        by_id[document.id] = document
        prints[document.id] = fingerprint(document.text)
    return State(MappingProxyType(by_id), MappingProxyType(prints))


def check_document(document: object) -> None:
    """Refuse what is no document, has parts of wrong types, or holds text that UTF-8 cannot hold."""
    if not isinstance(document, Document):
        raise InputError("this is no Document", found=document, remedy="build it with Document(...)")
    for column in ("id", "tenant", "version", "text", "language"):
        value = getattr(document, column)
        if column == "language" and value is None:
            continue
        if not isinstance(value, str):
            found = f"document {shown(document.id)}: text is wanted, not {type(value).__name__}"
            raise InputError(found, column=column)
        _check_text(document, column, value)
    for group in document.groups:
        _check_text(document, "groups", group)


def _check_text(document: Document, column: str, value: str) -> None:
    if value.isascii():
        return
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"document {shown(document.id)}: the text holds a lone surrogate at character {error.start}",
            column=column,
            remedy="repair the source's encoding",
        ) from None


def _row(document: Document, sha256: str) -> bytes:
    fields = [document.id, document.tenant, sorted(document.groups), document.version, document.language, sha256]
    return hashlib.sha256(json.dumps(fields, ensure_ascii=False).encode("utf-8")).digest()
