"""Segments on disk: written once, mapped into memory, every part under a digest (design: one index, many views).

A segment file is a header (JSON) and arrays. What the file says it was made with must be what reads it: format and
tokenizer. A truncated or altered file is an error that names it, never a shorter index.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from workbench.errors import InputError
from workbench.evidence.fts import APSW, TOKENIZER
from workbench.evidence.layout import Layout
from workbench.evidence.segment import Segment

FORMAT: Final = 1
MADE_WITH: Final = f"{TOKENIZER}, SQLite {APSW.version}"
_MAGIC: Final = b"workbench segment\n"
_ALIGN: Final = 64
REMEDY: Final = "make it again: workbench index CORPUS"

Array = npt.NDArray[np.generic]
_POSITIONS: Final = ("places", "token_start")
_PARAGRAPHS: Final = ("first", "number", "start", "end", "left", "right", "ready0", "ready1", "ready2")
_SMALL: Final = ("ids", "vocabulary", "pointer", "text_first", "token_first")


def write_segment(folder: Path, segment: Segment, paragraphs: Layout) -> str:
    """Write a segment with its paragraph layout; the name of its file, which is the digest of its header."""
    ready = paragraphs.ready
    if ready is None:
        raise ValueError("the paragraphs' pairs are made before they are written")
    arrays: dict[str, Array] = {
        "ids": _bytes(json.dumps(segment.ids).encode("ascii")),
        "vocabulary": _bytes("\0".join(segment.vocabulary).encode("utf-8", "surrogateescape")),
        **{name: getattr(segment, name) for name in ("pointer", "text_first", "token_first", *_POSITIONS)},
        **{name: getattr(paragraphs, name) for name in _PARAGRAPHS[:6]},
        **{f"ready{i}": array for i, array in enumerate(ready)},
    }
    table: dict[str, list[object]] = {}
    at = 0
    for name, array in arrays.items():
        at += -at % _ALIGN
        table[name] = [at, len(array), array.dtype.str, hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()]
        at += array.nbytes
    header = json.dumps({"format": FORMAT, "made_with": MADE_WITH, "arrays": table}).encode("ascii")
    name = hashlib.sha256(header).hexdigest()[:32] + ".segment"
    lead = _MAGIC + len(header).to_bytes(8, "little") + header
    with Replacing(folder / name) as file:
        file.write(lead + bytes(-len(lead) % _ALIGN))
        at = 0
        for array in arrays.values():
            file.write(bytes(-at % _ALIGN))
            at += -at % _ALIGN + array.nbytes
            file.write(np.ascontiguousarray(array).data)
    return name


def read_segment(path: Path) -> tuple[Segment, Layout]:
    """The segment and its paragraphs, mapped; FileNotFoundError where it is gone, InputError where it is damaged.

    Large arrays are compared with their digests when they are first used, so that opening takes no longer for them.
    """
    with path.open("rb") as file:
        raw = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if os.fstat(file.fileno()).st_size else b""
    size = len(_MAGIC) + 8
    header = bytes(raw[size : size + int.from_bytes(raw[len(_MAGIC) : size], "little")])
    if bytes(raw[: len(_MAGIC)]) != _MAGIC or hashlib.sha256(header).hexdigest()[:32] != path.stem:
        raise damaged(path)
    said = json.loads(header)
    if (said["format"], said["made_with"]) != (FORMAT, MADE_WITH):
        raise InputError("this index was made with another format or tokenizer", file=str(path), remedy=REMEDY)
    base = size + len(header)
    base += -base % _ALIGN
    arrays: dict[str, Array] = {}
    digests: dict[str, str] = {}
    for name, (at, count, dtype, sha256) in said["arrays"].items():
        if base + at + count * np.dtype(dtype).itemsize > len(raw):
            raise damaged(path)
        arrays[name], digests[name] = np.frombuffer(raw, dtype, count, base + at), sha256
    check = _checker(path, arrays, digests)
    check(_SMALL)
    segment = Segment(
        ids=tuple(json.loads(arrays["ids"].tobytes())),
        vocabulary=numbered(arrays["vocabulary"].tobytes()),
        check=lambda: check(_POSITIONS),
        **_ints(arrays, ("pointer", "places", "token_start", "text_first", "token_first")),
    )
    ready = _ints(arrays, _PARAGRAPHS[6:])
    layout = Layout(
        segment,
        segment.ids,
        ready=(ready["ready0"], ready["ready1"], ready["ready2"]),
        check=lambda: check(_PARAGRAPHS),
        **_ints(arrays, _PARAGRAPHS[:6]),  # type: ignore[arg-type]  # names of arrays only
    )
    return segment, layout


def numbered(raw: bytes) -> dict[str, int]:
    """The vocabulary from the bytes in which it is kept: each term's number.

    >>> numbered("zwei\\0personen".encode())
    {'zwei': 0, 'personen': 1}
    """
    words = raw.decode("utf-8", "surrogateescape").split("\0") if raw else []
    return dict(zip(words, range(len(words)), strict=True))


def damaged(path: Path) -> InputError:
    """The error for a file that is not what was written."""
    return InputError("this part of the index is damaged or cut off", file=str(path), remedy=REMEDY)


def _checker(path: Path, arrays: Mapping[str, Array], digests: Mapping[str, str]) -> Callable[[Sequence[str]], None]:
    passed: set[str] = set()

    def check(names: Sequence[str]) -> None:
        for name in names:
            if name not in passed:
                if hashlib.sha256(arrays[name].data).hexdigest() != digests[name]:
                    raise damaged(path)
                passed.add(name)

    return check


def _ints(arrays: Mapping[str, Array], names: Sequence[str]) -> dict[str, npt.NDArray[np.integer]]:
    return {name: cast(npt.NDArray[np.integer], arrays[name]) for name in names}


def _bytes(raw: bytes) -> Array:
    return np.frombuffer(raw, np.uint8)


class Replacing:
    """A file that takes its name only when it is whole and on the disk: the old one stays until then."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._new = path.with_name(f"{path.name}.{os.getpid()}.new")

    def __enter__(self) -> Replacing:
        self._file = self._new.open("wb")
        return self

    def write(self, data: bytes | memoryview) -> None:
        """Add to the file."""
        self._file.write(data)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        with self._file:
            self._file.flush()
            os.fsync(self._file.fileno())
        if kind is None:
            os.replace(self._new, self._path)
            synced(self._path.parent)
        else:
            self._new.unlink()


def synced(folder: Path) -> None:
    """Make sure that the folder's names are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
