"""The words of the contract: frozen, comparable, and read the same wherever they are shown."""

import dataclasses
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from workbench.contract import Allowed, Context, access_digest, digest, scope_value
from workbench.errors import InputError, shown
from workbench.intervals import Interval

CONTEXT = Context(
    tenant="werk-nord",
    access="a",
    scope=wb.Scope("f", "p", "c", "r"),
    mode="historical",
    at="6",
    known_at=None,
    language=None,
    source_language="en",
    answer_language="en",
    revision_id="b",
    revision_sha256="0",
    edition_id=None,
    equivalence_id=None,
    equivalence_status="source",
    allowed=(Allowed("b", "0"),),
    valid_from="5",
    valid_to="10",
    snapshot="s",
    rules="direct/1",
)
OTHER = {
    "scope": wb.Scope("f", "p", "c", "s"),
    "allowed": (Allowed("b", "0", ((0, 5),)),),
}


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(Context) if f.name != "id"])
def test_the_context_id_depends_on_every_field(name: str) -> None:
    changed = dataclasses.replace(CONTEXT, id="", **{name: OTHER.get(name, "other")})
    assert changed.id != CONTEXT.id
    assert changed.computed_id() == changed.id


def test_a_context_with_a_foreign_id_is_found_out() -> None:
    assert dataclasses.replace(CONTEXT, mode="current").computed_id() != CONTEXT.id


def test_values_are_frozen() -> None:
    actor = wb.Actor("t", {"g"})
    with pytest.raises(dataclasses.FrozenInstanceError):
        actor.tenant = "u"
    with pytest.raises(dataclasses.FrozenInstanceError):
        CONTEXT.mode = "current"


@pytest.mark.parametrize(
    "arguments", [("t", "wartung"), ("t", {1}), (None, {"g"}), ("t", {"g"}, "yes"), ("t", {"g"}, 1)]
)
def test_an_actor_of_wrong_types_is_refused(arguments: tuple) -> None:
    with pytest.raises(TypeError):
        wb.Actor(*arguments)


@pytest.mark.parametrize("arguments", [("t\ud800", {"g"}), ("t", {"g", "\ud800"})])
def test_an_actor_of_names_that_cannot_be_stored_is_refused(arguments: tuple) -> None:
    with pytest.raises(ValueError, match="surrogates"):
        wb.Actor(*arguments)


def test_a_document_with_a_string_for_groups_is_refused() -> None:
    with pytest.raises(TypeError):
        wb.Document("a", "t", "wartung", "1", "text")


@pytest.mark.parametrize(
    ("actor", "may"),
    [
        (wb.Actor("t", {"g", "h"}), True),
        (wb.Actor("u", {"g"}), False),
        (wb.Actor("t", {"h"}), False),
        (wb.Actor("t", set()), False),
        (wb.Actor("t", {"g"}, active=False), False),
    ],
)
def test_access_needs_tenant_group_and_an_active_actor(actor: wb.Actor, may: bool) -> None:
    assert actor.may("t", frozenset({"g", "x"})) is may


def test_the_access_digest_depends_on_each_part() -> None:
    base = access_digest(wb.Actor("t", {"g"}), {"d": True})
    others = {
        access_digest(wb.Actor("u", {"g"}), {"d": True}),
        access_digest(wb.Actor("t", {"g", "h"}), {"d": True}),
        access_digest(wb.Actor("t", {"g"}, active=False), {"d": True}),
        access_digest(wb.Actor("t", {"g"}), {"d": False}),
        access_digest(wb.Actor("t", {"g"}), {"e": True}),
    }
    assert len(others | {base}) == 6


def test_scope_values_are_nfc_and_case_sensitive() -> None:
    assert scope_value("Gera\u0308t") == "Gerät"
    assert scope_value("c2") != scope_value("C2")
    assert [scope_value(blank) for blank in (None, "", "  ", "\t")] == [None] * 4


def test_digests_tell_apart_what_joined_text_would_not() -> None:
    assert digest(["a", "b"]) != digest(["ab", ""])


def test_messages_stay_on_one_line_whatever_they_quote() -> None:
    error = InputError("x", file="f.csv", row=2, column="c", found="a\nb\x1b[31m\ud800" * 50)
    assert str(error).isprintable()
    assert len(str(error)) < 300
    assert shown(["a\n"] * 50).count("\n") == 0


def test_sets_print_sorted_in_every_process() -> None:
    code = "import workbench as wb; print(wb.Actor('t', {'a', 'b', 'c', 'd'}))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert printed == {"Actor('t', {'a', 'b', 'c', 'd'})\n"}


def test_every_public_name_is_there() -> None:
    for name in wb.__all__:
        assert getattr(wb, name) is not None
        assert name in dir(wb)
    with pytest.raises(AttributeError):
        _ = wb.nix


ODD = ['"', "\\", "\n\t\x00\x1f\x7f", "Gerät", "\u2028", "𝄞", "", "/"]


@given(st.lists(st.sampled_from(ODD), min_size=1, max_size=6).map("".join), st.booleans(), st.integers(0, 99))
def test_digests_written_out_by_hand_are_those_of_canonical_json(text: str, flag: bool, end: int) -> None:
    actor = wb.Actor(text, {text, "g"}, active=flag)
    plain = [text, sorted({text, "g"}), flag, [["d", True], [f"x{text}", flag]]]
    assert access_digest(actor, {f"x{text}": flag, "d": True}) == digest(plain)
    spans = (Interval(-1, 0), Interval(1, end)) if flag else None
    scope = wb.Scope(text, None, "c", text)
    allowed = (Allowed(text, "0", spans), Allowed("b", text))
    context = dataclasses.replace(CONTEXT, id="", tenant=text, scope=scope, language=text, allowed=allowed)
    others = [f.name for f in dataclasses.fields(Context) if f.name not in ("id", "scope", "allowed")]
    written = [[text, "0", spans and [[-1, 0], [1, end]]], ["b", text, None]]
    assert context.id == digest([[getattr(context, name) for name in others], [text, None, "c", text], written])
