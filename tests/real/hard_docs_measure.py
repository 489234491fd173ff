"""How many cells of the true tables a reader gets right: in text and box, and in heading and row as well.

A cell is right in text if its letters are the true ones (spaces and hyphens aside: the truth has some glued), in place
if the middle of the true box lies in the cell's own box on the same page, in heading and row if one of its headings is
the true one at the top of its column, whole and with nothing else in it, and so is its label at the left of its row. A
cell that is a heading or a label has neither.
"""

import io
import json
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pdfplumber

from workbench.convert.limits import Limits, Options
from workbench.convert.pdf import convert_pdf
from workbench.convert.places import Box, Converted

NEAR = 3.0


@dataclass
class Read:
    """A cell as some reader gives it."""

    page: int
    text: str
    box: tuple[float, float, float, float]
    headings: tuple[str, ...] = ()
    label: str = ""


@dataclass
class Truth:
    """A cell as it truly is."""

    page: int
    text: str
    box: tuple[float, float, float, float]
    heading: str
    label: str


def letters(text: str) -> str:
    return re.sub(r"[\s\-\u2010\u00ad]+", "", unicodedata.normalize("NFKC", text))


def truth(folder: Path) -> dict[str, list[Truth]]:
    found: dict[str, list[Truth]] = defaultdict(list)
    for line in (folder / "truth" / "tables.jsonl").read_text(encoding="utf-8").splitlines():
        table = json.loads(line)
        cells = [cell for cell in table["cells"] if cell["text"].strip()]
        for cell in cells:
            if cell["bbox"] is None:
                continue
            above = [c for c in cells if c["col"] <= cell["col"] <= c["col_end"] and c["row_end"] < cell["row"]]
            left = [c for c in cells if c["row"] <= cell["row"] <= c["row_end"] and c["col_end"] < cell["col"]]
            value = above and left  # else it is a heading or a label itself, and its text and place say all
            heading = min(above, key=lambda c: c["row"])["text"] if value else ""
            label = min(left, key=lambda c: c["col"])["text"] if value else ""
            found[table["file"]].append(Truth(table["page"], cell["text"], tuple(cell["bbox"]), heading, label))
    return dict(found)


def ours(raw: bytes) -> list[Read]:
    return cells_of(convert_pdf(raw, Limits(), Options(spaces_from_gaps=True)))


def cells_of(made: Converted) -> list[Read]:
    """The cells of an import, with what its paragraphs say of them."""
    top = {table.number: table.heading_rows for table in made.tables}
    boxes = [(r.start, r.end, r.place) for r in made.ranges if isinstance(r.place, Box)]
    found = []
    at = 0
    for paragraph in made.text.split("\n\n"):
        inside = [c for c in made.cells if at <= c.start < at + len(paragraph)]
        label, headings, last = "", (), None
        for c in inside:
            text = made.text[c.start : c.end]
            here = [p for s, e, p in boxes if s < c.end and e > c.start]
            if not here:
                continue
            box = (min(b.x0 for b in here), min(b.y0 for b in here), max(b.x1 for b in here), max(b.y1 for b in here))
            is_heading = c.cell.row <= top[c.cell.table]
            if last is not None and not last[1]:
                headings = ()
            found.append(Read(here[0].page, text, box, () if is_heading else headings, "" if is_heading else label))
            if is_heading:
                headings += (text,)
            elif not label:
                label = text
            last = (c, is_heading)
        at += len(paragraph) + 2
    return found


def plumbers(raw: bytes) -> list[Read]:
    """pdfplumber's own tables, with its first row as headings and its first column as labels."""
    found = []
    with pdfplumber.open(io.BytesIO(raw)) as document:
        for page in document.pages:
            high = float(page.height)
            for table in page.find_tables():
                grid = table.extract()
                for r, (row, texts) in enumerate(zip(table.rows, grid, strict=True)):
                    for c, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
                        if cell is None or not (text or "").strip():
                            continue
                        above = [g[c] for g in grid[:r] if g[c]]
                        left = [t for t in texts[:c] if t]
                        box = (cell[0], high - cell[3], cell[2], high - cell[1])
                        found.append(Read(page.page_number, text, box, tuple(above[:1]), left[0] if left else ""))
    return found


def doclings(path: Path) -> list[Read] | None:
    """docling-parse's cells of text, which know no table; ``None`` where it is not installed."""
    try:
        from docling_core.types.doc.page import TextCellUnit
        from docling_parse.pdf_parser import DoclingPdfParser
    except ImportError:
        return None
    found = []
    document = DoclingPdfParser(loglevel="fatal").load(str(path))
    for number, page in document.iterate_pages():
        for cell in page.iterate_cells(TextCellUnit.LINE):
            box = cell.rect.to_bounding_box()
            low, high = sorted((box.b, box.t))
            found.append(Read(number, cell.text, (box.l, low, box.r, high)))
    return found


def shares(true: list[Truth], read: list[Read]) -> tuple[float, float]:
    """The share of true cells right in text and box, and the share right in heading and row as well."""
    placed = whole = 0
    by_text: dict[tuple[int, str], list[Read]] = defaultdict(list)
    for cell in read:
        by_text[cell.page, letters(cell.text)].append(cell)
    for cell in true:
        x, y = (cell.box[0] + cell.box[2]) / 2, (cell.box[1] + cell.box[3]) / 2
        here = [
            c
            for c in by_text[cell.page, letters(cell.text)]
            if c.box[0] - NEAR <= x <= c.box[2] + NEAR and c.box[1] - NEAR <= y <= c.box[3] + NEAR
        ]
        placed += bool(here)
        whole += any(
            letters(cell.heading) in map(letters, ("", *c.headings)) and letters(cell.label) == letters(c.label)
            for c in here
        ) or (bool(here) and not cell.heading and not cell.label)
    return placed / len(true), whole / len(true)


def measure(folder: Path) -> list[tuple[str, int, dict[str, tuple[float, float]]]]:
    """For each file with true tables: its cells, and both shares of each reader."""
    rows = []
    for name, true in truth(folder).items():
        raw = (folder / name).read_bytes()
        readers = {"workbench": shares(true, ours(raw)), "pdfplumber": shares(true, plumbers(raw))}
        docling = doclings(folder / name)
        if docling is not None:
            readers["docling-parse"] = shares(true, docling)
        rows.append((name, len(true), readers))
    return rows


def report(rows: list[tuple[str, int, dict[str, tuple[float, float]]]]) -> str:
    names = list(rows[0][2])
    lines = [f"{'file':24} cells  " + "  ".join(f"{name + ' text+box / all':>30}" for name in names)]
    for file, cells, readers in rows:
        lines.append(
            f"{Path(file).name:24} {cells:5}  " + "  ".join(f"{a:22.3f} / {b:5.3f}" for a, b in readers.values())
        )
    means = [[sum(readers[n][k] for _, _, readers in rows) / len(rows) for k in (0, 1)] for n in names]
    lines.append(f"{'mean':24} {'':5}  " + "  ".join(f"{a:22.3f} / {b:5.3f}" for a, b in means))
    return "\n".join(lines)
