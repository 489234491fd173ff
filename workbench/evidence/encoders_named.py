"""Encoders by name: a model of model2vec or sentence-transformers, in a folder or already downloaded by its name.

Neither library is needed by anything else, and neither is in an extra: sentence-transformers brings torch, model2vec a
client of a model hub. Whoever has one installed can use its models here. Nothing is downloaded, and no code that comes
with a model is run.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.contract import digest
from workbench.errors import InputError, shown

Encode = Callable[[list[str]], Any]
NO_NUMBERS: Final = (".md", ".png", ".jpg", ".gitattributes", ".gitignore", ".lock", ".metadata")
"""Files with these ends decide nothing of a model's vectors."""
LIBRARIES: Final = ("model2vec", "sentence-transformers")


def load(name: str) -> tuple[str, int, str, Encode]:
    """Id, dimension, digest and ``encode`` of the model that ``LIBRARY:NAME_OR_FOLDER`` names.

    The digest is over the library's version and every file of the model that could decide its numbers. Raises
    InputError, with what to do, for a library that is not installed and a model that is not on this machine.
    """
    library, _, which = name.partition(":")
    if library not in LIBRARIES or not which.strip():
        raise InputError(
            "this names no model", found=name, remedy=f"write {' or '.join(f'{known}:FOLDER' for known in LIBRARIES)}"
        )
    opened = _model2vec if library == "model2vec" else _sentence_transformers
    try:
        version = importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        raise InputError(f"the package {library} is not installed", remedy=f"pip install {library}") from None
    folder = _folder(which)
    try:
        encode = opened(folder)
        dimension = int(np.asarray(encode(["a"])).shape[1])
    except Exception as error:  # whatever a library makes of files that are none of its own
        said = f"{type(error).__name__}: {error}"
        raise InputError(
            f"{library} cannot read this model: {shown(said)}", file=str(folder), remedy=f"give a model of {library}"
        ) from None
    return name, dimension, digest([library, version, *files_of(folder)]), encode


def files_of(folder: Path) -> list[tuple[str, str]]:
    """Path and SHA-256 of each file that could decide a model's numbers, in the order of their paths."""
    found = []
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in place.parts)
        if path.is_file() and not hidden and path.suffix.lower() not in NO_NUMBERS:
            with path.open("rb") as file:
                found.append((place.as_posix(), hashlib.file_digest(file, "sha256").hexdigest()))
    return found


def _folder(which: str) -> Path:
    """The folder that is named, or that a download under this name has left on this machine."""
    folder = Path(which)
    if folder.is_dir():
        return folder.resolve()
    remedy = f"download it first, such as with: hf download {which}; or give the folder that it lies in"
    with suppress(Exception):  # not installed, no name at all, nothing there, half a download: one and the same here
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(which, local_files_only=True))
    raise InputError("this model is not on this machine", found=which, remedy=remedy)


def _model2vec(folder: Path) -> Encode:
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(str(folder))
    return lambda texts: model.encode(texts, use_multiprocessing=False)


def _sentence_transformers(folder: Path) -> Encode:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True, trust_remote_code=False)
    return lambda texts: model.encode(texts, convert_to_numpy=True, show_progress_bar=False)
