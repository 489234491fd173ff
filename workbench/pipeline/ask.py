"""One question under one decision: decision → view → hits → manifests, with no way around (contract 4)."""

from __future__ import annotations

from typing import Literal

from workbench.contract import Actor, Clock, Request
from workbench.evidence.corpus import Corpus
from workbench.pipeline.answer import Answer as Answer
from workbench.pipeline.finders import Finder, Ranked, Strict
from workbench.pipeline.session import Session
from workbench.validity.register import Register


def ask(
    corpus: Corpus,
    register: Register,
    query: str,
    *,
    actor: Actor,
    request: Request,
    match: Literal["all", "any"] = "all",
    depth: int | None = None,
    clock: Clock | None = None,
) -> Answer:
    """The answer to one question: the decision first, then a search in its view only, then a manifest for each hit.

    With all words and no ``depth`` it is the strict search with its limit of 3; otherwise ``view.rank``. Where register
    and corpus disagree about access or text, or the procedure is not located in the document, the decision is
    UNAVAILABLE (contract 3.11, 3.13). Raises QueryRefused and RequestError. To ask many questions of a corpus and a
    register that change, use a :class:`~workbench.pipeline.session.Session`.
    """
    find = finder(match, depth)
    return Session(corpus, register, clock=clock).ask(query, actor=actor, request=request, find=find)


def finder(match: Literal["all", "any"] = "all", depth: int | None = None) -> Finder:
    """The search that these two options mean.

    >>> finder(), finder("any"), finder(depth=7)
    (Strict(3), Ranked(10, match='any'), Ranked(7, match='all'))
    """
    if match == "all" and depth is None:
        return Strict()
    return Ranked(10 if depth is None else depth, match)
