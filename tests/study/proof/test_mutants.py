"""Every one of the 72 rows is failed by at least one mutant, and by nothing that is right."""

import pytest

from workbench.study import mutants
from workbench.study.mutants import AUTHORITIES, RETRIEVERS, Failure, matrix, small_resolver, small_retriever, unfailed
from workbench.study.proof import retrieval_rows, validity_rows

NAMED = [(m, "retrieval") for m in RETRIEVERS] + [(m, "validity") for m in AUTHORITIES]


@pytest.fixture(scope="session")
def failures() -> list[Failure]:
    """All mutants, run once."""
    return matrix()


def test_every_row_is_failed_by_a_mutant(failures: list[Failure]) -> None:
    assert unfailed(failures) == {"retrieval": [], "validity": []}, "\n" + mutants.text(failures)


@pytest.mark.parametrize("place", range(len(NAMED)), ids=lambda place: NAMED[place][0].name)
def test_a_mutant_fails_what_it_is_there_for(place: int, failures: list[Failure]) -> None:
    mutant, proof = NAMED[place]
    found = failures[place]
    assert (found.mutant, found.proof) == (mutant.name, proof)
    assert mutant.rows
    assert set(mutant.rows) <= set(found.rows), mutants.text([found])


def test_the_rows_that_mutants_are_there_for_cover_all(failures: list[Failure]) -> None:
    declared = [Failure(m.name, proof, m.rows) for m, proof in NAMED]
    assert unfailed(declared) == {"retrieval": [], "validity": []}


def test_a_row_that_nothing_fails_would_be_found(failures: list[Failure]) -> None:
    without = [f for f in failures if 33 not in f.rows or f.proof == "validity"]
    assert 33 in unfailed(without)["retrieval"]
    assert unfailed([])["validity"] == list(range(1, 22))


def test_names_are_names() -> None:
    names = [mutant.name for mutant, _ in NAMED]
    assert len(set(names)) == len(names)
    assert all(mutant.made.name == mutant.name for mutant, _ in NAMED)


def test_what_is_shipped_fails_none() -> None:
    assert [row for row in retrieval_rows() + validity_rows() if not row.ok] == []


def test_what_mutants_are_made_of_fails_none_without_the_mistake() -> None:
    """So that whatever a mutant fails, it fails for its own mistake."""
    right = retrieval_rows(small_retriever.RIGHT) + validity_rows(small_resolver.RIGHT)
    assert [row for row in right if not row.ok] == []


def test_a_mutant_is_its_base_with_one_mistake() -> None:
    """One step replaced, or two where only both together are the mistake."""
    for mutant, proof in NAMED:
        right = small_retriever.RIGHT if proof == "retrieval" else small_resolver.RIGHT
        steps = [name for name in type(right).__slots__ if name != "name"]
        changed = [name for name in steps if getattr(mutant.made, name) != getattr(right, name)]
        assert 1 <= len(changed) <= 2, mutant.name
