"""Each finding of contract 2.11: a faulty document that has it alone, and what the strict search makes of it."""

import csv

import pytest

from workbench.contract import Actor, Document
from workbench.evidence.checks import RULES, findings
from workbench.evidence.corpus import Corpus

FAULTY = {
    "NOTHING_TO_FIND": ("— · —\n\n", 0, 1),
    "CRLF": ("Eins\r\n\r\nZwei\rDrei", 4, 3),
    "BLANK_LINE_WITH_SPACES": ("Eins\n  \nZwei\n\t\n\nDrei", 4, 2),
    "OTHER_LINE_END": ("Eins\fZwei\u2029Drei", 4, 2),
    "NOT_NFC": ("Die Dru\u0308cke pru\u0308fen", 6, 2),
    "SOFT_HYPHEN": ("Die Dich\u00adtung", 8, 1),
    "ZERO_WIDTH": ("\ufeffDie Dich\u200btung", 0, 2),
    "DIRECTION_MARK": ("Die Dich\u202etung", 8, 1),
    "LIGATURE": ("Der O\ufb03zier am Schi\ufb00", 5, 2),
    "COMPATIBILITY_LETTER": ("Der \uff24ruck", 4, 1),
    "MIXED_ALPHABETS": ("Der Dr\u0443ck und 10 \u03bcm", 4, 2),
    "HYPHENATED_LINE_END": ("Die Gleitring-\ndichtung", 13, 1),
    "SPACED_LETTERS": ("A c h t u n g heiß", 0, 1),
    "NUMBER_GLUED_TO_WORD": ("12Der Kläger", 0, 1),
    "WORD_TOO_LONG": ("Siehe " + "ab" * 21, 6, 1),
    "WRONG_ENCODING": ("Dichtung fÃ¼r KR", 10, 1),
    "ENTITY": ("Dichtung f&uuml;r KR", 10, 1),
    "UNREADABLE": ("Moment \ufffd Nm (cid:31)", 7, 2),
    "UNFINDABLE_WORD": ("Werk İstanbul", 5, 1),
}


def document(text: str) -> Document:
    return Document("a", "nord", frozenset({"g"}), "1", text)


def test_every_rule_has_a_faulty_document() -> None:
    assert list(FAULTY) == [rule.code for rule in RULES]


@pytest.mark.parametrize("code", FAULTY)
def test_a_faulty_file_has_its_finding_and_no_other(code: str, tmp_path) -> None:
    text, position, count = FAULTY[code]
    (tmp_path / "faulty.txt").write_bytes(text.encode())
    with (tmp_path / "documents.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [["id", "tenant", "groups", "version", "path"], ["a", "nord", "g", "1", "faulty.txt"]]
        )
    [finding] = findings(Corpus.read(tmp_path).documents)
    assert (finding.code, finding.document_id, finding.position, finding.count) == (code, "a", position, count)
    assert finding.message
    assert finding.remedy


@pytest.mark.parametrize(
    ("code", "query"),
    [
        ("NOT_NFC", "Drücke"),
        ("SOFT_HYPHEN", "Dichtung"),
        ("ZERO_WIDTH", "Dichtung"),
        ("DIRECTION_MARK", "Dichtung"),
        ("LIGATURE", "Offizier"),
        ("COMPATIBILITY_LETTER", "Druck"),
        ("MIXED_ALPHABETS", "Druck"),
        ("HYPHENATED_LINE_END", "Gleitringdichtung"),
        ("SPACED_LETTERS", "Achtung"),
        ("NUMBER_GLUED_TO_WORD", "Der"),
        ("WRONG_ENCODING", "für"),
        ("ENTITY", "für"),
        ("UNFINDABLE_WORD", "İstanbul"),
    ],
)
def test_the_strict_search_does_miss_it(code: str, query: str) -> None:
    corpus = Corpus([document(FAULTY[code][0])])
    assert corpus.view(Actor("nord", {"g"})).search(query) == []


@pytest.mark.parametrize("code", ["CRLF", "BLANK_LINE_WITH_SPACES", "OTHER_LINE_END"])
def test_paragraphs_that_are_one_to_the_search(code: str) -> None:
    [hit] = Corpus([document(FAULTY[code][0])]).view(Actor("nord", {"g"})).search("Eins Zwei")
    assert hit.paragraph == 1


def test_what_is_as_it_should_be_has_no_finding() -> None:
    sound = (
        "Fördermenge 5 m³/h, Ω und kΩ, Δp = 2 bar, 5 µm, „zwei“ – ein Satz.\n\nEin-\nund Ausgang, z. B. "
        "A 4-70; KR-200-H\nM10 | 42 | 23,1\n\n\nWerk 7 & Söhne; 3D-Modell, 4.2 Anfahren, 12 Der\n- Liste\n"
    )
    assert findings([document(sound)]) == []


def test_findings_are_in_the_order_of_documents_and_rules() -> None:
    both = document("Dich\u00adtung\r\n")
    found = findings([both, Document("b", "nord", frozenset({"g"}), "1", "heil"), both])
    assert [f.code for f in found] == ["CRLF", "SOFT_HYPHEN"] * 2
