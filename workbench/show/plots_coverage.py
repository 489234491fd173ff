"""Coverage as a picture: a cell for each configuration and region, filled as far as it is resolved, in words too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from matplotlib.patches import Patch

from workbench.contract import Actor, Operator
from workbench.errors import visible
from workbench.show.plots_around import WIDER, write_legend, write_title
from workbench.show.plots_boxes import Box, draw_boxes, kind_box, read_boxes
from workbench.show.plots_grammar import (
    GREY,
    INK,
    OKABE_ITO,
    Picture,
    TimeAxis,
    ink_on,
    lighter,
    picture,
    plain,
    width_of,
)
from workbench.show.tables_bars import BarKind
from workbench.show.tables_coverage import KINDS, binned_cells, drawn_cells
from workbench.show.tables_coverage import coverage as frame_of
from workbench.show.tables_timeline import Frame
from workbench.validity.register import Register

WIDTH: Final = 10.5  # inches at the most, as the next ones
CELL: Final = 3.1
LEFT: Final = 0.3
ABOVE: Final = 0.75
BELOW: Final = 0.8
FILLED: Final = 0.94
"""How much of a cell's place is the cell; the rest keeps it from its neighbours."""

SHADES: Final = ((1.0, 0.0), (0.9, 0.25), (0.75, 0.45), (0.5, 0.65), (0.0, 0.85))
"""From which share on a cell is how much lighter than the full colour; few steps, so that print can tell them apart."""


def coverage(
    register: Register,
    *,
    actor: Actor | Operator,
    at: object,
    known_at: object = None,
    tenant: str | None = None,
    note: str = "",
) -> Picture:
    """How much is resolved at an instant, by configuration and region: draws ``tables.coverage`` of the same arguments.

    A cell is filled from its left as far as its procedures have exactly one revision, the darker the more of them, and
    says how many in words. The rest of it has the pattern of what stands in the way. Of more than 40 configurations or
    regions neighbours are added up, which the picture says. Raises what ``tables.coverage`` raises.

    >>> from workbench.contract import OPERATOR
    >>> coverage(Register.read("data/pump-seal"), actor=OPERATOR, at=6)
    Picture(coverage at 6: 1 of 1 procedures in 1 cells)
    """
    frame = frame_of(register, actor=actor, at=at, known_at=known_at, tenant=tenant)
    valid = register.settings.valid
    axis = TimeAxis(valid.kind, 0, valid.days.zone if valid.days else "UTC")
    said = " ".join(axis.labels([valid.public(valid.read(at))])[0].split())
    if valid.kind == "utc":
        said += f" ({axis.zone})"
    if known_at is not None:
        recorded = register.settings.recorded
        said += f", as known at {recorded.spell(recorded.read(known_at))}"
    return draw_coverage(frame, said=said, note=note)


def draw_coverage(frame: Frame, *, said: str, note: str = "") -> Picture:
    """The picture of a coverage frame at the instant that ``said`` names."""
    drawn = binned_cells(frame)
    cells = list(drawn.iter_rows(named=True))
    down = {name: place for place, name in enumerate(dict.fromkeys(cell["configuration"] for cell in cells))}
    across = {name: place for place, name in enumerate(sorted(dict.fromkeys(cell["region"] for cell in cells)))}
    high = 0.4 if len(down) <= 20 else 0.28
    height = ABOVE + max(1, len(down)) * high + BELOW
    title = f"procedures with exactly one revision · {said}"
    totals = f"{frame['revision'].sum()} of {frame['scopes'].sum()} procedures in {frame.height} cells"
    figure = picture(WIDTH, height, f"coverage at {said}: {totals}")
    axes = figure.add_axes((0.2, BELOW / height, 0.7, 1 - (ABOVE + BELOW) / height))
    axes.set_xlim(0, max(1, len(across)))
    axes.set_ylim(max(1, len(down)), 0)
    axes.spines[:].set_visible(False)
    axes.set_yticks([place + 0.5 for place in down.values()], [visible(name) for name in down], fontsize=9.5)
    axes.set_xticks([place + 0.5 for place in across.values()], [visible(name) for name in across], fontsize=10.5)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        plain(label)
    widest = max((width_of(figure, label) for label in axes.get_yticklabels()), default=0.0) / figure.dpi
    wide = min(CELL, (WIDTH - LEFT - widest - 0.2) / max(1, len(across))) * max(1, len(across))
    head = plain(figure.text(0, 0, f"{title}   {note}", fontsize=12))
    wide = max(wide, width_of(figure, head) * (1 + WIDER) / figure.dpi)
    figure.set_figwidth(LEFT + widest + wide + 0.2)
    head.remove()
    total = figure.get_figwidth()
    axes.set_position(((LEFT + widest) / total, BELOW / height, wide / total, 1 - (ABOVE + BELOW) / height))
    boxes: dict[str, list[Box]] = {kind: [] for kind in KINDS}
    for cell in cells:
        for kind, box in _parts(cell, across[cell["region"]], down[cell["configuration"]]):
            boxes[kind].append(box)
    for kind, found in boxes.items():
        draw_boxes(axes, found, gid=kind)
    for cell in cells:
        _words(figure, cell, across[cell["region"]], down[cell["configuration"]])
    write_title(figure, axes, title, note)
    if drawn.height != frame.height:
        told = f"binned: {frame.height:,} cells are added up to {drawn.height:,}; a name with … says of how many"
        plain(axes.text(0, -0.02, told, transform=axes.transAxes, fontsize=9, color=GREY, va="top"))
        figure.subject += f"; {told}"
    full = Patch(facecolor=OKABE_ITO[0], edgecolor=INK, label="exactly one revision (darker: more of them)", lw=0.8)
    write_legend(figure, axes, (BarKind(kind) for kind in KINDS if boxes[kind]), first=[full])
    figure.reader = read_coverage
    return figure


