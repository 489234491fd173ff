"""A set of scopes: one decision for each family and procedure the actor may know of, and nothing filled in."""

from pathlib import Path

import pytest

from tests.validity.folders import DIGEST, FILES, SCOPES, SECTIONS, TOML, write
from workbench.contract import Actor, Request, Scope, Status
from workbench.errors import RequestError
from workbench.validity.applicable import choices, scopes_for
from workbench.validity.register import Register

PROCEDURES = ("close", "fill", "open", "rinse", "seal")
ACTOR = Actor("T", {"a"})


@pytest.fixture
def register(tmp_path: Path) -> Register:
    """A manual with five procedures, of which a bulletin replaces one; a secret procedure of another group."""
    heads = {name: text.splitlines()[0] + "\n" for name, text in FILES.items() if name.endswith(".csv")}
    documents = [("manual", "T", "a"), ("bulletin", "T", "a"), ("secret", "T", "b"), ("foreign", "U", "a")]
    rows = [f"manual,{procedure},*,*,0,unbounded,ok,0,unbounded" for procedure in PROCEDURES]
    rows += ["bulletin,seal,C2,*,5,10,ok,0,unbounded"]
    rows += [f"secret,{procedure},*,EU,0,unbounded,ok,0,unbounded" for procedure in ("vault", "rinse")]
    rows += ["foreign,abroad,C1,EU,0,unbounded,ok,0,unbounded"]
    places = [f"manual,{procedure},{n * 10},{n * 10 + 9}" for n, procedure in enumerate(PROCEDURES)]
    files = {
        "register.toml": TOML,
        "revisions.csv": heads["revisions.csv"]
        + "".join(f"{name},f,{tenant},{group},en,{DIGEST},desk,2024\n" for name, tenant, group in documents),
        "applicability.csv": heads["applicability.csv"] + "\n".join(rows) + "\n",
        "supersessions.csv": heads["supersessions.csv"] + "bulletin,manual,seal,C2,*,5,10,ok,0,unbounded\n",
        "equivalences.csv": heads["equivalences.csv"],
        "scopes.csv": SCOPES + "configuration,C1,\nconfiguration,C2,\nregion,EU,all\nregion,NA,all\n",
        "sections.csv": SECTIONS + "\n".join([*places, "bulletin,seal,0,9"]) + "\n",
    }
    return Register.read(write(tmp_path, files))


def test_one_decision_for_each_procedure_the_actor_may_know_of(register: Register) -> None:
    found = register.applicable("C2", "NA", actor=ACTOR, at=6)
    assert [scope.procedure for scope in found] == list(PROCEDURES)
    assert [decision.revision_id for decision in found.values()] == ["manual"] * 4 + ["bulletin"]
    assert len(found.resolved) == 5
    assert repr(found) == "Applicable(5 resolved, 0 refused)"


@pytest.mark.parametrize(
    ("configuration", "at", "seal"), [("C1", 6, "manual"), ("C2", 4, "manual"), ("C2", 6, "bulletin"), ("C2", 10, None)]
)
def test_the_replaced_part_is_in_no_decision(register: Register, configuration: str, at: int, seal: str | None) -> None:
    found = register.applicable(configuration, "NA", actor=ACTOR, at=at)
    spans = {
        (allowed.document_id, span)
        for decision in found.resolved
        if decision.context is not None
        for allowed in decision.context.allowed
        for span in allowed.spans or ()
    }
    assert (("manual", (40, 49)) in spans) == (seal == "manual")
    assert found[Scope("f", "seal", configuration, "NA")].revision_id == seal
    assert [span for name, span in spans if name == "bulletin"] == ([(0, 9)] if seal == "bulletin" else [])


def test_refusals_stand_beside_and_are_not_filled(register: Register) -> None:
    found = register.applicable("C2", "EU", actor=ACTOR, at=6)
    (refused,) = found.refused
    assert refused.procedure == "rinse"  # a rival of another group
    assert found[refused].status is Status.UNAVAILABLE
    assert "vault" not in {scope.procedure for scope in found}
    assert len(register.applicable("C2", "EU", actor=Actor("T", {"a", "b"}), at=6)) == 6


def test_each_decision_is_the_single_one(register: Register) -> None:
    for scope, decision in register.applicable("C1", "NA", actor=ACTOR, at=3).items():
        assert decision == register.resolve(Request(scope, at=3), ACTOR)


def test_the_clock_is_read_once_for_all(register: Register) -> None:
    read: list[int] = []
    found = register.applicable("C1", "NA", actor=ACTOR, clock=lambda: read.append(1) or 6)  # type: ignore[func-returns-value]
    assert {decision.at for decision in found.values()} == {"6"}
    assert len(read) == 1
    assert {d.status for d in register.applicable("C1", "NA", actor=ACTOR).values()} == {Status.MISSING_SCOPE}
    with pytest.raises(RequestError, match="at"):
        register.applicable("C1", "NA", actor=ACTOR, at="soon")


def test_choices_name_nothing_that_no_readable_revision_bears(register: Register) -> None:
    offered = choices(register, ACTOR)
    assert offered.procedures == PROCEDURES
    assert offered.configurations == ("C1", "C2")
    assert choices(register, Actor("T", {"b"})).procedures == ("rinse", "vault")
    assert choices(register, Actor("T", {"b"})).regions == ("EU",)
    assert choices(register, Actor("U", {"a"})).procedures == ("abroad",)
    assert choices(register, ACTOR, within=Scope(None, "seal", None, None)).procedures == ("seal",)
    for nobody in (Actor("V", {"a"}), Actor("T", set()), Actor("T", {"a"}, active=False)):
        assert scopes_for(register, nobody) == []
        assert choices(register, nobody).families == ()
        assert len(register.applicable("C1", "NA", actor=nobody, at=3)) == 0
