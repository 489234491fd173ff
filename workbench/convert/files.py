"""One file as text with places: which reader it needs, and a process of its own for the readers of hostile formats.

A library written in C may hang or crash on a broken file, and a parser may need more memory than there is. So HTML and
PDF are read by a child process with limits on memory and time; whatever happens to it is a refusal by name.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from workbench.convert.limits import Limits, Options
from workbench.convert.places import Converted
from workbench.convert.provenance import decoded, encoded
from workbench.convert.refusals import Refusal, Refused, refuse
from workbench.convert.text_files import convert_markdown, convert_text

KINDS: Final[Mapping[str, str]] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
}
_WITHOUT_PLACES: Final = {
    ".docx": "the pages of a .docx are laid out by whoever opens it, so a citation of it has no stable place",
    ".doc": "the pages of a .doc are laid out by whoever opens it, so a citation of it has no stable place",
    ".odt": "the pages of an .odt are laid out by whoever opens it, so a citation of it has no stable place",
}
_PACKAGE_ROOT: Final = Path(__file__).resolve().parents[2]


def kind_of(name: str) -> str:
    """Which reader a file's ending asks for; Refused where there is none.

    >>> kind_of("Handbuch.PDF")
    'pdf'
    """
    suffix = Path(name).suffix.lower()
    if suffix in _WITHOUT_PLACES:
        raise refuse("unsupported", _WITHOUT_PLACES[suffix])
    if suffix not in KINDS:
        raise refuse("unsupported", f"files that end in {suffix or 'nothing'} are not read")
    return KINDS[suffix]


def convert(raw: bytes, kind: str, *, limits: Limits | None = None, options: Options | None = None) -> Converted:
    """The file's bytes as text with places; Refused by name where they cannot be had.

    ``kind`` is ``text``, ``markdown``, ``html`` or ``pdf``. Nothing is fetched and nothing in the file is run.

    >>> convert(b"Zwei Personen.", "text").text
    'Zwei Personen.'
    """
    limits, options = limits or Limits(), options or Options()
    if len(raw) > limits.source:
        raise refuse("too_large", f"it has {len(raw)} bytes")
    if kind == "text":
        return convert_text(raw, limits)
    if kind == "markdown":
        return convert_markdown(raw, limits)
    return _in_a_child(raw, kind, limits, options)


def _in_a_child(raw: bytes, kind: str, limits: Limits, options: Options) -> Converted:
    told = json.dumps({"kind": kind, "limits": asdict(limits), "options": asdict(options)})
    path = os.pathsep.join(filter(None, [str(_PACKAGE_ROOT), os.environ.get("PYTHONPATH", "")]))
    command = [sys.executable, "-W", "ignore", "-m", "workbench.convert.child", told]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as child:
        try:
            said, _ = child.communicate(raw, timeout=limits.seconds)
        except subprocess.TimeoutExpired:
            raise refuse("too_slow", f"reading it takes more than {limits.seconds} s") from None
        finally:
            child.kill()  # also where the caller is interrupted; one that has ended is not met any more
    return _answer(said, child.returncode)


def _answer(said: bytes, status: int) -> Converted:
    try:
        answer = json.loads(said) if status == 0 else {}
    except ValueError:
        answer = {}
    if "converted" in answer:
        return decoded(answer["converted"])
    if "refused" in answer:
        found = answer["refused"]
        raise Refused(Refusal(found["code"], found["message"], found["page"]))
    if status < 0 and -status == getattr(signal, "SIGXCPU", 0):
        raise refuse("too_slow", "reading it takes more time than the limit")
    raise refuse("crashed", f"its reader broke off (status {status})")


def answer(converted: Converted) -> bytes:
    """What the child says when it has read the file."""
    return json.dumps({"converted": encoded(converted)}, ensure_ascii=True).encode("ascii")
