"""Analyzers: which words count as the same, as a map from term to term over the index as it is.

No second index is made: a word of a question stands for all terms of the view that are mapped to the same one, and is
counted as FTS5 would count it in texts whose words had been mapped. So offsets and quotes stay verbatim, and documents
are never normalised (contract 2.11). Stems: Porter's Snowball, "German stemmer", by PyStemmer (extra ``german``).
"""

from __future__ import annotations

import importlib.metadata
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, runtime_checkable

from workbench.contract import digest
from workbench.errors import InputError
from workbench.evidence.compounds import parts_of
from workbench.evidence.tokens import terms

PROBE: Final = "prüfen geprüft Prüfung Maße Masse Bücher Pumpen Wartungsfreigabe Öl straßen ist die"
"""An analyzer's digest is over what it makes of these, so that one with other results has another digest."""
LONGEST: Final = 100
"""Longer terms are no words of a language and stay as they are."""


@runtime_checkable
class Analyzer(Protocol):
    """Which words count as the same; equal analyzers have equal digests."""

    @property
    def digest(self) -> str:
        """The digest of whatever decides its results."""
        ...

    def key(self, term: str) -> str:
        """What a term of the index, in lower case, is mapped to."""
        ...

    def question(self, words: Sequence[str]) -> list[str]:
        """Which of a question's words are looked for; all of them where none would be left."""
        ...

    def groups(self, vocabulary: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """For each key the terms of a view's vocabulary that count as it."""
        ...


class Identity:
    """Every word is itself: as ``view.rank``, but composed and decomposed letters (NFC, NFD) are the same.

    >>> Identity().key("fu\\u0308r")
    'für'
    """

    __slots__ = ()

    digest = digest(["identity", 1])

    def key(self, term: str) -> str:
        """The term in NFC."""
        return unicodedata.normalize("NFC", term)

    def question(self, words: Sequence[str]) -> list[str]:
        """All words."""
        return list(words)

    def groups(self, vocabulary: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """Terms that are one in NFC."""
        return grouped((self.key(term), term) for term in vocabulary)

    def __repr__(self) -> str:
        return "Identity()"


class German:
    """German words by their stems; a question's function words are not looked for unless nothing else is left.

    ``compounds`` lets a word also find the compounds that it is a part of; parts are words of the view itself
    (contract 4.2). Raises InputError where PyStemmer is not installed.

    >>> german = German()
    >>> german.key("pumpen") == german.key("pumpe"), german.question(["wie", "oft", "wird", "geschmiert"])
    (True, ['oft', 'geschmiert'])
    """

    def __init__(self, *, compounds: bool = False) -> None:
        try:
            import Stemmer
        except ImportError:
            raise InputError("the package PyStemmer is not installed", remedy="install the extra german") from None
        self._stemmer: Any = Stemmer.Stemmer("german", 0)
        self._keys: dict[str, str] = {}
        self._compounds = compounds
        self._version = importlib.metadata.version("PyStemmer")

    def __reduce__(self) -> tuple[object, ...]:
        """As its settings: a stemmer is not sent to another process but made there."""
        return partial(German, compounds=self._compounds), ()

    @property
    def digest(self) -> str:
        """Over method, package version, settings, stop words, and what becomes of some words."""
        stems = [self._stemmer.stemWord(term) for term in terms(PROBE)]
        return digest(["german", 1, self._version, self._compounds, sorted(STOP), stems])

    def key(self, term: str) -> str:
        """The stem of the term in NFC."""
        found = self._keys.get(term)
        if found is None:
            plain = unicodedata.normalize("NFC", term)
            odd = len(plain) > LONGEST or any(0xD800 <= ord(c) < 0xE000 for c in plain)
            found = self._keys[term] = plain if odd else self._stemmer.stemWord(plain)
        return found

    def question(self, words: Sequence[str]) -> list[str]:
        """Without function words, or all words where there are only such."""
        return [word for word in words if unicodedata.normalize("NFC", word) not in STOP] or list(words)

    def groups(self, vocabulary: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """Terms of one stem, and where asked the compounds of these."""
        own = grouped((self.key(term), term) for term in vocabulary)
        if not self._compounds:
            return own
        found = {key: list(same) for key, same in own.items()}
        for term, stems in parts_of(own, self.key).items():
            for stem in stems:
                found[stem].append(term)
        return found

    def __repr__(self) -> str:
        return "German(compounds=True)" if self._compounds else "German()"


def grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The terms under each key."""
    found: dict[str, list[str]] = {}
    for key, term in pairs:
        found.setdefault(key, []).append(term)
    return found


STOP: Final = frozenset(
    (
        "der die das den dem des ein eine einer eines einem einen "
        "ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich man "
        "sein seine seiner seinem seinen seines ihre ihrer ihrem ihren ihres dieser diese dieses diesem diesen "
        "welcher welche welches welchem welchen wer was wem wen wessen wo wann wie "
        "warum weshalb wieso wohin woher womit wodurch worauf woran worin wofür wovon wozu "
        "und oder aber denn auch nur noch als wenn ob dass so da "
        "in im an am auf aus bei beim mit nach von vom vor zu zum zur über unter für durch um bis "
        "ist sind war waren hat haben hatte hatten wird werden wurde wurden worden"
    ).split()
)
"""German function words that say nothing of a subject; chosen by hand, and few: modal verbs, numbers and negations cost
more finds than they save (measured on XQuAD; no difference on the handbooks)."""
