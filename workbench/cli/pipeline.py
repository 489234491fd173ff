"""``ask``, ``verify``, ``audit`` and ``draft``: S0 under S1 on the command line."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from pathlib import Path

from workbench.cli.evidence import NO_HIT, hit_text, read_object
from workbench.cli.finding import add_finding, expansion_of, expansion_text, finder_of
from workbench.cli.options import Commands, Result, actor_of, add_actor, add_request, clock_of, register_at, request_of
from workbench.cli.validity import decision_document, decision_text
from workbench.contract import Status
from workbench.errors import InputError, visible
from workbench.evidence.corpus import Corpus
from workbench.pipeline.ask import finder
from workbench.pipeline.audit import SHORTEST_KEY, AuditLog
from workbench.pipeline.drafts import DraftReport, check_draft
from workbench.pipeline.manifest import Manifest, ManifestError
from workbench.pipeline.session import Session
from workbench.pipeline.verify import verify


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
    add_finding(asks)
    asks.add_argument("--depth", type=int, metavar="N", help="how many hits (default 3, with --find 10)")
    asks.add_argument("--audit", metavar="FILE", help="append a record of the request to this log, texts as digests")
    asks.add_argument("--audit-key", metavar="FILE", help="the log's key, kept elsewhere; made where it is not there")

    verifies = commands.add(
        "verify",
        run=_verify,
        help="does a manifest still hold, against corpus and register as they are now",
        example="workbench verify data/examples/manifest.json data/pumps data/pump-seal --tenant werk-nord "
        "--groups wartung",
    )
    verifies.add_argument("manifest", metavar="MANIFEST.json", help="the manifest, as ask --json writes one")
    verifies.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    verifies.add_argument("register", metavar="REGISTER", help="the register folder")
    add_actor(verifies)
    verifies.add_argument("--now", metavar="T", help="the present, where the register has no clock of its own")

    audits = commands.add(
        "audit",
        run=_audit_check,
        help="is a log of --audit whole: no line changed, none missing between",
        example="workbench ask data/pumps data/pump-seal Anzugsmoment --tenant werk-nord --groups wartung "
        "--family pump-seal --procedure seal-torque --configuration C2 --region EU --at 6 "
        "--audit audit.jsonl --audit-key audit.key\n"
        "workbench audit audit.jsonl --audit-key audit.key",
    )
    audits.add_argument("log", metavar="LOG", help="the log, as ask --audit writes it")
    audits.add_argument("--audit-key", metavar="FILE", required=True, help="the log's key")
    audits.add_argument(
        "--noted", metavar="SEAL", help="a seal of an earlier check: finds a log that was cut off since"
    )

    drafts = commands.add(
        "draft",
        run=_draft,
        help="check a drafted answer, statement by statement: citations, quotations and figures (not truth)",
        example="workbench draft data/examples/draft.json data/pumps data/pump-seal --tenant werk-nord "
        "--groups wartung",
    )
    drafts.add_argument(
        "draft",
        metavar="DRAFT.json",
        help='{"text": "… 45 Nm [1].", "sources": {"1": a manifest as ask --json writes it}}',
    )
    drafts.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    drafts.add_argument("register", metavar="REGISTER", help="the register folder")
    add_actor(drafts)
    drafts.add_argument("--now", metavar="T", help="the present, where the register has no clock of its own")


def _ask(args: argparse.Namespace) -> Result:
    register = register_at(args.register)
    named = finder_of(args, 10 if args.depth is None else args.depth)
    corpus, actor = Corpus.read(args.corpus), actor_of(args)
    session = Session(corpus, register, clock=clock_of(args, register), audit=_audit(args))
    find = finder(depth=args.depth) if named is None else named
    answer = session.ask(args.query, actor=actor, request=request_of(args), find=find)
    document: dict[str, object] = {
        "decision": decision_document(answer.decision),
        "manifests": [manifest.mapping() for manifest in answer.manifests],
    }
    resolved = answer.decision.status is Status.RESOLVED
    added = expansion_of(named, corpus.view(actor, answer.decision), args.query) if resolved else None
    if added is not None:
        document["expansion"] = added
    hits = "\n".join(hit_text(number, hit) for number, hit in enumerate(answer.hits, 1)) or NO_HIT
    text = decision_text(answer.decision)
    return Result(document, f"{text}\n{expansion_text(added)}{hits}" if resolved else text, 0 if resolved else 1)


def _verify(args: argparse.Namespace) -> Result:
    manifest = read_object(args.manifest)
    register = register_at(args.register)
    corpus = Corpus.read(args.corpus)
    verdict = verify(manifest, actor_of(args), corpus, register, clock=clock_of(args, register))
    document = {
        "ok": verdict.ok,
        "failed": verdict.failed,
        "historical": verdict.historical,
        "authority": verdict.authority,
    }
    text = repr(verdict)
    if verdict.failed == "malformed" and (why := _why_malformed(manifest)):
        document["why"] = why
        text += f": {why}"
    return Result(document, text, 0 if verdict.ok else 1)


def _why_malformed(manifest: dict[str, object]) -> str | None:
    """What is wrong with the file itself, which whoever gives it may know."""
    if "manifests" in manifest:
        return "this is an answer of ask --json; give one of its manifests"
    try:
        Manifest.of(manifest)
    except ManifestError as error:
        return str(error)
    return None


def _audit(args: argparse.Namespace) -> AuditLog | None:
    """The log of ``--audit``, under the key of ``--audit-key``, which is made at its first use."""
    if args.audit is None:
        return None
    if args.audit_key is None:
        raise InputError("--audit needs a key", remedy="name a file for it with --audit-key, apart from the log")
    path = Path(args.audit_key)
    if not path.exists():
        # For the operator alone, and never over a key that another process has just made.
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "wb") as made:
            made.write(AuditLog.new_key())
    return _log(args.audit, path)


def _log(log: str, key_file: Path) -> AuditLog:
    key = key_file.read_bytes()
    if len(key) < SHORTEST_KEY:
        raise InputError(f"a key has at least {SHORTEST_KEY} bytes", file=str(key_file), remedy="name another file")
    return AuditLog(log, key=key)


def _audit_check(args: argparse.Namespace) -> Result:
    verdict = _log(args.log, Path(args.audit_key)).verify(noted=args.noted)
    text = f"{verdict!r}; last seal {verdict.seal}" if verdict.ok and verdict.seal else repr(verdict)
    return Result(asdict(verdict), text, 0 if verdict.ok else 1)


def _draft(args: argparse.Namespace) -> Result:
    found = read_object(args.draft)
    text, sources = found.get("text"), found.get("sources")
    if not isinstance(text, str):
        raise InputError("the draft's text is missing", file=args.draft, column="text", remedy="write it as text")
    if not isinstance(sources, dict) or not all(isinstance(source, dict) for source in sources.values()):
        raise InputError(
            "the sources are missing", file=args.draft, column="sources", remedy="a manifest for each mark"
        )
    register = register_at(args.register)
    clock = clock_of(args, register)
    report = check_draft(text, sources, actor_of(args), Corpus.read(args.corpus), register, clock=clock)
    return Result(report.mapping(), _draft_text(report), 1 if report.findings else 0)


def _draft_text(report: DraftReport) -> str:
    lines = []
    for number, statement in enumerate(report.statements, 1):
        lines.append(f"{number}. {visible(statement.text)}")
        said = [f"[{one.mark}] {one.label}" for one in statement.cited if one.label]
        lines += [f"   {visible(text)}" for text in (*said, *statement.findings)]
    return "\n".join([*lines, report.not_judged])
