"""The index of a corpus: segments, which of their documents are still alive, and what each view sees of them.

Made once, shared by all views: access, validity and cut are applied afterwards, with statistics over the view alone. An
index is never changed; a change of the corpus gives a new one that shares the old segments.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from workbench.contract import Document, Spans
from workbench.evidence.cuts import Cut, Paragraphs
from workbench.evidence.layout import Layout, layout_of, layout_of_pieces
from workbench.evidence.ranking import Ranking, lens
from workbench.evidence.segment import Segment, segment_of
from workbench.evidence.windows import WINDOWS, Units, Windows, units_of, windowed

MAX_PARTS: Final = 8
"""More segments than this are joined, so that a search stays one over few."""
KEPT_RANKINGS: Final = 16
KEPT_LAYOUTS: Final = 8
PARAGRAPHS: Final = repr(Paragraphs())

Alive = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Part:
    """A segment with its documents, and the layouts that have been made of it so far."""

    segment: Segment
    documents: tuple[Document, ...]
    layouts: dict[str, Layout | None] = field(default_factory=dict, repr=False)
    written: dict[Path, str] = field(default_factory=dict, repr=False)
    """Under which name it is on disk, by folder."""
    units: dict[type[Windows], Units] = field(default_factory=dict, repr=False)
    """Its words or sentences, found when windows of them are first asked for."""

    def layout(self, cut: Cut) -> Layout | None:
        """The segment under a cut, or ``None`` where it cuts tokens.

        Paragraphs, which most searches use, have the pairs of every term.
        """
        label = repr(cut)
        layouts = self.layouts
        known = layouts.get(label, self)
        if not isinstance(known, Part):
            return known
        found = self._layout(cut)
        # A sweep looks at many cuts once each; what is not looked at again would only take up memory.
        for other in [kept for kept in tuple(layouts) if kept != PARAGRAPHS][: 1 - KEPT_LAYOUTS]:
            layouts.pop(other, None)
        layouts[label] = found
        return found

    def _layout(self, cut: Cut) -> Layout | None:
        if isinstance(cut, WINDOWS) and type(cut) in WINDOWS:
            kind = type(cut)
            if kind not in self.units:
                self.units[kind] = units_of(self.segment, [d.text for d in self.documents], kind)
            return windowed(self.segment, self.units[kind], cut)
        found = layout_of(self.segment, [d.text for d in self.documents], cut)
        return found.made_ready() if found and isinstance(cut, Paragraphs) else found


@dataclass(frozen=True, eq=False)
class Index:
    """The parts of an index, and for each which of its documents are still the corpus's."""

    parts: tuple[Part, ...]
    alive: tuple[Alive, ...]
    _rankings: OrderedDict[object, Ranking] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def ranking(
        self, documents: Mapping[str, Document], admitted: Mapping[str, Spans | None], cut: Cut, *, key: object
    ) -> Ranking:
        """What a view sees; kept for the next one with the same key (the same access to the same documents)."""
        with self._lock:
            if key in self._rankings:
                self._rankings.move_to_end(key)
                return self._rankings[key]
        found = self._ranking(documents, admitted, cut)
        with self._lock:
            self._rankings[key] = found
            while len(self._rankings) > KEPT_RANKINGS:
                self._rankings.popitem(last=False)
        return found

    def _ranking(self, documents: Mapping[str, Document], admitted: Mapping[str, Spans | None], cut: Cut) -> Ranking:
        limited = any(spans is not None for spans in admitted.values())
        # Of paragraphs, spans choose some; under other cuts they are cut anew.
        if not limited or isinstance(cut, Paragraphs):
            layouts = [part.layout(cut) for part in self.parts]
            if None not in layouts:
                pairs = zip(layouts, self.alive, strict=True)
                return Ranking(tuple(lens(layout, admitted, alive) for layout, alive in pairs if layout))
        return Ranking((lens(layout_of_pieces(documents, admitted, cut), dict.fromkeys(admitted)),))

    def changed(self, *, gone: Iterable[str], new: Sequence[Document]) -> Index:
        """The index without the documents ``gone`` and with the ``new`` ones."""
        names = set(gone)
        alive = []
        for part, before in zip(self.parts, self.alive, strict=True):
            dead = np.fromiter((d.id in names for d in part.documents), np.bool_, len(part.documents))
            alive.append(before & ~dead if dead.any() else before)
        parts = list(self.parts)
        if new:
            parts.append(part_of(new))
            alive.append(np.ones(len(new), np.bool_))
        return Index(tuple(parts), tuple(alive)).joined()

    def joined(self) -> Index:
        """The same documents in fewer parts, where there are too many, or too many dead documents in them."""
        living = [int(mask.sum()) for mask in self.alive]
        keep = [2 * n > len(mask) for n, mask in zip(living, self.alive, strict=True)]
        if len(self.parts) > MAX_PARTS:
            largest = living.index(max(living))
            keep = [here and i == largest for i, here in enumerate(keep)]
        if all(keep):
            return self
        rest = [
            document
            for part, mask, kept in zip(self.parts, self.alive, keep, strict=True)
            if not kept
            for document, lives in zip(part.documents, mask.tolist(), strict=True)
            if lives
        ]
        parts = [part for part, kept in zip(self.parts, keep, strict=True) if kept]
        alive = [mask for mask, kept in zip(self.alive, keep, strict=True) if kept]
        if rest:
            parts.append(part_of(rest))
            alive.append(np.ones(len(rest), np.bool_))
        return Index(tuple(parts), tuple(alive))


def part_of(documents: Iterable[Document], *, progress: Callable[[str], None] | None = None) -> Part:
    """The part for these documents, those that the same actors may read next to each other.

    A view then sees few ranges of passages, so that what it may not see costs it hardly any time.
    """
    ordered = tuple(sorted(documents, key=lambda d: (d.tenant, sorted(d.groups), d.id)))
    if progress is not None:
        progress(f"reading the words of {len(ordered)} documents")
    return Part(segment_of([d.id for d in ordered], [d.text for d in ordered]), ordered)


def index_of(documents: Iterable[Document]) -> Index:
    """The index of these documents, in memory."""
    given = tuple(documents)
    return Index((part_of(given),), (np.ones(len(given), np.bool_),)) if given else Index((), ())
