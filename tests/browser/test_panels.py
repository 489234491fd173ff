"""The panels under a user's hand: what stands there after a move is what the plain function gives for it."""

import re
from pathlib import Path

import polars as pl
from playwright.sync_api import Locator, Page, expect

import workbench as wb
from tests.browser.desk import Lab, drag, portrait, press, run, shows
from workbench.evidence.cuts import Cut
from workbench.show.tables_tuning import side_by_side
from workbench.show.tables_why_not import why_not
from workbench.show.widgets_tuner import cut_of, measures_at
from workbench.study.sweep import sweep

DATA = Path(__file__).resolve().parents[2] / "data"
SEAL = wb.Scope("pump-seal", "seal-torque", "C2", "EU")
MECHANIC = wb.Actor("werk-nord", {"wartung"})
READER = wb.Actor("grauwede", {"wartung"})
FEW = 12

START = """
import workbench as wb
seal = wb.Scope("pump-seal", "seal-torque", "C2", "EU")
mechanic, reader = wb.Actor("werk-nord", {"wartung"}), wb.Actor("grauwede", {"wartung"})
"""
SLIDER = START + 'wb.widgets.validity_slider(wb.Register.read("../data/pump-seal"), seal, actor=mechanic, at=4)'
VALIDITY = (
    START + 'wb.widgets.validity(wb.Register.read("../data/pump-seal-corrected"), actor=mechanic, scope=seal, at=6)'
)
SEARCH = START + (
    'corpus, register = wb.Corpus.read("../data/pumps"), wb.Register.read("../data/pump-seal")\n'
    "wb.widgets.search(corpus, actor=mechanic, register=register, scope=seal, at=6)"
)
TUNER = START + (
    'corpus, register = wb.Corpus.read("../data/handbooks"), wb.Register.read("../data/handbooks-register")\n'
    'asked = [q for q in wb.read_questions("../data/questions.jsonl") if "keyword" in q.tags]\n'
    f"wb.widgets.tuner(corpus, asked[:{FEW}], actor=reader, register=register)"
)


def test_the_slider_s_decision_is_the_plain_function_s(lab: Lab, page: Page, pictures: Path) -> None:
    register = wb.Register.read(DATA / "pump-seal")
    run(page, lab.url(lab.write("slider.ipynb", SLIDER)))
    shown = page.locator(".wb-decision .widget-html-content")

    def resolved(at: int) -> str:
        return register.resolve(wb.Request(SEAL, at=at), MECHANIC)._repr_html_()

    assert len({resolved(at) for at in (4, 6, 10)}) == 3
    shows(shown, resolved(4))
    press(page, "wb-asof", "ArrowRight", 2)
    shows(shown, resolved(6))
    press(page, "wb-asof", "ArrowLeft")
    shows(shown, resolved(5))
    last = max(wb.widgets.validity_slider(register, SEAL, actor=MECHANIC).children[0].options, key=lambda one: one[1])
    drag(page, "wb-asof", 1.0)
    shows(shown, resolved(last[1]))
    portrait(page, ".wb-slider", pictures / "desk_slider.png")


def card_of(page: Page) -> Locator:
    return page.locator(".wb-validity-decision table.workbench-card")


def test_the_validity_panel_follows_both_sliders(lab: Lab, page: Page, pictures: Path) -> None:
    register = wb.Register.read(DATA / "pump-seal-corrected")
    run(page, lab.url(lab.write("validity.ipynb", VALIDITY)))

    def agrees(at: int, known_at: int | None) -> None:
        request = wb.Request(SEAL, at=at, known_at=known_at)
        decision = register.resolve(request, MECHANIC)
        shows(card_of(page), decision._repr_html_())
        rows = why_not(register, SEAL, actor=MECHANIC, at=at, known_at=known_at)
        expect(page.locator(".wb-validity-why tbody th")).to_have_text(rows["revision_id"].to_list())
        said = re.compile(f"{re.escape(repr(decision))}$")
        expect(page.locator(".wb-validity-timeline img")).to_have_attribute("alt", said)

    agrees(6, None)
    press(page, "wb-validity-asof", "ArrowRight", 4)
    agrees(10, None)
    press(page, "wb-validity-asof", "ArrowLeft", 4)
    agrees(6, None)
    drag(page, "wb-validity-known", 0.0)
    first = wb.widgets.validity(register, actor=MECHANIC, scope=SEAL).known.options[0][1]
    agrees(6, first)
    press(page, "wb-validity-known", "End")
    agrees(6, None)
    drag(page, "wb-validity-asof", 0.0)
    agrees(wb.widgets.validity(register, actor=MECHANIC, scope=SEAL, at=6).as_of.options[0][1], None)
    press(page, "wb-validity-asof", "ArrowRight", 7)
    agrees(6, None)
    portrait(page, ".wb-validity", pictures / "desk_validity.png")


