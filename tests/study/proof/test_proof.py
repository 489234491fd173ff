"""The 72 rows hold here, each on its own; and a row says so when an implementation does not hold it."""

import importlib.util
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from workbench.contract import Actor, Document, Hit, Verdict
from workbench.errors import InputError, QueryRefused
from workbench.study.mutants import RETRIEVERS
from workbench.study.proof import RETRIEVAL, VALIDITY, proof, retrieval_rows, versions
from workbench.study.proof import bench as proof_bench
from workbench.study.proof.bench import SHIPPED, Bench, five_documents
from workbench.study.proof.rows import Condition, run
from workbench.study.proof.validity import desk


@pytest.fixture(scope="session")
def five() -> tuple[Document, ...]:
    return five_documents()


@pytest.mark.parametrize("condition", RETRIEVAL, ids=lambda c: f"{c.number:02} {c.condition}")
@pytest.mark.parametrize("retriever", SHIPPED, ids=lambda r: r.name)
def test_retrieval(retriever, condition, five) -> None:
    bench = Bench(retriever, five)
    assert condition.seen(bench) == condition.wanted(bench)


@pytest.mark.parametrize("condition", VALIDITY, ids=lambda c: f"{c.number:02} {c.condition}")
def test_validity(condition) -> None:
    here = desk()
    assert condition.seen(here) == condition.wanted(here)


def test_the_proof_is_json_with_the_keys_of_the_contract() -> None:
    found = json.loads(json.dumps(proof()))
    assert list(found) == ["retrieval", "validity", "versions"]
    assert [row["number"] for row in found["retrieval"]] == list(range(1, 52))
    assert [row["number"] for row in found["validity"]] == list(range(1, 22))
    for row in found["retrieval"] + found["validity"]:
        assert list(row) == ["number", "condition", "expected", "observed", "ok"]
        assert row["ok"] is True
    assert found["versions"] == versions()


def test_both_builds_of_sqlite_and_the_view_are_asked() -> None:
    assert [retriever.name for retriever in SHIPPED] == ["apsw", "sqlite3", "view"]


def test_no_condition_is_there_twice() -> None:
    for conditions in (RETRIEVAL, VALIDITY):
        assert len({c.condition for c in conditions}) == len(conditions)


# --- a row that does not hold says so -----------------------------------------------------------------------------


def test_one_of_two_that_fails_makes_the_row_fail_and_is_named() -> None:
    wrong = next(m.made for m in RETRIEVERS if m.name == "diacritics folded")
    row = retrieval_rows(SHIPPED[0], wrong)[32]
    assert not row.ok
    assert row.observed.startswith("apsw: nothing; diacritics folded: 'Große': rundgang 2")


def test_an_error_is_an_observation_and_fails_the_row() -> None:
    row = run([Condition(1, "no division", "1", lambda n: str(1 // n))], {"zero": 0})[0]
    assert (row.ok, row.observed) == (False, "raised ZeroDivisionError")


def test_two_that_are_wrong_in_the_same_way_fail_too() -> None:
    row = run([Condition(1, "even", "even", lambda _: "odd")], {"a": 1, "b": 3})[0]
    assert (row.ok, row.observed) == (False, "odd")


def test_nothing_asked_proves_nothing() -> None:
    with pytest.raises(ValueError, match="condition 1"):
        run([Condition(1, "even", lambda _: "even", lambda _: "even")], {})


def test_data_that_is_not_there_is_said_in_one_line(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(proof_bench, "__file__", str(tmp_path / "site-packages" / "workbench" / "study" / "x.py"))
    with pytest.raises(InputError, match=r"part of the checkout.*pip install -e") as caught:
        five_documents()
    assert "\n" not in str(caught.value)


def test_a_document_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "documents.csv").write_text("id,tenant,groups,version,text\nablauf,n,w,1,x\n", encoding="utf-8")
    with pytest.raises(InputError, match="'notiz'"):
        five_documents(tmp_path)


def test_the_five_documents_are_as_the_conditions_need_them(five) -> None:
    texts = {document.id: document.text for document in five}
    assert all("Fiktiv" in text for text in texts.values())
    assert texts["ablauf"].split("\n\n")[2] == ""
    assert len(texts["ablauf"].split("\n\n")) == 4
    holding = [name for name, text in texts.items() for part in text.split("\n\n") if "Freigabe" in part]
    assert holding == ["ablauf", "ablauf", "notiz", "rundgang", "budget", "suedwerk"]


# --- the seed's own retriever -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seed:
    """The oracle behind the bench's interface."""

    module: ModuleType
    name: str = "seed"

    def _documents(self, documents: Sequence[Document]) -> list[object]:
        return [self.module.Document(d.id, d.tenant, d.groups, d.version, d.text) for d in documents]

    def search(self, actor: Actor, query: object, documents: Sequence[Document], limit: object = 3) -> list[Hit]:
        who = self.module.Actor(actor.tenant, actor.groups, actor.active)
        try:
            found = self.module.retrieve(who, query, self._documents(documents), limit)
        except ValueError as error:
            raise QueryRefused(str(error)) from None
        return [Hit(**hit, cut="Paragraphs()", start=0, end=0) for hit in found]

    def resolve(self, actor: Actor, citation: Mapping[str, object], documents: Sequence[Document]) -> Verdict:
        who = self.module.Actor(actor.tenant, actor.groups, actor.active)
        try:
            found = self.module.resolve_citation(who, citation, self._documents(documents))
        except ValueError as error:
            raise InputError(str(error)) from None
        return Verdict(found["ok"], found.get("reason"), quote=found.get("quote"))


@pytest.fixture(scope="session")
def seed(oracle: Path) -> Seed:
    spec = importlib.util.spec_from_file_location("seed_retriever", oracle / "seed_retriever.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return Seed(module)


def test_the_seeds_own_retriever_holds_the_51(seed: Seed) -> None:
    assert [row for row in retrieval_rows(seed) if not row.ok] == []


def test_shipped_and_seed_give_the_same_scores_on_the_five(seed: Seed, five) -> None:
    actor = Actor("werk-nord", {"wartung"})
    wanted = [(h.document_id, h.paragraph, h.score) for h in seed.search(actor, "Freigabe", five, 5)]
    for retriever in SHIPPED:
        found = [(h.document_id, h.paragraph, h.score) for h in retriever.search(actor, "Freigabe", five, 5)]
        assert found == wanted
        assert all(math.isfinite(score) for *_, score in found)
