"""A PDF as paragraphs and tables: read, checked whether it can be trusted, and put in the order of reading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from workbench.convert import pdf_glyphs, pdf_ligatures, pdf_ruled, pdf_seen, pdf_trust
from workbench.convert.cleaning import clean, words_of
from workbench.convert.grid import Table, TableCell, info, notes_below, paragraphs
from workbench.convert.headings import has_own_headings
from workbench.convert.limits import Limits, Options
from workbench.convert.pdf_aligned import CAPTION, aligned
from workbench.convert.pdf_drawn import Found, fill
from workbench.convert.pdf_glyphs import Page, Source, Word
from workbench.convert.pdf_lines import Piece, columns, furniture, lines, pieces
from workbench.convert.pdf_paragraphs import append, goes_on, group_lines, joined, parted, pitch
from workbench.convert.pdf_raised import raised
from workbench.convert.pdf_ruled import Grid, Rect, Ruled
from workbench.convert.pdf_scan import scan
from workbench.convert.places import Block, Box, Change, Converted, TableInfo, around, assemble, plain, strip
from workbench.convert.refusals import refuse

LIBRARIES: Final = (pdf_glyphs.LIBRARY, pdf_ruled.LIBRARY)


@dataclass(slots=True)
class _Part:
    """A paragraph or a table of one page."""

    block: Block
    table: Table | None = None
    size: float = 0.0
    full: bool = False


def convert_pdf(raw: bytes, limits: Limits, options: Options) -> Converted:
    """The file as text with places; Refused by name where it is broken, hostile, or its text layer cannot be trusted.

    Places are boxes in PDF points in the page's own coordinates. What was left out (page headers and footers) and what
    was changed is listed.
    """
    looked = scan(raw, limits)
    changes: list[Change] = []
    with Source(raw, limits, encrypted=looked.encrypted) as source:
        pages = [source.page(number) for number in range(1, len(source) + 1)]
        hidden = [pdf_seen.hidden(source, page) for page in pages]
        changes += [change for page in pages for change in pdf_seen.laid_over(source, page.number)]
    for number in pdf_trust.need_text(pages, options):
        changes.append(Change("PAGE_WITHOUT_TEXT", f"page {number}", "", Box(number, 0, 0, 0, 0)))
    pdf_trust.need_meaning(pages, Counter())
    pdf_trust.need_alphabet(pages)
    pdf_trust.need_direction(pages)
    gaps = pdf_trust.need_spaces(pages, options)
    if gaps and options.spaces_from_gaps:
        changes.append(Change("SPACES_FROM_GAPS", "", f"{gaps} spaces"))
    drawn: list[tuple[list[Grid], list[Rect]]] = []
    whole: list[Page] = []
    others: Counter[str] = Counter()
    with Ruled(raw) as ruled:
        if ruled.count != len(pages):
            raise refuse("readers_disagree", f"one reader finds {len(pages)} pages, another {ruled.count}")
        for page in pages:
            letters, grids, rules = ruled.page(page.number, page.turn)
            others += letters
            drawn.append((grids, rules))
            seen = pdf_seen.without(page, hidden[page.number - 1], changes)
            whole.append(pdf_ligatures.restored(seen, ruled.ligatures(page.number), changes))
    pdf_trust.need_meaning(pages, others)
    pdf_trust.need_agreement(pages, others)
    pdf_ligatures.need_whole(whole)
    pages = [raised(page, changes) for page in whole]
    vocabulary = words_of(" ".join(word.text for word in line) for page in pages for line in lines(page.words))
    gone = furniture(pages, changes)
    parts: list[list[_Part]] = []
    for page, (grids, rules), words in zip(pages, drawn, gone, strict=True):
        parts.append(_page(page, grids, rules, words, vocabulary, changes))
    return _finish(parts, vocabulary, changes, limits, len(pages))


def _page(
    page: Page, grids: list[Grid], rules: list[Rect], gone: set[Word], vocabulary: Counter[str], changes: list[Change]
) -> list[_Part]:
    words = [word for word in page.words if word not in gone]
    tables: list[Found] = []
    for grid in sorted(grids, key=lambda g: (g.at[2] - g.at[0]) * (g.at[3] - g.at[1])):
        found = fill(grid, rules, words, vocabulary, changes, page.number)
        if found is not None:
            tables.append(found)
            words = [word for word in words if word not in found.words]
    made: list[_Part] = []
    stand_ins = {_stand_in(found): found for found in tables}
    for group in columns([*pieces(words), *stand_ins]):
        loose = [p for p in group if p not in stand_ins]
        here = {p: stand_ins[p] for p in group if p in stand_ins}
        for found in aligned(loose, rules, vocabulary, changes, page.number):
            loose = [p for p in loose if not found.words.issuperset(p.words)]
            here[_stand_in(found)] = found
        made += _flow(loose, here, vocabulary, changes)
    for turned in page.turned:
        rows = group_lines(pieces(turned))
        for paragraph in parted(rows, pitch(rows)):
            block = joined(paragraph, vocabulary, changes)
            changes.append(Change("TURNED", plain(block), plain(block), block[0].place))
            made.append(_Part(block))
    return made


def _stand_in(found: Found) -> Piece:
    """A piece that holds a table's place while the page is put in order."""
    return Piece(tuple(sorted(found.words)), *found.at, found.at[1])


