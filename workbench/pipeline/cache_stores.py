"""Where kept answers lie: in memory, or in an SQLite file that outlives the process (contract 4.7).

Neither holds a quote, a question or a name of an actor: keys are digests, entries are places and scores.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from workbench.errors import EvidenceError
from workbench.pipeline.cache import CacheError, Entry, Place

DAMAGED: Final = "A kept answer was damaged; it is forgotten and nothing of it was handed on."
BUSY: Final = "Another program holds the file of kept answers; nothing was forgotten. Try again."
UNUSABLE: Final = "The file of kept answers cannot be used; delete it, and answers are kept anew."
PATIENCE: Final = 0.2
"""Seconds to wait for another program's write; a question is worth no more, since it can be searched anew."""
CREATE: Final = (
    "CREATE TABLE IF NOT EXISTS answers "
    "(key TEXT PRIMARY KEY, used INTEGER NOT NULL, entry TEXT NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID"
)
BY_USE: Final = "CREATE INDEX IF NOT EXISTS answers_by_use ON answers (used)"
SET_UP: Final = (
    "PRAGMA secure_delete = ON",
    # Being read notes its use: a write that need not wait for the disk, since a lost entry is only searched anew.
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    CREATE,
    BY_USE,
)
GET: Final = "SELECT entry, sha256 FROM answers WHERE key = ?"
USED: Final = "UPDATE answers SET used = (SELECT max(used) + 1 FROM answers) WHERE key = ?"
PUT: Final = (
    "INSERT OR REPLACE INTO answers (key, used, entry, sha256) "
    "VALUES (?, (SELECT coalesce(max(used), 0) + 1 FROM answers), ?, ?)"
)
DROP: Final = "DELETE FROM answers WHERE key = ?"
ALL: Final = "SELECT key, entry, sha256 FROM answers"
COUNT: Final = "SELECT count(*) FROM answers"
TRIM: Final = "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used LIMIT max(0, ?))"


class MemoryCache:
    """Entries of this process, the most recently used ``most`` of them."""

    def __init__(self, *, windows: bool = False, most: int = 10_000) -> None:
        self.windows = windows
        self._most = _positive(most)
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Entry | None:
        """The entry under a key."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry."""
        with self._lock:
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)

    def drop(self, key: str) -> None:
        """Forget one entry."""
        with self._lock:
            self._entries.pop(key, None)

    def retain(self, snapshot: str, fingerprints: Mapping[str, str]) -> int:
        """Forget whatever does not rest on this register and these texts."""
        with self._lock:
            stale = [key for key, entry in self._entries.items() if not entry.rests_on(snapshot, fingerprints)]
            for key in stale:
                del self._entries[key]
            return len(stale)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"MemoryCache({len(self)} answers by {'window' if self.windows else 'instant'})"


class SqliteCache:
    """Entries in an SQLite file, the most recently used ``most`` of them; several threads may use one object.

    Each row carries the digest of its key and content, so that a damaged one is found and never read. While another
    program holds the file, nothing is found in it and nothing kept: the answer is searched. Raises CacheError where
    the file is none, and where entries that have to go cannot be reached.
    """

    def __init__(self, path: str | Path, *, windows: bool = False, most: int = 100_000) -> None:
        self.windows = windows
        self._most = _positive(most)
        self._lock = threading.Lock()
        with _usable():
            self._file = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                for statement in SET_UP:
                    self._file.execute(statement)
            except sqlite3.Error:
                self._file.close()
                raise

    def get(self, key: str) -> Entry | None:
        """The entry under a key; EvidenceError, and the row is gone, where it was damaged."""
        with self._lock, _usable():
            row = self._tried(GET, (key,))
            if row is None:
                return None
            text, sha256 = row
            if sha256 != _sealed(key, text):
                self._file.execute(DROP, (key,))
                raise EvidenceError(DAMAGED)
            self._tried(USED, (key,))
        return _read(text)

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry."""
        text = json.dumps([entry.snapshot, entry.sources, entry.places])
        with self._lock, _usable():
            self._tried(PUT, (key, text, _sealed(key, text)))
            surplus = self._count() - self._most
            if surplus > 0:
                self._tried(TRIM, (surplus,))

    def drop(self, key: str) -> None:
        """Forget one entry."""
        with self._lock, _usable():
            self._file.execute(DROP, (key,))

    def retain(self, snapshot: str, fingerprints: Mapping[str, str]) -> int:
        """Forget whatever does not rest on this register and these texts, damaged rows too."""
        with self._lock, _usable():
            stale = [
                (key,)
                for key, text, sha256 in self._file.execute(ALL)
                if sha256 != _sealed(key, text) or not _read(text).rests_on(snapshot, fingerprints)
            ]
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany(DROP, stale)
            self._file.execute("COMMIT")
            return len(stale)

    def _tried(self, statement: str, values: tuple[object, ...]) -> tuple[str, str] | None:
        """What the statement gives, or nothing while another program holds the file."""
        try:
            found: tuple[str, str] | None = self._file.execute(statement, values).fetchone()
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            return None
        return found

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _count(self) -> int:
        return int(self._file.execute(COUNT).fetchone()[0])

    def __len__(self) -> int:
        with self._lock, _usable():
            return self._count()

    def __repr__(self) -> str:
        return f"SqliteCache({len(self)} answers by {'window' if self.windows else 'instant'})"


@contextmanager
def _usable() -> Iterator[None]:
    """SQLite's own exceptions as one that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise CacheError(BUSY if _is_busy(error) else UNUSABLE) from None


def _is_busy(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of the code says what exactly was waited for
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _sealed(key: str, text: str) -> str:
    return hashlib.sha256(f"{key}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _read(text: str) -> Entry:
    snapshot, sources, places = json.loads(text)
    return Entry(snapshot, tuple((name, sha256) for name, sha256 in sources), tuple(Place(*place) for place in places))


def _positive(most: int) -> int:
    if type(most) is not int or most < 1:
        raise ValueError("most is a whole number of at least 1")
    return most
