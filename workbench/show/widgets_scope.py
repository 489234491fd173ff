"""The drop-downs for a scope and a language: they offer what the actor may know, and nothing else (contract 3.12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ipywidgets import Dropdown, HBox, Layout

from workbench.contract import Actor, Scope
from workbench.errors import RequestError
from workbench.show.widgets_writing import line
from workbench.validity.applicable import scopes_for
from workbench.validity.register import Register

FIELDS: Final = ("family", "procedure", "configuration", "region")
NONE: Final = ""
"""The value of the first line of a list: nothing chosen. ipywidgets cannot select a line whose value is None."""

CHOOSE: Final = "— choose —"
SOURCE: Final = "as the source"


def given_scope(scope: object) -> Scope | None:
    """The scope that a panel starts with, if any; RequestError where it is something else."""
    if scope is None or isinstance(scope, Scope):
        return scope
    raise RequestError("scope", "a Scope(family, procedure, configuration, region) is wanted")


class ScopeBox(HBox):  # type: ignore[misc]  # ipywidgets has no types
    """Lists for family, procedure, configuration and region, and for the language of the answer.

    Each list holds what is there under the ones before it; a list with one value only has it chosen. A scope that is
    ``given`` stays in the lists, known or not: whoever wrote it learns nothing from seeing it again.
    """

    def __init__(
        self, register: Register, actor: Actor, *, given: Scope | None, language: str | None, prefix: str
    ) -> None:
        self._register, self._actor = register, actor
        # What ``choices`` goes through for each list: neither register nor actor changes under a panel.
        self._known = [tuple(part or NONE for part in each.parts()) for each in scopes_for(register, actor)]
        given = given_scope(given)
        self._given = given.parts() if given else (None,) * 4
        self._told: list[Callable[[], None]] = []
        self._held = False
        self.family, self.procedure, self.configuration, self.region = (_list(name) for name in FIELDS)
        self.language = _list("language")
        for name, widget in zip((*FIELDS, "language"), self.lists, strict=True):
            widget.add_class(f"{prefix}-{name}")
        self._offer()
        for name, value in zip(FIELDS, self._given, strict=True) if given else ():
            getattr(self, name).value = value or NONE
            self._offer()
        known = self.languages
        offered = [*known, *([language] if language and language not in known else [])]
        self.language.options = [(SOURCE, NONE), *((line(each), each) for each in offered)]
        self.language.value = language or NONE
        for widget in self.lists:
            widget.observe(self._chosen, "value")
        super().__init__(list(self.lists), layout=Layout(flex_flow="row wrap"))

    @property
    def lists(self) -> tuple[Any, ...]:
        """The five lists."""
        return (*(getattr(self, name) for name in FIELDS), self.language)

    @property
    def scope(self) -> Scope:
        """What is chosen; a part that is not is ``None``."""
        return Scope(*(getattr(self, name).value or None for name in FIELDS))

    @property
    def asked_language(self) -> str | None:
        """The language that is chosen; ``None`` for the source's."""
        return self.language.value or None

    @property
    def languages(self) -> list[str]:
        """The languages of what the actor may read: sources, and reviewed editions of them."""
        revisions = self._register.revisions.values()
        readable = {r.id for r in revisions if self._actor.may(r.tenant, r.groups)}
        sources = {self._register.revisions[name].source_language for name in readable}
        editions = (e for e in self._register.equivalences if {e.edition, e.of_revision} <= readable)
        return sorted(sources | {e.language for e in editions})

    def tell(self, told: Callable[[], None]) -> None:
        """Call ``told`` after each choice."""
        self._told.append(told)

    def _chosen(self, change: dict[str, Any]) -> None:
        if self._held:
            return
        if change["owner"] is not self.language:
            self._offer()
        for told in self._told:
            told()

    def _offer(self) -> None:
        """What each list holds, given the lists before it."""
        self._held = True
        try:
            within = self._known
            for number, name in enumerate(FIELDS):
                column = sorted({parts[number] for parts in within if parts[number]})
                chosen = self._fill(getattr(self, name), column, self._given[number])
                within = [parts for parts in within if chosen is None or parts[number] == chosen]
        finally:
            self._held = False

    def _fill(self, widget: Any, known: Sequence[str], given: str | None) -> str | None:
        """Offer these, keep what is chosen where it is still among them; gives what is chosen then."""
        offered = [*known, *([given] if given and given not in known else [])]
        options = [(CHOOSE, NONE), *((line(each), each) for each in offered)]
        before = widget.value
        if tuple(widget.options) != tuple(options):
            widget.options = options
            widget.value = before if before in offered else offered[0] if len(offered) == 1 else NONE
        return widget.value or None


def _list(name: str) -> Any:
    made = Dropdown(options=[(CHOOSE, NONE)], value=NONE, description=name)
    made.style.description_width = "9em"
    made.layout.width = "23em"
    return made
