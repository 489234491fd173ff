"""What a test does at the desk: open a notebook, run it, move a slider, read what stands there."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # what is asked for outside is seen and does not leave
]
POLLING = 200  # milliseconds; the default, once for each animation frame, was seen to stall
OWN_SCHEMES = {"data", "blob", "about", "file"}

# What the notebook's model says of its code cells: the count of each, and whether one still runs or has failed.
STATE = """() => {
    const panel = window.jupyterapp.shell.currentWidget;
    const cells = [...panel.content.model.cells].filter(cell => cell.type === 'code');
    const outputs = cells.flatMap(cell => cell.outputs.toJSON());
    return {
        counts: cells.map(cell => cell.executionCount),
        idle: panel.sessionContext.session?.kernel?.status === 'idle',
        errors: outputs.filter(output => output.output_type === 'error').map(output => output.evalue),
        stderr: outputs.filter(output => output.name === 'stderr').map(output => output.text),
        pictures: outputs.filter(output => output.data?.['image/png']).length,
    };
}"""
# Whoever clicks Run before that is asked to select a kernel.
READY = """() => {
    const session = window.jupyterapp.shell.currentWidget?.sessionContext;
    return session?.isReady && session.session?.kernel?.connectionStatus === 'connected';
}"""
DONE = f"""() => {{
    const state = ({STATE})();
    return state.errors.length > 0 || (state.idle && state.counts.every(count => count !== null));
}}"""


@dataclass(frozen=True, slots=True)
class Lab:
    """A running lab: the address that it printed, and the folder that it serves."""

    address: str
    folder: Path

    def url(self, name: str) -> str:
        """Where a notebook of the folder is opened, in a workspace that knows nothing of earlier pages."""
        base, token = self.address.split("/lab/tree/")[0], self.address.partition("token=")[2]
        return f"{base}/lab/tree/{name}?token={token}&reset"

    def write(self, name: str, *cells: str) -> str:
        """A notebook of these cells in the folder."""
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=kernel), self.folder / name)
        return name


@dataclass(slots=True)
class Watch:
    """What a page did that none should do."""

    elsewhere: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in OWN_SCHEMES and parts.hostname != "127.0.0.1":
            self.elsewhere.append(url)


@contextmanager
def guarded(browser: Browser, *, patience: float, **options: Any) -> Iterator[tuple[Page, Watch]]:
    """A page in a context of its own, and what it does that none should do."""
    watch = Watch()
    size = options.pop("viewport", {"width": 1280, "height": 1000})
    context = browser.new_context(viewport=size, **options)
    context.set_default_timeout(patience)
    page = context.new_page()
    context.on("request", lambda request: watch.asked(request.url))
    page.on("websocket", lambda socket: watch.asked(socket.url))
    page.on("pageerror", lambda error: watch.errors.append(str(error)))

    def closed(dialog: Any) -> None:
        if dialog.type != "beforeunload":  # the page's own question about unsaved changes
            watch.dialogs.append(dialog.message)
        dialog.accept()

    page.on("dialog", closed)
    expect.set_options(timeout=patience)
    try:
        yield page, watch
    finally:
        context.close()


# A kernel that nobody looks at any more still takes its memory.
STOP = "async () => { await window.jupyterapp?.serviceManager.sessions.shutdownAll(); }"


def open_notebook(page: Page, url: str) -> None:
    """Open a notebook and wait until its kernel can be asked."""
    page.goto(url)
    expect(page.locator("#jupyterlab-splash")).to_have_count(0)
    expect(page.locator(".jp-NotebookPanel .jp-Notebook-ExecutionIndicator")).to_have_attribute("data-status", "idle")
    page.wait_for_function(READY, polling=POLLING)


def run_all(page: Page) -> dict[str, Any]:
    """Forget the stored outputs, click Run, Run All Cells, and wait; gives the state of the code cells."""
    page.evaluate("() => window.jupyterapp.commands.execute('editmenu:clear-all')")
    page.wait_for_function(f"() => ({STATE})().counts.every(count => count === null)", polling=POLLING)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator("li.lm-Menu-item[data-command='runmenu:run-all']").click()
    page.wait_for_function(DONE, polling=POLLING, timeout=300_000)
    state: dict[str, Any] = page.evaluate(STATE)
    return state


def run(page: Page, url: str) -> None:
    """Open a notebook and run it; fails where a cell does."""
    open_notebook(page, url)
    state = run_all(page)
    assert state["errors"] == []


def handle(page: Page, name: str) -> Locator:
    """The handle of the slider with that class."""
    return page.locator(f".{name} .noUi-handle")


def press(page: Page, name: str, key: str, times: int = 1) -> None:
    """Move a slider by the keyboard."""
    handle(page, name).focus()
    for _ in range(times):
        page.keyboard.press(key)


def drag(page: Page, name: str, share: float) -> None:
    """Take a slider's handle with the mouse, move it to that share of its track, and let it go."""
    held = handle(page, name)
    held.scroll_into_view_if_needed()
    track = page.locator(f".{name} .noUi-base").bounding_box()
    knob = held.bounding_box()
    assert track is not None
    assert knob is not None
    page.mouse.move(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * share, knob["y"] + knob["height"] / 2, steps=4)
    page.mouse.up()


def portrait(page: Page, panel: str, place: Path, *, height: int = 2400) -> None:
    """A picture of a whole panel, however high it is, in few colours: small enough to be shown in the README."""
    page.set_viewport_size({"width": 1280, "height": height})
    page.locator(panel).screenshot(path=place)
    with Image.open(place) as taken:
        few = taken.convert("RGB").quantize(128)
    few.save(place, optimize=True)


def words(html: str) -> str:
    """The text that a browser shows of this HTML, without the spaces between."""
    parts: list[str] = []
    parser = HTMLParser(convert_charrefs=True)
    parser.handle_data = parts.append  # type: ignore[method-assign]
    parser.feed(html)
    parser.close()
    return "".join("".join(parts).split())


def shows(shown: Locator, html: str) -> None:
    """Wait until the element shows exactly the text of this HTML, spaces aside."""
    expect(shown).to_have_text(re.compile(r"\s*".join(["^", *map(re.escape, words(html)), "$"])))
