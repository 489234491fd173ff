"""What is not imported, and why: each refusal has a name, a sentence, and what to do (contract 2.11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.errors import InputError

REMEDIES: Final = {
    "no_text_layer": "run text recognition (OCR) on it, read the result through, and import that; where single pages "
    "only show drawings, accept them (--pages-without-text)",
    "shifted": "print it to PDF anew from the source, or run text recognition (OCR) on it",
    "mirrored": "print it to PDF anew from the source, or run text recognition (OCR) on it",
    "turned": "split off the turned text, or run text recognition (OCR) on pages turned upright",
    "no_spaces": "print it to PDF anew from the source; or, once you have compared it, accept spaces that are read off "
    "the gaps between letters (--spaces-from-gaps)",
    "unmapped": "print it to PDF anew with its fonts embedded in full, or run text recognition (OCR) on it",
    "lost_letters": "print it to PDF anew from the source, or run text recognition (OCR) on it",
    "hidden_text": "look at the page: print it to PDF anew as it is seen, or run text recognition (OCR) on it",
    "readers_disagree": "print it to PDF anew from the source, or run text recognition (OCR) on it",
    "encrypted": "save a copy without password and without restrictions, if you may",
    "damaged": "get the file again from its source, or open it and save it anew",
    "too_large": "split the file, or raise the limit if you trust its source",
    "too_many_pages": "split the file, or raise the limit if you trust its source",
    "too_many_objects": "do not open it; get it from a source that you trust",
    "too_deep": "do not open it; get it from a source that you trust",
    "bomb": "do not open it; get it from a source that you trust",
    "too_slow": "do not open it; get it from a source that you trust, or split it",
    "crashed": "do not open it; get it from a source that you trust, or save it anew",
    "encoding": "save it as UTF-8",
    "no_text": "check that it is the right file",
    "unsupported": "save it as PDF, HTML, Markdown or plain text",
    "converter_missing": "install the extra: pip install 'workbench[convert]'",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file is not imported: a name from :data:`REMEDIES`, what was seen, where, and what to do."""

    code: str
    message: str
    page: int | None = None

    @property
    def remedy(self) -> str:
        """What to do."""
        return REMEDIES[self.code]

    def __repr__(self) -> str:
        return f"Refusal({self.code}{'' if self.page is None else f', page {self.page}'})"


class Refused(InputError):
    """A file that is not imported; :attr:`refusal` says why.

    >>> print(Refused(Refusal("no_text_layer", "no page has text"), file="scan.pdf"))
    scan.pdf: no_text_layer, no page has text; run text recognition (OCR) on it, ...
    """

    def __init__(self, refusal: Refusal, *, file: str | None = None) -> None:
        self.refusal = refusal
        place = f", page {refusal.page}" if refusal.page is not None else ""
        super().__init__(f"{refusal.code}{place}, {refusal.message}", file=file, remedy=refusal.remedy)


def refuse(code: str, message: str, *, page: int | None = None) -> Refused:
    """The exception for a refusal, to be raised."""
    return Refused(Refusal(code, message, page))
