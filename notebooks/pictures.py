"""Draws the README's pictures from the shipped data, into the folder `pictures` beside this script.

    .venv/bin/python notebooks/pictures.py

The same data and the same matplotlib on the same kind of machine give the same bytes; `pictures/drawn.json` says on
which they were drawn, and what they show as a digest of the frames read back from them. The tests compare both.
"""

import hashlib
import json
import platform
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl

import workbench as wb
from workbench.show.plots_grammar import Picture

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "data"
PLACE = HERE / "pictures"


def timeline() -> Picture:
    """One procedure of a pump: two revisions of its handbook, then two bulletins that replace a part of it."""
    register = wb.Register.read(DATA / "handbooks-register")
    scope = wb.Scope("kr-handbuch", "schmierung", "KR-200-N", "EU")
    return wb.plots.timeline(
        register, scope, actor=wb.OPERATOR, tenant="grauwede", at="2024-12-20", note="invented data"
    )


def coverage() -> Picture:
    """For how many procedures of each pump there is exactly one revision on a day."""
    register = wb.Register.read(DATA / "handbooks-register")
    return wb.plots.coverage(register, actor=wb.OPERATOR, tenant="grauwede", at="2025-12-01", note="invented data")


def tuning() -> Picture:
    """How many of the expected places are found, by the size of the passages."""
    corpus, register = wb.Corpus.read(DATA / "handbooks"), wb.Register.read(DATA / "handbooks-register")
    questions = [q for q in wb.read_questions(DATA / "questions.jsonl") if "sentence" in q.tags and not q.holdout]
    cuts = [*(wb.Words(size) for size in (16, 32, 64, 128, 256, 512)), wb.Paragraphs()]
    reader = wb.Actor("grauwede", {"wartung"})
    rows = wb.sweep(corpus, questions, actor=reader, register=register, cuts=cuts, measures=[wb.Recall(5)], depth=5)
    return wb.plots.tuning(rows, "Recall(5)", chosen="Words(128)", note="invented data")


PICTURES: dict[str, Callable[[], Picture]] = {
    "coverage.png": coverage,
    "timeline.png": timeline,
    "tuning.png": tuning,
}


def drawn_on() -> dict[str, str]:
    """What the bytes of a picture depend on besides its data."""
    return {"matplotlib": mpl.__version__, "machine": platform.machine()}


def shown(figure: Picture) -> str:
    """The digest of what a picture shows, read back from its artists."""
    return hashlib.sha256(wb.plots.read_back(figure).write_csv(float_precision=6).encode()).hexdigest()


def main() -> None:
    """Draws all pictures and writes down what they show."""
    PLACE.mkdir(exist_ok=True)
    figures = {name: draw() for name, draw in PICTURES.items()}
    for name, figure in figures.items():
        wb.plots.save(figure, PLACE / name)
    said = {"drawn on": drawn_on(), "shown": {name: shown(figure) for name, figure in figures.items()}}
    (PLACE / "drawn.json").write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
