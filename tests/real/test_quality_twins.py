"""The real twins on the other ways to find: six wordings of one article that differ in a tariff (contract 4.4)."""

import pytest

import workbench as wb
from tests.evidence.small_models import model
from workbench.evidence.finding import Finder

from .test_li_law import ARTICLE, QUESTION, READER, TARIFFS, articles, clock, corpus, midnight, texts
from .test_li_law_twins import PLAIN, TODAY, tariffs

__all__ = ["articles", "corpus", "texts"]  # the fixtures of the law's own tests

GERMAN = wb.Analyzed(20)
LIST = wb.Synonyms.of([["Photovoltaik", "Solarstrom"], ["Einspeisevergütung", *(value for _, _, value in TARIFFS)]])


def ways() -> dict[str, Finder]:
    kept = wb.Kept(model())
    vectors = wb.Vectors(kept, 20)
    return {
        "german": GERMAN,
        "vectors": vectors,
        "fused": wb.Fused((GERMAN, vectors), 20),
        "expanded": wb.Expanded(wb.Ranked(20, match="any"), LIST),
        "reranked": wb.Reranked(GERMAN, wb.Nearness(), 20),
        "nearest": wb.Reranked(GERMAN, wb.Nearest(kept), 20),
    }


WAYS = ways()


@pytest.mark.parametrize("name", WAYS)
def test_an_open_ranking_is_fooled_at_most_instants(name: str, corpus: wb.Corpus) -> None:
    first = WAYS[name].find(corpus.view(READER), QUESTION)[0].document_id
    wrong = [version for _, version, _ in TARIFFS if first != f"{version}#Art. 13 (1)"]
    assert len(wrong) >= len(TARIFFS) - 1


@pytest.mark.parametrize("name", WAYS)
def test_no_other_wording_is_ever_evidence(name: str, corpus: wb.Corpus, articles: wb.Register) -> None:
    session = wb.Session(corpus, articles, clock=clock(TODAY), cache=wb.MemoryCache(windows=True))
    evidence = wrong = 0
    for day, version, value in [*TARIFFS, *reversed(TARIFFS)]:
        for query in (PLAIN, QUESTION):
            request = wb.Request(ARTICLE, at=midnight(day))
            answer = session.ask(query, actor=READER, request=request, find=WAYS[name])
            assert answer.decision.revision_id == f"{version}#Art. 13 (1)"
            evidence += bool(tariffs(answer.hits))
            wrong += {hit.document_id for hit in answer.hits} - {answer.decision.revision_id} != set()
            wrong += not tariffs(answer.hits) <= {value}
    assert wrong == 0
    assert evidence > 0


def test_an_expansion_adds_the_tariff_in_force_alone(corpus: wb.Corpus, articles: wb.Register) -> None:
    find = wb.Expanded(wb.Ranked(20, match="any"), LIST)
    for day, _, value in TARIFFS:
        view = corpus.view(READER, articles.resolve(wb.Request(ARTICLE, at=midnight(day)), READER))
        added = find.expansion(view, PLAIN).added.get("einspeisevergütung", ())
        assert {float(one) for one in added} <= {float(value)}
