"""The tokens are FTS5's own: at every code point, and in random strings."""

import re
from random import Random

import apsw
import numpy as np
import pytest

import workbench as wb
from tests.evidence import cases
from workbench.evidence import tokens
from workbench.evidence.fts import TOKENIZER

POINTS = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def by_fts5(texts):
    """What an FTS5 table itself holds of each text: its terms in their order."""
    con = apsw.Connection(":memory:")
    con.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{TOKENIZER}')")
    con.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    con.execute("BEGIN")
    con.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", enumerate(texts))
    con.execute("COMMIT")
    found = [[] for _ in texts]
    for term, row, offset in con.execute("SELECT term, doc, offset FROM v"):
        found[row].append((offset, term))
    con.close()
    return [[term for _, term in sorted(each)] for each in found]


def texts_of(scan):
    terms = [scan.vocabulary[number] for number in scan.term]
    ends = np.cumsum(scan.counts).tolist()
    return [terms[end - count : end] for end, count in zip(ends, scan.counts.tolist(), strict=True)]


@pytest.mark.parametrize("frame", ["{}", "a{}b", "a{0}{0}"])
def test_every_code_point(frame):
    for first in range(0, len(POINTS), 200_000):
        texts = [" ".join(frame.format(point) for point in POINTS[first : first + 200_000])]
        table, fts5 = tokens.scan_by_table(texts), tokens.scan_by_fts5(texts)
        assert np.array_equal(table.counts, fts5.counts)
        assert np.array_equal(table.start, fts5.start)
        assert [table.vocabulary[n] for n in table.term] == [fts5.vocabulary[n] for n in fts5.term]


def test_a_hundred_thousand_random_strings():
    random = Random(1)
    some = [*(random.choice(POINTS) for _ in range(400)), *"abcäöüß \n-._0123\u0301\u0308\u0338" * 12]
    texts = ["".join(random.choices(some, k=random.randint(0, 12))) for _ in range(90_000)]
    texts += [cases.random_text(random, 6) for _ in range(10_000)]
    table, fts5 = tokens.scan_by_table(texts), tokens.scan_by_fts5(texts)
    assert texts_of(table) == texts_of(fts5)
    assert np.array_equal(table.start, fts5.start)
    some = slice(85_000, None)
    assert texts_of(fts5)[some] == by_fts5(texts[some])


def test_where_a_token_begins_and_whether_it_goes_on():
    random = Random(3)
    for _ in range(500):
        text = cases.random_text(random, 8) + random.choice("\u0301\u0338x")
        found = tokens.scan_by_fts5([text])
        for at, term in zip(found.start.tolist(), found.term.tolist(), strict=True):
            assert tokens.terms(text[at:])[0] == found.vocabulary[term]
        for at in range(len(text) + 1):
            if tokens.between_tokens(text, at):
                assert tokens.terms(text[:at]) + tokens.terms(text[at:]) == tokens.terms(text)
    assert not tokens.between_tokens("ab", 1)


def test_words_of_ascii():
    text = "".join(map(chr, range(128)))
    words = [*re.findall("[A-Za-z0-9]", text), "Aa0Zz9", "x" * 40_000, "x" * 32_768, "X" * 32_769]
    for word in words:
        scan = tokens.scan_by_fts5([word])
        assert tokens.terms(word) == [scan.vocabulary[number] for number in scan.term]


def test_long_texts_are_cut_between_tokens(monkeypatch):
    monkeypatch.setattr(tokens, "CHUNK", 50)
    random = Random(2)
    texts = [cases.random_text(random, 200) for _ in range(50)] + ["", "x" * 500, "x" * 60 + " y"]
    table, fts5 = tokens.scan_by_table(texts), tokens.scan_by_fts5(texts)
    assert texts_of(table) == texts_of(fts5)
    assert np.array_equal(table.start, fts5.start)


def test_equal_hashes_are_told_apart(monkeypatch):
    monkeypatch.setattr(tokens, "_hashes", lambda _folded, _first, length: length.astype(np.uint64))
    monkeypatch.setattr(tokens, "CHUNK", 50)
    texts = ["zwei " * 11, "eins " * 11, "zwei Personen eins drei vier zwei", "drei zwei eins " * 20]
    assert texts_of(tokens.scan_by_table(texts)) == texts_of(tokens.scan_by_fts5(texts))


@pytest.mark.parametrize("letter", ["x", "ü", "漢", "𝒳"])
def test_long_tokens_end_where_fts5_ends_them(letter):
    texts = [letter * n for n in (8_192, 8_193, 16_384, 16_385, 32_767, 32_768, 32_769, 40_000)]
    con = apsw.Connection(":memory:")
    con.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{TOKENIZER}')")
    con.executemany("INSERT INTO t VALUES (?)", ((text,) for text in texts))
    for scan in (tokens.scan_by_table(texts), tokens.scan_by_fts5(texts)):
        same = [[scan.term[i] == scan.term[j] for i in range(len(texts))] for j in range(len(texts))]
        for text, row in zip(texts, same, strict=True):
            found = {n for (n,) in con.execute("SELECT rowid FROM t WHERE t MATCH ?", (f'"{text}"',))}
            assert found == {i + 1 for i, equal in enumerate(row) if equal}


def test_a_word_of_a_million_letters_is_compared_as_a_whole() -> None:
    """It once was compared letter by letter, with a step for each."""
    text = "x" * 3_000_000 + " wort " + "x" * 2_999_999 + "y"
    corpus = wb.Corpus([wb.Document("a", "t", {"g"}, "1", text)])
    [hit] = corpus.view(wb.Actor("t", {"g"})).search("wort")
    assert hit.quote == text
