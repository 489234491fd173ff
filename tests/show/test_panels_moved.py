"""However the controls are moved, the screen is what the plain functions say of the question that it names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.show import seals
from workbench.contract import OPERATOR
from workbench.errors import QueryRefused, RequestError
from workbench.show.plots import read_back
from workbench.show.widgets_stops import TODAY

CORPUS = wb.Corpus.read("data/pumps")
REGISTERS = {
    "shipped": seals.shipped(),
    "rival": seals.with_rival(),
    "hidden": seals.hidden(seals.with_rival(), "bulletin-B"),
    "corrected": wb.Register.read("data/pump-seal-corrected"),
}
QUERIES = ["", "Anzugsmoment", "Welle Hand", "gibt es nicht", "x" * 201, "a\x07"]
TYPED = st.tuples(st.just("query"), st.sampled_from(QUERIES))
CHOSEN = st.one_of(
    st.tuples(st.just("at"), st.sampled_from(["", "4", "6", "11", "13", "morgen", "-1"])),
    st.tuples(st.just("match"), st.sampled_from(["all", "any"])),
    st.tuples(st.just("limit"), st.integers(1, 5)),
    st.tuples(st.just("region"), st.sampled_from(["", "EU"])),
    st.tuples(st.just("language"), st.sampled_from(["", "de", "en"])),
)
MOVES = st.lists(st.one_of(TYPED, CHOSEN, st.just(("ask", None))), min_size=1, max_size=8)


@settings(max_examples=40)
@given(st.sampled_from(sorted(REGISTERS)), st.sampled_from([seals.MECHANIC, seals.STRANGER]), MOVES)
def test_search_shows_the_answer_to_the_question_that_it_names(name, actor, moves):
    register = REGISTERS[name]
    panel = wb.widgets.search(CORPUS, actor=actor, register=register, scope=seals.SEAL, at=6)
    for control, value in moves:
        if control == "ask":
            panel.ask.click()
        else:
            holder = panel.scope if control in ("region", "language") else panel
            widget = getattr(holder, control)
            offered = [option for _, option in widget.options] if hasattr(widget, "options") else [value]
            widget.value = value if value in offered else offered[0]
        shown = panel.posed
        depth = None if shown.match == "all" else shown.limit
        try:
            answer = wb.Session(CORPUS, register).ask(shown.query, actor=actor, request=shown.request, find=shown.find)
            if depth is not None:
                same = wb.ask(
                    CORPUS, register, shown.query, actor=actor, request=shown.request, match="any", depth=depth
                )
                assert same.hits == answer.hits
        except (QueryRefused, RequestError):
            assert panel.decision is None
            assert panel.boxes == ()
        else:
            assert (panel.decision, panel.hits, panel.manifests) == (answer.decision, answer.hits, answer.manifests)
            assert answer.decision._repr_html_() in panel.shown.value
        assert [box.hit for box in panel.boxes] == list(panel.hits)
        assert panel.found.children == panel.boxes
        assert panel.old == (panel.query.value != shown.query)  # all else is asked at once
        assert ("wb-old" in panel.found._dom_classes) == panel.old
        assert not panel.status.busy


MECHANICS = wb.Register.read("data/handbooks-register")
READERS = {
    "fitter": (wb.Actor("grauwede", {"wartung"}), None),
    "steward": (wb.Actor("grauwede", {"register", "wartung"}), None),
    "customer": (wb.Actor("brennholm", {"betrieb"}), None),
    "operator": (OPERATOR, "grauwede"),
}
PLACES = st.tuples(
    st.sampled_from(["family", "procedure", "configuration", "region", "language", "as_of", "known"]),
    st.integers(0, 40),
)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=3)
@given(st.lists(PLACES, min_size=3, max_size=6))
def test_validity_shows_the_answer_for_what_its_controls_say(name, moves):
    actor, tenant = READERS[name]
    panel = wb.widgets.validity(MECHANICS, actor=actor, tenant=tenant, at="2024-05-01")
    for control, place in moves:
        widget = getattr(panel if control in ("as_of", "known") else panel.scope, control)
        options = [value for _, value in widget.options if value != "now"]
        widget.value = options[place % len(options)]
    scope, at = panel.scope.scope, panel.as_of.value
    known = None if panel.known.value == TODAY else panel.known.value
    asked = wb.Request(scope, at=None if at == "now" else at, language=panel.scope.asked_language, known_at=known)
    assert panel.request == asked
    reader = actor if tenant is None else wb.Actor(tenant, {g for r in MECHANICS.revisions.values() for g in r.groups})
    if at != "now":
        assert panel.decision == MECHANICS.resolve(asked, reader)
        more = {"actor": actor, "known_at": known, "tenant": tenant}
        assert panel.frame.equals(wb.tables.timeline(MECHANICS, scope, **more))
        assert panel.why.equals(wb.tables.why_not(MECHANICS, scope, at=at, language=asked.language, **more))
        drawn = read_back(wb.plots.timeline(MECHANICS, scope, at=at, **more))
        assert read_back(panel.picture).drop("fill").equals(drawn.drop("fill"))
