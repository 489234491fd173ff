"""Vectors, each kept by the digest of the text that it is of: computed once, in memory or in a folder.

A folder holds one subfolder for each encoder's digest, in it blocks whose names are digests of their content, so that
whatever was changed is noticed. Access plays no part here: whoever is given vectors has the texts already, and asks by
text. The folder belongs to the operator, as the corpus does.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from workbench.errors import EvidenceError
from workbench.evidence.encoders import Encoder, Vectors, encoded

BLOCK: Final = 32
"""How many texts are encoded before progress is told and the result is kept."""
QUESTIONS: Final = 1_000
PROBE: Final = "Zwei Personen prüfen die Freigabe."
ALIKE: Final = 0.999
"""The cosine that one model's vectors of one text keep on other processors, and other models' do not."""
DAMAGED: Final = "Kept vectors are not what was written; delete their folder and they are made anew."
OTHER_ENCODER: Final = "Kept vectors are another encoder's than the one with this digest; nothing was searched."

Progress = Callable[[int, int], None]
"""Told how many of how many texts are done."""


class Kept:
    """The vectors of one encoder. Texts are compared in NFC, as the model reads them.

    Numbers are kept in 16 bits, in memory too, so that what is kept and what is new are the same.
    """

    def __init__(self, encoder: Encoder, folder: str | Path | None = None) -> None:
        """Raises EvidenceError where the folder's vectors are damaged or another encoder's."""
        self._encoder = encoder
        self._digest = encoder.digest
        self._rows: dict[bytes, np.ndarray] = {}
        self._asked: dict[bytes, np.ndarray] = {}
        self._folder = None if folder is None else Path(folder) / self._digest[:32]
        if self._folder is not None and self._folder.is_dir():
            self._read(self._folder)

    @property
    def digest(self) -> str:
        """The digest of the encoder that these vectors are of."""
        return self._digest

    @property
    def encoder_digest(self) -> str:
        """What the encoder says of itself now."""
        return self._encoder.digest

    def __len__(self) -> int:
        return len(self._rows)

    def of(
        self,
        texts: Sequence[str],
        *,
        question: bool = False,
        keep: bool | None = None,
        progress: Progress | None = None,
    ) -> Vectors:
        """A row of length 1 for each text; those that are not kept are computed, longest first, and kept.

        What people ask is not written down: a question's vector stays in memory, up to a thousand of them, unless
        ``keep`` is True, as for a fixed set of test questions.
        """
        if question and not keep:
            return self._asked_for(texts)
        keys = [_key(text, question) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        todo = sorted(missing.items(), key=lambda item: (-len(item[1]), item[0]))
        if todo and self._encoder.digest != self._digest:
            raise EvidenceError(OTHER_ENCODER)
        for at in range(0, len(todo), BLOCK):
            block = todo[at : at + BLOCK]
            plain = [unicodedata.normalize("NFC", text) for _, text in block]
            rows = encoded(self._encoder, plain, question=question).astype(np.float16)
            self._keep([key for key, _ in block], rows)
            if progress is not None:
                progress(min(at + BLOCK, len(todo)), len(todo))
        if not texts:
            return np.empty((0, self._encoder.dimension), np.float32)
        return np.stack([self._rows[key] for key in keys]).astype(np.float32)

    def _asked_for(self, texts: Sequence[str]) -> Vectors:
        if self._encoder.digest != self._digest:
            raise EvidenceError(OTHER_ENCODER)
        rows = []
        for text in texts:
            key = _key(text, True)
            row = self._rows.get(key, self._asked.get(key))
            if row is None:
                plain = unicodedata.normalize("NFC", text)
                row = self._asked[key] = encoded(self._encoder, [plain], question=True)[0].astype(np.float16)
                if len(self._asked) > QUESTIONS:
                    self._asked = {key: row}
            rows.append(row)
        return np.array(rows, np.float32).reshape(len(rows), self._encoder.dimension)

    def _keep(self, keys: list[bytes], rows: np.ndarray) -> None:
        self._rows.update(zip(keys, rows, strict=True))
        if self._folder is None:
            return
        if not self._folder.is_dir():
            self._folder.mkdir(parents=True)
            probe = encoded(self._encoder, [PROBE]).astype(np.float16)
            self._write(self._folder, [_key(PROBE, False)], probe)
        self._write(self._folder, keys, rows)

    def _write(self, folder: Path, keys: list[bytes], rows: np.ndarray) -> None:
        raw = io.BytesIO()
        np.savez(raw, keys=np.frombuffer(b"".join(keys), np.uint8).reshape(-1, 32), rows=rows)
        content = raw.getvalue()
        handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, folder / f"{hashlib.sha256(content).hexdigest()}.npz")

    def _read(self, folder: Path) -> None:
        for path in sorted(folder.glob("*.npz")):
            content = path.read_bytes()
            if hashlib.sha256(content).hexdigest() != path.stem:
                raise EvidenceError(DAMAGED)
            with np.load(io.BytesIO(content), allow_pickle=False) as block:
                keys, rows = block["keys"], block["rows"]
            if rows.shape != (len(keys), self._encoder.dimension):
                raise EvidenceError(OTHER_ENCODER)
            self._rows.update((key.tobytes(), row) for key, row in zip(keys, rows, strict=True))
        probe = self._rows.get(_key(PROBE, False))
        # A digest says which encoder made them; that this one gives the same numbers is looked at.
        if probe is not None and float(probe.astype(np.float32) @ encoded(self._encoder, [PROBE])[0]) < ALIKE:
            raise EvidenceError(OTHER_ENCODER)

    def join(self) -> None:
        """Write the folder's blocks as one, as after a long first run of many."""
        if self._folder is None or not self._folder.is_dir():
            return
        before = sorted(self._folder.glob("*.npz"))
        if len(before) > 1:
            keys = sorted(self._rows)
            self._write(self._folder, keys, np.stack([self._rows[key] for key in keys]))
            for path in before:
                path.unlink()


def _key(text: str, question: bool) -> bytes:
    kind = b"question\n" if question else b"passage\n"
    return hashlib.sha256(kind + unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")).digest()
