"""The register: approved rows, their history, and the one door to decisions (contract 3, 5; S1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbench.contract import OPERATOR, Actor, Clock, Decision, Operator, Request
from workbench.errors import ContextError, RequestError
from workbench.intervals import UNBOUNDED, Interval
from workbench.records import refuse
from workbench.validity import resolver
from workbench.validity.contents import Contents, Recorded, known
from workbench.validity.hierarchies import Hierarchy
from workbench.validity.instants import InstantError
from workbench.validity.loading import read_contents
from workbench.validity.precedence import ScopeRows, Timeline
from workbench.validity.rows import Applicability, Equivalence, ScopeKey, Supersession

if TYPE_CHECKING:
    import polars as pl

    from workbench.validity.applicable import Applicable
    from workbench.validity.checks import Documents
    from workbench.validity.corrections import Correction
    from workbench.validity.findings import Findings
    from workbench.validity.register_files import Form
    from workbench.validity.register_lookup import Lookup

KEPT_TIMELINES: Final = 100_000
NO_ROWS: Final = ScopeRows()


@dataclass(frozen=True)
class Register(Contents):
    """An immutable register. ``read`` loads one; ``resolve`` answers; corrections make another one.

    >>> register = Register.read("data/pump-seal")
    >>> from workbench.contract import Scope
    >>> seal = Scope("pump-seal", "seal-torque", "C2", "EU")
    >>> register.resolve(Request(seal, at=6), Actor("werk-nord", {"wartung"}))
    Decision(RESOLVED bulletin-B [5,10) at 6, en, historical)
    """

    # --- reading ---------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, place: str | Path) -> Register:
        """The register in a folder or a ``.duckdb`` file; raises InputError at the first malformed row."""
        return cls.of(read_contents(Path(place), refuse))

    def write(self, place: str | Path, *, form: Form = "csv") -> None:
        """Writes the register to a new folder (as ``csv``, ``jsonl`` or ``parquet``), or to a new ``.duckdb`` file.

        Reading it back gives an equal register. Raises InputError where something is there already.
        """
        from workbench.validity import register_files

        register_files.write(self, Path(place), form)

    @classmethod
    def of(cls, contents: Contents) -> Register:
        """The register with these contents, whatever store they come from."""
        return cls(**{part.name: getattr(contents, part.name) for part in fields(contents)})

    # --- answering -------------------------------------------------------------------------------------------

    def resolve(self, request: Request, actor: Actor, *, clock: Clock | None = None) -> Decision:
        """Which revision applies to the request, for this actor (contract 3.3).

        Without ``at`` the instant is taken once from ``clock`` (the wall clock by default in a ``utc`` register).
        Raises RequestError where the request is none.
        """
        return resolver.resolve(self, request, actor, clock=clock)

    def resolve_many(self, frame: pl.DataFrame, *, clock: Clock | None = None) -> pl.DataFrame:
        """The frame of requests with each row's decision; see :mod:`workbench.validity.register_many`."""
        from workbench.validity import register_many

        return register_many.resolve_many(self, frame, clock=clock)

    def applicable(
        self,
        configuration: str | None,
        region: str | None,
        *,
        actor: Actor,
        at: object = None,
        language: str | None = None,
        known_at: object = None,
        mode: str | None = None,
        source_language: bool = False,
        clock: Clock | None = None,
    ) -> Applicable:
        """One decision for each family and procedure of which the actor may read some revision (contract 3.12)."""
        from workbench.validity import applicable

        return applicable.applicable(
            self,
            configuration,
            region,
            actor=actor,
            at=at,
            language=language,
            known_at=known_at,
            mode=mode,
            source_language=source_language,
            clock=clock,
        )

    def explain(
        self, request: Request, actor: Actor, *, reader: Actor | Operator | None = None, clock: Clock | None = None
    ) -> resolver.Explanation:
        """The protected record behind a decision: its precise reason, and why each other revision was left out.

        For stewards of the actor's tenant and the operator only: ``reader`` is who looks (the actor by default);
        raises :class:`~workbench.errors.ContextError` for anybody else.
        """
        return resolver.explain(self, request, actor, reader=actor if reader is None else reader, clock=clock)

    def is_steward(self, reader: Actor | Operator, tenant: str) -> bool:
        """Whether the reader may see protected records of the tenant."""
        return isinstance(reader, Operator) or reader.may(tenant, self.settings.stewards)

    def as_known_at(self, known_at: object) -> Register:
        """The register as it was known at a recorded time; it has no history of its own.

        Raises :class:`~workbench.errors.RequestError` where the history does not reach back that far.
        """
        settings = self.settings
        try:
            t = settings.recorded.read(known_at)
        except InstantError as error:
            raise RequestError("known_at", str(error)) from None
        if settings.history_from is None or t < settings.history_from:
            raise RequestError("known_at", "the register's history does not reach back that far")
        return replace(
            self,
            settings=replace(settings, history_from=None),
            applicability=_open(known(self.applicability, t)),
            supersessions=_open(known(self.supersessions, t)),
            equivalences=_open(known(self.equivalences, t)),
        )

    def of_tenant(self, tenant: str) -> Register:
        """The register with the rows of one tenant only."""
        revisions = {r.id: r for r in self.revisions.values() if r.tenant == tenant}
        return replace(
            self,
            revisions=revisions,
            applicability=tuple(row for row in self.applicability if row.revision_id in revisions),
            supersessions=tuple(row for row in self.supersessions if row.superseded in revisions),
            equivalences=tuple(row for row in self.equivalences if row.of_revision in revisions),
            sections=tuple(row for row in self.sections if row.document_id in revisions),
        )

    def correct(self, folder: str | Path, correction: Correction) -> Register:
        """Writes a correction of this register into its folder, and gives the register as it is then (contract 3.2).

        Raises ChangedMeanwhile where the folder holds another register by now; see
        :mod:`workbench.validity.corrections`.
        """
        from workbench.validity import corrections

        return corrections.correct(folder, correction, expected=self.snapshot())

    def check(
        self,
        corpus: Documents | None = None,
        *,
        every_scope: bool = False,
        actor: Actor | Operator = OPERATOR,
    ) -> Findings:
        """What needs somebody's attention (contract 3.8); see :func:`workbench.validity.checks.check`."""
        from workbench.validity import checks  # the checks look at registers, so they cannot be known before them

        return checks.check(self, corpus, every_scope=every_scope, actor=actor)

    def project(self, *, known_at: object = None, actor: Actor | Operator = OPERATOR) -> pl.DataFrame:
        """The canonical projection as a frame (contract 3.9); see :func:`workbench.validity.projection.project`.

        For the operator, and for stewards: their own tenant's. Raises RequestError where the history does not reach
        back to ``known_at``.
        """
        from workbench.validity import projection

        if isinstance(actor, Actor) and not self.is_steward(actor, actor.tenant):
            raise ContextError("the projection is for stewards and the operator")
        register = self.of_tenant(actor.tenant) if isinstance(actor, Actor) else self
        return projection.project(register if known_at is None else register.as_known_at(known_at))

    # --- what the resolver looks up --------------------------------------------------------------------------

    @cached_property
    def configurations(self) -> Hierarchy:
        """The declared configurations."""
        return Hierarchy(value for value in self.scopes if value.kind == "configuration")

    @cached_property
    def regions(self) -> Hierarchy:
        """The declared regions."""
        return Hierarchy(value for value in self.scopes if value.kind == "region")

    def leaf_scopes(self, scope: ScopeKey) -> Iterator[ScopeKey]:
        """The scopes, with leaves only, that a row's scope stands for."""
        for configuration in self.configurations.leaves(scope.configuration):
            for region in self.regions.leaves(scope.region):
                yield scope._replace(configuration=configuration, region=region)

    @cached_property
    def by_scope(self) -> Mapping[ScopeKey, ScopeRows]:
        """All rows and relations by leaf scope, over all recorded times."""
        rows: dict[ScopeKey, list[Applicability]] = {}
        relations: dict[ScopeKey, list[Supersession]] = {}
        leaves: dict[ScopeKey, tuple[ScopeKey, ...]] = {}
        for row in self.applicability:
            if row.scope not in leaves:
                leaves[row.scope] = tuple(self.leaf_scopes(row.scope))
            for key in leaves[row.scope]:
                rows.setdefault(key, []).append(row)
        for relation in self.supersessions:
            for key in self.leaf_scopes(relation.scope):
                relations.setdefault(key, []).append(relation)
        return {
            key: ScopeRows(tuple(rows.get(key, ())), tuple(relations.get(key, ()))) for key in {**rows, **relations}
        }

    @cached_property
    def by_scope_today(self) -> Mapping[ScopeKey, ScopeRows]:
        """The same as corrected today, which most requests are about; what no correction touched is not held twice."""
        said = ((key, one, known(one.rows, None), known(one.relations, None)) for key, one in self.by_scope.items())
        return {
            key: one
            if (len(one.rows), len(one.relations)) == (len(rows), len(relations))
            else ScopeRows(rows, relations)
            for key, one, rows, relations in said
        }

    @cached_property
    def lookup(self) -> Lookup:
        """The projection as corrected today, laid out for many requests at once."""
        from workbench.validity import projection, register_lookup

        return register_lookup.Lookup(self, projection.project(self))

    @cached_property
    def timeline(self) -> Callable[[ScopeKey, int | None], Timeline]:
        """``timeline(scope, known_at)``: the outcomes of one leaf scope over time; the last ones asked for are kept."""
        transitive = self.settings.rules == "transitive"

        @lru_cache(maxsize=KEPT_TIMELINES)
        def found(key: ScopeKey, known_at: int | None) -> Timeline:
            return Timeline(self.scope_rows(key, known_at), transitive=transitive)

        return found

    def scope_rows(self, key: ScopeKey, known_at: int | None) -> ScopeRows:
        """The rows and relations of one leaf scope, as known at a recorded time (``None``: as corrected today)."""
        if known_at is None:
            return self.by_scope_today.get(key, NO_ROWS)
        found = self.by_scope.get(key, NO_ROWS)
        return ScopeRows(known(found.rows, known_at), known(found.relations, known_at))

    @cached_property
    def editions_of(self) -> Mapping[str, tuple[Equivalence, ...]]:
        """The equivalences by the revision that they are equivalent to, by id, over all recorded times."""
        found: dict[str, list[Equivalence]] = {}
        for equivalence in sorted(self.equivalences, key=lambda e: (e.id, e.recorded)):
            found.setdefault(equivalence.of_revision, []).append(equivalence)
        return {revision: tuple(rows) for revision, rows in found.items()}

    @cached_property
    def spans_of(self) -> Mapping[str, Mapping[str, tuple[Interval, ...]]]:
        """The sections by document and procedure, ascending."""
        found: dict[str, dict[str, list[Interval]]] = {}
        for section in self.sections:
            found.setdefault(section.document_id, {}).setdefault(section.procedure, []).append(section.span)
        return {
            document: {procedure: tuple(sorted(spans)) for procedure, spans in parts.items()}
            for document, parts in found.items()
        }

    @cached_property
    def procedures_of(self) -> Mapping[str, frozenset[str]]:
        """The procedures that each revision has rows for, at any time."""
        found: dict[str, set[str]] = {}
        for row in self.applicability:
            found.setdefault(row.revision_id, set()).add(row.scope.procedure)
        return {revision: frozenset(procedures) for revision, procedures in found.items()}

    def spans(self, document_id: str, revision_id: str, procedure: str) -> tuple[Interval, ...] | None:
        """Where the procedure stands in the document: spans, ``None`` for all of it, or ``()`` for unlocated (3.11)."""
        sections = self.spans_of.get(document_id)
        if sections is not None:
            return sections.get(procedure, ())
        whole = self.settings.whole_documents and len(self.procedures_of.get(revision_id, ())) <= 1
        return None if whole else ()

    def owner_of(self, family: str, procedure: str, revisions: Iterable[str]) -> str | None:
        """Who owns a conflict: the owner of the procedure, else of the revisions, else of the register."""
        stated = (self.owners or {}).get((family, procedure))
        if stated is not None:
            return stated
        owners = {self.revisions[revision].owner for revision in revisions} - {None}
        return ", ".join(sorted(owner for owner in owners if owner)) or self.settings.owner

    def __repr__(self) -> str:
        rows = f"{len(self.revisions)} revisions, {len(self.applicability)} applicability rows"
        return f"Register({self.settings.name!r}, {rows}, {self.settings.rule_set})"


def _open(rows: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
    return tuple(replace(row, recorded=Interval(row.recorded.start, UNBOUNDED)) for row in rows)
