"""What the commands share: the parser, the options for actor and scope, the clock, and how results are written."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import NoReturn, TextIO

from workbench.contract import Actor, Clock, Request, Scope
from workbench.errors import InputError, RequestError, visible
from workbench.validity.instants import InstantError
from workbench.validity.register import Register


@dataclass(frozen=True, slots=True)
class Result:
    """What a command found: one JSON document, the same for people, and the exit status."""

    document: Mapping[str, object]
    text: str
    status: int = 0


Run = Callable[[argparse.Namespace], Result]


class UsageError(Exception):
    """A command line that is none."""


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one line and keeps examples as they are written."""

    def __init__(self, prog: str, *, description: str = "", epilog: str = "") -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raises UsageError, which main writes as one line."""
        raise UsageError(f"{message}; see {self.prog} --help")

    def commands(self) -> Commands:
        """A place for subcommands."""
        return Commands(self)


class Commands:
    """Subcommands of one parser."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.places = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)

    def add(self, name: str, *, run: Run, help: str, example: str) -> Parser:  # noqa: A002 - argparse's own word
        """A command with its help and an example: lines of a shell, which a test runs on the shipped data."""
        made: Parser = self.places.add_parser(name, help=help)
        lines = "\n  ".join(example.splitlines())
        made.description, made.epilog = help, f"example:\n  {lines}"
        if not self.parser.epilog:
            self.parser.epilog = made.epilog  # a group of commands shows the first one's
        made.add_argument("--json", action="store_true", help="write one JSON document")
        made.set_defaults(run=run)
        return made

    def group(self, name: str, *, help: str) -> Commands:  # noqa: A002 - argparse's own word
        """A command that has subcommands of its own."""
        made: Parser = self.places.add_parser(name, help=help)
        made.description = help
        return Commands(made)


def write(result: Result, *, as_json: bool) -> None:
    """The result on stdout: one JSON document (ASCII, so that nothing in it can act on a terminal), or text."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that cannot show a letter is no reason to fail
    if as_json:
        print(json.dumps(result.document), flush=True)
    elif result.text:
        print(result.text.rstrip("\n"), flush=True)


def fail(message: str, status: int, *, as_json: bool, kind: str, more: Mapping[str, object] | None = None) -> int:
    """The error as one line on stderr and, with ``--json``, as the JSON document; gives the status."""
    line = visible(" ".join(message.split()))
    try:
        if as_json:
            found = {key: value for key, value in (more or {}).items() if value is not None}
            print(json.dumps({"error": {"kind": kind, "message": line}, **found}), flush=True)
    except (OSError, ValueError):
        silence(sys.stdout)
    try:
        if sys.stderr is not None:
            print(f"workbench: {line}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        silence(sys.stderr)
    return status


def silence(stream: TextIO | None) -> None:
    """Let a stream that cannot be written to (a full disk, a closed pipe) swallow what is left, without a traceback."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]  # None: nothing to do


# --- actor, scope, time -----------------------------------------------------------------------------------------


def add_actor(parser: Parser) -> None:
    """The test persona of the operator's own machine (contract 4.10)."""
    group = parser.add_argument_group("who asks (a test persona on your own machine)")
    group.add_argument("--tenant", required=True, help="the tenant")
    group.add_argument("--groups", required=True, help="the groups, separated by commas")
    group.add_argument("--inactive", action="store_true", help="the actor is not active")


def actor_of(args: argparse.Namespace) -> Actor:
    """The actor that the options name."""
    groups = {name for name in args.groups.split(",") if name}
    return Actor(args.tenant, groups, active=not args.inactive)


def add_request(parser: Parser) -> None:
    """Scope, time and language of a request; missing scope fields are answered with MISSING_SCOPE."""
    group = parser.add_argument_group("what for")
    for name in ("family", "procedure", "configuration", "region"):
        group.add_argument(f"--{name}", help=f"the {name}")
    when = group.add_mutually_exclusive_group()
    when.add_argument("--at", metavar="T", help="ask about this time (historical, or planned)")
    when.add_argument("--now", nargs="?", const=True, metavar="T", help="ask about the present, as the clock or T says")
    group.add_argument("--language", metavar="L", help="lower-case BCP 47, like de")
    group.add_argument("--known-at", metavar="R", help="as the register was known at this recorded time")
    group.add_argument(
        "--source-language", action="store_true", help="accept the source language where the register permits it"
    )


def request_of(args: argparse.Namespace) -> Request:
    """The request that the options name; an option without a value is no question about the present."""
    for option, value in (("--at", args.at), ("--known-at", args.known_at), ("--now", args.now)):
        if isinstance(value, str) and not value.strip():
            raise InputError(f"{option}: no time is given", remedy=f"leave {option} out, or give it a time")
    return Request(
        Scope(args.family, args.procedure, args.configuration, args.region),
        at=args.at,
        language=args.language,
        known_at=args.known_at,
        mode=None if args.now is None else "current",
        source_language=args.source_language,
    )


def register_at(place: str) -> Register:
    """The register in a folder, a DuckDB file, or at a PostgreSQL address."""
    found: Register = postgres().read_at(place) if "://" in place else Register.read(place)
    return found


def postgres() -> ModuleType:
    """The module for PostgreSQL addresses; InputError where its extra is not installed."""
    try:
        from workbench.stores import postgres_address  # here, so that nobody else needs its driver
    except ImportError:
        raise InputError("PostgreSQL needs the package psycopg", remedy="install the extra postgres") from None
    return postgres_address


def clock_of(args: argparse.Namespace, register: Register) -> Clock | None:
    """The clock of ``--now T``; ``None`` for the register's default."""
    if not isinstance(args.now, str):
        return None
    rule = register.settings.valid
    try:
        instant = rule.public(rule.read(args.now))
    except InstantError as error:
        raise RequestError("now", str(error)) from None
    if isinstance(instant, str):
        raise RequestError("now", "the present is one instant")
    return lambda: instant
