"""Small registers for the pictures' tests, each a variation of the shipped one; all invented."""

import csv
import json
import tempfile
from dataclasses import replace
from pathlib import Path

from workbench.contract import Actor, Scope
from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.register import Register
from workbench.validity.rows import Applicability
from workbench.validity.tables import REQUIRED

SEAL = Scope("pump-seal", "seal-torque", "C2", "EU")
MECHANIC = Actor("werk-nord", {"wartung"})
STEWARD = Actor("werk-nord", {"wartung", "redaktion"})
STRANGER = Actor("werk-sued", {"wartung"})

FOREVER = Interval(0, UNBOUNDED)


def shipped() -> Register:
    return Register.read("data/pump-seal")


def with_rival() -> Register:
    """The shipped register, with a second approved revision from 13 on and no word on which of the two holds."""
    return added(shipped(), "manual-D", Interval(13, UNBOUNDED))


def added(register: Register, revision_id: str, valid: Interval, groups: frozenset[str] | None = None) -> Register:
    """The register with another approved revision of the scope."""
    first = register.revisions["manual-A"]
    revision = replace(first, id=revision_id, row=len(register.revisions) + 2, groups=groups or first.groups)
    last = register.applicability[-1]
    row = Applicability(revision_id, last.scope, valid, "FG-9999", FOREVER, last.row + 1)
    return replace(
        register,
        revisions={**register.revisions, revision_id: revision},
        applicability=(*register.applicability, row),
    )


def hidden(register: Register, *revision_ids: str) -> Register:
    """The register, with these revisions for the management alone."""
    changed = {name: replace(register.revisions[name], groups=frozenset({"leitung"})) for name in revision_ids}
    return replace(register, revisions={**register.revisions, **changed})


def written(rows: list[tuple[str, str, str]], **settings: object) -> Register:
    """A register of one scope with these (revision, valid_from, valid_to)."""
    always = "0" if settings.get("time", "logical") == "logical" else "2000-01-01T00:00:00Z"
    names = list(dict.fromkeys(name for name, _, _ in rows))
    tables = {
        "revisions": [
            {
                "revision_id": name,
                "document_family": "pump-seal",
                "tenant": "werk-nord",
                "groups": "wartung",
                "source_language": "de",
                "source_digest": "0" * 64,
                "owner": "o",
                "imported_at": "2026-11-09",
            }
            for name in names
        ],
        "applicability": [
            {
                "revision_id": name,
                "procedure_id": "seal-torque",
                "asset_configuration": "C2",
                "region": "EU",
                "valid_from": start,
                "valid_to": end,
                "approval_ref": "x",
                "recorded_from": always,
                "recorded_to": "unbounded",
            }
            for name, start, end in rows
        ],
    }
    for name in ("supersessions", "equivalences"):
        tables[name] = [dict.fromkeys(REQUIRED[name], "")]
    keys = {"name": "invented", "time": "logical", "rules": "direct", "whole_documents": True, **settings}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        toml = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        (folder / "register.toml").write_text(toml, encoding="utf-8")
        for name, rows_of in tables.items():
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                out = csv.DictWriter(file, list(rows_of[0]))
                out.writeheader()
                out.writerows(row for row in rows_of if any(row.values()))
        return Register.read(folder)
