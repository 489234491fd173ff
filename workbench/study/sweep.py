"""A sweep: many cuts and depths over the same questions, each in its own context, in one frame (contract 7).

One row for each setting and question. Nothing in here decides what may be seen: every question is asked through a view
of its persona and, where it has a request, of its decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl
from tqdm.auto import tqdm

from workbench.contract import Actor, Clock, Decision, Document, Spans, Status
from workbench.errors import ContextError
from workbench.evidence.analyzed import Analyzed
from workbench.evidence.analyzers import Analyzer
from workbench.evidence.batch import Batch
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut
from workbench.evidence.view import View
from workbench.study.judging import Judged, Passages, Place, Placed, Ranked, judge, place
from workbench.study.measures import Measure
from workbench.study.questions import Question
from workbench.validity.register import Register

Match = Literal["all", "any"]
Apply = Callable[[Callable[["Setting"], pl.DataFrame], Sequence["Setting"]], Iterable[pl.DataFrame]]
"""How settings are worked through: ``map``, or one that spreads them over several processes or machines."""

Seen = frozenset[tuple[str, Spans | None]]
Viewed = tuple[Actor, Decision | None]


@dataclass(frozen=True, slots=True)
class Setting:
    """One cut at one depth."""

    cut: Cut
    depth: int
    match: Match
    analyzer: Analyzer | None = None
    """Which words count as the same; ``None``: each word is itself, as in ``view.rank``."""

    def __repr__(self) -> str:
        seen = "" if self.analyzer is None else f" {self.analyzer!r} {self.analyzer.digest[:16]}"
        return f"{self.cut!r} depth {self.depth} {self.match}{seen}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its context: the view to search, or the refusal in its place."""

    question: Question
    actor: Actor
    decision: Decision | None
    view: View | None


def sweep(
    corpus: Corpus,
    questions: Sequence[Question],
    *,
    actor: Actor,
    register: Register | None = None,
    cuts: Sequence[Cut],
    measures: Sequence[Measure],
    depth: int | Sequence[int] = 10,
    match: Match = "any",
    analyzer: Analyzer | None = None,
    bind: bool = True,
    clock: Clock | None = None,
    progress: bool = False,
    apply: Apply | None = None,
) -> pl.DataFrame:
    """Every cut and depth, judged by every measure: one row for each setting and question.

    Columns: ``cut``, ``depth``, ``match``, ``question_id``, ``kind``, ``outcome`` (``hits``, ``no_hit`` or a refusal's
    status), ``answerable`` (gold in this context's view), ``first`` (rank of the first find, from 1), and one Float64
    column for each measure, named by its repr, null where it does not apply.

    An ``analyzer`` says which words count as the same, as :class:`~workbench.evidence.analyzed.Analyzed` does.

    A question's own persona asks it, or else ``actor``; its request goes to the ``register`` where one is given. With
    ``bind=False`` the register still judges, but the search is not bound by its decision: what an unbound search would
    have cited shows in ``WrongRevision``. Raises ValueError for empty lists of cuts or measures, and whatever reading
    a request raises.
    """
    if not cuts or not measures:
        raise ValueError("a sweep needs at least one cut and one measure")
    settings = [
        Setting(cut, k, match, analyzer) for cut in cuts for k in ([depth] if isinstance(depth, int) else depth)
    ]
    contexts = list(in_context(corpus, questions, actor=actor, register=register, bind=bind, clock=clock))

    run = Task(corpus, tuple(grouped(contexts)), tuple(measures))
    frames = (apply or map)(run, settings)
    bar = tqdm(frames, total=len(settings), desc="settings", disable=not progress)
    return pl.concat(list(bar))


def in_context(
    corpus: Corpus,
    questions: Iterable[Question],
    *,
    actor: Actor,
    register: Register | None,
    bind: bool = True,
    clock: Clock | None = None,
) -> Iterator[Asked]:
    """Each question with the view of its persona and decision; contexts that admit the same passages share one view."""
    views: dict[tuple[Actor, Seen], View] = {}
    for question in questions:
        who = question.persona or actor
        decision = None
        if register is not None and question.request is not None:
            decision = register.resolve(question.request, who, clock=clock)
            if decision.status is not Status.RESOLVED:
                yield Asked(question, who, decision, None)
                continue
        try:
            view = corpus.view(who, decision if bind else None)
        except ContextError:  # register and corpus disagree (contract 3.13)
            yield Asked(question, who, Decision(Status.UNAVAILABLE), None)
            continue
        yield Asked(question, who, decision, views.setdefault((who, frozenset(view.now().admitted.items())), view))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The questions, by their position, that see the same passages: ranked as one batch."""

    places: tuple[int, ...]
    asked: tuple[Asked, ...]
    batch: Batch

    @property
    def view(self) -> View | None:
        """The one view of them all, or ``None`` where the register refused."""
        return self.asked[0].view


def grouped(contexts: Sequence[Asked]) -> Iterator[Group]:
    """The questions by their view, and those that were refused."""
    groups: dict[int, list[int]] = {}
    for at, asked in enumerate(contexts):
        groups.setdefault(id(asked.view), []).append(at)
    for places in groups.values():
        own = tuple(contexts[at] for at in places)
        yield Group(tuple(places), own, Batch.of([asked.question.text for asked in own]))


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What is done for each setting: every group's questions ranked at once, judged and measured."""

    corpus: Corpus
    groups: tuple[Group, ...]
    measures: tuple[Measure, ...]

    def __reduce__(self) -> tuple[object, ...]:
        """As what it is made of: an index is not sent to another process but made there."""
        groups = []
        for group in self.groups:
            view = group.view
            asked = [(one.question, one.actor, one.decision) for one in group.asked]
            groups.append((group.places, asked, None if view is None else (view.actor, view.decision)))
        return _remade, (self.corpus.documents, groups, self.measures)

    def __call__(self, setting: Setting) -> pl.DataFrame:
        """The rows of one setting."""
        results: dict[int, Judged] = {}
        for group in self.groups:
            results.update(zip(group.places, judged(group, setting, self.corpus), strict=True))
        return frame(setting, [results[at] for at in sorted(results)], self.measures)