def shade(share: float) -> str:
    """The colour of a cell in which so much is resolved."""
    return lighter(OKABE_ITO[0], next(lighter_by for least, lighter_by in SHADES if share >= least))


def _parts(cell: Mapping[str, Any], across: int, down: int) -> Iterator[tuple[str, Box]]:
    """The cell's parts from left to right, as wide as their share."""
    done, edge = 0, (1 - FILLED) / 2
    for kind in KINDS:
        if cell[kind]:
            left, right = (across + edge + FILLED * count / cell["scopes"] for count in (done, done + cell[kind]))
            yield kind, kind_box(left, right, down + 0.08, down + 0.92, kind=BarKind(kind), colour=shade(cell["share"]))
            done += cell[kind]


def _words(figure: Picture, cell: Mapping[str, Any], across: int, down: int) -> None:
    """What the cell says: all of it where there is room, else how many are resolved, else nothing."""
    axes = figure.axes[0]
    count = f"{cell['revision']} of {cell['scopes']}"
    others = ", ".join(f"{cell[kind]} {kind}" for kind in KINDS[1:] if cell[kind])
    pixel = float(axes.transData.transform((1, 0))[0] - axes.transData.transform((0, 0))[0])
    room, inside = FILLED * pixel - 12, FILLED * pixel * cell["share"] - 12
    words = axes.text(0, down + 0.5, "", va="center", gid="words", zorder=6)
    said = (f"{count} · {others}", count) if others else (count,)
    for space, text, size in ((space, text, size) for text in said for space in (inside, room) for size in (9.5, 8.5)):
        words.set_text(text)
        plain(words).set_fontsize(size)
        if width_of(figure, words) <= space:
            break
    else:
        words.remove()
        return
    words.set_x(across + (1 - FILLED) / 2 + 6 / pixel)
    words.set_color(ink_on(shade(cell["share"])) if space == inside else INK)
    if space != inside:
        words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})


def read_coverage(figure: Picture) -> Frame:
    """What a coverage picture shows, read from its artists: a row for each cell, its ``words``, and for each kind how
    much of the cell it fills, 0 to 1."""
    axes = figure.axes[0]
    down = {
        round(y - 0.5): label.get_text() for y, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)
    }
    across = {round(x - 0.5): t.get_text() for x, t in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)}
    words = {(int(t.get_position()[1]), int(t.get_position()[0])): t.get_text() for t in axes.texts if t.get_gid()}
    cells: dict[tuple[int, int], dict[str, float]] = {}
    for kind in KINDS:
        for box in read_boxes(axes, gid=kind):
            if str(box.kind) != kind:
                raise ValueError(f"a part of a cell is {kind} and has the pattern of {box.kind}")
            place = int(box.middle[1]), int(box.middle[0])
            cells.setdefault(place, {})[kind] = round((box.right - box.left) / FILLED, 6)
    return drawn_cells(
        {
            "configuration": down[y],
            "region": across[x],
            "words": words.get((y, x)),
            **dict.fromkeys(KINDS, 0.0),
            **parts,
        }
        for (y, x), parts in sorted(cells.items())
    )
