"""Large registers, made without files: how many scopes, rows in each, and how many of the scopes have supersessions."""

from __future__ import annotations

import random

from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.register import Register
from workbench.validity.rows import Applicability, Revision, ScopeKey, Supersession
from workbench.validity.settings import parse_settings

ALWAYS = Interval(0, UNBOUNDED)
DIGEST = "0" * 64


def crowd(scopes: int, rows: int, *, related: float = 0.1, overlap: float = 0.05, seed: int = 1) -> Register:
    """A register of ``scopes * rows`` applicability rows: each scope's rows follow one another, some overlap, and in
    some scopes each row's revision supersedes the one before."""
    draw = random.Random(seed)
    revisions: dict[str, Revision] = {}
    applied: list[Applicability] = []
    relations: list[Supersession] = []
    groups = [frozenset({"a"}), frozenset({"a", "b"}), frozenset({"b"})]
    for number in range(scopes):
        key = ScopeKey("T", f"f{number % 97}", f"p{number}", f"C{number % 5}", f"R{number % 7}")
        start, before = 0, ""
        chained = draw.random() < related
        for place in range(rows):
            name = f"r{number}.{place}"
            revisions[name] = Revision(
                name, key.family, "T", groups[number % 3], "en", DIGEST, "desk", "2024", len(revisions) + 2
            )
            end = start + draw.randint(1, 1000)
            until = UNBOUNDED if place == rows - 1 else end + (draw.randint(1, 9) if draw.random() < overlap else 0)
            applied.append(Applicability(name, key, Interval(start, until), "ok", ALWAYS, len(applied) + 2))
            if chained and before:
                effective = Interval(start, UNBOUNDED)
                relations.append(Supersession(name, before, key, effective, "ok", ALWAYS, False, len(relations) + 2))
            start, before = end, name
    settings = parse_settings({"name": "crowd", "time": "logical", "rules": "direct", "history_from": 0})
    return Register(settings, revisions, tuple(applied), tuple(relations))
