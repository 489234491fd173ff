"""Random corpora, views and questions, and the comparison of the index with a fresh FTS5 table."""

from random import Random

from tests.evidence import cases
from tests.evidence.decisions import decision
from workbench.contract import Actor, Document
from workbench.evidence import fts
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs, Words
from workbench.evidence.structure import Characters, Sentences
from workbench.intervals import Interval

NAMES = [f"d{number}" for number in range(12)] + cases.IDS


def document(random: Random, name: str, words: list[str] | None = None) -> Document:
    groups = frozenset(random.sample(cases.GROUPS, random.randint(0, 2)))
    tenant = random.choice(["nord", "nord", "nord", "süd"])
    return Document(name, tenant, groups, str(random.randint(1, 3)), cases.random_text(random, 60, words))


def corpus(random: Random, words: list[str] | None = None) -> Corpus:
    names = random.sample(NAMES, random.randint(0, 8))
    return Corpus(document(random, name, words) for name in names)


def actor(random: Random) -> Actor:
    return Actor(random.choice(["nord", "nord", "süd"]), random.sample(cases.GROUPS, random.randint(1, 3)))


def spans(random: Random, text: str, inside_tokens: bool):
    """Some disjoint parts of a text: on paragraph borders, or anywhere."""
    if inside_tokens:
        borders = sorted(random.sample(range(len(text) + 1), min(4, len(text) + 1)))
    else:
        every = sorted({0, len(text), *(p.start for p in Paragraphs().passages(text))})
        borders = sorted(random.sample(every, min(4, len(every))))
    found = [Interval(a, b) for a, b in zip(borders[::2], borders[1::2], strict=False) if a < b]
    return tuple(found) or None


def view(random: Random, of: Corpus):
    """A view of the corpus for a random actor, sometimes under a decision, under a random cut."""
    who = actor(random)
    found = of.view(who)
    if found.documents and random.random() < 0.4:
        names = random.sample(found.documents, random.randint(1, len(found.documents)))
        limits = None
        if len(names) == 1 and random.random() < 0.7 and of.get(names[0]).text:
            limits = spans(random, of.get(names[0]).text, random.random() < 0.5)
        found = of.view(who, decision(who, of, limits, *names))
    size = random.randint(1, 9)
    every = [Paragraphs(), Words(size, overlap=random.randint(0, size - 1)), Sentences(2), Characters(20)]
    cut = random.choices(every, [4, 4, 1, 1])[0]
    return found.cut(cut)


def question(random: Random, words: list[str] | None = None) -> str:
    some = [random.choice(words or cases.WORDS + cases.TRAPS) for _ in range(random.randint(1, 6))]
    return " ".join(some).replace("\x00", "")


def compare(random: Random, of, words: list[str] | None = None, questions: int = 5) -> int:
    """Ask a view some questions, both ways, and count the hits."""
    hits = 0
    for _ in range(questions):
        query, match, depth = question(random, words), random.choice(["all", "any"]), random.choice([1, 3, 10, 10**9])
        found, wanted = of.rank(query, depth, match), fts.rank(of, query, depth, match)
        assert found == wanted, (of, query, match, depth)
        hits += len(found)
        for hit in found[:3]:
            assert of.corpus.get(hit.document_id).text[hit.start : hit.end] == hit.quote
    return hits