def _flow(
    loose: list[Piece], tables: dict[Piece, Found], vocabulary: Counter[str], changes: list[Change]
) -> list[_Part]:
    """The paragraphs of a group from top to bottom, its tables between them."""
    made: list[_Part] = []
    rows = group_lines(loose)
    white, right = pitch(rows), max((row.x1 for row in rows), default=0.0)
    borders = sorted(tables.items(), key=lambda item: item[0].top)
    at = 0
    for stand_in, found in [*borders, (None, None)]:
        above = [r for r in rows[at:] if stand_in is None or (r.top + r.bottom) / 2 < stand_in.top]
        at += len(above)
        for paragraph in parted(above, white):
            full = paragraph[-1].x1 > right - 6 * paragraph[-1].size and len(paragraph) > 1
            made.append(_Part(joined(paragraph, vocabulary, changes), size=paragraph[0].size, full=full))
        if found is not None:
            made.append(_Part([], found.table))
    return made


def _finish(
    pages: Sequence[list[_Part]], vocabulary: Counter[str], changes: list[Change], limits: Limits, count: int
) -> Converted:
    flow: list[_Part] = []
    for found in pages:
        parts = _without_continued(flow, found, changes)
        for at, part in enumerate(parts):
            before = flow[-1] if flow else None
            if at == 0 and before is not None:
                same = before.table is None and part.table is None and abs(before.size - part.size) < 0.5
                if same and goes_on(before.block, part.block, full=before.full):
                    append(before.block, part.block, vocabulary, changes)
                    before.full = part.full
                    continue
                if before.table is not None and part.table is not None:
                    _go_on(before.table, part.table, changes)
            flow.append(part)
    _captions_and_notes(flow)
    blocks: list[Block] = []
    tables: list[TableInfo] = []
    for part in flow:
        if part.table is None:
            blocks.append(strip(clean(part.block, changes)))
            continue
        table = part.table
        number = table.number or (1 + max((t.number for t in tables), default=0))
        for after in flow:
            if after.table is not None and after.table.number == -id(table):
                after.table.number = number
        if table.number is None:
            tables.append(info(number, table))
        blocks += [strip(clean(row, changes)) for row in paragraphs(table, number, most_cells=limits.cells)]
    text, ranges, cells = assemble(block for block in blocks if block)
    if not text:
        raise refuse("no_text_layer", "no page of it has text")
    if len(text) > limits.characters:
        raise refuse("too_large", f"it has {len(text)} characters")
    return Converted(
        text,
        tuple(ranges),
        tuple(cells),
        tuple(changes),
        tuple(tables),
        pages=count,
        kind="pdf",
        libraries=LIBRARIES,
    )


