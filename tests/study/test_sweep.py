"""A sweep asks every question in its own context; binding the search to the decision is what the figures show."""

import pickle
from pathlib import Path

import polars as pl
import pytest

import workbench as wb
from workbench.intervals import Interval
from workbench.study.measures import RR, CorrectRefusal, Leak, Recall, WrongRevision
from workbench.study.questions import Gold, Question
from workbench.study.sweep import Setting, summary, sweep

MECHANIC = wb.Actor("werk-nord", {"wartung"})
SEAL = wb.Scope("pump-seal", "seal-torque", "C2", "EU")
MEASURES = [Recall(1), RR(), WrongRevision(3), Leak(3), CorrectRefusal()]


@pytest.fixture(scope="module")
def corpus(repo: Path) -> wb.Corpus:
    return wb.Corpus.read(repo / "data/pumps")


@pytest.fixture(scope="module")
def register(repo: Path) -> wb.Register:
    return wb.Register.read(repo / "data/pump-seal")


@pytest.fixture(scope="module")
def questions(corpus: wb.Corpus) -> list[Question]:
    found = []
    for at, document, torque in ((4, "manual-A", "40 Nm"), (6, "bulletin-B", "45 Nm"), (12, "manual-C", "50 Nm")):
        start = corpus.get(document).text.index(torque)
        gold = (Gold(document, Interval(start, start + len(torque))),)
        request = wb.Request(SEAL, at=at)
        found.append(Question(f"at-{at}", "Welches Anzugsmoment gilt (Nm)?", "answerable", gold, None, request))
    early = wb.Request(SEAL, at=-1)
    found.append(Question("early", "Welches Anzugsmoment gilt?", "unanswerable", (), None, early))
    return found


def test_bound_searches_cite_the_decided_revision_only(corpus, register, questions) -> None:
    rows = sweep(corpus, questions, actor=MECHANIC, register=register, cuts=[wb.Paragraphs()], measures=MEASURES)
    assert rows["Recall(1)"].to_list() == [1.0, 1.0, 1.0, None]
    assert rows["WrongRevision(3)"].to_list() == [0.0, 0.0, 0.0, None]
    assert rows["CorrectRefusal()"].to_list() == [None, None, None, 1.0]
    assert rows["outcome"].to_list() == ["hits", "hits", "hits", "UNAVAILABLE"]


def test_unbound_searches_are_shown_to_cite_wrong_revisions(corpus, register, questions) -> None:
    rows = sweep(
        corpus, questions, actor=MECHANIC, register=register, bind=False, cuts=[wb.Paragraphs()], measures=MEASURES
    )
    assert rows["WrongRevision(3)"].to_list() == [1.0, 1.0, 1.0, None]


def test_hidden_gold_makes_a_question_unanswerable_and_nothing_leaks(corpus, questions) -> None:
    visitor = wb.Actor("werk-nord", {"leitung"})
    rows = sweep(corpus, questions, actor=visitor, cuts=[wb.Words(5)], measures=MEASURES)
    assert rows["answerable"].to_list() == [False] * 4
    assert rows["Recall(1)"].null_count() == 4
    assert rows["Leak(3)"].to_list() == [0.0] * 4


def test_a_persona_goes_before_the_sweeps_actor(corpus, questions) -> None:
    from dataclasses import replace

    own = [replace(question, persona=wb.Actor("werk-fremd", {"x"}), request=None) for question in questions]
    rows = sweep(corpus, own, actor=MECHANIC, cuts=[wb.Paragraphs()], measures=[Recall(1)])
    assert rows["outcome"].to_list() == ["no_hit"] * 4


def test_one_row_for_each_setting_and_question(corpus, register, questions) -> None:
    cuts = [wb.Paragraphs(), wb.Words(10), wb.Words(20, overlap=5)]
    rows = sweep(
        corpus, questions, actor=MECHANIC, register=register, cuts=cuts, measures=MEASURES, depth=[1, 5], match="all"
    )
    assert rows.height == len(cuts) * 2 * len(questions)
    table = summary(rows)
    assert table.height == 6
    assert table["questions"].to_list() == [4] * 6
    assert table["refused"].to_list() == [1] * 6
    mean = rows.filter(pl.col("cut") == "Words(10)", pl.col("depth") == 5)["Recall(1)"].mean()
    assert table.filter(pl.col("cut") == "Words(10)", pl.col("depth") == 5)["Recall(1)"].item() == mean


def test_the_order_of_work_does_not_matter(corpus, questions) -> None:
    cuts = [wb.Words(n) for n in (5, 10, 20)]

    def backwards(run, settings):
        return reversed([run(setting) for setting in reversed(settings)])

    plain = sweep(corpus, questions, actor=MECHANIC, cuts=cuts, measures=MEASURES)
    assert plain.equals(sweep(corpus, questions, actor=MECHANIC, cuts=cuts, measures=MEASURES, apply=backwards))


def test_nothing_to_sweep_is_refused(corpus, questions) -> None:
    for cuts, measures in (([], MEASURES), ([wb.Paragraphs()], [])):
        with pytest.raises(ValueError, match="at least one"):
            sweep(corpus, questions, actor=MECHANIC, cuts=cuts, measures=measures)


@pytest.mark.parametrize("analyzer", [wb.Identity(), wb.German(), wb.German(compounds=True)], ids=repr)
def test_with_an_analyzer_it_finds_what_the_analyzer_s_search_finds(corpus, register, questions, analyzer) -> None:
    asked = [Question(q.id, "Welche Anzugsmomente gelten?", q.kind, q.gold, q.persona, q.request) for q in questions]
    common = {"actor": MECHANIC, "register": register, "measures": MEASURES}
    swept = sweep(corpus, asked, cuts=[wb.Words(8)], analyzer=analyzer, **common)
    ways = wb.side_by_side(corpus, asked, ways={"Words(8)": wb.Analyzed(10, analyzer)}, cut=wb.Words(8), **common)
    assert swept.equals(ways)
    plain = sweep(corpus, asked, cuts=[wb.Words(8)], **common)
    assert (swept["outcome"].to_list() == plain["outcome"].to_list()) is isinstance(analyzer, wb.Identity)


def test_an_analyzer_names_its_setting_and_travels() -> None:
    """A run on disk never takes another analyzer's rows for its own; a cluster makes the analyzer anew."""
    one, other = (Setting(wb.Paragraphs(), 10, "any", analyzer) for analyzer in (wb.German(), None))
    assert "German()" in repr(one)
    assert repr(one) != repr(other)
    assert repr(pickle.loads(pickle.dumps(one))) == repr(one)
