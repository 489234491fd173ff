"""Five shipped handbooks, printed by Chromium as HTML and PDF and imported again: the same paragraphs and tables, and
every gold span found again at its place."""

import html
import json
import re
import subprocess
from pathlib import Path

import pytest

from workbench.contract import fingerprint
from workbench.convert.cited import place_of
from workbench.convert.folder import entries, import_files
from workbench.evidence.checks import findings
from workbench.evidence.corpus import Corpus

HANDBOOKS = ["kr-bwh-r2", "kr-bwh-r3", "tm-bwh-r5", "wn-312-b", "cs-de-r2"]
WHOSE = {"tenant": "grauwede", "groups": {"wartung"}, "version": "Druck"}
REPO = Path(__file__).resolve().parents[2]
STYLE = "@page{size:A4;margin:20mm}body{font:11pt/1.35 sans-serif}td,th{border:1px solid;padding:2px 6px}"
HEADING = re.compile(r"\d+(?:\.\d+)* [^.|]{3,80}")
KINDS = ("html", "pdf")


def parts(text: str) -> list[str | list[list[str]]]:
    """The paragraphs of a handbook, its rows of values gathered into tables with the headings above them."""
    made: list[str | list[list[str]]] = []
    for paragraph in text.split("\n\n"):
        rows = [line.split(" | ") for line in paragraph.split("\n")]
        if all(len(row) > 1 for row in rows):
            if isinstance(made[-1], list):
                made[-1] += rows
            else:
                made.append(rows)
        elif paragraph.strip():
            made.append(paragraph)
    return made


def page(text: str) -> str:
    """The handbook as the page that an editorial system would make of it."""
    body, before = [], ""
    for part in parts(text):
        if isinstance(part, list):
            first, *rows = ["".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) for tag, row in cells(part)]
            caption = f"<caption>{html.escape(before)}</caption>" if before else ""
            rest = "".join(f"<tr>{row}</tr>" for row in rows)
            body.append(f"<table>{caption}<thead><tr>{first}</tr></thead><tbody>{rest}</tbody></table>")
        elif part.startswith("Tabelle "):
            before = part
            continue
        elif HEADING.fullmatch(part):
            body.append(f'<h2 id="k{len(body)}">{html.escape(part)}</h2>')
        else:
            body.append(f"<p>{html.escape(part).replace(chr(10), '<br>')}</p>")
        before = ""
    return f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style><main>{''.join(body)}</main>"


def cells(table: list[list[str]]) -> list[tuple[str, list[str]]]:
    return [("td" if at else "th", row) for at, row in enumerate(table)]


def expected(text: str) -> list[str]:
    """What an import must make of it: a row carries its table's name and its headings."""
    made: list[str] = []
    for part in parts(text):
        if isinstance(part, str):
            made.append(" ".join(part.split()))
            continue
        caption = f"{made[-1]} · " if made[-1].startswith("Tabelle ") else ""
        headings, *rows = part
        made += [caption + " | ".join(f"{h}: {v}" for h, v in zip(headings, row, strict=True)) for row in rows]
    return made


