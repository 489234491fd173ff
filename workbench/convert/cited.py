"""Where a citation stands in its source: page and boxes, element, or line, and the cells of tables (contract 2.11; S0).

For whoever has the files: resolve a citation with its actor first, and then open its source. A page shows more than the
quote, all of it from the document that the citation names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from workbench.contract import Citation, Hit
from workbench.convert.limits import Limits
from workbench.convert.places import Box, Cell, Element, Line, around
from workbench.convert.provenance import read_line
from workbench.errors import EvidenceError, InputError

_BREAK: Final = "\n\n"
MOST_BYTES: Final = Limits().source


@dataclass(frozen=True, slots=True)
class Cited:
    """The places of a quote. Of ``boxes``, ``elements`` and ``lines`` those are filled that the kind of source has.

    ``cells`` are those of tables that the quote names, headings included, which ``headings`` names again; ``captions``
    has the caption of each of these tables by its number. ``source`` is the copy in the corpus folder, and ``file``
    what it was called when it was imported. ``outside`` are the boxes of what stands on the quote's pages but not in
    the parts of the document that the citation's decision allows, ``inside`` those of what does stand in them.
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
    headings: tuple[Cell, ...] = ()
    captions: tuple[tuple[int, str], ...] = ()
    file: str = ""
    outside: tuple[Box, ...] = ()
    inside: tuple[Box, ...] = ()

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

    >>> import tempfile
    >>> from workbench.convert.folder import entries, import_files
    >>> place = Path(tempfile.mkdtemp())
    >>> _ = (place / "notiz.txt").write_text("Eins.\\n\\nZwei.", encoding="utf-8")
    >>> given = entries([place / "notiz.txt"], tenant="nord", groups={"wartung"}, version="1")
    >>> import_files(given, place / "corpus").written
    True
    >>> sha = hashlib.sha256(b"Eins.\\n\\nZwei.").hexdigest()
    >>> place_of(place / "corpus", {"document_id": "notiz", "content_sha256": sha, "paragraph": 2, "quote": "Zwei."})
    Cited('notiz', [7,12), line 3)
    """
    folder = Path(corpus_folder)
    given = citation if isinstance(citation, Mapping) else _mapping(citation)
    name = given.get("document_id")
    if not isinstance(name, str):
        raise EvidenceError("the citation names no document")
    found = read_line(folder, name)
    if given.get("content_sha256") != found["content_sha256"]:
        raise EvidenceError("the citation is not of the text that was imported")
    source = found["source"]
    text = _bytes(folder, str(source["text"])).decode("utf-8", "replace")
    if hashlib.sha256(text.encode("utf-8")).hexdigest() != found["content_sha256"]:
        raise EvidenceError("the text has changed since it was imported")
    start, end = _span(text, given)
    ranges = [r for r in found["ranges"] if r[0] < end and r[1] > start]
    kind = str(found["kind"])
    cells = tuple(dict.fromkeys(Cell(*c[2:]) for c in found["cells"] if c[0] < end and c[1] > start))
    tables = {table["number"]: table for table in found["tables"]}
    named = {cell.table: str(tables[cell.table]["caption"]) for cell in cells if cell.table in tables}
    boxes: tuple[Box, ...] = ()
    inside: tuple[Box, ...] = ()
    outside: tuple[Box, ...] = ()
    elements: tuple[tuple[str, str, int], ...] = ()
    lines: tuple[Line, ...] = ()
    if kind == "pdf":
        boxes = tuple(_by_line([Box(*r[2:]) for r in ranges]))
        inside, outside = _parted(found["ranges"], given.get("within"), {box.page for box in boxes})
    elif kind == "html":
        places = [Element(*r[2:]) for r in ranges]
        elements = tuple(dict.fromkeys((*map(str, found["elements"][p.element]), p.line) for p in places))  # type: ignore[misc]
    else:
        lines = tuple(Line(*r[2:]) for r in ranges)
    return Cited(
        name,
        start,
        end,
        kind,
        str(source["path"]),
        str(source["sha256"]),
        boxes=boxes,
        elements=elements,
        lines=lines,
        cells=cells,
        headings=tuple(
            cell for cell in cells if cell.table in tables and cell.row <= tables[cell.table]["heading_rows"]
        ),
        captions=tuple(named.items()),
        file=str(source["file"]),
        outside=outside,
        inside=inside,
    )


def _parted(ranges: Sequence[Any], within: object, pages: set[int]) -> tuple[tuple[Box, ...], tuple[Box, ...]]:
    """What stands on these pages in the allowed parts, and what in the others; a heading in both is allowed."""
    if not isinstance(within, list | tuple):
        return (), ()
    allowed: list[Box] = []
    others: list[Box] = []
    for start, end, *place in ranges:
        box = Box(*place)
        if box.page in pages:
            inside = any(start < span[1] and end > span[0] for span in within)
            (allowed if inside else others).append(box)
    outside = [box for box in _by_line(others) if not any(_meet(box, one) for one in allowed)]
    return tuple(_by_line(allowed)), tuple(outside)


def _meet(a: Box, b: Box) -> bool:
    """Whether two boxes of one page share more than a seam."""
    wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    return a.page == b.page and wide > 1 and high > 0.3 * min(a.y1 - a.y0, b.y1 - b.y0)


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
    """The source's bytes as they were imported.

    InputError where the copy in the corpus is missing, is another file by now, or would lie outside the folder.
    """
    raw = _bytes(Path(corpus_folder), cited.source)
    if hashlib.sha256(raw).hexdigest() != cited.source_sha256:
        raise InputError("the source has changed since it was imported", file=cited.source)
    return raw


def _bytes(folder: Path, name: str) -> bytes:
    """A file of the corpus folder. Provenance comes from a file too, so its paths are not trusted to stay inside."""
    for pure in (PurePosixPath(name), PureWindowsPath(name)):
        if pure.anchor or ".." in pure.parts or "\0" in name:
            raise InputError("the path leads out of the corpus folder", file=name)
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError("the path leads out of the corpus folder", file=name)
    if not path.is_file():
        raise InputError("the file is missing from the corpus folder", file=name)
    if path.stat().st_size > MOST_BYTES:
        raise InputError("the file is larger than any that is imported", file=name)
    return path.read_bytes()
