"""A program that corrects the register in a folder: the tests kill it and race it.

``count FOLDER`` prints how many lines of code a correction runs; ``kill FOLDER N`` dies by SIGKILL before the Nth;
``race FOLDER WHO`` reads the register, says so, waits for a line on its input, and corrects.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from workbench.errors import ChangedMeanwhile
from workbench.validity import corrections, register_rewriting
from workbench.validity.corrections import Correction
from workbench.validity.register import Register

FILES = {corrections.__file__, register_rewriting.__file__}


def correction(who: str) -> Correction:
    """A's row ends at 7 instead of 10."""
    return Correction(table="applicability", row=2, values={"valid_to": "7"}, by=who, why="measured anew", recorded=20)


def traced(folder: str, deadly: int) -> int:
    """How many lines a correction ran; at the deadly one the process ends there."""
    lines = 0

    def trace(frame: FrameType, event: str, _argument: object) -> object:
        nonlocal lines
        if frame.f_code.co_filename not in FILES:
            return None
        if event == "line":
            lines += 1
            if lines == deadly:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    try:
        corrections.correct(folder, correction("traced"))
    finally:
        sys.settrace(None)
    return lines


def race(folder: str, who: str) -> str:
    """Corrects what was read before the start was given."""
    register = Register.read(folder)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    try:
        register.correct(folder, correction(who))
    except ChangedMeanwhile as error:
        return f"ChangedMeanwhile: {error}"
    return "written"


if __name__ == "__main__":
    job, where, *rest = sys.argv[1:]
    said = race(where, rest[0]) if job == "race" else str(traced(where, int(rest[0]) if rest else 0))
    sys.stdout.write(said + "\n")
