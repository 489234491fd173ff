"""The slider gives what the plain function gives, at every stop, and betrays nothing by where it stops."""

from datetime import UTC, datetime

import pytest
from ipywidgets import HTML, SelectionSlider

from tests.show import seals
from workbench.contract import OPERATOR, Request, Scope
from workbench.errors import RequestError
from workbench.show.widgets import validity_slider

BERLIN = {
    "time": "utc",
    "zone": "Europe/Berlin",
    "day_starts": "00:00",
    "skipped_time": "later",
    "doubled_time": "earlier",
}


def values(panel):
    return [value for _, value in panel.children[0].options]


def test_every_stop_shows_the_plain_functions_answer():
    register = seals.with_rival()
    panel = validity_slider(register, seals.SEAL, actor=seals.MECHANIC)
    slider, shown = panel.children
    assert isinstance(slider, SelectionSlider)
    assert isinstance(shown, HTML)
    assert values(panel) == list(range(-1, 17))
    for at in [*values(panel), *reversed(values(panel))]:
        slider.value = at
        assert shown.value == register.resolve(Request(seals.SEAL, at=at), seals.MECHANIC)._repr_html_()


def test_it_starts_where_it_is_told():
    panel = validity_slider(seals.shipped(), seals.SEAL, actor=OPERATOR, at=6)
    assert panel.children[0].value == 6
    assert "bulletin-B [5,10)" in panel.children[1].value
    assert 4000 in values(validity_slider(seals.shipped(), seals.SEAL, actor=OPERATOR, at=4000))


def test_its_stops_know_only_what_the_actor_may():
    whole = seals.written([("A", "0", "2000"), ("B", "2000", "4000"), ("C", "4000", "unbounded")])
    assert {1999, 2000, 3999, 4000} <= set(values(validity_slider(whole, seals.SEAL, actor=OPERATOR)))
    part = seals.hidden(whole, "B", "C")
    stops = values(validity_slider(part, seals.SEAL, actor=seals.MECHANIC))
    assert {1999, 2000} <= set(stops)
    assert not {3999, 4000} & set(stops)
    assert values(validity_slider(whole, seals.SEAL, actor=seals.STRANGER)) == [0]


def test_dates_stop_at_boundaries_just_before_and_between():
    rows = [("A", "2024-03-30T23:00:00Z", "2024-06-30T22:00:00Z"), ("B", "2024-06-30T22:00:00Z", "unbounded")]
    panel = validity_slider(seals.written(rows, **BERLIN), seals.SEAL, actor=OPERATOR, at="2024-05-01")
    options = dict(panel.children[0].options)
    assert options["2024-07-01"] == datetime(2024, 6, 30, 22, tzinfo=UTC)
    assert options["2024-06-30 23:59:59.999999+02:00"] == datetime(2024, 6, 30, 21, 59, 59, 999999, tzinfo=UTC)
    assert panel.children[0].label == "2024-05-01"
    assert "RESOLVED A " in panel.children[1].value


def test_a_refused_scope_is_shown_as_its_refusal():
    panel = validity_slider(seals.shipped(), Scope("pump-seal", None, "C2", "EU"), actor=seals.MECHANIC)
    assert "Give procedure." in panel.children[1].value


def test_hostile_names_stay_text():
    panel = validity_slider(seals.written([("<b>\x1b", "0", "9")]), seals.SEAL, actor=OPERATOR, at=1)
    assert "&lt;b&gt;⟨U+001B⟩" in panel.children[1].value
    assert "<b>" not in panel.children[1].value


def test_a_time_that_is_none_is_refused():
    with pytest.raises(RequestError, match="at:"):
        validity_slider(seals.shipped(), seals.SEAL, actor=OPERATOR, at="tomorrow")


def test_a_page_finds_its_parts_by_their_classes():
    panel = validity_slider(seals.shipped(), seals.SEAL, actor=OPERATOR)
    found = [panel, *panel.children]
    assert [widget._dom_classes for widget in found] == [("wb-slider",), ("wb-asof",), ("wb-decision",)]
