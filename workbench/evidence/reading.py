"""Documents read from a folder: a table of them, or plain text files; each error names its place (contract 2.11, 5).

Texts are taken as they are: no line end, accent or invisible character is changed, so that the fingerprint of a
document is the SHA-256 of its file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from workbench.contract import Document, group_set
from workbench.errors import InputError
from workbench.records import Row, find_table, read_rows

TABLE, ARCHIVE = "documents", "archive"
REQUIRED = ("id", "tenant", "groups", "version")
OPTIONAL = ("language", "text", "path")
TEXT_SUFFIXES = (".txt", ".md")


def read_documents(folder: Path, table: str = TABLE) -> Iterator[Document]:
    """The documents of the folder's table; InputError naming file, row and column."""
    _need_folder(folder)
    path = find_table(folder, table)
    if path is None:
        remedy = f"it needs {table}.csv, {table}.jsonl or {table}.parquet"
        raise InputError(f"there is no table {table} in this folder", file=str(folder), remedy=remedy)
    seen: dict[str, int] = {}
    for row in read_rows(path, required=REQUIRED, optional=OPTIONAL):
        name = row.text("id")
        if name in seen and table == TABLE:
            raise row.error("id", f"the id is there twice, first in row {seen[name]}", remedy="ids are unique")
        seen[name] = row.number
        yield Document(
            id=name,
            tenant=row.text("tenant"),
            groups=row.names("groups"),
            version=row.text("version"),
            text=_text(folder, row),
            language=row.optional("language"),
        )


def read_archive(folder: Path) -> Iterator[Document]:
    """The replaced states of documents in the folder's ``archive`` table, where there is one (contract 2.8)."""
    return iter(()) if find_table(folder, ARCHIVE) is None else read_documents(folder, ARCHIVE)


def read_texts(
    folder: Path, *, tenant: str, groups: Iterable[str], version: str, language: str | None
) -> Iterator[Document]:
    """Every ``.txt`` and ``.md`` file below the folder, in the order of its relative path, which is the id."""
    _need_folder(folder)
    names = group_set(groups)
    paths = sorted(p for p in folder.rglob("*") if p.suffix in TEXT_SUFFIXES and p.is_file())
    if not paths:
        raise InputError("there is no text in this folder", file=str(folder), remedy="it needs .txt or .md files")
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if not path.resolve().is_relative_to(folder.resolve()):
            raise InputError("this link leads out of the folder", file=name, remedy="put the text into the folder")
        yield Document(name, tenant, names, version, _decoded(path.read_bytes(), name), language)


def _need_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise InputError("there is no such folder", file=str(folder))


def _text(folder: Path, row: Row) -> str:
    given = [column for column in ("text", "path") if row.cells.get(column) not in (None, "")]
    if len(given) != 1:
        raise InputError(
            "a document has a text or a path, one of them",
            file=row.file,
            row=row.number,
            column="path" if given else "text",
            remedy="fill exactly one of the two cells",
        )
    if given == ["path"]:
        return _file(folder, row)
    value = row.cells["text"]
    if not isinstance(value, str):
        raise row.error("text", f"text is wanted, not {type(value).__name__}", remedy="write it as text")
    return value


def _file(folder: Path, row: Row) -> str:
    name = row.text("path")
    remedy = "give a relative path inside the folder"
    # Both spellings, so that a corpus means the same on every system.
    for pure in (PurePosixPath(name), PureWindowsPath(name)):
        if pure.anchor or ".." in pure.parts or "\0" in name:
            raise row.error("path", "the path leads out of the folder", remedy=remedy)
    path = folder / name
    if not path.is_file():
        raise row.error("path", "there is no such file", remedy=remedy)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise row.error("path", "the path leads out of the folder", remedy=remedy)
    try:
        return _decoded(path.read_bytes(), name)
    except InputError as error:
        raise row.error("path", error.message, remedy=error.remedy) from None


def _decoded(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"this is no UTF-8 text (byte {error.start})"
        raise InputError(message, file=name, remedy="save it as UTF-8") from None
