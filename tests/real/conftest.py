"""The real sources, each made a register by its mapping, once for all tests of a run."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from workbench.validity.mapping import map_register
from workbench.validity.register import Register

Mapped = Callable[[str], Register]

# Where each mapping lies, and which folder of the real data it reads.
MAPPINGS = {
    "li-law-articles": ("data/mappings", "li_law"),
    "li-law-norms": ("data/mappings", "li_law"),
    "eol": ("tests/real/mappings", "eol"),
    "rfc": ("tests/real/mappings", "rfc"),
    "rfc-http": ("tests/real/mappings", "rfc"),
    "rfc-history": ("tests/real/mappings", "rfc"),
    "pep": ("tests/real/mappings", "pep"),
    "faa-ad": ("tests/real/mappings", "faa_ad"),
}


@pytest.fixture(scope="session")
def folders(repo: Path, real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of the register that a mapping makes of the real data."""
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            place, source = MAPPINGS[name]
            to = tmp_path_factory.mktemp("mapped") / name
            map_register(repo / place / f"{name}.toml", real_data / source, to)
            made[name] = to
        return made[name]

    return folder


@pytest.fixture(scope="session")
def mapped(folders: Callable[[str], Path]) -> Mapped:
    """The register that a mapping makes of the real data."""
    registers: dict[str, Register] = {}

    def register(name: str) -> Register:
        if name not in registers:
            registers[name] = Register.read(folders(name))
        return registers[name]

    return register


@pytest.fixture(scope="session")
def scenarios(real_data: Path) -> Mapping[str, Mapping[str, Any]]:
    """The questions with known answers, by id."""
    lines = (real_data / "scenarios.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}
