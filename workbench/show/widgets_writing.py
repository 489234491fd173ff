"""How the panels write: every text safe, every colour with its background, and each state in words before colours.

What a reader must tell apart has a word and a border of its own; a colour only helps. Each colour stands in
:data:`PAIRS` beside the background that it is read on, so that a dark theme cannot come between them and a test can
measure the contrast (WCAG 2.2, 1.4.3 and 1.4.11).
"""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from workbench.contract import MODES, Decision, Status, Verdict
from workbench.errors import visible

PAIRS: Final[Mapping[str, tuple[str, str]]] = {
    # name: (ink, background)
    "text": ("#1A1A1A", "#FFFFFF"),
    "aside": ("#595959", "#FFFFFF"),
    "quote": ("#1A1A1A", "#FFF3C4"),
    "passage": ("#1A1A1A", "#E3F0F9"),
    "other passage": ("#1A1A1A", "#FCF0DA"),
    "current": ("#1A1A1A", "#E6F2EA"),
    "historical": ("#1A1A1A", "#FCF0DA"),
    "planned": ("#1A1A1A", "#E3F0F9"),
    "refusal": ("#1A1A1A", "#F1F1F1"),
    "conflict": ("#9B1B30", "#FFFFFF"),
    "failure": ("#9B1B30", "#FFFFFF"),
    "old": ("#1A1A1A", "#F1F1F1"),
}
BORDERS: Final[Mapping[str, str]] = {
    "current": "6px solid #006644",
    "historical": "6px double #7A4B00",
    "planned": "6px dashed #005A94",
    "refusal": "6px dotted #595959",
    "conflict": "6px ridge #9B1B30",
    "failure": "6px groove #9B1B30",
    "text": "6px solid #595959",
    "old": "6px dotted #595959",
}
STATES: Final = {"current": "IN FORCE NOW", "historical": "HISTORICAL", "planned": "PLANNED"}
STYLE: Final = (
    "<style>.wb-panel .widget-html-content,.wb-panel .jupyter-widgets{line-height:1.45}"
    f".wb-old{{border-left:{BORDERS['old']}}}"
    ".wb-old .wb-hit::before{content:'OF THE OLD QUESTION';font-weight:bold;"
    f"color:{PAIRS['old'][0]};background:{PAIRS['old'][1]}}}</style>"
)
"""Lines at a distance to read, and what marks results that answer another question than the one in the controls."""

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def safe(text: object) -> str:
    """The text, safe in HTML and in an attribute; what would hide, reorder or command in it is made visible.

    >>> safe("<b>\\x1b[1m")
    '&lt;b&gt;⟨U+001B⟩[1m'
    """
    return html.escape(visible(str(text), keep="\n\t"))


def line(text: object) -> str:
    """The text as one line of a list or a label, which no markup reaches: only made visible."""
    return visible(str(text))


def inked(name: str) -> str:
    """The style of one of :data:`PAIRS`."""
    ink, paper = PAIRS[name]
    return f"color:{ink};background:{paper}"


def boxed(name: str) -> str:
    """The style of a box with a border of its own."""
    return f"{inked(name)};border-left:{BORDERS[name]};padding:.3em .6em;margin:.2em 0"


def language_of(text: str | None) -> str:
    """The attribute that names a text's language; none for what is no language code (BCP 47), which would lie.

    >>> language_of("de"), language_of('de" onclick="x'), language_of(None)
    (' lang="de"', '', '')
    """
    return f' lang="{text}"' if text and _LANGUAGE.fullmatch(text) else ""


def paragraph(words: str, name: str = "text") -> str:
    """One paragraph of plain words."""
    return f'<p style="{inked(name)};margin:0;padding:.1em .6em">{safe(words)}</p>'


def status(words: str, *, busy: bool = False, name: str = "text") -> str:
    """A line that a screen reader says when it changes; ``busy`` while work is under way."""
    state = ' aria-busy="true"' if busy else ""
    return f'<div role="status" aria-live="polite"{state} style="{boxed(name)}">{safe(words)}</div>'


def problem(title: str, reason: object, todo: str) -> str:
    """Something that went wrong, why, and what to do."""
    return (
        f'<div role="alert" style="{boxed("failure")}"><strong>{safe(title)}</strong><br>'
        f"{safe(reason)}<br><strong>What to do:</strong> {safe(todo)}</div>"
    )


def badge(decision: Decision, here: str = "") -> str:
    """A decision: its state in capitals, then all that its own card says, then what to do in this panel."""
    name = decision.mode if decision.status is Status.RESOLVED else "refusal"
    if decision.status is Status.UNRESOLVED_AUTHORITY:
        name = "conflict"
    if name in STATES:
        meaning = MODES[name].partition(", ")[2]
        head = f"{STATES[name]} · {decision.edition_id or decision.revision_id} · {meaning}"
    else:
        head = f"NO ANSWER · {decision.status}"
    todo = f"<p style='margin:.2em 0'><strong>What to do here:</strong> {safe(here)}</p>" if here else ""
    return (
        f'<div role="group" aria-label="Decision" style="{boxed(name or "refusal")}">'
        f'<p style="margin:0"><strong>{safe(head)}</strong></p>{decision._repr_html_()}{todo}</div>'
    )


def verdict_box(verdict: Verdict) -> str:
    """A verdict: in words first, then its own card."""
    if not verdict.ok:
        head, name = f"FAILS: {verdict.reason}", "failure"
    elif verdict.historical or verdict.authority == "none":
        head, name = "HOLDS, but is not shown to apply now", "historical"
    else:
        head, name = "HOLDS", "current"
    return (
        f'<div role="group" aria-label="Verdict" style="{boxed(name)}"><p style="margin:0">'
        f"<strong>{safe(head)}</strong></p>{verdict._repr_html_()}</div>"
    )


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with its caption and its headers; the first cell of a row is the row's header. ``None`` is empty."""
    head = "".join(f'<th scope="col" style="text-align:left;padding:0 .6em">{safe(name)}</th>' for name in columns)
    body = "".join(f"<tr>{_row(row)}</tr>" for row in rows)
    return (
        f'<table style="{inked("text")};border-collapse:collapse"><caption style="text-align:left;{inked("text")}">'
        f"<strong>{safe(caption)}</strong></caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(row: Sequence[object]) -> str:
    style = 'style="text-align:left;padding:0 .6em;vertical-align:top"'
    first, *others = ("" if value is None else safe(_shown(value)) for value in row)
    return f'<th scope="row" {style}>{first}</th>' + "".join(f"<td {style}>{cell}</td>" for cell in others)


def _shown(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return value


def pictured(png: bytes, words: str) -> str:
    """A picture with what it says in words, for whoever cannot see it."""
    data = b64encode(png).decode()
    return f'<img alt="{safe(words)}" style="max-width:100%;height:auto" src="data:image/png;base64,{data}">'
