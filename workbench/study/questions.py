"""Questions with gold spans: what should be found, said in characters of documents, so that it outlives every cut.

Contract 5; S0, "Qualität mit repräsentativen Fragen und erwarteten Stellen messen".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workbench.contract import Actor, Request, Scope
from workbench.errors import InputError
from workbench.intervals import Interval
from workbench.records import Row, read_rows

Kind = Literal["answerable", "unanswerable", "ambiguous"]
KINDS: tuple[Kind, ...] = ("answerable", "unanswerable", "ambiguous")
REQUIRED = ("question_id", "question", "kind", "gold")
OPTIONAL = ("persona", "request", "holdout", "tags")
SCOPE = ("family", "procedure", "configuration", "region")


@dataclass(frozen=True, slots=True)
class Gold:
    """An expected place: code points of a document, half-open.

    >>> Gold("manual-A", (3, 9))
    Gold(document_id='manual-A', span=[3,9))
    """

    document_id: str
    span: Interval

    def __init__(self, document_id: str, span: tuple[int, int]) -> None:
        object.__setattr__(self, "document_id", document_id)
        object.__setattr__(self, "span", Interval(*span))


@dataclass(frozen=True, slots=True)
class Question:
    """One question as staff would ask it, with the places that answer it.

    ``persona`` and ``request`` make its context; without them the sweep's actor asks, and no register is consulted.
    A ``holdout`` question is used for final reports only.
    """

    id: str
    text: str
    kind: Kind
    gold: tuple[Gold, ...] = ()
    persona: Actor | None = None
    request: Request | None = None
    holdout: bool = False
    tags: tuple[str, ...] = ()


def read_questions(path: str | Path) -> tuple[Question, ...]:
    """The questions of a JSONL file, in order; raises InputError naming file, line and field."""
    path = Path(path)
    if not path.is_file():
        raise InputError("there is no such file", file=str(path), remedy="give a JSONL file of questions")
    if path.suffix != ".jsonl":
        raise InputError("questions are JSONL", file=path.name, remedy="one JSON object a line")
    found: dict[str, Question] = {}
    for row in read_rows(path, required=REQUIRED, optional=OPTIONAL):
        question = _question(row)
        if question.id in found:
            raise row.error("question_id", "the id is there twice", remedy="ids are unique")
        found[question.id] = question
    return tuple(found.values())


def _question(row: Row) -> Question:
    kind = row.text("kind")
    if kind not in KINDS:
        raise row.error("kind", "unknown kind", remedy=f"write {', '.join(KINDS)}")
    gold = tuple(_gold(row))
    if bool(gold) != (kind != "unanswerable"):
        remedy = "an unanswerable question has no gold, every other one has"
        raise row.error("gold", f"gold does not fit the kind {kind}", remedy=remedy)
    tags = row.cells.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise row.error("tags", "a list of words is wanted")
    holdout = row.cells.get("holdout", False)
    if not isinstance(holdout, bool):
        raise row.error("holdout", "true or false is wanted")
    return Question(
        id=row.text("question_id"),
        text=row.text("question"),
        kind="answerable" if kind == "answerable" else "ambiguous" if kind == "ambiguous" else "unanswerable",
        gold=gold,
        persona=_persona(row),
        request=_request(row),
        holdout=holdout,
        tags=tuple(tags),
    )


def _gold(row: Row) -> Iterable[Gold]:
    cells = row.cells.get("gold")
    if not isinstance(cells, list):
        raise row.error("gold", "a list of spans is wanted", remedy='[{"document_id": …, "start": 0, "end": 9}]')
    for cell in cells:
        if not isinstance(cell, Mapping) or set(cell) != {"document_id", "start", "end"}:
            raise row.error("gold", "a span has document_id, start and end, and nothing else")
        name, start, end = cell["document_id"], cell["start"], cell["end"]
        if not isinstance(name, str) or type(start) is not int or type(end) is not int or not 0 <= start < end:
            raise row.error("gold", "a span is a document's id and 0 <= start < end in code points")
        yield Gold(name, Interval(start, end))


def _persona(row: Row) -> Actor | None:
    cell = _object(row, "persona", {"tenant", "groups", "active"})
    if cell is None:
        return None
    try:
        return Actor(cell["tenant"], cell["groups"], cell.get("active", True))  # type: ignore[arg-type]  # checked there
    except (KeyError, TypeError) as error:
        raise row.error("persona", f"a persona has tenant and groups: {error}") from None


def _request(row: Row) -> Request | None:
    cell = _object(row, "request", {*SCOPE, "at", "language", "known_at", "mode", "source_language"})
    if cell is None:
        return None
    texts: dict[str, str | None] = {}
    for name in (*SCOPE, "language", "mode"):
        value = cell.get(name)
        if value is not None and not isinstance(value, str):
            raise row.error("request", f"{name} is text")
        texts[name] = value
    return Request(
        Scope(*(texts[name] for name in SCOPE)),
        at=cell.get("at"),
        language=texts["language"],
        known_at=cell.get("known_at"),
        mode=texts["mode"],
        source_language=cell.get("source_language") is True,
    )


def _object(row: Row, column: str, known: set[str]) -> Mapping[str, object] | None:
    cell = row.cells.get(column)
    if cell is None:
        return None
    if not isinstance(cell, Mapping) or not set(cell) <= known:
        raise row.error(column, f"an object with the keys {', '.join(sorted(known))} is wanted")
    return cell
