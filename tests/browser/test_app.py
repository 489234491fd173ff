"""The served apps as a colleague sees them: the panel, no code, no field for who they are, no other host asked."""

import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import workbench as wb
from tests.browser.conftest import PATIENCE
from tests.browser.desk import POLLING, Watch, drag, guarded, portrait, press, shows
from tests.browser.servers import REPO, started

DATA = REPO / "data"
SEAL = wb.Scope("pump-seal", "seal-torque", "C2", "EU")
MECHANIC = wb.Actor("werk-nord", {"wartung"})
ACTOR = ("--tenant=werk-nord", "--groups=wartung", "--port=0")
SECRET = "only-the-proxy-knows-this"
ACTORS = """
[anna]
tenant = "werk-nord"
groups = ["wartung"]
[otto]
tenant = "werk-nord"
groups = ["besuch"]
"""


@pytest.fixture(scope="module")
def validity(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("validity")
    with started(place, "app", "validity", str(DATA / "pump-seal-corrected"), *ACTOR, package=REPO) as address:
        yield address


@pytest.fixture(scope="module")
def search(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("search")
    (place / "actors.toml").write_text(ACTORS, encoding="utf-8")
    (place / "secret").write_text(SECRET)
    options = ("--actor-header=X-Actor", "--actors=actors.toml", "--secret-file=secret", "--port=0")
    data = (str(DATA / "pumps"), str(DATA / "pump-seal"))
    with started(place, "app", "search", *data, *options, package=REPO) as address:
        yield address


def test_a_colleague_reads_off_what_applies(validity: str, page: Page, pictures: Path) -> None:
    register = wb.Register.read(DATA / "pump-seal-corrected")
    page.goto(validity)
    assert "token" not in page.url
    card = page.locator(".wb-validity-decision table.workbench-card")
    options = wb.widgets.validity(register, actor=MECHANIC).as_of.options

    def agrees(at: object) -> None:
        shows(card, register.resolve(wb.Request(SEAL, at=at), MECHANIC)._repr_html_())

    agrees(options[0][1])
    press(page, "wb-validity-asof", "ArrowRight")
    agrees(options[1][1])
    drag(page, "wb-validity-asof", 1.0)
    agrees(options[-1][1])
    expect(page.locator(".wb-validity-timeline img")).to_be_visible()
    portrait(page, "#rendered_cells", pictures / "desk_app.png", height=1000)

    for code in ("app_page", "import ", "Traceback"):
        expect(page.locator("body")).not_to_contain_text(code)
    assert page.locator(".jp-CodeCell .jp-InputArea, .cm-editor, textarea").count() == 0
    for field in ("tenant", "group", "actor"):
        assert page.get_by_label(re.compile(field, re.IGNORECASE)).count() == 0


def alive(base: str, kernel: str) -> bool:
    headers = {"X-Actor": "anna", "X-Workbench-Secret": SECRET}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{base}api/kernels/{kernel}", headers=headers)):
            return True
    except urllib.error.HTTPError as refused:
        refused.close()
        return False


def test_two_visitors_see_each_their_own(search: str, browser: Browser) -> None:
    """At the same time, in one browser with two sessions, as a proxy would send them."""

    def headers(name: str) -> dict[str, str]:
        return {"X-Actor": name, "X-Workbench-Secret": SECRET}

    with (
        guarded(browser, patience=PATIENCE, extra_http_headers=headers("anna")) as (anna, watch),
        guarded(browser, patience=PATIENCE, extra_http_headers=headers("otto")) as (otto, other),
    ):
        anna.goto(search)
        otto.goto(search)
        expect(anna.locator(".wb-search-actor")).to_contain_text("wartung")
        expect(otto.locator(".wb-search-actor")).to_contain_text("besuch")
        for name, known in (("family", "pump-seal"), ("configuration", "C2")):
            expect(anna.locator(f".wb-search-{name} option", has_text=known)).to_have_count(1)
            expect(otto.locator(f".wb-search-{name} option", has_text=known)).to_have_count(0)

        anna.locator(".wb-search-at input").fill("6")
        anna.locator(".wb-search-at input").press("Enter")
        anna.locator(".wb-search-query input").fill("Anzugsmoment")
        anna.locator(".wb-search-query input").press("Enter")
        expect(anna.locator(".wb-search-quote")).to_have_count(1)
        otto.locator(".wb-search-query input").fill("Anzugsmoment")
        otto.locator(".wb-search-query input").press("Enter")
        expect(otto.locator(".wb-search-decision")).to_contain_text("NO ANSWER")
        expect(otto.locator(".wb-search-quote")).to_have_count(0)

        (kernel,) = re.findall(r'"kernelId": ?"([0-9a-f-]{36})"', anna.content())
        assert alive(search, kernel)
        anna.goto("about:blank")  # whoever leaves takes the kernel along
        for _ in range(PATIENCE // POLLING):
            if not alive(search, kernel):
                break
            otto.wait_for_timeout(POLLING)
        assert not alive(search, kernel)
    assert (watch, other) == (Watch(), Watch())


def test_without_the_proxy_there_is_a_refusal_that_says_what_to_do(search: str, page: Page) -> None:
    page.goto(search)
    expect(page.get_by_role("heading", name="This app does not know you")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("wb-search")


def test_what_breaks_later_is_named_on_the_page_and_told_in_the_log_only(tmp_path: Path, page: Page) -> None:
    corpus = tmp_path / "corpus"
    shutil.copytree(DATA / "pumps", corpus)
    with started(tmp_path, "app", "search", str(corpus), *ACTOR, package=REPO) as address:
        shutil.rmtree(corpus)
        page.goto(address)
        said = page.get_by_role("alert")
        expect(said).to_contain_text("This cannot be shown")
        expect(said).to_contain_text("InputError")
        expect(said).to_contain_text("Load the page again")
        for hidden in ("Traceback", str(tmp_path), "documents.csv"):
            assert hidden not in page.content()
    assert "Traceback" in (tmp_path / "app.log").read_text()
