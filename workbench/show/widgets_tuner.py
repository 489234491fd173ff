"""The tuner: sliders for a cut and its depth, and at once what they do to the questions.

Everything shown comes from the functions that the next cell can call: ``sweep``, ``compare``, ``tables.tuning``,
``tables.side_by_side``, ``tables.won_and_lost``, ``tables.chunks``. Text goes into HTML widgets, into no Output widget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, Final

from ipywidgets import HTML, Dropdown, HBox, SelectionSlider, VBox

from workbench.contract import Actor, Clock
from workbench.errors import InputError
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut, Paragraphs, Words
from workbench.evidence.structure import Characters, Headings, Recursive, Sentences
from workbench.show.plots_grammar import DPI
from workbench.show.plots_tuning import tuning
from workbench.show.tables_timeline import Frame
from workbench.show.tables_tuning import side_by_side, won_and_lost
from workbench.show.tables_tuning import tuning as curve_of
from workbench.show.tables_tuning_text import chunks
from workbench.show.widgets_status import StatusLine
from workbench.show.widgets_tuner_text import bordered, compared, listed
from workbench.show.widgets_writing import STYLE, line, pictured, safe
from workbench.study.compare import compare
from workbench.study.measures import RR, GoldCut, Leak, Measure, Recall, SpanIoU, WrongRevision
from workbench.study.questions import Question
from workbench.study.sweep import Asked, Match, in_context, sweep
from workbench.validity.register import Register

KINDS: Final[dict[str, Callable[[int, int], Cut]]] = {
    "words": lambda size, overlap: Words(size, overlap=overlap),
    "sentences": lambda size, overlap: Sentences(size, overlap=overlap),
    "characters": lambda size, overlap: Characters(size, overlap=overlap),
    "recursive": lambda size, _: Recursive(size),
    "headings": lambda size, _: Headings(size),
    "paragraphs": lambda _size, _overlap: Paragraphs(),
}
SIZES: Final = {"sentences": (1, 2, 3, 5, 8, 12), "characters": (100, 200, 400, 800, 1600, 3200)}
WORDS: Final = (16, 32, 64, 128, 256, 512)
SHARES: Final = (0, 10, 20, 30, 50)
DEPTHS: Final = (1, 3, 5, 10, 20)
AROUND: Final = 1_200
"""How many code points before and after the expected passage are shown."""


def cut_of(kind: str, size: int, share: int) -> Cut:
    """The cut that the sliders name: ``share`` is the overlap in percent of the size.

    >>> cut_of("words", 64, 20), cut_of("paragraphs", 64, 20)
    (Words(64, overlap=12), Paragraphs())
    """
    return KINDS[kind](size, min(size * share // 100, size - 1))


def measures_at(depth: int) -> list[Measure]:
    """What the tuner measures at a depth."""
    return [Recall(depth), RR(), SpanIoU(depth), GoldCut(), WrongRevision(depth), Leak(depth)]


class Tuner(VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The panel of :func:`tuner`. ``kind``, ``size``, ``share``, ``depth`` and ``question`` are its sliders and list.

    ``rows`` is the frame of all that was swept so far at the depth shown, ``cut`` the setting, ``before`` the one
    before it.
    """

    def __init__(
        self,
        corpus: Corpus,
        questions: Sequence[Question],
        *,
        actor: Actor,
        register: Register | None,
        match: Match,
        clock: Clock | None,
    ) -> None:
        self._ask = (corpus, tuple(questions), actor, register, match, clock)
        self._swept: dict[int, Frame] = {}
        self._texts = {question.id: question.text for question in questions}
        contexts = in_context(corpus, questions, actor=actor, register=register, clock=clock)
        self._asked = {asked.question.id: asked for asked in contexts if asked.view and _seen(asked)}
        self.kind = _slider("kind", list(KINDS), "words")
        self.size = _slider("size", list(WORDS), 64)
        self.share = _slider("overlap %", list(SHARES), 0)
        self.depth = _slider("depth", list(DEPTHS), 5)
        shown = [(line(f"{name}: {self._texts[name][:80]}"), name) for name in self._asked]
        self.question = Dropdown(options=shown, description="question")
        self.question.layout.width = "95%"
        self.numbers, self.changes, self.curve, self.left, self.right = (HTML() for _ in range(5))
        self.status = StatusLine("wb-tuner-status")
        self.before: Cut | None = None
        self.cut = self._chosen()
        self.kind.observe(self._other_kind, "value")
        for control in (self.size, self.share, self.depth):
            control.observe(self._moved, "value")
        self.question.observe(lambda _: self._other_question(), "value")
        for name, widget in self._named().items():
            widget.add_class(f"wb-tuner-{name}")
        self._write()
        texts = HBox([self.left, self.right])
        sliders = [self.kind, self.size, self.share, self.depth]
        super().__init__(
            [HTML(STYLE), *sliders, self.status, self.numbers, self.curve, self.changes, self.question, texts]
        )
        self.add_class("wb-tuner")
        self.add_class("wb-panel")

    def __repr__(self) -> str:
        return f"Tuner({self.cut!r}, depth {self.depth.value}, {len(self._texts)} questions)"

    def _named(self) -> dict[str, Any]:
        names = ("kind", "size", "share", "depth", "question", "numbers", "curve", "changes")
        return {**{name: getattr(self, name) for name in names}, "before": self.left, "now": self.right}

    @property
    def rows(self) -> Frame:
        """What was swept so far at the depth shown."""
        return self._swept[self.depth.value]

    def _chosen(self) -> Cut:
        return cut_of(self.kind.value, self.size.value, self.share.value)

    def _other_kind(self, _: object) -> None:
        sizes = SIZES.get(self.kind.value, WORDS)
        if self.size.value in sizes and len(self.size.options) == len(sizes) and self.size.options[0] == sizes[0]:
            self._moved(None)
        else:
            middle = sizes[len(sizes) // 2]
            self.size.unobserve(self._moved, "value")
            self.size.options = sizes
            self.size.value = middle
            self.size.observe(self._moved, "value")
            self._moved(None)

    def _moved(self, _: object) -> None:
        chosen = self._chosen()
        if chosen != self.cut:
            self.before, self.cut = self.cut, chosen
        self._write()

    def _write(self) -> None:
        """First what the setting does to the questions; the rest of the curve takes longer and comes last."""
        depth, shown = self.depth.value, [self.cut] if self.before is None else [self.before, self.cut]
        said = f"measuring {self.cut!r} at depth {depth}; what stands below is still the last setting's"
        with self.status.working(said, failed=self._clear):
            self._sweep(shown)
            self._measured()
            self._documents()
            self.status.say(f"{self.cut!r} at depth {depth} is measured; the curve is still being drawn", busy=True)
            self._curve(shown)
            self.status.say(f"{self.cut!r} at depth {depth}: {len(self._texts)} questions")

    def _clear(self) -> None:
        for widget in (self.numbers, self.changes, self.curve, self.left, self.right):
            widget.value = ""

    def _measured(self) -> None:
        """The figures beside those of the setting before, and the questions won and lost."""
        depth, before = self.depth.value, self.before or self.cut
        frame = side_by_side(self.rows, repr(self.cut), repr(before), depth=depth)
        numbers = compared(frame, self._words())
        changed = won_and_lost(self.rows, repr(self.cut), against=repr(before), depth=depth) if self.before else None
        self.changes.value = "" if changed is None else listed(changed, self._texts)
        self.numbers.value = numbers

    def _curve(self, shown: Sequence[Cut]) -> None:
        sizes = SIZES.get(self.kind.value, WORDS)
        curve = [cut_of(self.kind.value, size, self.share.value) for size in sizes]
        self._sweep(curve)
        kept = [repr(cut) for cut in dict.fromkeys([*curve, *shown])]
        drawn = self.rows.filter(self.rows["cut"].is_in(kept))
        buffer = BytesIO()
        measure = f"Recall({self.depth.value})"
        picture = tuning(drawn, measure, chosen=repr(self.cut))
        picture.savefig(buffer, format="png", dpi=DPI, pil_kwargs={"compress_level": 1})
        points = curve_of(drawn, measure).drop_nulls("mean")
        said = ", ".join(f"{row['cut']} {row['mean']:.3f}" for row in points.iter_rows(named=True))
        self.curve.value = pictured(buffer.getvalue(), f"{measure} by the size of a passage: {said}")

    def _other_question(self) -> None:
        with self.status.working("cutting the question's text…"):
            self._documents()
            self.status.say(line(f"The text of {self.question.value}, before and now"))

    def _words(self) -> list[str]:
        if self.before is None:
            return []
        pair = self.rows.filter(self.rows["cut"].is_in([repr(self.before), repr(self.cut)]))
        found = [compare(pair, name, against=repr(self.before)) for name in (f"Recall({self.depth.value})", "RR()")]
        return [one.words for each in found for one in each]

    def _documents(self) -> None:
        """The question's expected passage under the setting before and under this one."""
        asked = self._asked.get(self.question.value)
        for widget, cut in ((self.left, self.before), (self.right, self.cut)):
            widget.layout.width = "50%" if self.before else "100%"
            widget.value = "" if asked is None or cut is None else text_of(asked, cut)
        if self.before is None:
            self.left.layout.width = "0%"

    def _sweep(self, cuts: Sequence[Cut]) -> None:
        corpus, questions, actor, register, match, clock = self._ask
        depth = self.depth.value
        known = set(self._swept[depth]["cut"]) if depth in self._swept else set()
        new = [cut for cut in dict.fromkeys(cuts) if repr(cut) not in known]
        if new:
            found = sweep(
                corpus,
                questions,
                actor=actor,
                register=register,
                cuts=new,
                measures=measures_at(depth),
                depth=depth,
                match=match,
                clock=clock,
            )
            self._swept[depth] = self._swept[depth].vstack(found) if known else found


def tuner(
    corpus: Corpus,
    questions: Sequence[Question],
    *,
    actor: Actor,
    register: Register | None = None,
    match: Match = "any",
    clock: Clock | None = None,
) -> Tuner:
    """What another cut does to these questions: sliders for kind, size, overlap and depth (arrow keys move them).

    Below them the figures beside those of the setting before, with what the difference is worth in words; the curve
    over sizes; the questions won and lost; and for one question the text with its chunk borders, before and now. Every
    setting is swept once. Questions in whole sentences are asked with ``match="any"``, keywords with ``"all"``. Raises
    InputError without any question.
    """
    if not questions:
        raise InputError("there are no questions to tune with", remedy="read some with read_questions")
    return Tuner(corpus, questions, actor=actor, register=register, match=match, clock=clock)


def text_of(asked: Asked, cut: Cut) -> str:
    """The stretch around a question's first expected passage under a cut, as HTML; escaped."""
    if asked.view is None:
        return f"<p>{safe(asked.decision)}</p>"
    first = _seen(asked)[0]
    around = (max(0, first.span.start - AROUND), first.span.end + AROUND)
    view = asked.view.cut(cut)
    return bordered(chunks(view, first.document_id, gold=asked.question.gold, around=around), f"{cut!r}: {first}")


def _seen(asked: Asked) -> list[Any]:
    view = asked.view
    return [] if view is None else [gold for gold in asked.question.gold if gold.document_id in view.now().admitted]


def _slider(name: str, options: list[Any], value: object) -> SelectionSlider:
    slider = SelectionSlider(options=options, value=value, description=name, continuous_update=False)
    slider.layout.width = "95%"
    return slider
