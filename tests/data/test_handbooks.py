"""The fictional handbooks, their register and their questions: plain checks on the files, without the package.

Every check is a function that returns what is wrong, so that it can be shown to speak up on a spoilt copy.
"""

from __future__ import annotations

import copy
import csv
import hashlib
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

Rows = list[dict[str, str]]
BERLIN = ZoneInfo("Europe/Berlin")
END = datetime.max.replace(tzinfo=UTC)
LEAST = {"access": 20, "date": 20, "configuration": 10, "language": 10, "keyword": 50, "sentence": 100, "synonym": 20}


@dataclass
class World:
    """Everything under test, as plain values that a test may spoil in a copy."""

    documents: dict[str, dict[str, str]]
    texts: dict[str, str]
    tables: dict[str, Rows]
    questions: list[dict[str, Any]] = field(default_factory=list)


def read_csv(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def world(repo: Path) -> World:
    data = repo / "data"
    documents = {row["id"]: row for row in read_csv(data / "handbooks" / "documents.csv")}
    texts = {name: (data / "handbooks" / row["path"]).read_bytes().decode("utf-8") for name, row in documents.items()}
    tables = {path.stem: read_csv(path) for path in sorted((data / "handbooks-register").glob("*.csv"))}
    lines = (data / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return World(documents, texts, tables, [json.loads(line) for line in lines])


@pytest.fixture
def spoilt(world: World) -> World:
    return copy.deepcopy(world)


# --- what a question sees -----------------------------------------------------------------------------------------


def readable(world: World, question: dict[str, Any]) -> set[str]:
    """The documents that the persona may read."""
    persona = question["persona"]
    return {
        name
        for name, row in world.documents.items()
        if row["tenant"] == persona["tenant"] and set(row["groups"].split(";")) & set(persona["groups"])
    }


def instant(text: str) -> datetime:
    """A written time; a date is the start of its early shift in Berlin."""
    if text == "unbounded":
        return END
    if len(text) == 10:
        return datetime.combine(date.fromisoformat(text), time(6), BERLIN).astimezone(UTC)
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC)


def covers(row: dict[str, str], axis: str, at: datetime) -> bool:
    return instant(row[f"{axis}_from"]) <= at < instant(row[f"{axis}_to"])


def ancestors(world: World, kind: str, value: str) -> set[str]:
    """The value, everything above it, and the wildcard."""
    parents = {row["value"]: row["parent"] for row in world.tables["scopes"] if row["kind"] == kind}
    found = {"*"}
    while value:
        found.add(value)
        value = parents.get(value, "")
    return found


def in_force(world: World, question: dict[str, Any]) -> set[str]:
    """The revisions left for a complete request, after direct supersessions: a second opinion on the resolver."""
    request = question["request"]
    at, known = instant(request["at"]), request.get("known_at")
    revisions = {row["revision_id"]: row for row in world.tables["revisions"]}
    configurations = ancestors(world, "configuration", request["configuration"])
    regions = ancestors(world, "region", request["region"])

    def stands(row: dict[str, str], name: str) -> bool:
        revision = revisions[row[name]]
        return (
            revision["tenant"] == question["persona"]["tenant"]
            and revision["document_family"] == request["family"]
            and row["procedure_id"] == request["procedure"]
            and row["asset_configuration"] in configurations
            and row["region"] in regions
            and (covers(row, "recorded", instant(known)) if known else row["recorded_to"] == "unbounded")
        )

    rows = [row for row in world.tables["applicability"] if stands(row, "revision_id")]
    removed = {
        relation["superseded"]
        for relation in world.tables["supersessions"]
        if stands(relation, "superseded")
        and any(
            row["revision_id"] == relation["superseding"]
            and max(instant(row["valid_from"]), instant(relation["effective_from"])) <= at
            and instant(relation["effective_from"]) < instant(row["valid_to"])
            for row in rows
        )
    }
    return {row["revision_id"] for row in rows if covers(row, "valid", at)} - removed


def complete(question: dict[str, Any]) -> bool:
    """Whether the request names a leaf for each part of its scope."""
    request = question.get("request", {})
    return all(request.get(name) for name in ("family", "procedure", "configuration", "region", "at")) and (
        request["configuration"] != "KR-200"
    )


def governing(world: World, document: str, question: dict[str, Any]) -> str:
    """The revision that a gold document speaks for: itself, or the original of a reviewed edition."""
    language = question["request"].get("language")
    for row in world.tables["equivalences"]:
        if row["edition"] == document and row["language"] == language:
            return row["of_revision"]
    return document


def spans(world: World, document: str, procedure: str) -> list[tuple[int, int]]:
    return [
        (int(row["start"]), int(row["end"]))
        for row in world.tables["sections"]
        if (row["document_id"], row["procedure_id"]) == (document, procedure)
    ]


def inside(world: World, gold: dict[str, Any], procedure: str) -> bool:
    return any(a <= gold["start"] and gold["end"] <= b for a, b in spans(world, gold["document_id"], procedure))


def answer(world: World, gold: dict[str, Any]) -> str:
    text = world.texts[gold["document_id"]][gold["start"] : gold["end"]]
    return unicodedata.normalize("NFC", text.replace("\u00ad", ""))


def tagged(world: World, tag: str) -> list[dict[str, Any]]:
    return [question for question in world.questions if tag in question["tags"]]


# --- the checks: each yields what is wrong ------------------------------------------------------------------------


def document_faults(world: World) -> Iterator[str]:
    words = 0
    for name, text in world.texts.items():
        words += len(re.findall(r"[^\W\d_]{2,}", unicodedata.normalize("NFC", text.replace("\u00ad", ""))))
        beginning = " ".join(re.split(r"(?:\r?\n){2}", text)[:5]).lower()
        if not re.search(r"fikti|erfunden|fictional", beginning):
            yield f"{name} does not say at its beginning that it is invented"
        if name != "schichtbuch-2024-08" and ("\r" in text or unicodedata.normalize("NFC", text) != text):
            yield f"{name} is not NFC with LF"
        if name != "lagerung-ersatzteile" and "\u00ad" in text:
            yield f"{name} has soft hyphens"
        if re.search(r"\n{3}|\A\n|\n\n\Z", text):
            yield f"{name} has an empty paragraph"
    if len(world.texts) < 14 or words < 25_000:
        yield f"{len(world.texts)} documents with {words} words are too few"
    if len(set(world.texts.values())) < len(world.texts):
        yield "two documents are the same"
    for name, row in world.documents.items():
        if row["path"] != f"texts/{name}.txt":
            yield f"{name} lies at {row['path']}"


def planted_text_faults(world: World) -> Iterator[str]:
    old = world.texts["schichtbuch-2024-08"]
    if "\r\n\r\n" not in old or unicodedata.normalize("NFC", old) == old:
        yield "the old shift book should be NFD with CRLF"
    if "\u00ad" not in world.texts["lagerung-ersatzteile"]:
        yield "the storage guideline should have soft hyphens"
    if "Regeln zu ignorieren" not in world.texts["notiz-lagergeraeusch"]:
        yield "the note should carry its injected instruction"


def section_faults(world: World) -> Iterator[str]:
    taken: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in world.tables["sections"]:
        name, start, end = row["document_id"], int(row["start"]), int(row["end"])
        text = world.texts[name]
        if not 0 <= start < end <= len(text):
            yield f"{name} {row['procedure_id']} lies outside its text"
        if start and text[start - 2 : start] != "\n\n":
            yield f"{name} {row['procedure_id']} does not start with a paragraph"
        if end < len(text.rstrip("\n")) and text[end : end + 2] != "\n\n":
            yield f"{name} {row['procedure_id']} does not end with a paragraph"
        if any(start < b and a < end for a, b in taken[name]):
            yield f"{name} {row['procedure_id']} overlaps another section"
        taken[name].append((start, end))


def register_faults(world: World) -> Iterator[str]:
    """All but the planted findings: digest of sa-12, access of el-04-r2, the unlocated entsorgung, one approval."""
    found = Counter[str]()
    editions = {row["edition"] for row in world.tables["equivalences"]}
    for row in world.tables["revisions"]:
        name = row["revision_id"]
        document = world.documents[name]
        if row["source_digest"] != hashlib.sha256(world.texts[name].encode()).hexdigest():
            found[f"digest {name}"] += 1
        if (row["tenant"], row["groups"]) != (document["tenant"], document["groups"]):
            found[f"access {name}"] += 1
        if row["source_language"] != document["language"]:
            found[f"language {name}"] += 1
        if not row["owner"] or not row["imported_at"]:
            found[f"owner {name}"] += 1
    for row in world.tables["applicability"]:
        if row["revision_id"] in editions:
            found[f"edition {row['revision_id']}"] += 1
        if not spans(world, row["revision_id"], row["procedure_id"]):
            found[f"unlocated {row['revision_id']} {row['procedure_id']}"] += 1
        if not row["approval_ref"]:
            found[f"approval {row['revision_id']} {row['region']}"] += 1
        if instant(row["valid_from"]) >= instant(row["valid_to"]):
            found[f"interval {row['revision_id']}"] += 1
    planted = {"digest sa-12", "access el-04-r2", "unlocated kr-bwh-r3 entsorgung", "approval cs-tb-05 NA"}
    yield from sorted(set(found) - planted)
    yield from (f"not planted: {name}" for name in sorted(planted - set(found)))


def span_faults(world: World) -> Iterator[str]:
    for question in world.questions:
        name = question["question_id"]
        for gold in question["gold"]:
            text = world.texts[gold["document_id"]]
            if not 0 <= gold["start"] < gold["end"] <= len(text):
                yield f"{name}: the span lies outside its document"
                continue
            before, after = text[gold["start"] - 1 : gold["start"]], text[gold["end"] : gold["end"] + 1]
            quote = text[gold["start"] : gold["end"]]
            if quote != quote.strip() or "\n\n" in quote or "\r\n\r\n" in quote:
                yield f"{name}: {quote!r} is no clean part of one paragraph"
            if (before.isalnum() and quote[0].isalnum()) or (after.isalnum() and quote[-1].isalnum()):
                yield f"{name}: {quote!r} cuts a word"
        if bool(question["gold"]) == (question["kind"] == "unanswerable"):
            yield f"{name}: the gold does not fit {question['kind']}"


def access_faults(world: World) -> Iterator[str]:
    for question in world.questions:
        hidden = {gold["document_id"] for gold in question["gold"]} - readable(world, question)
        if hidden:
            yield f"{question['question_id']}: {sorted(hidden)} is hidden from its persona"


def uniqueness_faults(world: World) -> Iterator[str]:
    """Ids and contexts are there once; an answer is not said a second time, word for word, where it counts."""
    for name, times in Counter(question["question_id"] for question in world.questions).items():
        if times > 1:
            yield f"{name} is there {times} times"
    asked = Counter(json.dumps([q["question"], q["persona"], q.get("request")]) for q in world.questions)
    yield from (f"asked twice: {context}" for context, times in asked.items() if times > 1)
    for question in world.questions:
        gold = {(g["document_id"], g["start"]) for g in question["gold"]}
        names = {g["document_id"] for g in question["gold"]} if "request" in question else readable(world, question)
        for place in question["gold"]:
            quote = world.texts[place["document_id"]][place["start"] : place["end"]]
            for name in names:
                for match in re.finditer(re.escape(quote), world.texts[name]):
                    procedure = question.get("request", {}).get("procedure")
                    here = {"document_id": name, "start": match.start(), "end": match.end()}
                    counts = procedure is None or inside(world, here, procedure)
                    if counts and (name, match.start()) not in gold:
                        yield f"{question['question_id']}: {quote!r} also stands in {name} at {match.start()}"


def authority_faults(world: World) -> Iterator[str]:
    """The register gives the gold's revision to whoever asks, and to nobody a question that has no answer."""
    for question in world.questions:
        if "request" not in question:
            continue
        name, procedure = question["question_id"], question["request"]["procedure"]
        if any(not inside(world, gold, procedure) for gold in question["gold"]):
            yield f"{name}: the gold lies outside its procedure's section"
        if not complete(question):
            if question["kind"] != "ambiguous":
                yield f"{name}: an incomplete request is ambiguous"
            continue
        left = in_force(world, question)
        wanted = {governing(world, gold["document_id"], question) for gold in question["gold"]}
        if question["kind"] != "unanswerable" and left != wanted:
            yield f"{name}: in force is {sorted(left)}, the gold speaks for {sorted(wanted)}"
        if question["kind"] == "answerable" and len(left) != 1:
            yield f"{name}: {sorted(left)} are in force"


def context_faults(world: World) -> Iterator[str]:
    """A question asked in several contexts for the sake of a tag has different answers in them."""
    for tag in ("access", "date", "configuration", "language"):
        by_text: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for question in tagged(world, tag):
            by_text[question["question"]].append(question)
        told_apart = 0
        for text in by_text:
            contexts = [question for question in world.questions if question["question"] == text]
            answers = {tuple(sorted(answer(world, gold) for gold in question["gold"])) for question in contexts}
            if len(contexts) > 1 and len(answers) == 1:
                yield f"{tag}: {text!r} has one answer in {len(contexts)} contexts"
            told_apart += len(by_text[text]) if len(answers) > 1 else 0
        if told_apart < LEAST[tag]:
            yield f"{tag}: only {told_apart} questions are told apart by it"


def contrast_faults(world: World) -> Iterator[str]:
    """At least ten questions differ by access alone, and at least ten by date alone."""
    for name in ("persona", "at"):
        by_rest: dict[str, set[str]] = defaultdict(set)
        for question in world.questions:
            request = dict(question.get("request", {}))
            at, persona = request.pop("at", None), question["persona"]
            rest = [question["question"], request, at if name == "persona" else persona]
            by_rest[json.dumps(rest)].add(json.dumps([answer(world, gold) for gold in question["gold"]]))
        pairs = sum(len(answers) > 1 for answers in by_rest.values())
        if pairs < 10:
            yield f"only {pairs} questions change their answer with {name} alone"


def balance_faults(world: World) -> Iterator[str]:
    kinds = Counter(question["kind"] for question in world.questions)
    tags = Counter(tag for question in world.questions for tag in question["tags"])
    if len(world.questions) < 150 or kinds["unanswerable"] < 25 or kinds["ambiguous"] < 20:
        yield f"too few: {len(world.questions)} questions, {dict(kinds)}"
    yield from (f"only {tags[tag]} questions are tagged {tag}" for tag, least in LEAST.items() if tags[tag] < least)
    for question in world.questions:
        if ("keyword" in question["tags"]) == ("sentence" in question["tags"]):
            yield f"{question['question_id']} is neither a keyword query nor a sentence, or both"
        if question["kind"] == "ambiguous" and len(question["gold"]) < 2:
            yield f"{question['question_id']} is ambiguous with a single reading"
    held = sum(question["holdout"] for question in world.questions)
    if not 0.18 <= held / len(world.questions) <= 0.23:
        yield f"{held} of {len(world.questions)} are held out"
    for text in {question["question"] for question in world.questions}:
        if len({question["holdout"] for question in world.questions if question["question"] == text}) > 1:
            yield f"{text!r} stands on both sides of the split"


def words(text: str) -> set[str]:
    plain = unicodedata.normalize("NFC", text.replace("\u00ad", "")).lower()
    return {word[:6] for word in re.findall(r"[^\W_]{4,}", plain)}


def trivial_hits(world: World) -> dict[str, float]:
    """The share of answerable questions that a rule without any search would find."""
    hits, total = Counter[str](), 0
    titles = {name: words(text[:160]) for name, text in world.texts.items()}
    for question in world.questions:
        if question["kind"] != "answerable":
            continue
        total += 1
        places = {(gold["document_id"], gold["start"]) for gold in question["gold"]}
        found = set()
        for name, start in places:
            paragraphs = [(m.start(), m.end()) for m in re.finditer(r"(?s).+?(?=\n\n|\r\n\r\n|\Z)", world.texts[name])]
            longest = max(paragraphs, key=lambda span: span[1] - span[0])
            found |= {"first paragraph"} if start < paragraphs[0][1] else set()
            found |= {"longest passage"} if longest[0] <= start < longest[1] else set()
        hits.update(found)
        allowed = sorted(readable(world, question))
        asked = words(question["question"])
        best = max(allowed, key=lambda name: len(asked & titles[name]))
        hits["title"] += best in {document for document, _ in places} and bool(asked & titles[best])
    return {rule: hits[rule] / total for rule in ("first paragraph", "longest passage", "title")}


def trivial_faults(world: World) -> Iterator[str]:
    most = {"first paragraph": 0.02, "longest passage": 0.15, "title": 0.25}
    for rule, share in trivial_hits(world).items():
        if share > most[rule]:
            yield f"the rule {rule!r} finds {share:.0%} of the answers"


CHECKS = [
    document_faults,
    planted_text_faults,
    section_faults,
    register_faults,
    span_faults,
    access_faults,
    uniqueness_faults,
    authority_faults,
    context_faults,
    contrast_faults,
    balance_faults,
    trivial_faults,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_nothing_is_wrong(world: World, check: Callable[[World], Iterator[str]]) -> None:
    assert list(check(world)) == []


def test_the_files_are_small(repo: Path) -> None:
    folders = [repo / "data" / "handbooks", repo / "data" / "handbooks-register"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in [*files, repo / "data" / "questions.jsonl"]) < 2_000_000


# --- each check speaks up ------------------------------------------------------------------------------------------


def first(world: World, kind: str, tag: str = "") -> dict[str, Any]:
    return next(q for q in world.questions if q["kind"] == kind and (not tag or tag in q["tags"]))


def spoil_document(world: World) -> None:
    world.texts["sa-12"] = world.texts["sa-12"].replace("fiktiver Text, alle Grenzwerte erfunden", "amtlicher Text")


def spoil_planted_text(world: World) -> None:
    world.texts["lagerung-ersatzteile"] = world.texts["lagerung-ersatzteile"].replace("\u00ad", "")


def spoil_section(world: World) -> None:
    world.tables["sections"][3]["start"] = str(int(world.tables["sections"][3]["start"]) + 1)


def spoil_register(world: World) -> None:
    world.texts["kr-sb-17"] += "Nachtrag."


def spoil_span(world: World) -> None:
    first(world, "answerable")["gold"][0]["end"] -= 2


def spoil_access(world: World) -> None:
    first(world, "answerable")["persona"]["groups"] = ["kantine"]


def spoil_uniqueness(world: World) -> None:
    question = next(q for q in world.questions if "request" not in q and q["gold"])
    world.texts["winterbetrieb"] += answer(world, question["gold"][0])
    question["persona"]["groups"] = [*question["persona"]["groups"], "betrieb"]


def spoil_authority(world: World) -> None:
    first(world, "answerable", "date")["request"]["at"] = "2030-01-01"


def spoil_context(world: World) -> None:
    pair = [q for q in world.questions if q["question"].startswith("Wie viele Hübe Fett")]
    pair[1]["gold"] = pair[0]["gold"]


def spoil_contrast(world: World) -> None:
    for number, question in enumerate(world.questions):
        question["question"] += f" ({number})"


def spoil_balance(world: World) -> None:
    first(world, "answerable", "date")["holdout"] = not first(world, "answerable", "date")["holdout"]


def spoil_trivial(world: World) -> None:
    for question in world.questions:
        for gold in question["gold"]:
            gold["start"], gold["end"] = 0, 5


@pytest.mark.parametrize(
    ("check", "spoil"),
    [(check, globals()[f"spoil_{check.__name__.removesuffix('_faults')}"]) for check in CHECKS],
    ids=lambda value: value.__name__,
)
def test_each_check_speaks_up(
    spoilt: World, check: Callable[[World], Iterator[str]], spoil: Callable[[World], None]
) -> None:
    spoil(spoilt)
    assert list(check(spoilt)) != []
