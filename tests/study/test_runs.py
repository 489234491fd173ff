"""A run keeps what is done, goes on from there, and never takes an old result for a new input."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import workbench as wb
from workbench.errors import InputError
from workbench.study import runs
from workbench.study.measures import RR, Recall
from workbench.study.questions import Gold, Question
from workbench.study.runs import open_run
from workbench.study.sweep import Setting, sweep

MECHANIC = wb.Actor("werk-nord", {"wartung"})
CUTS = [wb.Words(n) for n in (5, 10, 20)]
SETTINGS = [Setting(cut, 10, "any") for cut in CUTS]
QUESTIONS = (Question("q", "zwei Personen", "answerable", (Gold("ablauf", (0, 10)),)),)


@pytest.fixture(scope="module")
def corpus(repo: Path) -> wb.Corpus:
    return wb.Corpus.read(repo / "data/pumps")


def opened(folder: Path, corpus: wb.Corpus, **changes: object) -> runs.Run:
    given = {"actor": MECHANIC, "register": None, "measures": [RR()], "questions": QUESTIONS, **changes}
    return open_run(folder, corpus, given.pop("questions"), **given)


def swept(run: runs.Run, corpus: wb.Corpus, apply=None) -> pl.DataFrame:
    return sweep(corpus, QUESTIONS, actor=MECHANIC, cuts=CUTS, measures=[RR()], apply=apply or run.apply())


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, corpus: wb.Corpus) -> None:
    run = opened(tmp_path, corpus)
    done: list[str] = []

    def stopping(work, settings):
        def counted(setting):
            if len(done) == 2:
                raise KeyboardInterrupt
            done.append(repr(setting))
            return work(setting)

        return run.apply()(counted, settings)

    with pytest.raises(KeyboardInterrupt):
        swept(run, corpus, stopping)
    assert run.done(SETTINGS) == 2
    again = opened(tmp_path, corpus)
    assert again.digest == run.digest
    worked: list[str] = []

    def watched(work, settings):
        return again.apply()(lambda setting: worked.append(repr(setting)) or work(setting), settings)

    rows = swept(again, corpus, watched)
    assert worked == [repr(SETTINGS[2])]
    assert rows.equals(sweep(corpus, QUESTIONS, actor=MECHANIC, cuts=CUTS, measures=[RR()]))
    assert pl.read_parquet(again.finish(rows)).equals(rows)


def test_every_input_counts(tmp_path: Path, corpus: wb.Corpus, repo: Path) -> None:
    register = wb.Register.read(repo / "data/pump-seal")
    fewer = wb.Corpus(corpus.documents[1:])
    base = opened(tmp_path, corpus)
    others = [
        opened(tmp_path, fewer),
        opened(tmp_path, corpus, questions=(replace(QUESTIONS[0], text="drei Personen"),)),
        opened(tmp_path, corpus, questions=(replace(QUESTIONS[0], gold=(Gold("ablauf", (0, 11)),)),)),
        opened(tmp_path, corpus, actor=wb.Actor("werk-nord", {"leitung"})),
        opened(tmp_path, corpus, register=register),
        opened(tmp_path, corpus, measures=[RR(), Recall(5)]),
        opened(tmp_path, corpus, bind=False),
        opened(tmp_path, corpus, now="2026-01-01T00:00:00Z"),
    ]
    assert len({run.digest for run in (base, *others)}) == len(others) + 1
    swept(base, corpus)
    assert base.done(SETTINGS) == 3
    assert [run.done(SETTINGS) for run in others] == [0] * len(others)


def test_other_code_is_another_run(tmp_path: Path, corpus: wb.Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    base = opened(tmp_path, corpus)
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setattr(runs, "CODE", code)
    one = opened(tmp_path, corpus)
    (code / "a.py").write_text("x = 2\n", encoding="utf-8")
    assert len({base.digest, one.digest, opened(tmp_path, corpus).digest}) == 3


def test_the_record_names_its_inputs(tmp_path: Path, corpus: wb.Corpus) -> None:
    run = opened(tmp_path, corpus)
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record.pop("digest") == run.digest
    assert record == run.record
    assert record["corpus"] == corpus.digest


def test_a_damaged_setting_is_reported_and_not_counted_as_empty(tmp_path: Path, corpus: wb.Corpus) -> None:
    run = opened(tmp_path, corpus)
    swept(run, corpus)
    path = next((tmp_path / "settings").glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(InputError, match="delete this file"):
        swept(run, corpus)


def test_a_finished_result_is_not_replaced(tmp_path: Path, corpus: wb.Corpus) -> None:
    run = opened(tmp_path, corpus, settings=SETTINGS[:2])
    rows = sweep(corpus, QUESTIONS, actor=MECHANIC, cuts=CUTS[:2], measures=[RR()], apply=run.apply())
    kept = run.finish(rows).read_bytes()
    opened(tmp_path, corpus, settings=SETTINGS[:2])  # the same again, and with more
    opened(tmp_path, corpus, settings=SETTINGS)
    for changes in ({"settings": SETTINGS[:1]}, {"settings": SETTINGS, "measures": [Recall(5)]}):
        with pytest.raises(InputError, match="finished result of other inputs or settings"):
            opened(tmp_path, corpus, **changes)
    assert (tmp_path / "rows.parquet").read_bytes() == kept
