"""The index on disk: used where it is of exactly these documents, refused where it is damaged, whole after a crash."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.evidence import cases, views
from workbench.contract import Actor, Document
from workbench.errors import InputError
from workbench.evidence import fts, store, upkeep
from workbench.evidence.building import build
from workbench.evidence.corpus import Corpus

ACTOR = Actor("nord", {"wartung"})
REPO = Path(__file__).resolve().parents[2]


def documents(random, count=6):
    return [
        Document(f"d{n}", "nord", frozenset({"wartung", f"g{n % 3}"}), "1", "freigabe " + cases.random_text(random, 60))
        for n in range(count)
    ]


@pytest.fixture
def folder(tmp_path):
    corpus = Corpus(documents(Random(1)))
    corpus.save(tmp_path / "c")
    return tmp_path / "c"


def mapped(corpus):
    """Whether the corpus uses an index from disk."""
    return "index" in corpus.state.__dict__


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_saved_and_read_again(tmp_path, suffix):
    random = Random(suffix)
    first = documents(random)
    upkeep._write_table(tmp_path / f"documents{suffix}", first)
    corpus = Corpus.read(tmp_path)
    assert not mapped(corpus)
    corpus.replace(replace(first[0], version="2", text='neu\r\n\r\n"neu"; \x00 ü'))
    corpus.remove("d1")
    corpus.regroup("d2", {"wartung", "semi;kolon"} if suffix != ".csv" else {"wartung"})
    assert corpus.save() == tmp_path / f"documents{suffix}"
    again = Corpus.read(tmp_path)
    assert mapped(again)
    assert again.documents == corpus.documents
    assert again.state.archive == corpus.state.archive != {}
    view = again.view(ACTOR)
    for query in ("freigabe", "a b", "zwei", "a\u19b0b"):
        assert view.rank(query, 20, "any") == fts.rank(view, query, 20, "any")
        assert view.rank(query, 20) == corpus.view(ACTOR).rank(query, 20)


def test_equal_to_a_fresh_table_from_disk_through_changes(tmp_path):
    random = Random(5)
    for number in range(8):
        corpus = Corpus(documents(random))
        corpus.save(tmp_path / str(number))
        for _ in range(3):
            corpus = Corpus.read(tmp_path / str(number))
            assert mapped(corpus)
            for _ in range(2):
                views.compare(random, views.view(random, corpus), questions=3)
            corpus.add(
                Document(
                    f"n{random.random()}", "nord", frozenset({"wartung"}), "1", "neu a " + cases.random_text(random, 9)
                )
            )
            corpus.remove(random.choice([d.id for d in corpus.documents]))
            views.compare(random, views.view(random, corpus), questions=3)
            corpus.save()


def test_built_in_advance(folder):
    for path in (folder / ".index").iterdir():
        path.unlink()
    said = []
    path = build(folder, progress=said.append)
    assert path.is_file()
    assert said[0] == "reading the documents"
    assert mapped(Corpus.read(folder))


def test_an_index_of_other_documents_is_not_used(folder):
    table = folder / "documents.jsonl"
    table.write_text(table.read_text().replace("freigabe", "Freigabe", 1))
    corpus = Corpus.read(folder)
    assert not mapped(corpus)
    views.compare(Random(1), corpus.view(ACTOR))


def outcome(folder, random):
    try:
        corpus = Corpus.read(folder)
        views.compare(random, corpus.view(ACTOR), questions=1)
        return corpus.view(ACTOR).rank("freigabe a", 99, "any")
    except InputError as error:
        return error


@pytest.mark.parametrize("kind", ["segment", "index"])
@pytest.mark.parametrize("how", ["cut", "empty", "flip"])
def test_a_damaged_file_is_reported(folder, kind, how):
    random = Random(f"{kind}{how}")
    [path] = (folder / ".index").glob(f"*.{kind}")
    raw = path.read_bytes()
    wanted = Corpus.read(folder).view(ACTOR).rank("freigabe a", 99, "any")
    for _ in range(60):
        at = random.randrange(len(raw))
        broken = {"cut": raw[:at], "empty": b"", "flip": raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]}[how]
        path.write_bytes(broken)
        found = outcome(folder, random)
        if isinstance(found, InputError):
            assert path.name in str(found)
            assert "workbench index" in str(found)
        else:
            # A bit that holds nothing (between two arrays), or one that this search did not need.
            assert how == "flip"
            assert found == wanted
    path.write_bytes(b"")
    with pytest.raises(InputError):
        Corpus.read(folder)
    build(folder)
    assert Corpus.read(folder).view(ACTOR).rank("freigabe a", 99, "any") == wanted


def test_another_format_or_tokenizer_is_refused(folder, monkeypatch):
    for name, value in [("FORMAT", 2), ("MADE_WITH", "porter, SQLite 9")]:
        with monkeypatch.context() as patch:
            patch.setattr(store, name, value)
            patch.setattr(upkeep, name, value)
            with pytest.raises(InputError, match="another format or tokenizer"):
                Corpus.read(folder)


def test_a_writer_that_knows_an_old_state_is_refused(folder):
    first, second = Corpus.read(folder), Corpus.read(folder)
    first.remove("d1")
    first.save()
    second.remove("d2")
    with pytest.raises(InputError, match="somebody else"):
        second.save()
    assert [d.id for d in Corpus.read(folder).documents] == ["d0", "d2", "d3", "d4", "d5"]
    first.remove("d2")
    first.save()
    with pytest.raises(InputError, match="somebody else"):
        Corpus([]).save(folder)


def test_what_could_not_be_read_back_is_not_written(tmp_path):
    one = Document("a", "nord", frozenset({"wartung"}), "1", "Eins")
    for wrong in (replace(one, text=" "), replace(one, id=""), replace(one, groups=frozenset())):
        with pytest.raises(InputError):
            Corpus([wrong]).save(tmp_path / "c")
    with pytest.raises(InputError, match="no folder yet"):
        Corpus([one]).save()


def test_old_states_make_room(folder):
    for number in range(5):
        corpus = Corpus.read(folder)
        corpus.add(Document(f"n{number}", "nord", frozenset({"wartung"}), "1", f"neu {number}"))
        corpus.save()
    names = sorted(path.suffix for path in (folder / ".index").iterdir())
    assert names.count(".index") == upkeep.KEPT
    named = {e["file"] for p in (folder / ".index").glob("*.index") for e in json.loads(p.read_bytes()[65:])["parts"]}
    assert named == {path.name for path in (folder / ".index").glob("*.segment")}
    assert mapped(Corpus.read(folder))


WRITER = """
import sys
from workbench.contract import Document
from workbench.evidence.corpus import Corpus
corpus = Corpus.read(sys.argv[1])
number = len(corpus)
print("ready", flush=True)
while True:
    corpus.add(Document(f"w{number}", "nord", frozenset({"wartung"}), "1", f"freigabe nummer {number}"))
    corpus.save()
    number += 1
