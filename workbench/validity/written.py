"""A register as it is written: the text of every cell, table by table, the same in every store (contract 5).

Times stand in the CSV spelling in UTC, open ends as ``unbounded``; reading what is written gives an equal register.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.validity.contents import Contents
from workbench.validity.tables import OPTIONAL_TABLES, REQUIRED

Cell = str | None


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """The columns of a table and its rows; ``None`` stands for an empty cell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def written(contents: Contents) -> dict[str, WrittenTable]:
    """The tables of a register; optional ones only where they have rows."""
    valid, recorded = contents.settings.valid.spell, contents.settings.recorded.spell
    rows: dict[str, Iterable[tuple[Cell, ...]]] = {
        "revisions": (
            (
                *(r.id, r.family, r.tenant, written_names(r.groups)),
                *(r.source_language, r.source_digest, r.owner, r.imported_at),
            )
            for r in contents.revisions.values()
        ),
        "applicability": (
            (a.revision_id, *a.scope[2:], *map(valid, a.valid), a.approval_ref, *map(recorded, a.recorded))
            for a in contents.applicability
        ),
        "supersessions": (
            (
                *(s.superseding, s.superseded, *s.scope[2:], *map(valid, s.effective)),
                *(s.approval_ref, *map(recorded, s.recorded), "true" if s.revives else "false"),
            )
            for s in contents.supersessions
        ),
        "equivalences": (
            (e.id, e.edition, e.of_revision, e.language, e.review_ref, *map(recorded, e.recorded))
            for e in contents.equivalences
        ),
        "scopes": ((v.kind, v.value, v.parent) for v in contents.scopes),
        "sections": ((s.document_id, s.procedure, str(s.span.start), str(s.span.end)) for s in contents.sections),
        "owners": ((*place, owner) for place, owner in (contents.owners or {}).items()),
    }
    tables: dict[str, WrittenTable] = {}
    for name, cells in rows.items():
        columns = (*REQUIRED[name], "revives") if name == "supersessions" else REQUIRED[name]
        table = WrittenTable(columns, tuple(cells))
        if table.rows or name not in OPTIONAL_TABLES:
            tables[name] = table
    return tables


def written_names(names: Iterable[str]) -> str:
    """Names as one cell: ``a;b``, or a JSON list where a name would not survive that.

    >>> written_names({"b", "a"}), written_names({"a;b", "c"})
    ('a;b', '["a;b", "c"]')
    """
    ordered = sorted(names)
    if any(";" in name for name in ordered) or ordered[0].lstrip().startswith("["):
        return json.dumps(ordered, ensure_ascii=False)
    return ";".join(ordered)


def setting_text(value: object) -> str:
    """One value of ``register.toml`` as TOML writes it.

    >>> print(setting_text('a "b"'), setting_text(True), setting_text(["x"]), setting_text(3))
    "a \\"b\\"" true ["x"] 3
    """
    if isinstance(value, list):
        return "[" + ", ".join(setting_text(part) for part in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON's escapes are TOML's
    return str(value)


def settings_text(contents: Contents) -> str:
    """The register's settings as the text of its ``register.toml``."""
    return "".join(f"{key} = {setting_text(value)}\n" for key, value in contents.settings.written().items())
