"""A corpus: immutable documents under unique ids, each with its fingerprint (contract 1, 2.11, 5; S0)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar, cast

from workbench.contract import Actor, Decision, Document, fingerprint, group_set
from workbench.errors import InputError, shown
from workbench.evidence.access import need_actor
from workbench.evidence.index import Index, index_of
from workbench.evidence.reading import read_archive, read_documents, read_texts
from workbench.evidence.upkeep import Source, commit, open_index, source_of
from workbench.evidence.view import View

Made = TypeVar("Made")
MOST_KEPT: Final = 256
Key = tuple[str, str, str]
"""What names one state of a document: id, version, fingerprint."""


@dataclass(frozen=True)
class State:
    """The documents of a corpus at one moment; a view searches one state and never two."""

    documents: Mapping[str, Document]
    fingerprints: Mapping[str, str]
    archive: Mapping[Key, Document] = field(default_factory=dict)
    _kept: dict[object, object] = field(default_factory=dict, repr=False, compare=False)

    def remembered(self, key: object, make: Callable[[], Made]) -> Made:
        """What was worked out for a key in this state before, or now: who may read what does not change within it."""
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = make()
        return cast(Made, found)

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

    @cached_property
    def classes(self) -> Mapping[tuple[str, frozenset[str]], list[str]]:
        """The ids of the documents by tenant and groups: who may read one of a class may read all of it."""
        found: dict[tuple[str, frozenset[str]], list[str]] = {}
        for document in self.documents.values():
            found.setdefault((document.tenant, document.groups), []).append(document.id)
        return found

    def changed(self, *, put: Iterable[Document] = (), gone: Iterable[str] = (), archive: bool = False) -> State:
        """The state with some documents put in (new or in place of those with their id) and some taken out.

        What is replaced goes to the archive if asked. The index, where there is one, is carried on and not made anew.
        """
        new, out = [checked(document) for document in put], set(gone)
        documents = {name: d for name, d in self.documents.items() if name not in out}
        prints = {name: p for name, p in self.fingerprints.items() if name not in out}
        kept = dict(self.archive)
        for document in new:
            if archive and document.id in documents:
                kept[document.id, documents[document.id].version, prints[document.id]] = documents[document.id]
            documents[document.id], prints[document.id] = document, fingerprint(document.text)
        found = State(MappingProxyType(documents), MappingProxyType(prints), MappingProxyType(kept))
        if "index" in self.__dict__:
            reread = [d for d in new if d.id not in self.documents or self.documents[d.id].text != d.text]
            found.__dict__["index"] = self.index.changed(gone=out | {d.id for d in reread}, new=reread)
        return found

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

    def __init__(self, documents: Iterable[Document], archive: Iterable[Document] = ()) -> None:
        """Raises InputError for a duplicate id, a lone surrogate or a wrong type, naming the document.

        The archive holds replaced states of documents, unique by id, version and text (contract 2.8).
        """
        self._state = state_of(documents, archive)
        self._source: Source | None = None

    @classmethod
    def read(cls, folder: str | Path) -> Corpus:
        """The corpus in a folder's ``documents.csv``, ``.jsonl`` or ``.parquet`` (contract 5).

        Columns: id, tenant, groups, version, [language], and text or path. A path is relative and stays in the folder.
        An ``archive`` table beside it has the same columns. An index made by ``workbench index`` is used where it is of
        exactly these documents. Raises InputError naming file, row and column, or the index where it is damaged.
        """
        path = Path(folder)
        source = source_of(path)
        corpus = cls(read_documents(path), read_archive(path))
        corpus._source = source
        index = open_index(path, corpus.state)
        if index is not None:
            corpus._state.__dict__["index"] = index
        return corpus

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

    @property
    def folder(self) -> Path | None:
        """The folder that it was read from or last written to; ``None`` for one that lives in memory only."""
        return None if self._source is None else self._source.table.parent

    def view(self, actor: Actor, decision: Decision | None = None) -> View:
        """What this actor may search: its readable documents, or the passages that a RESOLVED decision allows.

        Raises ContextError on a decision that is not RESOLVED, not this actor's or not of this corpus (contract 4.1,
        4.2), and TypeError for anyone but an Actor.
        """
        return View(self, need_actor(actor), decision)

    def add(self, document: Document) -> None:
        """Take a document in; InputError where its id is there already. Every view sees it at its next search."""
        if self.get(checked(document).id) is not None:
            raise InputError("the id is there already", column="id", found=document.id, remedy="replace it, or rename")
        self._state = self._state.changed(put=[document])

    def replace(self, document: Document, *, archive: bool = True) -> None:
        """Put a document in place of the one with its id, which goes to the archive unless told otherwise."""
        self._need(document.id)
        self._state = self._state.changed(put=[document], archive=archive)

    def remove(self, document_id: str) -> None:
        """Take a document out; citations of it, of archived states too, are ``unavailable`` from now on."""
        self._state = self._state.changed(gone=[self._need(document_id).id])

    def regroup(self, document_id: str, groups: Iterable[str]) -> None:
        """Give a document other groups; a group that lost access has lost it at the next search."""
        document = replace(self._need(document_id), groups=group_set(groups))
        self._state = self._state.changed(put=[document])

    def save(self, folder: str | Path | None = None) -> Path:
        """Write documents, archive and index; the corpus is the old one or the new one, whenever it is interrupted.

        Without a folder, to the one it was read from, in the same kind of table. Raises InputError where another writer
        has changed that folder since. Answers the path of the documents' table.
        """
        self._source = commit(self._state, self._source, None if folder is None else Path(folder))
        return self._source.table

    def _need(self, document_id: str) -> Document:
        found = self.get(document_id)
        if found is None:
            raise InputError("there is no such document", column="id", found=document_id)
        return found

    def __len__(self) -> int:
        return len(self._state.documents)

    def __repr__(self) -> str:
        count = len(self)
        return f"Corpus({count} document{'' if count == 1 else 's'}, digest {self.digest[:4]}…)"


def state_of(documents: Iterable[Document], archive: Iterable[Document] = ()) -> State:
    """The checked state of these documents (contract 2.11)."""
    by_id: dict[str, Document] = {}
    prints: dict[str, str] = {}
    for document in documents:
        checked(document)
        if document.id in by_id:
            raise InputError("the id is there twice", column="id", found=document.id, remedy="ids are unique")
        by_id[document.id] = document
        prints[document.id] = fingerprint(document.text)
    replaced: dict[Key, Document] = {}
    for document in archive:
        key = (checked(document).id, document.version, fingerprint(document.text))
        if key in replaced:
            raise InputError("this state is in the archive twice", column="id", found=document.id)
        replaced[key] = document
    return State(MappingProxyType(by_id), MappingProxyType(prints), MappingProxyType(replaced))


def checked(document: object) -> Document:
    """The document itself, unless it is none, has parts of wrong types, or holds text that UTF-8 cannot hold."""
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
    return document


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
