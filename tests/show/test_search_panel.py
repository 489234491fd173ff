"""The search panel shows what the plain functions say, refuses as well as it answers, and leaves nothing old behind."""

import html
import re
from dataclasses import replace

import pytest

import workbench as wb
from tests.pipeline.seals import Seals, scope
from tests.show import seals
from tests.show.panels import page_of, text_in, widgets_in, words_of
from workbench.errors import InputError, QueryRefused, RequestError
from workbench.show.source import source_html
from workbench.show.widgets_search_text import NO_SCORE, NO_WORDS, NOT_FOUND, surroundings

CORPUS = wb.Corpus.read("data/pumps")
QUERY = "Anzugsmoment"


def panel_of(register=None, **more):
    arguments = {"actor": seals.MECHANIC, "scope": seals.SEAL, "at": 6, **more}
    return wb.widgets.search(CORPUS, register=register or seals.shipped(), **arguments)


def asked(panel, query=QUERY):
    panel.query.value = query
    panel.ask.click()
    return panel


def cupboard() -> Seals:
    made = Seals()
    made.add("manual", "Kopf.\n\nAnziehen mit Moment 40.\n\nGeheim: altes Moment 35.\n\nFuß.")
    made.applies("manual")
    return made


# --- answers ------------------------------------------------------------------------------------------------------


def test_it_shows_what_ask_gives():
    panel = asked(panel_of())
    register = seals.shipped()
    answer = wb.ask(CORPUS, register, QUERY, actor=seals.MECHANIC, request=wb.Request(seals.SEAL, at=6))
    assert (panel.decision, panel.hits, panel.manifests) == (answer.decision, answer.hits, answer.manifests)
    assert answer.decision._repr_html_() in panel.shown.value
    assert "HISTORICAL" in panel.shown.value
    [box], [hit] = panel.boxes, answer.hits
    said = words_of(box.quote)
    assert hit.quote in said
    assert f"{hit.document_id} · version {hit.version} · paragraph {hit.paragraph} · " in said
    assert f"characters {hit.start} to {hit.end} · {hit.content_sha256[:12]}" in said
    assert "RESOLVED · bulletin-B · [5,10) · historical, what applied then and may not apply today" in said
    assert panel.status.words.startswith("1 passage for “Anzugsmoment”")


def test_current_is_said_only_of_what_applies_now():
    panel = asked(panel_of(at=None, clock=lambda: 12))
    assert "IN FORCE NOW · manual-C" in words_of(panel.shown)
    panel.at.value = "30"
    assert "PLANNED · manual-C" in words_of(panel.shown)


def test_any_word_asks_the_door_of_analysis():
    panel = panel_of(at=11)
    panel.match.value = "any"
    panel.limit.value = 7
    asked(panel, "Welches Anzugsmoment hat der Deckel?")
    request = wb.Request(seals.SEAL, at="11")
    answer = wb.ask(
        CORPUS, seals.shipped(), panel.query.value, actor=seals.MECHANIC, request=request, match="any", depth=7
    )
    assert panel.hits == answer.hits
    assert panel.hits
    panel.match.value = "all"
    assert panel.limit.value == 5


def test_what_is_no_scope_no_question_or_none_of_them_is_said_by_name(repo) -> None:
    corpus, register = wb.Corpus.read(repo / "data/pumps"), wb.Register.read(repo / "data/pump-seal")
    mechanic = wb.Actor("werk-nord", {"wartung"})
    with pytest.raises(RequestError, match="scope: a Scope"):
        wb.widgets.search(corpus, actor=mechanic, register=register, scope="pump-seal")
    with pytest.raises(RequestError, match="scope: a Scope"):
        wb.widgets.validity(register, actor=mechanic, scope="pump-seal")
    with pytest.raises(QueryRefused, match="a question is text"):
        wb.widgets.search(corpus, actor=mechanic, query=3)
    with pytest.raises(InputError, match="no questions"):
        wb.widgets.tuner(corpus, [], actor=mechanic)


