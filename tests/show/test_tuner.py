"""The tuner: chunk borders in the text itself, everything escaped, and a panel that shows what the functions say."""

import html
import re
from pathlib import Path

import ipywidgets
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from workbench.contract import Document
from workbench.evidence.corpus import Corpus
from workbench.intervals import Interval
from workbench.show.widgets_tuner_text import CUT, LEGEND, bordered, listed
from workbench.study.sweep import in_context

MECHANIC = wb.Actor("nord", {"wartung"})
TEXTS = st.text(st.sampled_from("ab<&>\"' .\n\u202e😀"), min_size=1, max_size=60)


def view_of(text: str, cut) -> wb.View:
    return Corpus([Document("d", "nord", {"wartung"}, "1", text)]).view(MECHANIC).cut(cut)


@given(TEXTS, st.integers(1, 4), st.data())
def test_the_pieces_are_the_text_and_know_their_passages(text: str, size: int, data) -> None:
    cut = data.draw(st.sampled_from([wb.Words(size, overlap=size - 1), wb.Paragraphs(), wb.Characters(size)]))
    start = data.draw(st.integers(0, len(text) - 1))
    gold = wb.Gold("d", (start, data.draw(st.integers(start + 1, len(text)))))
    frame = wb.tables.chunks(view_of(text, cut), "d", gold=[gold])
    assert "".join(frame["text"]) == text
    passages = list(cut.passages(text))
    for row in frame.iter_rows(named=True):
        assert text[row["start"] : row["end"]] == row["text"]
        holding = [p.number for p in passages if all(p.start <= at < p.end for at in range(row["start"], row["end"]))]
        assert row["passages"] == holding
        assert row["gold"] == all(gold.span.holds(at) for at in range(row["start"], row["end"]))
    assert [n for begins in frame["begins"] for n in begins] == [p.number for p in passages]
    whole = any(Interval(p.start, p.end).covers(gold.span) for p in passages)
    borders = {at for p in passages for at in (p.start, p.end) if gold.span.start < at < gold.span.end}
    assert set(frame.filter("cut")["start"]) == (set() if whole else borders)


@given(TEXTS, st.integers(1, 3))
def test_what_is_written_is_the_text_escaped(text: str, size: int) -> None:
    view = view_of(text, wb.Words(size))
    gold = wb.Gold("d", (0, len(text)))
    shown = bordered(wb.tables.chunks(view, "d", gold=[gold]), "<b>")
    body = shown.partition('tabindex="0">')[2].partition("</div>")[0].replace(CUT, "")
    plain = html.unescape(re.sub(r"<sup[^>]*>\d+</sup>|</?span[^>]*>", "", body))
    assert plain == text.replace("\u202e", "⟨U+202E⟩")
    assert "<b>" not in shown
    assert LEGEND in shown


def test_colour_is_not_the_only_carrier() -> None:
    view = view_of("eins zwei drei vier fünf", wb.Words(3, overlap=1))
    shown = bordered(wb.tables.chunks(view, "d", gold=[wb.Gold("d", (5, 24))]), "Words(3, overlap=1)")
    assert re.findall(r"<sup[^>]*>(\d)</sup>", shown) == ["1", "2"]
    assert 'title="passage 1 and 2" style="color:#1A1A1A;background:repeating-linear-gradient' in shown
    assert "text-decoration:underline" in shown
    assert shown.count(CUT) == 2


def test_a_part_of_a_document_is_all_that_is_shown() -> None:
    text = "alt eins\n\nneu zwei\n\nalt drei"
    view = view_of(text, wb.Words(1))

    class Limited:
        rule = view.rule

        def now(self):
            from dataclasses import replace

            return replace(view.now(), admitted={"d": (Interval(10, 18),)})

    frame = wb.tables.chunks(Limited(), "d", gold=[wb.Gold("d", (0, 18))])
    assert "".join(frame["text"]) == "neu zwei"
    with pytest.raises(ValueError, match="no such document"):
        wb.tables.chunks(view, "e")


def test_a_stretch_around_a_place() -> None:
    frame = wb.tables.chunks(view_of("eins zwei drei", wb.Words(1)), "d", around=(2, 7))
    assert "".join(frame["text"]) == "ns zw"


