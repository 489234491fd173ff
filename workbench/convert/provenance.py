"""The provenance of imported documents: from which bytes, by which readers, what was changed, and each part's place.

One JSON line for each document in ``provenance.jsonl``, beside the corpus's table. Ranges are code points, half-open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from workbench.convert.places import Box, Cell, CellRange, Change, Converted, Element, Line, Place, Range, TableInfo
from workbench.errors import InputError

FILE: Final = "provenance.jsonl"
CONVERTER: Final = "workbench.convert 2"
"""Goes up whenever the same file could become another text or other places."""
_PLACES: Final[Mapping[str, type[Box] | type[Line] | type[Element]]] = {
    "pdf": Box,
    "html": Element,
    "text": Line,
    "markdown": Line,
}


def encoded(made: Converted) -> dict[str, Any]:
    """A conversion as JSON values; of the elements only those that hold text."""
    used: list[int] = sorted(
        {
            p.element
            for p in (*(r.place for r in made.ranges), *(c.place for c in made.changes))
            if isinstance(p, Element)
        }
    )
    number = {element: at for at, element in enumerate(used)}

    def place(found: Place | None) -> list[object] | None:
        if found is None:
            return None
        return [number[found.element], *found[1:]] if isinstance(found, Element) else list(found)

    return {
        "kind": made.kind,
        "pages": made.pages,
        "libraries": dict(made.libraries),
        "text": made.text,
        "elements": [list(made.elements[element]) for element in used],
        "tables": [table_json(table) for table in made.tables],
        "ranges": [[r.start, r.end, *(place(r.place) or [])] for r in made.ranges],
        "cells": [[c.start, c.end, *c.cell] for c in made.cells],
        "changes": [[c.code, c.found, c.became, place(c.place)] for c in made.changes],
    }


def table_json(table: TableInfo) -> dict[str, object]:
    """A table of the source as JSON values."""
    return {name: getattr(table, name) for name in TableInfo.__slots__}


def decoded(found: Mapping[str, Any]) -> Converted:
    """The conversion that :func:`encoded` wrote."""
    kind = _PLACES[found["kind"]]

    def place(values: Iterable[Any] | None) -> Place | None:
        return None if values is None else kind(*values)

    return Converted(
        text=found["text"],
        ranges=tuple(Range(r[0], r[1], kind(*r[2:])) for r in found["ranges"]),
        cells=tuple(CellRange(c[0], c[1], Cell(*c[2:])) for c in found["cells"]),
        changes=tuple(Change(c[0], c[1], c[2], place(c[3])) for c in found["changes"]),
        tables=tuple(TableInfo(**table) for table in found["tables"]),
        elements=tuple((path, name) for path, name in found["elements"]),
        pages=found["pages"],
        kind=found["kind"],
        libraries=tuple(sorted(found["libraries"].items())),
    )


def line(document_id: str, content_sha256: str, source: Mapping[str, object], options: object, made: Converted) -> str:
    """A document's line: the same values give the same characters."""
    body = encoded(made)
    text = body.pop("text")
    values = {
        "document_id": document_id,
        "content_sha256": content_sha256,
        "characters": len(text),
        "source": dict(source),
        "converter": CONVERTER,
        "options": options,
        **body,
    }
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_line(folder: Path, document_id: str) -> Mapping[str, Any]:
    """The provenance of a document of an imported corpus; InputError where it has none."""
    path = folder / FILE
    if not path.is_file():
        raise InputError("this corpus has no provenance", file=str(path), remedy="make it with workbench corpus import")
    wanted = f'{{"document_id":{json.dumps(document_id, ensure_ascii=False)},'
    for begins in (wanted, ""):  # as an import writes it, where one line may hold a million places; else any line
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, written in enumerate(file, 1):
                if not written.startswith(begins):
                    continue
                try:
                    found = json.loads(written)
                    if found["document_id"] == document_id:
                        return dict(found)
                except (ValueError, TypeError, KeyError):
                    raise InputError("this is no line of a provenance", file=FILE, row=number) from None
    raise InputError("the document has no provenance", file=FILE, found=document_id)
