"""Each probe of the report finds a wrong implementation out: a leaking path, a gate that admits all, a stale cache."""

from dataclasses import dataclass, replace

import pytest

from workbench.contract import Actor, Decision, Hit, Verdict
from workbench.evidence.corpus import Corpus
from workbench.evidence.view import View
from workbench.pipeline.answer import Answer
from workbench.pipeline.manifest import Manifest, cite
from workbench.pipeline.session import Session
from workbench.show.report.probes import editions, empty_set, identity, resolved_set, unknown_metadata
from workbench.show.report.register import (
    conflicts,
    context_keys,
    digests,
    owners,
    responsibility,
    supersessions,
    time_semantics,
)
from workbench.show.report.upkeep import boundaries, correction, withdrawal
from workbench.show.report.world import World, spread
from workbench.validity.findings import Code, Finding
from workbench.validity.register import Register


@pytest.fixture(scope="module")
def world() -> World:
    return World(Corpus.read("data/pumps"), Register.read("data/pump-seal"))


@dataclass(frozen=True)
class Leaking:
    """A path that looks past its view, into everything that the persona may read."""

    corpus: Corpus

    def check(self, query: str) -> None: ...

    def find(self, view: View, query: str) -> list[Hit]:
        return self.corpus.view(Actor(view.actor.tenant.rstrip("?"), {"wartung"})).rank(query, 3, match="any")


class Forgetful(Session):
    """A session that answers from what it said first, whatever has changed since."""

    _said: Answer | None = None

    def ask(self, query, *, actor, request, find, cut=None) -> Answer:  # type: ignore[no-untyped-def]
        if self._said is None:
            self._said = super().ask(query, actor=actor, request=request, find=find)
        return self._said


PROBES = [resolved_set, unknown_metadata, empty_set, identity, editions, withdrawal, correction, boundaries]


@pytest.mark.parametrize("probe", PROBES)
def test_the_package_withstands(probe, world: World) -> None:
    seen = probe(world)
    assert seen.cases > 0
    assert seen.against == ()


def test_the_questions_would_lead_astray_without_a_decision(world: World) -> None:
    assert "9 of the questions would have led to another document first" in resolved_set(world).said


def test_a_path_past_the_view_is_found_out(world: World) -> None:
    wrong = {"leaking": Leaking(world.corpus)}
    assert all(line.startswith("leaking found") for line in resolved_set(world, more=wrong).against)
    assert resolved_set(world, more=wrong).against
    assert empty_set(world, more=wrong).against


def test_a_citation_that_is_not_looked_at_is_found_out(world: World) -> None:
    def lenient(hit: Hit, decision: Decision) -> Manifest:
        return replace(cite(next(iter(world.bound)).view.search("Anzugsmoment")[0]), quote_sha256=hit.quote)

    said = unknown_metadata(world, cites=lenient).against
    assert {line.partition(" was")[0] for line in said} == {
        *("an unknown document", "another digest", "a place outside", "no quote"),
    }


def test_a_citation_without_its_decision_is_found_out(world: World) -> None:
    found = identity(world, cites=lambda hit, _: cite(hit), check=lambda *_: Verdict(True))
    assert any("names another decision" in line for line in found.against)


def test_a_verification_that_says_yes_is_found_out(world: World) -> None:
    found = identity(world, check=lambda *_: Verdict(True))
    assert len(found.against) == 5 * found.cases


def test_a_verification_that_says_no_is_found_out(world: World) -> None:
    found = identity(world, check=lambda *_: Verdict(False, "unavailable"))
    assert all("does not hold" in line for line in found.against)
    assert found.against


@pytest.mark.parametrize("probe", [withdrawal, correction, boundaries])
def test_what_answers_from_memory_is_found_out(probe, world: World) -> None:
    assert probe(world, made=Forgetful).against


def test_a_translation_of_another_revision_is_found_out(world: World) -> None:
    class Wrong(Register):
        """Answers every request for German with the one German edition, whatever applies."""

        def resolve(self, request, actor, *, clock=None):  # type: ignore[no-untyped-def]
            if request.language == "de":
                request = replace(request, at=4)
            return super().resolve(request, actor, clock=clock)

    found = editions(World(world.corpus, Wrong.of(world.register)))
    assert len(found.against) == 2


def test_an_answer_without_a_whole_scope_is_found_out(world: World) -> None:
    class Guessing(Register):
        """Fills in what is missing."""

        def resolve(self, request, actor, *, clock=None):  # type: ignore[no-untyped-def]
            scope = replace(request.scope, region=request.scope.region or "EU")
            return super().resolve(replace(request, scope=scope), actor, clock=clock)

    found = context_keys(World(world.corpus, Guessing.of(world.register)), ())
    assert all(line.startswith("without region") for line in found.against)
    assert len(found.against) == 3


def finding(code: Code, table: str = "applicability", row: int | None = None, owner: str | None = "desk") -> Finding:
    return Finding(code, table, row, "said", owner, "repair")


@pytest.mark.parametrize(
    ("check", "against"),
    [
        (digests, finding(Code.DIGEST_MISMATCH, "revisions", 2)),
        (digests, finding(Code.DOCUMENT_ABSENT, "revisions", 2)),
        (supersessions, finding(Code.APPROVAL_MISSING, "supersessions", 2)),
        (supersessions, finding(Code.CYCLE, "supersessions", 2)),
        (supersessions, finding(Code.SELF_SUPERSESSION, "supersessions", 2)),
        (supersessions, finding(Code.SCOPE_MISMATCH, "supersessions", 2)),
        (context_keys, finding(Code.UNKNOWN_SCOPE_VALUE, row=2)),
        (context_keys, finding(Code.PROCEDURE_UNLOCATED, row=2)),
        (time_semantics, finding(Code.MALFORMED, row=2)),
        (conflicts, finding(Code.OVERLAP, row=2, owner=None)),
        (conflicts, finding(Code.UNRESOLVED_AUTHORITY, owner=None)),
        (owners, finding(Code.NO_APPLICABLE_REVISION, owner=None)),
        (responsibility, finding(Code.OWNER_MISSING, "revisions", 2)),
        (owners, finding(Code.SUCCESSOR_UNKNOWN, owner=None)),
    ],
)
def test_a_finding_speaks_against_its_point(check, against: Finding, world: World) -> None:
    assert check(world, ()).against == ()
    assert check(world, (against,)).against != ()


def test_an_owned_conflict_is_monitored(world: World) -> None:
    assert conflicts(world, (finding(Code.OVERLAP, row=2),)).against == ()
    assert owners(world, (finding(Code.UNRESOLVED_AUTHORITY),)).against == ()


def test_a_projection_that_differs_from_the_rows_is_found_out(world: World) -> None:
    class Wrong(World):
        @property
        def slots(self):  # type: ignore[no-untyped-def,override]
            first, *others = world.slots
            return (replace(first, outcome=others[0].outcome), *others)

    found = time_semantics(Wrong(world.corpus, world.register), ())
    assert found.against


def test_a_spread_is_even_and_whole() -> None:
    assert spread(range(5), 60) == [0, 1, 2, 3, 4]
    assert spread(range(600), 60)[:3] == [0, 10, 20]
