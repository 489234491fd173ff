"""What stands on an app's page when something goes wrong: a name and what to do, nothing of the panel, no traceback."""

import json
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from workbench.show import app_page
from workbench.show.app_page import page

SECRET = "the text of an error may hold anything"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """The shell that ipywidgets hands an exception to."""
    made = InteractiveShell.instance()
    monkeypatch.setattr(app_page, "get_ipython", lambda: made)
    yield made
    InteractiveShell.clear_instance()


def order(**changed: object) -> str:
    told = {"kind": "search", "places": {"corpus": "data/pumps"}, "tenant": "werk-nord", "groups": ["wartung"]}
    return json.dumps({**told, "active": True, **changed})


def test_it_shows_the_panel_of_its_actor(shell: InteractiveShell) -> None:
    (panel,) = page(order()).children
    assert "wartung" in panel.actor.value
    panel.query.value = "zwei Personen"
    panel.ask.click()
    assert panel.hits


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ("not JSON", "JSONDecodeError"),
        ("{}", "KeyError"),
        (order(places={"corpus": "data/nowhere"}), "InputError"),
        (order(kind="validity"), "InputError"),
        (order(tenant=3), "TypeError"),
    ],
)
def test_what_cannot_be_built_is_named(
    broken: str, name: str, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    (shown,) = page(broken).children
    assert 'role="alert"' in shown.value
    assert name in shown.value
    assert "Load the page again" in shown.value
    assert "nowhere" not in shown.value
    assert capsys.readouterr().out == ""


def test_a_callback_that_fails_takes_the_panel_with_it(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = page(order())
    (panel,) = made.children

    def fails(*_: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(panel, "_search", fails)
    panel.ask._click_handlers(panel.ask)  # as when the browser's click arrives
    (shown,) = made.children
    assert "ZeroDivisionError" in shown.value
    assert SECRET not in shown.value
    assert "Traceback" not in shown.value
    assert capsys.readouterr().out == ""
