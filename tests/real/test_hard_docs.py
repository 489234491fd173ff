"""The real hard documents: broken text layers refused, sound ones imported whole, tables read as well as by others.

`python -m tests.bench.bench_hard_docs` prints the table behind the last test, with docling-parse where installed.
"""

import csv
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from workbench.convert.files import convert
from workbench.convert.limits import Options
from workbench.convert.places import Box
from workbench.convert.refusals import Refused

# What is wrong with a file's text layer, in the words of the data's manifest, and the names it may be refused by.
BROKEN = {
    "no text layer": {"no_text_layer"},
    "shifted": {"shifted", "unmapped", "readers_disagree"},
    "mirrored": {"mirrored", "turned", "readers_disagree"},
    "without spaces": {"no_spaces"},
    "missing spaces": {"no_spaces"},
    "(cid": {"unmapped"},
}


@pytest.fixture(scope="module")
def folder(real_data: Path) -> Path:
    missing = [name for name in ("pdfplumber", "pypdfium2") if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"extra convert absent ({', '.join(missing)})")
    return real_data / "hard_docs"


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def broken(row: dict[str, str]) -> set[str] | None:
    return next((codes for words, codes in BROKEN.items() if words in row["why"]), None)


def test_every_german_file_with_a_broken_text_layer_is_refused_and_no_other(folder: Path) -> None:
    seen = 0
    for row in rows(folder):
        if row["lang"] != "de":
            continue
        codes = broken(row)
        raw = (folder / row["file"]).read_bytes()
        if codes is None:
            assert convert(raw, "pdf").text, row["file"]
            continue
        seen += 1
        with pytest.raises(Refused) as caught:
            convert(raw, "pdf")
        assert caught.value.refusal.code in codes, (row["file"], caught.value.refusal)
    assert seen >= 3


def test_nothing_on_a_page_is_lost(folder: Path) -> None:
    """Every word stands in the text, or in the list of what was left out."""
    from workbench.convert.limits import Limits
    from workbench.convert.pdf_glyphs import Source

    for row in rows(folder):
        raw = (folder / row["file"]).read_bytes()
        if broken(row):
            continue
        made = convert(raw, "pdf", options=Options(spaces_from_gaps=True))
        boxes: dict[int, list[Box]] = {}
        for r in made.ranges:
            boxes.setdefault(r.place.page, []).append(r.place)
        left_out = " ".join(
            c.found for c in made.changes if c.code in ("PAGE_HEADER", "PAGE_FOOTER", "REPEATED_HEADING")
        )
        with Source(raw, Limits()) as source:
            for number in range(1, len(source) + 1):
                page = source.page(number)
                for word in (*page.words, *(w for part in page.turned for w in part)):
                    box = word.glyphs[0].box
                    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
                    placed = any(b.x0 <= x <= b.x1 and b.y0 <= y <= b.y1 for b in boxes.get(number, []))
                    assert placed or word.text in left_out, (row["file"], number, word.text)


def test_ligatures_that_lost_a_letter_are_made_whole(folder: Path) -> None:
    """us-019's text layer gives ``h`` for a drawn ``Th`` and ``i`` for ``fi``: no reader sees it, its fonts say it."""
    made = convert((folder / "pdf_en" / "us-019.pdf").read_bytes(), "pdf")
    lost = Counter(c.became for c in made.changes if c.code == "LOST_LETTERS")
    assert lost == {"Th": 15, "ff": 8, "fi": 3, "fl": 1}
    for row in rows(folder):
        if row["lang"] == "de" and broken(row) is None:
            raw = (folder / row["file"]).read_bytes()
            assert all(c.code != "LOST_LETTERS" for c in convert(raw, "pdf").changes)


def test_tables_are_read_at_least_as_well_as_by_the_others(folder: Path) -> None:
    from tests.real.hard_docs_measure import measure, report

    found = measure(folder)
    for which in (0, 1):
        means = {name: sum(readers[name][which] for _, _, readers in found) / len(found) for name in found[0][2]}
        others = [value for name, value in means.items() if name != "workbench"]
        assert means["workbench"] >= max(others), report(found)
    assert sum(readers["workbench"][1] for _, _, readers in found) / len(found) > 0.9, report(found)
