from dataclasses import fields, replace

import pytest

from workbench.contract import Actor, Allowed, Context, Request, Scope
from workbench.intervals import Interval
from workbench.pipeline.cache import cache_key
from workbench.validity.register import Register


@pytest.fixture(scope="module")
def context(repo) -> Context:
    register = Register.read(repo / "data" / "pump-seal")
    decision = register.resolve(
        Request(Scope("pump-seal", "seal-torque", "C2", "EU"), at=6), Actor("werk-nord", {"wartung"})
    )
    assert decision.context is not None
    return decision.context


@pytest.mark.parametrize("name", [f.name for f in fields(Context) if f.name not in ("id", "scope", "allowed")])
def test_every_field_of_the_context_counts(name: str, context: Context) -> None:
    assert cache_key(replace(context, **{name: "another"}), "x") != cache_key(context, "x")


@pytest.mark.parametrize("part", ["family", "procedure", "configuration", "region"])
def test_every_part_of_the_scope_counts(part: str, context: Context) -> None:
    other = replace(context, scope=replace(context.scope, **{part: "another"}))
    assert cache_key(other, "x") != cache_key(context, "x")


@pytest.mark.parametrize(
    "allowed",
    [
        (),
        (Allowed("manual-C", "0" * 64),),
        (Allowed("bulletin-B", "0" * 64),),
        (Allowed("bulletin-B", "697751e0d0d412caa457791c29d844b00a11254c90519b5298b64b913008bdd2", (Interval(0, 9),)),),
    ],
)
def test_what_is_allowed_counts(allowed: tuple[Allowed, ...], context: Context) -> None:
    assert cache_key(replace(context, allowed=allowed), "x") != cache_key(context, "x")


def test_query_cut_match_and_depth_count_and_do_not_run_together(context: Context) -> None:
    keys = {
        cache_key(context, "x"),
        cache_key(context, "y"),
        cache_key(context, "x", cut="Words(3)"),
        cache_key(context, "x", match="any"),
        cache_key(context, "x", depth=4),
        cache_key(context, 'x","Paragraphs()'),
    }
    assert len(keys) == 6


def test_an_id_that_was_written_by_hand_changes_nothing(context: Context) -> None:
    forged = replace(context, rules="direct/2", id=context.id)
    assert cache_key(forged, "x") != cache_key(context, "x")
    assert cache_key(replace(context, id="0" * 64), "x") == cache_key(context, "x")
