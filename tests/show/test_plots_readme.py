"""The README's pictures are what the shipped data give today: the same frames read back, and here the same bytes."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from workbench.show import plots

NAMES = ["coverage.png", "timeline.png", "tuning.png"]
LARGEST = 150_000  # bytes


@pytest.fixture(scope="module")
def pictures(repo: Path) -> ModuleType:
    """The module notebooks/pictures.py, which is a script and no part of a package."""
    spec = importlib.util.spec_from_file_location("pictures", repo / "notebooks" / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def drawn(pictures: ModuleType) -> dict:
    return json.loads((pictures.PLACE / "drawn.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_committed_picture_is_a_fresh_one(name: str, pictures: ModuleType, drawn: dict, tmp_path: Path) -> None:
    again = "run notebooks/pictures.py"
    figure = pictures.PICTURES[name]()
    assert pictures.shown(figure) == drawn["shown"][name], again
    if drawn["drawn on"] == pictures.drawn_on():
        fresh = plots.save(figure, tmp_path / name).read_bytes()
        assert fresh == (pictures.PLACE / name).read_bytes(), again


def test_there_are_no_others_and_all_are_small(pictures: ModuleType, drawn: dict) -> None:
    assert sorted(pictures.PICTURES) == sorted(drawn["shown"]) == NAMES
    for name in NAMES:
        assert (pictures.PLACE / name).stat().st_size <= LARGEST


def test_a_changed_picture_is_told_by_what_it_shows(pictures: ModuleType) -> None:
    figure = pictures.coverage()
    before = pictures.shown(figure)
    [conflict] = [c for c in figure.axes[0].collections if c.get_gid() == "conflict"]
    places = [path.vertices[:4].copy() for path in conflict.get_paths()]
    places[0][2:, 0] += 0.01
    conflict.set_verts(places)
    assert pictures.shown(figure) != before


def test_the_readme_shows_pictures_that_are_there(repo: Path) -> None:
    readme = (repo / "README.md").read_text(encoding="utf-8")
    shown = [name for name in NAMES if f"(notebooks/pictures/{name})" in readme]
    assert shown
