"""Plain text and Markdown: paragraphs as they are, each character with its line (contract 2.11)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from workbench.convert.cleaning import clean, join_lines, words_of
from workbench.convert.grid import Table, from_rows, notes_below, paragraphs
from workbench.convert.headings import with_units
from workbench.convert.limits import Limits
from workbench.convert.places import Block, Change, Char, Converted, Line, TableInfo, assemble, plain, strip
from workbench.convert.refusals import refuse

_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+|$)")
_RULE: Final = re.compile(r"^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_DELIMITER: Final = re.compile(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CAPTION: Final = re.compile(r"^\W*(?:Tabelle|Tab\.|Table)\b", re.IGNORECASE)


def decode(raw: bytes) -> str:
    """The bytes as text: UTF-8, or UTF-16 where a byte order mark says so; anything else is refused by name."""
    name = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        text = raw.decode(name)
    except UnicodeDecodeError as error:
        raise refuse("encoding", f"this is no UTF-8 text (byte {error.start})") from None
    if "\0" in text:
        raise refuse("unsupported", "this is no text: it holds zero bytes")
    return text


def marked_lines(text: str) -> list[Block]:
    """The lines of a text, each with its end, each character with its line and column."""
    made = []
    for number, line in enumerate(re.split(r"(?<=\n)|(?<=\r)(?!\n)", text), 1):
        if line:
            made.append([Char(c, Line(number, at, at + 1)) for at, c in enumerate(line)])
    return made


def convert_text(raw: bytes, limits: Limits) -> Converted:
    """A plain text file: its paragraphs between blank lines, cleaned.

    >>> found = convert_text("Zwei\\r\\n\\r\\nDru\\u0308cke".encode(), Limits())
    >>> found.text, found.ranges[-1].place, sorted({c.code for c in found.changes})
    ('Zwei\\n\\nDrücke', Line(line=3, start=0, end=7), ['CRLF', 'NOT_NFC'])
    """
    text = decode(raw)
    if len(text) > limits.characters:
        raise refuse("too_large", f"it has {len(text)} characters")
    changes: list[Change] = []
    lines = [_no_blanks(clean(line, changes), changes) for line in marked_lines(text)]
    words = words_of(map(plain, lines))
    whole = join_lines([char for line in lines for char in line], words, changes)
    made, ranges, cells = assemble([whole])
    if not made.strip():
        raise refuse("no_text", "there is no text in it")
    return Converted(made, tuple(ranges), tuple(cells), tuple(changes), kind="text")


def _no_blanks(line: Block, changes: list[Change]) -> Block:
    """A line that only looks blank becomes blank."""
    text = plain(line)
    if text.strip() or text in ("\n", ""):
        return line
    changes.append(Change("BLANK_LINE_WITH_SPACES", text, "\n", line[0].place))
    return [char for char in line if char.text == "\n"]


def convert_markdown(raw: bytes, limits: Limits) -> Converted:
    """A Markdown file: headings, paragraphs, lists and pipe tables, each its own paragraph; inline marks stay.

    The signs of a heading, rules and comments are left out, and so is front matter; a table's rows become paragraphs.

    >>> found = convert_markdown(b"# Dichtung\\nText\\n\\n| Gewinde | Nm |\\n|---|---|\\n| M8 | 21 |\\n", Limits())
    >>> found.text
    'Dichtung\\n\\nText\\n\\nGewinde: M8 | Nm: 21'
    """
    text = decode(raw)
    if len(text) > limits.characters:
        raise refuse("too_large", f"it has {len(text)} characters")
    changes: list[Change] = []
    lines = [strip(_no_blanks(clean(line, changes), changes), "\n".__eq__) for line in marked_lines(text)]
    lines = _front_matter(lines, changes)
    blocks: list[Block | Table] = []
    current: list[Block] = []
    fence = ""

    def close() -> None:
        if current:
            block: Block = []
            for line in current:
                block += [*([Char("\n")] if block else []), *line]
            blocks.append(block)
            current.clear()

    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        said = plain(line)
        mark = _FENCE.match(said)
        if fence or mark:
            if mark and (not fence or (mark[1].startswith(fence) and said.strip() == mark[1])):
                fence = "" if fence else mark[1][:3]
                close()
            else:
                current.append(line)
        elif not said.strip() or _RULE.match(said):
            close()
        elif heading := _HEADING.match(said):
            close()
            blocks.append(strip(line[heading.end() :], lambda c: c in "# \t"))
        elif "|" in said and at < len(lines) and _DELIMITER.match(plain(lines[at])) and "|" in plain(lines[at]):
            close()
            rows = [_split(line)]
            at += 1
            while at < len(lines) and plain(lines[at]).strip() and "|" in plain(lines[at]):
                rows.append((_split(lines[at]) + [[]] * len(rows[0]))[: len(rows[0])])
                at += 1
            table = from_rows(rows, heading_rows=1)
            table.heading_rows = with_units(table, 1)
            blocks.append(table)
        else:
            current.append(line)
    close()
    return _finish(blocks, changes, limits)


def _finish(blocks: list[Block | Table], changes: list[Change], limits: Limits) -> Converted:
    words: Counter[str] = words_of(plain(b) for b in blocks if not isinstance(b, Table))
    made: list[Block] = []
    tables: list[TableInfo] = []
    for at, block in enumerate(blocks):
        if isinstance(block, Table):
            block.notes += notes_below(blocks[at + 1 :])
            caption = made[-1] if made and _CAPTION.match(plain(made[-1])) else []
            block.caption = list(caption)
            number = len(tables) + 1
            tables.append(TableInfo(number, plain(caption), None, block.rows, block.columns, block.heading_rows))
            made += paragraphs(block, number, most_cells=limits.cells)
        else:
            made.append(join_lines(block, words, changes))
    text, ranges, cells = assemble(block for block in made if plain(block).strip())
    if not text:
        raise refuse("no_text", "there is no text in it")
    return Converted(text, tuple(ranges), tuple(cells), tuple(changes), tuple(tables), kind="markdown")


def _split(line: Block) -> list[Block]:
    """The cells of a row of a pipe table; an escaped bar is none."""
    line = strip(line)
    cells: list[Block] = [[]]
    for at, char in enumerate(line):
        if char.text == "|" and not (at and line[at - 1].text == "\\"):
            cells.append([])
        else:
            cells[-1].append(char)
    if cells and not cells[0]:
        cells = cells[1:]
    if cells and not plain(cells[-1]).strip():
        cells = cells[:-1]
    return [strip(cell) for cell in cells]


def _front_matter(lines: list[Block], changes: list[Change]) -> list[Block]:
    said = [plain(line).rstrip() for line in lines[:200]]
    if said[:1] != ["---"] or "---" not in said[1:]:
        return lines
    end = said.index("---", 1)
    changes.append(Change("FRONT_MATTER", "\n".join(said[: end + 1]), "", lines[0][0].place))
    return lines[end + 1 :]