def _without_continued(flow: list[_Part], parts: list[_Part], changes: list[Change]) -> list[_Part]:
    """A page's parts without what only says that a table goes on: ``Fortsetzung`` below it, or in its caption again."""
    rest = parts
    if len(rest) > 1 and rest[0].table is None and rest[1].table is not None and _continued(rest[0], CAPTION):
        rest = rest[1:]
    at = len(flow) - 1
    if at > 0 and flow[at].table is None and _continued(flow[at], _CONTINUED):
        at -= 1
    if not rest or rest[0].table is None or at < 0 or flow[at].table is None:
        return parts
    for said in (*flow[at + 1 :], *parts[: len(parts) - len(rest)]):
        place = said.block[0].place
        changes.append(Change("REPEATED_HEADING", plain(said.block), "", place))
    del flow[at + 1 :]
    return rest


_CONTINUED: Final = re.compile(r"\W*(?:Fortsetzung|Forts\.|wird fortgesetzt|continued|cont\.)", re.IGNORECASE)


def _continued(part: _Part, begins: re.Pattern[str]) -> bool:
    text = plain(part.block)
    return len(text) < 120 and begins.match(text) is not None and _CONTINUED_WORD.search(text) is not None


_CONTINUED_WORD: Final = re.compile(r"\b(?:Fortsetzung|Forts|fortgesetzt|continued|cont)\b", re.IGNORECASE)


def _go_on(before: Table, after: Table, changes: list[Change]) -> None:
    """A table at the top of a page goes on with the one at the end of the page before: same columns, same headings."""
    if before.columns != after.columns or not before.heading_rows:
        return
    if has_own_headings(before, after):
        return
    top = before.heading_rows
    mine = [(c.row, c.column, plain(c.text).split()) for c in before.cells if c.row < top and not c.empty]
    theirs = [(c.row, c.column, plain(c.text).split()) for c in after.cells if c.row < top and not c.empty]
    if mine == theirs:
        boxes = [c.place for cell in after.cells if cell.row < top for c in cell.text if isinstance(c.place, Box)]
        said = " | ".join(" ".join(words) for _, _, words in theirs)
        changes.append(Change("REPEATED_HEADING", said, "", around(boxes) if boxes else None))
        after.cells = [c for c in after.cells if c.row >= top or c.empty]
    else:
        after.cells = [
            TableCell(c.row + top, c.column, c.row_end + top, c.column_end, c.text, c.heading) for c in after.cells
        ]
    headings = [c for c in before.cells if c.row < top]
    after.cells = [*headings, *(c for c in after.cells if c.row >= top)]
    after.heading_rows = top
    after.rows_before = before.rows_before + before.rows - top
    after.caption = before.caption
    after.number = -id(before) if before.number is None else before.number


def _captions_and_notes(flow: list[_Part]) -> None:
    """A line that names the table belongs to each of its rows, and so does a note below it whose mark the row bears."""
    for at, part in enumerate(flow):
        if part.table is None:
            continue
        if not part.table.caption:
            for before in flow[max(0, at - 2) : at][::-1]:
                if before.table is not None:
                    break  # what stands above that one is its caption
                if CAPTION.match(plain(before.block)) and len(before.block) < 300:
                    part.table.caption = list(before.block)
                    break
        part.table.notes += notes_below([after.table or after.block for after in flow[at + 1 :]])
    for at, part in enumerate(flow):  # continued tables take the caption of the one that they continue
        if part.table is not None and part.table.number is not None and not part.table.caption:
            earlier = next((p.table for p in flow[:at][::-1] if p.table is not None), None)
            part.table.caption = earlier.caption if earlier is not None else []
            if earlier is not None:  # and a note below either part is for the rows of both
                notes = [*earlier.notes, *part.table.notes]
                earlier.notes, part.table.notes = notes, notes
