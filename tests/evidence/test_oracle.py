"""Equal to the seed's retriever: same refusals, hits, order and scores bit for bit, same verdicts on citations."""

from types import ModuleType

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evidence import cases
from workbench.contract import Actor, Document
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus

S0_FIELDS = ("document_id", "version", "content_sha256", "paragraph", "quote", "score")


def ours(rows):
    return Corpus(Document(name, tenant, groups, "1", text) for name, tenant, groups, text in rows)


def theirs(seed, rows):
    return [seed.Document(name, tenant, groups, "1", text) for name, tenant, groups, text in rows]


def outcome(ask):
    try:
        return ask()
    except ValueError:
        return "refused"


@settings(max_examples=5_000)
@given(rows=cases.documents, who=cases.actors, query=cases.queries, limit=cases.limits)
def test_search_equals_the_seed(seed: ModuleType, rows, who, query, limit):
    tenant, groups, active = who

    def wanted():
        return seed.retrieve(seed.Actor(tenant, groups, active), query, theirs(seed, rows), limit)

    def found():
        view = ours(rows).view(Actor(tenant, groups, active))
        hits = view.search(query, limit)
        for hit in hits:
            document = view.corpus.get(hit.document_id)
            assert document.text[hit.start : hit.end] == hit.quote
        return [{name: getattr(hit, name) for name in S0_FIELDS} for hit in hits]

    assert outcome(found) == outcome(wanted)


class Odd:
    """A value that refuses to be compared, hashed or counted."""

    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError

    def __bool__(self):
        raise RuntimeError


FORGED = {
    "document_id": [None, "", "nirgends", 3, True],
    "version": [None, "2", 1, b"1"],
    "content_sha256": [None, "", "0" * 64, 5],
    "paragraph": [0, -1, 1, 2, 3, 4, 99, 10**30, True, False, "1", 1.0, None],
    "quote": [None, "", "a", "frei erfunden", " ", 3],
}
MISSING = object()


@settings(max_examples=2_000)
@given(rows=cases.documents, who=cases.actors, data=st.data())
def test_resolution_equals_the_seed(seed: ModuleType, rows, who, data):
    tenant, groups, active = who
    rows = list({row[0]: row for row in rows}.values())
    citation = {"document_id": "a", "version": "1", "content_sha256": "", "paragraph": 1, "quote": ""}
    if rows:
        name, _, _, text = data.draw(st.sampled_from(rows))
        parts = text.split("\n\n")
        number = data.draw(st.integers(1, len(parts)))
        sha256 = seed.fingerprint(seed.Document(name, "", frozenset(), "", text))
        citation = dict(zip(citation, (name, "1", sha256, number, parts[number - 1]), strict=True))
    for field in data.draw(st.lists(st.sampled_from(list(FORGED)), max_size=2)):
        value = data.draw(st.sampled_from([*FORGED[field], MISSING]))
        if value is MISSING:
            citation.pop(field, None)
        elif field == "quote" and value == "a":
            citation["quote"] = str(citation.get("quote")) + "a"
        else:
            citation[field] = value
    wanted = seed.resolve_citation(seed.Actor(tenant, groups, active), citation, theirs(seed, rows))
    verdict = resolve_citation(Actor(tenant, groups, active), citation, ours(rows))
    if verdict.ok:
        assert wanted == {"ok": True, **{n: getattr(verdict, n) for n in ("document_id", "paragraph", "quote")}}
    else:
        assert wanted == {"ok": False, "reason": verdict.reason}


ODD = [
    None,
    True,
    0,
    -1,
    1.0,
    float("nan"),
    "",
    "a",
    b"a",
    [],
    [[1]],
    [[0, 1]],
    [[0, 1], [0, 1]],
    {},
    Odd(),
    Odd,
    10**40,
]
FIELDS = ["document_id", "version", "content_sha256", "paragraph", "quote", "cut", "start", "end", "within"]


@settings(max_examples=500)
@given(data=st.data())
def test_no_value_raises(data):
    corpus = ours([("a", "nord", frozenset({"wartung"}), "Eins\n\nZwei")])
    actor = Actor("nord", {"wartung"})
    [hit] = corpus.view(actor).search("zwei")
    citation = hit.citation().mapping()
    assert resolve_citation(actor, citation, corpus)
    for field in data.draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3)):
        citation[field] = data.draw(st.sampled_from(ODD))
    assert resolve_citation(actor, citation, corpus).reason in (None, "unavailable", "source_changed", "quote_mismatch")
