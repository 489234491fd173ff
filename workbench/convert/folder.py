"""Files as a corpus: documents, their sources and their provenance, written whole or not at all (contract 2.11, 5).

Whose the documents are is said, never guessed. The same files, options and library versions give the same bytes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from workbench.cards import sheet
from workbench.convert.files import KINDS, convert, kind_of
from workbench.convert.limits import Limits, Options
from workbench.convert.places import Converted
from workbench.convert.provenance import FILE, line
from workbench.convert.refusals import Refusal, Refused, refuse
from workbench.errors import InputError

COLUMNS: Final = ("id", "tenant", "groups", "version", "language", "path")
LANGUAGE: Final = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file to import, and what its document is called and whose it is."""

    file: Path
    id: str
    tenant: str
    groups: frozenset[str]
    version: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """A file that became a document."""

    entry: Entry
    sha256: str
    made: Converted

    @property
    def changed(self) -> dict[str, int]:
        """How often each kind of change was made."""
        return dict(sorted(Counter(change.code for change in self.made.changes).items()))

    def __repr__(self) -> str:
        return f"Imported({self.entry.id!r}, {self.made!r})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an import: the documents, the files that were refused, and whether a corpus was written."""

    documents: tuple[Imported, ...]
    refused: tuple[tuple[Path, Refusal], ...]
    written: bool

    def __repr__(self) -> str:
        return f"Outcome({self._counts()})"

    def _counts(self) -> str:
        files = f"{len(self.documents)} file{'' if len(self.documents) == 1 else 's'} read"
        return f"{files}, {len(self.refused)} refused, {'a corpus' if self.written else 'nothing'} written"

    def _repr_html_(self) -> str:
        columns = ("file", "pages", "tables", "characters", "changed", "refused", "what to do")
        rows: list[tuple[object, ...]] = []
        for one in self.documents:
            made, changed = one.made, ", ".join(f"{code} {count}" for code, count in one.changed.items())
            rows.append((one.entry.file.name, made.pages, len(made.tables), len(made.text), changed, None, None))
        for path, refusal in self.refused:
            where = "" if refusal.page is None else f", page {refusal.page}"
            why = f"{refusal.code}{where}: {refusal.message}"
            rows.append((path.name, None, None, None, None, why, refusal.remedy))
        return sheet(self._counts(), columns, rows)


def entries(
    files: Iterable[str | Path], *, tenant: str, groups: Iterable[str], version: str, language: str | None = None
) -> list[Entry]:
    """The files, and all files of a known kind below the folders among them; a document's id is its file's name.

    Raises InputError for a file that is not there, an empty name, or two files with one name.
    """
    if isinstance(groups, str):
        raise TypeError("groups must be a set or list of names, not a string")
    names = frozenset(groups)
    for what, value in (("tenant", tenant), ("version", version), *(("groups", group) for group in names)):
        if not value.strip():
            raise InputError("a name is empty", column=what, remedy="say whose the documents are")
    if not names:
        raise InputError("no group may read the documents", column="groups", remedy="name at least one")
    if language is not None and LANGUAGE.fullmatch(language) is None:
        raise InputError(
            "this is no language", column="language", found=language, remedy="lower case, like de or en-us"
        )
    found: list[Path] = []
    for given in map(Path, files):
        if given.is_dir():
            below = sorted(p for p in given.rglob("*") if p.suffix.lower() in KINDS and p.is_file())
            for path in below:
                if not path.resolve().is_relative_to(given.resolve()):
                    remedy = "name the file itself, or put it into the folder"
                    raise InputError("this link leads out of the folder", file=str(path), remedy=remedy)
            found += below
        elif given.is_file():
            found.append(given)
        else:
            raise InputError("there is no such file", file=str(given))
    if not found:
        raise InputError("there is no file to import", remedy=f"known are {', '.join(sorted(KINDS))}")
    return [Entry(path, unicodedata.normalize("NFC", path.stem), tenant, names, version, language) for path in found]


