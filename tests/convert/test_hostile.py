"""Hostile files: hundreds of variants of valid ones. Each is refused by name within the limits, or read as what it is.

A fixed seed makes the variants, so that a run means the same on every machine. A change that leaves a file whole (a bit
in a comment, in a font's name) may be read; then its text must be well formed and its places must lie in it.
"""

import random
import zlib
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.convert import pdf_made
from tests.convert.pdf_made import Pdf, line
from workbench.convert.files import convert
from workbench.convert.folder import Entry, import_files
from workbench.convert.limits import Limits
from workbench.convert.places import Converted
from workbench.convert.refusals import REMEDIES, Refused

LIMITS = Limits(
    source=2_000_000,
    unpacked=20_000_000,
    pages=50,
    objects=5_000,
    depth=100,
    characters=200_000,
    cells=20_000,
    seconds=30,
    memory=1_500_000_000,
)
HTML = (
    "<!DOCTYPE html><html><head><meta charset=utf-8><title>x</title></head><body><main><h1>Anziehen</h1><p>Zwei "
    "Personen prüfen.</p><table><tr><th>Gewinde<th>Nm<tr><td rowspan=2>M8<td>21<tr><td>22</table><ul><li>a<li>b</ul>"
).encode()


def plain_pdf() -> bytes:
    """A page whose drawing commands are not packed, so that a change in them is a change of the page."""
    content = b"".join(line(60, 780 - 14 * n, text) for n, text in enumerate(pdf_made.SENTENCES))
    return Pdf([content + pdf_made.ruled_table(60, 650, pdf_made.TABLE)], compressed=False).made()


# What a parser may be fed: each turns a valid file into one that no program writes.


def flipped(raw: bytes, rng: random.Random) -> bytes:
    made = bytearray(raw)
    for _ in range(rng.choice([1, 4, 30, 200])):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


def cut(raw: bytes, rng: random.Random) -> bytes:
    return raw[: rng.randrange(len(raw))]


def holed(raw: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(raw))
    return raw[:at] + raw[at + rng.randrange(1, 400) :]


def doubled(raw: bytes, rng: random.Random) -> bytes:
    a, b = sorted(rng.randrange(len(raw)) for _ in range(2))
    return raw[:b] + raw[a:b] * rng.choice([1, 3, 20]) + raw[b:]


def numbers(raw: bytes, rng: random.Random) -> bytes:
    """Other numbers where numbers stand: sizes, counts, places, references to nothing or to oneself."""
    import re

    places = list(re.finditer(rb"\d+", raw))
    made = bytearray(raw)
    for found in sorted(rng.sample(places, min(len(places), rng.choice([1, 3, 10]))), key=lambda m: -m.start()):
        value = rng.choice([b"0", b"-1", b"1", b"2", b"3", b"65536", b"2147483647", b"4294967296", b"9" * 30])
        made[found.start() : found.end()] = value
    return bytes(made)


def names(raw: bytes, rng: random.Random) -> bytes:
    """Keys and tags exchanged for each other."""
    import re

    words = list(re.finditer(rb"/[A-Z][A-Za-z]+|</?[a-z0-9]+", raw))
    made = bytearray(raw)
    for found in sorted(rng.sample(words, min(len(words), rng.choice([1, 2, 8]))), key=lambda m: -m.start()):
        made[found.start() : found.end()] = rng.choice(words)[0]
    return bytes(made)


def noise(raw: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(raw))
    return raw[:at] + rng.randbytes(rng.randrange(1, 2_000)) + raw[at:]


def nested(raw: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(raw))
    deep = rng.choice([50, 500, 20_000])
    opened = rng.choice([b"[", b"<<", b"(", b"<div>", b"<table><tr><td>", b"<!--", b"<![CDATA[", b"&", b"q\n", b"<"])
    return raw[:at] + opened * deep + raw[at:]


def ended(raw: bytes, rng: random.Random) -> bytes:
    return raw + rng.choice([raw, b"\0" * 5_000, rng.randbytes(3_000), b"%%EOF\n" * 10])


HOSTILE = [flipped, cut, holed, doubled, numbers, names, noise, nested, ended]
SEEDS = range(7)


def held(data: bytes, keys: bytes) -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), keys, data)