def test_questions_are_listed_escaped_and_not_without_end() -> None:
    frame = pl.DataFrame({"question_id": [f"q{n}" for n in range(30)], "b": 1, "a": None, "change": "won"})
    shown = listed(frame, {f"q{n}": "<script>" for n in range(30)})
    assert "<script>" not in shown
    assert "and 10 more" in shown
    assert "No question" in listed(frame.clear(), {})


@pytest.fixture(scope="module")
def world(repo: Path):
    corpus, register = wb.Corpus.read(repo / "data/handbooks"), wb.Register.read(repo / "data/handbooks-register")
    questions = [q for q in wb.read_questions(repo / "data/questions.jsonl") if "sentence" in q.tags][:40]
    return corpus, questions, register


@pytest.fixture(scope="module")
def actor() -> wb.Actor:
    return wb.Actor("grauwede", {"wartung"})


def widgets_in(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    return [widget, *(inner for child in getattr(widget, "children", ()) for inner in widgets_in(child))]


def test_the_panel_shows_what_the_functions_say(world, actor) -> None:
    corpus, questions, register = world
    panel = wb.widgets.tuner(corpus, questions, actor=actor, register=register)
    assert not any(isinstance(widget, ipywidgets.Output) for widget in widgets_in(panel))
    assert panel.before is None
    panel.size.value = 16
    panel.share.value = 50
    assert (repr(panel.before), repr(panel.cut)) == ("Words(16)", "Words(16, overlap=8)")
    measures = [wb.Recall(5), wb.RR()]
    cuts = [panel.before, panel.cut]
    rows = wb.sweep(corpus, questions, actor=actor, register=register, cuts=cuts, measures=measures, depth=5)
    for cut in cuts:
        mine = panel.rows.filter(cut=repr(cut)).select(rows.columns)
        assert mine.equals(rows.filter(cut=repr(cut)))
    changed = wb.tables.won_and_lost(rows, repr(panel.cut), against=repr(panel.before), depth=5)
    assert panel.changes.value.count("<tr>") == 1 + min(changed.height, 20) if changed.height else True
    [said] = wb.compare(rows, "RR()", against=repr(panel.before))
    assert html.escape(said.words) in panel.numbers.value
    asked = {one.question.id: one for one in in_context(corpus, questions, actor=actor, register=register)}
    question = asked[panel.question.value]
    assert f"{panel.cut!r}: " in html.unescape(panel.right.value)
    assert f"{panel.before!r}: " in html.unescape(panel.left.value)
    assert question.question.gold[0].document_id in panel.right.value


def test_every_kind_and_depth_can_be_chosen_and_nothing_is_swept_twice(world, actor, monkeypatch) -> None:
    from workbench.show import widgets_tuner

    corpus, questions, register = world
    panel = wb.widgets.tuner(corpus, questions[:5], actor=actor, register=register)
    for kind in panel.kind.options:
        panel.kind.value = kind
        assert f"{panel.cut!r} " in html.unescape(panel.curve.value)
    panel.kind.value = "words"
    panel.depth.value = 10
    assert set(panel.rows["depth"]) == {10}
    monkeypatch.setattr(widgets_tuner, "sweep", lambda *_, **__: pytest.fail("swept again"))
    panel.depth.value = 5
    panel.size.value = 128
    panel.question.value = panel.question.options[-1][1]


def test_an_error_stands_in_the_panel_and_nothing_old_below_it(world, actor, monkeypatch) -> None:
    from workbench.errors import QueryRefused
    from workbench.show import widgets_tuner

    corpus, questions, register = world
    panel = wb.widgets.tuner(corpus, questions[:5], actor=actor, register=register)
    assert panel.status.words == "Words(64) at depth 5: 5 questions"

    def refused(*_: object, **__: object) -> None:
        raise QueryRefused("A query is text.")

    monkeypatch.setattr(widgets_tuner, "sweep", refused)
    panel.depth.value = 20
    assert "A query is text." in panel.status.value
    assert "What to do:" in panel.status.value
    assert not any(widget.value for widget in (panel.numbers, panel.changes, panel.curve, panel.left, panel.right))


def test_a_page_finds_its_parts_by_their_classes(world, actor) -> None:
    corpus, questions, register = world
    panel = wb.widgets.tuner(corpus, questions[:2], actor=actor, register=register)
    found = {name for widget in widgets_in(panel) for name in widget._dom_classes}
    wanted = "kind size share depth question numbers curve changes before now status"
    assert found == {"wb-panel", "wb-status", "wb-tuner", *(f"wb-tuner-{name}" for name in wanted.split())}
