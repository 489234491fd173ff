"""``ask`` and ``verify``: S0 under S1 on the command line."""

from __future__ import annotations

import argparse

from workbench.cli.evidence import NO_HIT, hit_text, read_object
from workbench.cli.options import Commands, Result, actor_of, add_actor, add_request, clock_of, request_of
from workbench.cli.validity import decision_document, decision_text
from workbench.contract import Status
from workbench.evidence.corpus import Corpus
from workbench.pipeline.ask import ask
from workbench.pipeline.verify import verify
from workbench.validity.register import Register


def add(commands: Commands) -> None:
    """Add the commands."""
    asks = commands.add(
        "ask",
        run=_ask,
        help="one question under one decision: decision, hits in its view only, and a manifest for each",
        example='workbench ask data/pumps data/pump-seal "Anzugsmoment" --tenant werk-nord --groups wartung '
        "--family pump-seal --procedure seal-torque --configuration C2 --region EU --at 6",
    )
    asks.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    asks.add_argument("register", metavar="REGISTER", help="the register folder")
    asks.add_argument("query", metavar="QUERY", help="the question")
    add_actor(asks)
    add_request(asks)
    asks.add_argument("--any", action="store_true", help="rank passages that hold any of the words")
    asks.add_argument("--depth", type=int, metavar="N", help="how many hits (default 3, with --any 10)")

    verifies = commands.add(
        "verify",
        run=_verify,
        help="does a manifest still hold, against corpus and register as they are now",
        example="workbench verify manifest.json data/pumps data/pump-seal --tenant werk-nord --groups wartung",
    )
    verifies.add_argument("manifest", metavar="MANIFEST.json", help="the manifest, as ask --json writes one")
    verifies.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    verifies.add_argument("register", metavar="REGISTER", help="the register folder")
    add_actor(verifies)
    verifies.add_argument("--now", metavar="T", help="the present, where the register has no clock of its own")


def _ask(args: argparse.Namespace) -> Result:
    register = Register.read(args.register)
    answer = ask(
        Corpus.read(args.corpus),
        register,
        args.query,
        actor=actor_of(args),
        request=request_of(args),
        match="any" if args.any else "all",
        depth=args.depth,
        clock=clock_of(args, register),
    )
    document = {
        "decision": decision_document(answer.decision),
        "manifests": [manifest.mapping() for manifest in answer.manifests],
    }
    resolved = answer.decision.status is Status.RESOLVED
    hits = "\n".join(hit_text(number, hit) for number, hit in enumerate(answer.hits, 1)) or NO_HIT
    text = decision_text(answer.decision)
    return Result(document, f"{text}\n{hits}" if resolved else text, 0 if resolved else 1)


def _verify(args: argparse.Namespace) -> Result:
    manifest = read_object(args.manifest)
    register = Register.read(args.register)
    corpus = Corpus.read(args.corpus)
    verdict = verify(manifest, actor_of(args), corpus, register, clock=clock_of(args, register))
    document = {"ok": verdict.ok, "failed": verdict.failed, "historical": verdict.historical}
    return Result(document, repr(verdict), 0 if verdict.ok else 1)