def _remade(
    documents: Sequence[Document],
    groups: Sequence[tuple[tuple[int, ...], Sequence[tuple[Question, Actor, Decision | None]], Viewed | None]],
    measures: tuple[Measure, ...],
) -> Task:
    corpus = Corpus(documents)
    made = []
    for places, asked, viewed in groups:
        view = None if viewed is None else corpus.view(*viewed)
        own = tuple(Asked(question, actor, decision, view) for question, actor, decision in asked)
        made.append(Group(places, own, Batch.of([question.text for question, _, _ in asked])))
    return Task(corpus, tuple(made), measures)


def judged(group: Group, setting: Setting, corpus: Corpus) -> Iterator[Judged]:
    """The questions of a group asked under one setting, and judged."""
    if group.view is None:
        yield from (judge(asked.question, None, (), decision=asked.decision) for asked in group.asked)
        return
    view = group.view.cut(setting.cut)
    passages = Passages(view)
    for asked, hits in zip(group.asked, _hits(group, setting, view), strict=True):
        wrong, leaked = _wrong(hits, asked.decision), _leaked(hits, asked.actor, corpus)
        yield judge(asked.question, view, hits, decision=asked.decision, wrong=wrong, leaked=leaked, passages=passages)


def _hits(group: Group, setting: Setting, view: View) -> Iterator[list[Placed]]:
    if setting.analyzer is None:
        for best in group.batch.rank(view, depth=setting.depth, match=setting.match):
            yield [Ranked(one.document, *one.passage) for one in best]
        return
    way = Analyzed(setting.depth, setting.analyzer, match=setting.match)
    for asked in group.asked:
        yield list(way.find(view, asked.question.text))


def frame(setting: Setting, results: Sequence[Judged], measures: Sequence[Measure]) -> pl.DataFrame:
    """The rows of one setting."""
    figures: Mapping[str, list[float | None]] = {repr(measure): measure.of(results) for measure in measures}
    count = len(results)
    return pl.DataFrame(
        {
            "cut": [repr(setting.cut)] * count,
            "depth": [setting.depth] * count,
            "match": [setting.match] * count,
            "question_id": [r.question.id for r in results],
            "kind": [r.question.kind for r in results],
            "outcome": [r.outcome for r in results],
            "answerable": [r.answerable for r in results],
            "first": pl.Series([_first(r) for r in results], dtype=pl.Int64),
            **{name: pl.Series(values, dtype=pl.Float64) for name, values in figures.items()},
        }
    )


def summary(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each setting: counts of its questions, and the mean of each measure over those it applies to.

    ``answerable`` have gold in their view; ``out_of_view`` are those of the kinds answerable and ambiguous that were
    searched without gold in view (access or decision keep it out); ``refused`` by the register; ``no_hit``: nothing.
    """
    named = {"cut", "depth", "match", "question_id", "kind", "outcome", "answerable", "first"}
    searched = pl.col("outcome").is_in(["hits", "no_hit"])
    measured = [column for column in rows.columns if column not in named]
    return rows.group_by("cut", "depth", "match", maintain_order=True).agg(
        pl.len().alias("questions"),
        pl.col("answerable").sum().alias("answerable"),
        (searched & ~pl.col("answerable") & (pl.col("kind") != "unanswerable")).sum().alias("out_of_view"),
        (~searched).sum().alias("refused"),
        (pl.col("outcome") == "no_hit").sum().alias("no_hit"),
        *(pl.col(column).mean() for column in measured),
    )


def _first(result: Judged) -> int | None:
    return next((rank for rank, hit in enumerate(result.hits, 1) if place(hit) in result.relevant), None)


def _wrong(hits: Sequence[Placed], decision: Decision | None) -> frozenset[Place]:
    if decision is None or decision.context is None:
        return frozenset()
    allowed = {a.document_id for a in decision.context.allowed}
    return frozenset(place(hit) for hit in hits if hit.document_id not in allowed)


def _leaked(hits: Sequence[Placed], actor: Actor, corpus: Corpus) -> frozenset[Place]:
    """Asked of the documents themselves, not of the view, so that a view that leaks is found out."""
    found = set()
    for hit in hits:
        document = corpus.get(hit.document_id)
        if document is None or not actor.may(document.tenant, document.groups):
            found.add(place(hit))
    return frozenset(found)
