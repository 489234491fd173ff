"""The search panel: a question, the decision that it is asked under, and the passages with what makes them citable.

Everything shown comes from the functions that the next cell can call: ``ask`` (without a register ``view.search`` and
``view.rank``), ``verify``, ``source_html`` and ``view.explain``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ipywidgets import HTML, BoundedIntText, Button, Checkbox, Dropdown, HBox, Layout, Text, VBox

from workbench.contract import Actor, Clock, Decision, Hit, Request, Scope, Status
from workbench.errors import QueryRefused
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut, Paragraphs
from workbench.evidence.query import MAX_LIMIT, Match, question_words
from workbench.pipeline.audit import AuditLog
from workbench.pipeline.manifest import Manifest
from workbench.show.widgets_scope import ScopeBox, given_scope
from workbench.show.widgets_search_answer import Asker, Found, Posed, here
from workbench.show.widgets_search_hit import Desk, HitBox
from workbench.show.widgets_search_text import NO_REGISTER, NO_WORDS, NOT_FOUND
from workbench.show.widgets_status import StatusLine
from workbench.show.widgets_writing import STYLE, badge, boxed, paragraph, safe
from workbench.validity.register import Register

DEEPEST: Final = 20
"""With any of the words, so many passages can be chosen; with all of them, as many as the strict search gives."""

OLD: Final = "Below are still the answers to the old question"


class Search(VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The panel of :func:`search`. ``query``, ``ask``, ``match``, ``limit``, ``at`` and ``scope`` are its controls.

    What is on the screen: ``decision`` (``None`` without a register), ``hits``, ``manifests``, and ``boxes``, one for
    each hit with its buttons. ``posed`` is the question that they answer; ``old`` says that the controls hold another.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        actor: Actor,
        register: Register | None,
        request: Request,
        query: str,
        match: Match,
        limit: int,
        cut: Cut,
        clock: Clock | None,
        audit: AuditLog | None,
        folder: Path | None,
    ) -> None:
        Posed("", None, match, limit).find.check("")  # a limit outside the contract is refused, not lowered
        self._register, self._actor, self._known_at = register, actor, request.known_at
        self._deepest = max(DEEPEST, limit)
        self._asker = Asker(corpus, register, actor, cut=cut, clock=clock, audit=audit)
        self.decision: Decision | None = None
        self.hits: tuple[Hit, ...] = ()
        self.manifests: tuple[Manifest, ...] = ()
        self.boxes: tuple[HitBox, ...] = ()
        self.posed: Posed | None = None
        self._held = False
        self.actor = HTML(paragraph(f"Asking as {actor!r}"))
        self.query = Text(value=query, description="question", placeholder="words to look for")
        self.query.layout.width = "45em"
        self.ask = Button(description="Search")
        self.match = Dropdown(options=[("all of the words", "all"), ("any of the words", "any")], description="find")
        self.match.value = match
        self.limit = BoundedIntText(limit, min=1, max=self._most(), description="at most", layout=Layout(width="12em"))
        self.status = StatusLine("wb-search-status")
        self.shown = HTML()
        self.found = VBox()
        self._desk = Desk(corpus, register, actor, clock, folder, self.status)
        self.scope, scoped = self._scoped(request)
        named = {"actor": self.actor, "query": self.query, "ask": self.ask, "match": self.match, "limit": self.limit}
        for name, widget in {**named, "decision": self.shown, "hits": self.found}.items():
            widget.add_class(f"wb-search-{name}")
        self._wire()
        asked = HBox([self.query, self.ask], layout=Layout(flex_flow="row wrap"))
        how = HBox([self.match, self.limit], layout=Layout(flex_flow="row wrap"))
        super().__init__([HTML(STYLE), self.actor, *scoped, how, asked, self.status, self.shown, self.found])
        self.add_class("wb-search")
        self.add_class("wb-panel")
        self._search()

    def __repr__(self) -> str:
        return (
            f"Search({len(self.hits)} hits, {self.decision!r})" if self._register else f"Search({len(self.hits)} hits)"
        )

    @property
    def old(self) -> bool:
        """Whether the controls hold another question than the one that is answered on the screen."""
        return self.posed is not None and self._posed() != self.posed

    # --- controls ------------------------------------------------------------------------------------------------

    def _scoped(self, request: Request) -> tuple[ScopeBox | None, list[Any]]:
        """The controls that only a register needs."""
        self.at = Text(
            value="" if request.at is None else str(request.at), description="as of", continuous_update=False
        )
        self.at.placeholder = "a time; empty: now"
        self.at.add_class("wb-search-at")
        self.source = Checkbox(value=request.source_language, description="or the source, where there is no edition")
        self.source.layout.width = "auto"
        self.source.add_class("wb-search-source-language")
        if self._register is None:
            return None, []
        given = None if request.scope == Scope(None, None, None, None) else request.scope
        box = ScopeBox(self._register, self._actor, given=given, language=request.language, prefix="wb-search")
        more = [self.at, *([self.source] if self._register.settings.source_language_permitted else [])]
        return box, [box, HBox(more, layout=Layout(flex_flow="row wrap"))]

    def _wire(self) -> None:
        self.query.observe(lambda _: self._typed(), "value")
        self.query.on_msg(self._entered)
        self.ask.on_click(lambda _: self._search())
        self.match.observe(self._other_match, "value")
        for control in (self.limit, self.at, self.source):
            control.observe(lambda _: self._changed(), "value")
        if self.scope is not None:
            self.scope.tell(self._changed)

    def _most(self) -> int:
        return MAX_LIMIT if self.match.value == "all" else self._deepest

    def _other_match(self, _: object) -> None:
        self._held = True
        self.limit.max = self._most()  # may lower the value, which is no question of its own
        self._held = False
        self._changed()

    def _entered(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        if content.get("event") == "submit":
            self._search()

    def _changed(self) -> None:
        if not self._held:
            self._search()

    def _typed(self) -> None:
        """What stands on the screen answers another question now, and says so at once."""
        if self.old:
            self._age("Press Enter or Search to ask this one.")
        elif self.posed is not None:
            self._tell(self.posed)

    def _posed(self) -> Posed:
        request = None
        if self.scope is not None:
            request = Request(
                self.scope.scope,
                at=self.at.value.strip() or None,
                language=self.scope.asked_language,
                known_at=self._known_at,
                source_language=self.source.value,
            )
        return Posed(self.query.value, request, self.match.value, self.limit.value)

    # --- asking and showing --------------------------------------------------------------------------------------

    def _search(self) -> None:
        posed = self._posed()
        if self.posed is not None and self.posed != posed:
            self.found.add_class("wb-old")
        old = f" {OLD} {self.posed.words()}." if self.hits and self.posed and self.posed != posed else ""
        with self.status.working(f"searching…{old}", failed=lambda: self._show(posed, Found(), ())):
            found = self._asker.found(posed)
            self._show(posed, found, tuple(self._boxes(posed, found)))

    def _boxes(self, posed: Posed, found: Found) -> Iterator[HitBox]:
        for number, manifest in enumerate(found.manifests, 1):
            if found.view is not None:
                yield HitBox(self._desk, found.view, posed.query, found.hits, number, manifest)

    def _show(self, posed: Posed, found: Found, boxes: tuple[HitBox, ...]) -> None:
        """Put the new in place of the old: the old stays, marked as such, until the new is there."""
        gone = self.boxes
        self.found.children = boxes
        if self._register is None:
            self.shown.value = f'<p style="{boxed("refusal")}">{safe(NO_REGISTER)}</p>'
        else:
            self.shown.value = "" if found.decision is None else badge(found.decision, here(found.decision))
        self.decision, self.hits, self.manifests = found.decision, found.hits, found.manifests
        self.boxes, self.posed = boxes, posed
        self.found.remove_class("wb-old")
        if self.status.busy:
            self._tell(posed)
        for box in gone:
            _closed(box)

    def _tell(self, posed: Posed) -> None:
        """The status line of what is on the screen."""
        self.found.remove_class("wb-old")
        if self.decision is not None and self.decision.status is not Status.RESOLVED:
            self.status.say(f"No answer: {self.decision.message}")
        elif not question_words(posed.query):
            self.status.say(NO_WORDS)
        elif not self.hits:
            self.status.say(NOT_FOUND)
        else:
            count = f"{len(self.hits)} passage{'' if len(self.hits) == 1 else 's'}"
            self.status.say(f"{count} for {posed.words()}.")

    def _age(self, todo: str) -> None:
        self.found.add_class("wb-old")
        before = self.posed.words() if self.posed else ""
        self.status.say(f"{OLD} {before}. {todo}", old=True)


def _closed(widget: Any) -> None:
    """Close a widget that is no longer shown, with all inside it."""
    for child in getattr(widget, "children", ()):
        _closed(child)
    widget.close()


def search(
    corpus: Corpus,
    *,
    actor: Actor,
    register: Register | None = None,
    scope: Scope | None = None,
    at: object = None,
    language: str | None = None,
    known_at: object = None,
    source_language: bool = False,
    query: str = "",
    match: Match = "all",
    limit: int = 3,
    cut: Cut | None = None,
    clock: Clock | None = None,
    audit: AuditLog | None = None,
    folder: str | Path | None = None,
) -> Search:
    """What the accessible corpus says to a question, under the decision for a scope and time: a panel.

    A question and the lists for the scope, which offer what the actor may know; the decision's badge, refusals
    included; each hit in its paragraph with its neighbours in grey, where it stands, and buttons that verify it, open
    its source and say what its place in the order is made of. ``actor`` is shown and cannot be changed (contract 4.10):
    on an operator's own machine it may be a test persona. Without a ``register`` all that the actor may read is
    searched, and every hit says ``no authority``. With all words it is the strict search, with any ``view.rank``
    (contract 2.5); QueryRefused for a ``limit`` or ``match`` outside it. ``folder`` is where the corpus' sources lie,
    by default where it was read from.

    >>> corpus, register = Corpus.read("data/pumps"), Register.read("data/pump-seal")
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> panel = search(corpus, actor=Actor("werk-nord", {"wartung"}), register=register, scope=seal, at=6)
    >>> panel.query.value = "Anzugsmoment"
    >>> panel.ask.click()
    >>> panel
    Search(1 hits, Decision(RESOLVED bulletin-B [5,10) at 6, en, historical))
    >>> panel.boxes[0].verify.click()
    >>> panel.boxes[0].checked
    Verdict(ok, historical)
    """
    if not isinstance(query, str):
        raise QueryRefused("a question is text")
    request = Request(
        given_scope(scope) or Scope(None, None, None, None), at, language, known_at, None, source_language
    )
    return Search(
        corpus,
        actor=actor,
        register=register,
        request=request,
        query=query,
        match=match,
        limit=limit,
        cut=Paragraphs() if cut is None else cut,
        clock=clock,
        audit=audit,
        folder=None if folder is None else Path(folder),
    )
