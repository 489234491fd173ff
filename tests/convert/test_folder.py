"""A corpus from files: whole or not at all, the same each time, clean, nowhere else; and what its citations open."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from tests.convert import pdf_made
from workbench.contract import Actor
from workbench.convert import folder as folders
from workbench.convert.cited import place_of, source_bytes
from workbench.convert.folder import entries, import_files
from workbench.convert.limits import Limits
from workbench.convert.places import Box, Cell, Line
from workbench.errors import EvidenceError, InputError
from workbench.evidence.checks import findings
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus

WHOSE = {"tenant": "werk-nord", "groups": {"wartung", "betrieb"}, "version": "2", "language": "de"}
MECHANIC = Actor("werk-nord", {"wartung"})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    place = tmp_path / "quellen"
    (place / "tiefer").mkdir(parents=True)
    (place / "Anziehen.pdf").write_bytes(pdf_made.sound())
    (place / "seite.html").write_bytes(b"<h1>Halle</h1><p id=ruf>Der Notruf h&auml;ngt aus.<p>Zw\xc2\xadei")
    (place / "notiz.txt").write_bytes("Dru\u0308cke\r\n\r\nDie Gleitring-\r\ndichtung tropft.".encode())
    (place / "tiefer" / "grö ße.md").write_bytes(b"# Liste\n\n| A | B |\n|---|---|\n| x | 1 |\n")
    (place / "bild.png").write_bytes(b"\x89PNG")
    return place


def tree(place: Path) -> dict[str, bytes]:
    return {p.relative_to(place).as_posix(): p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()}


def test_files_become_a_corpus(files: Path, tmp_path: Path) -> None:
    found = import_files(entries([files], **WHOSE), tmp_path / "corpus")
    assert found.written
    assert [d.entry.id for d in found.documents] == ["Anziehen", "notiz", "seite", "grö ße"]
    corpus = Corpus.read(tmp_path / "corpus")
    assert findings(corpus.documents) == []
    notiz = corpus.get("notiz")
    assert (notiz.text, notiz.tenant, notiz.groups, notiz.version, notiz.language) == (
        "Drücke\n\nDie Gleitringdichtung tropft.",
        "werk-nord",
        frozenset({"wartung", "betrieb"}),
        "2",
        "de",
    )
    lines = (tmp_path / "corpus" / "provenance.jsonl").read_text(encoding="utf-8").splitlines()
    for document, line in zip(corpus.documents, map(json.loads, lines), strict=True):
        assert line["document_id"] == document.id
        assert line["content_sha256"] == corpus.fingerprint(document.id)
        source = (tmp_path / "corpus" / line["source"]["path"]).read_bytes()
        assert line["source"]["sha256"] == hashlib.sha256(source).hexdigest()
        assert all(0 <= start < end <= len(document.text) for start, end, *_ in line["ranges"])


def test_the_same_files_give_the_same_bytes_at_another_place_and_time(files: Path, tmp_path: Path) -> None:
    import_files(entries([files], **WHOSE), tmp_path / "eins")
    for path in files.rglob("*"):
        os.utime(path, (1, 1))
    moved = files.rename(tmp_path / "woanders")
    import_files(entries([moved], **WHOSE), tmp_path / "zwei")
    assert tree(tmp_path / "eins") == tree(tmp_path / "zwei")


def test_a_refused_file_leaves_nothing_behind_unless_it_may_be_left_out(files: Path, tmp_path: Path) -> None:
    (files / "scan.pdf").write_bytes(pdf_made.Pdf([b""]).made())
    before = tree(tmp_path)
    found = import_files(entries([files], **WHOSE), tmp_path / "corpus")
    assert not found.written
    assert [(path.name, refusal.code) for path, refusal in found.refused] == [("scan.pdf", "no_text_layer")]
    assert tree(tmp_path) == before
    assert import_files(entries([files], **WHOSE), tmp_path / "corpus", skip_refused=True).written
    assert len(Corpus.read(tmp_path / "corpus")) == 4


def test_a_failure_while_writing_leaves_nothing_behind(files: Path, tmp_path: Path, monkeypatch) -> None:
    before = tree(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders.os, "rename", full)
    with pytest.raises(OSError, match="No space"):
        import_files(entries([files], **WHOSE), tmp_path / "corpus")
    assert tree(tmp_path) == before
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("name", ["../frech", "..", "a/../../b", "", ".", "con\x00", "ä" * 300, "/etc/passwd"])
def test_no_id_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text("Zwei Personen.", encoding="utf-8")
    entry = folders.Entry(source, name or "leer", "t", frozenset({"g"}), "1")
    import_files([entry], tmp_path / "corpus")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "corpus"]
    [text] = (tmp_path / "corpus" / "texts").iterdir()
    assert text.read_text(encoding="utf-8") == "Zwei Personen."


def test_ids_that_differ_in_case_or_accents_keep_files_of_their_own(tmp_path: Path) -> None:
    given = []
    for number, name in enumerate(["A", "a", "ä", "a-"]):
        source = tmp_path / f"{number}.txt"
        source.write_text(f"Text {number}", encoding="utf-8")
        given.append(folders.Entry(source, name, "t", frozenset({"g"}), "1"))
    import_files(given, tmp_path / "corpus")
    assert [d.text for d in Corpus.read(tmp_path / "corpus").documents] == [f"Text {n}" for n in range(4)]


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"tenant": " "}, "tenant"),
        ({"version": ""}, "version"),
        ({"groups": set()}, "groups"),
        ({"groups": {"a", " "}}, "groups"),
        ({"language": "Deutsch!"}, "language"),
    ],
)
def test_whose_the_documents_are_is_said(change: dict, column: str, files: Path) -> None:
    with pytest.raises(InputError) as caught:
        entries([files], **{**WHOSE, **change})
    assert caught.value.column == column


def test_what_cannot_be_made_is_said(files: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        entries([files / "fehlt.pdf"], **WHOSE)
    with pytest.raises(InputError, match="no file to import"):
        entries([files / "leer"], **WHOSE) if (files / "leer").mkdir() is None else None
    (files / "notiz.md").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="two files are called notiz"):
        import_files(entries([files], **WHOSE), tmp_path / "corpus")
    with pytest.raises(InputError, match="something already"):
        import_files(entries([files / "notiz.txt"], **WHOSE), files)
    with pytest.raises(InputError, match="does not exist"):
        import_files(entries([files / "notiz.txt"], **WHOSE), tmp_path / "fehlt" / "corpus")
    (tmp_path / "link").symlink_to(tmp_path / "anderswo")
    with pytest.raises(InputError, match="something already"):
        import_files(entries([files / "notiz.txt"], **WHOSE), tmp_path / "link")


@pytest.mark.parametrize("name", ["brief.docx", "tabelle.xlsx", "ohne"])
def test_other_files_are_refused_by_name(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"PK")
    found = import_files(entries([tmp_path / name], **WHOSE), tmp_path / "corpus")
    assert [refusal.code for _, refusal in found.refused] == ["unsupported"]


def test_a_file_beyond_the_limit_is_not_even_read(files: Path, tmp_path: Path) -> None:
    found = import_files(entries([files / "notiz.txt"], **WHOSE), tmp_path / "corpus", limits=Limits(source=5))
    assert [refusal.code for _, refusal in found.refused] == ["too_large"]


# --- citations --------------------------------------------------------------------------------------------------


@pytest.fixture
def imported(files: Path, tmp_path: Path) -> Path:
    import_files(entries([files], **WHOSE), tmp_path / "corpus")
    return tmp_path / "corpus"


def page_picture(*arguments, **options) -> bytes:
    from workbench.convert import picture  # needs the extra, whose absence is a skip and no error

    return picture.page_picture(*arguments, **options)


def hit(place: Path, query: str):
    corpus = Corpus.read(place)
    [found] = corpus.view(MECHANIC).search(query)
    assert resolve_citation(MECHANIC, found, corpus).ok
    return found


def test_a_citation_of_a_pdf_names_page_boxes_and_cells(imported: Path) -> None:
    found = place_of(imported, hit(imported, "M10 42"))
    assert (found.kind, found.pages) == ("pdf", (1,))
    assert Cell(1, 3, 2) in found.cells
    assert Cell(1, 1, 2) in found.cells
    assert repr(found).endswith(", page 1)")
    assert source_bytes(imported, found) == pdf_made.sound()
    part = {**hit(imported, "M10 42").citation().mapping(), "cut": "Words(1)"}
    at = part["start"] + part["quote"].index("42")
    part |= {"start": at, "end": at + 2, "quote": "42"}
    value = place_of(imported, part)
    assert value.cells == (Cell(1, 3, 2),)
    [box] = value.boxes
    assert box.x0 == pytest.approx(184, abs=0.1)


def test_a_citation_of_html_names_element_id_and_line(imported: Path) -> None:
    found = place_of(imported, hit(imported, "Notruf"))
    assert found.elements == (("/p[1]", "ruf", 1),)
    assert found.boxes == ()


def test_a_citation_of_text_names_its_lines(imported: Path) -> None:
    found = place_of(imported, hit(imported, "Gleitringdichtung"))
    assert found.lines == (Line(3, 0, 13), Line(4, 0, 16))


def test_s0_s_citation_without_offsets_opens_too(imported: Path) -> None:
    whole = hit(imported, "Gleitringdichtung").citation().mapping()
    short = {name: whole[name] for name in ("document_id", "version", "content_sha256", "paragraph", "quote")}
    assert place_of(imported, short) == place_of(imported, whole)


def test_what_is_no_citation_of_the_imported_text_opens_nothing(imported: Path) -> None:
    good = hit(imported, "Gleitringdichtung").citation().mapping()
    for change in (
        {"content_sha256": "0" * 64},
        {"quote": "anderes"},
        {"start": 0, "end": 3},
        {"start": -5},
        {"start": None, "paragraph": 99},
        {"start": None, "cut": "Words(3)"},
        {"document_id": 3},
    ):
        with pytest.raises(EvidenceError):
            place_of(imported, {**good, **change})
    with pytest.raises(InputError, match="no provenance"):
        place_of(imported, {**good, "document_id": "fehlt"})
    with pytest.raises(InputError, match="no provenance"):
        place_of(imported / "texts", good)
    (imported / "texts" / "notiz.txt").write_text("anders", encoding="utf-8")
    with pytest.raises(EvidenceError, match="changed"):
        place_of(imported, good)


def test_the_picture_shows_the_quote_marked_and_nothing_else(imported: Path) -> None:
    marked = place_of(imported, hit(imported, "M10 42"))
    picture = pixels(page_picture(imported, marked, scale=1))
    plain = pixels(page_picture(imported, type(marked)(**{**fields(marked), "boxes": (Box(1, 0, 0, 0, 0),)}), scale=1))
    assert len(picture) == len(plain) == 842
    changed = {(x, 842 - y) for y in range(842) for x in range(595) if picture[y][x] != plain[y][x]}
    changed = {(x, y) for x, y in changed if (x, y) != min(changed)}  # the empty box's own pixel
    assert changed
    assert all(any(b.x0 - 2 <= x <= b.x1 + 2 and b.y0 - 3 <= y <= b.y1 + 3 for b in marked.boxes) for x, y in changed)
    for b in marked.boxes:
        inside = [row[round(b.x0) : round(b.x1)] for row in picture[round(842 - b.y1) : round(842 - b.y0)]]
        assert sum(colour == (255, 214, 0) for row in inside for colour in row) > 20


def fields(value: object) -> dict[str, object]:
    return {name: getattr(value, name) for name in type(value).__slots__}


def pixels(png: bytes) -> list[list[tuple[int, ...]]]:
    import zlib

    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width = int.from_bytes(png[16:20])
    start = png.index(b"IDAT") + 4
    raw = zlib.decompress(png[start : png.index(b"IEND") - 8])
    step = 1 + 3 * width
    return [[tuple(raw[r + 1 + 3 * x : r + 4 + 3 * x]) for x in range(width)] for r in range(0, len(raw), step)]


def test_no_picture_without_page_or_of_another_source(imported: Path) -> None:
    with pytest.raises(InputError, match="needs a PDF"):
        page_picture(imported, place_of(imported, hit(imported, "Notruf")))
    cited = place_of(imported, hit(imported, "M10 42"))
    with pytest.raises(InputError, match="this page"):
        page_picture(imported, cited, page=2)
    with pytest.raises(InputError, match="too large"):
        page_picture(imported, cited, scale=100)
    (imported / cited.source).write_bytes(b"%PDF-1.7 anders")
    with pytest.raises(InputError, match="has changed"):
        page_picture(imported, cited)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("geheim", encoding="utf-8")
    folder = tmp_path / "manuals"
    folder.mkdir()
    (folder / "a.txt").write_text("offen", encoding="utf-8")
    assert len(entries([folder], tenant="t", groups={"g"}, version="1")) == 1
    (folder / "b.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(InputError, match="leads out of the folder"):
        entries([folder], tenant="t", groups={"g"}, version="1")
