"""``corpus check`` and ``corpus import``: what a search would silently miss, and documents as they come."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from workbench.cli.options import Commands, Result
from workbench.convert.folder import Imported, entries, import_files
from workbench.convert.limits import Options
from workbench.convert.refusals import Refused
from workbench.errors import visible
from workbench.evidence.checks import Finding, findings
from workbench.evidence.corpus import Corpus


def add(commands: Commands) -> None:
    """Add the commands."""
    corpus = commands.group("corpus", help="check a corpus, or make one from files")
    check = corpus.add(
        "check",
        run=_check,
        help="list what makes a search silently miss, with document and position",
        example="workbench corpus check data/pumps",
    )
    check.add_argument("corpus", metavar="CORPUS", help="the corpus folder")

    made = corpus.add(
        "import",
        run=_import,
        help="make a corpus of PDF, HTML, Markdown and text files; each part of a text keeps its place in the source",
        example="workbench corpus import data/pumps/texts --to corpus --tenant werk-nord --groups wartung "
        "--version 2 --language de",
    )
    made.add_argument("files", metavar="FILES", nargs="+", help="files, or folders of them")
    made.add_argument("--to", required=True, metavar="CORPUS", help="the folder to make; it must not exist yet")
    whose = made.add_argument_group("whose the documents are (said, never guessed; the same for all of them)")
    whose.add_argument("--tenant", required=True, help="the tenant")
    whose.add_argument("--groups", required=True, help="the groups that may read them, separated by commas")
    whose.add_argument("--version", required=True, help="their version")
    whose.add_argument("--language", metavar="L", help="lower-case BCP 47, like de")
    how = made.add_argument_group("how they are read")
    how.add_argument("--boilerplate", action="store_true", help="keep navigation and page headers of HTML")
    how.add_argument("--spaces-from-gaps", action="store_true", help="accept PDFs without spaces, after comparing them")
    how.add_argument(
        "--pages-without-text", action="store_true", help="accept pages of a PDF that only show drawings or pictures"
    )
    how.add_argument("--skip-refused", action="store_true", help="import the others where some files are refused")
    how.add_argument("--changes", action="store_true", help="list everything that was changed, not only how often")


def _check(args: argparse.Namespace) -> Result:
    found = findings(Corpus.read(args.corpus).documents)
    text = "\n".join(map(_line, found)) or "nothing found that a search would silently miss"
    return Result({"findings": [asdict(finding) for finding in found]}, text, 1 if found else 0)


def _import(args: argparse.Namespace) -> Result:
    groups = {name for name in args.groups.split(",") if name}
    given = entries(args.files, tenant=args.tenant, groups=groups, version=args.version, language=args.language or None)
    options = Options(
        boilerplate=args.boilerplate,
        spaces_from_gaps=args.spaces_from_gaps,
        pages_without_text=args.pages_without_text,
    )
    found = import_files(given, args.to, options=options, skip_refused=args.skip_refused)
    left = findings(Corpus.read(args.to).documents) if found.written else []
    document = {
        "corpus": args.to if found.written else None,
        "documents": [_document(one, changes=args.changes) for one in found.documents],
        "refused": [
            {"file": str(file), "code": r.code, "page": r.page, "message": r.message, "remedy": r.remedy}
            for file, r in found.refused
        ],
        "findings": [asdict(finding) for finding in left],
    }
    lines = [_imported(one, changes=args.changes) for one in found.documents]
    lines += [visible(f"{file}: {Refused(refusal)}") for file, refusal in found.refused]
    lines += map(_line, left)
    if not found.written:
        lines.append(
            "nothing was written; --skip-refused imports the others" if found.documents else "nothing was written"
        )
    return Result(document, "\n".join(lines), 1 if found.refused else 0)


def _document(one: Imported, *, changes: bool) -> dict[str, object]:
    made = one.made
    found: dict[str, object] = {
        "id": one.entry.id,
        "file": str(one.entry.file),
        "source_sha256": one.sha256,
        "kind": made.kind,
        "characters": len(made.text),
        "pages": made.pages,
        "tables": len(made.tables),
        "changed": one.changed,
    }
    if changes:
        found["changes"] = [
            {"code": c.code, "found": c.found, "became": c.became, "place": c.place and list(c.place)}
            for c in made.changes
        ]
    return found


def _imported(one: Imported, *, changes: bool) -> str:
    made = one.made
    pages = f", {made.pages} pages" if made.pages else ""
    text = f"{one.entry.id} · {one.entry.file} · {len(made.text)} characters{pages}, {len(made.tables)} tables"
    if one.changed:
        text += " · changed: " + ", ".join(f"{code} {count}" for code, count in one.changed.items())
    lines = [visible(text)]
    if changes:
        lines += [visible(f"   {c.code}: {c.found!r} → {c.became!r}") for c in made.changes]
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    times = "once" if finding.count == 1 else f"{finding.count} times, first"
    where = visible(f"{finding.code} · {finding.document_id} · {times} at character {finding.position}")
    return f"{where}\n   {finding.message}; {finding.remedy}"
