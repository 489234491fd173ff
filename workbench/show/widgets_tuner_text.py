"""How the tuner's panel writes: a document with its chunk borders, settings side by side, questions won and lost.

Everything that comes from documents or questions is escaped, and what would hide in it is made visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from workbench.show.tables_timeline import Frame
from workbench.show.widgets_writing import PAIRS, inked, paragraph, safe, table

PALES: Final = (PAIRS["passage"][1], PAIRS["other passage"][1])
STRIPED: Final = f"repeating-linear-gradient(45deg,{PALES[0]} 0 6px,{PALES[1]} 6px 12px)"
CUT: Final = f'<b class="cut" title="an expected passage is cut here" style="{inked("failure")}">\N{BLACK SCISSORS}</b>'
MOST_LISTED: Final = 20
LEGEND: Final = (
    "Numbers and alternating backgrounds: passages; stripes: text in two of them; underlined: expected; "
    "\N{BLACK SCISSORS}: cut in two, so that no passage holds it whole."
)


def bordered(frame: Frame, title: str) -> str:
    """The frame of ``tables.chunks`` as HTML: the borders are drawn in the text itself."""
    pieces = "".join(_piece(row) for row in frame.iter_rows(named=True))
    scrolled = f"{inked('text')};white-space:pre-wrap;max-height:24em;overflow:auto"
    return (
        f'<div style="{inked("text")}"><h4 style="margin:0">{safe(title)}</h4>'
        f'<div class="chunks" role="region" aria-label="{safe(title)}" style="{scrolled}" tabindex="0">{pieces}</div>'
        f'<p style="{inked("aside")};margin:0">{LEGEND}</p></div>'
    )


def _piece(row: Mapping[str, object]) -> str:
    passages, begins = _numbers(row["passages"]), _numbers(row["begins"])
    labels = "".join(f'<sup style="{inked("aside")}">{number}</sup>' for number in begins)
    background = "" if not passages else STRIPED if len(passages) > 1 else PALES[passages[0] % 2]
    style = f"color:{PAIRS['passage'][0]};background:{background};" if background else ""
    if row["gold"]:
        style += f"text-decoration:underline 3px {PAIRS['text'][0]};text-underline-offset:3px;"
    name = f"passage {' and '.join(map(str, passages))}" if passages else "in no passage"
    text = f'<span title="{name}" style="{style}">{safe(row["text"])}</span>'
    return (CUT if row["cut"] else "") + labels + text


def _numbers(value: object) -> list[int]:
    return [int(number) for number in value] if isinstance(value, Sequence) else []


def compared(frame: Frame, words: Iterable[str]) -> str:
    """The frame of ``tables.side_by_side`` as HTML, and below it what the difference is worth, in words."""
    made = table("The setting before, and this one", frame.columns, map(_row, frame.iter_rows()))
    return made + "".join(map(paragraph, words))


def listed(frame: Frame, texts: Mapping[str, str]) -> str:
    """The frame of ``tables.won_and_lost`` as HTML, each question in its words."""
    if frame.is_empty():
        return paragraph("No question is found earlier or later than before.")
    _, now, before, _ = frame.columns
    rows = [
        _row((row["change"], row[before], row[now], texts[row["question_id"]]))
        for row in frame.head(MOST_LISTED).iter_rows(named=True)
    ]
    columns = ("change", f"rank under {before}", f"under {now}", "question")
    more = paragraph(f"and {frame.height - MOST_LISTED} more") if frame.height > MOST_LISTED else ""
    return table("Questions won and lost", columns, rows) + more


def _row(values: Iterable[object]) -> list[object]:
    """A row in which what is not there says so: an empty cell could be taken for a zero."""
    return ["none" if value is None else value for value in values]