@pytest.fixture(scope="module")
def printed(chromium: str, repo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of each kind, imported from what Chromium printed."""
    place = tmp_path_factory.mktemp("handbooks")
    for name in HANDBOOKS:
        text = (repo / "data" / "handbooks" / "texts" / f"{name}.txt").read_bytes().decode("utf-8")
        source = place / "html" / f"{name}.html"
        source.parent.mkdir(exist_ok=True)
        source.write_text(page(text), encoding="utf-8")
        target = place / "pdf" / f"{name}.pdf"
        target.parent.mkdir(exist_ok=True)
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={place / 'profile'}"]
        command += ["--no-pdf-header-footer", f"--print-to-pdf={target}", source.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert target.is_file(), done.stderr
    for kind in KINDS:
        found = import_files(entries([place / kind], **WHOSE), place / f"corpus-{kind}")
        assert found.refused == ()
        assert found.written
    return place


@pytest.mark.parametrize("name", HANDBOOKS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_paragraphs_and_tables(kind: str, name: str, printed: Path, repo: Path) -> None:
    text = (repo / "data" / "handbooks" / "texts" / f"{name}.txt").read_bytes().decode("utf-8")
    document = Corpus.read(printed / f"corpus-{kind}").get(name)
    got = [" ".join(paragraph.split()) for paragraph in document.text.split("\n\n")]
    want = expected(text)
    parted = at_page_ends(printed / f"corpus-{kind}", document, got) if kind == "pdf" else []
    for at in reversed(parted):
        got[at - 1 : at + 1] = [f"{got[at - 1]} {got[at]}"]
    assert [p for p in want if p not in got] == []
    assert [p for p in got if p not in want] == []
    assert got == want
    assert len(parted) <= 3
    assert findings([document]) == []


def at_page_ends(folder: Path, document, paragraphs: list[str]) -> list[int]:
    """The only difference that there may be: a paragraph goes on behind a page's end at which a sentence ended too.

    Which of the paragraphs that begin a page are such cannot be seen on the page; the handbook says it.
    """
    want = expected((REPO / "data" / "handbooks" / "texts" / f"{document.id}.txt").read_bytes().decode("utf-8"))
    found, at, page_before = [], 0, 1
    for number, paragraph in enumerate(document.text.split("\n\n")):
        cited = place_of(folder, citation(document, at, at + len(paragraph)))
        begins_page = cited.boxes[0].page > page_before
        page_before = cited.boxes[-1].page
        at += len(paragraph) + 2
        if begins_page and f"{paragraphs[number - 1]} {paragraphs[number]}" in want:
            assert paragraphs[number - 1].endswith((".", ":"))
            found.append(number)
    return found


def gold(name: str, repo: Path) -> list[tuple[int, int]]:
    questions = (repo / "data" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    spans = [g for line in questions for g in json.loads(line)["gold"] if g["document_id"] == name]
    return sorted({(g["start"], g["end"]) for g in spans})


@pytest.mark.parametrize("name", HANDBOOKS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_gold_span_is_found_again_at_its_place(kind: str, name: str, printed: Path, repo: Path) -> None:
    text = (repo / "data" / "handbooks" / "texts" / f"{name}.txt").read_bytes().decode("utf-8")
    folder = printed / f"corpus-{kind}"
    document = Corpus.read(folder).get(name)
    for start, end in gold(name, repo):
        for quote in text[start:end].split("\n\n"):
            row = quote.split(" | ")
            if len(row) > 1:
                for found in rows_with(document.text, row):
                    cited = place_of(folder, citation(document, *found))
                    assert len({cell.row for cell in cited.cells}) == 2  # the headings' row and this one
                    assert cited.boxes if kind == "pdf" else cited.elements
                continue
            words = r"\s+".join(re.escape(word) for word in quote.split())
            match = re.search(words, document.text)
            assert match, quote
            cited = place_of(folder, citation(document, *match.span()))
            if kind == "pdf":
                assert cited.pages
                assert all(20 < b.x0 < b.x1 < 580 and 20 < b.y0 < b.y1 < 830 for b in cited.boxes)
            else:
                assert cited.elements


def rows_with(text: str, values: list[str]) -> list[tuple[int, int]]:
    """The rows that hold exactly these values in this order."""
    found, at = [], 0
    for paragraph in text.split("\n\n"):
        if [part.rpartition(": ")[2] for part in paragraph.split(" | ")] == values:
            found.append((at, at + len(paragraph)))
        at += len(paragraph) + 2
    assert found, values
    return found


def citation(document, start: int, end: int) -> dict[str, object]:
    return {
        "document_id": document.id,
        "content_sha256": fingerprint(document.text),
        "start": start,
        "end": end,
        "quote": document.text[start:end],
    }
