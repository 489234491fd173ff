"""Layouts made by arithmetic hold the passages that the cut's own rule gives."""

from hypothesis import given
from hypothesis import strategies as st

from workbench.evidence.cuts import Paragraphs, Words
from workbench.evidence.layout import layout_of
from workbench.evidence.segment import segment_of
from workbench.evidence.structure import Sentences
from workbench.evidence.windows import units_of, windowed

PARTS = st.sampled_from(["\n", "\n\n", " ", "\t", "\xa0", "a", "Zwei.", "\0", "ü"])
TEXTS = st.lists(st.lists(PARTS, max_size=12).map("".join), max_size=6)


def rows(layout):
    """Document, passage and its words, as the layout has them."""
    documents = [layout.ids[d] for d in layout.document.tolist()]
    columns = (layout.number, layout.start, layout.end, layout.length)
    return list(zip(documents, *(column.tolist() for column in columns), strict=True))


def cut_one_by_one(texts, cut):
    return [
        (str(n), p.number, p.start, p.end, segment_of(["x"], [text[p.start : p.end]]).count)
        for n, text in enumerate(texts)
        for p in cut.passages(text)
    ]


@given(texts=TEXTS)
def test_paragraphs(texts):
    found = layout_of(segment_of([str(n) for n in range(len(texts))], texts), texts, Paragraphs())
    assert rows(found) == cut_one_by_one(texts, Paragraphs())


@given(texts=TEXTS, size=st.integers(1, 4), overlap=st.integers(0, 3), kind=st.sampled_from([Words, Sentences]))
def test_windows(texts, size, overlap, kind):
    cut = kind(size, overlap=min(overlap, size - 1))
    segment = segment_of([str(n) for n in range(len(texts))], texts)
    assert rows(windowed(segment, units_of(segment, texts, kind), cut)) == cut_one_by_one(texts, cut)
