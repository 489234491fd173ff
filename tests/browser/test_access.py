"""No serious fault of accessibility, as axe-core sees it, in the panels, the served page and the report.

axe sees what a program can see: names, roles, contrast, structure. That the panels can be worked by the keyboard is
what the other tests in this folder show.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.desk import Lab, press, run
from tests.browser.servers import REPO, started
from workbench.cli import main

GRAVE = {"serious", "critical"}
START = """
import workbench as wb
corpus, register = wb.Corpus.read("../data/pumps"), wb.Register.read("../data/pump-seal-corrected")
seal, mechanic = wb.Scope("pump-seal", "seal-torque", "C2", "EU"), wb.Actor("werk-nord", {"wartung"})
"""
SEARCH = 'wb.widgets.search(corpus, actor=mechanic, register=register, scope=seal, at=6, query="Anzugsmoment")'
VALIDITY = "wb.widgets.validity(register, actor=mechanic, scope=seal, at=6)"
SLIDER = "wb.widgets.validity_slider(register, seal, actor=mechanic, at=4)"
TUNER = """
asked = [q for q in wb.read_questions("../data/questions.jsonl") if "keyword" in q.tags][:12]
wb.widgets.tuner(wb.Corpus.read("../data/handbooks"), asked, actor=wb.Actor("grauwede", {"wartung"}))
"""
RICH = """
decision = register.resolve(wb.Request(seal, at=6), mechanic)
hit = corpus.view(mechanic, decision).search("Anzugsmoment")[0]
manifest = wb.cite(hit, decision)
from IPython.display import HTML, display
display(decision, hit, manifest, wb.verify(manifest, mechanic, corpus, register), register.check(corpus))
HTML(wb.source_html(corpus, manifest, actor=mechanic))
"""


def grave(page: Page, within: str | None = None) -> list[str]:
    """The serious and critical faults in a part of a page, one line each."""
    found: dict[str, Any] = Axe().run(page, context=within).response
    return [
        f"{fault['id']} ({fault['impact']}): {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for fault in found["violations"]
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]


def test_the_panels_have_no_grave_fault(lab: Lab, page: Page) -> None:
    run(page, lab.url(lab.write("access.ipynb", START, SEARCH, VALIDITY, SLIDER, TUNER)))
    for words in ("verify", "open", "place"):
        page.locator(f".wb-search-{words}").first.click()
    expect(page.locator(".wb-search-score").first).not_to_be_empty()
    press(page, "wb-tuner-size", "ArrowRight")
    expect(page.locator(".wb-tuner-changes")).not_to_be_empty()
    for panel in (".wb-search", ".wb-validity", ".wb-slider", ".wb-tuner"):
        assert grave(page, panel) == [], panel


def test_rich_displays_have_no_grave_fault(lab: Lab, page: Page) -> None:
    run(page, lab.url(lab.write("rich.ipynb", START, RICH)))
    assert page.locator(".jp-RenderedHTMLCommon").count() >= 6
    assert grave(page, ".jp-OutputArea-output") == []


@pytest.fixture(scope="module")
def app(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("app")
    data = (str(REPO / "data" / "pumps"), str(REPO / "data" / "pump-seal"))
    actor = ("--tenant=werk-nord", "--groups=wartung", "--port=0")
    with started(place, "app", "search", *data, *actor, package=REPO) as address:
        yield address


def test_the_served_page_has_no_grave_fault(app: str, page: Page) -> None:
    page.goto(app)
    page.locator(".wb-search-at input").fill("6")
    page.locator(".wb-search-at input").press("Enter")
    page.locator(".wb-search-query input").fill("Anzugsmoment")
    page.locator(".wb-search-query input").press("Enter")
    expect(page.locator(".wb-search-quote")).to_have_count(1)
    assert grave(page) == []


def test_the_refusal_has_no_grave_fault(app: str, page: Page) -> None:
    page.goto(app.partition("?")[0])
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert grave(page) == []


@pytest.fixture(scope="module")
def report(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report") / "report.html"
    data = [str(REPO / "data" / name) for name in ("pumps", "pump-seal-corrected")]
    assert main(["report", *data, "--to", str(place)]) == 0
    return place


@pytest.mark.parametrize("width", [1280, 400])
def test_the_report_has_no_grave_fault_and_is_whole_in_itself(
    width: int, report: Path, page: Page, pictures: Path
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": width, "height": 1000})
    page.goto(report.as_uri())
    assert grave(page) == []
    assert [url for url in asked if not url.startswith("data:")] == [report.as_uri()]
    page.screenshot(path=pictures / f"desk_report_{width}.png")


def test_axe_sees_a_fault_where_there_is_one(page: Page) -> None:
    page.set_content(
        '<html lang="en"><title>t</title><main><p style="color:#ccc;background:#fff">pale</p><input></main>'
    )
    assert [fault.split()[0] for fault in grave(page)] == ["color-contrast", "label"]
