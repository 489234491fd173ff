"""A lab and a browser for the tests in this folder: the product's own command, and Debian's Chromium.

The server is one for the whole run. The browser is one for each module: Playwright keeps an event loop running in its
thread for as long as it is open, and tests elsewhere start loops of their own.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.desk import CHROMIUM_OPTIONS, STOP, Lab, Watch, guarded
from tests.browser.servers import EXPOSED, checkout_copy, started

PATIENCE = 30_000  # milliseconds that a busy machine may take for what normally takes one


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots are kept: WORKBENCH_SCREENSHOTS, by default a folder that pytest clears away in time."""
    given = os.environ.get("WORKBENCH_SCREENSHOTS")
    folder = Path(given) if given else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def lab(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """`workbench lab` on a copy of the checkout: nothing that a notebook or a page saves lands in the real one."""
    copy = checkout_copy(tmp_path_factory.mktemp("lab"))
    with started(copy, "lab", "--no-browser", "--port=0", EXPOSED) as address:
        yield Lab(address, copy / "notebooks")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium, headless."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_OPTIONS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, pictures: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page that asks no other host, raises no error and opens no dialog; a test that breaks this fails.

    How it looked at the end is kept as last_TEST.png.
    """
    with guarded(browser, patience=PATIENCE) as (opened, watch):
        yield opened
        opened.screenshot(path=pictures / f"last_{re.sub(r'[^a-z0-9]+', '_', request.node.name.lower())}.png")
        opened.evaluate(STOP)
    assert watch == Watch()
