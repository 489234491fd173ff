"""HTML as paragraphs: headings, paragraphs, list items and table rows, each character with its element and line.

An element is named by its path and the nearest id, which outlive changes elsewhere in the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from workbench.convert.cleaning import clean, superscript
from workbench.convert.grid import Table, TableCell, info, notes_below, paragraphs
from workbench.convert.headings import with_units, words_over_numbers
from workbench.convert.html_outline import BLOCKS, UNSEEN, Node, boilerplate, outline, unseen
from workbench.convert.limits import Limits, Options
from workbench.convert.places import (
    Block,
    Change,
    Char,
    Converted,
    Element,
    TableInfo,
    assemble,
    plain,
    squeeze,
    strip,
    written,
)
from workbench.convert.refusals import refuse

_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML: Final = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{1,40})""")
_ENCODINGS: Final = {
    **dict.fromkeys(("utf-8", "utf8", "us-ascii", "ascii"), "utf-8"),
    **dict.fromkeys(("iso-8859-1", "latin1", "windows-1252", "cp1252"), "cp1252"),  # as the HTML standard has it
    "iso-8859-15": "iso-8859-15",
}
MOST_SPAN: Final = 1_000


def decode(raw: bytes) -> str:
    """The bytes as text, in the encoding that the file declares, else UTF-8; Refused where that does not hold."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        name = "utf-16"
    elif raw[:3] == b"\xef\xbb\xbf":
        name = "utf-8-sig"
    else:
        found = _XML.search(raw[:1024]) or _CHARSET.search(raw[:4096])
        declared = found[1].decode("ascii").lower() if found else "utf-8"
        if declared not in _ENCODINGS:
            raise refuse("encoding", f"it declares an encoding that is not read: {declared}")
        name = _ENCODINGS[declared]
    try:
        text = raw.decode(name)
    except UnicodeDecodeError as error:
        raise refuse("encoding", f"this is no {name} text (byte {error.start})") from None
    if "\0" in text:
        raise refuse("unsupported", "this is no text: it holds zero bytes")
    return text


class _Reader:
    """Goes through the tree once and gives blocks in the order of the file."""

    def __init__(self, limits: Limits, options: Options, places: list[tuple[str, str]]) -> None:
        self.limits, self.options, self.places = limits, options, places
        self.blocks: list[Block | Table] = []
        self.changes: list[Change] = []
        self.tables: list[TableInfo] = []
        self.open: Block = []
        self.starts: dict[str, int] = {}

    def close(self) -> None:
        if self.open and not any(char.place for char in self.open):
            return  # an item's number waits for the paragraph in it
        block = self._tidy(self.open)
        if block:
            self.blocks.append(block)
        self.open = []

    def _tidy(self, block: Block) -> Block:
        """White space as a browser shows it: one space for a run, line breaks only where ``<br>`` or ``<pre>`` say."""
        made: Block = []
        for char in block:
            if char.text == _KEPT_BREAK:
                while made and made[-1].text == " ":
                    made.pop()
                made.append(Char("\n", char.place))
            elif char.text in " \t\n\r\f":
                if made and made[-1].text not in " \n":
                    made.append(Char(" ", char.place))
            else:
                made.append(char)
        made = [char for at, char in enumerate(made) if not (char.text == "\n" and at and made[at - 1].text == "\n")]
        return strip(clean(made, self.changes))

    def read(self, node: Node, *, kept: bool = False) -> None:
        for part in node.held:
            if not isinstance(part, Node):
                self.open += [Char(_KEPT_BREAK, c.place) if kept and c.text == "\n" else c for c in part]
            elif part.tag == "br":
                self.open.append(Char(_KEPT_BREAK))
            elif not self._left_out(part):
                before = len(self.open)
                self._element(part, kept=kept)
                if part.tag == "sup" and len(self.open) > before:
                    self.open[before:] = superscript(self.open[before:], plain(self.open[:before]), self.changes)

    def _element(self, node: Node, *, kept: bool) -> None:
        if node.tag not in BLOCKS:
            self.read(node, kept=kept)
            return
        self.close()
        if node.tag == "ol" and re.fullmatch(r"-?\d{1,9}", node.attributes.get("start", "").strip()):
            self.starts[node.path] = int(node.attributes["start"])
        if node.tag == "table" and node.attributes.get("role", "") not in ("presentation", "none"):
            self._table(node)
        elif node.tag in ("li", "dt", "dd"):
            self.open += written(self._ordinal(node))
            self.read(node)
            if not any(char.place for char in self.open):  # an item without text
                self.open = []
        else:
            self.read(node, kept=node.tag == "pre")
        self.close()

    def _ordinal(self, node: Node) -> str:
        """The number that a browser writes before an item of an ordered list: instructions refer to it."""
        found = re.search(r"/ol\[\d+\]/li\[(\d+)\]$", node.path)
        if found is None:
            return ""
        given = node.attributes.get("value", "").strip()
        if re.fullmatch(r"-?\d{1,9}", given):
            return f"{int(given)}. "
        start = self.starts.get(node.path[: node.path.rindex("/")], 1)
        return f"{start + int(found[1]) - 1}. "

    def _left_out(self, node: Node) -> bool:
        if unseen(node):
            found = plain(squeeze(node.text_parts()))
            if found and node.tag not in UNSEEN:  # the text of a page that its reader does not see, and no program
                self.changes.append(Change("HIDDEN", found, "", Element(node.number, 0, 0, 0)))
            return True
        if not self.options.boilerplate and boilerplate(node):
            found = plain(squeeze(node.text_parts()))
            self.changes.append(Change("BOILERPLATE", found, "", Element(node.number, 0, 0, 0)))
            return True
        return False

    def _table(self, node: Node) -> None:
        number = len(self.tables) + 1
        self.tables.append(TableInfo(number, "", None, 0, 0))  # keeps its number while tables in its cells take theirs
        table = Table([])
        rows = list(_rows(node, self._left_out))
        taken: set[tuple[int, int]] = set()
        for row, (tag, cells) in enumerate(rows):
            column = 0
            for cell in cells:
                while (row, column) in taken:
                    column += 1
                wide, high = _span(cell, "colspan"), min(_span(cell, "rowspan") or len(rows), len(rows) - row)
                wide = wide or 1
                if len(taken) + wide * high > self.limits.cells:
                    raise refuse("bomb", f"a table has more than {self.limits.cells} cells")
                taken |= {(r, c) for r in range(row, row + high) for c in range(column, column + wide)}
                heading = tag == "thead" or cell.tag == "th"
                table.cells.append(TableCell(row, column, row + high, column + wide, self._flat(cell), heading))
                column += wide
        caption = next((part for part in node.held if isinstance(part, Node) and part.tag == "caption"), None)
        if caption is not None and not self._left_out(caption):
            table.caption = self._flat(caption)
            if table.caption:
                self.blocks.append(table.caption)
        table.heading_rows = _heading_rows(table, [tag for tag, _ in rows])
        table.number = number
        self.tables[number - 1] = info(number, table)
        self.blocks.append(table)

    def finished(self) -> list[Block]:
        """The blocks, with the rows of tables as paragraphs; the notes below a table go with the rows they are for."""
        made: list[Block] = []
        for at, block in enumerate(self.blocks):
            if isinstance(block, Table):
                block.notes += notes_below(self.blocks[at + 1 :])
                made += paragraphs(block, block.number or 0, most_cells=self.limits.cells)
            else:
                made.append(block)
        return made

    def _flat(self, node: Node) -> Block:
        """A cell's text on one line, whatever it holds."""
        inner = _Reader(self.limits, self.options, self.places)
        inner.read(node)
        inner.close()
        self.changes += inner.changes
        made: Block = []
        for block in inner.finished():
            made += [*([Char(" ")] if made else []), *block]
        return squeeze(made)


