"""Where German (and plain English) sentences end: after ``.``, ``!``, ``?``, ``…`` or a blank line, with exceptions.

A full stop does not end a sentence after a known abbreviation (``z. B.``, ``Nr.``), after a lone letter (an initial),
or after an ordinal or date (``3. Mai``, ``2. Prüfung``). Rules, no model: one text has the same borders everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

ABBREVIATIONS: Final = frozenset(
    """abb abs allg anh anl anm art aufl bd bsp bspw bzgl bzw ca dgl dipl dr dt ebd einschl engl entspr etc evtl exkl
    ff fig gem ggf ggfs hr hrsg inkl ing inkl insb jh kap lfd lit lt max mech min mind mio mrd nr no num op pos prof
    rd ref resp s sog st std str stk tab tel tgl u überarb usw v verf vgl vs z zt zzgl ziff zyl""".split()
)
"""Words after which a full stop is part of the word; compared in lower case."""

STARTERS: Final = frozenset(
    """aber alle als am an auch auf aus bei bis da dabei dadurch damit danach dann das dem den der des deshalb die dies
    diese dieser dieses durch ein eine einem einen einer eines er erst es für hat ich ihr im in ist jede jeder jedes
    kann kein keine man mit nach nicht nur ob oder ohne sie sind so soll und unter vom von vor während wenn wer wie
    wird wir zu zum zur the a an it this these if when after before then they""".split()
)
"""Words that open a sentence far more often than they follow an ordinal."""

_PARAGRAPH_END: Final = re.compile(r"\n[^\S\n]*\n")
_STOP: Final = re.compile(r"[.!?…]+[\"'“”»«)\]]*(?=\s)")
_LAST_WORD: Final = re.compile(r"[^\W_]+$")
_NEXT_WORD: Final = re.compile(r"\s+[\"'„“»«(\[]*(?P<word>[^\W_]+)?")


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of ``text[start:end]`` as code points ``[start, end)``, without the white space between them.

    >>> text = "Die Welle z. B. am 3. Mai prüfen. Danach 40 Nm (Nr. 5) anziehen! Fertig?"
    >>> [text[a:b] for a, b in sentences(text, 0, len(text))]
    ['Die Welle z. B. am 3. Mai prüfen.', 'Danach 40 Nm (Nr. 5) anziehen!', 'Fertig?']
    """
    borders = {match.start() for match in _PARAGRAPH_END.finditer(text, start, end)}
    borders.update(m.end() for m in _STOP.finditer(text, start, end) if _ends(text, m, start, end))
    begin = start
    for border in (*sorted(borders), end):
        first, last = _stripped(text, begin, border)
        if first < last:
            yield first, last
        begin = border


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _ends(text: str, stop: re.Match[str], start: int, end: int) -> bool:
    if stop[0][0] != "." or stop[0].startswith(".."):
        return True
    # A word before the stop is at most some 40 letters; looking further back would cost time and find nothing.
    before = _LAST_WORD.search(text, max(start, stop.start() - 60), stop.start())
    after = _NEXT_WORD.match(text, stop.end(), end)
    word = before[0].lower() if before else ""
    following = after["word"] if after and after["word"] else ""
    if word in ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
        return False
    if word.isdecimal() and len(word) <= 2 and stop[0] == ".":
        return following.lower() in STARTERS and following[:1].isupper()
    return not following[:1].islower()
