"""A citation opens its source: the right page, lines or element, marked; to whoever may read it; never another file."""

import base64
import html
import importlib.util
import json
import re
import sys
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import workbench as wb
from tests.convert import pdf_made
from workbench.contract import Actor, Document
from workbench.convert.folder import entries, import_files
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Words
from workbench.intervals import Interval
from workbench.pipeline.manifest import cite
from workbench.show.source import NOTHING, source_html

WHOSE = {"tenant": "werk-nord", "groups": {"wartung"}, "version": "2", "language": "de"}
MECHANIC = Actor("werk-nord", {"wartung"})
CLERK = Actor("werk-nord", {"buero"})
needs_pdf = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pdfplumber", "pypdfium2")), reason="extra convert absent"
)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A corpus of HTML, Markdown and text."""
    place = tmp_path / "quellen"
    place.mkdir()
    (place / "seite.html").write_text(
        "<h1>Halle</h1>\n<p id='ruf\"1'>Der Notruf h&auml;ngt aus &lt;b&gt;.</p>\n<p>Zwei Tore.</p>", encoding="utf-8"
    )
    (place / "liste.md").write_text("# Liste\n\nErst pumpen,\ndann messen.\n\nZuletzt melden.\n", encoding="utf-8")
    (place / 'a"b.txt').write_text("Eins.\n\nDie Gleitring-\ndichtung <script>tropft</script>.", encoding="utf-8")
    import_files(entries([place], **WHOSE), tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A corpus of one PDF."""
    source = tmp_path / "Anziehen.pdf"
    source.write_bytes(pdf_made.sound())
    import_files(entries([source], **WHOSE), tmp_path / "pdf")
    return tmp_path / "pdf"


def hit(corpus: Corpus, query: str, cut: object = None):
    view = corpus.view(MECHANIC)
    [found] = (view if cut is None else view.cut(cut)).search(query)
    return found


def words(fragment: str) -> str:
    """What a reader sees."""
    return html.unescape(re.sub(r"<[^>]+>", "\n", re.sub(r"<img[^>]*>", "", fragment)))


def marked(fragment: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r"<mark[^>]*>(.*?)</mark>", fragment, re.DOTALL)]


def picture(fragment: str) -> list[list[tuple[int, ...]]]:
    png = base64.b64decode(re.search(r'src="data:image/png;base64,([^"]+)"', fragment)[1])
    width, start = int.from_bytes(png[16:20]), png.index(b"IDAT") + 4
    raw = zlib.decompress(png[start : png.index(b"IEND") - 8])
    step = 1 + 3 * width
    return [[tuple(raw[r + 1 + 3 * x : r + 4 + 3 * x]) for x in range(width)] for r in range(0, len(raw), step)]


