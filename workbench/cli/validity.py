"""``resolve`` and ``register``: S1 on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from workbench.cli.options import Commands, Result, actor_of, add_actor, add_request, clock_of, register_at, request_of
from workbench.contract import OPERATOR, Actor, Clock, Decision, Request, Scope, Status
from workbench.errors import InputError, RequestError, visible
from workbench.records import Row, read_rows
from workbench.validity.register import Register
from workbench.validity.resolver import Explanation

REQUEST_COLUMNS = ("request_id", "tenant", "groups")
OPTIONAL_COLUMNS = ("active", "family", "procedure", "configuration", "region", "at", "language", "known_at")


def add(commands: Commands) -> None:
    """Add the commands."""
    resolve = commands.add(
        "resolve",
        run=_resolve,
        help="which revision applies, for this scope, time and actor",
        example="workbench resolve data/pump-seal --tenant werk-nord --groups wartung --family pump-seal "
        "--procedure seal-torque --configuration C2 --region EU --at 6\n"
        "workbench resolve data/pump-seal --requests data/examples/requests.csv",
    )
    resolve.add_argument("register", metavar="REGISTER", help="the register folder")
    add_actor(resolve)
    add_request(resolve)
    resolve.add_argument("--requests", metavar="FILE", help="resolve a table of requests (CSV, JSONL, Parquet)")
    resolve.add_argument(
        "--explain",
        action="store_true",
        help="add the protected record, as the operator (whoever has the register's files): never show it to the asker",
    )
    for option in resolve._actions:
        if option.dest in ("tenant", "groups"):
            option.required = False  # a table of requests brings its own actors


def instant_document(value: object) -> object:
    """An instant as a JSON value: a number, an ISO 8601 timestamp, ``unbounded`` or null."""
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value


def decision_document(decision: Decision) -> dict[str, object]:
    """A decision as JSON values (contract 6); the same keys for every status."""
    return {
        "status": decision.status.value,
        "revision_id": decision.revision_id,
        "edition_id": decision.edition_id,
        "valid_from": instant_document(decision.valid_from),
        "valid_to": instant_document(decision.valid_to),
        "mode": decision.mode,
        "context_id": decision.context.id if decision.context else None,
        "language": decision.language,
        "missing": list(decision.missing),
        "rivals": list(decision.rivals),
        "owner": decision.owner,
        "source_language_permitted": decision.source_way,
        "message": decision.message,
    }


def decision_text(decision: Decision) -> str:
    """A decision for people."""
    text = repr(decision)
    return visible(text if decision.status is Status.RESOLVED else f"{text}\n{decision.message}", keep="\n")


def _resolve(args: argparse.Namespace) -> Result:
    if args.requests is not None:
        _alone(args)
        register = register_at(args.register)
        return _resolve_table(register, Path(args.requests), clock_of(args, register))
    for name in ("tenant", "groups"):
        if getattr(args, name) is None:
            raise InputError(f"--{name} is missing", remedy="say who asks")
    register, actor, request = register_at(args.register), actor_of(args), request_of(args)
    clock = clock_of(args, register)
    decision = register.resolve(request, actor, clock=clock)
    document, text = decision_document(decision), decision_text(decision)
    if args.explain:
        explanation = register.explain(request, actor, reader=OPERATOR, clock=clock)
        document["protected"] = _explanation_document(explanation)
        text += "\n" + _explanation_text(explanation)
    return Result(document, text, 0 if decision.status is Status.RESOLVED else 1)


def _alone(args: argparse.Namespace) -> None:
    """Refuse options of a single request beside a table of requests: none is silently ignored."""
    names = ("tenant", "groups", "family", "procedure", "configuration", "region", "at", "language", "known_at")
    given = [name for name in names if getattr(args, name) is not None]
    given += [name for name in ("inactive", "source_language", "explain") if getattr(args, name)]
    if args.now is True:
        given.append("now without a time")
    if given:
        named = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise InputError(f"{named} beside --requests", remedy="write them into the table's columns")


def _explanation_document(explanation: Explanation) -> dict[str, object]:
    return {
        "reason": explanation.reason.value,
        "outcome": explanation.outcome,
        "rows": [asdict(row) for row in explanation.rows],
        "access": explanation.access,
        "register_snapshot": explanation.snapshot,
        "rule_set": explanation.rules,
    }


def _explanation_text(explanation: Explanation) -> str:
    lines = [f"protected record: {explanation.reason}"]
    for row in explanation.rows:
        place = f"{row.configuration}/{row.region} {row.interval}"
        lines.append(visible(f"  {row.revision_id:20} {place:28} {row.verdict} ({row.approval_ref or 'no approval'})"))
    return "\n".join(lines)


# --- a table of requests ----------------------------------------------------------------------------------------


def _resolve_table(register: Register, path: Path, clock: Clock | None) -> Result:
    if not path.is_file():
        raise InputError("there is no such file", file=str(path), remedy="give a table of requests")
    results = list(_results(register, path, clock))
    invalid = sum(result["status"] == Status.INVALID_REQUEST.value for result in results)
    text = "\n".join(
        visible(f"{result['request_id']}: {result['status']} {result['edition_id'] or result['revision_id'] or ''}")
        for result in results
    )
    return Result({"results": results}, text, 1 if invalid else 0)


def _results(register: Register, path: Path, clock: Clock | None) -> Iterator[dict[str, object]]:
    for row in read_rows(path, required=REQUEST_COLUMNS, optional=OPTIONAL_COLUMNS):
        name = row.cells.get("request_id")
        try:
            actor, request = _row_actor(row), _row_request(row)
            decision = register.resolve(request, actor, clock=clock)
        except RequestError as error:
            yield {
                "request_id": name,
                "status": Status.INVALID_REQUEST.value,
                "revision_id": None,
                "edition_id": None,
                "field": error.field,
                "message": str(error),
            }
            continue
        yield {
            "request_id": name,
            "status": decision.status.value,
            "revision_id": decision.revision_id,
            "edition_id": decision.edition_id,
        }


def _row_actor(row: Row) -> Actor:
    _cell(row, "request_id", required=True)
    groups: frozenset[str] = frozenset()
    if row.cells.get("groups") not in (None, ""):
        try:
            groups = row.names("groups")
        except InputError as error:
            raise RequestError("groups", error.message) from None
    active = row.cells.get("active")
    if isinstance(active, str) and active in ("true", "false"):
        active = active == "true"
    if active is None or active == "":
        active = True
    if not isinstance(active, bool):
        raise RequestError("active", "true or false is wanted")
    return Actor(_cell(row, "tenant", required=True) or "", groups, active)


def _row_request(row: Row) -> Request:
    scope = Scope(*(_cell(row, name) for name in ("family", "procedure", "configuration", "region")))
    language = _cell(row, "language")
    return Request(scope, at=row.cells.get("at"), language=language, known_at=row.cells.get("known_at"))


def _cell(row: Row, column: str, *, required: bool = False) -> str | None:
    value = row.cells.get(column)
    if value is None or value == "":
        if required:
            raise RequestError(column, "the cell is empty")
        return None
    if not isinstance(value, str):
        raise RequestError(column, f"text is wanted, not {type(value).__name__}")
    return value
