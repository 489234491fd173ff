"""One hit of the search panel: its text, and on request its verdict, its source and its place in the order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ipywidgets import HTML, Button, HBox, Layout, VBox

from workbench.contract import Actor, Clock, Document, Hit, Verdict
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus
from workbench.evidence.view import View
from workbench.pipeline.manifest import Manifest
from workbench.pipeline.verify import verify
from workbench.show.source import source_html
from workbench.show.widgets_search_text import composition, passage, surroundings
from workbench.show.widgets_status import StatusLine
from workbench.show.widgets_writing import inked, verdict_box
from workbench.validity.register import Register


@dataclass(frozen=True, slots=True)
class Desk:
    """What a hit is checked against: whoever asks, and the newest corpus and register."""

    corpus: Corpus
    register: Register | None
    actor: Actor
    clock: Clock | None
    folder: Path | None
    status: StatusLine


class HitBox(VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A hit with its buttons ``verify``, ``open_source`` and ``place``; ``checked`` is the last Verdict.

    What they show is in ``verdict``, ``source`` and ``score``.
    """

    def __init__(
        self, desk: Desk, view: View, query: str, hits: tuple[Hit, ...], number: int, manifest: Manifest
    ) -> None:
        self.hit, self.manifest, self.number = hits[number - 1], manifest, number
        self.checked: Verdict | None = None
        self._desk, self._view, self._query, self._count = desk, view, query, len(hits)
        around = surroundings(view, self.hit)
        self.quote = HTML(passage(manifest, self.hit, number, around, self._language()))
        self.verify = _button(f"Verify passage {number}", self._verify)
        self.open_source = _button(f"Open the source of passage {number}", self._open)
        self.place = _button(f"Explain place {number}", self._explain)
        self.verdict, self.source, self.score = HTML(), HTML(), HTML()
        self.open_source.add_class("wb-search-open")
        for name in ("quote", "verify", "place", "verdict", "source", "score"):
            getattr(self, name).add_class(f"wb-search-{name}")
        buttons = HBox([self.verify, self.open_source, self.place], layout=Layout(flex_flow="row wrap"))
        super().__init__([self.quote, buttons, self.verdict, self.source, self.score])
        self.add_class("wb-search-hit")

    def _language(self) -> str | None:
        if self.manifest.context is not None:
            return self.manifest.context.answer_language
        document: Document | None = self._desk.corpus.get(self.hit.document_id)
        return None if document is None else document.language

    def _verify(self) -> None:
        desk = self._desk
        with desk.status.working(f"verifying passage {self.number}…"):
            if desk.register is None:
                found = resolve_citation(desk.actor, self.manifest.citation, desk.corpus)
                self.checked = replace(found, authority="none") if found.ok else found
            else:
                self.checked = verify(self.manifest, desk.actor, desk.corpus, desk.register, clock=desk.clock)
            self.verdict.value = verdict_box(self.checked)
            desk.status.say(f"Passage {self.number}: {self.checked!r}")

    def _open(self) -> None:
        """The source, or nothing again; whoever may no longer read it is told so, and no more."""
        if self.source.value:
            self.source.value = ""
            self.open_source.description = f"Open the source of passage {self.number}"
            return
        desk = self._desk
        with desk.status.working(f"opening the source of passage {self.number}…"):
            shown = source_html(desk.corpus, self.manifest, actor=desk.actor, folder=desk.folder)
            self.source.value = (
                f'<div role="group" aria-label="Source" style="{inked("text")};padding:.2em .6em">{shown}</div>'
            )
            self.open_source.description = f"Close the source of passage {self.number}"
            desk.status.say(f"The source of passage {self.number} stands below it.")

    def _explain(self) -> None:
        if self.score.value:
            self.score.value = ""
            self.place.description = f"Explain place {self.number}"
            return
        with self._desk.status.working(f"explaining place {self.number}…"):
            shares = self._view.explain(self._query, [self.hit])
            self.score.value = composition(shares, self.number, self._count)
            self.place.description = f"Hide what place {self.number} is made of"
            self._desk.status.say(f"What place {self.number} is made of stands below the passage.")


def _button(words: str, pressed: Callable[[], None]) -> Any:
    made = Button(description=words, layout=Layout(width="auto"))
    made.on_click(lambda _: pressed())
    return made
