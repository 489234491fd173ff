import sqlite3
from random import Random

import pytest

from tests.evidence import cases
from workbench.contract import Actor, Document
from workbench.evidence import fts
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs, Words

ACTOR = Actor("nord", {"wartung"})


def by_hand(texts, words, join, depth):
    """A hand-written FTS5 table over (document, number, text)."""
    con = sqlite3.connect(":memory:")
    con.execute(
        "CREATE VIRTUAL TABLE t USING fts5(d UNINDEXED, n UNINDEXED, x, tokenize='unicode61 remove_diacritics 0')"
    )
    con.executemany("INSERT INTO t VALUES (?, ?, ?)", texts)
    found = con.execute(
        "SELECT d, n, bm25(t) FROM t WHERE t MATCH ? ORDER BY 3, 1, 2 LIMIT ?",
        (join.join(f'"{word}"' for word in words), depth),
    ).fetchall()
    con.close()
    return found


@pytest.mark.parametrize("engine", [fts.APSW, fts.STANDARD], ids=["apsw", "sqlite3"])
@pytest.mark.parametrize("match", ["all", "any"])
def test_rank_equals_a_hand_written_table(engine, match):
    random = Random(f"{engine.name}{match}")
    for _ in range(150):
        documents = [
            Document(name, "nord", frozenset({"wartung"}), "1", cases.random_text(random, 40))
            for name in random.sample(cases.IDS, random.randint(1, 5))
        ]
        cut = random.choice([Paragraphs(), Words(5), Words(7, overlap=3)])
        view = Corpus(documents).view(ACTOR).cut(cut)
        texts = [(d.id, p.number, d.text[p.start : p.end]) for d in documents for p in cut.passages(d.text)]
        words = random.sample(["zwei", "freigabe", "a", "b", "c", "für", "straße", "2024"], random.randint(1, 5))
        depth = random.choice([1, 3, 10, 1000])
        hits = fts.rank(view, " ".join(words), depth, match, engine=engine)
        wanted = by_hand(texts, words, " AND " if match == "all" else " OR ", depth)
        assert [(h.document_id, h.paragraph, h.score) for h in hits] == wanted


def test_a_thousand_words_are_no_trouble():
    text = " ".join(f"w{number}" for number in range(1_000))
    view = Corpus([Document("a", "nord", frozenset({"wartung"}), "1", text)]).view(ACTOR)
    assert len(view.rank(text, match="all")) == len(view.rank(text + "", match="any")) == 1
    assert len(view.rank("x" * 10_000, match="any")) == 0


def test_engines_say_their_version():
    assert fts.STANDARD.version == sqlite3.sqlite_version
    assert fts.APSW.version.count(".") == 2
    assert [fts.APSW.name, fts.STANDARD.name] == ["apsw", "sqlite3"]


def test_operators_are_words():
    corpus = Corpus([Document("a", "nord", frozenset({"wartung"}), "1", "rot\n\nblau\n\nrot or blau not near")])
    view = corpus.view(ACTOR)
    assert [h.paragraph for h in view.search("rot OR blau")] == [3]
    assert [h.paragraph for h in view.search("rot NOT blau")] == [3]
    assert view.search("ro*") == []
    assert view.search("body : rot") == []
    assert [h.paragraph for h in view.search('NEAR("rot" "blau")')] == [3]
