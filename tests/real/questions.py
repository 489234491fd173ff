"""Real questions with answer spans, measured under some cuts: ``python -m tests.real.questions`` records the results.

The sets: court decisions in German (all texts in Unicode NFD, up to 95,000 characters in one paragraph), as stored and
composed to NFC; encyclopedia articles in German and English. Nothing was tuned to them: the cuts are round numbers that
were chosen before. Figures, counts and digests are kept in questions.json; no sentence is.
"""

import hashlib
import json
import os
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import workbench as wb

REPO = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("questions.json")
SETS = ("legalquad_de", "legalquad_de NFC", "xquad de", "xquad en")
ACTOR = wb.Actor("public", {"reader"})
DEPTH = 10
CUTS = (
    wb.Paragraphs(),
    wb.Words(64),
    wb.Words(128),
    wb.Words(128, overlap=32),
    wb.Words(256),
    wb.Sentences(3),
    wb.Characters(800),
    wb.Recursive(128),
)
MEASURES = (
    *(wb.Recall(DEPTH), wb.Precision(DEPTH), wb.RR(), wb.AP(), wb.NDCG(DEPTH), wb.SpanRecall(DEPTH)),
    *(wb.SpanPrecision(DEPTH), wb.SpanIoU(DEPTH), wb.GoldCut(), wb.ContextSize(DEPTH), wb.Leak(DEPTH)),
)

Loaded = tuple[wb.Corpus, tuple[wb.Question, ...]]


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def loaded(folder: Path, name: str) -> Loaded:
    """The documents and questions of a set; every answer is at its place."""
    source, _, kind = name.partition(" ")
    texts: dict[str, str] = {}
    for row in lines(folder / "qa" / source / "docs.jsonl"):
        if row.get("lang", kind) == kind or source != "xquad":
            texts[row["doc_id"]] = row["text"]
    composed = {d: unicodedata.normalize("NFC", text) for d, text in texts.items()} if kind == "NFC" else texts
    questions = []
    for row in lines(folder / "qa" / source / "questions.jsonl"):
        if row["doc_id"] not in texts:
            continue
        gold = []
        for span in row.get("spans") or [{**row, "text": row["answer"]}]:
            text, start, end = texts[row["doc_id"]], span["start"], span["end"]
            assert text[start:end] == span["text"]
            if kind == "NFC":
                start, end = (len(unicodedata.normalize("NFC", text[:at])) for at in (start, end))
                assert composed[row["doc_id"]][start:end] == unicodedata.normalize("NFC", span["text"])
            gold.append(wb.Gold(row["doc_id"], (start, end)))
        questions.append(wb.Question(row["qid"], row["question"], "answerable", tuple(gold)))
    documents = [wb.Document(d, "public", frozenset({"reader"}), "1", text) for d, text in composed.items()]
    return wb.Corpus(documents), tuple(questions)


def measured(corpus: wb.Corpus, questions: tuple[wb.Question, ...]) -> dict[str, object]:
    """Counts, digests, and the mean of every measure under every cut, to six digits."""
    rows = wb.sweep(corpus, questions, actor=ACTOR, cuts=CUTS, measures=MEASURES, depth=DEPTH)
    means: dict[str, Mapping[str, object]] = {}
    for row in wb.summary(rows).drop("depth", "match", "questions", "refused", "out_of_view").iter_rows(named=True):
        means[row.pop("cut")] = {key: round(v, 6) if isinstance(v, float) else v for key, v in row.items()}
    asked = hashlib.sha256(repr([(q.id, q.text, q.gold) for q in questions]).encode()).hexdigest()
    counts = {"documents": len(corpus), "questions": len(questions)}
    return {**counts, "corpus_sha256": corpus.digest, "questions_sha256": asked, "means": means}


def main() -> int:
    folder = Path(os.environ.get("WORKBENCH_TEST_DATA", REPO.parent / "shared" / "data"))
    found = {name: measured(*loaded(folder, name)) for name in SETS}
    RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
