"""What scores are made of, as a picture: a bar for each hit, and in it a part for each word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from workbench.contract import Hit
from workbench.errors import visible
from workbench.evidence.view import View
from workbench.show.plots_around import LEGEND, MARK, legend, write_title
from workbench.show.plots_boxes import Box, draw_boxes, read_boxes
from workbench.show.plots_grammar import (
    DPI,
    GREY,
    INK,
    OKABE_ITO,
    Picture,
    ink_on,
    lighter,
    picture,
    plain,
    widest_of,
    width_of,
)
from workbench.show.tables_composition import binned_hits, drawn_parts
from workbench.show.tables_composition import composition as frame_of
from workbench.show.tables_timeline import Frame

WIDTH: Final = 10.5  # inches, as the next ones
LANE: Final = 0.42
ABOVE: Final = 0.45
BELOW: Final = 0.62
KEY: Final = 0.24  # the height of a line of the legend

HATCHES: Final = (None, "...", "xxx", "///", "ooo", "\\\\\\", "+++")
"""The patterns of words. With the six colours, which come round at another time, 42 words differ."""


def composition(view: View, query: str, hits: Sequence[Hit], *, note: str = "") -> Picture:
    """What each word of the question adds to each hit's score: draws ``tables.composition`` of the same arguments.

    A bar for each hit, from 0 to minus its score (longer is better, and nothing else may be read from it: contract
    2.4), in which each word has a part in its own pattern and colour, its name where there is room, and a key. Words
    that no hit holds are named there too. Of more than 40 hits neighbouring places are drawn as their mean. Raises
    what ``tables.composition`` raises.

    >>> from workbench.contract import Actor
    >>> from workbench.evidence.corpus import Corpus
    >>> view = Corpus.read("data/pumps").view(Actor("werk-nord", {"wartung"}))
    >>> composition(view, "zwei Personen", view.search("zwei Personen"))
    Picture(scores of 1 hits for 'zwei Personen', by word)
    """
    return draw_composition(frame_of(view, query, hits), query=query, note=note)


def draw_composition(frame: Frame, *, query: str, note: str = "") -> Picture:
    """The picture of a composition's frame; it knows nothing that the frame does not say."""
    drawn = binned_hits(frame)
    rows = list(drawn.iter_rows(named=True))
    lanes = {hit: place for place, hit in enumerate(dict.fromkeys(row["hit"] for row in rows))}
    looks = {word: _look(number) for number, word in enumerate(dict.fromkeys(row["word"] for row in rows))}
    count = frame["place"].n_unique()
    figure = picture(WIDTH, 1, f"scores of {count} hits for {query!r}, by word")
    held = {row["word"] for row in rows if row["contribution"]}
    keys = {word: visible(word) if word in held else f"{visible(word)} (adds nothing)" for word in looks}
    widest = widest_of(figure, lanes, 9.5) / DPI + 0.3
    columns = max(1, int((WIDTH - widest) * DPI / (widest_of(figure, keys.values(), LEGEND) + MARK)))
    low = BELOW + KEY * -(-max(1, len(looks)) // columns)
    height = ABOVE + max(1, len(lanes)) * LANE + low
    figure.set_figheight(height)
    axes = figure.add_axes((widest / WIDTH, low / height, 1 - (widest + 0.2) / WIDTH, 1 - (ABOVE + low) / height))
    scores = {row["hit"]: row["score"] for row in rows}
    axes.set_xlim(0, max((-score for score in scores.values()), default=1.0) * 1.12 or 1.0)
    axes.set_ylim(max(1, len(lanes)) - 0.5, -0.5)
    axes.spines[["left", "top", "right"]].set_visible(False)
    axes.set_yticks(list(lanes.values()), [visible(hit) for hit in lanes], fontsize=9.5)
    axes.tick_params(axis="y", length=0, pad=6)
    axes.tick_params(axis="x", color=GREY, labelsize=9)
    for label in axes.get_yticklabels():
        plain(label)
    for number, (word, look) in enumerate(looks.items()):
        parts = [_part(row, lanes[row["hit"]], *look) for row in rows if row["word"] == word and row["contribution"]]
        draw_boxes(axes, parts, gid=f"word-{number}")
        for part in parts:
            _name(figure, axes, part, word)
    for hit, score in scores.items():
        place = (-score + axes.get_xlim()[1] * 0.008, lanes[hit])
        axes.text(*place, f"{score:.6g}", va="center", fontsize=8.5, color=GREY, gid="score")
    said = "minus the score: a place in this order, no percentage and no confidence"
    if drawn.height != frame.height:
        said += f" · binned: {count:,} hits are drawn as {len(lanes)} means"
        figure.subject += f"; {count:,} hits are drawn as {len(lanes)} means"
    axes.set_xlabel(said, fontsize=9, color=GREY, labelpad=4)
    write_title(figure, axes, f"what each word adds: {query}", note)
    legend(figure, axes, [_key(keys[word], *look) for word, look in looks.items()])
    figure.reader = read_composition
    return figure


def _look(number: int) -> tuple[str, str | None]:
    """A word's colour and pattern."""
    return OKABE_ITO[number % len(OKABE_ITO)], HATCHES[number % len(HATCHES)]


def _part(row: dict[str, Any], lane: int, colour: str, hatch: str | None) -> Box:
    return Box(-row["begins"], -row["ends"], lane - 0.34, lane + 0.34, hatch, _fill(colour, hatch))


def _key(name: str, colour: str, hatch: str | None) -> Patch:
    """A word's pattern in the legend."""
    return Patch(facecolor=_fill(colour, hatch), edgecolor=INK, hatch=hatch, label=name, lw=0.8)


def _fill(colour: str, hatch: str | None) -> str:
    """The colour, paler below a pattern."""
    return colour if hatch is None else lighter(colour, 0.45)


def _name(figure: Picture, axes: Axes, part: Box, word: str) -> None:
    """Writes the word into its part where there is room."""
    left, right = axes.transData.transform([(part.left, 0), (part.right, 0)])[:, 0]
    if right - left < 12:
        return
    words = plain(axes.text(*part.middle, word, ha="center", va="center", fontsize=9, zorder=6, gid="name"))
    if part.hatch is None:
        words.set_color(ink_on(part.fill))
    else:
        words.set(color=INK, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2})
    if width_of(figure, words) > right - left - 8:
        words.remove()


def read_composition(figure: Picture) -> Frame:
    """What a composition shows, read from its artists: each part of each bar with the ``word`` that its pattern stands
    for in the key, where it ``begins`` and ``ends`` as scores do (negative), and the score written beside its bar."""
    axes, [legend] = figure.axes[0], figure.legends
    lanes = {round(y): label.get_text() for y, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)}
    labels = {round(t.get_position()[1]): t.get_text() for t in axes.texts if t.get_gid() == "score"}
    found = []
    for number, (key, name) in enumerate(zip(legend.get_patches(), legend.get_texts(), strict=True)):
        for box in read_boxes(axes, gid=f"word-{number}"):
            if box.hatch != key.get_hatch():
                raise ValueError(f"the parts of {name.get_text()} have another pattern than its key")
            found.append((round(box.middle[1]), box.left, box.right, name.get_text()))
    return drawn_parts(
        {"hit": lanes[lane], "word": word, "begins": -left or 0.0, "ends": -right, "label": labels.get(lane)}
        for lane, left, right, word in sorted(found)
    )
