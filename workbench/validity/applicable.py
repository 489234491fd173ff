"""A set of scopes: one decision for each family and procedure that an actor may know of (contract 3.12).

What is offered here feeds every drop-down and completion too: nobody is offered a name that no readable revision bears.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.cards import sheet
from workbench.contract import Actor, Clock, Decision, Request, Scope, Status
from workbench.validity.requests import now_of

if TYPE_CHECKING:
    from workbench.validity.register import Register


@dataclass(frozen=True, slots=True)
class Choices:
    """The values that an actor may be offered, sorted: of scopes with a row of a revision that the actor may read."""

    families: tuple[str, ...]
    procedures: tuple[str, ...]
    configurations: tuple[str, ...]
    regions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Applicable(Mapping[Scope, Decision]):
    """The decisions by scope, in the order of family and procedure; refusals stand beside what is resolved."""

    decisions: Mapping[Scope, Decision]

    def __getitem__(self, scope: Scope) -> Decision:
        return self.decisions[scope]

    def __iter__(self) -> Iterator[Scope]:
        return iter(self.decisions)

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def resolved(self) -> tuple[Decision, ...]:
        """The decisions whose documents a view may hold."""
        return tuple(d for d in self.decisions.values() if d.status is Status.RESOLVED)

    @property
    def refused(self) -> Mapping[Scope, Decision]:
        """The refusals; nothing is filled in for them from elsewhere."""
        return {scope: d for scope, d in self.decisions.items() if d.status is not Status.RESOLVED}

    def __repr__(self) -> str:
        return f"Applicable({len(self.resolved)} resolved, {len(self.refused)} refused)"

    def _repr_html_(self) -> str:
        rows = [(scope.family, scope.procedure, decision, decision.message) for scope, decision in self.items()]
        return sheet(repr(self), ("family", "procedure", "decision", "what the asker is told"), rows)


def scopes_for(register: Register, actor: Actor) -> list[Scope]:
    """Every leaf scope that has, at some time, a row of a revision that the actor may read; sorted."""
    readable = {r.id for r in register.revisions.values() if actor.may(r.tenant, r.groups)}
    keys = [
        key
        for key, scope in register.by_scope.items()
        if key.tenant == actor.tenant and any(row.revision_id in readable for row in scope.rows)
    ]
    return [Scope(*key[1:]) for key in sorted(keys)]


def choices(register: Register, actor: Actor, *, within: Scope | None = None) -> Choices:
    """What an actor may be offered to choose from, given the parts of a scope that are already chosen.

    >>> from workbench.validity.register import Register
    >>> register = Register.read("data/pump-seal")
    >>> choices(register, Actor("werk-nord", {"wartung"})).procedures
    ('seal-torque',)
    >>> choices(register, Actor("werk-nord", {"besuch"})).procedures
    ()
    """
    chosen = within.parts() if within else (None,) * 4
    found = [
        scope.parts()
        for scope in scopes_for(register, actor)
        if all(wanted is None or wanted == part for wanted, part in zip(chosen, scope.parts(), strict=True))
    ]
    columns = [tuple(sorted({part for part in column if part})) for column in zip(*found, strict=True)] or [()] * 4
    return Choices(*columns)


def applicable(
    register: Register,
    configuration: str | None,
    region: str | None,
    *,
    actor: Actor,
    at: object = None,
    language: str | None = None,
    known_at: object = None,
    mode: str | None = None,
    source_language: bool = False,
    clock: Clock | None = None,
) -> Applicable:
    """One decision for each family and procedure of which the actor may read at least one revision at some time.

    The instant is taken once for all of them. Raises RequestError as a single request does.
    """
    pairs = sorted({(scope.family or "", scope.procedure or "") for scope in scopes_for(register, actor)})
    once = _once(register, clock)
    decisions: dict[Scope, Decision] = {}
    for family, procedure in pairs:
        scope = Scope(family, procedure, configuration, region)
        request = Request(scope, at, language, known_at, mode, source_language)
        decisions[scope] = register.resolve(request, actor, clock=once)
    return Applicable(decisions)


def _once(register: Register, clock: Clock | None) -> Clock | None:
    """The clock, stopped at what it says now; a logical register has none by default (contract 3.7)."""
    rule = register.settings.valid
    now = now_of(rule, clock)
    if now is None:
        return None
    moment = rule.public(now)
    assert not isinstance(moment, str), "no clock stands at unbounded"
    return lambda: moment
