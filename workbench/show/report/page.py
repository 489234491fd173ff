"""The pieces of a report's page: escaped text, tables, states, and a page that loads nothing and runs nothing.

Everything that came from a document, a register or a question passes :func:`text`: characters that would hide, reorder
or command are made visible, markup is escaped. What is markup already is of type :class:`Markup` and nothing else is.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NewType

from workbench.errors import visible

Markup = NewType("Markup", str)
"""HTML that was built here, or by a function that escapes all it shows."""
HELD_BACK: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The page's own policy: even markup that slipped through could load and run nothing."""


class State(StrEnum):
    """What a check came to; a word first, then a colour."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_SHOWN = "not shown"


MARKS: Final = {State.HOLDS: "✓", State.FAILS: "✗", State.NOT_SHOWN: "–"}


@dataclass(frozen=True, slots=True)
class Marked:
    """Markup as a cell of a table; text alone is a plain string and is escaped."""

    markup: Markup


Cells = Sequence[str | int | Marked]
"""A row of a table."""


def text(value: object, *, breaks: bool = False) -> Markup:
    """The value as it may stand in a page.

    >>> text("<b>\\x1b[1m & \\u202e")
    '&lt;b&gt;⟨U+001B⟩[1m &amp; ⟨U+202E⟩'
    """
    return Markup(html.escape(visible(str(value), keep="\n\t" if breaks else "")))


def joined(parts: Iterable[Markup], by: str = "") -> Markup:
    """Pieces of markup, one after the other."""
    return Markup(by.join(parts))


def element(name: str, *inside: Markup, **attributes: str) -> Markup:
    """An element; an attribute's name is written with ``_`` (``class_``, ``aria_label``), its value is escaped.

    >>> element("p", text("a < b"), class_="note")
    '<p class="note">a &lt; b</p>'
    """
    named = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    said = "".join(f' {key}="{html.escape(visible(value), quote=True)}"' for key, value in named.items())
    return Markup(f"<{name}{said}>{joined(inside)}</{name}>")


def paragraph(value: object, *, kind: str | None = None) -> Markup:
    """A paragraph of plain text."""
    return element("p", text(value)) if kind is None else element("p", text(value), class_=kind)


def code(value: object) -> Markup:
    """A command, a digest or another thing to be copied; it may break anywhere."""
    return element("code", text(value))


def state(value: State, said: str | None = None) -> Markup:
    """A state as a mark and a word; the colour only repeats it.

    >>> state(State.HOLDS, "51 of 51 hold")
    '<span class="state holds">✓ 51 of 51 hold</span>'
    """
    kind = value.value.replace(" ", "-")
    return element("span", text(f"{MARKS[value]} {said or value.value}"), class_=f"state {kind}")


def link(to: str, said: object) -> Markup:
    """A link to another place of this page."""
    return element("a", text(said), href=f"#{to}")


def listed(items: Iterable[Markup]) -> Markup:
    """A list; nothing where there is nothing to list."""
    made = [element("li", item) for item in items]
    return element("ul", *made) if made else Markup("")


def table(
    caption: str, head: Sequence[str], rows: Iterable[Cells], *, numbers: Sequence[int] = (), kind: str = "plain"
) -> Markup:
    """A table with a caption; the first cell of a row is its header, and ``numbers`` are the columns set to the right.

    >>> "<th scope=\\"row\\">a</th><td class=\\"number\\">1</td>" in table("C", ["x", "y"], [["a", 1]], numbers=[1])
    True
    """
    top = joined(
        element("th", text(name), scope="col", class_="number" if place in numbers else "text")
        for place, name in enumerate(head)
    )
    body = []
    for row in rows:
        cells = [cell.markup if isinstance(cell, Marked) else text(cell) for cell in row]
        plain = [
            element("td", cell, class_="number") if place in numbers else element("td", cell)
            for place, cell in enumerate(cells[1:], 1)
        ]
        body.append(element("tr", element("th", cells[0], scope="row"), *plain))
    made = element(
        "table",
        element("caption", text(caption)),
        element("thead", element("tr", top)),
        element("tbody", *body),
        class_=kind,
    )
    # A wide table scrolls in its own frame, which then has to be reachable by keyboard and have a name.
    return element("div", made, class_="wide", tabindex="0", role="region", aria_label=caption)


def section(name: str, title: str, *inside: Markup) -> Markup:
    """A numbered part of the report with its heading; ``name`` is what links lead to."""
    return element("section", element("h2", text(title), id=name), *inside, aria_labelledby=name)


def heading(name: str, title: str) -> Markup:
    """A heading within a section."""
    return element("h3", text(title), id=name)


def page(title: str, *inside: Markup) -> Markup:
    """The whole page: English by default, one file, no script, nothing loaded from anywhere."""
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(HELD_BACK)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{CSS}</style>"
    )
    return Markup(
        f'<!DOCTYPE html>\n<html lang="en">\n<head>{head}</head>\n<body>\n{joined(inside)}\n</body>\n</html>\n'
    )


CSS: Final = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; background: #fff; color: #1a1a1a;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 2px solid #1a1a1a; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p { margin: .5rem 0; max-width: 46rem; }
ul { margin: .5rem 0; padding-left: 1.4rem; }
a { color: #0b4f8a; }
code { font: .88em/1.4 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; background: #f3f3f3;
  padding: 0 .2em; overflow-wrap: anywhere; }
.confidential { border-left: 4px solid #9b1b30; background: #faf3f4; padding: .6rem .9rem; max-width: none; }
.note { color: #595959; font-size: .92rem; }
.wide { overflow-x: auto; margin: .75rem 0 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #d5d5d5; }
thead th { border-bottom: 2px solid #767676; }
tbody th { font-weight: 500; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
td > p:first-child { margin-top: 0; }
table.points { table-layout: fixed; min-width: 40rem; }
table.points thead th:nth-child(1) { width: 27%; }
table.points thead th:nth-child(2) { width: 7.5rem; }
table.told { table-layout: fixed; }
table.told thead th:nth-child(1) { width: 10rem; }
.state { font-weight: 600; }
td .state { white-space: nowrap; }
.state.holds { color: #1a5c2e; }
.state.fails { color: #9b1b30; }
.state.not-shown { color: #595959; }
blockquote { margin: .5rem 0; padding: .3rem .9rem; border-left: 3px solid #767676; white-space: pre-wrap; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; height: auto; }
figcaption { color: #595959; font-size: .92rem; }
.example { border: 1px solid #d5d5d5; padding: .2rem 1rem 1rem; margin: 1rem 0; }
.example img { max-width: 100%; height: auto; }
nav ol { columns: 2; padding-left: 1.4rem; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  h2, h3, caption { break-after: avoid; } tr, figure, .example { break-inside: avoid; } .wide { overflow: visible; } }
"""
