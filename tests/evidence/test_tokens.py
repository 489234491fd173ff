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


def by_offsets(texts):
    """What FTS5's tokenizer hands out of each text: the code point at which each token begins, and the token."""
    name, *arguments = TOKENIZER.split()
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer(name, arguments)
    found = []
    for text in texts:
        raw = text.encode("utf-8")
        tokens_ = tokenizer(raw, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
        begins = np.cumsum((np.frombuffer(raw + b" ", np.uint8) & 0xC0) != 0x80) - 1
        starts = begins[[start for start, _, _ in tokens_]].tolist() if tokens_ else []
        found.append(list(zip(starts, (token for _, _, token in tokens_), strict=True)))
    return found


def by_scan(texts):
    """The same from a scan."""
    scan = tokens.scan(texts)
    begins = np.cumsum([0, *(len(text) + 1 for text in texts)])
    places = np.searchsorted(scan.start, begins).tolist()
    found = list(zip(scan.start.tolist(), (scan.vocabulary[n] for n in scan.term), strict=True))
    ranges = zip(begins.tolist(), places, places[1:], strict=False)
    return [[(start - begin, token) for start, token in found[low:high]] for begin, low, high in ranges]


def words_of(found):
    return [[token for _, token in each] for each in found]


@pytest.mark.parametrize("frame", ["{}", "a{}b", "a{0}{0}"])
def test_every_code_point(frame):
    for first in range(0, len(POINTS), 200_000):
        texts = [" ".join(frame.format(point) for point in POINTS[first : first + 200_000])]
        assert by_scan(texts) == by_offsets(texts)


def test_a_hundred_thousand_random_strings():
    random = Random(1)
    some = [*(random.choice(POINTS) for _ in range(400)), *"abcäöüß \n-._0123\u0301\u0308\u0338" * 12]
    texts = ["".join(random.choices(some, k=random.randint(0, 12))) for _ in range(90_000)]
    texts += [cases.random_text(random, 6) for _ in range(10_000)]
    found = by_scan(texts)
    assert found == by_offsets(texts)
    some = slice(85_000, None)
    assert words_of(found)[some] == by_fts5(texts[some])


def test_where_a_token_begins_and_whether_it_goes_on():
    random = Random(3)
    for _ in range(500):
        text = cases.random_text(random, 8) + random.choice("\u0301\u0338x")
        for at, token in by_scan([text])[0]:
            assert tokens.terms(text[at:])[0] == token
        for at in range(len(text) + 1):
            if tokens.between_tokens(text, at):
                assert tokens.terms(text[:at]) + tokens.terms(text[at:]) == tokens.terms(text)
    assert not tokens.between_tokens("ab", 1)


def test_words_without_asking_fts5():
    text = "".join(map(chr, range(256)))
    for word in [
        *text,
        text,
        *re.findall("[a-zß-ÿ]", text),
        "a0zß9öÿ",
        "x" * 40_000,
        *("ü" * n for n in (16_384, 16_385)),
    ]:
        assert tokens.terms(word) == [tokens._cut(token) for token in words_of(by_offsets([word]))[0]]


def test_long_texts_are_cut_between_tokens(monkeypatch):
    monkeypatch.setattr(tokens, "CHUNK", 50)
    random = Random(2)
    texts = [cases.random_text(random, 200) for _ in range(50)] + ["", "x" * 500, "x" * 60 + " y"]
    assert by_scan(texts) == by_offsets(texts)


def test_kinds_that_do_not_fit_fts5s_tokens_are_noticed(monkeypatch):
    wrong = np.full(0x110000, tokens.SEPARATOR, np.uint8)
    monkeypatch.setattr(tokens, "_KINDS", wrong)
    with pytest.raises(AssertionError, match="other tokens"):
        tokens.scan(["Zwei Personen"])


@pytest.mark.parametrize("letter", ["x", "ü", "漢", "𝒳"])
def test_long_tokens_end_where_fts5_ends_them(letter):
    texts = [letter * n for n in (8_192, 8_193, 16_384, 16_385, 32_767, 32_768, 32_769, 40_000)]
    con = apsw.Connection(":memory:")
    con.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{TOKENIZER}')")
    con.executemany("INSERT INTO t VALUES (?)", ((text,) for text in texts))
    scan = tokens.scan(texts)
    assert len(scan.term) == len(texts) > len(scan.vocabulary)
    for text, number in zip(texts, scan.term.tolist(), strict=True):
        found = {n for (n,) in con.execute("SELECT rowid FROM t WHERE t MATCH ?", (f'"{text}"',))}
        assert found == {i + 1 for i, other in enumerate(scan.term.tolist()) if other == number}


def test_a_word_of_a_million_letters_is_compared_as_a_whole() -> None:
    """It once was compared letter by letter, with a step for each."""
    text = "x" * 3_000_000 + " wort " + "x" * 2_999_999 + "y"
    corpus = wb.Corpus([wb.Document("a", "t", {"g"}, "1", text)])
    [hit] = corpus.view(wb.Actor("t", {"g"})).search("wort")
    assert hit.quote == text
