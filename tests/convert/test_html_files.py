"""HTML: blocks, places, tables with merged cells, what is left out, and what is refused. Nothing is fetched or run."""

import pytest

from workbench.convert.files import convert
from workbench.convert.html_files import convert_html
from workbench.convert.limits import Limits, Options
from workbench.convert.refusals import Refused

PAGE = """<!DOCTYPE html>
<html><head><title>Handbuch</title><meta charset="utf-8"><style>p{color:red}</style></head>
<body>
<header>Werk Grauwede (erfunden)</header>
<nav><ul><li>Start<li>Suche</ul></nav>
<main id="inhalt">
  <header><h1>Betriebs&shy;anleitung</h1></header>
  <section id="moment"><h2>4.2&nbsp;Anziehen</h2>
  <p>Vor dem Wieder&#97;nlauf
     pr&uuml;fen <b>zwei</b> Personen.<br>Immer.
  <p>Zweiter Absatz<!-- nichts --> <span hidden>geheim</span><script>alert("x")</script>
  <ol start="3"><li>Lösen<li value="9"><p>Heben</p></ol>
  <table><caption>Tabelle 2: erfunden</caption>
    <thead><tr><th rowspan=2>Gewinde<th colspan="2">Moment in Nm</tr><tr><th>trocken<th>geölt</tr></thead>
    <tbody><tr><td rowspan="2">M8<td>24<td>21</tr><tr><td colspan=2>25 *</td></tr>
    <tr><th scope="row">M10<td>46<td>42</tbody></table>
  </section>
  <img src="http://example.invalid/x.png" onerror="alert(1)"><iframe src="http://example.invalid/"></iframe>
  <pre>Zeile 1
  Zeile 2</pre>
</main>
<footer>Impressum</footer>
</body></html>
"""


def test_a_page() -> None:
    made = convert(PAGE.encode(), "html")
    assert made.text.split("\n\n") == [
        "Betriebsanleitung",
        "4.2\u00a0Anziehen",
        "Vor dem Wiederanlauf prüfen zwei Personen.\nImmer.",
        "Zweiter Absatz",
        "3. Lösen",
        "9. Heben",
        "Tabelle 2: erfunden",
        "Tabelle 2: erfunden · Gewinde: M8 | Moment in Nm / trocken: 24 | Moment in Nm / geölt: 21",
        "Tabelle 2: erfunden · Gewinde: M8 | Moment in Nm / trocken / geölt: 25 *",
        "Tabelle 2: erfunden · Gewinde: M10 | Moment in Nm / trocken: 46 | Moment in Nm / geölt: 42",
        "Zeile 1\nZeile 2",
    ]
    assert [(c.code, c.found) for c in made.changes] == [
        ("BOILERPLATE", "Werk Grauwede (erfunden)"),
        ("BOILERPLATE", "StartSuche"),
        ("SOFT_HYPHEN", "\u00ad"),
        ("HIDDEN", "geheim"),
        ("BOILERPLATE", "Impressum"),
    ]


def test_what_a_page_hides_is_left_out_and_listed() -> None:
    page = (
        b"<p>Eins.<p style='display:none'>Zwei.<table><tr><td>a<td hidden>b<tr hidden><td>c</table><script>d</script>"
    )
    made = convert(page, "html")
    assert made.text.split("\n\n") == ["Eins.", "a"]
    assert [(c.code, c.found) for c in made.changes] == [("HIDDEN", "Zwei."), ("HIDDEN", "b"), ("HIDDEN", "c")]


def test_raised_numbers_are_listed_with_their_place() -> None:
    made = convert(b"<p>10<sup>-3</sup> m", "html")
    assert [(c.code, c.found, c.became) for c in made.changes] == [("SUPERSCRIPT", "-", "⁻"), ("SUPERSCRIPT", "3", "³")]
    [place] = [r.place for r in made.ranges if r.start <= made.text.index("³") < r.end]
    assert made.elements[place.element][0].endswith("/sup[1]")
    assert place.start <= 11 < place.end


def test_boilerplate_is_kept_where_it_is_asked_for() -> None:
    text = convert(PAGE.encode(), "html", options=Options(boilerplate=True)).text
    assert text.startswith("Werk Grauwede (erfunden)\n\nStart\n\nSuche\n\n")
    assert text.endswith("\n\nImpressum")


def test_every_character_knows_its_element_and_its_place_in_the_file() -> None:
    made = convert(PAGE.encode(), "html")
    lines = PAGE.splitlines()
    for r in made.ranges:
        said, place = made.text[r.start : r.end], r.place
        written = lines[place.line - 1][place.start : place.end]
        assert said.split() == written.split() or "&" in written or said == "\n", (said, written)
    at = made.text.index("42")
    [place] = [r.place for r in made.ranges if r.start <= at < r.end]
    path, near = made.elements[place.element]
    assert path.endswith("/table[1]/tbody[1]/tr[3]/td[2]")
    assert near == "moment"
    [cell] = [c.cell for c in made.cells if c.start <= at < c.end]
    assert (cell.row, cell.column) == (5, 3)


