"""Findings between a register and a corpus: access is register AND corpus, and texts are immutable (contract 3.8, 3.11,
3.13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.contract import braces, fingerprint
from workbench.validity.findings import Code, Finding
from workbench.validity.register import Register

if TYPE_CHECKING:
    from workbench.validity.checks import Documents

SEPARATOR = "\n\n"


def against_corpus(register: Register, corpus: Documents) -> Iterator[Finding]:
    """Documents that are absent, changed, or open to others than the register says; sections off paragraph borders."""
    texts: dict[str, str] = {}
    for revision in register.revisions.values():
        owner, place = revision.owner or register.settings.owner, ("revisions", revision.row)
        document = corpus.get(revision.id)
        if document is None:
            said = f"the corpus holds no document {revision.id}; its scope is answered UNAVAILABLE"
            yield Finding(Code.DOCUMENT_ABSENT, *place, said, owner, "add the document to the corpus")
            continue
        texts[revision.id] = document.text
        if fingerprint(document.text) != revision.source_digest:
            said = f"the text of {revision.id} is not the one that was approved"
            remedy = "restore the text; a corrected text is a new revision"
            yield Finding(Code.DIGEST_MISMATCH, *place, said, owner, remedy)
        if (document.tenant, document.groups) != (revision.tenant, revision.groups):
            said = (
                f"{revision.id} is {revision.tenant} {braces(revision.groups)} in the register and "
                f"{document.tenant} {braces(document.groups)} in the corpus; only who may read both is answered"
            )
            yield Finding(Code.ACCESS_MISMATCH, *place, said, owner, "make the two agree")
    yield from _sections(register, texts)


def _sections(register: Register, texts: dict[str, str]) -> Iterator[Finding]:
    borders: dict[str, set[int]] = {}
    for section in register.sections:
        text = texts.get(section.document_id)
        if text is None:
            continue
        if section.document_id not in borders:
            borders[section.document_id] = _borders(text)
        off = [bound for bound in section.span if bound not in borders[section.document_id]]
        if off:
            owner = register.revisions[section.document_id].owner or register.settings.owner
            said = f"{section.procedure} in {section.document_id}: {' and '.join(map(str, off))} on no paragraph border"
            remedy = "sections begin and end with whole paragraphs"
            yield Finding(Code.SECTION_OFF_BORDERS, "sections", section.row, said, owner, remedy)


def _borders(text: str) -> set[int]:
    """Where paragraphs begin and end; a separator may belong to either side."""
    found, place = {0, len(text)}, text.find(SEPARATOR)
    while place >= 0:
        found |= {place, place + len(SEPARATOR)}
        place = text.find(SEPARATOR, place + len(SEPARATOR))
    return found
