"""``search``, ``cite`` and ``index``: S0 on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from workbench.cli.finding import add_finding, expansion_of, expansion_text, finder_of
from workbench.cli.options import Commands, Result, actor_of, add_actor
from workbench.contract import Hit
from workbench.errors import InputError, visible
from workbench.evidence.building import build
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus

NO_HIT = "no matching passage in the accessible corpus"


def add(commands: Commands) -> None:
    """Add the commands."""
    search = commands.add(
        "search",
        run=_search,
        help="find passages in what the actor may read: those that hold all words of the query, or by --find",
        example='workbench search data/pumps "zwei Personen" --tenant werk-nord --groups wartung',
    )
    search.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    search.add_argument("query", metavar="QUERY", help="words, or with --find a question")
    add_actor(search)
    search.add_argument("--limit", type=int, default=3, metavar="N", help="1 to 5 hits (with --find: any number)")
    add_finding(search)

    cite = commands.add(
        "cite",
        run=_cite,
        help="resolve a citation against the corpus as it is now",
        example="workbench cite data/pumps data/examples/citation.json --tenant werk-nord --groups wartung",
    )
    cite.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    cite.add_argument("citation", metavar="CITATION.json", help="the citation, as search --json writes a hit")
    add_actor(cite)

    index = commands.add(
        "index",
        run=_index,
        help="build the corpus's index once; it is used from then on, as long as the documents are exactly these",
        example="cp -r data/pumps corpus\nworkbench index corpus",
    )
    index.add_argument("corpus", metavar="CORPUS", help="the corpus folder")


def hit_document(hit: Hit) -> dict[str, object]:
    """A hit as JSON values (contract 6)."""
    found = hit.citation().mapping()
    return {**found, "score": hit.score}


def hit_text(number: int, hit: Hit) -> str:
    """A hit for people: where it stands and what it says; no score, which is only a place in the order."""
    place = f"{hit.document_id} · version {hit.version} · paragraph {hit.paragraph}"
    where = visible(f"{place} · characters {hit.start} to {hit.end} · {hit.content_sha256[:8]}")
    quote = "\n   ".join(visible(hit.quote, keep="\n").split("\n"))
    return f"{number}. {where}\n   {quote}"


def read_object(path: str) -> dict[str, object]:
    """The JSON object in a file; raises InputError naming the file."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text", file=path) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"broken JSON: {error}", file=path) from None
    if not isinstance(found, dict):
        raise InputError("this is no JSON object", file=path, remedy="write one object")
    return found


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")  # or two readers would read two different things
    return found


def _search(args: argparse.Namespace) -> Result:
    find = finder_of(args, args.limit)
    view = Corpus.read(args.corpus).view(actor_of(args))
    hits = view.search(args.query, args.limit) if find is None else find.find(view, args.query)
    added = expansion_of(find, view, args.query)
    document: dict[str, object] = {"hits": [hit_document(hit) for hit in hits]}
    text = "\n".join(hit_text(number, hit) for number, hit in enumerate(hits, 1)) or NO_HIT
    return Result(document if added is None else {**document, "expansion": added}, expansion_text(added) + text)


def _cite(args: argparse.Namespace) -> Result:
    citation = read_object(args.citation)
    verdict = resolve_citation(actor_of(args), citation, Corpus.read(args.corpus))
    document = {"ok": verdict.ok, "reason": verdict.reason, "historical": verdict.historical}
    return Result(document, repr(verdict), 0 if verdict.ok else 1)


def _index(args: argparse.Namespace) -> Result:
    path = build(args.corpus, progress=lambda line: print(line, file=sys.stderr))
    size = sum(file.stat().st_size for file in path.parent.iterdir() if file.is_file())
    return Result({"index": str(path), "bytes": size}, f"{path}: {size:,} bytes")
