"""A second resolver, written from the contract's words alone (3.1-3.7, 3.10), for a grid of instants.

It knows nothing of intervals, indexes or merging: it asks every question anew at every step of the grid, over plain
rows. It is slow, and meant to be read beside the contract.
"""

from __future__ import annotations

import unicodedata

from tests.validity.worlds import STEPS, World

FIELDS = ("family", "procedure", "configuration", "region")


def holds(row: dict, axis: str, t: int) -> bool:
    """3.1: half-open, an end of None never comes."""
    return row[f"{axis}_from"] <= t and (row[f"{axis}_to"] is None or t < row[f"{axis}_to"])


class Plain:
    """Answers requests over one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.settings = world.settings
        self.revision = {row["revision_id"]: row for row in world.revisions}
        self._grids: dict = {}

    # --- 3.10: hierarchies ---------------------------------------------------------------------------------------

    def declared(self, kind: str) -> set[str]:
        rows = [row for row in self.world.scopes if row["kind"] == kind]
        return {row["value"] for row in rows} | {row["parent"] for row in rows if row["parent"]}

    def children(self, kind: str, value: str) -> set[str]:
        return {row["value"] for row in self.world.scopes if (row["kind"], row["parent"]) == (kind, value)}

    def covers(self, kind: str, written: str, leaf: str) -> bool:
        """Whether a row's value stands for the requested leaf: itself, a value above it, or the wildcard."""
        if written == leaf:
            return True
        if written == "*":
            return leaf in self.declared(kind)
        return any(self.covers(kind, child, leaf) for child in self.children(kind, written))

    # --- 3.3 (b) to (d), at one step -----------------------------------------------------------------------------

    def rows(self, table: list[dict], revision: str, scope: tuple, known_at: int | None) -> list[dict]:
        """The rows that match tenant and scope, as known then (3.2: or as corrected today)."""
        tenant, family, procedure, configuration, region = scope
        return [
            row
            for row in table
            if self.revision[row[revision]]["tenant"] == tenant
            and self.revision[row[revision]]["document_family"] == family
            and row["procedure_id"] == procedure
            and self.covers("configuration", row["asset_configuration"], configuration)
            and self.covers("region", row["region"], region)
            and (row["recorded_to"] is None if known_at is None else holds(row, "recorded", known_at))
        ]

    def left(self, scope: tuple, known_at: int | None, t: int) -> object:
        """The revisions left at ``t``, or ``"unknown"``."""
        approved = self.rows(self.world.applicability, "revision_id", scope, known_at)
        relations = self.rows(self.world.supersessions, "superseded", scope, known_at)

        def valid(revision: str, u: int) -> bool:
            return revision == "unknown" or any(
                row["revision_id"] == revision and holds(row, "valid", u) for row in approved
            )

        def in_force(relation: dict) -> bool:
            acts = [u for u in STEPS if valid(relation["superseding"], u) and holds(relation, "effective", u)]
            return t in acts if relation["revives"] else any(u <= t for u in acts)

        forced = [relation for relation in relations if in_force(relation)]
        if any(relation["superseding"] == "unknown" for relation in forced):
            return "unknown"
        known = [relation for relation in relations if relation["superseding"] != "unknown"]
        usable = list(forced)
        if self.settings["rules"] == "transitive":
            # a link need not have been in force itself, but effective by t; with revives it acts only while in force
            usable += [r for r in known if r not in forced and not r["revives"] and r["effective_from"] <= t]

        def reaches(start: str, goal: str, seen: frozenset = frozenset()) -> bool:
            return start == goal or any(
                r["superseding"] == start
                and r["superseded"] not in seen
                and reaches(r["superseded"], goal, seen | {start})
                for r in usable
            )

        sound = [r for r in usable if not reaches(r["superseded"], r["superseding"])]
        acting = [r for r in forced if r in sound]
        while self.settings["rules"] == "transitive":
            more = [r for r in sound if r not in acting and r["superseding"] in {a["superseded"] for a in acting}]
            if not more:
                break
            acting += more
        removed = {r["superseded"] for r in acting}
        return {row["revision_id"] for row in approved if holds(row, "valid", t)} - removed

    def grid(self, scope: tuple, known_at: int | None) -> list:
        """What is left at every step."""
        if (scope, known_at) not in self._grids:
            self._grids[scope, known_at] = [self.left(scope, known_at, t) for t in STEPS]
        return self._grids[scope, known_at]

    # --- the whole answer ----------------------------------------------------------------------------------------

    def answer(self, ask: dict) -> dict:
        """Status and what the asker sees, for a request in plain form."""
        ask = {**ask, "procedure": unicodedata.normalize("NFC", ask["procedure"] or "")}
        missing = [name for name in FIELDS if not (ask[name] or "").strip()]
        missing += [k for k in FIELDS[2:] if ask[k] and ask[k] != "*" and self.children(k, ask[k])]
        if ask["at"] is None and (ask["mode"] == "historical" or ask["clock"] is None):
            missing.append("time")
        if missing:
            return {"status": "MISSING_SCOPE", "missing": missing}
        known_at, begins = ask["known_at"], self.settings.get("history_from")
        if known_at is not None and (begins is None or known_at < begins):
            return {"status": "HISTORY_UNAVAILABLE"}
        for kind in FIELDS[2:]:
            if ask[kind] == "*" or (self.declared(kind) and ask[kind] not in self.declared(kind)):
                return {"status": "UNAVAILABLE"}
        t = ask["clock"] if ask["at"] is None else ask["at"]
        scope = (ask["tenant"], *(ask[name] for name in FIELDS))
        here = self.at(ask, scope, t)
        if here["status"] != "RESOLVED":
            return here
        start = end = t
        while start - 1 in STEPS and self.at(ask, scope, start - 1) == here:
            start -= 1
        while end in STEPS and self.at(ask, scope, end) == here:
            end += 1
        after = ask["clock"] is not None and t > ask["clock"]
        mode = "current" if ask["at"] is None else "planned" if after else "historical"
        return {**here, "from": start, "to": end if end in STEPS else None, "mode": mode}

    def at(self, ask: dict, scope: tuple, t: int) -> dict:
        """3.3 (d) to (f) at one step."""
        left = self.grid(scope, ask["known_at"])[t - STEPS.start]

        def may(revision: str) -> bool:
            row = self.revision[revision]
            shared = set(row["groups"].split(";")) & set(ask["groups"])
            return ask["active"] and row["tenant"] == ask["tenant"] and bool(shared)

        if left == "unknown" or not left or not all(may(revision) for revision in left):
            return {"status": "UNAVAILABLE"}
        if len(left) > 1:
            return {"status": "UNRESOLVED_AUTHORITY", "rivals": sorted(left)}
        (revision,) = left
        source = self.revision[revision]["source_language"]
        if ask["language"] in (None, source):
            return {"status": "RESOLVED", "revision": revision, "edition": None, "language": source}
        editions = sorted(
            (row["equivalence_id"], row["edition"], row["language"])
            for row in self.world.equivalences
            if row["of_revision"] == revision
            and row["language"] == ask["language"]
            and (row["recorded_to"] is None if ask["known_at"] is None else holds(row, "recorded", ask["known_at"]))
            and may(row["edition"])
        )
        if editions:
            _, edition, language = editions[0]
            return {"status": "RESOLVED", "revision": revision, "edition": edition, "language": language}
        permitted = self.settings["source_language"] == "permitted"
        if ask["source_language"] and permitted:
            return {"status": "RESOLVED", "revision": revision, "edition": None, "language": source}
        return {"status": "NO_EQUIVALENT_EDITION", "source_way": permitted}