@pytest.mark.parametrize("more", [{"limit": 6}, {"limit": True}, {"match": "any", "limit": 0}, {"match": "some"}])
def test_a_limit_outside_the_contract_is_refused_and_not_lowered(more):
    with pytest.raises(QueryRefused):
        panel_of(**more)
    assert panel_of(match="any", limit=40).limit.value == 40


def test_without_a_register_nothing_claims_to_apply():
    panel = asked(wb.widgets.search(CORPUS, actor=seals.MECHANIC))
    assert panel.hits == tuple(CORPUS.view(seals.MECHANIC).search(QUERY))
    assert panel.scope is None
    assert "NO AUTHORITY" in panel.shown.value
    assert all("NO AUTHORITY" in box.quote.value for box in panel.boxes)
    panel.boxes[0].verify.click()
    assert panel.boxes[0].checked == replace(
        wb.resolve_citation(seals.MECHANIC, panel.hits[0], CORPUS), authority="none"
    )


def test_verify_open_and_place_show_what_the_functions_give():
    panel = asked(panel_of())
    [box], register = panel.boxes, seals.shipped()
    box.verify.click()
    assert box.checked == wb.verify(panel.manifests[0], seals.MECHANIC, CORPUS, register)
    assert box.checked._repr_html_() in box.verdict.value
    box.open_source.click()
    assert source_html(CORPUS, panel.manifests[0], actor=seals.MECHANIC) in box.source.value
    box.open_source.click()
    assert box.source.value == ""
    assert "score" not in "".join(widget.value for widget in (box.quote, box.verdict)).lower()
    box.place.click()
    view = CORPUS.view(seals.MECHANIC, panel.decision)
    [share] = view.explain(QUERY, list(panel.hits))
    said = words_of(box.score)
    assert "Place 1 of 1 in this order" in said
    assert f"{share.word}{share.tf}{share.df}{share.passages}{share.contribution:.4f}" in said
    assert NO_SCORE in said
    assert "%" not in said
    assert page_of(box.score).tags.isdisjoint({"progress", "meter", "svg", "img"})
    box.place.click()
    assert box.score.value == ""


def test_a_passage_stands_between_its_neighbours_and_no_further():
    made = cupboard()
    panel = asked(
        wb.widgets.search(made.corpus, actor=seals.MECHANIC, register=made.register, scope=scope(), at=1), "40"
    )
    text, [hit] = made.texts["manual"], panel.hits
    around = surroundings(made.corpus.view(seals.MECHANIC), hit)
    assert around.before == around.after == ""  # another view's hit is not this view's to show
    around = surroundings(made.corpus.view(seals.MECHANIC, panel.decision), hit)
    assert text.startswith(around.before + hit.quote + around.after)
    assert "Fuß" not in around.after


def test_neighbours_never_come_from_outside_the_decision():
    made = cupboard()
    text = made.texts["manual"]
    made.located("manual", "torque", text.index("Anziehen"), text.index("\n\nGeheim"))
    panel = wb.widgets.search(made.corpus, actor=seals.MECHANIC, register=made.register, scope=scope(), at=1)
    [box] = asked(panel, "Moment").boxes
    box.open_source.click()
    assert "Geheim" not in box.quote.value + box.source.value
    assert "Kopf" not in box.quote.value + box.source.value


def test_neighbours_never_bridge_what_the_decision_leaves_out():
    made = cupboard()
    text = made.texts["manual"]
    made.located("manual", "torque", text.index("Anziehen"), text.index("\n\nGeheim"))
    made.located("manual", "torque", text.index("Fuß"), len(text))
    panel = wb.widgets.search(made.corpus, actor=seals.MECHANIC, register=made.register, scope=scope(), at=1)
    for query in ("Moment", "Fuß"):
        [box] = asked(panel, query).boxes
        assert "Geheim" not in box.quote.value


def test_other_cuts_are_not_called_paragraphs():
    panel = asked(panel_of(cut=wb.Words(8)))
    assert "passage" in words_of(panel.boxes[0].quote)
    assert "of Words(8)" in words_of(panel.boxes[0].quote)


def test_a_recorded_time_is_said():
    register = wb.Register.read("data/pump-seal-corrected")
    panel = asked(panel_of(register, known_at=0))
    assert panel.decision.revision_id == "manual-A"
    assert "as known at 0" in panel.status.words
    assert panel.hits[0].document_id == "manual-A"


