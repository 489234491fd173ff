"""S0's contract once more, written plainly, with every step replaceable: what wrong retrievers are made of.

As it stands it is right, and holds all 51 conditions. A mutant is this value with one step replaced
(:mod:`workbench.study.mutants`), so that whatever it fails, it fails for that one step. It shares no step
with the shipped retriever but SQLite itself, and nothing in the workbench uses it for work.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from workbench.contract import Actor, Document, Hit, Verdict
from workbench.errors import InputError, QueryRefused
from workbench.evidence import fts
from workbench.study.proof.rows import Mutant

TOKENIZER: Final = "unicode61 remove_diacritics 0"
CREATE: Final = "CREATE VIRTUAL TABLE small USING fts5(place UNINDEXED, body, tokenize = '{tokenizer}')"
INSERT: Final = "INSERT INTO small (place, body) VALUES (?, ?)"
SELECT: Final = "SELECT place, bm25(small) FROM small WHERE small MATCH ?"

Citation = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph of a document with its number, and its score once it was found."""

    document: Document
    number: int
    start: int
    quote: str
    score: float = 0.0


def sha256(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# --- the steps of a search ----------------------------------------------------------------------------------------


def may(actor: Actor, document: Document) -> bool:
    """Step 1: tenant equal, groups intersect, actor active."""
    return actor.active and actor.tenant == document.tenant and bool(actor.groups & document.groups)


def only_readable(readable: Sequence[Document], _documents: Sequence[Document]) -> Sequence[Document]:
    """Step 2: what may be shown, and what is indexed and with that counted in every statistic."""
    return readable


def words(
    query: object,
    *,
    characters: int = 200,
    most: int = 12,
    letters: int = 40,
    controls: str = r"[\x00-\x1f\x7f]",
    form: Callable[[str], str] = lambda text: unicodedata.normalize("NFC", text).lower(),
    once: bool = True,
) -> list[str]:
    """Step 3: the distinct words of a query, or its refusal."""
    if not isinstance(query, str) or len(query) > characters or re.search(controls, query):
        raise QueryRefused("no query")
    found = re.findall(r"[^\W_]+", form(query))
    found = list(dict.fromkeys(found)) if once else found
    if len(found) > most or any(len(word) > letters for word in found):
        raise QueryRefused("too many or too long words")
    return found


def limit(value: object) -> int:
    """Step 4: a whole number from 1 to 5."""
    if type(value) is not int or not 1 <= value <= 5:
        raise QueryRefused("no limit")
    return value


def paragraphs(document: Document) -> list[Part]:
    """Step 5: the parts between blank lines, counted with the empty ones."""
    found, start = [], 0
    for number, quote in enumerate(document.text.split("\n\n"), 1):
        found.append(Part(document, number, start, quote))
        start += len(quote) + 2
    return found


def all_words(_query: object, terms: Sequence[str]) -> str:
    """Step 6: what SQLite is asked: every word, as a literal."""
    return " AND ".join(f'"{term}"' for term in terms)


def by_score(part: Part) -> tuple[object, ...]:
    """Step 7: score, then document id, then paragraph number."""
    return (part.score, part.document.id, part.number)


def hit_of(part: Part) -> Hit:
    """Step 8: a hit with its evidence."""
    document = part.document
    end = part.start + len(part.quote)
    fingerprint = sha256(document.text)
    return Hit(
        document.id,
        document.version,
        fingerprint,
        part.number,
        "Paragraphs()",
        part.start,
        end,
        part.quote,
        part.score,
    )


# --- the steps of a resolution ------------------------------------------------------------------------------------


def current(documents: Sequence[Document], name: object) -> Document | None:
    """Step 1: the document as it is now."""
    return next((document for document in documents if document.id == name), None)


def unavailable(_document: Document | None) -> str:
    """Step 2: gone and forbidden are one and the same."""
    return "unavailable"


def same_source(document: Document, citation: Citation) -> bool:
    """Step 3: version and fingerprint."""
    return citation.get("version") == document.version and citation.get("content_sha256") == sha256(document.text)


def quoted(document: Document, citation: Citation) -> str | None:
    """Step 4: the paragraph at its own number, if the quote is exactly that paragraph."""
    number, parts = citation.get("paragraph"), document.text.split("\n\n")
    if type(number) is not int or not 1 <= number <= len(parts):
        return None
    return parts[number - 1] if citation.get("quote") == parts[number - 1] else None


@dataclass(frozen=True, slots=True)
class SmallRetriever:
    """The steps in their order; replace one, and it is a mutant."""

    name: str = "small"
    may: Callable[[Actor, Document], bool] = may
    allowed: Callable[[Sequence[Document], Sequence[Document]], Sequence[Document]] = only_readable
    indexed: Callable[[Sequence[Document], Sequence[Document]], Sequence[Document]] = only_readable
    words: Callable[[object], list[str]] = words
    limit: Callable[[object], int] = limit
    unique: bool = True
    paragraphs: Callable[[Document], list[Part]] = paragraphs
    tokenizer: str = TOKENIZER
    body: Callable[[str], str] = str
    expression: Callable[[object, Sequence[str]], str] = all_words
    score: Callable[[Part, Sequence[str]], float] = lambda part, _terms: part.score
    rescue: Callable[[Sequence[Part], Sequence[str]], list[Part]] = lambda _parts, _terms: []
    order: Callable[[Part], tuple[object, ...]] = by_score
    after: Callable[[list[Part], Sequence[Document]], list[Part]] = lambda found, _documents: found
    cut_first: bool = False
    hit: Callable[[Part], Hit] = hit_of
    may_cite: Callable[[Actor, Document], bool] = may
    current: Callable[[Sequence[Document], object], Document | None] = current
    unavailable: Callable[[Document | None], str] = unavailable
    same_source: Callable[[Document, Citation], bool] = same_source
    quoted: Callable[[Document, Citation], str | None] = quoted

    def search(self, actor: Actor, query: object, documents: Sequence[Document], limit: object = 3) -> list[Hit]:
        """The hits, step by step."""
        most = self.limit(limit)
        documents = self._register(documents)
        terms = self.words(query)
        allowed = self.allowed([document for document in documents if self.may(actor, document)], documents)
        indexed = self.indexed(allowed, documents)
        parts = [part for document in indexed for part in self.paragraphs(document) if part.quote.strip()]
        found = self._matching(parts, query, terms) if terms else []
        found = sorted(found or self.rescue(parts, terms), key=self.order)
        if self.cut_first:
            found = found[:most]
        found = [part for part in found if part.document in allowed]
        return [self.hit(part) for part in self.after(found, documents)[:most]]

    def resolve(self, actor: Actor, citation: Citation, documents: Sequence[Document]) -> Verdict:
        """Whether a citation holds, step by step."""
        documents = self._register(documents)
        document = self.current(documents, citation.get("document_id"))
        if document is None or not self.may_cite(actor, document):
            return Verdict(False, self.unavailable(document))
        if not self.same_source(document, citation):
            return Verdict(False, "source_changed")
        quote = self.quoted(document, citation)
        if quote is None:
            return Verdict(False, "quote_mismatch")
        return Verdict(True, document_id=document.id, quote=quote)

    def _register(self, documents: Sequence[Document]) -> Sequence[Document]:
        if self.unique and len({document.id for document in documents}) != len(documents):
            raise InputError("an id is there twice")
        return documents

    def _matching(self, parts: Sequence[Part], query: object, terms: Sequence[str]) -> list[Part]:
        with closing(fts.APSW.memory()) as database:
            database.execute(CREATE.format(tokenizer=self.tokenizer))
            database.executemany(INSERT, [(place, self.body(part.quote)) for place, part in enumerate(parts)])
            rows = list(database.execute(SELECT, (self.expression(query, terms),)))
        found = [replace(parts[int(str(place))], score=float(str(score))) for place, score in rows]
        return [replace(part, score=self.score(part, terms)) for part in found]


RIGHT: Final = SmallRetriever()
"""The small retriever without a mistake."""


def mutants(*lines: tuple[str, SmallRetriever, tuple[int, ...]]) -> tuple[Mutant[SmallRetriever], ...]:
    """The lines of a table as mutants that bear their names."""
    return tuple(Mutant(name, replace(made, name=name), rows) for name, made, rows in lines)
