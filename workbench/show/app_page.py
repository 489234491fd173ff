"""What an app's page runs in its kernel: one panel for one actor, and no traceback on it, whatever happens."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from IPython import get_ipython
from ipywidgets import HTML, VBox

from workbench.contract import Actor
from workbench.errors import InputError
from workbench.evidence.corpus import Corpus
from workbench.show import widgets
from workbench.show.widgets_writing import problem
from workbench.study.questions import read_questions
from workbench.validity.register import Register

GONE = "Load the page again; if it happens again, tell whoever runs this app: the cause stands in its log."


def panel(kind: str, places: Mapping[str, str], actor: Actor) -> VBox:
    """The panel of this kind over the data at these places, for this actor: ``search``, ``validity`` or ``tuner``.

    >>> panel("search", {"corpus": "data/pumps"}, Actor("werk-nord", {"wartung"}))
    Search(0 hits)
    """
    register = Register.read(places["register"]) if "register" in places else None
    if kind == "validity":
        if register is None:
            raise InputError("the validity panel needs a register")
        return widgets.validity(register, actor=actor)
    corpus = Corpus.read(places["corpus"])
    if kind == "search":
        return widgets.search(corpus, actor=actor, register=register)
    questions = [question for question in read_questions(places["questions"]) if not question.holdout]
    return widgets.tuner(corpus, questions, actor=actor, register=register)


def page(told: str) -> VBox:
    """The page: ``told`` is JSON with kind, places and actor, written by the server and by nobody else.

    What cannot be built or goes wrong later stands on the page by the name of its error alone, in place of the panel:
    an error's text may hold what the visitor must not see. The text goes to the server's log.
    """
    shown = VBox()
    shell = get_ipython()
    if shell is not None:
        # What ipywidgets calls when a callback raises; by default it publishes the traceback.
        shell.showtraceback = lambda *_, **__: _fail(shown, sys.exc_info())
    try:
        order = json.loads(told)
        actor = Actor(order["tenant"], order["groups"], order["active"])
        shown.children = (panel(order["kind"], order["places"], actor),)
    except Exception:
        _fail(shown, sys.exc_info())
    shown.add_class("wb-app")
    return shown


Raised = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


def _fail(shown: Any, raised: Raised) -> None:
    """Nothing stays of a panel that failed: what it shows may answer another question than the one last asked."""
    traceback.print_exception(raised[1], file=sys.__stderr__)
    name = "unknown" if raised[0] is None else raised[0].__name__
    shown.children = (HTML(problem("This cannot be shown", name, GONE)),)
