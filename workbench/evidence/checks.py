"""What makes a search silently miss: reported with document and position, never repaired here (contract 2.11).

The strict search takes a document as it is. A text whose paragraphs end in CRLF is one single paragraph to it, and an
``ü`` of two code points is another word than the reader types. Each finding says what stands where, and what to do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from workbench.cards import card, sheet
from workbench.contract import Document
from workbench.errors import visible
from workbench.evidence.query import MAX_WORD
from workbench.evidence.tokens import terms

Places = Iterator[int]
Look = Callable[[str], Places]


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of trouble in one document: the code point where it first stands, and how often."""

    code: str
    document_id: str
    position: int
    count: int
    message: str
    remedy: str

    def __repr__(self) -> str:
        return f"Finding({self.code}, {self.document_id!r}, at {self.position}, {self.count}×)"

    def _repr_html_(self) -> str:
        place = f"{self.document_id} · character {self.position} · {self.count}×"
        return card(
            f"Finding {self.code}", [("stands at", place), ("found", self.message), ("what to do", self.remedy)]
        )


class Findings(list[Finding]):
    """A list of findings that a notebook shows as one table; as text it is one line for each."""

    __slots__ = ()

    def __str__(self) -> str:
        lines = [f"{f.code}  {f.document_id} at {f.position}, {f.count}×: {f.message}; {f.remedy}" for f in self]
        return "\n".join(map(visible, lines)) or "no findings"

    def _repr_html_(self) -> str:
        columns = ("document", "code", "first at", "times", "message", "remedy")
        rows = [(f.document_id, f.code, f.position, f.count, f.message, f.remedy) for f in self]
        return sheet(f"{len(rows)} findings" if rows else "no findings", columns, rows)


@dataclass(frozen=True, slots=True)
class Rule:
    """What to look for, what it does to a search, and the way out."""

    code: str
    look: Look
    message: str
    remedy: str


def findings(documents: Iterable[Document]) -> Findings:
    """Every finding, in the order of the documents and of the rules; an empty list where nothing is silently missed.

    >>> soft = Document("a", "nord", frozenset({"g"}), "1", "Dich\\u00adtung")
    >>> findings([soft]), findings([Document("b", "nord", frozenset({"g"}), "1", "Dichtung")])
    ([Finding(SOFT_HYPHEN, 'a', at 4, 1×)], [])
    """
    found = Findings()
    for document in documents:
        for rule in RULES:
            places = list(rule.look(document.text))
            if places:
                found.append(Finding(rule.code, document.id, places[0], len(places), rule.message, rule.remedy))
    return found


def _pattern(pattern: str) -> Look:
    compiled = re.compile(pattern)
    return lambda text: (match.start() for match in compiled.finditer(text))


def _nothing(text: str) -> Places:
    if not any(terms(line) for line in text.splitlines()):
        yield 0


def _decomposed(text: str) -> Places:
    if unicodedata.is_normalized("NFC", text):
        return
    for cluster in _CLUSTER.finditer(text):
        if not unicodedata.is_normalized("NFC", cluster[0]):
            yield cluster.start()


def _compatibility(text: str) -> Places:
    # Letters only: nobody is surprised that ² is another sign than 2, and whoever looks for m² types it.
    for found in _NON_ASCII.finditer(text):
        if found[0].isalpha() and found[0] not in _TYPED and _LIGATURE.match(found[0]) is None:
            folded = unicodedata.normalize("NFKC", found[0])
            if folded != unicodedata.normalize("NFC", found[0]) and folded.isalpha():
                yield found.start()


def _mixed(text: str) -> Places:
    for word in _WORD.finditer(text):
        if not word[0].isascii() and len({name for c in word[0] if (name := _alphabet(c))}) > 1:
            yield word.start()


def _alphabet(character: str) -> str | None:
    name = unicodedata.name(character, "").partition(" ")[0]
    if name == "GREEK":  # kΩ and Δp are as they should be
        return name if character in _LIKE_LATIN else None
    return name if name in ("LATIN", "CYRILLIC") else None


def _unfindable(text: str) -> Places:
    """Words whose tokens in the index are not those of the same word as a query: it is lower-cased by other rules."""
    verdicts: dict[str, bool] = {}
    if not unicodedata.is_normalized("NFC", text):
        return  # that has its own finding, and its words are other ones
    for word in _WORD.finditer(text):
        if _COMMON.fullmatch(word[0]):
            continue
        if word[0] not in verdicts:
            asked = _WORD.findall(word[0].lower())
            verdicts[word[0]] = terms(word[0]) != [term for part in asked for term in terms(part)] or not terms(word[0])
        if verdicts[word[0]]:
            yield word.start()