def bombs() -> dict[str, tuple[str, bytes]]:
    """Files made to use up memory or time, or to lead somewhere else."""
    packed = zlib.compress(b"q " * 50_000_000, 9)
    twice = zlib.compress(packed, 9)
    loop = b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>"
    text = Pdf([line(60, 700, s) for s in pdf_made.SENTENCES])
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>"
    selves = Pdf([b"/X Do " * 50 + line(60, 700, pdf_made.SENTENCES[0])], resources=b"/XObject << /X 6 0 R >>")
    selves.more = [pdf_made.stream(b"/X Do " * 50, form % 6)]
    first = line(60, 700, pdf_made.SENTENCES[0])
    boxes = b"".join(b"%d %d 3 3 re S\n" % (n % 500, n // 500) for n in range(200_000))
    laughs = b'<!DOCTYPE a [<!ENTITY a "' + b"&b;" * 1_000 + b'"><!ENTITY b "' + b"x" * 1_000 + b'">]><p>&a;'
    cmap = b"/CIDInit /ProcSet findresource begin\n" + b"1 beginbfrange <0000> <ffff> <0041> endbfrange\n" * 2_000
    font = pdf_made.HELVETICA.replace(b">>", b"/ToUnicode 6 0 R >>")
    actions = b"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>"
    return {
        "unpacks to 100 MB": (
            "pdf",
            Pdf([b""], more=[held(packed, b"/Filter /FlateDecode")]).made(),
        ),
        "unpacks twice": (
            "pdf",
            Pdf(
                [b""],
                more=[held(twice, b"/Filter [/FlateDecode /FlateDecode]")],
            ).made(),
        ),
        "pages that hold themselves": ("pdf", pdf_made.assembled([b"<< /Type /Catalog /Pages 2 0 R >>", loop])),
        "drawings that hold themselves": ("pdf", selves.made()),
        "a page of a kilometre": ("pdf", Pdf([line(60, 700, "x" * 50)], page_keys=b"/MediaBox [0 0 1e9 1e9]").made()),
        "numbers without end": ("pdf", Pdf([b"9" * 1_000_000 + b" 0 m\n" + b"1e999 0 l S\n"]).made()),
        "a million lines": ("pdf", Pdf([b"1 1 m 2 2 l S\n" * 300_000]).made()),
        "a million boxes": ("pdf", Pdf([boxes]).made()),
        "a font of many letters": ("pdf", Pdf([first], fonts={"F1": font}, more=[pdf_made.stream(cmap)]).made()),
        "a letter on a letter": ("pdf", Pdf([line(60, 700, "Dichtung ") * 30_000]).made()),
        "something to run": ("pdf", text.made().replace(b"<< /Type /Catalog /Pages 2 0 R >>", actions)),
        "an outside file": (
            "pdf",
            Pdf([b"/X Do"], more=[held(b"", b"/F (/etc/passwd) /FFilter /FlateDecode")]).made(),
        ),
        "another file's head": ("pdf", b"PK\x03\x04" + plain_pdf()),
        "deep page": ("html", b"<div>" * 500_000),
        "deep table": ("html", b"<table><tr><td>" * 100_000),
        "open comment": ("html", b"<!--" * 400_000),
        "open marks": ("html", b"<" * 500_000),
        "open references": ("html", b"&" * 500_000 + b"&#" * 100_000),
        "wide table": ("html", b"<table>" + b"<tr><td colspan=1000 rowspan=1000>x" * 5_000),
        "many attributes": ("html", b"<p " + b"a=b " * 400_000 + b">x"),
        "a billion laughs": ("html", laughs),
        "an outside entity": ("html", b'<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>x&a;y'),
    }


def read(raw: bytes, kind: str) -> Converted | str:
    """What became of it: a sound conversion, or the name of the refusal; anything else fails the test."""
    try:
        made = convert(raw, kind, limits=LIMITS)
    except Refused as error:
        refused = error
    else:
        return sound(made)
    assert refused.refusal.code in REMEDIES
    assert "\n" not in str(refused)
    return refused.refusal.code


def sound(made: Converted) -> Converted:
    """The conversion, whose text and places hold together."""
    made.text.encode("utf-8")
    assert 0 < len(made.text) <= LIMITS.characters
    assert all(0 <= r.start < r.end <= len(made.text) for r in made.ranges)
    assert "root:" not in made.text
    return made


@cache
def packed_text() -> str:
    return convert(pdf_made.sound(), "pdf").text


@pytest.mark.parametrize("change", HOSTILE, ids=lambda change: change.__name__)
@pytest.mark.parametrize("source", ["packed", "plain", "html"])
def test_variants_of_valid_files(source: str, change) -> None:
    raw = {"packed": pdf_made.sound, "plain": plain_pdf, "html": lambda: HTML}[source]()
    kind = "html" if source == "html" else "pdf"
    for seed in SEEDS:
        hostile = change(raw, random.Random(f"{source} {change.__name__} {seed}"))
        found = read(hostile, kind)
        assert found not in ("too_slow", "crashed"), (seed, found)
        if source == "packed" and isinstance(found, Converted):
            # What a packed page says is proven by its checksum: it is the page as it was, or a refusal.
            assert found.text == packed_text(), (seed, found.text)


@pytest.mark.parametrize("name", bombs())
def test_bombs_and_traps(name: str, tmp_path: Path) -> None:
    kind, raw = bombs()[name]
    source = tmp_path / f"falle.{kind}"
    source.write_bytes(raw)
    limits = replace(LIMITS, seconds=5)
    outcome = import_files([Entry(source, "falle", "t", frozenset({"g"}), "1")], tmp_path / "corpus", limits=limits)
    for one in outcome.documents:
        sound(one.made)
    for _, refusal in outcome.refused:
        assert refusal.code in REMEDIES
        assert refusal.code != "crashed"
    assert outcome.written == bool(outcome.documents)
    assert {p.name for p in tmp_path.iterdir()} <= {source.name, "corpus"}


def test_there_are_at_least_200_of_them() -> None:
    assert 3 * len(HOSTILE) * len(SEEDS) + len(bombs()) >= 200


def test_the_fuzzer_does_break_files() -> None:
    """Most variants of a packed PDF are refused; were they not, the checks before reading it were gone."""
    raw = pdf_made.sound()
    seen: Counter[str] = Counter()
    for change in (cut, holed, noise):
        for seed in range(4):
            found = read(change(raw, random.Random(f"{change.__name__} {seed}")), "pdf")
            seen["read" if isinstance(found, Converted) else found] += 1
    assert seen["damaged"] >= 10, seen


def test_a_reader_that_dies_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.convert import files

    monkeypatch.setattr(files.sys, "executable", "/bin/false")
    with pytest.raises(Refused) as caught:
        convert(HTML, "html")
    assert caught.value.refusal.code == "crashed"


def test_memory_is_bounded() -> None:
    with pytest.raises(Refused) as caught:
        convert(b"<p>" + b"x" * 30_000_000, "html", limits=Limits(memory=300_000_000))
    assert caught.value.refusal.code in ("bomb", "crashed")
