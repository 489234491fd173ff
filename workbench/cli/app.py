"""``app``: a panel as a page for colleagues who don't read code; who asks is fixed before the page is made."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

from workbench.cli.options import Commands, Parser, Result
from workbench.contract import Actor
from workbench.errors import InputError
from workbench.evidence.corpus import Corpus
from workbench.show.app_visitors import Declared, Launched, read_actors, read_secret
from workbench.study.questions import read_questions
from workbench.validity.register import Register

LAUNCH = "--tenant werk-nord --groups wartung"


def add(commands: Commands) -> None:
    """Add the commands."""
    group = commands.group("app", help="serve a panel as a page, on loopback, for one actor or behind a proxy")
    search = group.add(
        "search",
        run=_serve,
        help="serve the search panel",
        example=f"workbench app search data/pumps data/pump-seal {LAUNCH}",
    )
    search.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    search.add_argument("register", metavar="REGISTER", nargs="?", help="bind the search to its decisions")
    validity = group.add(
        "validity",
        run=_serve,
        help="serve the validity panel",
        example=f"workbench app validity data/pump-seal {LAUNCH}",
    )
    validity.add_argument("register", metavar="REGISTER", help="the register folder")
    tuner = group.add(
        "tuner",
        run=_serve,
        help="serve the chunk tuner",
        example="workbench app tuner data/handbooks data/questions.jsonl data/handbooks-register "
        "--tenant grauwede --groups wartung",
    )
    tuner.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    tuner.add_argument("questions", metavar="QUESTIONS", help="the questions (JSONL)")
    tuner.add_argument("register", metavar="REGISTER", nargs="?", help="bind questions with a request to its decisions")
    for kind, parser in (("search", search), ("validity", validity), ("tuner", tuner)):
        parser.set_defaults(kind=kind)
        _add_visitors(parser)


def _add_visitors(parser: Parser) -> None:
    one = parser.add_argument_group("one actor, for whoever has the printed address")
    one.add_argument("--tenant", help="the tenant")
    one.add_argument("--groups", help="the groups, separated by commas")
    many = parser.add_argument_group("or the visitors of a proxy that has authenticated them")
    many.add_argument("--actor-header", metavar="NAME", help="the header in which the proxy names the visitor")
    many.add_argument("--actors", metavar="FILE", help='TOML: [name], tenant = "…", groups = ["…"]')
    many.add_argument("--secret-header", metavar="NAME", default="X-Workbench-Secret", help="the header of the secret")
    many.add_argument("--secret-file", metavar="FILE", help="the secret that the proxy sends with every request")
    where = parser.add_argument_group("where")
    where.add_argument("--host", default="127.0.0.1", help="the address to listen on (unencrypted: keep it local)")
    where.add_argument("--port", type=int, default=0, help="the port; by default a free one")
    where.add_argument("--most", type=int, default=20, metavar="N", help="at most so many pages at once")


def _serve(args: argparse.Namespace) -> Result:
    who = _who(args)
    places = {
        name: str(Path(value).resolve())
        for name in ("corpus", "register", "questions")
        if (value := getattr(args, name, None)) is not None
    }
    if not 0 <= args.port <= 65535 or args.most < 1:
        raise InputError("--port goes from 0 to 65535, --most from 1")
    _readable(places)
    try:
        from workbench.show.app_server import App, serve
    except ImportError as missing:
        remedy = "install the extras lab and apps: pip install 'workbench[lab,apps]'"
        raise InputError(f"an app needs Voilà ({missing})", remedy=remedy) from None
    serve(App(args.kind, places, who, args.host, args.port, args.most), told=lambda address: print(address, flush=True))
    return Result({"stopped": True}, "")


def _who(args: argparse.Namespace) -> Launched | Declared:
    """The actor of the launch, or the visitors of a proxy: exactly one of them, and whole."""
    launch, proxy = (args.tenant, args.groups), (args.actor_header, args.actors, args.secret_file)
    if all(launch) and not any(proxy):
        groups = {name for name in args.groups.split(",") if name}
        if not groups:
            raise InputError("--groups names no group; an actor without groups may read nothing")
        return Launched(Actor(args.tenant, groups), secrets.token_hex(24))
    if all(proxy) and not any(launch):
        actors = read_actors(args.actors)
        return Declared(args.actor_header, args.secret_header, read_secret(args.secret_file), actors)
    remedy = "give --tenant and --groups, or --actor-header, --actors and --secret-file"
    raise InputError("an app is not served without knowing who asks", remedy=remedy)


def _readable(places: dict[str, str]) -> None:
    """Read everything once, so that a mistake in the files is said here and not on a visitor's page."""
    if "corpus" in places:
        Corpus.read(places["corpus"])
    if "register" in places:
        Register.read(places["register"])
    if "questions" in places:
        read_questions(places["questions"])
