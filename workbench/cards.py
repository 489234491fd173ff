"""How a value shows itself in a notebook: a small table of what it says, in which nothing from outside is markup.

The colours stand beside their background, so that a notebook's dark theme cannot come between them.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Final

from workbench.errors import visible

INK: Final = "#1A1A1A"
PAPER: Final = "#FFFFFF"
_TABLE: Final = f"color:{INK};background:{PAPER};border-collapse:collapse"
_CELL: Final = f"text-align:left;vertical-align:top;padding:0 .6em;color:{INK};background:{PAPER}"
_CAPTION: Final = f"text-align:left;font-weight:bold;color:{INK};background:{PAPER}"


def card(title: str, lines: Iterable[tuple[str, object]]) -> str:
    """A value as a small HTML table for a notebook: every text escaped, invisible characters made visible.

    Lines without a value are left out; breaks and tabs of a text are kept.

    >>> "<b>" in card("A value", [("text", "<b>\x1b[1m"), ("absent", None)])
    False
    """
    rows = "".join(
        f'<tr><th scope="row" style="{_CELL}">{_text_html(name)}</th>'
        f'<td style="{_CELL};white-space:pre-wrap;overflow-wrap:anywhere">{_text_html(str(value))}</td></tr>'
        for name, value in lines
        if value is not None and value != ""
    )
    caption = f'<caption style="{_CAPTION}">{_text_html(title)}</caption>'
    return f'<table class="workbench-card" style="{_TABLE}">{caption}<tbody>{rows}</tbody></table>'


def sheet(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Several values as one HTML table with headers, escaped like a card; ``None`` is an empty cell.

    >>> sheet("Two", ["name"], [["<b>"], [None]]).count("<tr>")
    3
    """
    head = "".join(f'<th scope="col" style="{_CELL}">{_text_html(column)}</th>' for column in columns)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL};white-space:pre-wrap">{_cell(value)}</td>' for value in row) + "</tr>"
        for row in rows
    )
    caption = f'<caption style="{_CAPTION}">{_text_html(title)}</caption>'
    whole = f"{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<table class="workbench-sheet" style="{_TABLE}">{whole}</table>'


def _cell(value: object) -> str:
    return "" if value is None else _text_html(str(value))


def _text_html(text: str) -> str:
    return html.escape(visible(text, keep="\n\t"))
