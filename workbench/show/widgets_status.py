"""A panel's status line: what it is doing, what it has done, and what went wrong with what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ipywidgets import HTML

from workbench.errors import WorkbenchError
from workbench.show.widgets_writing import problem, status

ASK_AGAIN = "Change what is named and ask again; nothing was answered."
REPORT = "Try again; if it happens again, report it with what you did."


class StatusLine(HTML):  # type: ignore[misc]  # ipywidgets has no types
    """One line above the results. ``words`` is what it says, without markup; ``busy`` while work is under way.

    Controls stay enabled during work: a disabled one loses the keyboard's focus, and the browser holds back further
    moves of a slider until the kernel is done with the last one.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.add_class(name)
        self.add_class("wb-status")
        self.words = ""
        self.busy = False

    def say(self, words: str, *, busy: bool = False, old: bool = False) -> None:
        """Show the words; ``old`` where what stands below answers another question than the one in the controls."""
        self.words, self.busy = words, busy
        self.value = status(words, busy=busy, name="old" if old or busy else "text")

    @contextmanager
    def working(self, words: str, *, failed: Callable[[], None] | None = None) -> Iterator[None]:
        """Say that work is under way; an error that it ends in is shown in the panel.

        ``failed`` then takes away what is on the screen: nothing of an older answer is left below the error.

        What the workbench refuses (WorkbenchError) is shown and ends there. Anything else is shown by its kind alone,
        since its text may hold anything, and raised again for the log.
        """
        self.say(words, busy=True)
        try:
            yield
        except WorkbenchError as error:
            self.fail("This cannot be asked", error, ASK_AGAIN)
            if failed is not None:
                failed()
        except Exception as error:
            self.fail("Something went wrong", type(error).__name__, REPORT)
            if failed is not None:
                failed()
            raise
        self.busy = False

    def fail(self, title: str, reason: object, todo: str) -> None:
        """Show what went wrong and what to do."""
        self.words, self.busy = f"{title}: {reason}", False
        self.value = problem(title, reason, todo)
