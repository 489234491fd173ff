"""Makes ``data/manuals`` again: shipped handbooks as PDFs like those that come from elsewhere, and their questions.

``python -m tests.convert.manuals [FOLDER]``. Pages have headers and footers, words parted at line ends, tables that go
on over pages, and one manual has two columns. One sheet is shown right but holds a text layer that is one letter off.
The pages are written uncompressed, so that the same texts give the same bytes whatever compresses elsewhere.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.convert.pdf_made import HELVETICA, Pdf, line, rule, stream

REPO = Path(__file__).resolve().parents[2]
TEXTS = REPO / "data" / "handbooks" / "texts"
TITLES = {
    "kr-bwh-r3": "Betriebs- und Wartungshandbuch KR, Revision 3",
    "lagerung-ersatzteile": "Lagerung von Ersatzteilen",
    "prueffeldordnung": "Prüffeldordnung",
    "wn-312-b": "Werknorm WN 312, Ausgabe B",
}
TWO_COLUMNS = {"lagerung-ersatzteile"}
LETTERS_OFF = "montageblatt-7"
HEADING = re.compile(r"\d+(?:\.\d+)* [^.|]{3,80}")
LEFT, RIGHT, TOP, BOTTOM = 60.0, 535.0, 780.0, 70.0
SIZE, STEP, GAP = 10.0, 13.0, 7.0
_HELVETICA = """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584
584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278
278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500
500 334 260 334 584"""
_WIDE = dict(zip(map(chr, range(32, 127)), map(int, _HELVETICA.split()), strict=True))
_WIDE |= {"Ä": 667, "Ö": 778, "Ü": 722, "ß": 611, "„": 333, "“": 333}
BOLD = HELVETICA.replace(b"Helvetica", b"Helvetica-Bold")


def wide(text: str, size: float = SIZE) -> float:
    return sum(_WIDE.get(c, 556) for c in text) * size / 1000


def hyphenated(word: str, room: float) -> tuple[str, str] | None:
    """The longest beginning of a word that has room with a hyphen: at its soft hyphens, else before a lone consonant
    between vowels."""
    plain = word.replace("\u00ad", "")
    if "\u00ad" in word:
        parts = word.split("\u00ad")
        borders = [len("".join(parts[:n])) for n in range(1, len(parts))]
    elif plain[:1].isalpha() and len(plain) >= 9:
        low = plain.lower()
        borders = [m.start() + 1 for m in re.finditer(r"[aeiouäöü][bdfglmnprt](?=[aeiouäöü])", low)]
        borders = [b for b in borders if 3 <= b <= len(plain) - 4 and plain[: b + 2].isalpha()]
    else:
        return None
    fitting = [b for b in borders if wide(plain[:b] + "-") <= room]
    return (plain[: max(fitting)] + "-", plain[max(fitting) :]) if fitting else None


def wrapped(text: str, room: float) -> Iterator[str]:
    """The lines of a paragraph."""
    current, rest = "", text.split()
    while rest:
        word = rest.pop(0)
        plain = word.replace("\u00ad", "")
        joined = f"{current} {plain}" if current else plain
        if wide(joined) <= room:
            current = joined
            continue
        parts = hyphenated(word, room - wide(current + " "))
        if parts is not None:
            yield f"{current} {parts[0]}"
            current = parts[1]
        else:
            yield current
            current = plain
    yield current


@dataclass
class Sheet:
    """Pages under way: where the next line goes, in one column or two."""

    columns: int = 1
    pages: list[list[bytes]] = field(default_factory=lambda: [[]])
    column: int = 0
    y: float = TOP

    @property
    def room(self) -> float:
        return (RIGHT - LEFT - 24 * (self.columns - 1)) / self.columns

    @property
    def x(self) -> float:
        return LEFT + self.column * (self.room + 24)

    def need(self, high: float) -> bool:
        """Go on in the next column or on the next page where there is no room; whether it did."""
        if self.y - high >= BOTTOM:
            return False
        self.y, self.column = TOP, (self.column + 1) % self.columns
        if self.column == 0:
            self.pages.append([])
        return True

    def text(self, text: str, *, size: float = SIZE, font: str = "F1") -> None:
        lines = list(wrapped(text, self.room * SIZE / size))
        for at, one in enumerate(lines):
            self.need(STEP * (2 if font == "F2" or (at == 0 and len(lines) > 1) else 1))
            self.y -= STEP * size / SIZE
            self.pages[-1].append(line(self.x, self.y, one, size=size, font=font))
        self.y -= GAP

    def table(self, rows: list[list[str]]) -> None:
        """A table with all its lines; on the next page its headings stand again."""
        high, across = 17.0, self.room / len(rows[0])
        for at, row in enumerate(rows):
            if self.need(high * (3 if at == 0 else 1)) and at:
                self._row(rows[0], high, across)
            self._row(row, high, across)
        self.y -= GAP + 4

    def _row(self, row: list[str], high: float, across: float) -> None:
        top, low = self.y, self.y - high
        drawn = rule(self.x, top, self.x + self.room, top) + rule(self.x, low, self.x + self.room, low)
        drawn += b"".join(rule(self.x + across * c, top, self.x + across * c, low) for c in range(len(row) + 1))
        for c, text in enumerate(row):
            drawn += line(self.x + across * c + 4, low + 5, text, size=8)
        self.pages[-1].append(drawn)
        self.y = low

    def made(self, title: str) -> bytes:
        count = len(self.pages)
        pages = []
        for number, page in enumerate(self.pages, 1):
            around = line(LEFT, 815, f"Pumpenwerk Grauwede (erfunden) – {title}", size=8)
            around += line(LEFT, 36, f"Seite {number} von {count}", size=8)
            pages.append(around + b"".join(page))
        return Pdf(pages, fonts={"F1": HELVETICA, "F2": BOLD}, compressed=False).made()


def paragraphs(name: str) -> list[str]:
    return (TEXTS / f"{name}.txt").read_bytes().decode("utf-8").split("\n\n")


def manual(name: str) -> bytes:
    sheet = Sheet(columns=2 if name in TWO_COLUMNS else 1)
    table: list[list[str]] = []
    for paragraph in [*paragraphs(name), ""]:
        rows = [one.split(" | ") for one in paragraph.split("\n")]
        if len(rows[0]) > 1:
            table += rows
            continue
        if table:
            sheet.table(table)
            table = []
        if not paragraph.strip():
            continue
        heading = HEADING.fullmatch(paragraph) or paragraph.startswith("Tabelle ")
        sheet.text(paragraph, size=13 if HEADING.fullmatch(paragraph) else SIZE, font="F2" if heading else "F1")
    return sheet.made(TITLES[name])


def letters_off() -> bytes:
    """A sheet whose font draws what is meant, while its text layer says the next letter of the alphabet."""
    names = [
        f"66 {' '.join('/' + chr(c) for c in range(65, 91))}",
        f"98 {' '.join('/' + chr(c) for c in range(97, 123))}",
    ]
    font = HELVETICA.replace(
        b"/Encoding /WinAnsiEncoding",
        b"/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [%s] >> /ToUnicode 6 0 R"
        % " ".join(names).encode(),
    )
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def /CMapName /X def\n"
        b"1 begincodespacerange <00> <ff> endcodespacerange\n"
        b"2 beginbfrange <20> <7f> <0020> <a0> <ff> <00a0> endbfrange\nendcmap end end"
    )
    sheet = Sheet()
    for paragraph in paragraphs("kr-bwh-r3")[5:9]:
        moved = "".join(chr(ord(c) + 1) if c.isascii() and c.isalpha() else c for c in paragraph)
        sheet.text(moved.replace("„", '"').replace("“", '"').replace("–", "-"))
    more = [stream(cmap, compressed=False)]
    return Pdf([b"".join(sheet.pages[0])], fonts={"F1": font}, more=more, compressed=False).made()


def questions(folder: Path) -> Iterator[dict[str, object]]:
    """The handbooks' own questions about these manuals, their gold as code points of what an import makes of them."""
    from workbench.convert.folder import entries, import_files
    from workbench.evidence.corpus import Corpus

    with tempfile.TemporaryDirectory() as place:
        files = [folder / "pdf" / f"{name}.pdf" for name in TITLES]
        given = entries(files, tenant="grauwede", groups={"wartung"}, version="Druck", language="de")
        found = import_files(given, Path(place) / "corpus")
        assert found.refused == ()
        texts = {d.id: d.text for d in Corpus.read(Path(place) / "corpus").documents}
    for written in (REPO / "data" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        asked = json.loads(written)
        gold = [g for g in asked["gold"] if g["document_id"] in texts]
        if not gold or asked["kind"] != "answerable" or asked["holdout"]:
            continue
        spans = []
        for g in gold:
            start, end = again(g["document_id"], g["start"], g["end"], texts[g["document_id"]])
            spans.append({"document_id": g["document_id"], "start": start, "end": end})
        kind = "table" if any("|" in texts[s["document_id"]][s["start"] : s["end"]] for s in spans) else "text"
        yield {
            "question_id": asked["question_id"],
            "question": asked["question"],
            "kind": "answerable",
            "gold": spans,
            "tags": [kind, *(tag for tag in asked["tags"] if tag in ("sentence", "keywords"))],
        }


def again(name: str, start: int, end: int, text: str) -> tuple[int, int]:
    """Where the imported text says what the handbook says there: the same words, or the row of the same table."""
    source = (TEXTS / f"{name}.txt").read_bytes().decode("utf-8")
    quote = source[start:end].replace("\u00ad", "")
    row = quote.split(" | ")
    if len(row) == 1:
        [found] = re.finditer(r"\s+".join(map(re.escape, quote.split())), text)
        return found.span()
    caption = [p for p in source[:start].split("\n\n") if p.startswith("Tabelle ")][-1]
    at, places = 0, []
    for paragraph in text.split("\n\n"):
        values = [part.rpartition(": ")[2] for part in paragraph.split(" | ")]
        if paragraph.startswith(f"{caption} · ") and values == row:
            places.append((at, at + len(paragraph)))
        at += len(paragraph) + 2
    [place] = places
    return place


def main(folder: Path) -> None:
    (folder / "pdf").mkdir(exist_ok=True)
    for name in TITLES:
        (folder / "pdf" / f"{name}.pdf").write_bytes(manual(name))
    (folder / "pdf" / f"{LETTERS_OFF}.pdf").write_bytes(letters_off())
    lines = [json.dumps(question, ensure_ascii=False) + "\n" for question in questions(folder)]
    (folder / "questions.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else REPO / "data" / "manuals")
