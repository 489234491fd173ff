"""The validity timeline as a picture, drawn from its frame alone.

A bar begins at a stroke (included) and ends before a ring (excluded); where another bar of the lane begins at that very
instant, its stroke says so. An arrow leaves the picture where there is no end.
"""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from workbench.contract import Actor, Clock, Operator, Request, Scope
from workbench.show.plots_bars import THICK, draw_bars
from workbench.show.plots_canvas import Canvas, Cursor, canvas
from workbench.show.plots_grammar import GREY, INK, Picture, plain, width_of
from workbench.show.plots_names import write_names
from workbench.show.plots_reading import read_timeline
from workbench.show.tables_bars import BarKind, seen_by
from workbench.show.tables_bins import binned_bars
from workbench.show.tables_timeline import Frame, timeline_frame
from workbench.validity.register import Register


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
    """The picture of a timeline's frame; it knows nothing that the frame does not say.

    Of more lanes or bars than can be told apart it draws ``tables.binned(frame)``, and says so under the axis.
    """
    drawn = binned_bars(frame)
    on = canvas(drawn, subject=subject, zone=zone, cursor=cursor, colours=colours, of=frame)
    boxes = draw_bars(on)
    nameless = write_names(on, boxes)
    _reasons(on)
    if cursor is not None:
        _cursor(on, cursor)
    on.finish(title=title, note=note, nameless=nameless)
    on.figure.reader = read_timeline
    return on.figure


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
    line = Line2D([x, x], [top, bottom], color=INK, linewidth=1.4, linestyle=(0, (4, 3)), zorder=7)
    line.set_gid("cursor")
    on.axes.add_line(line)
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
