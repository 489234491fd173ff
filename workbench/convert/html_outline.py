"""The elements of an HTML file with their place, read by the standard parser: nothing is fetched, nothing is run.

What is left out is declared here: what no reader sees (scripts, styles, hidden elements, comments), and boilerplate
(navigation; page headers, footers and asides outside ``main`` and ``article``), unless an import keeps it.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from workbench.convert.limits import Limits
from workbench.convert.places import Block, Char, Element
from workbench.convert.refusals import refuse

VOID: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())
UNSEEN: Final = frozenset(
    "script style template noscript head title object embed iframe applet canvas audio video svg math select datalist "
    "button textarea map dialog frameset noframes".split()
)
BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table "
    "tbody td tfoot th thead tr ul".split()
)
BOILERPLATE_TAGS: Final = frozenset({"nav", "search", "menu"})
OUTER_BOILERPLATE_TAGS: Final = frozenset({"header", "footer", "aside"})
BOILERPLATE_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_CLOSED_BY: Final = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "tr": ({"tr", "td", "th"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "tbody": ({"tr", "td", "th", "thead", "tbody", "tfoot", "caption", "colgroup"}, {"table"}),
    "thead": ({"tr", "td", "th", "thead", "tbody", "tfoot", "caption", "colgroup"}, {"table"}),
    "tfoot": ({"tr", "td", "th", "thead", "tbody", "tfoot", "caption", "colgroup"}, {"table"}),
    "option": ({"option"}, {"select"}),
}
_CLOSES_P: Final = BLOCKS - {"body", "html", "caption", "td", "th", "tr", "tbody", "thead", "tfoot"}
_HIDING: Final = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


@dataclass(slots=True)
class Node:
    """An element: its tag, attributes, number in the file, path, and what it holds in order."""

    tag: str
    attributes: dict[str, str]
    number: int
    path: str
    held: list[Node | Block] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def text_parts(self) -> Block:
        """All characters below it."""
        made: Block = []
        for part in self.held:
            made += part.text_parts() if isinstance(part, Node) else part
        return made


class Outline(HTMLParser):
    """Builds the tree; the list ``places`` names each element by its path and the nearest id."""

    def __init__(self, text: str, limits: Limits) -> None:
        super().__init__(convert_charrefs=False)
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.limits = limits
        self.root = Node("", {}, 0, "")
        self.stack = [self.root]
        self.places: list[tuple[str, str]] = [("", "")]
        self.characters = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element opens, and closes those that end where it begins."""
        self._imply(tag)
        parent = self.stack[-1]
        parent.counts[tag] = parent.counts.get(tag, 0) + 1
        attributes = {name: value or "" for name, value in attrs}
        path = f"{parent.path}/{tag}[{parent.counts[tag]}]"
        node = Node(tag, attributes, len(self.places), path)
        self.places.append((path, attributes.get("id") or self.places[parent.number][1]))
        if len(self.places) > self.limits.objects:
            raise refuse("too_many_objects", f"it has more than {self.limits.objects} elements")
        parent.held.append(node)
        if tag not in VOID:
            self.stack.append(node)
            if len(self.stack) > self.limits.depth:
                raise refuse("too_deep", f"elements are nested more than {self.limits.depth} deep")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """``<br/>``; on other elements the slash says nothing, as browsers read it."""
        self.handle_starttag(tag, attrs)

    def _imply(self, tag: str) -> None:
        if tag in _CLOSES_P:
            self._close({"p"}, {"table", "td", "th", "button", "object", "caption"})
        closes = _CLOSED_BY.get(tag)
        if closes is not None:
            while self._close(*closes):
                pass

    def _close(self, tags: set[str], stop: set[str]) -> bool:
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].tag in tags:
                del self.stack[depth:]
                return True
            if self.stack[depth].tag in stop:
                return False
        return False

    def handle_endtag(self, tag: str) -> None:
        """The innermost open element of that name ends, with all inside it; an end without a start says nothing."""
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].tag == tag:
                del self.stack[depth:]
                return
            if self.stack[depth].tag == "table" and tag != "table":
                return

    def handle_data(self, data: str) -> None:
        """Text, each character with its line and column."""
        line, column = self.getpos()
        self.characters += len(data)
        if self.characters > self.limits.characters:
            raise refuse("too_large", f"it has more than {self.limits.characters} characters")
        number = self.stack[-1].number
        block: Block = []
        for c in data:
            block.append(Char(c, Element(number, line, column, column + 1)))
            line, column = (line + 1, 0) if c == "\n" else (line, column + 1)
        self.stack[-1].held.append(block)

    def handle_entityref(self, name: str) -> None:
        """``&uuml;``"""
        self._reference(f"&{name}")

    def handle_charref(self, name: str) -> None:
        """``&#252;``"""
        self._reference(f"&#{name}")

    def _reference(self, written: str) -> None:
        line, column = self.getpos()
        at = self.starts[line - 1] + column + len(written)
        written += ";" if self.text[at : at + 1] == ";" else ""
        became = html.unescape(written)
        place = Element(self.stack[-1].number, line, column, column + len(written))
        self.stack[-1].held.append([Char(c, place) for c in became])


def outline(text: str, limits: Limits) -> Outline:
    """The tree of an HTML text; Refused where it is nested or large beyond the limits."""
    found = Outline(text, limits)
    found.feed(text)
    found.close()
    return found


def unseen(node: Node) -> bool:
    """Whether a reader of the page sees nothing of the element."""
    attributes = node.attributes
    return (
        node.tag in UNSEEN
        or "hidden" in attributes
        or attributes.get("aria-hidden", "").lower() == "true"
        or _HIDING.search(attributes.get("style", "")) is not None
    )


def boilerplate(node: Node) -> bool:
    """Whether the element belongs to the site rather than to the document."""
    if node.tag in BOILERPLATE_TAGS or node.attributes.get("role", "").lower() in BOILERPLATE_ROLES:
        return True
    inside = re.search(r"/(?:main|article|section)\[", node.path) is not None
    return node.tag in OUTER_BOILERPLATE_TAGS and not inside
