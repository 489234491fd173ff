"""How long a slider's new picture takes in JupyterLab, beside a plain redraw of the same size.

    python -m tests.bench.bench_browser [--moves 15]

Needs Debian's Chromium. One page holds all: the validity panel, the tuner, and a plain slider whose callback draws a
bar chart of as many pixels as the timeline with matplotlib and puts it into an HTML widget. All are moved by the
arrow key in turn, and what is timed is from the key to the frame in which the browser shows the new, decoded picture,
by the browser's own clock. A line of JSON with the medians and their ratios to the plain one goes to stdout;
milliseconds of a shared machine mean little, ratios of neighbours more.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.desk import CHROMIUM_OPTIONS, Lab, guarded, run
from tests.browser.servers import EXPOSED, checkout_copy, started

PANEL = """
import workbench as wb
register = wb.Register.read("../data/handbooks-register")
mechanic = wb.Actor("grauwede", {"wartung"})
scope = wb.Scope("kr-handbuch", "schmierung", "KR-200-N", "EU")
panel = wb.widgets.validity(register, actor=mechanic, scope=scope, at="2022-05-01")
panel
"""
TUNER = """
corpus = wb.Corpus.read("../data/handbooks")
asked = [q for q in wb.read_questions("../data/questions.jsonl") if "sentence" in q.tags and not q.holdout][:30]
wb.widgets.tuner(corpus, asked, actor=mechanic, register=register)
"""
# The same number of pixels and of bars, drawn anew at each move as the tutorials do it, without pyplot's global state.
PLAIN = """
import io
import struct
import base64
from ipywidgets import HTML, IntSlider, VBox
from matplotlib.figure import Figure
png = base64.b64decode(panel.timeline.value.split("base64,")[1].split('"')[0])
pixels = struct.unpack(">II", png[16:24])
from workbench.show.plots_grammar import DPI
moved, drawn = IntSlider(50), HTML()
def lengths():
    return [(n * 7 + moved.value) % 11 + 1 for n in range(len(panel.frame))]
def draw(change):
    figure = Figure(figsize=(pixels[0] / DPI, pixels[1] / DPI), dpi=DPI)
    axes = figure.subplots()
    axes.barh([f"row {n}" for n in range(len(panel.frame))], lengths())
    axes.set_title(f"at {moved.value}")
    axes.axvline(moved.value % 11)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI)
    data = base64.b64encode(buffer.getvalue()).decode()
    drawn.value = f'<img alt="{moved.value}" src="data:image/png;base64,{data}">'
moved.observe(draw, "value")
draw(None)
plain = VBox([moved, drawn])
plain.add_class("plain")
plain
"""
# From the key's event to the frame after the new picture is decoded.
TIMER = """([key, way, picture]) => new Promise((resolve, reject) => {
    const before = document.querySelector(picture + ' img').src;
    const handle = document.querySelector(key + ' .noUi-handle');
    handle.focus();
    const began = performance.now();
    handle.dispatchEvent(new KeyboardEvent('keydown', {key: way, bubbles: true, cancelable: true}));
    const look = async () => {
        const image = document.querySelector(picture + ' img');
        if (!image || image.src === before) {
            if (performance.now() - began > 20000) { reject(new Error('no new picture in ' + picture)); return; }
            setTimeout(look, 1);
            return;
        }
        await image.decode();
        requestAnimationFrame(() => resolve(performance.now() - began));
    };
    look();
})"""


def timed(page: Page, key: str, way: str, picture: str) -> float:
    """Milliseconds from a key to the new picture."""
    return float(page.evaluate(TIMER, [key, way, picture]))


def measured(page: Page, moves: int) -> dict[str, list[float]]:
    """All, moved in turn; the first two moves of each are not counted."""
    found: dict[str, list[float]] = {"validity": [], "tuner": [], "plain": []}
    for number in range(moves + 2):
        way = "ArrowLeft" if number % 4 < 2 else "ArrowRight"
        found["validity"].append(timed(page, ".wb-validity-asof", way, ".wb-validity-timeline"))
        # What else the panel has to say comes with the picture or after it; the next one waits for all of it.
        page.locator(".wb-validity-status [aria-busy]").wait_for(state="detached")
        found["tuner"].append(timed(page, ".wb-tuner-size", way, ".wb-tuner-curve"))
        page.locator(".wb-tuner-status [aria-busy]").wait_for(state="detached")
        found["plain"].append(timed(page, ".plain", way, ".plain"))
    return {name: times[2:] for name, times in found.items()}


def main() -> None:
    """Measure, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=15)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        copy = checkout_copy(Path(folder))
        command = ("lab", "--no-browser", "--port=0", EXPOSED)
        with started(copy, *command) as address:
            lab = Lab(address, copy / "notebooks")
            browser = playwright.chromium.launch(executable_path=args.chromium, args=CHROMIUM_OPTIONS)
            with guarded(browser, patience=60_000, viewport={"width": 1280, "height": 3200}) as (page, _):
                run(page, lab.url(lab.write("latency.ipynb", PANEL, PLAIN, TUNER)))
                times = measured(page, args.moves)
            browser.close()
    medians = {f"{name}_ms": round(statistics.median(each), 1) for name, each in times.items()}
    spread = {f"{name}_min_max_ms": [round(min(each)), round(max(each))] for name, each in times.items()}
    plain = statistics.median(times["plain"])
    ratios = {f"{name}_ratio": round(statistics.median(times[name]) / plain, 2) for name in ("validity", "tuner")}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    machine = f"{platform.machine()} {platform.python_version()}"
    result = {"what": "slider to picture", "at": now, "machine": machine, **medians, **spread, **ratios}
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
