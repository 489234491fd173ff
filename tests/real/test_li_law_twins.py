"""The twin trap with real twins: six wordings of one article of law that differ in a tariff (contract 4.4).

Every wording of every stored article is in one corpus, open to everybody. A ranking without decision always puts the
same wording first, whenever one asks; under the register each instant has its own, from every search and every cache.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import workbench as wb

from .test_li_law import ARTICLE, QUESTION, READER, TARIFFS, articles, clock, corpus, midnight, texts

__all__ = ["articles", "corpus", "texts"]  # the fixtures of the law's own tests

FINDERS = [wb.Strict(5), wb.Ranked(10), wb.Ranked(10, match="any"), wb.Ranked(1000, match="any")]
CUTS = [wb.Paragraphs(), wb.Words(40, overlap=10)]
PLAIN = "Einspeisevergütung Photovoltaik"
TODAY = "2026-04-17"


def tariffs(hits: tuple[wb.Hit, ...] | list[wb.Hit]) -> set[str]:
    """The tariffs that the hits name for one kilowatt hour."""
    return {one for hit in hits for one in re.findall(r"Einspeisevergütung von (\d\.\d+) Franken", hit.quote)}


def caches(folder: Path) -> Iterator[wb.MemoryCache | wb.SqliteCache | None]:
    yield None
    yield wb.MemoryCache()
    yield wb.MemoryCache(windows=True)
    kept = wb.SqliteCache(folder / "answers.sqlite", windows=True)
    yield kept
    kept.close()


@pytest.mark.parametrize("find", [FINDERS[0], FINDERS[2]], ids=repr)
def test_an_open_ranking_is_fooled_at_most_instants(find: wb.Strict | wb.Ranked, corpus: wb.Corpus) -> None:
    """It cannot know the time: one wording comes first whenever one asks, and is the wrong one nearly always."""
    query = PLAIN if isinstance(find, wb.Strict) else QUESTION
    first = find.find(corpus.view(READER), query)[0].document_id
    wrong = [version for _, version, _ in TARIFFS if first != f"{version}#Art. 13 (1)"]
    assert len(wrong) >= len(TARIFFS) - 1


@pytest.mark.parametrize("cut", CUTS, ids=repr)
@pytest.mark.parametrize("find", FINDERS, ids=repr)
def test_no_other_wording_is_ever_evidence(
    find: wb.Strict | wb.Ranked, cut: wb.Words, corpus: wb.Corpus, articles: wb.Register, tmp_path: Path
) -> None:
    evidence = wrong = 0
    for cache in caches(tmp_path):
        session = wb.Session(corpus, articles, clock=clock(TODAY), cache=cache)
        for day, version, value in [*TARIFFS, *reversed(TARIFFS)]:
            for at in (midnight(day), midnight(day) + timedelta(days=20)):
                for query in (PLAIN, QUESTION):
                    if isinstance(find, wb.Strict) and query == QUESTION:
                        query = f"Einspeisevergütung {value.replace('.', ' ')}"
                    answer = session.ask(query, actor=READER, request=wb.Request(ARTICLE, at=at), find=find, cut=cut)
                    assert answer.decision.revision_id == f"{version}#Art. 13 (1)"
                    evidence += bool(tariffs(answer.hits))
                    wrong += {hit.document_id for hit in answer.hits} - {answer.decision.revision_id} != set()
                    wrong += not tariffs(answer.hits) <= {value}
    assert wrong == 0
    assert evidence > 0


def test_no_other_wording_is_a_candidate(corpus: wb.Corpus, articles: wb.Register) -> None:
    for day, version, _ in TARIFFS:
        decision = articles.resolve(wb.Request(ARTICLE, at=midnight(day)), READER)
        view = corpus.view(READER, decision)
        assert {document.id for document, _ in view.passages()} == {f"{version}#Art. 13 (1)"}
