"""The process that reads one hostile file: bytes in, one JSON answer out, within limits on memory and time."""

from __future__ import annotations

import json
import os
import sys
from typing import BinaryIO

from workbench.convert.limits import Limits, Options
from workbench.convert.pdf_scan import scan
from workbench.convert.places import Converted
from workbench.convert.refusals import Refused, refuse


def limit(limits: Limits) -> None:
    """Bound what this process may use; where the system has no such bounds, only the caller's clock holds."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, hard))


def read(raw: bytes, kind: str, limits: Limits, options: Options) -> Converted:
    """The file as text with places, by the reader of its kind; Refused by name, also where memory runs out."""
    try:
        if kind == "html":
            from workbench.convert.html_files import convert_html

            return convert_html(raw, limits, options)
        scan(raw, limits)  # before the libraries are loaded: most broken files end here
        try:
            from workbench.convert.pdf import convert_pdf
        except ImportError as error:
            raise refuse("converter_missing", f"{error.name} is not installed") from None
        return convert_pdf(raw, limits, options)
    except MemoryError:
        raise refuse("bomb", "reading it needs more memory than the limit") from None
    except RecursionError:
        raise refuse("too_deep", "it is nested deeper than the limit") from None


def main(told: str, source: BinaryIO, out: BinaryIO) -> None:
    """Read the file from ``source`` as told, and write the answer."""
    from workbench.convert.files import answer

    settings = json.loads(told)
    limits, options = Limits(**settings["limits"]), Options(**settings["options"])
    limit(limits)
    try:
        said = answer(read(source.read(), settings["kind"], limits, options))
    except Refused as refused:
        found = refused.refusal
        said = json.dumps({"refused": {"code": found.code, "message": found.message, "page": found.page}}).encode()
    out.write(said)
    out.flush()


if __name__ == "__main__":
    # A library that prints must not write into the answer.
    with os.fdopen(os.dup(1), "wb") as pipe:
        os.dup2(2, 1)
        main(sys.argv[1], sys.stdin.buffer, pipe)
        pipe.flush()
    os._exit(0)  # nothing of a broken file's objects is torn down, where libraries crash most often
