"""The shipped PDFs are what their maker makes, and an import of them is what their questions speak of."""

import json
import re
from pathlib import Path

import pytest

from tests.convert import manuals
from workbench.convert.cited import place_of
from workbench.convert.folder import Outcome, entries, import_files
from workbench.convert.places import Cell
from workbench.evidence.checks import findings
from workbench.evidence.corpus import Corpus
from workbench.study.questions import read_questions

SHIPPED = manuals.REPO / "data" / "manuals"
WHOSE = {"tenant": "grauwede", "groups": {"wartung"}, "version": "Druck", "language": "de"}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, Path]:
    target = tmp_path_factory.mktemp("manuals") / "corpus"
    return import_files(entries([SHIPPED / "pdf"], **WHOSE), target, skip_refused=True), target


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_they_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    manuals.main(tmp_path)
    made = files(tmp_path)
    assert files(SHIPPED).keys() == {*made, "README.md", ".gitattributes"}
    for name, raw in made.items():
        assert (SHIPPED / name).read_bytes() == raw, name
        assert len(raw) < 200_000


def test_the_broken_sheet_is_refused_and_no_other(imported: tuple[Outcome, Path]) -> None:
    outcome, _ = imported
    assert [(path.name, refusal.code) for path, refusal in outcome.refused] == [("montageblatt-7.pdf", "shifted")]
    assert [one.entry.id for one in outcome.documents] == sorted(manuals.TITLES)


@pytest.mark.parametrize("name", sorted(manuals.TITLES))
def test_every_paragraph_of_the_handbook_is_there_and_nothing_else(name: str, imported: tuple[Outcome, Path]) -> None:
    """Words in their order: columns, page ends and parted words change nothing; headers and footers are gone."""
    document = Corpus.read(imported[1]).get(name)
    source = "\n\n".join(manuals.paragraphs(name)).replace("\u00ad", "")
    if name != "wn-312-b":
        assert document.text.split() == source.split()
    assert findings([document]) == []


def test_a_table_over_a_page_s_end_is_one_table(imported: tuple[Outcome, Path]) -> None:
    corpus, folder = Corpus.read(imported[1]), imported[1]
    rows = [p for p in corpus.get("wn-312-b").text.split("\n\n") if re.match(r"Tabelle \d+ .* · ", p)]
    pages: dict[str, set[int]] = {}
    tables: dict[str, set[int]] = {}
    for row in rows:
        found = cited(corpus, folder, row)
        caption = row.partition(" · ")[0]
        values = [box for box in found.boxes if box.y1 - box.y0 < 13]
        pages.setdefault(caption, set()).update(box.page for box in values)
        tables.setdefault(caption, set()).update(cell.table for cell in found.cells)
        assert row.count(": ") == 4
    assert len(rows) == 6 * 4 + 4 * 5
    assert all(len(numbers) == 1 for numbers in tables.values())
    assert [len(numbers) for numbers in pages.values()].count(2) == 1


def cited(corpus: Corpus, folder: Path, paragraph: str):
    text = corpus.get("wn-312-b").text
    start = text.index(paragraph)
    given = {
        "document_id": "wn-312-b",
        "content_sha256": corpus.fingerprint("wn-312-b"),
        "start": start,
        "end": start + len(paragraph),
        "quote": paragraph,
    }
    return place_of(folder, given)


def test_gold_says_what_the_handbooks_gold_says(imported: tuple[Outcome, Path]) -> None:
    corpus, folder = Corpus.read(imported[1]), imported[1]
    original = {json.loads(line)["question_id"]: json.loads(line) for line in open_questions()}
    asked = read_questions(SHIPPED / "questions.jsonl")
    assert len(asked) == 33
    for question in asked:
        assert not original[question.id]["holdout"]
        for gold in question.gold:
            quote = corpus.get(gold.document_id).text[gold.span.start : gold.span.end]
            wanted = [
                manuals.TEXTS.joinpath(f"{g['document_id']}.txt").read_bytes().decode()[g["start"] : g["end"]]
                for g in original[question.id]["gold"]
                if g["document_id"] == gold.document_id
            ]
            values = [part.rpartition(": ")[2] for part in quote.split(" | ")]
            said = " | ".join(values) if "table" in question.tags else quote
            assert said in [w.replace("\u00ad", "") for w in wanted]
            place = {
                "document_id": gold.document_id,
                "content_sha256": corpus.fingerprint(gold.document_id),
                "start": gold.span.start,
                "end": gold.span.end,
                "quote": quote,
            }
            found = place_of(folder, place)
            assert found.boxes
            if "table" in question.tags:
                assert {cell.column for cell in found.cells} == {1, 2, 3, 4}
                assert found.captions[0][1].startswith("Tabelle ")
                assert all(isinstance(cell, Cell) and cell.row == 1 for cell in found.headings)


def open_questions() -> list[str]:
    return (manuals.REPO / "data" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
