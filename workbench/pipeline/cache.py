"""Under which key an answer may be kept: built from the decision, never from the question alone (contract 4.7; S1)."""

from __future__ import annotations

from typing import Final, Literal

from workbench.contract import Context, digest

FORMAT: Final = "workbench-cache/1"


def cache_key(
    context: Context,
    query: str,
    *,
    cut: str = "Paragraphs()",
    match: Literal["all", "any"] = "all",
    depth: int = 3,
) -> str:
    """Which answers are interchangeable with the one to this query under this context: a SHA-256 in hex.

    Two keys are equal exactly if query, cut, match, depth and every field of the context are: rule set, register
    snapshot, allowed revisions with digests and spans, access, languages, scope, time, mode, tenant, and the rest. The
    instant itself is in it and no window, so that a kept answer can never cross a boundary. The context's own id is not
    trusted but computed again. Holding a key is no access: whoever reads a kept answer checks access anew.

    >>> from dataclasses import replace
    >>> from workbench.contract import Actor, Request, Scope
    >>> from workbench.validity.register import Register
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> decision = Register.read("data/pump-seal").resolve(Request(seal, at=6), Actor("werk-nord", {"wartung"}))
    >>> key = cache_key(decision.context, "Anzugsmoment")
    >>> key == cache_key(decision.context, "Anzugsmoment"), key == cache_key(decision.context, "Drehmoment")
    (True, False)
    >>> key == cache_key(replace(decision.context, rules="direct/2"), "Anzugsmoment")
    False
    """
    return digest([FORMAT, context.computed_id(), query, cut, match, depth])
