"""A corpus folder kept up to date: documents, archive and index change together, or not at all.

The table of documents is the truth; putting the new one in its place is the one step that commits. The index is named
by the digest of the documents that it is of, and is written before: whoever reads the old table finds the old index,
whoever reads the new one the new. The archive is written before too: it only grows, and a state that is both there and
current counts as current. So a reader needs no lock, and a writer that is killed leaves the last committed state.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from workbench.contract import Document
from workbench.errors import InputError, shown
from workbench.evidence.cuts import Paragraphs
from workbench.evidence.index import Index, Part
from workbench.evidence.reading import ARCHIVE, TABLE
from workbench.evidence.store import FORMAT, MADE_WITH, REMEDY, Replacing, damaged, read_segment, write_segment
from workbench.records import find_table

if TYPE_CHECKING:
    from workbench.evidence.corpus import State

try:
    import fcntl
except ImportError:  # no POSIX: one writer at a time is then the operator's own care
    fcntl = None  # type: ignore[assignment]

FOLDER: Final = ".index"
COLUMNS: Final = ("id", "tenant", "groups", "version", "language", "text")
KEPT: Final = 2
"""How many states of the index stay: a reader that has just read the table before this one still finds its index."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Source:
    """The table that a corpus was read from or written to, and which state of that file it was."""

    table: Path
    seal: tuple[int, int, int] | None


def source_of(folder: Path) -> Source | None:
    """The folder's table of documents as it is now; ``None`` where there is none."""
    table = find_table(folder, TABLE) if folder.is_dir() else None
    return None if table is None else Source(table, _seal(table))


def open_index(folder: Path, state: State) -> Index | None:
    """The index on disk of exactly these documents, or ``None``; InputError where it is damaged or of another make."""
    path = folder / FOLDER / f"{state.digest}.index"
    try:
        said = _said(path)
        parts = [_part(path.parent, entry, state.documents) for entry in said["parts"]]
    except FileNotFoundError:
        return None  # never made, or made room for a newer one while we looked
    if said["corpus"] != state.digest:
        raise damaged(path)
    return Index(tuple(part for part, _ in parts), tuple(alive for _, alive in parts))


def write_index(folder: Path, state: State, *, progress: Progress | None = None) -> Path:
    """Write the index of these documents beside their table; the path of its manifest."""
    place = folder / FOLDER
    place.mkdir(exist_ok=True)
    entries = []
    for number, (part, alive) in enumerate(zip(state.index.parts, state.index.alive, strict=True), 1):
        layout = part.layout(Paragraphs())
        if folder not in part.written and layout is not None:
            if progress is not None:
                progress(f"writing part {number} of {len(state.index.parts)}")
            part.written[folder] = write_segment(place, part.segment, layout)
        entries.append({"file": part.written[folder], "dead": np.flatnonzero(~alive).tolist()})
    body = json.dumps({"format": FORMAT, "made_with": MADE_WITH, "corpus": state.digest, "parts": entries}).encode()
    path = place / f"{state.digest}.index"
    with Replacing(path) as file:
        file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    return path


def commit(state: State, source: Source | None, folder: Path | None) -> Source:
    """Write documents, archive and index of this state; see the module for why an interruption does no harm."""
    if folder is None:
        if source is None:
            raise InputError("this corpus has no folder yet", remedy="say where: corpus.save(folder)")
        folder = source.table.parent
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FOLDER).mkdir(exist_ok=True)
    with _alone(folder / FOLDER):
        now = source_of(folder)
        if now is not None and now != source:
            raise InputError(
                "the documents were changed by somebody else", file=str(now.table), remedy="read the corpus again"
            )
        suffix = ".jsonl" if now is None else now.table.suffix
        write_index(folder, state)
        if state.archive:
            archive = find_table(folder, ARCHIVE) or folder / (ARCHIVE + suffix)
            _write_table(archive, state.archive.values())
        table = folder / (TABLE + suffix)
        _write_table(table, state.documents.values())
        _tidy(folder, f"{state.digest}.index")
        return Source(table, _seal(table))


def _said(path: Path) -> dict[str, Any]:
    raw = path.read_bytes()
    digest, _, body = raw.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise damaged(path)
    said: dict[str, Any] = json.loads(body)
    if (said["format"], said["made_with"]) != (FORMAT, MADE_WITH):
        raise InputError("this index was made with another format or tokenizer", file=str(path), remedy=REMEDY)
    return said


def _part(
    place: Path, entry: Mapping[str, object], documents: Mapping[str, Document]
) -> tuple[Part, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    path = place / str(entry["file"])
    segment, layout = read_segment(path)
    alive = np.ones(len(segment.ids), np.bool_)
    alive[np.array(entry["dead"], np.int64)] = False
    nobody = Document("", "", frozenset(), "", "")
    own = tuple(documents.get(n, nobody) if a else nobody for n, a in zip(segment.ids, alive.tolist(), strict=True))
    lengths = np.fromiter((len(d.text) for d in own), np.int64, len(own)) + 1
    if not np.array_equal(lengths[alive], np.diff(segment.text_first)[alive]):
        raise damaged(path)
    part = Part(segment, own, {repr(Paragraphs()): layout}, {place.parent: path.name})
    return part, alive


def _seal(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """One writer at a time; the lock ends with the process that holds it."""
    with (place / "lock").open("wb") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _write_table(path: Path, documents: Iterable[Document]) -> None:
    rows = [_row(document) for document in documents]
    if path.suffix == ".parquet":
        buffer = io.BytesIO()
        schema = {name: pl.List(pl.String) if name == "groups" else pl.String for name in COLUMNS}
        pl.DataFrame(rows, schema=schema).write_parquet(buffer)
        raw = buffer.getvalue()
    elif path.suffix == ".csv":
        text = io.StringIO(newline="")
        writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow(_cells(row))
        raw = text.getvalue().encode("utf-8")
    else:
        raw = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8")
    with Replacing(path) as file:
        file.write(raw)


def _row(document: Document) -> dict[str, object]:
    for name in ("id", "tenant", "version", "text"):
        if not getattr(document, name).strip():
            message = f"document {shown(document.id)}: a blank {name} could not be read back"
            raise InputError(message, column=name, remedy="give it one")
    if not document.groups:
        raise InputError(f"document {shown(document.id)}: nobody could read it", column="groups", remedy="remove it")
    return {name: sorted(document.groups) if name == "groups" else getattr(document, name) for name in COLUMNS}


def _cells(row: Mapping[str, object]) -> list[object]:
    return [json.dumps(v, ensure_ascii=False) if isinstance(v, list) else "" if v is None else v for v in row.values()]


def _tidy(folder: Path, current: str) -> None:
    """Remove what no kept state of the index names, and what an interrupted writer left."""
    place = folder / FOLDER
    manifests = sorted(place.glob("*.index"), key=lambda p: (p.name == current, p.stat().st_mtime_ns), reverse=True)
    named = {str(entry["file"]) for path in manifests[:KEPT] for entry in _said(path)["parts"]}
    old = [*manifests[KEPT:], *(path for path in place.glob("*.segment") if path.name not in named)]
    left = [*place.glob("*.new"), *folder.glob(f"{TABLE}.*.new"), *folder.glob(f"{ARCHIVE}.*.new")]
    for path in (*old, *left):
        path.unlink(missing_ok=True)
