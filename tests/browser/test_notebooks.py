"""Each notebook, opened in JupyterLab and run from top to bottom by a click."""

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Lab, open_notebook, run_all
from tests.browser.servers import EXPOSED, checkout_copy, started

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_a_notebook_runs_from_top_to_bottom(name: str, lab: Lab, page: Page, pictures: Path) -> None:
    stored = nbformat.read(lab.folder / name, as_version=4)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    figures = sum("image/png" in output.get("data", {}) for cell in code for output in cell.outputs)
    open_notebook(page, lab.url(name))
    state = run_all(page)
    page.screenshot(path=pictures / f"{Path(name).stem}.png")
    assert state["errors"] == []
    assert state["stderr"] == []
    assert state["counts"] == list(range(1, len(code) + 1))
    assert state["pictures"] == figures


def test_the_printed_address_opens_the_tour_and_one_click_gives_the_first_plot(page: Page, tmp_path: Path) -> None:
    """On a lab that was never opened before, as on a fresh machine."""
    with started(checkout_copy(tmp_path), "lab", "--no-browser", "--port=0", EXPOSED) as address:
        open_notebook(page, address)
        expect(page.get_by_role("tab", name="00_tour.ipynb")).to_be_visible()
        state = run_all(page)
        assert state["errors"] == []
        assert state["pictures"] > 0
        plot = page.locator(".jp-RenderedImage img").first
        plot.scroll_into_view_if_needed()
        expect(plot).to_be_visible()
        page.goto("about:blank")
