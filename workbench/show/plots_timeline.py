"""The validity timeline as a picture, drawn from its frame alone.

A bar begins at a stroke (included) and ends before a ring (excluded); where another bar of the lane begins at that very
instant, its stroke says so. An arrow leaves the picture where there is no end.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Rectangle

from workbench.contract import Actor, Clock, Operator, Request, Scope
from workbench.show.plots_canvas import Canvas, Cursor, canvas
from workbench.show.plots_grammar import GREY, INK, PATTERNS, Picture, ink_on, lighter, plain, width_of
from workbench.show.tables_bars import DECIDES, BarKind, seen_by
from workbench.show.tables_timeline import UNBOUNDED_KIND, Frame, timeline_frame
from workbench.validity.register import Register

THICK: Final = 0.54
"""How much of a lane its bars fill."""

LEAST: Final = 6
"""Pixels below which no name fits, so that none is measured."""

Bar = Mapping[str, Any]
"""A row of the frame."""


def timeline(
    register: Register,
    scope: Scope,
    *,
    actor: Actor | Operator,
    at: object = None,
    known_at: object = None,
    tenant: str | None = None,
    clock: Clock | None = None,
    note: str = "",
    colours: Mapping[str, str] | None = None,
) -> Picture:
    """Which revision decides when, and why, as a matplotlib Figure: it draws ``tables.timeline`` of the same arguments.

    With ``at`` a cursor carries the decision for that instant in the words of its repr: the actor's own, or for the
    operator that of somebody who may read everything. ``note`` is set beside the title ("invented test data").
    ``colours`` gives revisions their colours, so that several pictures agree. A ``utc`` axis is labelled in the zone
    that the register states for dates, else in UTC. Raises what ``tables.timeline`` and ``register.resolve`` raise.
    Contract 3.6, 3.9; S1, the diagram of the synthetic validity time.

    >>> from workbench.contract import OPERATOR
    >>> register = Register.read("data/pump-seal")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> timeline(register, seal, actor=OPERATOR, at=6)
    Picture(Scope(pump-seal / seal-torque / C2 / EU), 8 bars; Decision(RESOLVED bulletin-B [5,10) at 6, en, historical))
    """
    seen = seen_by(register, scope, actor, known_at=known_at, tenant=tenant)
    valid, recorded = register.settings.valid, register.settings.recorded
    frame = timeline_frame(seen)
    cursor = None
    if at is not None:
        decision = register.resolve(Request(scope, at=at, known_at=known_at), seen.reader, clock=clock)
        cursor = Cursor(valid.public(valid.read(at)), repr(decision))
    title = " · ".join(part or "?" for part in scope.parts())
    if known_at is not None:
        title += f" · as known at {recorded.spell(recorded.read(known_at))}"
    zone = valid.days.zone if valid.days else "UTC"
    return draw(frame, title=title, subject=repr(scope), zone=zone, note=note, cursor=cursor, colours=colours)


def draw(
    frame: Frame,
    *,
    title: str,
    subject: str,
    zone: str = "UTC",
    note: str = "",
    cursor: Cursor | None = None,
    colours: Mapping[str, str] | None = None,
) -> Picture:
    """The picture of a timeline's frame; it knows nothing that the frame does not say."""
    on = canvas(frame, subject=subject, zone=zone, cursor=cursor, colours=colours)
    tracks = _tracks(on)
    for number, bar in enumerate(on.bars):
        _bar(on, number, bar, *tracks[number])
    nameless = _names(on)
    _reasons(on)
    if cursor is not None:
        _cursor(on, cursor)
    on.finish(title=title, note=note, nameless=nameless)
    return on.figure


# --- bars and their marks -----------------------------------------------------------------------------------------


def _tracks(on: Canvas) -> list[tuple[float, float]]:
    """Middle and height of each bar: bars of one lane that overlap (two rows of one revision) share its height."""
    chosen: list[int] = []
    ends: dict[str, list[float]] = {}
    for bar in on.bars:
        start, end = on.span(bar)
        taken = ends.setdefault(bar["lane"], [])
        track = next((n for n, until in enumerate(taken) if until <= start), len(taken))
        taken[track : track + 1] = [end]
        chosen.append(track)
    found = []
    for bar, track in zip(on.bars, chosen, strict=True):
        height = THICK / len(ends[bar["lane"]])
        found.append((on.lane(bar) - THICK / 2 + height * (track + 0.5), height))
    return found


def _bar(on: Canvas, number: int, bar: Bar, middle: float, height: float) -> None:
    kind, (start, end) = BarKind(bar["kind"]), on.span(bar)
    pattern, colour = PATTERNS[kind], on.colour(bar)
    face = pattern.fill or (colour if kind is BarKind.REVISION else lighter(colour))
    on.axes.add_patch(
        Rectangle(
            (start, middle - height / 2),
            end - start,
            height,
            facecolor=face,
            edgecolor=pattern.ink,
            hatch=pattern.hatch,
            hatchcolor=colour if kind is BarKind.SUPERSEDED else pattern.ink,
            linewidth=0.8,
            hatch_linewidth=0.8,
            zorder=2,
            gid=f"bar-{number}",
        )
    )
    if bar["start"] is not None:
        reach = height / 2 + 0.07
        stroke = Line2D([start, start], [middle - reach, middle + reach], color=INK, linewidth=2.6, zorder=4)
        stroke.set_solid_capstyle("butt")
        on.axes.add_line(_named(stroke, f"from-{number}"))
    else:
        on.axes.add_line(_mark("<", on.left, middle, f"always-{number}"))
    if bar["end_kind"] == UNBOUNDED_KIND:
        on.axes.add_line(_mark(">", on.right, middle, f"on-{number}"))
    elif not on.met(bar):
        ring = Line2D([end], [middle], marker="o", markersize=7, color=INK, markerfacecolor="white", zorder=5)
        ring.set_markeredgewidth(1.6)
        on.axes.add_line(_named(ring, f"before-{number}"))


