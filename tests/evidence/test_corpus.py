from dataclasses import replace

import pytest

from workbench.contract import Document
from workbench.errors import InputError
from workbench.evidence.corpus import Corpus

ONE = Document("a", "nord", frozenset({"wartung"}), "1", "Eins", "de")
TWO = replace(ONE, id="b", text="Zwei")


def test_duplicate_ids_are_refused_by_name():
    with pytest.raises(InputError, match=r"twice.*'a'"):
        Corpus([ONE, TWO, replace(ONE, version="2")])


@pytest.mark.parametrize("column", ["id", "tenant", "version", "text", "language", "groups"])
def test_a_lone_surrogate_is_refused_by_name(column):
    value = frozenset({"x\udfff"}) if column == "groups" else "x\udfff"
    with pytest.raises(InputError, match=r"document .*surrogate at character 1") as caught:
        Corpus([replace(ONE, **{column: value})])
    assert caught.value.column == column
    str(caught.value).encode()


@pytest.mark.parametrize("column", ["id", "tenant", "version", "text", "language"])
@pytest.mark.parametrize("value", [3, b"x", ["x"]])
def test_wrong_types_are_refused_by_name(column, value):
    with pytest.raises(InputError, match="document") as caught:
        Corpus([replace(ONE, **{column: value})])
    assert caught.value.column == column


def test_what_is_no_document_is_refused():
    with pytest.raises(InputError, match="no Document"):
        Corpus([{"id": "a"}])


def test_the_digest_names_the_content_and_not_the_order():
    assert Corpus([ONE, TWO]).digest == Corpus([TWO, ONE]).digest
    changes = {"id": "c", "tenant": "süd", "groups": frozenset(), "version": "2", "text": "Eins!", "language": None}
    digests = {Corpus([replace(ONE, **{column: value}), TWO]).digest for column, value in changes.items()}
    assert len(digests | {Corpus([ONE, TWO]).digest}) == len(changes) + 1


def test_documents_are_kept_as_given():
    corpus = Corpus(iter([TWO, ONE]))
    assert corpus.documents == (TWO, ONE)
    assert len(corpus) == 2
    assert corpus.get("a") is ONE
