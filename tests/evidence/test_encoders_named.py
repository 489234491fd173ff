"""Models by name: what a name needs, what its digest depends on, and a real model2vec model where somebody has it.

model2vec and sentence-transformers bring a model hub's client and torch, and are in no extra.
"""

import importlib.metadata
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.errors import EvidenceError, InputError
from workbench.evidence import encoders_named
from workbench.evidence.encoders_named import files_of

TEXTS = ["die pumpe leckt am flansch", "der motor wird gekuehlt", "die dichtung der pumpe"]
WORDS = sorted({word for text in TEXTS for word in text.split()})


@pytest.mark.parametrize("name", ["", "minilm", "word2vec:x", "model2vec:", "model2vec: ", ":x", "Model2Vec:x"])
def test_what_names_no_model_is_refused_with_what_to_write(name: str) -> None:
    with pytest.raises(InputError, match=r"names no model.*write model2vec:FOLDER or sentence-transformers:FOLDER"):
        wb.Model.named(name)


@pytest.mark.parametrize("library", ["model2vec", "sentence-transformers"])
def test_a_library_that_is_not_installed_is_named_with_its_command(
    library: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(encoders_named.importlib.metadata, "version", absent)
    with pytest.raises(InputError, match=f"the package {library} is not installed.*pip install {library}"):
        wb.Model.named(f"{library}:{tmp_path}")


def test_a_model_that_is_not_on_this_machine_is_not_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders_named.importlib.metadata, "version", lambda name: "1")
    with pytest.raises(InputError, match=r"not on this machine.*hf download nobody/nothing-of-this-name"):
        wb.Model.named("model2vec:nobody/nothing-of-this-name")


def test_files_that_are_no_model_are_refused_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(encoders_named.importlib.metadata, "version", lambda name: "1")
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    for library in ("model2vec", "sentence-transformers"):
        with pytest.raises(InputError, match=f"{library} cannot read this model") as refused:
            wb.Model.named(f"{library}:{tmp_path}")
        assert refused.value.file == str(tmp_path)


def edited(folder: Path) -> None:
    (folder / "config.json").write_text('{"a": 2}', encoding="utf-8")


def renamed(folder: Path) -> None:
    (folder / "config.json").rename(folder / "settings.json")


def added(folder: Path) -> None:
    (folder / "part").mkdir()
    (folder / "part" / "weights.bin").write_bytes(b"1")


def described(folder: Path) -> None:
    (folder / "README.md").write_text("a model", encoding="utf-8")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "lock.json").write_bytes(b"1")


@pytest.mark.parametrize(("change", "other"), [(edited, True), (renamed, True), (added, True), (described, False)])
def test_the_digest_is_over_what_could_decide_the_numbers(
    change: Callable[[Path], None], other: bool, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text('{"a": 1}', encoding="utf-8")
    before = files_of(tmp_path)
    change(tmp_path)
    assert (files_of(tmp_path) != before) is other


if find_spec("model2vec"):

    @pytest.fixture
    def folder(tmp_path: Path) -> Path:
        """A model of as many words as the texts have, saved by the library itself."""
        from model2vec import StaticModel
        from tokenizers import Tokenizer, models, pre_tokenizers

        tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(["[UNK]", *WORDS])}, "[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        vectors = np.random.default_rng(1).standard_normal((len(WORDS) + 1, 16)).astype(np.float32)
        StaticModel(vectors, tokenizer).save_pretrained(str(tmp_path / "words"))
        return tmp_path / "words"

    def test_a_model2vec_model_by_its_folder_finds(folder: Path, tmp_path: Path) -> None:
        model = wb.Model.named(f"model2vec:{folder}")
        assert (model.id, model.dimension) == (f"model2vec:{folder}", 16)
        documents = [wb.Document(str(at), "T", {"a"}, "1", text) for at, text in enumerate(TEXTS)]
        view = wb.Corpus(documents).view(wb.Actor("T", {"a"}))
        hits = wb.Vectors(wb.Kept(model, tmp_path / "kept"), 3).find(view, "dichtung der pumpe")
        assert hits[0].document_id == "2"
        again = wb.Model.named(f"model2vec:{folder}", pinned=model.digest)
        assert np.array_equal(again.passages(TEXTS), model.passages(TEXTS))
        assert len(wb.Kept(again, tmp_path / "kept")) == len(TEXTS) + 1  # and the probe

    def test_other_files_are_another_model_and_a_pinned_one_is_refused(folder: Path) -> None:
        pinned = wb.Model.named(f"model2vec:{folder}").digest
        config = folder / "config.json"
        config.write_text(config.read_text(encoding="utf-8").replace("{", '{"note": 1, ', 1), encoding="utf-8")
        changed = wb.Model.named(f"model2vec:{folder}")
        assert len({pinned, changed.digest, wb.Model.named(f"model2vec:{folder}", query="query: ").digest}) == 3
        with pytest.raises(EvidenceError, match="pinned"):
            wb.Model.named(f"model2vec:{folder}", pinned=pinned)


if find_spec("sentence_transformers"):

    def test_a_sentence_transformer_by_its_folder_finds(tmp_path: Path) -> None:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.models import BoW

        SentenceTransformer(modules=[BoW(vocab=WORDS)], device="cpu").save(str(tmp_path / "bow"))
        model = wb.Model.named(f"sentence-transformers:{tmp_path / 'bow'}")
        assert model.dimension == len(WORDS)
        assert model.passages(TEXTS).shape == (len(TEXTS), len(WORDS))
