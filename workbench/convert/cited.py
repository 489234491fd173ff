"""Where a citation stands in its source: page and boxes, element, or line, and the cells of tables (contract 2.11; S0).

For whoever has the files: resolve a citation with its actor first, and then open its source. A page shows more than the
quote, all of it from the document that the citation names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.contract import Citation, Hit
from workbench.convert.places import Box, Cell, Element, Line, around
from workbench.convert.provenance import read_line
from workbench.errors import EvidenceError, InputError

_BREAK: Final = "\n\n"


@dataclass(frozen=True, slots=True)
class Cited:
    """The places of a quote. Of ``boxes``, ``elements`` and ``lines`` those are filled that the kind of source has.

    ``cells`` are those of tables that the quote names, headings included; ``source`` is the copy in the corpus folder.
    """

    document_id: str
    start: int
    end: int
    kind: str
    source: str
    source_sha256: str
    boxes: tuple[Box, ...] = ()
    elements: tuple[tuple[str, str, int], ...] = ()
    lines: tuple[Line, ...] = ()
    cells: tuple[Cell, ...] = ()

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages that the quote stands on."""
        return tuple(sorted({box.page for box in self.boxes}))

    def __repr__(self) -> str:
        where = ""
        if self.pages:
            where = f", page {'–'.join(map(str, sorted({self.pages[0], self.pages[-1]})))}"
        elif self.lines:
            where = f", line {self.lines[0].line}"
        elif self.elements:
            where = f", {self.elements[0][0]}"
        return f"Cited({self.document_id!r}, [{self.start},{self.end}){where})"


def place_of(corpus_folder: str | Path, citation: Citation | Hit | Mapping[str, object]) -> Cited:
    """Where the cited passage stands in the file that its document was imported from.

    Boxes are one for each line of the quote, in PDF points in the page's own coordinates; an element is its path, the
    nearest id, and its line in the file. Raises EvidenceError where the citation is not of the imported text, and
    InputError where the corpus or the document has no provenance.
    """
    folder = Path(corpus_folder)
    given = citation if isinstance(citation, Mapping) else _mapping(citation)
    name = given.get("document_id")
    if not isinstance(name, str):
        raise EvidenceError("the citation names no document")
    found = read_line(folder, name)
    if given.get("content_sha256") != found["content_sha256"]:
        raise EvidenceError("the citation is not of the text that was imported")
    text = (folder / str(found["source"]["text"])).read_bytes().decode("utf-8")
    if hashlib.sha256(text.encode("utf-8")).hexdigest() != found["content_sha256"]:
        raise EvidenceError("the text has changed since it was imported")
    start, end = _span(text, given)
    ranges = [r for r in found["ranges"] if r[0] < end and r[1] > start]
    kind = str(found["kind"])
    cells = tuple(dict.fromkeys(Cell(*c[2:]) for c in found["cells"] if c[0] < end and c[1] > start))
    source = found["source"]
    boxes: tuple[Box, ...] = ()
    elements: tuple[tuple[str, str, int], ...] = ()
    lines: tuple[Line, ...] = ()
    if kind == "pdf":
        boxes = tuple(_by_line([Box(*r[2:]) for r in ranges]))
    elif kind == "html":
        places = [Element(*r[2:]) for r in ranges]
        elements = tuple(dict.fromkeys((*map(str, found["elements"][p.element]), p.line) for p in places))  # type: ignore[misc]
    else:
        lines = tuple(Line(*r[2:]) for r in ranges)
    return Cited(name, start, end, kind, str(source["path"]), str(source["sha256"]), boxes, elements, lines, cells)


def _mapping(citation: object) -> Mapping[str, object]:
    if isinstance(citation, Hit):
        citation = citation.citation()
    if not isinstance(citation, Citation):
        raise TypeError("a citation is a Citation, a Hit or a mapping")
    return citation.mapping()


def _span(text: str, given: Mapping[str, object]) -> tuple[int, int]:
    """The quote's code points: as given, else those of its paragraph; EvidenceError where the quote is another one."""
    start, end, quote = given.get("start"), given.get("end"), given.get("quote")
    if type(start) is not int or type(end) is not int:
        number = given.get("paragraph")
        parts = text.split(_BREAK)
        if (
            type(number) is not int
            or not 1 <= number <= len(parts)
            or given.get("cut", "Paragraphs()") != "Paragraphs()"
        ):
            raise EvidenceError("the citation says not where its quote stands")
        start = sum(len(part) + len(_BREAK) for part in parts[: number - 1])
        end = start + len(parts[number - 1])
    if not 0 <= start <= end <= len(text) or text[start:end] != quote:
        raise EvidenceError("the quote does not stand where the citation says")
    return start, end


def _by_line(boxes: list[Box]) -> list[Box]:
    """The boxes of words as boxes of lines: neighbours on one level become one."""
    made: list[list[Box]] = []
    for box in boxes:
        last = made[-1][-1] if made else None
        high = box.y1 - box.y0
        if (
            last is not None
            and last.page == box.page
            and min(last.y1, box.y1) - max(last.y0, box.y0) > 0.5 * high
            and -high < box.x0 - last.x1 < 1.2 * high
        ):
            made[-1].append(box)
        else:
            made.append([box])
    return [around(group) for group in made]


def source_bytes(corpus_folder: str | Path, cited: Cited) -> bytes:
    """The source's bytes as they were imported; InputError where the copy in the corpus is another file by now."""
    raw = (Path(corpus_folder) / cited.source).read_bytes()
    if hashlib.sha256(raw).hexdigest() != cited.source_sha256:
        raise InputError("the source has changed since it was imported", file=cited.source)
    return raw
