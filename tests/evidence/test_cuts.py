import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence import cases
from workbench.evidence.cuts import Cut, Paragraphs, Passage, Words
from workbench.evidence.labels import parse
from workbench.intervals import Interval

sizes = st.integers(1, 9).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


@given(cases.texts)
def test_paragraphs_are_those_of_the_whole_text(text):
    parts = dict(enumerate(text.split("\n\n"), 1))
    found = {p.number: text[p.start : p.end] for p in Paragraphs().passages(text)}
    assert found == {number: part for number, part in parts.items() if part.strip()}
    every = [Paragraphs().passage(text, number) for number in parts]
    assert [text[p.start : p.end] for p in every if p] == list(parts.values())
    assert Paragraphs().passage(text, 0) is None
    assert Paragraphs().passage(text, len(parts) + 1) is None


def test_paragraphs_of_spans_keep_their_numbers_and_stay_inside():
    text = "eins\n\nzwei\n\ndrei\n\nvier"
    spans = (Interval(6, 12), Interval(13, 22))
    assert list(Paragraphs().passages(text, spans)) == [Passage(2, 6, 10), Passage(4, 18, 22)]
    assert Paragraphs().passage(text, 3, spans) is None
    assert list(Paragraphs().passages(text, ())) == []
    assert list(Paragraphs().passages(text, (Interval(0, 8), Interval(8, 22)))) == [
        Passage(1, 0, 4),
        Passage(3, 12, 16),
        Passage(4, 18, 22),
    ]
    assert Paragraphs().passage(text, 2, (Interval(6, 9),)) is None


@given(cases.texts, sizes)
def test_windows_are_runs_of_words(text, size):
    cut = Words(size[0], overlap=size[1])
    words, step = text.split(), size[0] - size[1]
    found = list(cut.passages(text))
    for index, passage in enumerate(found):
        first = index * step
        assert text[passage.start : passage.end].split() == words[first : first + size[0]]
        assert passage.number == index + 1
        assert cut.passage(text, passage.number) == passage
    covered = [word for index in range(len(found)) for word in words[index * step : index * step + size[0]][:step]]
    assert (covered + words[len(covered) :])[: len(words)] == words
    assert bool(found) == bool(words)
    if found:
        last = (len(found) - 1) * step
        assert last + size[0] >= len(words)
        assert len(found) == 1 or last - step + size[0] < len(words)
    assert cut.passage(text, 0) is None
    assert cut.passage(text, len(found) + 1) is None


def test_windows_do_not_reach_from_one_span_into_the_next():
    text = "a b c d e f"
    spans = (Interval(0, 5), Interval(6, 11))
    found = [(p.number, text[p.start : p.end]) for p in Words(2).passages(text, spans)]
    assert found == [(1, "a b"), (2, "c"), (3, "d e"), (4, "f")]


@pytest.mark.parametrize("size", [(0, 0), (-1, 0), (True, 0), (2.0, 0), (3, 3), (3, 4), (3, -1), (3, True), ("3", 0)])
def test_bad_sizes_are_refused(size):
    with pytest.raises(ValueError, match="whole number"):
        Words(size[0], overlap=size[1])


@given(sizes)
def test_a_label_is_read_back(size):
    cut = Words(size[0], overlap=size[1])
    assert parse(repr(cut)) == cut
    assert isinstance(cut, Cut)


@pytest.mark.parametrize(
    "label",
    [
        *("", "Paragraphs", "Paragraphs( )", "Words()", "Words(3, overlap=0)", "Words(03)", "Words(3, 1)", "Words(²)"),
        *(
            "Words(3) ",
            "Words(3, overlap=3)",
            "Words(" + "9" * 5000 + ")",
            "__import__('os')",
            None,
            3,
            b"Paragraphs()",
        ),
    ],
)
def test_other_labels_name_nothing(label):
    assert parse(label) is None


def test_labels_as_they_are_written():
    assert [repr(Paragraphs()), repr(Words(120, overlap=20)), repr(Words(3))] == [
        "Paragraphs()",
        "Words(120, overlap=20)",
        "Words(3)",
    ]
    assert re.fullmatch(r"Words\(3\)", repr(parse("Words(3)")))