_KEPT_BREAK: Final = "\ue000"  # a private sign that no cleaned text holds; it never leaves this module


def _span(cell: Node, name: str) -> int:
    written = cell.attributes.get(name, "1").strip()
    return min(int(written), MOST_SPAN) if re.fullmatch(r"[0-9]{1,9}", written) else 1


def _rows(table: Node, left_out: Callable[[Node], bool], part: str = "") -> Iterator[tuple[str, list[Node]]]:
    """The rows of a table with the part they stand in; those of tables in its cells are not its own."""
    for node in table.held:
        if isinstance(node, Node) and node.tag in ("thead", "tbody", "tfoot", "tr") and not left_out(node):
            if node.tag == "tr":
                cells = (c for c in node.held if isinstance(c, Node) and c.tag in ("td", "th"))
                yield part, [cell for cell in cells if not left_out(cell)]
            else:
                yield from _rows(node, left_out, node.tag)


def _heading_rows(table: Table, parts: list[str]) -> int:
    """The rows of ``thead``, else the rows at the top that hold nothing but ``th``, else words above numbers."""
    count = 0
    for row, part in enumerate(parts):
        cells = [cell for cell in table.cells if cell.row == row]
        if part != "thead" and not (cells and all(cell.heading for cell in cells)):
            break
        count += 1
    if count == 0 and not any(cell.heading for cell in table.cells):
        count = words_over_numbers(table)
    return with_units(table, count) if count < len(parts) else 0


def convert_html(raw: bytes, limits: Limits, options: Options) -> Converted:
    """An HTML file as paragraphs; what is left out as boilerplate is listed among the changes.

    >>> page = b"<nav>Start</nav><h2 id=moment>Moment</h2><table><tr><th>Gewinde<th>Nm<tr><td>M8<td>21</table>"
    >>> found = convert_html(page, Limits(), Options())
    >>> found.text
    'Moment\\n\\nGewinde: M8 | Nm: 21'
    >>> found.elements[found.ranges[0].place.element], [c.code for c in found.changes]
    (('/h2[1]', 'moment'), ['BOILERPLATE'])
    """
    if len(raw) > limits.source:
        raise refuse("too_large", f"it has {len(raw)} bytes")
    tree = outline(decode(raw), limits)
    reader = _Reader(limits, options, tree.places)
    reader.read(tree.root)
    reader.close()
    text, ranges, cells = assemble(reader.finished())
    if not text:
        raise refuse("no_text", "there is no text in it that a reader sees")
    return Converted(
        text,
        tuple(ranges),
        tuple(cells),
        tuple(reader.changes),
        tuple(reader.tables),
        elements=tuple(tree.places),
        kind="html",
    )
