"""How the tuner's panel writes: a document with its chunk borders, settings side by side, questions won and lost.

Everything that comes from documents or questions is escaped, and what would hide in it is made visible.
"""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from workbench.errors import visible
from workbench.show.tables_timeline import Frame

PALES: Final = ("#E3F0F9", "#FCF0DA")
STRIPED: Final = f"repeating-linear-gradient(45deg,{PALES[0]} 0 6px,{PALES[1]} 6px 12px)"
CUT: Final = '<b class="cut" title="an expected passage is cut here" style="color:#9B1B30">\N{BLACK SCISSORS}</b>'
MOST_LISTED: Final = 20
LEGEND: Final = (
    "Numbers and alternating backgrounds: passages; stripes: text in two of them; underlined: expected; "
    "\N{BLACK SCISSORS}: cut in two, so that no passage holds it whole."
)


def written(text: object) -> str:
    """The text, safe in HTML."""
    return html.escape(visible(str(text), keep="\n\t"))


def bordered(frame: Frame, title: str) -> str:
    """The frame of ``tables.chunks`` as HTML: the borders are drawn in the text itself."""
    pieces = "".join(_piece(row) for row in frame.iter_rows(named=True))
    return (
        f'<section><h4 style="margin:0">{written(title)}</h4>'
        f'<div class="chunks" style="white-space:pre-wrap;max-height:24em;overflow:auto" tabindex="0">{pieces}</div>'
        f'<p style="color:#595959;margin:0">{LEGEND}</p></section>'
    )


def _piece(row: Mapping[str, object]) -> str:
    passages, begins = _numbers(row["passages"]), _numbers(row["begins"])
    labels = "".join(f'<sup style="color:#595959">{number}</sup>' for number in begins)
    background = "" if not passages else STRIPED if len(passages) > 1 else PALES[passages[0] % 2]
    style = f"background:{background};" if background else ""
    if row["gold"]:
        style += "text-decoration:underline 3px #1A1A1A;text-underline-offset:3px;"
    name = f"passage {' and '.join(map(str, passages))}" if passages else "in no passage"
    text = f'<span title="{name}" style="{style}">{written(row["text"])}</span>'
    return (CUT if row["cut"] else "") + labels + text


def _numbers(value: object) -> list[int]:
    return [int(number) for number in value] if isinstance(value, Sequence) else []


def compared(frame: Frame, words: Iterable[str]) -> str:
    """The frame of ``tables.side_by_side`` as HTML, and below it what the difference is worth, in words."""
    head = "".join(f'<th scope="col">{written(column)}</th>' for column in frame.columns)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in frame.iter_rows())
    said = "".join(f"<p style='margin:0'>{written(one)}</p>" for one in words)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{said}"


def listed(frame: Frame, texts: Mapping[str, str]) -> str:
    """The frame of ``tables.won_and_lost`` as HTML, each question in its words."""
    if frame.is_empty():
        return "<p>No question is found earlier or later than before.</p>"
    _, now, before, _ = frame.columns
    rows = [
        f"<tr>{_cells((row['change'], row[before], row[now], texts[row['question_id']]))}</tr>"
        for row in frame.head(MOST_LISTED).iter_rows(named=True)
    ]
    more = f"<p>and {frame.height - MOST_LISTED} more</p>" if frame.height > MOST_LISTED else ""
    head = f'<th>change</th><th scope="col">rank under {written(before)}</th><th scope="col">under {written(now)}</th>'
    return f"<table><thead><tr>{head}<th>question</th></tr></thead><tbody>{''.join(rows)}</tbody></table>{more}"


def pictured(png: bytes, words: str) -> str:
    """A picture with what it says in words, for whoever cannot see it."""
    return f'<img alt="{written(words)}" src="data:image/png;base64,{b64encode(png).decode()}">'


def _cells(values: Iterable[object]) -> str:
    return "".join(f'<td style="text-align:left">{written(_shown(value))}</td>' for value in values)


def _shown(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return "none" if value is None else value
