import math
from dataclasses import replace
from random import Random

import pytest

from tests.evidence import views
from workbench.contract import Actor, Document
from workbench.errors import EvidenceError, QueryRefused
from workbench.evidence.corpus import Corpus

ACTOR = Actor("nord", {"w"})


def test_shares_add_up_to_exactly_the_score():
    random = Random(1)
    rows = 0
    for _ in range(60):
        view = views.view(random, views.corpus(random))
        for match in ("all", "any"):
            query = views.question(random)
            hits = view.rank(query, 20, match)
            shares = view.explain(query, hits)
            each = len(shares) // len(hits) if hits else 0
            for at, hit in enumerate(hits):
                total = -0.0
                for share in shares[at * each : (at + 1) * each]:
                    assert (share.document_id, share.paragraph, share.score) == (
                        hit.document_id,
                        hit.paragraph,
                        hit.score,
                    )
                    total += share.contribution
                assert total == hit.score
                rows += each
    assert rows > 200


def test_every_number_of_a_share():
    corpus = Corpus([Document("a", "nord", frozenset({"w"}), "1", "rot rot blau\n\nblau\n\ngrün grün\n\n---")])
    view = corpus.view(ACTOR)
    first, second = view.explain("rot blau", view.search("rot blau"))
    assert (first.word, first.tf, first.length, first.df, first.passages, first.average) == ("rot", 2, 3, 1, 4, 1.5)
    assert first.idf == math.log(3.5 / 1.5)
    assert (second.word, second.tf, second.df, second.idf) == ("blau", 1, 2, 1e-6)
    assert first.contribution == -(first.idf * ((2 * 2.2) / (2 + 1.2 * (0.25 + 0.75 * 3 / 1.5))))


def test_an_absent_word_adds_nothing():
    view = Corpus([Document("a", "nord", frozenset({"w"}), "1", "rot\n\nblau\n\nx")]).view(ACTOR)
    shares = view.explain("rot fehlt \u19b0", view.rank("rot fehlt", 5, "any"))
    assert [(share.word, share.tf, share.contribution) for share in shares][1:] == [
        ("fehlt", 0, 0.0),
        ("\u19b0", 0, 0.0),
    ]


def test_only_the_views_own_hits():
    corpus = Corpus([Document("a", "nord", frozenset({"w"}), "1", "rot\n\nblau\n\nx")])
    view = corpus.view(ACTOR)
    [hit] = view.search("rot")
    for wrong in (replace(hit, view_id=""), replace(hit, document_id="b"), replace(hit, paragraph=9)):
        with pytest.raises(EvidenceError):
            view.explain("rot", [wrong])
    with pytest.raises(QueryRefused):
        view.explain("\x00", [hit])
    corpus.add(Document("b", "nord", frozenset({"w"}), "1", "rot"))
    with pytest.raises(EvidenceError):
        view.explain("rot", [hit])
