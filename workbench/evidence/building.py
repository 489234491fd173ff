"""The index of a corpus folder, made in advance (``workbench index CORPUS``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from workbench.evidence.corpus import Corpus
from workbench.evidence.reading import read_documents
from workbench.evidence.upkeep import write_index


def build(corpus_folder: str | Path, *, progress: Callable[[str], None] | None = None) -> Path:
    """Make the index of a corpus folder and write it into the folder's ``.index``; the path of its manifest.

    ``Corpus.read`` uses it from then on, as long as the documents are exactly these. ``progress`` is told in a line
    what is being done. An index that is there already is not looked at: this is the way out where one is damaged.
    Raises InputError for a corpus that cannot be read.
    """
    folder = Path(corpus_folder)
    if progress is not None:
        progress("reading the documents")
    corpus = Corpus(read_documents(folder))
    if progress is not None:
        progress(f"reading the words of {len(corpus)} documents")
    return write_index(folder, corpus.state, progress=progress)