def test_what_a_panel_is_asked_is_in_the_audit_log(tmp_path):
    log = wb.AuditLog(tmp_path / "audit.jsonl", key=wb.AuditLog.new_key())
    panel = asked(panel_of(audit=log))
    lines = log.path.read_text("utf-8").splitlines()
    assert len(lines) == 2  # the decision before there was a question, and the question
    assert QUERY not in lines[1]
    assert panel.decision.context.id in lines[1]


# --- refusals -----------------------------------------------------------------------------------------------------


def refusals():
    rival = seals.with_rival()
    return {
        "missing": (rival, {"scope": wb.Scope("pump-seal", None, "C2", None)}, "fill in procedure, region above"),
        "time": (rival, {"at": None}, "fill in as of above"),
        "conflict": (rival, {"at": 13}, "ask Redaktion Dichtungen which of manual-C, manual-D applies"),
        "gap": (rival, {"at": -1}, "ask the stewards"),
        "edition": (rival, {"at": 11, "language": "fr"}, "choose another language above"),
        "history": (seals.shipped(), {"known_at": -5}, "ask without a recorded time"),
    }


@pytest.mark.parametrize("name", refusals())
def test_a_refusal_says_what_to_do_and_shows_no_passage(name):
    register, more, todo = refusals()[name]
    panel = asked(panel_of(register, **more))
    assert panel.decision.status is not wb.Status.RESOLVED
    assert panel.decision._repr_html_() in panel.shown.value
    assert todo in words_of(panel.shown)
    assert "NO ANSWER" in words_of(panel.shown)
    assert panel.boxes == panel.found.children == ()
    assert panel.decision.message in panel.status.words


def test_what_is_hidden_looks_like_what_is_not():
    register = seals.with_rival()
    screens = set()
    for hidden, at in (
        (register, -1),
        (seals.hidden(register, "bulletin-B"), -1),
        (seals.hidden(register, "manual-D"), -1),
    ):
        panel = asked(panel_of(hidden, at=at))
        screens.add((panel.shown.value, panel.status.value))
    assert len(screens) == 1
    panel = asked(panel_of(seals.hidden(register, "bulletin-B"), at=6))
    assert panel.shown.value in {shown for shown, _ in screens}
    assert "bulletin-B" not in text_in(panel)


def test_lists_offer_only_what_the_actor_may_know():
    register = seals.written([("A", "0", "9")])
    panel = panel_of(register, scope=None, at=1)
    assert [label for label, _ in panel.scope.family.options] == ["— choose —", "pump-seal"]
    assert panel.scope.scope == seals.SEAL  # the only one there is
    stranger = panel_of(register, scope=None, at=1, actor=seals.STRANGER)
    assert all(len(each.options) == 1 for each in stranger.scope.lists)
    given = panel_of(register, at=1, actor=seals.STRANGER)
    unheard = panel_of(register, at=1, actor=seals.STRANGER, scope=wb.Scope("x", "y", "z", "w"))
    assert given.shown.value == unheard.shown.value


def test_no_hit_is_no_denial():
    panel = asked(panel_of(), "Quittung")
    assert panel.status.words == NOT_FOUND
    assert panel.boxes == ()
    asked(panel, "")
    assert panel.status.words == NO_WORDS


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda panel: asked(panel, "x" * 201), "at most 200 characters"),
        (lambda panel: asked(panel, "a\x00b"), "Control characters"),
        (lambda panel: setattr(panel.at, "value", "morgen"), "no logical step"),
    ],
)
def test_an_error_stands_in_the_panel_with_what_to_do(change, said):
    panel = asked(panel_of())
    assert panel.boxes
    change(panel)
    assert said in words_of(panel.status)
    assert "What to do:" in words_of(panel.status)
    assert page_of(panel.status).roles == {"alert"}
    assert panel.boxes == panel.found.children == ()
    assert not panel.status.busy
    asked(panel, QUERY)
    if panel.at.value == "6":
        assert panel.boxes


# --- nothing old --------------------------------------------------------------------------------------------------


