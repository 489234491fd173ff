"""The command line: ``workbench COMMAND`` (contract 6).

Exit status 0: done, also without a hit; 1: a check failed, or a query or request was refused; 2: unusable input, with
one line on stderr that names file, row and column. Never a traceback: set ``WORKBENCH_DEBUG=1`` to see one.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from workbench.cli import app, corpus, evidence, pipeline, register, report, study, tune, validity
from workbench.cli.options import Parser, Result, UsageError, fail, silence, write
from workbench.errors import InputError, QueryRefused, RequestError, WorkbenchError, shown

EXAMPLES = """\
examples:
  workbench proof  # the 51 and the 21 conditions, here and now
  workbench search data/pumps "zwei Personen" --tenant werk-nord --groups wartung
  workbench resolve data/pump-seal --tenant werk-nord --groups wartung --family pump-seal \\
            --procedure seal-torque --configuration C2 --region EU --at 6
  workbench lab  # JupyterLab on the notebooks
"""


def parser() -> Parser:
    """The parser of all commands, each with its own help and example."""
    top = Parser("workbench", epilog=EXAMPLES, description=(__doc__ or "").splitlines()[0])
    commands = top.commands()
    for module in (study, evidence, validity, pipeline, register, corpus, tune, report, app):
        module.add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status.

    >>> main(["search", "data/pumps", "zwei Personen", "--tenant", "werk-nord", "--groups", "wartung"])
    1. ablauf · version 3 · paragraph 1 · characters 0 to 155 · ...
       Fiktives Beispiel: Vor dem Wiederanlauf einer Kreiselpumpe prüfen zwei Personen ...
    0
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["lab"]:  # JupyterLab has options of its own, which go to it as they are
        from workbench.show.lab import lab

        return lab(arguments[1:])
    as_json = "--json" in arguments
    try:
        _encodable(arguments)
        args = parser().parse_args(arguments)
    except UsageError as error:
        return fail(str(error), 2, as_json=as_json, kind="unusable_input")
    except SystemExit as stopped:  # --help
        return stopped.code if isinstance(stopped.code, int) else 2
    return _run(args, as_json=as_json)


def _encodable(arguments: Sequence[str]) -> None:
    """Refuse arguments that are no UTF-8: their bytes could be stored and compared nowhere."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError:
            raise UsageError(f"this argument is no UTF-8 text: {shown(argument)}") from None


def _run(args: argparse.Namespace, *, as_json: bool) -> int:
    try:
        result: Result = args.run(args)
        write(result, as_json=as_json)
        return result.status
    except InputError as error:
        place = {"file": error.file, "row": error.row, "column": error.column}
        return fail(str(error), 2, as_json=as_json, kind="unusable_input", more=place)
    except QueryRefused as error:
        return fail(str(error), 1, as_json=as_json, kind="query_refused", more={"hits": []})
    except RequestError as error:
        more = {"status": "INVALID_REQUEST", "field": error.field}
        return fail(str(error), 1, as_json=as_json, kind="invalid_request", more=more)
    except WorkbenchError as error:
        return fail(str(error), 1, as_json=as_json, kind="refused")
    except BrokenPipeError:
        silence(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return fail("stopped", 130, as_json=False, kind="stopped")
    except OSError as error:
        name = None if error.filename is None else os.fsdecode(error.filename)
        message = f"{name or 'a file or stream'}: {error.strerror}"
        return fail(message, 2, as_json=as_json, kind="unusable_input", more={"file": name})
    except Exception as error:
        if os.environ.get("WORKBENCH_DEBUG"):
            raise
        message = f"unexpected {type(error).__name__}; WORKBENCH_DEBUG=1 shows where"
        return fail(message, 2, as_json=as_json, kind="unexpected")