def test_the_search_panel_answers_as_the_plain_functions_do(lab: Lab, page: Page, pictures: Path) -> None:
    corpus, register = wb.Corpus.read(DATA / "pumps"), wb.Register.read(DATA / "pump-seal")
    run(page, lab.url(lab.write("search.ipynb", SEARCH)))

    def agrees(query: str, at: int) -> None:
        decision = register.resolve(wb.Request(SEAL, at=at), MECHANIC)
        shows(page.locator(".wb-search-decision table.workbench-card"), decision._repr_html_())
        hits = corpus.view(MECHANIC, decision).search(query, limit=3)
        assert hits
        quotes = page.locator(".wb-search-quote")
        expect(quotes).to_have_count(len(hits))
        for shown, hit in zip(quotes.all(), hits, strict=True):
            expect(shown).to_contain_text(" ".join(hit.quote.split()))

    page.locator(".wb-search-query input").fill("Anzugsmoment")
    page.locator(".wb-search-query input").press("Enter")
    agrees("Anzugsmoment", 6)
    page.locator(".wb-search-verify").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".wb-search-verdict")).to_contain_text("ok")
    portrait(page, ".wb-search", pictures / "desk_search.png")
    page.locator(".wb-search-at input").fill("12")
    page.locator(".wb-search-at input").press("Enter")
    agrees("Anzugsmoment", 12)
    page.locator(".wb-search-configuration select").select_option("— choose —")
    expect(page.locator(".wb-search-decision")).to_contain_text("MISSING_SCOPE")
    expect(page.locator(".wb-search-quote")).to_have_count(0)


def figure(value: object) -> str:
    return (
        f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else "none" if value is None else str(value)
    )


def cells(frame: pl.DataFrame) -> list[str]:
    return [figure(value) for row in frame.iter_rows() for value in row]


def test_the_tuner_s_figures_are_those_of_a_sweep(lab: Lab, page: Page, pictures: Path) -> None:
    corpus, register = wb.Corpus.read(DATA / "handbooks"), wb.Register.read(DATA / "handbooks-register")
    asked = [question for question in wb.read_questions(DATA / "questions.jsonl") if "keyword" in question.tags][:FEW]
    run(page, lab.url(lab.write("tuner.ipynb", TUNER)))

    def agrees(before: Cut, now: Cut, depth: int) -> None:
        rows = sweep(
            corpus,
            asked,
            actor=READER,
            register=register,
            cuts=list(dict.fromkeys([before, now])),
            measures=measures_at(depth),
            depth=depth,
            match="any",
        )
        frame = side_by_side(rows, repr(now), repr(before), depth=depth)
        expect(page.locator(".wb-tuner-numbers tbody :is(th, td)")).to_have_text(cells(frame))
        said = re.compile(rf"^Recall\({depth}\).*{re.escape(repr(now))}")
        expect(page.locator(".wb-tuner-curve img")).to_have_attribute("alt", said)
        expect(page.locator(".wb-tuner-status [aria-busy]")).to_have_count(0)

    words = [cut_of("words", size, 0) for size in (16, 32, 64, 128, 256, 512)]
    agrees(words[2], words[2], 5)
    press(page, "wb-tuner-size", "ArrowRight")
    agrees(words[2], words[3], 5)
    portrait(page, ".wb-tuner", pictures / "desk_tuner.png")
    drag(page, "wb-tuner-size", 0.0)
    agrees(words[3], words[0], 5)
    press(page, "wb-tuner-share", "ArrowRight")
    agrees(words[0], cut_of("words", 16, 10), 5)
    drag(page, "wb-tuner-share", 1.0)
    agrees(cut_of("words", 16, 10), cut_of("words", 16, 50), 5)
    press(page, "wb-tuner-depth", "ArrowRight")
    agrees(cut_of("words", 16, 10), cut_of("words", 16, 50), 10)
    drag(page, "wb-tuner-depth", 0.0)
    agrees(cut_of("words", 16, 10), cut_of("words", 16, 50), 1)
    press(page, "wb-tuner-kind", "ArrowRight")
    agrees(cut_of("words", 16, 50), cut_of("sentences", 5, 50), 1)
    drag(page, "wb-tuner-kind", 1.0)
    agrees(cut_of("sentences", 5, 50), cut_of("paragraphs", 64, 0), 1)