def seen_states(panel):
    """Each state of the screen that the browser is told of: what the status says, and which hits stand below it."""
    states = []

    def note(_):
        states.append(
            (panel.status.words, [child.hit.quote for child in panel.found.children], panel.found._dom_classes)
        )

    for widget in (panel.status, panel.shown):
        widget.observe(note, "value")
    panel.found.observe(note, "children")
    return states


def test_what_is_typed_makes_the_answer_an_old_one_at_once():
    panel = asked(panel_of())
    panel.query.value = "Anzugsmomen"
    assert panel.old
    assert "old question “Anzugsmoment”" in panel.status.words
    assert "wb-old" in panel.found._dom_classes
    panel.query.value = QUERY
    assert not panel.old
    assert "wb-old" not in panel.found._dom_classes
    assert panel.status.words.startswith("1 passage")


def test_every_other_choice_is_asked_at_once():
    panel = asked(panel_of())
    panel.at.value = "11"
    assert panel.decision.revision_id == "manual-C"
    assert panel.hits[0].document_id == "manual-C"
    panel.scope.region.value = ""
    assert panel.decision.missing == ("region",)
    assert panel.found.children == ()


def test_the_old_stays_marked_until_the_new_is_there():
    panel = asked(panel_of())
    old = panel.hits[0].quote
    states = seen_states(panel)
    panel.at.value = "11"
    new = panel.hits[0].quote
    assert new != old
    assert states[0][0].startswith("searching…")
    for words, quotes, classes in states:
        assert quotes in ([old], [new])  # never an empty screen in between
        if quotes == [old]:
            assert "old question" in words
            assert "wb-old" in classes
    assert states[-1][1] == [new]
    assert not panel.status.busy


def test_what_was_withdrawn_meanwhile_is_not_verified_opened_or_explained():
    made = cupboard()
    corpus = made.corpus
    panel = asked(wb.widgets.search(corpus, actor=seals.MECHANIC, register=made.register, scope=scope(), at=1), "40")
    [box] = panel.boxes
    corpus.regroup("manual", {"leitung"})
    for button in (box.verify, box.open_source, box.place):
        button.click()
    assert box.checked.reason == "unavailable"
    assert "40" not in box.source.value + box.score.value
    assert "unavailable" in box.source.value
    asked(panel, "40")
    assert panel.decision.status is wb.Status.UNAVAILABLE
    assert panel.boxes == ()


def test_what_is_no_longer_shown_is_closed():
    panel = asked(panel_of())
    [box] = panel.boxes
    asked(panel, "Quittung")
    assert box.quote.comm is None


def test_an_unforeseen_error_is_named_by_its_kind_alone(monkeypatch, caplog):
    panel = asked(panel_of())

    def broken(_):
        raise RuntimeError("geheim")

    monkeypatch.setattr(panel._asker, "found", broken)
    panel.query.value = "Welle"
    panel.ask.click()
    assert "RuntimeError" in panel.status.value
    assert "geheim" not in text_in(panel)
    assert panel.boxes == panel.found.children == ()
    assert caplog.records


# --- the actor, and how it is reached -----------------------------------------------------------------------------


def test_the_actor_is_shown_and_cannot_be_changed():
    panel = panel_of()
    assert html.escape(repr(seals.MECHANIC)) in panel.actor.value
    names = {getattr(widget, "description", "") for widget in widgets_in(panel)}
    assert not [name for name in names if re.search("tenant|group|actor", name)]


def test_enter_asks():
    panel = panel_of()
    panel.query.value = QUERY
    panel.query._handle_msg({"content": {"data": {"method": "custom", "content": {"event": "submit"}}}, "buffers": []})
    assert panel.hits


def test_a_page_finds_its_parts_by_their_classes():
    panel = asked(panel_of())
    found = {name for widget in widgets_in(panel) for name in widget._dom_classes}
    wanted = "family procedure configuration region language at match limit query ask status decision hits hit quote "
    wanted += "verify verdict open source place score actor"
    assert {f"wb-search-{name}" for name in wanted.split()} <= found
    assert "wb-search" in panel._dom_classes
