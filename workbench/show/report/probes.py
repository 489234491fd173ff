"""The probes of retrieval and evidence: what S1's checklist demands, asked of a corpus and a register here and now.

Each gives what it did in words, how many cases that were, and what speaks against the point. No case is no proof. The
thing that is probed can be handed in, so that a wrong one can be shown to be found out.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from workbench.contract import Actor, Context, Decision, Hit, Status, Verdict
from workbench.errors import ContextError, EvidenceError, InputError
from workbench.evidence.analyzed import Analyzed
from workbench.evidence.corpus import Corpus
from workbench.evidence.expansion import Expanded, Synonyms
from workbench.evidence.finding import Finder
from workbench.intervals import Interval
from workbench.pipeline.finders import Ranked, Strict
from workbench.pipeline.manifest import Manifest, cite
from workbench.pipeline.verify import verify
from workbench.show.report.world import Bound, World, of_all, own_question, questions, spread
from workbench.validity.precedence import Kind

OTHER_PATHS: Final = (
    "Not run here: vectors, reranking and other engines; tests/pipeline/test_twins_other_paths.py and tests/stores run "
    "them on the shipped texts."
)
ALTERED: Final = ("context_id", "region", "register_snapshot", "governing_revision_sha256", "quote")
MOST_TENANTS: Final = 10
NOBODY_SPEAKS: Final = "qaa"
"""A language reserved for local use, in which no register has an edition."""
Cite = Callable[[Hit, Decision], Manifest]
Check = Callable[[Manifest, Actor, Corpus], Verdict]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a probe saw: how many cases, what it did in words, and what speaks against the point."""

    cases: int
    said: str
    against: tuple[str, ...] = ()


def paths(words: Iterable[str] = ()) -> dict[str, Finder]:
    """The search paths of the package that need no model: strict, ranked by all and any words, synonyms, stems.

    ``words`` are declared to mean the same, the widest list of synonyms that somebody could bring.
    """
    found: dict[str, Finder] = {
        "search": Strict(5),
        "rank (all words)": Ranked(10, "all"),
        "rank (any word)": Ranked(50, "any"),
    }
    with suppress(InputError):  # fewer than two words: there is nothing to declare
        found["synonyms"] = Expanded(Ranked(50, "any"), Synonyms.of([list(words)]))
    if importlib.util.find_spec("Stemmer") is not None:
        found["German stems"] = Analyzed(50)
    return found


def outside(hit: Hit, context: Context) -> bool:
    """Whether a hit is no part of what a decision allows: another document, another text, or another part of it."""
    for allowed in context.allowed:
        if (allowed.document_id, allowed.content_sha256) == (hit.document_id, hit.content_sha256):
            place = Interval(hit.start, hit.end)
            return allowed.spans is not None and not any(span.covers(place) for span in allowed.spans)
    return True


def resolved_set(world: World, *, more: Mapping[str, Finder] | None = None) -> Seen:
    """Does every search path find the resolved revision's passages only, asked in the words of the others?"""
    asked, misled, against = 0, 0, []
    names: dict[str, None] = {}
    for bound in world.bound:
        others = questions(world.others(bound))
        every = others + [own for own in [own_question(bound, world.corpus)] if own]
        open_view = world.corpus.view(bound.actor)
        for words in every:
            first = open_view.rank(words, 1, match="any")
            misled += bool(first) and outside(first[0], bound.context)
            for name, path in {**paths(dict.fromkeys(one.split()[0] for one in every)), **(more or {})}.items():
                names[name] = None
                asked += 1
                wrong = [hit for hit in path.find(bound.view, words) if outside(hit, bound.context)]
                if wrong:
                    against.append(f"{name} found {wrong[0].document_id} for {bound.slot}")
    said = (
        f"{asked} searches over {of_all(world.bound, world.of_kind(Kind.REVISION))} scopes and intervals with one "
        f"revision, in the words of other documents too, on these paths: {', '.join(names)}. Without the decision, "
        f"{misled} of the questions would have led to another document first; with it, {_none(against)} did. "
    )
    return Seen(asked, said + OTHER_PATHS, tuple(against))


def unknown_metadata(world: World, *, cites: Cite = cite) -> Seen:
    """Does evidence with an unknown document, digest or place, or under an altered decision, stop the request?"""
    cases, against = 0, []
    for bound in world.bound:
        for what, attempt in _stopped(world, bound, cites):
            cases += 1
            try:
                attempt()
            except (ContextError, EvidenceError):
                continue
            against.append(f"{what} was accepted for {bound.slot}")
    said = (
        f"{cases} attempts over {len(world.bound)} decisions: evidence naming an unknown document, another digest, "
        "a place outside or no quote; an altered decision; a corpus without the document, or with a changed text. "
        f"{_none(against).capitalize()} was accepted."
    )
    return Seen(cases, said, tuple(against))


