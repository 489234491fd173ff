"""Query expansion by declared synonyms: a fixed outside list, never words taken from documents (contract 4.2).

What was added can be seen beside the result, and only what the view itself holds is added: so an expansion says nothing
of texts that the asker may not read.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from workbench.contract import Hit, digest
from workbench.errors import InputError
from workbench.evidence import query as queries
from workbench.evidence.analyzed import ranking
from workbench.evidence.analyzers import Analyzer, Identity
from workbench.evidence.finding import Finder, unchanged
from workbench.evidence.ranking import Lens
from workbench.evidence.tokens import terms
from workbench.evidence.view import View

MOST_WORDS: Final = 50
"""More added words than this would be another question."""


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Groups of expressions that mean the same; each of one or more words, in lower case and NFC."""

    groups: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, groups: Iterable[Iterable[str]]) -> Synonyms:
        """The checked groups, in an order that does not depend on how they were given; InputError for nonsense.

        >>> Synonyms.of([["Gleitringdichtung", "GLRD"], ["Leckage", "Undichtigkeit"]]).groups
        (('gleitringdichtung', 'glrd'), ('leckage', 'undichtigkeit'))
        """
        return cls(_groups(groups, file=None))

    @classmethod
    def read(cls, path: str | Path) -> Synonyms:
        """The groups of a TOML file, ``groups = [["Leckage", "Undichtigkeit"], …]``; InputError where it is none."""
        path = Path(path)
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise InputError(f"this is no readable TOML file: {error}", file=path.name) from None
        if set(content) != {"groups"} or not isinstance(content["groups"], list):
            raise InputError("a file of synonyms holds groups and nothing else", file=path.name, found=sorted(content))
        return cls(_groups(content["groups"], file=path.name))

    @property
    def digest(self) -> str:
        """Names the list."""
        return digest([list(group) for group in self.groups])

    def added(self, words: list[str]) -> dict[str, tuple[str, ...]]:
        """For each expression of the question that is listed, the other expressions of its groups."""
        text = f" {' '.join(words)} "
        found: dict[str, dict[str, None]] = {}
        for group in self.groups:
            for one in group:
                if f" {' '.join(_words(one))} " in text:
                    others = found.setdefault(one, {})
                    others.update(dict.fromkeys(other for other in group if other != one))
        return {one: tuple(others) for one, others in found.items()}


@dataclass(frozen=True, slots=True)
class Expansion:
    """A question, what was added to it and why: for each of its expressions the synonyms that the view holds."""

    query: str
    added: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The question as it is searched."""
        return " ".join([self.query, *(one for group in self.added.values() for one in group)])


class Expanded:
    """A way to find, asked with the question and its declared synonyms; ``expansion`` shows which.

    Every word must occur where the way asks for all words, so give it one that looks for any.
    """

    __slots__ = ("_digests", "analyzer", "synonyms", "way")

    def __init__(self, way: Finder, synonyms: Synonyms, *, analyzer: Analyzer | None = None) -> None:
        """``analyzer`` says which words of the view count as a synonym; without one, the word itself."""
        self.way, self.synonyms = way, synonyms
        self.analyzer: Analyzer = Identity() if analyzer is None else analyzer
        self._digests = (synonyms.digest, self.analyzer.digest)

    def check(self, query: str) -> None:
        """Raise QueryRefused where the way does, for the question as it was asked."""
        queries.question_words(query)
        self.way.check(query)

    def expansion(self, view: View, query: str) -> Expansion:
        """What is added to the question in this view, and to which of its words."""
        unchanged(self._digests[0], self.synonyms.digest)
        unchanged(self._digests[1], self.analyzer.digest)
        wanted = self.synonyms.added(queries.question_words(query))
        now = view.now()
        if not wanted or not now.admitted:
            return Expansion(query)
        seen = ranking(view, self.analyzer)
        found: dict[str, tuple[str, ...]] = {}
        room = MOST_WORDS
        for one, others in wanted.items():
            held = [other for other in others if self._held(seen.lenses, other)][: max(room, 0)]
            room -= len(held)
            if held:
                found[one] = tuple(held)
        return Expansion(query, found)

    def _held(self, lenses: Sequence[Lens], expression: str) -> bool:
        keys = [(self.analyzer.key(term),) for term in terms(expression)]
        return all(any(len(lens.pairs(key)[0]) for lens in lenses) for key in keys)

    def find(self, view: View, query: str) -> list[Hit]:
        """The way's hits for the expanded question."""
        return self.way.find(view, self.expansion(view, query).text)

    def __repr__(self) -> str:
        synonyms, analyzer = (digest[:16] for digest in self._digests)
        return f"Expanded({self.way!r}, {synonyms!r}, {self.analyzer!r}, {analyzer!r})"


def _groups(groups: Iterable[Iterable[str]], *, file: str | None) -> tuple[tuple[str, ...], ...]:
    found = []
    for row, group in enumerate(groups, 1):
        said = "a group is a list of expressions"
        if isinstance(group, list | tuple | set | frozenset) and all(isinstance(one, str) for one in group):
            said = "a group is two or more expressions of letters or digits"
            plain = tuple(sorted({_plain(one) for one in group}))
            if len(plain) >= 2 and all(_words(one) for one in plain):
                found.append(plain)
                continue
        raise InputError(said, file=file, row=row, column="groups", found=group)
    return tuple(sorted(found))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


def _words(text: str) -> list[str]:
    return queries.question_words(text)
