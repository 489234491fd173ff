"""The scenario QA-NFD: judgments stored in NFD are reported, found where NFC is compared, and quoted as they are."""

import json
import unicodedata
from pathlib import Path

import pytest

import workbench as wb
from workbench.evidence.checks import findings

READER = wb.Actor("public", {"reader"})


@pytest.fixture(scope="module")
def judgments(real_data: Path) -> wb.Corpus:
    lines = (real_data / "qa/legalquad_de/docs.jsonl").read_text(encoding="utf-8").splitlines()[:12]
    rows = [json.loads(line) for line in lines]
    return wb.Corpus(wb.Document(row["doc_id"], "public", {"reader"}, "1", row["text"], "de") for row in rows)


def test_the_check_names_every_judgment(judgments: wb.Corpus) -> None:
    reported = {f.document_id for f in findings(judgments.documents) if "NFD" in f.code or "NFC" in f.message}
    assert reported == {document.id for document in judgments.documents}


def test_the_strict_search_misses_them_and_says_no_more(judgments: wb.Corpus) -> None:
    assert judgments.view(READER).search("Begründung") == []


def test_the_german_way_finds_them_and_quotes_them_in_nfd(judgments: wb.Corpus) -> None:
    pytest.importorskip("Stemmer", reason="extra german absent (PyStemmer)")
    view = judgments.view(READER).cut(wb.Words(150))
    hits = wb.Analyzed(20).find(view, "Begründung")
    assert hits
    for hit in hits:
        text = judgments.get(hit.document_id).text
        assert text[hit.start : hit.end] == hit.quote
        assert not unicodedata.is_normalized("NFC", hit.quote)
        assert wb.resolve_citation(READER, hit, judgments).ok
    assert any("Begründung" in unicodedata.normalize("NFC", hit.quote) for hit in hits)