@pytest.mark.parametrize(
    ("page", "paragraphs"),
    [
        ("<p>a<p>b</p></p><div>c", ["a", "b", "c"]),
        ("<b>a</i></b> b</p>", ["a b"]),
        ("<table><tr><td>a<table><tr><td>b</table><td>c</table>", ["a b | c"]),
        ("<table role=presentation><tr><td>a<td>b</table>", ["a", "b"]),
        ("<table><tr><th>x</table>", ["x"]),
        ("<table><tr><th>x<th>y<tr><td>1</table>", ["y", "x: 1"]),
        ("<table><tr><th>x<th>y<tr><td><td>in mm<tr><td>a<td>1</table>", ["x: a | y / in mm: 1"]),
        (
            "<table><tr><td>Teil<td>Nm<tr><td>M8<td>21<tr><td>M9<td>42</table>",
            ["Teil: M8 | Nm: 21", "Teil: M9 | Nm: 42"],
        ),
        ("<table><tr><td>Druck<td>2 bar<tr><td>Menge<td>80</table>", ["Druck | 2 bar", "Menge | 80"]),
        ("<table><tr><td>x<td>y<tr><td>M8<td>neu</table>", ["x | y", "M8 | neu"]),
        ("<p>10<sup>3</sup> Pa, 5 m<sup>2</sup>, 9 min<sup>-1</sup>, H<sub>2</sub>O", ["10³ Pa, 5 m², 9 min⁻¹, H2O"]),
        ("<p>Drehzahl<sup>1</sup>, x<sup>n</sup>, siehe<sup><a>[1]</a></sup>", ["Drehzahl ¹, xn, siehe[1]"]),
        (
            "<table><tr><th>x<th>y<tr><td>M8<td>21<sup>1)</sup><tr><td>M10<td>42</table><p>1) trocken<p>Weiter",
            ["x: M8 | y: 21¹) · 1) trocken", "x: M10 | y: 42", "1) trocken", "Weiter"],
        ),
        (
            "<table><tr><th>x<th>y<tr><td>M8<td>21 *<tr><td>M9<td>7<tfoot><tr><td colspan=2>* trocken</table>",
            ["x: M8 | y: 21 * · * trocken", "x: M9 | y: 7", "* trocken"],
        ),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["a", "b", "c"]),
        ("&lt;b&gt; &amp;amp; &nonsense; &#0; &auml !", ["<b> &amp; &nonsense; \ufffd ä !"]),
        ("<p title='>'>a</p><![CDATA[x]]><?php y ?>", ["a"]),
        ("<dl><dt>Druck<dd>2 bar<dt>Wärme<dd>80 °C</dl>", ["Druck", "2 bar", "Wärme", "80 °C"]),
        ("<article><header>Kopf</header><footer>Fuß</footer></article>", ["Kopf", "Fuß"]),
        ("<div style='display: none'>weg</div><div aria-hidden=true>weg</div>da", ["da"]),
    ],
)
def test_pages_as_they_come(page: str, paragraphs: list[str]) -> None:
    assert convert_html(page.encode(), Limits(), Options()).text.split("\n\n") == paragraphs


@pytest.mark.parametrize(
    ("raw", "limits", "code"),
    [
        (b"<div>" * 1_000 + b"x", Limits(), "too_deep"),
        (b"<p>x" * 1_000, Limits(objects=100), "too_many_objects"),
        (b"<table><tr><td colspan=1000 rowspan=65000>x" + b"<tr><td>" * 2_000, Limits(), "bomb"),
        (b"<p>" + b"x" * 1_000, Limits(characters=100), "too_large"),
        (b"<script>nur das</script>", Limits(), "no_text"),
        ("<p>für".encode("latin-1"), Limits(), "encoding"),
        (b"<meta charset=koi8-r><p>x", Limits(), "encoding"),
        (b"<p>x\0y", Limits(), "unsupported"),
    ],
)
def test_hostile_pages_are_refused_by_name(raw: bytes, limits: Limits, code: str) -> None:
    with pytest.raises(Refused) as caught:
        convert(raw, "html", limits=limits)
    assert caught.value.refusal.code == code


@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1", "utf-8"])
def test_the_declared_encoding_is_read(charset: str) -> None:
    page = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}"><p>Größe'
    assert convert(page.encode(charset), "html").text == "Größe"
