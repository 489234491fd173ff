"""The conflict map: a lane for each scope that has a conflict or a gap, when it has it, between whom, and its owner."""

from __future__ import annotations

from typing import Final

from matplotlib.transforms import ScaledTranslation

from workbench.contract import Actor, Operator
from workbench.show.plots_bars import draw_bars
from workbench.show.plots_boxes import Box
from workbench.show.plots_canvas import EDGE, Canvas, canvas
from workbench.show.plots_grammar import DPI, GREY, INK, PATTERNS, Picture, picture, plain, widest_of, width_of
from workbench.show.plots_names import Bar, write_inside
from workbench.show.plots_reading import read_timeline
from workbench.show.tables_bars import BarKind
from workbench.show.tables_bins import binned_bars
from workbench.show.tables_conflicts import conflicts as frame_of
from workbench.show.tables_conflicts import drawn_conflicts
from workbench.show.tables_timeline import Frame
from workbench.validity.register import Register

HEAD: Final = 1.0  # lanes above the first one
GAP: Final = 18  # pixels between the last bar and its owner
OWNER: Final = 9  # points


def conflicts(
    register: Register,
    *,
    actor: Actor | Operator,
    known_at: object = None,
    tenant: str | None = None,
    note: str = "",
) -> Picture:
    """Which scopes have a conflict or a gap when, and who owns it: draws ``tables.conflicts`` of the same arguments.

    One lane for each such scope, its owner at the right. Where a lane is blank, exactly one revision applies, or
    nothing was promised yet. Conflicts carry their rivals' names. Of more than 40 lanes neighbours are merged, as
    ``tables.binned`` says. Raises what ``tables.conflicts`` raises.

    >>> from workbench.contract import OPERATOR
    >>> conflicts(Register.read("data/handbooks-register"), actor=OPERATOR, tenant="grauwede")
    Picture(conflicts and gaps of handbooks, 3 bars)
    """
    frame = frame_of(register, actor=actor, known_at=known_at, tenant=tenant)
    name = f"conflicts and gaps of {register.settings.name}"
    valid, recorded = register.settings.valid, register.settings.recorded
    if known_at is not None:
        name += f" as known at {recorded.spell(recorded.read(known_at))}"
    return draw_conflicts(frame, title=name, zone=valid.days.zone if valid.days else "UTC", note=note)


def draw_conflicts(frame: Frame, *, title: str, zone: str = "UTC", note: str = "") -> Picture:
    """The picture of a frame of conflicts; it knows nothing that the frame does not say."""
    drawn = binned_bars(frame)
    owners: dict[str, dict[str, None]] = {}
    for row in drawn.iter_rows(named=True):
        if row["kind"] != BarKind.UNAVAILABLE:
            several = row.get("rows", 1) > 1
            owners.setdefault(row["lane"], {})[row["owner"] or ("several" if several else "unstated")] = None
    said = {lane: ", ".join(found) for lane, found in owners.items()}
    right = EDGE + (widest_of(picture(1, 1, ""), said.values(), OWNER) + GAP) / DPI
    on = canvas(drawn, subject=title, zone=zone, of=frame, head=HEAD, right=right)
    for bar, box in zip(on.bars, draw_bars(on), strict=True):
        if not write_inside(on, bar, box, shorter=box.kind is BarKind.CONFLICT) and box.kind is BarKind.CONFLICT:
            _beside(on, bar, box)
    for lane, owner in said.items():
        _owner(on, on.lanes[lane], owner, "owner")
    if said:
        _owner(on, -0.75, "owner", "")
    if not on.bars:
        middle = (on.left + on.right) / 2
        on.axes.text(middle, -0.4, "no conflict and no gap", ha="center", va="center", color=GREY, fontsize=10)
    on.finish(title=title, note=note, nameless=0)
    on.figure.reader = read_conflicts
    return on.figure


def _owner(on: Canvas, lane: float, text: str, gid: str) -> None:
    """Who has to decide, at the right of a lane."""
    place = on.axes.get_yaxis_transform() + _shifted(on, GAP)
    words = plain(on.axes.text(1, lane, text, transform=place, va="center", fontsize=OWNER, gid=gid))
    words.set_color(INK if gid else GREY)


def _beside(on: Canvas, bar: Bar, box: Box) -> None:
    """Writes what a bar says to its right, or to its left, as far as no other bar of the lane is there."""
    others = [on.span(other) for other in on.bars if other["lane"] == bar["lane"] and other is not bar]
    until = min((start for start, _ in others if start >= box.right), default=on.right)
    since = max((end for _, end in others if end <= box.left), default=on.left)
    words = on.axes.text(*box.middle, "", va="center", fontsize=8.5, color=PATTERNS[box.kind].ink, zorder=6, gid="name")
    half = (on.pixels(box.right) - on.pixels(box.left)) / 2 + 10
    for text in on.names(bar):
        words.set_text(text)
        wide = width_of(on.figure, plain(words)) + 12
        for side, room in ((1, on.pixels(until) - on.pixels(box.right)), (-1, on.pixels(box.left) - on.pixels(since))):
            if wide <= room:
                words.set(ha="left" if side > 0 else "right", transform=on.axes.transData + _shifted(on, side * half))
                return
    words.remove()


def _shifted(on: Canvas, pixels: float) -> ScaledTranslation:
    """So many pixels to the right."""
    return ScaledTranslation(pixels / on.figure.dpi, 0, on.figure.dpi_scale_trans)


def read_conflicts(figure: Picture) -> Frame:
    """What a conflict map shows, read from its artists: the columns of a timeline's read-back, and the ``owner``."""
    axes = figure.axes[0]
    names = {round(y): label.get_text() for y, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)}
    owners = [text for text in axes.texts if text.get_gid() == "owner"]
    return drawn_conflicts(
        read_timeline(figure), {names[round(text.get_position()[1])]: text.get_text() for text in owners}
    )