"""


def killed_at_random_points(folder, points, random):
    """Kill a writer again and again; after each time every document up to the last is there and the search is right."""
    before = len(Corpus.read(folder))
    for _ in range(points):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, cwd=REPO, env=os.environ
        )
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(random.uniform(0, 0.05))  # the random point, no waiting for anything
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        corpus = Corpus.read(folder)
        assert len(corpus) >= before
        assert {d.id for d in corpus.documents} >= {f"w{number}" for number in range(6, len(corpus))}
        assert mapped(corpus)
        view = corpus.view(ACTOR)
        assert view.rank("freigabe nummer", 10, "any") == fts.rank(view, "freigabe nummer", 10, "any")
        before = len(corpus)
    return before


def test_a_killed_writer_leaves_the_last_committed_state(folder):
    killed_at_random_points(folder, 10, Random(3))


READER = """
import sys, time
from workbench.contract import Actor
from workbench.evidence.corpus import Corpus
end = time.monotonic() + float(sys.argv[2])
view_of = Actor("nord", {"wartung"})
while time.monotonic() < end:
    corpus = Corpus.read(sys.argv[1])
    hits = corpus.view(view_of).rank("freigabe nummer", 5, "any")
    print(corpus.digest, [(h.document_id, h.paragraph, h.score) for h in hits], flush=True)
"""


def readers_beside_a_writer(folder, *, readers, seconds):
    """Readers in processes of their own while a writer commits: each answer is right for a committed state."""
    said = [folder.parent / f"reader{number}.txt" for number in range(readers)]
    processes = []
    for path in said:
        with path.open("wb") as file:
            command = [sys.executable, "-c", READER, str(folder), str(seconds)]
            processes.append(subprocess.Popen(command, stdout=file, cwd=REPO))
    corpus, random = Corpus.read(folder), Random(4)
    wanted = {corpus.digest: reference(corpus)}
    number = 0
    while any(process.poll() is None for process in processes):
        number += 1
        corpus.add(Document(f"w{number}", "nord", frozenset({"wartung"}), "1", f"freigabe nummer {number}"))
        if number % 3 == 0:
            corpus.regroup(random.choice([d.id for d in corpus.documents]), {random.choice(["wartung", "leitung"])})
        if number > 20:
            corpus.remove(random.choice([d.id for d in corpus.documents]))
        wanted[corpus.digest] = reference(corpus)
        corpus.save()
    answers = 0
    for process, path in zip(processes, said, strict=True):
        for line in path.read_text().splitlines():
            digest, _, found = line.partition(" ")
            assert wanted[digest] == found
            answers += 1
        assert process.returncode == 0
    return answers, number


def reference(corpus):
    hits = fts.rank(corpus.view(ACTOR), "freigabe nummer", 5, "any")
    return str([(h.document_id, h.paragraph, h.score) for h in hits])


def test_readers_see_committed_states_only(folder):
    answers, commits = readers_beside_a_writer(folder, readers=2, seconds=5)
    assert answers > 5
    assert commits > 5
