"""Whose page an app serves: one actor from its launch, or the visitor that a proxy has authenticated (contract 4.10).

No request can say who its actor is: a visitor's browser holds a token of the launch, or a proxy vouches with a secret.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from pathlib import Path
from typing import Final

from workbench.contract import Actor
from workbench.errors import InputError

SHORTEST: Final = 16
"""A secret of fewer characters could be guessed."""

COLUMNS: Final = {"tenant", "groups", "active"}
Values = Callable[[str], list[str]]
"""All values of one header of a request; a header sent twice has two."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who a page belongs to: a name that tells visitors apart, and the actor that asks on it."""

    name: str
    actor: Actor


@dataclass(frozen=True, slots=True)
class Launched:
    """One actor for whoever has the token that the launch printed."""

    actor: Actor
    token: str = field(repr=False)

    def visitor(self, token: str) -> Visitor | None:
        """The visitor who has this token; ``None`` for any other.

        >>> app = Launched(Actor("werk-nord", {"wartung"}), "a-token-that-nobody-guesses")
        >>> app.visitor("a-token-that-nobody-guesses").actor
        Actor('werk-nord', {'wartung'})
        >>> app.visitor("")
        """
        return Visitor("launch", self.actor) if _same(token, self.token) else None


@dataclass(frozen=True, slots=True)
class Declared:
    """The actor whom a proxy names in ``header``, for requests that carry its secret in ``secret_header``."""

    header: str
    secret_header: str
    secret: str = field(repr=False)
    actors: Mapping[str, Actor]

    def visitor(self, values: Values) -> Visitor | None:
        """The visitor of a request; ``None`` without the secret, without exactly one name, or for an unknown name.

        A name that comes twice is nobody's: a visitor may have sent one of them.

        >>> app = Declared("X-Actor", "X-Secret", "only-the-proxy-knows", {"anna": Actor("werk-nord", {"wartung"})})
        >>> sent = {"X-Secret": ["only-the-proxy-knows"], "X-Actor": ["anna"]}
        >>> app.visitor(sent.get)
        Visitor(name='anna', actor=Actor('werk-nord', {'wartung'}))
        >>> app.visitor({**sent, "X-Actor": ["anna", "otto"]}.get)
        >>> app.visitor({**sent, "X-Secret": ["guessed"]}.get)
        """
        secrets, names = values(self.secret_header), values(self.header)
        if len(secrets) != 1 or not _same(secrets[0], self.secret) or len(names) != 1:
            return None
        actor = self.actors.get(names[0])
        return None if actor is None else Visitor(names[0], actor)


def _same(given: str, kept: str) -> bool:
    return compare_digest(given.encode("utf-8", "surrogatepass"), kept.encode("utf-8", "surrogatepass"))


def read_actors(file: str | Path) -> dict[str, Actor]:
    """The actors that a TOML file declares, under the names that the proxy sends: ``tenant``, ``groups``, ``active``.

    ``[anna]``, ``tenant = "werk-nord"``, ``groups = ["wartung"]``. Raises InputError, with file and name, for anything
    that is not exactly that: a misspelt ``active`` must not make anybody active.
    """
    place = str(file)
    try:
        told = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML in UTF-8: {error}", file=place) from None
    found = {name: _actor(name, entry, place) for name, entry in told.items()}
    if not found:
        raise InputError("declares no actor", file=place, remedy='write [name], tenant = "…" and groups = ["…"]')
    return found


def _actor(name: str, entry: object, place: str) -> Actor:
    if not name.isascii() or not name.isprintable() or not name.strip():
        raise InputError("a header carries only names in printable ASCII", file=place, found=name)
    if not isinstance(entry, dict) or not {"tenant", "groups"} <= set(entry) <= COLUMNS:
        wanted = 'write tenant = "…", groups = ["…"] and, if need be, active = false'
        raise InputError(f"actor {name}: needs tenant and groups, and else only active", file=place, remedy=wanted)
    groups = entry["groups"]
    if not isinstance(groups, list):
        raise InputError(f"actor {name}: groups is a list", file=place, found=groups)
    try:
        return Actor(entry["tenant"], groups, entry.get("active", True))
    except (TypeError, ValueError) as error:
        raise InputError(f"actor {name}: {error}", file=place) from None


def read_secret(file: str | Path) -> str:
    """The secret that the proxy sends: the file's text without the spaces around it.

    Raises InputError where it is shorter than 16 characters or could not stand in a header.
    """
    try:
        secret = Path(file).read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise InputError("is no UTF-8 text", file=str(file)) from None
    if len(secret) < SHORTEST or not secret.isascii() or not secret.isprintable():
        remedy = "write a random one, from `openssl rand -hex 24` for example"
        raise InputError(f"a secret has {SHORTEST} or more printable ASCII characters", file=str(file), remedy=remedy)
    return secret
