"""The validity panel shows what the plain functions say, at every stop, and betrays nothing by what it offers."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

import workbench as wb
from tests.pipeline.seals import Seals
from tests.show import seals
from tests.show.panels import page_of, text_in, widgets_in, words_of
from workbench.contract import OPERATOR
from workbench.errors import RequestError
from workbench.intervals import UNBOUNDED, Interval
from workbench.show.plots import read_back
from workbench.show.tables_why_not import why_not
from workbench.show.widgets_stops import NOW, TODAY
from workbench.validity.applicable import choices

CORRECTED = wb.Register.read("data/pump-seal-corrected")
COLUMNS = {"family": "families", "procedure": "procedures", "configuration": "configurations", "region": "regions"}
ACTORS = {"mechanic": seals.MECHANIC, "operator": OPERATOR}


def panel_of(register=None, **more):
    return wb.widgets.validity(register or seals.with_rival(), **{"actor": seals.MECHANIC, "scope": seals.SEAL, **more})


def values(slider):
    return [value for _, value in slider.options]


# --- what is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ACTORS)
def test_every_stop_shows_the_plain_functions_answers(name):
    actor = ACTORS[name]
    panel = panel_of(CORRECTED, actor=actor)
    reader = seals.MECHANIC
    for known in values(panel.known):
        panel.known.value = known
        then = None if known == TODAY else known
        frame = wb.tables.timeline(CORRECTED, seals.SEAL, actor=actor, known_at=then)
        assert panel.frame.equals(frame)
        for at in values(panel.as_of)[::3]:
            panel.as_of.value = at
            request = wb.Request(seals.SEAL, at=at, known_at=then)
            assert panel.request == request
            assert panel.decision == CORRECTED.resolve(request, reader)
            assert panel.decision._repr_html_() in panel.shown.value
            assert repr(panel.decision) in panel.status.words
            assert panel.why.equals(why_not(CORRECTED, seals.SEAL, actor=actor, at=at, known_at=then))


def test_the_picture_is_the_timeline_with_the_cursor():
    panel = panel_of(at=6)
    plain = wb.plots.timeline(seals.with_rival(), seals.SEAL, actor=seals.MECHANIC, at=6)
    assert read_back(panel.picture).equals(read_back(plain))
    assert repr(panel.picture) == repr(plain)
    [(_, image)] = page_of(panel.timeline).found
    assert "bulletin-B from 5 until 10" in image["alt"]
    assert "The cursor: Decision(RESOLVED bulletin-B [5,10) at 6" in image["alt"]
    first = panel.timeline.value
    panel.as_of.value = 11
    assert panel.timeline.value != first


def test_a_revision_keeps_its_colour_wherever_the_sliders_stand():
    panel = panel_of(CORRECTED)
    seen = {}
    for known in values(panel.known):
        panel.known.value = known
        drawn = read_back(panel.picture)
        for lane, fill in drawn.filter(kind="revision").select("lane", "fill").rows():
            if lane != "decides":
                assert seen.setdefault(lane, fill) == fill
    assert len(set(seen.values())) == len(seen) == 3


def test_known_at_shows_what_was_said_then():
    panel = panel_of(CORRECTED, at=6)
    assert panel.decision.revision_id == "bulletin-B"
    assert values(panel.known) == [0, 8, 11, TODAY]
    panel.known.value = 0
    assert panel.decision.revision_id == "manual-A"
    assert "as known at" in words_of(panel.shown)


def test_a_language_is_part_of_the_answer_and_of_the_picture():
    register = wb.Register.read("data/pump-seal")
    panel = panel_of(register, at=4, language="de")
    assert panel.decision == register.resolve(wb.Request(seals.SEAL, at=4, language="de"), seals.MECHANIC)
    assert panel.decision.edition_id == "manual-A-de"
    assert repr(panel.decision) in repr(panel.picture)
    panel.as_of.value = 6
    assert panel.decision.status is wb.Status.NO_EQUIVALENT_EDITION
    assert "choose another language" in words_of(panel.shown)
    assert panel.why.filter(revision_id="bulletin-B")["verdict"].to_list() == ["NO_EDITION"]
    panel.scope.language.value = ""
    assert panel.decision.revision_id == "bulletin-B"


def test_a_conflict_names_its_owner_and_what_to_do():
    panel = panel_of(at=13)
    assert panel.decision.owner == "Redaktion Dichtungen"
    said = words_of(panel.shown)
    assert "this conflict is owned by Redaktion Dichtungen" in said
    assert "manual-C, manual-D" in said
    assert panel.why["verdict"].to_list()[-2:] == ["RIVAL", "RIVAL"]
    assert "without precedence" in words_of(panel.table)


def test_now_is_a_stop_of_its_own_and_the_only_one_that_is_current():
    rows = [("A", "2024-03-30T23:00:00Z", "2024-06-30T22:00:00Z"), ("B", "2024-06-30T22:00:00Z", "unbounded")]
    register = seals.written(rows, time="utc", recorded_time="utc")
    moment = datetime(2024, 5, 1, tzinfo=UTC)
    panel = panel_of(register, clock=lambda: moment)
    assert panel.as_of.value == NOW
    assert panel.decision.mode == "current"
    assert "IN FORCE NOW · A" in words_of(panel.shown)
    stops = values(panel.as_of)
    after = stops[stops.index(NOW) + 1 :]
    assert all(isinstance(stop, datetime) and stop > moment for stop in after)
    panel.as_of.value = after[-1]
    assert panel.decision.mode == "planned"
    assert NOW not in values(panel_of(seals.shipped()).as_of)


# --- what is offered, and to whom ---------------------------------------------------------------------------------


def test_the_lists_offer_only_what_the_actor_may_know():
    whole = seals.with_rival()
    part = seals.hidden(whole, "manual-A", "bulletin-B", "manual-C", "manual-D")
    panel = panel_of(part, scope=None)
    assert all(len(each.options) == 1 for each in panel.scope.lists[:4])
    assert panel.decision.status is wb.Status.MISSING_SCOPE
    assert "choose family, procedure, configuration, region above" in words_of(panel.shown)
    assert panel_of(part, scope=None, actor=OPERATOR).scope.scope == seals.SEAL


def test_a_list_follows_the_ones_before_it():
    register = wb.Register.read("data/handbooks-register")
    actor = wb.Actor("grauwede", {"wartung"})
    panel = panel_of(register, actor=actor, scope=None, at="2024-05-01")
    box = panel.scope
    for name in ("family", "procedure", "configuration"):
        chosen = next(value for _, value in getattr(box, name).options if value)
        getattr(box, name).value = chosen
    whole = wb.Scope(*(getattr(box, name).value or None for name in ("family", "procedure", "configuration")), None)
    for number, (name, column) in enumerate(COLUMNS.items()):
        within = wb.Scope(*whole.parts()[:number], *(None,) * (4 - number))
        offered = [value for _, value in getattr(box, name).options if value]
        assert offered == list(getattr(choices(register, actor, within=within), column))
    assert box.languages == ["de", "en"]
    assert panel.decision.status is not wb.Status.INVALID_REQUEST


def test_no_language_is_offered_that_only_others_may_read():
    made = Seals()
    made.add("manual", "Text.")
    made.add("manuel", "Texte.", groups=("leitung",), language="fr")
    made.add("geheim", "Text.", groups=("leitung",), language="cs")
    made.edition("manuel", "manual", "fr")
    made.applies("manual")
    made.applies("geheim", procedure="other")
    panel = panel_of(made.register, scope=None, at=1)
    assert [value for _, value in panel.scope.language.options] == ["", "de"]
    assert [value for _, value in panel.scope.procedure.options] == ["", "torque"]
    boss = panel_of(made.register, scope=None, at=1, actor=wb.Actor("werk-nord", {"leitung", "wartung"}))
    assert [value for _, value in boss.scope.language.options] == ["", "cs", "de", "fr"]


def test_its_stops_know_only_what_the_actor_may():
    whole = seals.written([("A", "0", "2000"), ("B", "2000", "4000"), ("C", "4000", "unbounded")])
    part = seals.hidden(whole, "B", "C")
    assert {1999, 2000, 3999, 4000} <= set(values(panel_of(whole, actor=OPERATOR).as_of))
    assert not {3999, 4000} & set(values(panel_of(part).as_of))


def hidden_correction():
    """A register with a row of a hidden revision that was recorded at 7 and ends nothing that the mechanic is told."""
    register = replace(seals.shipped(), settings=replace(seals.shipped().settings, history_from=0))
    whole = seals.added(register, "manual-X", Interval(-9, -5), frozenset({"leitung"}))
    late = replace(whole.applicability[-1], recorded=Interval(7, UNBOUNDED))
    return replace(whole, applicability=(*whole.applicability[:-1], late))


def test_a_hidden_row_makes_no_stop_on_the_recorded_axis():
    register = hidden_correction()
    assert values(panel_of(register).known) == [0, TODAY]
    assert values(panel_of(register, actor=OPERATOR).known) == [0, 7, TODAY]


def test_a_hidden_revision_is_nowhere_on_the_panel():
    register = seals.hidden(seals.with_rival(), "bulletin-B", "manual-D")
    panel = panel_of(register)
    for at in values(panel.as_of):
        panel.as_of.value = at
        said = text_in(panel)
        assert "bulletin-B" not in said
        assert "manual-D" not in said
        assert "ACCESS" not in said
        assert panel.why["row"].null_count() == panel.why["approval_ref"].null_count() == panel.why.height


def test_the_operator_and_stewards_see_the_record():
    register = seals.hidden(seals.with_rival(), "bulletin-B")
    register = replace(register, settings=replace(register.settings, stewards=frozenset({"redaktion"})))
    panel = panel_of(register, at=6, actor=seals.STEWARD)
    assert panel.decision.status is wb.Status.UNAVAILABLE  # a steward is told no more by the public answer
    said = words_of(panel.table)
    assert "Reason (protected): ACCESS_DENIED" in said
    assert "superseded by bulletin-B" in said
    assert "FG-0002" in said
    assert panel_of(register, at=6, actor=OPERATOR).decision.revision_id == "bulletin-B"
    assert "protected" not in words_of(panel_of(register, at=6).table)


def test_the_public_table_says_only_when_a_revision_is_given():
    frame = why_not(seals.with_rival(), seals.SEAL, actor=seals.MECHANIC, at=6)
    assert frame.select("revision_id", "verdict", "interval").rows() == [
        ("manual-A", "GIVEN_EARLIER", "[0,5)"),
        ("bulletin-B", "DECIDES", "[5,10)"),
        ("manual-C", "GIVEN_LATER", "[10,unbounded)"),
        ("manual-D", "GIVEN_LATER", "[13,unbounded)"),
    ]
    assert why_not(seals.with_rival(), seals.SEAL, actor=seals.STRANGER, at=6).is_empty()
    missing = wb.Scope("pump-seal", None, "C2", "EU")
    assert why_not(seals.with_rival(), missing, actor=seals.MECHANIC, at=6).is_empty()
    now = why_not(seals.with_rival(), seals.SEAL, actor=seals.MECHANIC, clock=lambda: 6)
    assert now.equals(frame)


# --- choices, errors, order ---------------------------------------------------------------------------------------


def test_the_old_is_marked_until_the_new_is_there():
    panel = panel_of(at=6)
    parts, states = (panel.shown, panel.timeline, panel.table), []
    old = panel.shown.value
    panel.status.observe(lambda _: states.append([(p.value, "wb-old" in p._dom_classes) for p in parts]), "value")
    panel.as_of.value = 11
    shown, marked = states[0][0]
    assert (shown, marked) == (old, True)
    assert panel.shown.value != old
    assert not any("wb-old" in part._dom_classes for part in parts)


def test_nothing_is_drawn_before_a_scope_is_chosen():
    panel = panel_of(CORRECTED)
    panel.scope.region.value = ""
    assert panel.decision.missing == ("region",)
    assert panel.timeline.value == ""
    assert "Nothing was looked for" in panel.table.value
    assert "ever given" not in panel.table.value


def test_nothing_on_the_screen_is_of_another_question():
    panel = panel_of(at=6)
    before = (panel.shown.value, panel.timeline.value, panel.table.value)
    states = []
    for widget in (panel.status, panel.shown, panel.timeline, panel.table):
        widget.observe(lambda _: states.append((panel.shown.value, panel.timeline.value, panel.table.value)), "value")
    panel.as_of.value = 11
    assert states[0] == before  # the status line speaks first
    assert "reading" not in panel.status.words
    assert all(all(part for part in state) for state in states)  # nothing goes before its replacement is there
    assert not panel.status.busy


def test_another_scope_keeps_the_time_and_asks_at_once():
    panel = panel_of(at=6)
    panel.scope.region.value = ""
    assert panel.decision.missing == ("region",)
    assert panel.as_of.value == 6
    panel.scope.region.value = "EU"
    assert panel.decision.revision_id == "bulletin-B"


def test_a_scope_of_which_nothing_is_known_offers_no_beginning_of_the_calendar():
    panel = panel_of(wb.Register.read("data/handbooks-register"), scope=None, actor=wb.Actor("grauwede", {"wartung"}))
    assert values(panel.as_of) == [NOW]
    panel = panel_of(wb.Register.read("data/handbooks-register"), scope=None, actor=seals.STRANGER, at="2024-05-01")
    assert [at for at in values(panel.as_of) if at != NOW] == [datetime(2024, 5, 1, 4, tzinfo=UTC)]


def test_history_that_is_not_kept_has_no_stops():
    panel = panel_of(seals.written([("A", "0", "9")]), at=3)
    assert values(panel.known) == [TODAY]
    asked_anyway = panel_of(seals.written([("A", "0", "9")]), at=3, known_at=2)
    assert asked_anyway.decision.status is wb.Status.HISTORY_UNAVAILABLE
    assert "as corrected today" in words_of(asked_anyway.shown)


@pytest.mark.parametrize(("more", "field"), [({"at": "morgen"}, "at"), ({"known_at": "gestern"}, "known_at")])
def test_a_time_that_is_none_is_refused(more, field):
    with pytest.raises(RequestError, match=f"^{field}:"):
        panel_of(**more)


def test_the_operator_says_which_tenant():
    register = wb.Register.read("data/handbooks-register")
    with pytest.raises(RequestError, match="which tenant"):
        wb.widgets.validity(register, actor=OPERATOR)
    assert wb.widgets.validity(register, actor=OPERATOR, tenant="grauwede", at="2024-05-01").scope.family.options


def test_an_error_stands_in_the_panel(monkeypatch):
    from workbench.show import widgets_validity

    panel = panel_of(at=6)

    def refused(*_, **__):
        raise RequestError("at", "no such time; write another one")

    monkeypatch.setattr(widgets_validity, "why_not", refused)
    panel.as_of.value = 11
    assert "no such time; write another one" in words_of(panel.status)
    assert "What to do:" in words_of(panel.status)
    assert panel.shown.value == panel.timeline.value == panel.table.value == ""  # nothing of the time before is left
    assert panel.decision is panel.why is None
    monkeypatch.undo()
    panel.as_of.value = 12
    assert "RESOLVED manual-C" in words_of(panel.shown)


def test_a_page_finds_its_parts_by_their_classes():
    found = {name for widget in widgets_in(panel_of()) for name in widget._dom_classes}
    wanted = "family procedure configuration region language asof known status decision timeline why actor"
    assert {"wb-validity", *(f"wb-validity-{name}" for name in wanted.split())} <= found
