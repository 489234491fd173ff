from dataclasses import replace

import pytest

from tests.evidence.decisions import decision
from workbench.contract import OPERATOR, Actor, Document
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Words
from workbench.intervals import Interval

TEXT = "Zwei Personen prüfen.\n\n\n\nFreigabe durch zwei Personen."
ONE = Document("a", "nord", frozenset({"wartung"}), "1", TEXT)
CORPUS = Corpus([ONE])
ACTOR = Actor("nord", {"wartung"})
[HIT] = CORPUS.view(ACTOR).search("freigabe")
[WINDOW] = CORPUS.view(ACTOR).cut(Words(3, overlap=1)).search("freigabe durch")


def reason(citation, corpus=CORPUS, actor=ACTOR):
    return resolve_citation(actor, citation, corpus).reason


@pytest.mark.parametrize("hit", [HIT, WINDOW])
def test_hit_citation_and_mapping_resolve(hit):
    for form in (hit, hit.citation(), hit.citation().mapping()):
        verdict = resolve_citation(ACTOR, form, CORPUS)
        assert verdict
        assert (verdict.document_id, verdict.paragraph, verdict.quote) == ("a", hit.paragraph, hit.quote)
        assert not verdict.historical


def test_the_order_of_the_reasons():
    changed = Corpus([replace(ONE, text=TEXT + "!")])
    broken = replace(HIT, quote="erfunden")
    assert reason(broken) == "quote_mismatch"
    assert reason(broken, changed) == "source_changed"
    assert reason(broken, changed, Actor("nord", {"gast"})) == "unavailable"
    assert reason(HIT, Corpus([replace(ONE, version="2")])) == "source_changed"
    assert reason(HIT, Corpus([])) == reason(HIT, CORPUS, Actor("nord", {"wartung"}, False)) == "unavailable"
    gone, hidden = (resolve_citation(ACTOR, HIT, c) for c in (Corpus([]), Corpus([replace(ONE, tenant="süd")])))
    assert gone == hidden
    assert gone.document_id is None


@pytest.mark.parametrize("field", ["start", "end"])
@pytest.mark.parametrize("value", [0, -1, 10**20, "0", True, 25.0])
def test_given_offsets_are_compared(field, value):
    assert reason({**HIT.citation().mapping(), field: value}) == "quote_mismatch"


@pytest.mark.parametrize("number", [0, -1, 2, 3, 4, 99, True, "1", 1.0, None])
def test_another_number_is_a_mismatch(number):
    first = CORPUS.view(ACTOR).search("prüfen")[0].citation().mapping()
    assert first["paragraph"] == 1
    assert reason({**first, "paragraph": number}) == "quote_mismatch"


@pytest.mark.parametrize("cut", ["Words(4)", "Words(3)", "Sätze()", "", 3, b"Paragraphs()", ["Paragraphs()"]])
def test_another_cut_is_a_mismatch(cut):
    assert reason({**HIT.citation().mapping(), "cut": cut}) == "quote_mismatch"


@pytest.mark.parametrize(
    "within",
    [
        *(
            [[0, 21]],
            [[0, 30]],
            [],
            [[0, 60]],
            [[0, 10**20]],
            [[-1, len(TEXT)]],
            [[30, 0]],
            [[0, 5], [3, len(TEXT)]],
            [[0, True]],
            "ab",
            3,
        ),
        *([[0, len(TEXT), 1]], [3], [[0.0, float(len(TEXT))]], {"0": len(TEXT)}, [None]),
    ],
)
def test_spans_that_do_not_hold_the_passage(within):
    assert reason({**HIT.citation().mapping(), "within": within}) == "quote_mismatch"


def test_windows_of_spans_are_counted_within_them():
    spans = (Interval(0, 21), Interval(25, len(TEXT)))
    view = CORPUS.view(ACTOR, decision(ACTOR, CORPUS, spans, "a")).cut(Words(2))
    [hit] = view.search("durch")
    assert (hit.paragraph, hit.quote) == (3, "Freigabe durch")
    assert reason(hit) is None
    assert reason(hit.citation().mapping()) is None
    assert reason(replace(hit, within=(Interval(25, len(TEXT)),))) == "quote_mismatch"
    assert reason(replace(hit, within=None)) == "quote_mismatch"


def test_a_blank_paragraph_resolves_though_it_is_never_found():
    blank = {**HIT.citation().mapping(), "paragraph": 2, "quote": "", "start": 23, "end": 23}
    assert reason(blank) is None


def test_a_similar_passage_elsewhere_does_not_help():
    twice = Corpus([replace(ONE, text="Freigabe.\n\nFreigabe.")])
    hit = twice.view(ACTOR).search("freigabe")[0]
    assert reason(replace(hit, paragraph=3 - hit.paragraph), twice) == "quote_mismatch"
    bare = {n: v for n, v in hit.citation().mapping().items() if n not in ("cut", "start", "end")}
    assert reason({**bare, "paragraph": 3 - hit.paragraph}, twice) is None


@pytest.mark.parametrize("name", [None, 3, [], {}, set(), b"a", True])
def test_odd_ids_are_unavailable(name):
    assert reason({**HIT.citation().mapping(), "document_id": name}) == "unavailable"


def test_who_and_what_is_asked():
    with pytest.raises(TypeError):
        resolve_citation(OPERATOR, HIT, CORPUS)
    with pytest.raises(TypeError):
        resolve_citation(ACTOR, "a", CORPUS)