def _stopped(world: World, bound: Bound, cites: Cite) -> list[tuple[str, Callable[[], object]]]:
    context, decision = bound.context, bound.decision
    name = context.allowed[0].document_id
    document = world.corpus.get(name)
    assert document is not None  # the decision has a view, so the corpus holds it
    changed = replace(document, text=document.text + " ")
    other = replace(decision, context=replace(context, valid_to=context.valid_from, id=context.id))
    found: list[tuple[str, Callable[[], object]]] = [
        ("an altered decision", lambda: world.corpus.view(bound.actor, other)),
        ("a corpus without the document", lambda: Corpus(()).view(bound.actor, decision)),
        ("a changed text", lambda: Corpus((changed,)).view(bound.actor, decision)),
    ]
    asked = own_question(bound, world.corpus)
    hits = bound.view.rank(asked, 1, match="any") if asked else []
    if hits:
        hit = hits[0]
        for what, wrong in (
            ("an unknown document", replace(hit, document_id=f"{hit.document_id}?")),
            ("another digest", replace(hit, content_sha256="0" * 64)),
            ("a place outside", replace(hit, start=-1)),
            ("no quote", replace(hit, quote="")),
        ):
            found.append((what, lambda wrong=wrong: cites(wrong, decision)))  # type: ignore[misc]  # bound now
    return found


def empty_set(world: World, *, more: Mapping[str, Finder] | None = None) -> Seen:
    """Does whoever may read nothing find nothing on every path, and does a refusal open no view?"""
    cases, against = 0, []
    asked = questions(spread(world.corpus.documents, 20))
    for tenant in spread(sorted({document.tenant for document in world.corpus.documents}), MOST_TENANTS):
        reader = world.reader(tenant)
        nobodies = (
            Actor(tenant, set()),
            Actor(tenant, reader.groups, active=False),
            Actor(f"{tenant}?", reader.groups),
        )
        for nobody in nobodies:
            view = world.corpus.view(nobody)
            for name, path in {**paths(word.split()[0] for word in asked), **(more or {})}.items():
                for words in asked:
                    cases += 1
                    if path.find(view, words):
                        against.append(f"{name} found something for {nobody!r}")
    refused = spread(world.of_kind(Kind.CONFLICT, Kind.GAP, Kind.UNKNOWN))
    for slot in refused:
        actor = world.reader(slot.key.tenant)
        cases += 1
        decision = world.register.resolve(world.request(slot), actor, clock=world.clock)
        try:
            world.corpus.view(actor, decision)
        except ContextError:
            continue
        against.append(f"a refusal opened a view for {slot}")
    said = (
        f"{cases - len(refused)} searches by personas without groups, inactive, or of an unknown tenant found nothing"
    )
    said += f"; {len(refused)} refused requests opened no view to search." if refused else "."
    return Seen(cases, said if not against else f"{len(against)} of {cases} attempts were answered.", tuple(against))


def identity(world: World, *, cites: Cite = cite, check: Check | None = None) -> Seen:
    """Does a citation carry its context and revision, hold when verified, and fail when any of both is altered?"""
    checks: Check = check or (lambda m, actor, corpus: verify(m, actor, corpus, world.register, clock=world.clock))
    cases, altered, against = 0, 0, []
    for bound in world.bound:
        asked = own_question(bound, world.corpus)
        for hit in bound.view.rank(asked, 1, match="any") if asked else ():
            cases += 1
            manifest = cites(hit, bound.decision)
            made = manifest.mapping()
            revision = bound.slot.outcome.revisions[0]
            if (made.get("context_id"), made.get("governing_revision_id")) != (bound.context.id, revision):
                against.append(f"the manifest names another decision than {revision} for {bound.slot}")
            if not checks(Manifest.of(made), bound.actor, world.corpus).ok:
                against.append(f"a fresh citation does not hold for {bound.slot}")
            for key in (key for key in ALTERED if key in made):
                altered += 1
                if checks(Manifest.of({**made, key: f"{made[key]}x"}), bound.actor, world.corpus).ok:
                    against.append(f"a citation with another {key} holds for {bound.slot}")
    said = (
        f"{cases} citations, one for each decision with a passage, carry context and revision and hold when verified; "
        f"{altered} altered copies (context, scope, snapshot, revision, quote): {_none(against)} passed."
    )
    return Seen(cases, said, tuple(against))


def editions(world: World) -> Seen:
    """Is a translation given only where it is reviewed for exactly the revision that applies?"""
    register = world.register
    languages = {r.source_language for r in register.revisions.values()} | {NOBODY_SPEAKS}
    languages |= {equivalence.language for equivalence in register.equivalences}
    slots = spread(world.of_kind(Kind.REVISION), 200)
    cases, given, against = 0, 0, []
    for slot in slots:
        actor, [revision] = world.reader(slot.key.tenant), slot.outcome.revisions
        for language in sorted(languages):
            cases += 1
            decision = register.resolve(world.request(slot, language=language), actor, clock=world.clock)
            reviewed = {
                one.edition for one in register.equivalences if (one.of_revision, one.language) == (revision, language)
            }
            source = register.revisions[revision].source_language == language
            if decision.status is Status.RESOLVED:
                given += decision.edition_id is not None
                right = source if decision.edition_id is None else decision.edition_id in reviewed
                if decision.revision_id != revision or not right:
                    against.append(f"{language} gave {decision!r} for {slot}")
            elif source:
                against.append(f"the source language gave {decision!r} for {slot}")
    said = (
        f"{cases} requests in {len(languages)} languages over {of_all(slots, world.of_kind(Kind.REVISION))} scopes and "
        f"intervals with one revision: {given} editions given, each reviewed for the revision that applies; "
        "elsewhere the source, or no edition."
    )
    return Seen(
        cases, said if not against else f"{len(against)} of {cases} requests gave another text.", tuple(against)
    )


def _none(against: list[str]) -> str:
    return str(len(against)) if against else "none"
