"""Cuts that follow the text: slices in order on word borders, covering every word, ending on any input."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workbench.evidence.cuts import Words
from workbench.evidence.labels import parse
from workbench.evidence.sentences import sentences
from workbench.evidence.structure import Characters, Headings, Recursive, Sentences, headings
from workbench.intervals import Interval

SIZES = st.integers(1, 6)
CUTS = st.one_of(
    st.builds(lambda size, part: Words(size, overlap=part % size), SIZES, SIZES),
    st.builds(lambda size, part: Sentences(size, overlap=part % size), SIZES, SIZES),
    st.builds(lambda size, part: Characters(size * 5, overlap=part % (size * 5)), SIZES, st.integers(0, 40)),
    st.builds(Recursive, SIZES),
    st.builds(Headings, st.one_of(st.none(), SIZES)),
)
PIECES = st.sampled_from(
    [
        *("Die Welle prüfen. ", "z. B. ", "am 3. Mai ", "Nr. 5 ", "1.2 Titel\n", "# Kopf\n", "\n\n", "\r\n", "\n \n"),
        *("\t", "\u00a0", "\u2028", "😀 ", "e\u0301 ", "Wort", " Wort ", "...", "!? ", "40 Nm", "\u00ad", "  "),
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)


@given(TEXTS, CUTS)
@example("", Words(1))
@example("a", Characters(1))
def test_passages_are_ordered_slices_that_cover_every_word(text: str, cut) -> None:
    passages = list(cut.passages(text))
    assert [p.number for p in passages] == list(range(1, len(passages) + 1))
    covered: set[int] = set()
    for before, after in zip([None, *passages], passages, strict=False):
        assert 0 <= after.start < after.end <= len(text)
        assert not text[after.start].isspace()
        assert not text[after.end - 1].isspace()
        assert before is None or (before.start < after.start and before.end < after.end)
        covered.update(range(after.start, after.end))
    assert all(text[at].isspace() for at in set(range(len(text))) - covered)


@given(TEXTS, CUTS)
def test_no_border_lies_within_a_word(text: str, cut) -> None:
    for passage in cut.passages(text):
        assert passage.start == 0 or text[passage.start - 1].isspace()
        assert passage.end == len(text) or text[passage.end].isspace()


@given(TEXTS, CUTS)
def test_without_overlap_nothing_stands_twice(text: str, cut) -> None:
    passages = list(cut.passages(text))
    if getattr(cut, "overlap", 0) == 0:
        assert all(a.end <= b.start for a, b in itertools.pairwise(passages))


@given(TEXTS, CUTS)
def test_a_label_names_its_cut_and_a_number_its_passage(text: str, cut) -> None:
    assert parse(repr(cut)) == cut
    passages = list(cut.passages(text))
    assert [cut.passage(text, p.number) for p in passages] == passages
    assert cut.passage(text, 0) is None
    assert cut.passage(text, len(passages) + 1) is None


@given(st.integers(1, 8), st.integers(0, 60), TEXTS)
def test_sizes_hold(size: int, overlap: int, text: str) -> None:
    for passage in Recursive(size).passages(text):
        assert len(text[passage.start : passage.end].split()) <= size
    width = size * 10
    for passage in Characters(width, overlap=overlap % width).passages(text):
        slice_ = text[passage.start : passage.end]
        assert len(slice_) <= width or len(slice_.split()) == 1


@given(TEXTS, CUTS, st.data())
def test_spans_are_cut_separately(text: str, cut, data) -> None:
    middle = data.draw(st.integers(0, len(text)))
    spans = (Interval(0, middle), Interval(middle, len(text)))
    passages = list(cut.passages(text, spans))
    assert [p.number for p in passages] == list(range(1, len(passages) + 1))
    assert all(any(s.start <= p.start and p.end <= s.end for s in spans) for p in passages)


@pytest.mark.parametrize("make", [Words, Sentences, Characters])
@pytest.mark.parametrize("arguments", [(0,), (-1,), (True,), (3.0,), ("3",), (3, 3), (3, 4), (3, -1), (3, True)])
def test_nonsense_is_refused(make, arguments: tuple) -> None:
    with pytest.raises(ValueError, match="whole number"):
        make(*arguments)


@pytest.mark.parametrize("make", [Recursive, Headings])
@pytest.mark.parametrize("size", [0, -1, True, 2.5, "3"])
def test_nonsense_sizes_are_refused(make, size: object) -> None:
    with pytest.raises(ValueError, match="whole number"):
        make(size)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Am 3. Mai prüfen. Danach anziehen.", 2),
        ("Vgl. Abb. 4 und Tab. 2. Das Moment gilt nur kalt.", 2),
        ("Siehe Nr. 12. Die Welle steht.", 2),
        ("Der Dr. Ing. A. Muster prüft. Fertig.", 2),
        ("Öl, Fett usw. lagern. Kühl halten!", 2),
        ("Ist sie dicht? Ja! Gut.", 3),
        ("Ohne Punkt\n\nNächster Absatz", 2),
        ("Der Wert 1.500 U/min gilt. Max. 40 Nm.", 2),
        ("„Zuerst drehen.“ Danach prüfen.", 2),
        ("Die 2. Prüfung folgt. Die 3. entfällt.", 2),
        ("i. d. R. genügt das. o. Ä. ist verboten.", 1),
        ("Warten ... und weiter. Ende.", 3),
    ],
)
def test_german_sentences(text: str, wanted: int) -> None:
    assert len(list(sentences(text, 0, len(text)))) == wanted


def test_headings_inherit_their_path() -> None:
    parts = (
        "# Buch",
        "## Teil A\nEin Satz.",
        "### Kapitel\nNoch einer.",
        "## Teil B\n3 Schrauben anziehen.\n4.1 Moment\n40 Nm",
    )
    text = "\n\n".join(parts)
    assert [(level, title) for _, level, title in headings(text)] == [
        *((1, "# Buch"), (2, "## Teil A"), (3, "### Kapitel"), (2, "## Teil B"), (2, "4.1 Moment")),
    ]
    found = {text[p.start : p.end]: Headings().path(text, p.start) for p in Headings().passages(text)}
    assert found["### Kapitel\nNoch einer."] == ("# Buch", "## Teil A", "### Kapitel")
    assert found["## Teil B\n3 Schrauben anziehen."] == ("# Buch", "## Teil B")


def test_repeated_text_has_distinct_places() -> None:
    text = "gleich gleich gleich gleich"
    starts = [p.start for p in Words(1).passages(text)]
    assert len(set(starts)) == 4


def test_a_million_characters_without_a_space_end() -> None:
    text = "x" * 1_000_000
    for cut in (Characters(10, overlap=9), Recursive(3), Sentences(2), Headings(5)):
        assert [(p.start, p.end) for p in cut.passages(text)] == [(0, len(text))]