def _mark(shape: str, x: float, y: float, gid: str) -> Line2D:
    """An arrow head across the picture's edge."""
    return _named(Line2D([x], [y], marker=shape, markersize=10, color=INK, clip_on=False, zorder=5), gid)


def _named(line: Line2D, gid: str) -> Line2D:
    line.set_gid(gid)
    return line


# --- words --------------------------------------------------------------------------------------------------------


def _names(on: Canvas) -> int:
    """Writes what each bar says into it, or above the lane where there is no room; gives how many found none."""
    taken = [0.0, 0.0]  # how far the two lines above the first lane are written, in pixels
    nameless = 0
    for number, bar in enumerate(on.bars):
        kind = BarKind(bar["kind"])
        top = bar["lane"] == DECIDES
        if not top and kind is not BarKind.SUPERSEDED:
            continue  # the lane's own name says it
        if not _inside(on, number, bar, kind) and (not top or not _above(on, number, bar, taken)):
            nameless += top
    return nameless


def _inside(on: Canvas, number: int, bar: Bar, kind: BarKind) -> bool:
    start, end = on.span(bar)
    room = on.pixels(end) - on.pixels(start) - 8
    if room < LEAST:
        return False
    solid = kind is BarKind.REVISION
    ink = ink_on(on.colour(bar)) if solid else PATTERNS[kind].ink
    words = plain(
        on.axes.text((start + end) / 2, on.lane(bar), "", ha="center", va="center", fontsize=9, color=ink, zorder=6)
    )
    words.set_gid(f"name-{number}")
    if solid:
        words.set_fontweight("bold")
    else:
        words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    for text, size in itertools.product(on.names(bar), (9, 8)):
        words.set_text(text)
        plain(words).set_fontsize(size)
        if width_of(on.figure, words) <= room:
            return True
    words.remove()
    return False


def _above(on: Canvas, number: int, bar: Bar, taken: list[float]) -> bool:
    start, end = on.span(bar)
    kind = BarKind(bar["kind"])
    if min(taken) + LEAST > on.pixels((start + end) / 2):
        return False  # both lines are full up to here, and measuring a text is what costs
    for text, line in itertools.product(dict.fromkeys(on.names(bar)), range(len(taken))):
        words = plain(on.axes.text((start + end) / 2, -0.52 - 0.36 * line, text, ha="center", va="center"))
        words.set(fontsize=8, color=PATTERNS[kind].ink, gid=f"name-{number}", zorder=8)
        words.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})
        half = width_of(on.figure, words) / 2
        middle = on.pixels((start + end) / 2)
        if middle - half >= max(taken[line] + 6, on.pixels(on.left) if line else 0) and middle + half <= on.edge:
            taken[line] = middle + half
            return True
        words.remove()
    return False


def _reasons(on: Canvas) -> None:
    """An arrow from the lane of what supersedes to the stretch that it supersedes."""
    for number, bar in enumerate(on.bars):
        by = bar["superseded_by"]
        if by not in on.lanes or bar["kind"] != BarKind.SUPERSEDED:
            continue
        start, end = on.span(bar)
        here, there = on.lane(bar), on.lanes[by]
        side = THICK / 2 if there > here else -THICK / 2
        arrow = FancyArrowPatch(
            ((start + end) / 2, there - side),
            ((start + end) / 2, here + side),
            arrowstyle="-|>",
            mutation_scale=10,
            color=INK,
            linewidth=1.2,
            shrinkA=0,
            shrinkB=1,
            zorder=1.5,
            gid=f"because-{number}",
        )
        on.axes.add_patch(arrow)


def _cursor(on: Canvas, cursor: Cursor) -> None:
    x = on.axis.place(cursor.at)
    top, bottom = -1.3, len(on.lanes) - 0.5
    on.axes.add_line(
        _named(Line2D([x, x], [top, bottom], color=INK, linewidth=1.4, linestyle=(0, (4, 3)), zorder=7), "cursor")
    )
    words = plain(
        on.axes.text(x, top - 0.08, cursor.words, ha="center", va="bottom", fontweight="bold", gid="cursor-words")
    )
    for size in (9.5, 9, 8, 7):
        words.set_fontsize(size)
        if width_of(on.figure, words) < on.edge - 24:
            break
    half = width_of(on.figure, words) / 2
    words.set_x(on.at_pixel(min(max(on.pixels(x), half + 4), max(on.edge - half, half + 4))))
    said = " ".join(on.axis.labels([cursor.at])[0].split())
    foot = plain(on.axes.text(x, bottom, f" as of {said} ", ha="left", va="center", fontsize=8, color=GREY, zorder=7))
    foot.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
    foot.set_gid("cursor-at")
