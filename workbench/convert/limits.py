"""How much a file may ask of its reader, and what a reader may be told: the settings of an import."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond these a file is refused by name, whatever it holds. Sizes are bytes, times seconds of one file.

    >>> Limits().pages
    3000
    """

    source: int = 200_000_000
    unpacked: int = 1_000_000_000
    pages: int = 3_000
    objects: int = 1_000_000
    depth: int = 200
    characters: int = 50_000_000
    cells: int = 500_000
    seconds: int = 600
    memory: int = 4_000_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """What the importer declares; every one of these is written into the provenance.

    ``boilerplate`` keeps navigation, page headers and the like, which are otherwise left out and listed;
    ``spaces_from_gaps`` accepts a PDF that holds no spaces, where the borders of words are read off the letters' gaps;
    ``pages_without_text`` accepts pages of a PDF that only show a drawing or a picture, and lists them.
    """

    boilerplate: bool = False
    spaces_from_gaps: bool = False
    pages_without_text: bool = False