_WORD: Final = re.compile(r"[^\W_]+")
_COMMON: Final = re.compile(r"[A-Za-z0-9ÄÖÜäöüß]+")
_NON_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_CLUSTER: Final = re.compile(r"(?s).[^\x00-\u02ff]*")
_LIGATURE: Final = re.compile(r"[\ufb00-\ufb06]")
_TYPED: Final = frozenset("µªº")  # folded by compatibility too, and on a keyboard all the same
_LIKE_LATIN: Final = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιρυμ")

CLEAN: Final = "import the source again with workbench corpus import, which cleans it and records the change"
TYPE: Final = "correct the source"

RULES: Final = (
    Rule("NOTHING_TO_FIND", _nothing, "the document has no searchable word", "check that the right text was read"),
    Rule(
        "CRLF",
        _pattern(r"\r\n?"),
        "lines end in CR: blank lines do not part paragraphs, and words of different ones are found as if in one",
        CLEAN,
    ),
    Rule(
        "BLANK_LINE_WITH_SPACES",
        _pattern(r"\n[^\S\n\r]+(?=\n)"),
        "a line that looks blank holds spaces, so it parts no paragraphs",
        CLEAN,
    ),
    Rule(
        "OTHER_LINE_END",
        _pattern(r"[\v\f\x1c-\x1e\x85\u2028\u2029]"),
        "a line or page end that is no line feed parts no paragraphs",
        CLEAN,
    ),
    Rule(
        "NOT_NFC",
        _decomposed,
        "letters are written with separate accents; a query is composed (NFC) and does not meet them",
        CLEAN,
    ),
    Rule("SOFT_HYPHEN", _pattern("\u00ad"), "an invisible soft hyphen cuts a word in two", CLEAN),
    Rule(
        "ZERO_WIDTH",
        _pattern(r"[\u180e\u200b-\u200d\u2060-\u2064\ufeff]"),
        "an invisible character of no width cuts or changes a word",
        CLEAN,
    ),
    Rule(
        "DIRECTION_MARK",
        _pattern(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"),
        "an invisible direction mark cuts a word, or shows the text in another order than it is searched",
        CLEAN,
    ),
    Rule("LIGATURE", _pattern(_LIGATURE.pattern), "a ligature stands for its letters, which do not meet it", CLEAN),
    Rule(
        "COMPATIBILITY_LETTER",
        _compatibility,
        "a letter is a styled or wide form of another one, and is not met by it",
        TYPE,
    ),
    Rule(
        "MIXED_ALPHABETS",
        _mixed,
        "a word holds letters of several alphabets that look alike, such as a Cyrillic а or a Greek μ",
        TYPE,
    ),
    Rule(
        "HYPHENATED_LINE_END",
        _pattern(r"(?<=[^\W\d_])[-\u2010]\n(?=[a-zäöüß])(?!(?:und|oder|bzw|sowie|bis|and|or|to)\b)"),
        "a word is parted at a line end, so neither half nor whole is the word that is looked for",
        CLEAN,
    ),
    Rule(
        "SPACED_LETTERS",
        _pattern(r"(?<!\S)(?:[^\W\d_] ){3,}[^\W\d_](?!\S)"),
        "a word is spaced out into single letters",
        TYPE,
    ),
    Rule(
        "NUMBER_GLUED_TO_WORD",
        _pattern(r"(?<![\w.,])\d+(?=[A-ZÄÖÜ][a-zäöüß]{2})"),
        "a number stands against the word after it, which is not found by itself",
        TYPE,
    ),
    Rule(
        "WORD_TOO_LONG",
        _pattern(rf"[^\W_]{{{MAX_WORD + 1},}}"),
        f"a word has more than {MAX_WORD} letters, which no query may have; spaces may be missing",
        TYPE,
    ),
    Rule(
        "WRONG_ENCODING",
        _pattern(r"Ã[\x80-\xbf\u0178\u0152\u0153\u201c-\u201e\u2013\u2014]|â€|Â[\xa0-\xbf]"),
        "the text was read in the wrong encoding",
        "save the source as UTF-8 and import it again",
    ),
    Rule(
        "ENTITY",
        _pattern(r"&(?:[A-Za-z]{2,8}|#\d{2,6}|#x[0-9A-Fa-f]{2,6});"),
        "an HTML entity stands where its character should",
        CLEAN,
    ),
    Rule(
        "UNREADABLE",
        _pattern(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufffd\ufffe\uffff\ue000-\uf8ff]|\(cid:\d+\)"),
        "characters without a meaning stand where text should: controls, private use, or lost ones",
        "import from a source with a sound text layer",
    ),
    Rule(
        "UNFINDABLE_WORD",
        _unfindable,
        "a word is indexed otherwise than a query for it is read, so it cannot be found",
        "write the word in the usual letters of its language",
    ),
)