class Tags(HTMLParser):
    """What the fragment is made of, and whether every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def harmless(fragment: str) -> str:
    tags = Tags()
    tags.feed(fragment)
    tags.close()
    assert tags.open == []
    assert {tag for tag, _ in tags.found} <= {"div", "p", "strong", "mark", "figure", "img", "figcaption"}
    for _, attributes in tags.found:
        assert set(attributes) <= {"class", "style", "src", "alt"}
        assert attributes.get("src", "data:image/png;base64,").startswith("data:image/png;base64,")
    assert len(fragment) < 5_000_000
    return fragment


# --- places -------------------------------------------------------------------------------------------------------


@needs_pdf
def test_a_value_of_a_pdf_opens_its_page_table_row_and_column(pages: Path) -> None:
    corpus = Corpus.read(pages)
    row = hit(corpus, "M10 42")
    shown = harmless(source_html(corpus, row))
    assert "Anziehen · version 2 · file Anziehen.pdf · page 1 · table 1, row 3, columns 1–3" in words(shown)
    assert 'alt="Page 1 of Anziehen.pdf, marked in yellow: Gewinde: M10 | Moment in Nm: 42' in shown
    value = {**row.citation().mapping(), "cut": "Words(1)"}
    at = row.start + row.quote.index("42")
    [value] = [h for h in corpus.view(MECHANIC).cut(Words(1)).search("42") if h.start == at]
    shown = source_html(corpus, value)
    assert "page 1 · table 1, row 3, column 2\n" in words(shown)
    rows = picture(shown)
    yellow = {(x, y) for y, line in enumerate(rows) for x, colour in enumerate(line) if colour == (255, 214, 0)}
    # The value stands 124 points right of the table's edge at 60, 54 below its top at 650; 1.5 pixels a point.
    assert yellow
    assert all(180 * 1.5 < x < 205 * 1.5 and (842 - 620) * 1.5 < y < (842 - 588) * 1.5 for x, y in yellow)


def test_html_names_element_and_id_and_marks_the_quote_in_its_text(texts: Path) -> None:
    corpus = Corpus.read(texts)
    shown = harmless(source_html(corpus, hit(corpus, "Notruf")))
    assert 'file seite.html · element /p[1], id ruf"1, line 2' in words(shown)
    assert marked(shown) == ["Der Notruf hängt aus <b>."]
    assert re.findall(r'<p style="[^"]*#595959">(.*?)</p>', shown) == ["Halle", "Zwei Tore."]


def test_text_and_markdown_name_their_lines(texts: Path) -> None:
    corpus = Corpus.read(texts)
    shown = harmless(source_html(corpus, hit(corpus, "messen")))
    assert "liste · version 2 · file liste.md · lines 3–4" in words(shown)
    shown = harmless(source_html(corpus, hit(corpus, "Gleitringdichtung")))
    assert 'file a"b.txt · lines 3–4' in words(shown)
    assert marked(shown) == ["Die Gleitringdichtung <script>tropft</script>."]


def test_a_part_of_a_paragraph_is_marked_within_it() -> None:
    corpus = Corpus([Document("a", "werk-nord", {"wartung"}, "1", "Eins zwei drei vier.\n\nAnderes steht hier.")])
    shown = harmless(source_html(corpus, hit(corpus, "zwei", Words(2))))
    assert marked(shown) == ["Eins zwei"]
    assert "Eins zwei drei vier." in words(shown).replace("\n", "")
    across = source_html(corpus, hit(corpus, "zwei Anderes", Words(5)))
    assert marked(across) == ["Eins zwei drei vier.", "Anderes"]


def test_a_shipped_corpus_without_sources_shows_its_text() -> None:
    corpus = Corpus.read("data/pumps")
    found = corpus.view(Actor("werk-nord", {"wartung"})).search("Personen")[0]
    shown = harmless(source_html(corpus, found))
    assert marked(shown) == [found.quote]
    assert "wb-source-note" not in shown


def test_s0_s_five_fields_open_too(texts: Path) -> None:
    corpus = Corpus.read(texts)
    found = hit(corpus, "messen")
    whole = found.citation().mapping()
    short = {name: whole[name] for name in ("document_id", "version", "content_sha256", "paragraph", "quote")}
    assert source_html(corpus, short, actor=MECHANIC) == source_html(corpus, found)


# --- who may see it -----------------------------------------------------------------------------------------------


def test_a_citation_needs_an_actor_and_says_nothing_to_others(texts: Path) -> None:
    corpus = Corpus.read(texts)
    found = hit(corpus, "Notruf")
    citation = found.citation()
    with pytest.raises(TypeError, match="actor"):
        source_html(corpus, citation)
    with pytest.raises(TypeError, match="actor"):
        source_html(corpus, citation.mapping())
    with pytest.raises(TypeError, match="actor"):
        source_html(corpus, cite(found))
    assert source_html(corpus, citation, actor=MECHANIC) == source_html(corpus, found)
    gone = {**citation.mapping(), "document_id": "fehlt"}
    wrong = {**citation.mapping(), "quote": "anderes"}
    forged = {**citation.mapping(), "format": "workbench-manifest/1"}
    for given, actor in ((found, CLERK), (citation, CLERK), (gone, MECHANIC), (wrong, MECHANIC), (forged, MECHANIC)):
        assert source_html(corpus, given, actor=actor) == NOTHING
    assert "Notruf" not in NOTHING


def test_a_hit_of_what_has_changed_meanwhile_opens_nothing() -> None:
    corpus = Corpus([Document("a", "werk-nord", {"wartung"}, "1", "Alte Angabe: 42.")])
    found = hit(corpus, "Angabe")
    corpus.replace(Document("a", "werk-nord", {"wartung"}, "2", "Neue Angabe: 43."))
    assert source_html(corpus, found) == NOTHING
    shown = source_html(corpus, found.citation(), actor=MECHANIC)
    assert "historical" in words(shown)
    assert marked(shown) == ["Alte Angabe: 42."]
    corpus.remove("a")
    assert source_html(corpus, found) == source_html(corpus, found.citation(), actor=MECHANIC) == NOTHING


def test_a_manifest_shows_by_whose_authority() -> None:
    corpus = Corpus([Document("a", "werk-nord", {"wartung"}, "1", "Die Angabe.")])
    manifest = cite(hit(corpus, "Angabe"))
    for given in (manifest, manifest.mapping()):
        assert "no authority" in words(harmless(source_html(corpus, given, actor=MECHANIC)))


def test_other_parts_of_a_document_are_no_neighbours() -> None:
    text = "Alt: 40 Nm.\n\nGilt: 42 Nm.\n\nNeu: 44 Nm."
    corpus = Corpus([Document("a", "werk-nord", {"wartung"}, "1", text)])
    whole = hit(corpus, "Gilt")
    part = replace(whole, within=(Interval(13, 25),))
    assert "Alt" in source_html(corpus, whole)
    shown = source_html(corpus, part)
    assert marked(shown) == ["Gilt: 42 Nm."]
    assert "Alt" not in shown
    assert "Neu" not in shown


@needs_pdf
def test_other_parts_of_a_document_are_covered_in_the_picture(pages: Path) -> None:
    corpus = Corpus.read(pages)
    whole = hit(corpus, "Warmlauf")
    part = replace(whole, within=(Interval(whole.start, whole.end),))
    free, covered = picture(source_html(corpus, whole)), picture(source_html(corpus, part))
    assert "covered in grey" in source_html(corpus, part)
    assert "covered in grey" not in source_html(corpus, whole)
    band = slice(round((842 - 752) * 1.5), round((842 - 724) * 1.5))  # the two lines of the paragraph above
    assert any(sum(colour) < 200 for row in free[band] for colour in row)
    assert not any(sum(colour) < 200 for row in covered[band] for colour in row)
    quote = slice(round((842 - 700) * 1.5), round((842 - 688) * 1.5))
    letters = [(y, x) for y in range(quote.start, quote.stop) for x, c in enumerate(free[y]) if sum(c) < 200]
    assert letters
    assert all(covered[y][x] == free[y][x] for y, x in letters)


@needs_pdf
def test_a_drawing_is_covered_where_parts_are(tmp_path: Path) -> None:
    """It has no letters, so nobody knows which part it belongs to: a scanned table of torques would be legible."""
    drawn = b"1 0 0 rg 60 600 200 80 re f 0 g\n"
    body = pdf_made.line(60, 780, pdf_made.SENTENCES[0]) + drawn + pdf_made.line(60, 540, pdf_made.SENTENCES[2])
    (tmp_path / "Bild.pdf").write_bytes(pdf_made.Pdf([body]).made())
    import_files(entries([tmp_path / "Bild.pdf"], **WHOSE), tmp_path / "corpus")
    corpus = Corpus.read(tmp_path / "corpus")
    whole = hit(corpus, "Warmlauf")
    part = replace(whole, within=(Interval(whole.start, whole.end),))
    red = [any((255, 0, 0) in row for row in picture(source_html(corpus, one))) for one in (whole, part)]
    assert red == [True, False]


@needs_pdf
def test_a_note_over_the_page_is_not_drawn_where_parts_are_covered(tmp_path: Path) -> None:
    """Nobody knows which part it belongs to."""
    form = pdf_made.stream(b"0 0 1 rg 0 0 200 20 re f\n", b"/Type /XObject /Subtype /Form /BBox [0 0 200 20]")
    body = pdf_made.line(60, 780, pdf_made.SENTENCES[0]) + pdf_made.line(60, 740, pdf_made.SENTENCES[2])
    over = (
        b"/Annots [<< /Type /Annot /Subtype /FreeText /Rect [60 400 260 420] /Contents (45 Nm) /AP << /N 6 0 R >> >>]"
    )
    (tmp_path / "Note.pdf").write_bytes(pdf_made.Pdf([body], page_keys=over, more=[form]).made())
    import_files(entries([tmp_path / "Note.pdf"], **WHOSE), tmp_path / "corpus")
    corpus = Corpus.read(tmp_path / "corpus")
    whole = hit(corpus, "Warmlauf")
    part = replace(whole, within=(Interval(whole.start, whole.end),))
    blue = [any((0, 0, 255) in row for row in picture(source_html(corpus, one))) for one in (whole, part)]
    assert blue == [True, False]


# --- sources that are not what they were ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["texts", pytest.param("pages", marks=needs_pdf)])
def test_a_source_that_is_missing_or_changed_is_said_by_name(kind: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(kind)
    corpus = Corpus.read(folder)
    found = hit(corpus, "Notruf" if kind == "texts" else "Warmlauf")
    [source] = (folder / "sources").glob("seite*" if kind == "texts" else "*.pdf")
    source.write_bytes(b"%PDF-1.7 geheim")
    shown = harmless(source_html(corpus, found))
    assert f"sources/{source.name}: the source has changed since it was imported; this is its text" in words(shown)
    assert marked(shown) == [found.quote]
    assert "geheim" not in shown
    assert "<img" not in shown
    source.unlink()
    shown = harmless(source_html(corpus, found))
    assert f"sources/{source.name}: the file is missing from the corpus folder; this is its text" in words(shown)
    assert marked(shown) == [found.quote]


def forge(folder: Path, change) -> None:
    """Provenance that somebody wrote by hand."""
    path = folder / "provenance.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        change(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("key", ["path", "text"])
@pytest.mark.parametrize(
    "spelling", ["../geheim.txt", "/etc/passwd", "..\\geheim.txt", "C:\\geheim.txt", "link", "a\0b"]
)
def test_no_path_leads_out_of_the_folder(key: str, spelling: str, texts: Path) -> None:
    secret = texts.parent / "geheim.txt"
    secret.write_text("Streng geheim.", encoding="utf-8")
    (texts / "link").symlink_to(secret)
    corpus = Corpus.read(texts)
    found = hit(corpus, "Notruf")
    forge(texts, lambda line: line["source"].__setitem__(key, spelling))
    shown = harmless(source_html(corpus, found))
    assert "leads out of the corpus folder" in words(shown)
    assert marked(shown) == [found.quote]
    assert "Streng geheim" not in shown


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line.pop("ranges"),
        lambda line: line.__setitem__("ranges", [[0, 999, 1]]),
        lambda line: line.__setitem__("ranges", [[0, 999, 77, 1, 2, 3]]),
        lambda line: line.__setitem__("ranges", 7),
        lambda line: line.__setitem__("source", None),
        lambda line: line.__setitem__("cells", [[0, 999]]),
        lambda line: line.__setitem__("tables", [{}]),
        lambda line: line.__setitem__("kind", "pdf"),
        lambda line: line.__setitem__("content_sha256", "0" * 64),
        lambda line: line.__setitem__("document_id", "anderes"),
    ],
)
def test_a_broken_provenance_still_gives_the_text(change, texts: Path) -> None:
    corpus = Corpus.read(texts)
    found = hit(corpus, "Notruf")
    forge(texts, change)
    shown = harmless(source_html(corpus, found))
    assert "wb-source-note" in shown
    assert marked(shown) == [found.quote]


def test_provenance_that_is_no_text_still_gives_the_text(texts: Path) -> None:
    corpus = Corpus.read(texts)
    (texts / "provenance.jsonl").write_bytes(b"\xff\xfe\n")
    shown = harmless(source_html(corpus, hit(corpus, "Notruf")))
    assert "wb-source-note" in shown


@needs_pdf
def test_a_pdf_that_cannot_be_drawn_gives_its_text(pages: Path) -> None:
    import hashlib

    corpus = Corpus.read(pages)
    [source] = (pages / "sources").iterdir()
    source.write_bytes(b"no PDF at all")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    forge(pages, lambda line: line["source"].__setitem__("sha256", digest))
    shown = harmless(source_html(corpus, hit(corpus, "Warmlauf")))
    assert "the page cannot be drawn" in words(shown)
    assert len(marked(shown)) == 1


@needs_pdf
def test_without_the_extra_the_text_is_shown_and_what_to_install(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.read(pages)
    monkeypatch.setitem(sys.modules, "workbench.convert.picture", None)
    shown = harmless(source_html(corpus, hit(corpus, "Warmlauf")))
    assert "pip install 'workbench[convert]'" in words(shown)
    assert "page 1" in words(shown)
    assert len(marked(shown)) == 1


# --- bounds -------------------------------------------------------------------------------------------------------


def test_long_quotes_and_neighbours_are_cut_and_say_so() -> None:
    long = "Wort " * 100_000
    corpus = Corpus([Document("a" * 5000, "werk-nord", {"wartung"}, "1", f"{long}\n\nMitte {long}\n\n{long}")])
    shown = harmless(source_html(corpus, hit(corpus, "Mitte")))
    assert len(shown) < 30_000
    assert re.search(r"… \d+ characters more", shown)


@needs_pdf
def test_a_page_like_a_photograph_is_drawn_smaller(tmp_path: Path) -> None:
    import random

    noise = random.Random(1).randbytes(900 * 1300 * 3)
    picture_object = pdf_made.stream(
        noise, b"/Type /XObject /Subtype /Image /Width 900 /Height 1300 /ColorSpace /DeviceRGB /BitsPerComponent 8"
    )
    content = b"q 595 0 0 842 0 0 cm /I1 Do Q\n" + b"".join(
        pdf_made.line(60, 780 - 20 * n, text) for n, text in enumerate(pdf_made.SENTENCES)
    )
    made = pdf_made.Pdf([content], more=[picture_object], resources=b"/XObject << /I1 6 0 R >>")
    (tmp_path / "Foto.pdf").write_bytes(made.made())
    outcome = import_files(entries([tmp_path / "Foto.pdf"], **WHOSE), tmp_path / "corpus")
    assert outcome.refused == ()
    corpus = Corpus.read(tmp_path / "corpus")
    shown = harmless(source_html(corpus, corpus.view(MECHANIC).search("Warmlauf")[0]))
    assert len(shown) < 2_100_000
    assert 600 < len(picture(shown)) < 700


def test_a_manifest_that_contradicts_itself_is_not_opened(repo: Path) -> None:
    """An altered mode would label a superseded text as current, removed spans would show the other parts."""
    corpus, register = Corpus.read(repo / "data/pumps"), wb.Register.read(repo / "data/pump-seal")
    mechanic = wb.Actor("werk-nord", {"wartung"})
    seal = wb.Scope("pump-seal", procedure="seal-torque", configuration="C2", region="EU")
    decision = register.resolve(wb.Request(seal, at=6), mechanic)
    [found] = corpus.view(mechanic, decision).search("Anzugsmoment")
    manifest = wb.cite(found, decision).mapping()
    shown = source_html(corpus, manifest, actor=mechanic)
    assert "as the manifest says: historical at 6" in words(shown)
    assert marked(shown) == [found.quote]
    for changed, said in (
        ({"mode": "current"}, "context_mismatch"),
        ({"valid_to": "unbounded"}, "context_mismatch"),
        ({"context_id": "0" * 64}, "context_mismatch"),
        ({"within": [[0, 409]]}, "scope_mismatch"),
    ):
        shown = source_html(corpus, {**manifest, **changed}, actor=mechanic)
        assert said in words(shown)
        assert not marked(shown)
