"""Wrong resolvers and wrong cache keys: each is the small resolver with one step replaced.

Each is a mistake that somebody could really make. The numbers beside it are the checks that it is here to fail.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from workbench.contract import Actor, Context, Request, Scope
from workbench.evidence.corpus import Corpus
from workbench.intervals import UNBOUNDED, Interval
from workbench.study.mutants.small_resolver import RIGHT, Rows, SmallResolver, complete, mutants
from workbench.study.proof.bench import data_folder
from workbench.study.proof.rows import Mutant
from workbench.validity.register import Register
from workbench.validity.rows import Applicability, Equivalence

# --- time -----------------------------------------------------------------------------------------------------------


def closed(valid: Interval, t: int) -> bool:
    """The end belongs to the interval."""
    return valid.start <= t <= valid.end


def open_start(valid: Interval, t: int) -> bool:
    """The start does not belong to the interval."""
    return valid.start < t < valid.end


def open_end_lost(valid: Interval, t: int) -> bool:
    """A row without end is dropped, as a comparison with an empty value drops it."""
    return valid.end != UNBOUNDED and valid.start <= t < valid.end


def started(valid: Interval, t: int) -> bool:
    """The ends are not looked at."""
    return valid.start <= t


def always(_valid: Interval, _t: int) -> bool:
    """Time is not looked at."""
    return True


# --- precedence -----------------------------------------------------------------------------------------------------


def nothing_superseded(_register: Register, _rows: Rows, _t: int) -> set[str]:
    """Relations are not applied."""
    return set()


def backwards(register: Register, _rows: Rows, _t: int) -> set[str]:
    """A relation is read the wrong way round."""
    return {relation.superseding for relation in register.supersessions}


def newest(rows: Rows) -> str:
    """The one that came last wins."""
    return max(rows, key=lambda row: (row.valid.start, row.row)).revision_id


def oldest(rows: Rows) -> str:
    """The one that came first wins."""
    return min(rows, key=lambda row: (row.valid.start, row.row)).revision_id


@lru_cache(maxsize=1)
def texts() -> Corpus:
    """The documents that a ranking would look at."""
    return Corpus.read(data_folder("pumps"))


def best_ranked(rows: Rows) -> str:
    """The text that looks most like the question wins."""
    rivals = {row.revision_id for row in rows}
    actor = Actor("werk-nord", {"wartung"})
    hits = texts().view(actor).rank("mounting the seal cover torque", depth=20, match="any")
    return next((hit.document_id for hit in hits if hit.document_id in rivals), min(rivals))


# --- scope, access, language ----------------------------------------------------------------------------------------


def guessed(request: Request, register: Register, now: int | None) -> Request | tuple[str, ...]:
    """A missing configuration is taken to be the one that most rows have."""
    known = [row.scope.configuration for row in register.applicability]
    scope = replace(request.scope, configuration=request.scope.configuration or max(set(known), key=known.count))
    return complete(replace(request, scope=scope), register, now)


def now_for_then(request: Request, register: Register, now: int | None) -> Request | tuple[str, ...]:
    """A missing historical time is taken to be the present."""
    return complete(replace(request, mode=None), register, now)


def any_region(row: Applicability, request: Request, actor: Actor) -> bool:
    """The region is not compared."""
    family, procedure, configuration, _ = request.scope.parts()
    return tuple(row.scope)[:4] == (actor.tenant, family, procedure, configuration)


def readable_rows(rows: Rows, register: Register, actor: Actor) -> Rows:
    """What the actor may not read is left out before precedence is looked at."""
    found = [register.revisions[row.revision_id] for row in rows]
    return [row for row, of in zip(rows, found, strict=True) if actor.may(of.tenant, of.groups)]


def older_one(register: Register, request: Request, actor: Actor, _revision: str) -> str | None:
    """In place of what the actor may not read, the last thing before it that the actor may."""
    rows = [row for row in register.applicability if row.valid.holds(int(str(request.at)))]
    readable = sorted(readable_rows(rows, register, actor), key=lambda row: row.valid.start)
    return readable[-1].revision_id if readable else None


def shown_anyway(_register: Register, _request: Request, _actor: Actor, revision: str) -> str:
    """Access is not asked about."""
    return revision


def any_of_family(equivalence: Equivalence, revision: str, register: Register) -> bool:
    """Any edition of the family in the language will do."""
    families = {register.revisions[name].family for name in (equivalence.of_revision, revision)}
    return len(families) == 1


def never(_equivalence: Equivalence, _revision: str, _register: Register) -> bool:
    """Editions are not known at all."""
    return False


# --- cache keys -----------------------------------------------------------------------------------------------------

# A part that a key forgets, blanked in every context.
FORGOTTEN: Final[dict[str, tuple[int, Callable[[Context], Context]]]] = {
    "rule set": (14, lambda c: replace(c, id="", rules="")),
    "allowed revisions": (15, lambda c: replace(c, id="", allowed=())),
    "access": (16, lambda c: replace(c, id="", access="")),
    "register snapshot": (17, lambda c: replace(c, id="", snapshot="")),
    "language": (18, lambda c: replace(c, id="", language=None)),
    "time": (19, lambda c: replace(c, id="", at="")),
    "mode": (20, lambda c: replace(c, id="", mode="")),
    "tenant": (21, lambda c: replace(c, id="", tenant="")),
}
EMPTY: Final = Scope(None, None, None, None)


def question_only(context: Context) -> Context:
    """The key knows the question and nothing of the decision."""
    blank = dict.fromkeys(("tenant", "access", "mode", "at", "revision_id", "revision_sha256", "snapshot", "rules"), "")
    return replace(context, id="", allowed=(), language=None, scope=EMPTY, **blank)


_COUNTER: Final = itertools.count()


def never_again(_query: str) -> object:
    """A key that never comes back, so that nothing is ever found under it."""
    return next(_COUNTER)


# --- the table ------------------------------------------------------------------------------------------------------

AUTHORITIES: Final[tuple[Mutant[SmallResolver], ...]] = mutants(
    ("closed interval end", replace(RIGHT, holds=closed), (4,)),
    ("open interval start", replace(RIGHT, holds=open_start), (2, 4)),
    ("rows without end lost", replace(RIGHT, holds=open_end_lost), (4, 5, 13)),
    ("ends not looked at", replace(RIGHT, holds=started), (4, 5)),
    ("supersession not applied", replace(RIGHT, superseded=nothing_superseded), (2, 3, 6)),
    ("supersession read backwards", replace(RIGHT, superseded=backwards), (2, 3, 6)),
    ("newest wins, time not looked at", replace(RIGHT, holds=always, settled=newest), (1, 2, 3, 6)),
    ("oldest wins, ends not looked at", replace(RIGHT, holds=started, settled=oldest), (4, 5)),
    ("newest wins a conflict", replace(RIGHT, settled=newest), (13,)),
    ("oldest wins a conflict", replace(RIGHT, settled=oldest), (13,)),
    ("ranking decides a conflict", replace(RIGHT, settled=best_ranked), (13,)),
    (
        "ranking decides, relations not looked at",
        replace(RIGHT, superseded=nothing_superseded, settled=best_ranked),
        (2, 3, 6, 13),
    ),
    ("given time not labelled", replace(RIGHT, mode=lambda _request, _now, _asked: "current"), (6,)),
    ("missing configuration guessed", replace(RIGHT, complete=guessed), (7,)),
    ("searched before asking back", replace(RIGHT, search_first=True), (7,)),
    ("missing time taken for now", replace(RIGHT, complete=now_for_then), (8,)),
    ("region not compared", replace(RIGHT, in_scope=any_region), (9,)),
    ("language not looked at", replace(RIGHT, language_counts=False), (10, 11)),
    ("editions not known", replace(RIGHT, translates=never), (10,)),
    ("equivalence not named", replace(RIGHT, equivalence_named=False), (10,)),
    ("German edition of A for C", replace(RIGHT, translates=any_of_family), (11,)),
    ("source instead of an edition, unasked", replace(RIGHT, source_suffices=True), (11,)),
    ("access before precedence", replace(RIGHT, visible=readable_rows), (12,)),
    ("fallback to the older manual", replace(RIGHT, instead=older_one), (12,)),
    ("access not asked about", replace(RIGHT, instead=shown_anyway), (12,)),
    *((f"cache key without {part}", replace(RIGHT, keyed=keyed), (row,)) for part, (row, keyed) in FORGOTTEN.items()),
    ("cache key of the question alone", replace(RIGHT, keyed=question_only), tuple(range(14, 22))),
    ("cache key that never comes back", replace(RIGHT, asked=never_again), tuple(range(14, 22))),
)
"""In the order of the resolver's steps, then the keys."""
