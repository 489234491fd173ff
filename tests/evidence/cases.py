"""Random corpora, queries and actors for the evidence tests: German words, traps of Unicode and of FTS5's syntax.

Everything here is invented.
"""

import unicodedata
from random import Random

from hypothesis import strategies as st

WORDS = [
    "zwei", "Personen", "Freigabe", "freigabe", "für", "fur", "FÜR", "Schlüssel", "Straße", "STRASSE", "straẞe", "İd",
    "2024", "v2", "a", "a", "a", "b", "b", "c", "a_b", "x" * 40, "x" * 41, "ﬁn", "fin", "α", "Σ", "ς", "ǅ", "e\u0301",
    unicodedata.normalize("NFD", "für"), unicodedata.normalize("NFD", "Schlüssel"),
]  # fmt: skip
TRAPS = [
    "OR", "AND", "NOT", "NEAR(a b)", "a*", "*", '"', '""', "(", ")", "body:", "{body}", "^a", "-", "+", "'", ";--", "_",
    "😀", "👩‍🚒", "²", "½", "٣", "ᦰ", "aᦰb", "ᳲ", "\u0301", "a\u00adb", "\u200b", "漢字", "𝒳", "\ue000",
    "\x00", "\ufffe",
]  # fmt: skip
GAPS = [" ", " ", " ", " ", "", "\n", "\n\n", "\n\n", "\n\n\n", "\n\n\n\n", "\t", "\r\n\r\n", " \n\n \n\n", "\u2028"]
TENANTS = ["nord", "süd"]
GROUPS = ["leitung", "wartung", "gast"]
IDS = ["a", "b", "B", "ä", "z10", "z9", "😀", "\uffff", "id mit Leerzeichen"]

pieces = st.sampled_from(WORDS * 2 + TRAPS)
texts = st.lists(st.tuples(pieces, st.sampled_from(GAPS)), max_size=14).map(lambda p: "".join(w + g for w, g in p))
groups = st.frozensets(st.sampled_from(GROUPS), max_size=3)
documents = st.lists(
    st.tuples(st.sampled_from(IDS), st.sampled_from(["nord", "nord", "nord", "süd"]), groups, texts), max_size=6
)
actors = st.tuples(st.sampled_from(["nord", "nord", "nord", "süd", "west"]), groups, st.integers(0, 9).map(bool))
queries = st.one_of(
    st.lists(pieces, max_size=4).map(" ".join),
    st.lists(pieces, max_size=2).map("".join),
    st.sampled_from(
        ["", " ", "a", "a b", "zwei personen", "b a c", "tab\there", "zeile\n", "\x7f", "a" * 200, "a" * 201]
    ),
    st.lists(pieces, min_size=11, max_size=16).map(" ".join),
    st.text(max_size=12),
    st.sampled_from([None, 3, b"a", ["a"]]),
)
limits = st.one_of(st.integers(1, 5), st.sampled_from([0, -1, 6, True, False, 3.0, "3", None]))


def random_text(random: Random, length: int, words: list[str] | None = None) -> str:
    """A text of some pieces, most of them from a small vocabulary so that words meet."""
    found = []
    for _ in range(random.randint(0, length)):
        found.append(random.choice(words or (TRAPS if random.random() < 0.1 else WORDS)))
        found.append(random.choice(GAPS) if random.random() < 0.5 else " ")
    return "".join(found)