def import_files(
    given: Sequence[Entry],
    to: str | Path,
    *,
    options: Options | None = None,
    limits: Limits | None = None,
    skip_refused: bool = False,
) -> Outcome:
    """Make a corpus folder of the files; nothing is written where one is refused, unless ``skip_refused``.

    The folder holds ``documents.csv``, the texts, the sources, and ``provenance.jsonl``. It must not exist
    before, or be empty. Raises InputError for ids that are there twice and for a target that cannot be made.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> _ = (place / "notiz.txt").write_text("Zwei Personen.", encoding="utf-8")
    >>> given = entries([place / "notiz.txt"], tenant="nord", groups={"wartung"}, version="1")
    >>> import_files(given, place / "corpus")
    Outcome(1 file read, 0 refused, a corpus written)
    """
    options, limits, target = options or Options(), limits or Limits(), Path(to)
    _need_new(target)
    seen: dict[str, Path] = {}
    for entry in given:
        if entry.id in seen:
            message = f"two files are called {entry.id}: {seen[entry.id]} and {entry.file}"
            raise InputError(message, column="id", remedy="rename one of them")
        if any(";" in group for group in entry.groups):
            raise InputError("a group's name holds a semicolon", column="groups", remedy="rename the group")
        seen[entry.id] = entry.file
    made: list[Imported] = []
    refused: list[tuple[Path, Refusal]] = []
    sources: dict[str, bytes] = {}
    for entry in given:
        try:
            kind = kind_of(entry.file.name)
            if entry.file.stat().st_size > limits.source:
                raise refuse("too_large", f"it has {entry.file.stat().st_size} bytes")
            raw = entry.file.read_bytes()
            converted = convert(raw, kind, limits=limits, options=options)
        except Refused as error:
            refused.append((entry.file, error.refusal))
            continue
        sources[entry.id] = raw
        made.append(Imported(entry, hashlib.sha256(raw).hexdigest(), converted))
    written = bool(made) and (skip_refused or not refused)
    if written:
        _write(target, made, sources, options)
    return Outcome(tuple(made), tuple(refused), written)


def _need_new(target: Path) -> None:
    if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
        raise InputError("there is something already", file=str(target), remedy="name a folder that does not exist yet")
    if not target.absolute().parent.is_dir():
        raise InputError("the folder for it does not exist", file=str(target.parent), remedy="make it first")


def _write(target: Path, made: Sequence[Imported], sources: dict[str, bytes], options: Options) -> None:
    """Everything into a folder beside the target, which then takes its name in one step."""
    target = target.absolute()
    draft = target.parent / f".{target.name}.importing-{os.getpid()}"
    draft.mkdir()
    try:
        (draft / "texts").mkdir()
        (draft / "sources").mkdir()
        table, lines, names = io.StringIO(newline=""), io.StringIO(newline=""), set[str]()
        rows = csv.writer(table, lineterminator="\n")
        rows.writerow(COLUMNS)
        for one in made:
            entry, name = one.entry, _file_name(one.entry.id, names)
            text, source = f"texts/{name}.txt", f"sources/{name}{entry.file.suffix.lower()}"
            raw = one.made.text.encode("utf-8")
            (draft / text).write_bytes(raw)
            (draft / source).write_bytes(sources[entry.id])
            groups = ";".join(sorted(entry.groups))
            rows.writerow([entry.id, entry.tenant, groups, entry.version, entry.language or "", text])
            about = {"file": entry.file.name, "path": source, "text": text, "sha256": one.sha256}
            lines.write(line(entry.id, hashlib.sha256(raw).hexdigest(), about, asdict(options), one.made))
        (draft / "documents.csv").write_bytes(table.getvalue().encode("utf-8"))
        (draft / FILE).write_bytes(lines.getvalue().encode("utf-8"))
        os.rename(draft, target)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _file_name(document_id: str, taken: set[str]) -> str:
    """A file's name for a document: letters, digits, dots and dashes only, so that it can lead nowhere else."""
    plain = unicodedata.normalize("NFKD", document_id).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-.")[:80]
    if not name or name != document_id or name.lower() in taken:
        name = f"{name or 'document'}-{hashlib.sha256(document_id.encode('utf-8')).hexdigest()[:8]}"
    taken.add(name.lower())
    return name
