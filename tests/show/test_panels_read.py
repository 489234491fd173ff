"""What the panels show can be read by everybody: contrast, words before colours, names of controls, text as text."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import ipywidgets
import pytest

import workbench as wb
from tests.pipeline.seals import Seals, scope
from tests.show import seals
from tests.show.panels import Page, page_of, text_in, widgets_in, words_of
from tests.show.test_rich_display import HOSTILE
from workbench import cards
from workbench.contract import OPERATOR, Decision, Status, Verdict
from workbench.show import widgets_writing as writing
from workbench.show.plots_grammar import contrast
from workbench.show.widgets_status import StatusLine

SHOW = Path(writing.__file__).parent
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b|\brgba?\(")
TAGS = {
    *(
        "article",
        "b",
        "bdi",
        "blockquote",
        "br",
        "caption",
        "code",
        "details",
        "div",
        "em",
        "figcaption",
        "figure",
        "h4",
    ),
    *(
        "img",
        "mark",
        "p",
        "section",
        "span",
        "strong",
        "style",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
    ),
    "tr",
}
ATTRIBUTES = {
    "alt",
    "aria-busy",
    "aria-label",
    "aria-live",
    "class",
    "lang",
    "role",
    "scope",
    "src",
    "style",
    "tabindex",
}
ATTRIBUTES |= {"title"}
LURE = f'{HOSTILE}<button class="wb-search-verify">HOLDS ✔</button> IN FORCE NOW <style>*{{display:none}}</style>'


# --- contrast -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", writing.PAIRS)
def test_every_colour_is_read_on_its_background(name):
    assert contrast(*writing.PAIRS[name]) >= 4.5


@pytest.mark.parametrize("name", writing.BORDERS)
def test_every_border_is_seen_on_the_page_and_on_its_box(name):
    colour = COLOUR.search(writing.BORDERS[name])[0]
    assert contrast(colour, writing.PAIRS["text"][1]) >= 3
    assert contrast(colour, writing.PAIRS[name][1]) >= 3


def test_the_cards_are_read_on_their_background():
    assert contrast(cards.INK, cards.PAPER) >= 4.5


def test_the_states_differ_without_colour():
    assert len({border.split()[1] for name, border in writing.BORDERS.items() if name not in ("text", "old")}) == 6
    assert len(set(writing.STATES.values())) == len(writing.STATES)


def test_no_colour_stands_outside_the_tables():
    """Every module of the panels takes its colours from the pairs that the test above measures."""
    for path in sorted(SHOW.glob("widgets*.py")):
        found = [n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)]
        named = [one for one in found if isinstance(one, str) and COLOUR.search(one)]
        assert path.name == "widgets_writing.py" or not named, path.name


def test_every_colour_in_a_panel_has_its_background_beside_it():
    for panel in panels().values():
        for style in re.findall(r'style=[\'"]([^\'"]*)', text_in(panel)):
            if re.search(r"(?<![-\w])color:", style):
                assert "background:" in style or "wb-source" in text_in(panel), style


# --- hostile texts ------------------------------------------------------------------------------------------------


def hostile_world():
    made = Seals()
    made.add(LURE, f"{LURE}\n\n{LURE}\n\n{LURE} ende", language='de" onclick="alert(1)')
    made.applies(LURE)
    made.settings["stewards"] = ["redaktion"]
    made.settings["name"] = "x"
    return made.corpus, made.register


def opened(panel):
    """Everything that can be opened is open."""
    for box in panel.boxes:
        for button in (box.verify, box.open_source, box.place):
            button.click()
    return panel


def panels():
    corpus, register = hostile_world()
    question = wb.Question(LURE, "anzugsmoment ende", "answerable", (wb.Gold(LURE, (0, len(LURE))),))
    lure = wb.Scope(LURE, LURE, LURE, LURE)
    search = {"actor": seals.MECHANIC, "register": register, "scope": scope(), "at": 1, "query": "anzugsmoment"}
    return {
        "search": opened(wb.widgets.search(corpus, **search)),
        "search without a register": opened(wb.widgets.search(corpus, actor=seals.MECHANIC, query="anzugsmoment")),
        "search in parts": opened(wb.widgets.search(corpus, **search, cut=wb.Words(5))),
        "search for a hostile scope": wb.widgets.search(corpus, **search | {"scope": lure, "query": LURE[:150]}),
        "search at a hostile time": wb.widgets.search(corpus, **search | {"at": LURE}),
        "validity": wb.widgets.validity(register, actor=seals.MECHANIC, scope=scope(), at=1),
        "validity of the record": wb.widgets.validity(register, actor=OPERATOR, scope=scope(), at=1),
        "validity of a hostile scope": wb.widgets.validity(register, actor=seals.MECHANIC, scope=lure, language=LURE),
        "validity of a hostile actor": wb.widgets.validity(register, actor=wb.Actor(LURE.replace("\x00", ""), {LURE})),
        "slider": wb.widgets.validity_slider(register, scope(), actor=OPERATOR, at=1),
        "tuner": wb.widgets.tuner(corpus, [question], actor=seals.MECHANIC),
    }


PANELS = panels()


@pytest.mark.parametrize("name", PANELS)
def test_a_hostile_text_is_text_in_every_panel(name):
    for widget in widgets_in(PANELS[name]):
        if isinstance(widget, ipywidgets.HTML):
            page = page_of(widget)
            assert page.tags <= TAGS, name
            assert page.attributes <= ATTRIBUTES, name
            styles = [tag for tag, _ in page.found if tag == "style"]
            assert len(styles) <= (widget.value == writing.STYLE)
            for _, given in page.found:
                assert not (given.get("src") or "data:image/png;base64,").partition("data:image/png;base64,")[0]
    said = text_in(PANELS[name])
    typed = [widget.value for widget in widgets_in(PANELS[name]) if isinstance(widget, ipywidgets.Text)]
    for own in sorted(typed, key=len, reverse=True):
        said = said.replace(own, "")  # what somebody typed stands in its own box, which shows no markup
    assert not re.search(r"[^\n\t\x20-\x7e\u00a0-\u02ff\u2010-\u2027✂✔…⟨⟩·—“”×]", said), name


@pytest.mark.parametrize("name", ["search", "search without a register", "validity", "tuner"])
def test_it_is_there_to_be_read(name):
    words = "".join(words_of(w) for w in widgets_in(PANELS[name]) if isinstance(w, ipywidgets.HTML))
    words += "".join(str(page_of(w).found) for w in widgets_in(PANELS[name]) if isinstance(w, ipywidgets.HTML))
    assert "<script>alert(1)</script>" in words
    assert "⟨U+202E⟩geheim" in words


def test_a_text_that_looks_like_a_panel_stands_in_the_quote():
    [box, *_] = PANELS["search"].boxes
    quote = re.search(r'<mark class="wb-quote"[^>]*><bdi>(.*?)</bdi></mark>', box.quote.value, re.S)[1]
    assert "&lt;button class=&quot;wb-search-verify&quot;&gt;HOLDS" in quote
    assert 'lang="' not in box.quote.value  # what is no language code is not named as one


def test_a_language_is_named_where_it_is_one():
    panel = wb.widgets.search(
        wb.Corpus.read("data/pumps"),
        actor=seals.MECHANIC,
        register=seals.shipped(),
        scope=seals.SEAL,
        at=6,
        query="Anzugsmoment",
    )
    assert "<blockquote" in panel.boxes[0].quote.value
    assert ' lang="en">' in panel.boxes[0].quote.value


# --- names and roles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PANELS)
def test_every_control_has_a_name_and_none_needs_the_mouse(name):
    controls = (
        ipywidgets.Text,
        ipywidgets.Dropdown,
        ipywidgets.SelectionSlider,
        ipywidgets.Button,
        ipywidgets.Checkbox,
    )
    for widget in widgets_in(PANELS[name]):
        if isinstance(widget, (*controls, ipywidgets.BoundedIntText)):
            assert widget.description.strip(), widget
        else:
            assert isinstance(widget, ipywidgets.HTML | ipywidgets.VBox | ipywidgets.HBox), widget
    buttons = [w.description for w in widgets_in(PANELS[name]) if isinstance(w, ipywidgets.Button)]
    assert len(set(buttons)) == len(buttons)


@pytest.mark.parametrize("name", PANELS)
def test_tables_have_headers_and_pictures_have_words(name):
    for widget in widgets_in(PANELS[name]):
        if isinstance(widget, ipywidgets.HTML):
            for tag, given in page_of(widget).found:
                assert tag != "th" or given.get("scope") in ("col", "row")
                assert tag != "img" or (given.get("alt") or "").strip()


def test_what_changes_is_said():
    line = StatusLine("x")
    line.say("2 passages")
    assert page_of(line).roles == {"status"}
    assert page_of(line).found[0][1]["aria-live"] == "polite"
    with line.working("searching…"):
        assert line.busy
        assert 'aria-busy="true"' in line.value
        line.say("done")
    assert not line.busy
    assert page_of(StatusLine("x")).words == ""


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (replace(seals.shipped().resolve(wb.Request(seals.SEAL, at=6), seals.MECHANIC)), "HISTORICAL · bulletin-B"),
        (seals.shipped().resolve(wb.Request(seals.SEAL), seals.MECHANIC, clock=lambda: 6), "IN FORCE NOW · bulletin-B"),
        (Decision(Status.UNRESOLVED_AUTHORITY, rivals=("a", "b")), "NO ANSWER · UNRESOLVED_AUTHORITY"),
        (Decision(Status.UNAVAILABLE), "NO ANSWER · UNAVAILABLE"),
    ],
)
def test_a_badge_says_its_state_in_words(decision, said):
    assert Page(writing.badge(decision)).words.startswith(said)


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (Verdict(True, authority="register"), "HOLDS"),
        (Verdict(True, historical=True, authority="register"), "HOLDS, but is not shown to apply now"),
        (Verdict(True, authority="none"), "HOLDS, but is not shown to apply now"),
        (Verdict(False, "source_changed"), "FAILS: source_changed"),
    ],
)
def test_a_verdict_says_its_state_in_words(verdict, said):
    assert Page(writing.verdict_box(verdict)).words.startswith(f"{said}Verdict(")
