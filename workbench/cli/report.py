"""``report``: one HTML file for an auditor, with everything that was checked and how to check it again."""

from __future__ import annotations

import argparse
import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from workbench.cli.options import Commands, Result, clock_of, register_at
from workbench.cli.tune import WINDOWS, cuts, match_of, placed
from workbench.contract import Actor
from workbench.errors import InputError, shown
from workbench.evidence.corpus import Corpus
from workbench.show.report import Report, Subject, Tuning, report, report_html
from workbench.study.questions import Question, read_questions
from workbench.validity.checks import check_folder
from workbench.validity.findings import Code, Finding
from workbench.validity.register import Register

ENDING = ".html"


def add(commands: Commands) -> None:
    """Add the command."""
    made = commands.add(
        "report",
        run=_report,
        help="one HTML file for an auditor: proofs, register and corpus check, release checklist, tuning, digests",
        example="workbench report data/pumps data/pump-seal --to report.html",
    )
    made.add_argument("corpus", metavar="CORPUS", nargs="?", help="the corpus folder; without it, the package alone")
    made.add_argument("register", metavar="REGISTER", nargs="?", help="the register, as for register check")
    made.add_argument("--to", required=True, metavar="FILE.html", help="the file to write, or to write anew")
    made.add_argument("--now", metavar="T", help="the present; without it, every time in the report counts as past")
    tuned = made.add_argument_group("the tuning result (with --questions)")
    tuned.add_argument("--questions", metavar="FILE", help="the questions (JSONL)")
    tuned.add_argument("--tenant", help="whose questions they are, where a question names no persona")
    tuned.add_argument("--groups", help="the groups, separated by commas")
    tuned.add_argument(
        "--by", choices=["paragraphs", *WINDOWS, "headings", "recursive"], default="words", help="the kind of cut"
    )
    tuned.add_argument("--size", metavar="LIST", help="sizes: 32,64 or 32:512 (each twice the last; the default)")
    tuned.add_argument("--overlap", metavar="LIST", help="overlaps: units, or a share as 20%% (default 0)")
    tuned.add_argument("--depth", type=int, default=10, metavar="N", help="how many passages to rank")
    tuned.add_argument("--match", choices=["any", "all"], default="any", help="any word (questions) or all (keywords)")
    tuned.add_argument("--holdout", action="store_true", help="the questions that were kept for final reports")


def _report(args: argparse.Namespace) -> Result:
    target = _target(args.to)
    subject = _subject(args)
    made = report(subject, tuning=_tuning(args, subject))
    raw = report_html(made).encode("utf-8")
    _put(target, raw)
    sha256 = hashlib.sha256(raw).hexdigest()
    document = {"report": args.to, "sha256": sha256, **made.mapping()}
    return Result(document, _text(made, args.to, sha256), 0 if made.ok else 1)


def _text(made: Report, to: str, sha256: str) -> str:
    lines = [f"{name:10} {state}" for name, state in made.states.items()]
    lines += [
        f"{'':10} {point.state}: {point.point.says}" for point in (*made.points, *made.search) if point.state != "holds"
    ]
    return "\n".join([*lines, f"{to}: SHA-256 {sha256}"])


# --- what was given -------------------------------------------------------------------------------------------------


def _subject(args: argparse.Namespace) -> Subject | None:
    """The corpus and the register, which is checked even where it does not load."""
    if args.corpus is None:
        return None
    if args.register is None:
        raise InputError("CORPUS without REGISTER", remedy="a report is about both, or about neither")
    corpus = Corpus.read(args.corpus)
    register, findings, refused = _register(args.register, corpus)
    name = Path(args.corpus).resolve().name
    if register is None:
        return Subject(corpus, None, findings, name, refused)
    clock = clock_of(args, register)
    now = None if clock is None else str(register.settings.valid.spell(register.settings.valid.read(args.now)))
    return Subject(corpus, register, findings, name, clock=clock, now=now)


def _register(place: str, corpus: Corpus) -> tuple[Register | None, Sequence[Finding], str]:
    if "://" in place:
        register = register_at(place)
        return register, register.check(corpus, every_scope=True), ""
    findings = check_folder(place, corpus, every_scope=True)
    malformed = [f for f in findings if f.code in (Code.MALFORMED, Code.DANGLING_REFERENCE)]
    try:
        return Register.read(place), findings, ""
    except InputError as error:
        if not malformed:
            raise
        row, column = f"row {error.row}" if error.row else "", f"column {error.column}" if error.column else ""
        where = ", ".join(part for part in (Path(error.file or place).name, row, column) if part)
        return None, findings, f"{where}: {error.message}"


def _tuning(args: argparse.Namespace, subject: Subject | None) -> Tuning | None:
    if args.questions is None:
        if args.tenant is not None or args.groups is not None or args.holdout:
            raise InputError("--tenant, --groups and --holdout go with --questions")
        return None
    if subject is None:
        raise InputError("--questions need a CORPUS and a REGISTER")
    if args.tenant is None or args.groups is None:
        raise InputError("--questions need --tenant and --groups", remedy="say who asks")
    if args.depth < 1:
        raise InputError("--depth: a whole number of at least 1")
    questions = [q for q in read_questions(args.questions) if q.holdout == args.holdout]
    if not questions:
        raise InputError("there are no such questions", file=args.questions, remedy="another --holdout")
    placed(questions, subject.corpus, args.questions)
    _timed(questions, subject, args.questions)
    return Tuning(
        questions,
        hashlib.sha256(Path(args.questions).read_bytes()).hexdigest(),
        Actor(args.tenant, {name for name in args.groups.split(",") if name}),
        cuts(args.by, args.size, args.overlap),
        depth=args.depth,
        match=match_of(args.match),
    )


def _timed(questions: Sequence[Question], subject: Subject, file: str) -> None:
    """Refuse questions about the present where none was named: tomorrow's report would be another one."""
    if subject.clock is not None:
        return
    for question in questions:
        if question.request is not None and question.request.at is None and question.request.mode != "historical":
            remedy = "name the present with --now"
            message = f"question {shown(question.id)} asks about the present"
            raise InputError(message, file=file, column="request", remedy=remedy)


# --- the file -------------------------------------------------------------------------------------------------------


def _target(to: str) -> Path:
    target = Path(to)
    if target.suffix != ENDING:
        raise InputError(f"--to {shown(to)}: a report is a file that ends in {ENDING}")
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise InputError("the folder for it does not exist", file=to, remedy="make it first, and name a file in it")
    return target


def _put(target: Path, raw: bytes) -> None:
    """The whole file or none: nobody reads half a report, and a full disk leaves the old one."""
    handle, name = tempfile.mkstemp(dir=target.absolute().parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
