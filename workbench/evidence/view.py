"""The view: the only thing that can be searched (contract 1, 2.1, 4.1, 4.2).

A view is an actor's readable documents, or the passages that a decision allows, under one cut. It checks access again
at each search, against the corpus as it then is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.contract import Actor, Context, Decision, Document, Hit, access_digest, braces, digest
from workbench.evidence import access
from workbench.evidence import query as queries
from workbench.evidence.cuts import Cut, Paragraphs, Passage
from workbench.evidence.explain import Share, explain
from workbench.evidence.tokens import terms

if TYPE_CHECKING:
    from workbench.evidence.corpus import Corpus, State
    from workbench.evidence.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Now:
    """What a view holds at one moment: the corpus's state, what of it is admitted, and the id of both."""

    state: State
    admitted: access.Admitted
    id: str


class View:
    """What one actor, and one decision where there is one, may search.

    Forbidden documents change neither hits, nor scores, nor counts, nor the view's id. An empty view finds nothing.
    """

    __slots__ = ("_actor", "_context", "_corpus", "_cut", "_decision", "_held", "_label", "_ranked")

    def __init__(self, corpus: Corpus, actor: Actor, decision: Decision | None = None, cut: Cut | None = None) -> None:
        """Use ``corpus.view(actor, decision)``. Raises ContextError as stated there."""
        self._corpus = corpus
        self._actor = access.need_actor(actor)
        self._decision = decision
        self._context: Context | None = None if decision is None else access.context_of(decision)
        self._cut: Cut = Paragraphs() if cut is None else cut
        self._label = repr(self._cut)
        self._held: Now | None = None
        self._ranked: tuple[Now, Ranking] | None = None
        self.now()

    @property
    def actor(self) -> Actor:
        """Who asks."""
        return self._actor

    @property
    def corpus(self) -> Corpus:
        """The corpus that this is a view of."""
        return self._corpus

    @property
    def decision(self) -> Decision | None:
        """The decision that limits the view, where there is one."""
        return self._decision

    @property
    def rule(self) -> Cut:
        """How the view's documents are cut into passages."""
        return self._cut

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents that may be searched now, ascending."""
        return tuple(sorted(self.now().admitted))

    @property
    def id(self) -> str:
        """The digest of the view: its documents as they are now, the actor's access, the context, and the cut."""
        return self.now().id

    def cut(self, rule: Cut) -> View:
        """The same documents, cut by another rule: another view.

        TypeError for what is no cut.
        """
        if not isinstance(rule, Cut):
            raise TypeError("a cut is wanted, such as Words(120, overlap=20)")
        return View(self._corpus, self._actor, self._decision, rule)

    def search(self, query: str, limit: int = 3) -> list[Hit]:
        """The best passages that hold all words of a short query: S0's strict search (contract 2.2-2.6).

        At most ``limit`` hits (1 to 5), ordered by score, document id and passage number. No hit is a valid result.
        Raises QueryRefused for a query or limit outside the contract.
        """
        depth = queries.limit(limit)
        return self._best(queries.words(query), match="all", depth=depth)

    def rank(self, query: str, depth: int = 10, match: str = "all") -> list[Hit]:
        """The best passages for analysis: longer questions, any depth, all words or ``match="any"`` (contract 2.5).

        ``"any"`` scores as FTS5 scores the same words joined by OR. Raises QueryRefused for text over 10,000 characters
        or 1,000 distinct words.
        """
        deep, how = queries.depth(depth), queries.match(match)
        return self._best(queries.question_words(query), match=how, depth=deep)

    def _best(self, words: list[str], *, match: queries.Match, depth: int) -> list[Hit]:
        now = self.now()
        if not words or not now.admitted:
            return []
        found = self._ranking(now).best([terms(word) for word in words], match=match, depth=depth)
        return [self._hit(now, now.state.documents[f.document], f.passage, f.score) for f in found]

    def _ranking(self, now: Now) -> Ranking:
        if self._ranked is None or self._ranked[0] is not now:
            self._ranked = now, now.state.index.ranking(now.state.documents, now.admitted, self._cut, key=now.id)
        return self._ranked[1]

    def ranking(self) -> Ranking:
        """The statistics that the view is searched with, as it is now: for what explains or batches searches."""
        return self._ranking(self.now())

    def explain(self, query: str, hits: Sequence[Hit]) -> list[Share]:
        """What each word of the question adds to each hit's score: a row for each hit and word (explain.py)."""
        return explain(self, query, hits)

    def passages(self) -> Iterator[tuple[Document, Passage]]:
        """Every searchable passage of the view, by document id and passage number."""
        now = self.now()
        for name in sorted(now.admitted):
            document = now.state.documents[name]
            for passage in self._cut.passages(document.text, now.admitted[name]):
                yield document, passage

    def hit(self, document: Document, passage: Passage, score: float) -> Hit:
        """A passage of this view as a hit, with its verbatim quote."""
        return self._hit(self.now(), document, passage, score)

    def _hit(self, now: Now, document: Document, passage: Passage, score: float) -> Hit:
        return Hit(
            document_id=document.id,
            version=document.version,
            content_sha256=now.state.fingerprints[document.id],
            paragraph=passage.number,
            cut=self._label,
            start=passage.start,
            end=passage.end,
            quote=document.text[passage.start : passage.end],
            score=score,
            within=now.admitted[document.id],
            view_id=now.id,
        )

    def __repr__(self) -> str:
        who = f"{self._actor.tenant} {braces(self._actor.groups)}"
        under = f", decision {self._context.id[:12]}" if self._context else ""
        count = len(self.now().admitted)
        return f"View({who}, {count} document{'' if count == 1 else 's'}{under}, {self._cut!r})"

    def now(self) -> Now:
        """The corpus as it is now and what of it is admitted; worked out anew whenever the corpus has changed.

        Raises ContextError where a decision no longer holds.
        """
        state = self._corpus.state
        if self._held is None or self._held.state is not state:
            # The same actor's next view of the same state need not go through all documents again.
            key = (self._actor, self._context and self._context.id)
            admitted = state.remembered(("admitted", *key), lambda: self._admitted(state))
            name = state.remembered(("name", *key, self._label), lambda: self._name(state, admitted))
            self._held = Now(state, admitted, name)
        return self._held

    def _admitted(self, state: State) -> access.Admitted:
        if self._context is None:
            return access.readable(self._actor, state.classes)
        return access.admitted(self._actor, self._context, documents=state.documents, fingerprints=state.fingerprints)

    def _name(self, state: State, admitted: access.Admitted) -> str:
        # Over the admitted documents, not the whole corpus: a forbidden one must not show in anything a view says.
        seen = access_digest(self._actor, dict.fromkeys(admitted, True))
        return digest([state.digest_of(admitted), seen, self._context and self._context.id, self._label])
