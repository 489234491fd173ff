"""S1's register and corpus as shipped, and ways to write changed copies of them."""

import csv
import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import workbench as wb

SEAL = wb.Scope("pump-seal", "seal-torque", "C2", "EU")
MECHANIC = wb.Actor("werk-nord", {"wartung"})


@dataclass
class Plant:
    """One corpus and one register on disk, with the changes that the real world makes to them."""

    folder: Path

    @property
    def corpus(self) -> wb.Corpus:
        return wb.Corpus.read(self.folder / "pumps")

    @property
    def register(self) -> wb.Register:
        return wb.Register.read(self.folder / "pump-seal")

    def edit(self, table: str, change: Callable[[dict[str, str]], dict[str, str] | None]) -> None:
        """Rewrite a CSV table row by row; ``None`` removes the row."""
        path = self.folder / table
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        kept = [made for row in rows if (made := change(dict(row))) is not None]
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(kept)

    def add(self, table: str, *rows: str) -> None:
        path = self.folder / table
        path.write_text(path.read_text(encoding="utf-8") + "".join(row + "\n" for row in rows), encoding="utf-8")

    def set(self, table: str, key: str, name: str, **cells: str) -> None:
        self.edit(table, lambda row: {**row, **cells} if row[key] == name else row)

    def settings(self, old: str, new: str) -> None:
        path = self.folder / "pump-seal/register.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def rewrite(self, document: str, old: str, new: str, *, registered: bool = False) -> None:
        """Change a text under its old id; ``registered`` also enters the new digest."""
        path = self.folder / f"pumps/texts/{document}.txt"
        text = path.read_bytes().decode()
        assert old in text
        path.write_bytes(text.replace(old, new).encode())
        if registered:
            sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
            self.set("pump-seal/revisions.csv", "revision_id", document, source_digest=sha256)

    def ask(
        self, query: str = "Anzugsmoment", *, at: object = 6, actor: wb.Actor = MECHANIC, **more: object
    ) -> wb.Answer:
        request = replace(wb.Request(SEAL, at=at), **more)
        return wb.ask(self.corpus, self.register, query, actor=actor, request=request)


@pytest.fixture
def plant(repo: Path, tmp_path: Path) -> Plant:
    for name in ("pumps", "pump-seal"):
        shutil.copytree(repo / "data" / name, tmp_path / name)
    return Plant(tmp_path)
