"""The same sweep on a cluster: identical to serial, also when a worker is lost; refused in words where none answers."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import workbench as wb
from workbench.cli import main
from workbench.errors import InputError
from workbench.evidence.adapters import Chunk, Chunker
from workbench.evidence.cuts import Words
from workbench.study.runs import open_run
from workbench.study.sweep import Setting, sweep

distributed = pytest.importorskip("distributed")

MEASURES = [wb.Recall(10), wb.RR(), wb.NDCG(5), wb.SpanIoU(10), wb.GoldCut(), wb.WrongRevision(10), wb.Leak(10)]
CUTS = [wb.Words(40), wb.Paragraphs(), wb.Sentences(3, overlap=1), wb.Words(160, overlap=32)]
ACTOR = wb.Actor("grauwede", {"wartung"})


@dataclass(frozen=True, repr=False)
class Fatal(Words):
    """Words whose first use ends the process that works on them, as a machine that is switched off."""

    flag: str = ""

    def __repr__(self) -> str:
        return f"Words({self.size}, overlap={self.overlap})" if self.overlap else f"Words({self.size})"

    def passages(self, text, spans=None):
        try:
            os.close(os.open(self.flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return Words(self.size, overlap=self.overlap).passages(text, spans)
        os._exit(1)


@pytest.fixture(scope="module")
def world(repo: Path):
    corpus = wb.Corpus.read(repo / "data/handbooks")
    register = wb.Register.read(repo / "data/handbooks-register")
    return corpus, wb.read_questions(repo / "data/questions.jsonl"), register


@pytest.fixture(scope="module")
def client() -> Iterator[object]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def swept(world, **more):
    corpus, questions, register = world
    given = {"actor": ACTOR, "register": register, "cuts": CUTS, "measures": MEASURES, **more}
    return sweep(corpus, questions, **given)


@pytest.mark.parametrize("bind", [True, False])
def test_identical_to_serial(world, client, bind: bool) -> None:
    from workbench.stores.dask import spread

    assert swept(world, bind=bind, apply=spread(client)).equals(swept(world, bind=bind))


def test_a_lost_worker_costs_no_result(world, client, tmp_path: Path) -> None:
    from workbench.stores.dask import spread

    before = set(client.scheduler_info()["workers"])
    cuts = [Fatal(50, flag=str(tmp_path / "lost")), wb.Words(40)]
    rows = swept(world, cuts=cuts, apply=spread(client))
    assert (tmp_path / "lost").exists()
    assert before - set(client.scheduler_info()["workers"])
    assert rows.equals(swept(world, cuts=[wb.Words(50), wb.Words(40)]))


def test_what_is_done_is_kept_and_not_sent_again(world, client, tmp_path: Path) -> None:
    from workbench.stores.dask import spread

    corpus, questions, register = world
    run = open_run(tmp_path, corpus, questions, actor=ACTOR, register=register, measures=MEASURES)
    first = swept(world, cuts=CUTS[:2], apply=run.apply())
    sent: list[Setting] = []

    def watched(work, settings):
        sent.extend(settings)
        return spread(client)(work, settings)

    rows = swept(world, apply=run.apply(watched))
    assert [setting.cut for setting in sent] == CUTS[2:]
    assert rows.head(first.height).equals(first)
    assert rows.equals(swept(world))


def test_what_a_setting_raises_is_raised_here(world, client) -> None:
    from workbench.stores.dask import spread

    def bad(text: str):
        return [Chunk(0, len(text) + 1)]

    with pytest.raises(InputError, match="within the text"):
        swept(world, cuts=[Chunker("bad", bad)], apply=spread(client))


def test_the_command_line_uses_it(repo: Path, client, capsys: pytest.CaptureFixture) -> None:
    command = ["tune", str(repo / "data/handbooks"), str(repo / "data/questions.jsonl"), "--tenant", "grauwede"]
    command += ["--groups", "wartung", "--size", "50", "--json"]
    assert main(command) == 0
    serial = capsys.readouterr().out
    assert main([*command, "--scheduler", client.scheduler.address]) == 0
    assert capsys.readouterr().out == serial


def test_no_scheduler_is_said_in_one_line(
    repo: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.stores import dask

    monkeypatch.setattr(dask, "TIMEOUT", 1)
    command = ["tune", str(repo / "data/handbooks"), str(repo / "data/questions.jsonl"), "--tenant", "grauwede"]
    assert main([*command, "--groups", "wartung", "--scheduler", "tcp://127.0.0.1:9", "--json"]) == 2
    assert "no Dask scheduler answers" in capsys.readouterr().out
