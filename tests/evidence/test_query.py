import pytest

from workbench.errors import QueryRefused
from workbench.evidence import query


def test_strict_limits_are_met_exactly():
    assert query.words("a" * 40 + " " * 160) == ["a" * 40]
    assert len(query.words(" ".join("abcdefghijkl"))) == 12
    for refused, text in [
        ("a" * 41, query.WORDS_REFUSED),
        (" " * 201, query.NOT_A_QUERY),
        (" ".join("abcdefghijklm"), query.WORDS_REFUSED),
        (None, query.NOT_A_QUERY),
        (b"a", query.NOT_A_QUERY),
        *((f"a{c}b", query.CONTROLS) for c in "\0\t\n\r\x1f\x7f"),
    ]:
        with pytest.raises(QueryRefused) as caught:
            query.words(refused)
        assert str(caught.value) == text


def test_rank_has_its_own_limits():
    assert query.question_words("a\tb\nc\rd\ve\ff") == list("abcdef")
    assert query.question_words("x" * 10_000) == ["x" * 10_000]
    thousand = " ".join(str(number) for number in range(1_000))
    assert len(query.question_words(thousand)) == 1_000
    for refused, text in [
        ("x" * 10_001, query.NOT_A_QUESTION),
        (thousand + " noch", query.QUESTION_WORDS_REFUSED),
        (7, query.NOT_A_QUESTION),
        *((f"a{c}b", query.CONTROLS) for c in "\0\x1c\x1f\x7f"),
    ]:
        with pytest.raises(QueryRefused) as caught:
            query.question_words(refused)
        assert str(caught.value) == text


def test_words_are_literal_lower_case_and_distinct():
    assert query.words('Für NFD fu\u0308r "OR" a_b a* Straße') == ["für", "nfd", "or", "a", "b", "straße"]
    assert query.words("!?… \ud800") == []


@pytest.mark.parametrize("value", [0, 6, -1, True, 3.0, "3", None])
def test_limit_is_refused(value):
    with pytest.raises(QueryRefused, match=r"from 1 to 5"):
        query.limit(value)


@pytest.mark.parametrize("value", [0, -1, True, 3.0, "3", None])
def test_depth_is_refused(value):
    with pytest.raises(QueryRefused, match="depth"):
        query.depth(value)


@pytest.mark.parametrize("value", ["ALL", "some", "", None, True])
def test_match_is_refused(value):
    with pytest.raises(QueryRefused, match="match"):
        query.match(value)
