"""Other libraries' chunkers: what they say is checked, and what is taken can be searched like any cut."""

from importlib.util import find_spec
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.test_batch import equal
from workbench.contract import Actor, Document
from workbench.errors import InputError
from workbench.evidence.adapters import Chunk, Chunker, gaps
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs, Words
from workbench.evidence.labels import parse
from workbench.evidence.tokens import between_tokens
from workbench.intervals import Interval

MECHANIC = Actor("nord", {"wartung"})
TEXT = (
    "Zwei Personen prüfen die Freigabe.\n\nDas Anzugsmoment beträgt 40 Nm. Danach wird der Rückschlagventildeckel "
    "geschlossen; 😀 zwei Zeilen\r\nfolgen.\n\n\n\tSchluß mit Ma\u0308ngeln."
)
TEXTS = st.text(st.sampled_from("ab cäß.\n\r\t😀\u0308\u00a0-"), max_size=120)


def semchunk(size: int) -> Chunker:
    module = pytest.importorskip("semchunk")
    chunker = module.chunkerify(lambda text: len(text.split()), size, memoize=False)
    return Chunker.semchunk(f"semchunk {size} words", chunker, within_word="move")


def tokens(size: int) -> Chunker:
    module = pytest.importorskip("chonkie")
    chunker = module.TokenChunker(tokenizer="character", chunk_size=size, chunk_overlap=size // 4)
    return Chunker.chonkie(f"chonkie tokens {size}", chunker, within_word="move")


def recursive(size: int) -> Chunker:
    module = pytest.importorskip("chonkie")
    return Chunker.chonkie(f"chonkie recursive {size}", module.RecursiveChunker(chunk_size=size), within_word="move")


def langchain(size: int) -> Chunker:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=size // 4, add_start_index=True)
    return Chunker.langchain(f"langchain {size}", splitter, within_word="move")


# langchain-text-splitters brings some thirty packages and is in no extra; it is tested where someone has it.
LIBRARIES = [semchunk, tokens, recursive, *([langchain] if find_spec("langchain_text_splitters") else [])]
each_library = pytest.mark.parametrize("library", LIBRARIES, ids=lambda f: f.__name__)


@each_library
@pytest.mark.parametrize("size", [5, 12, 40])
def test_passages_are_slices_in_order_with_whole_words_and_nothing_is_lost(library, size: int) -> None:
    cut = library(size)

    @given(TEXTS)
    def holds(text: str) -> None:
        passages = list(cut.passages(text))
        assert [p.number for p in passages] == list(range(1, len(passages) + 1))
        assert all(text[p.start : p.end].strip() for p in passages)
        assert all(between_tokens(text, at) for p in passages for at in (p.start, p.end))
        assert all(one.start <= other.start and one.end <= other.end for one, other in pairwise(passages))
        assert gaps(cut, text) == []

    holds()


@each_library
def test_they_are_searched_like_any_cut(library) -> None:
    texts = [TEXT, TEXT.replace("Zwei", "Drei") + "\n\nzwei Personen", "", "Freigabe"]
    view = Corpus(Document(f"d{n}", "nord", {"wartung"}, "1", text) for n, text in enumerate(texts)).view(MECHANIC)
    for size in (8, 30):
        assert equal(view.cut(library(size)), ["zwei Personen", "Wer prüft die Freigabe?", "Ma\u0308ngeln"], 10)


@each_library
def test_spans_are_cut_apart(library) -> None:
    spans = (Interval(0, 34), Interval(36, len(TEXT)))
    for passage in library(20).passages(TEXT, spans):
        assert any(Interval(passage.start, passage.end) in (s, s.meet(Interval(*passage[1:]))) for s in spans)


def chunked(*chunks: Chunk, within_word="refuse") -> Chunker:
    return Chunker("given", lambda _: chunks, within_word)


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        ([Chunk(-1, 4)], "within the text"),
        ([Chunk(0, 99)], "within the text"),
        ([Chunk(5, 4)], "within the text"),
        ([Chunk(0.0, 4)], "within the text"),
        ([Chunk(True, 4)], "within the text"),
        ([Chunk(0, 4, "zwei")], "not the slice"),
        ([Chunk(5, 9), Chunk(0, 4)], "does not come after"),
        ([Chunk(0, 9), Chunk(5, 8)], "does not come after"),
        ([Chunk(0, 2)], "within a word"),
        ([Chunk(1, 4)], "within a word"),
    ],
)
def test_what_is_not_true_of_the_text_is_refused(chunks, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        list(chunked(*chunks).passages("Zwei drei vier"))
    assert caught.value.row == len(chunks)


def test_borders_within_a_word_move_to_its_end() -> None:
    text = "Zwei Personen prüfen"
    halves = chunked(Chunk(0, 7), Chunk(7, 8), Chunk(8, 16), Chunk(16, 20), within_word="move")
    assert [text[p.start : p.end] for p in halves.passages(text)] == ["Zwei Personen", " prüfen"]


def test_gaps_are_named() -> None:
    text = "Zwei Personen prüfen die Freigabe"
    assert gaps(chunked(Chunk(0, 4), Chunk(14, 20)), text) == [Interval(4, 14), Interval(20, len(text))]
    assert gaps(Paragraphs(), "a\n\n\n\nb") == gaps(Words(2, overlap=1), text) == []
    assert gaps(Words(1), text, (Interval(0, 13), Interval(14, 20))) == []


def test_bytes_offsets_are_found_out() -> None:
    text = "Für Öl: zwei Schlüssel"

    def by_bytes(_: str):
        return [Chunk(0, len("Für Öl:".encode()), "Für Öl:")]

    with pytest.raises(InputError, match="not the slice"):
        list(Chunker("bytes", by_bytes).passages(text))


def test_names_and_options() -> None:
    one = chunked()
    assert (repr(one), parse(repr(one))) == ("Chunker('given')", None)
    assert one == Chunker("given", lambda _: [])
    assert one != chunked(within_word="move")
    with pytest.raises(ValueError, match="name"):
        Chunker("", lambda _: [])
    with pytest.raises(ValueError, match="refuse"):
        Chunker("x", lambda _: [], "snap")


def test_splitters_without_a_start_index_are_refused() -> None:
    class Made:
        page_content, metadata = "Zwei", {}

    class Splitter:
        def create_documents(self, _):
            return [Made()]

    with pytest.raises(InputError, match="within the text"):
        list(Chunker.langchain("no index", Splitter()).passages("Zwei"))
