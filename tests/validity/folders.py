"""Small registers as folders of files, for tests that break one thing at a time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

TOML = 'name = "small"\ntime = "logical"\nhistory_from = 0\nrules = "direct"\nstewards = ["stewards"]\nowner = "desk"\n'
DIGEST = "0" * 64
FILES: Mapping[str, str] = {
    "register.toml": TOML,
    "revisions.csv": (
        "revision_id,document_family,tenant,groups,source_language,source_digest,owner,imported_at\n"
        f"A,f,T,a,en,{DIGEST},desk,2024-01-01\n"
        f"B,f,T,a;b,en,{DIGEST},desk,2024-01-01\n"
        f"A-de,f,T,a,de,{DIGEST},desk,2024-01-01\n"
        f"other-tenant,f,U,a,en,{DIGEST},desk,2024-01-01\n"
        f"other-family,g,T,a,en,{DIGEST},desk,2024-01-01\n"
    ),
    "applicability.csv": (
        "revision_id,procedure_id,asset_configuration,region,valid_from,valid_to,approval_ref,recorded_from,recorded_to\n"
        "A,p,C,EU,0,10,ok,0,unbounded\n"
        "B,p,C,EU,5,10,ok,0,unbounded\n"
    ),
    "supersessions.csv": (
        "superseding,superseded,procedure_id,asset_configuration,region,"
        "effective_from,effective_to,approval_ref,recorded_from,recorded_to\n"
        "B,A,p,C,EU,5,10,ok,0,unbounded\n"
    ),
    "equivalences.csv": (
        "equivalence_id,edition,of_revision,language,review_ref,recorded_from,recorded_to\n"
        "q1,A-de,A,de,ok,0,unbounded\n"
    ),
}
SCOPES = "kind,value,parent\n"
SECTIONS = "document_id,procedure_id,start,end\n"


def write(folder: Path, files: Mapping[str, str | bytes | None]) -> Path:
    """The small register in a folder, with some files replaced, added, or (``None``) left out."""
    folder.mkdir(exist_ok=True)
    for name, content in {**FILES, **files}.items():
        if content is not None:
            data = content if isinstance(content, bytes) else content.encode("utf-8")
            (folder / name).write_bytes(data)
    return folder


def with_row(table: str, *rows: str) -> dict[str, str]:
    """The table's file with more rows at its end."""
    name = f"{table}.csv"
    return {name: FILES[name] + "".join(f"{row}\n" for row in rows)}


def changed(name: str, old: str, new: str) -> dict[str, str]:
    """The file with one text replaced, which must be there."""
    assert old in FILES[name]
    return {name: FILES[name].replace(old, new)}
