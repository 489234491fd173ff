"""``tune``: a sweep over sizes on the command line, resumable, with its rows as Parquet and its curve as a picture."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from workbench.cli.options import Commands, Result, actor_of, add_actor, register_at
from workbench.errors import InputError, shown
from workbench.evidence.analyzers import Analyzer, German, Identity
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Cut, Paragraphs, Words
from workbench.evidence.structure import Characters, Headings, Recursive, Sentences
from workbench.study.compare import compare
from workbench.study.measures import all_measures
from workbench.study.questions import Question, read_questions
from workbench.study.runs import open_run
from workbench.study.sweep import Apply, Match, Setting, summary, sweep

WINDOWS: dict[str, Callable[[int, int], Cut]] = {
    "words": lambda size, overlap: Words(size, overlap=overlap),
    "sentences": lambda size, overlap: Sentences(size, overlap=overlap),
    "characters": lambda size, overlap: Characters(size, overlap=overlap),
}
SIZED: dict[str, Callable[[int], Cut]] = {"headings": Headings, "recursive": Recursive}
ANALYZERS: dict[str, Callable[[], Analyzer]] = {
    "identity": Identity,
    "german": German,
    "german-compounds": lambda: German(compounds=True),
}


def add(commands: Commands) -> None:
    """Add the command."""
    tune = commands.add(
        "tune",
        run=_tune,
        help="sweep chunk sizes over questions: one row for each setting, with what the differences are worth",
        example="workbench tune data/handbooks data/questions.jsonl --tenant grauwede --groups wartung "
        "--by words --size 64:256 --overlap 0,20% --to run",
    )
    tune.add_argument("corpus", metavar="CORPUS", help="the corpus folder")
    tune.add_argument("questions", metavar="QUESTIONS", help="the questions (JSONL)")
    add_actor(tune)
    tune.add_argument("--register", metavar="REGISTER", help="bind questions with a request to its decisions")
    tune.add_argument("--by", choices=["paragraphs", *WINDOWS, *SIZED], default="words", help="the kind of cut")
    tune.add_argument("--size", metavar="LIST", help="sizes: 32,64 or 32:512 (each twice the last; the default)")
    tune.add_argument("--overlap", metavar="LIST", help="overlaps: units, or a share as 20%% (default 0)")
    tune.add_argument("--depth", type=int, default=10, metavar="N", help="how many passages to rank")
    tune.add_argument("--match", choices=["any", "all"], default="any", help="any word (questions) or all (keywords)")
    tune.add_argument(
        "--analyzer", choices=list(ANALYZERS), help="which words count as the same (without: each is itself)"
    )
    tune.add_argument(
        "--holdout", action="store_true", help="the questions kept for final reports, instead of the others"
    )
    tune.add_argument("--tag", metavar="TAG", help="only the questions with this tag, such as sentence or keyword")
    tune.add_argument("--scheduler", metavar="ADDRESS", help="work on the Dask cluster of this scheduler")
    tune.add_argument("--to", metavar="FOLDER", help="keep rows, record and picture; a stopped run goes on from there")


def sizes(text: str) -> list[int]:
    """The sizes that an option names.

    >>> sizes("32:256"), sizes("10,50")
    ([32, 64, 128, 256], [10, 50])
    """
    ends = re.fullmatch(r"([0-9]{1,7}):([0-9]{1,7})", text)
    if ends:
        first, last = int(ends[1]), int(ends[2])
        if not 1 <= first <= last:
            raise InputError(f"--size {text}: sizes go up from at least 1")
        found = [first]
        while found[-1] * 2 <= last:
            found.append(found[-1] * 2)
        return found if found[-1] == last else [*found, last]
    if re.fullmatch(r"[0-9]{1,7}(,[0-9]{1,7})*", text):
        return [int(part) for part in text.split(",")]
    raise InputError(f"--size {text}: write 32,64,128 or 32:512")


def overlaps(text: str, size: int) -> list[int]:
    """The overlaps that an option names, for one size.

    >>> overlaps("0,20%,8", 50)
    [0, 10, 8]
    """
    if not re.fullmatch(r"[0-9]{1,7}%?(,[0-9]{1,7}%?)*", text):
        raise InputError(f"--overlap {text}: write 0,10 or 0,20%")
    parts = text.split(",")
    return [int(part[:-1]) * size // 100 if part.endswith("%") else int(part) for part in parts]


def cuts(kind: str, size: str | None, overlap: str | None) -> list[Cut]:
    """The cuts that the options name, each once; nonsense is refused with its words.

    >>> cuts("words", "8,16", None), cuts("paragraphs", None, None)
    ([Words(8), Words(16)], [Paragraphs()])
    """
    found: list[Cut] = []
    for option, given, meant in (("size", size, kind != "paragraphs"), ("overlap", overlap, kind in WINDOWS)):
        if given is not None and not meant:
            raise InputError(f"--{option} says nothing with --by {kind}", remedy=f"leave --{option} out")
    size, overlap = "32:512" if size is None else size, "0" if overlap is None else overlap
    if kind == "paragraphs":
        return [Paragraphs()]
    for wanted in sizes(size):
        try:
            if kind in SIZED:
                found.append(SIZED[kind](wanted))
            else:
                found.extend(WINDOWS[kind](wanted, each) for each in overlaps(overlap, wanted))
        except ValueError as error:
            raise InputError(f"--size {wanted} --overlap {overlap}: {error}") from None
    return list(dict.fromkeys(found))


def _tune(args: argparse.Namespace) -> Result:
    if args.depth < 1:
        raise InputError("--depth: a whole number of at least 1")
    chosen = cuts(args.by, args.size, args.overlap)
    corpus, actor = Corpus.read(args.corpus), actor_of(args)
    register = None if args.register is None else register_at(args.register)
    questions = [q for q in read_questions(args.questions) if q.holdout == args.holdout]
    questions = [q for q in questions if args.tag is None or args.tag in q.tags]
    if not questions:
        asked = "held-out questions" if args.holdout else "questions apart from those held out"
        tagged = "" if args.tag is None else f" with the tag {shown(args.tag)}"
        other = "leave --holdout out" if args.holdout else "--holdout takes those that are kept for final reports"
        raise InputError(f"there are no {asked}{tagged}", file=args.questions, remedy=f"add some; {other}")
    placed(questions, corpus, args.questions)
    k, match = args.depth, match_of(args.match)
    measures = all_measures(k, match)
    analyzer = None if args.analyzer is None else ANALYZERS[args.analyzer]()
    run = None
    if args.to is not None:
        settings = [Setting(cut, k, match, analyzer) for cut in chosen]
        run = open_run(args.to, corpus, questions, actor=actor, register=register, measures=measures, settings=settings)
    with _cluster(args.scheduler) as spread:
        rows = sweep(
            corpus,
            questions,
            actor=actor,
            register=register,
            cuts=chosen,
            measures=measures,
            depth=k,
            match=match,
            analyzer=analyzer,
            progress=True,
            apply=run.apply(spread) if run else spread,
        )
    table = summary(rows)
    differences = compare(rows, f"Recall({k})", against=repr(chosen[0])) if len(chosen) > 1 else ()
    document: dict[str, object] = {
        "settings": table.to_dicts(),
        "differences": [difference.words for difference in differences],
    }
    if run is not None:
        from workbench.show.plots import save, tuning  # here, so that no other command waits for matplotlib

        document["run"] = run.digest
        document["rows"] = str(run.finish(rows))
        document["plot"] = str(save(tuning(rows, f"Recall({k})"), Path(args.to) / "tuning.png"))
    lines = [f"{setting['cut']:28} {_figures(setting)}" for setting in table.to_dicts()]
    lines += [f"{Setting(chosen[0], k, match, analyzer)!r} is compared with:"] if differences else []
    return Result(document, "\n".join([*lines, *(difference.words for difference in differences)]))


@contextmanager
def _cluster(address: str | None) -> Iterator[Apply]:
    """How settings are worked through: one after the other, or on the cluster."""
    if address is None:
        yield map
        return
    try:
        from workbench.stores.dask import connected, spread
    except ModuleNotFoundError:
        remedy = "install it with the extra: pip install 'workbench[dask]'"
        raise InputError("--scheduler needs Dask, which is not installed", remedy=remedy) from None
    with connected(address) as client:
        yield spread(client)


def placed(questions: Sequence[Question], corpus: Corpus, file: str) -> None:
    """Refuse gold that stands in no document: it would be counted as out of view, question by question."""
    for question in questions:
        for gold in question.gold:
            document = corpus.get(gold.document_id)
            if document is None or gold.span.end > len(document.text):
                what = "ends behind the text of" if document else "names a document that is not in the corpus:"
                raise InputError(
                    f"question {shown(question.id)}: its gold {what} {shown(gold.document_id)}",
                    file=file,
                    column="gold",
                    remedy="correct the span, or give the corpus that it was written for",
                )


def match_of(text: str) -> Match:
    """The match that an option names."""
    return "all" if text == "all" else "any"


def _figures(setting: dict[str, object]) -> str:
    counts = ("questions", "answerable", "out_of_view", "refused", "no_hit")
    shown = [f"{name} {setting[name]}" for name in counts]
    figures = {name: value for name, value in setting.items() if isinstance(value, float)}
    return " · ".join([*shown, *(f"{name} {value:.3f}" for name, value in figures.items())])
