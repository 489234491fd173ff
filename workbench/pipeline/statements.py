"""How a drafted answer falls into statements, marks, quotations and figures; by rule, in German and English text.

The rules err towards more statements: a sentence that is cut in two shows up as one that lacks a citation, while two
taken for one would hide it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_MARK: Final = re.compile(r"\[([0-9A-Za-z][0-9A-Za-z.:-]{0,30}(?:\s*[,;]\s*[0-9A-Za-z][0-9A-Za-z.:-]{0,30})*)\]")
_END: Final = re.compile(r"[.!?…]+[\"'”“’»«)\]]*(?:[ \t]*\[[^\[\]\n]{1,80}\])*(?=\s|$)|\n")
# Full stops that end nothing. Abbreviations that can end a sentence (usw., u. a., etc.) are not among them.
_INNER: Final = re.compile(
    r"(?<!\w)(?i:z\.\s?B|d\.\s?h|e\.\s?g|i\.\s?e|vgl|bzw|ca|evtl|ggf|inkl|zzgl|approx|cf|Dr|Prof)\.(?=\s*\S)"
    r"|(?<!\w)(?:Nr|Abs|Art|Abb|Tab|Fig|Kap|Ziff|No|Pos|Rev|S|max|(?<!\d )min)\.(?=\s*\d)"
    r"|(?<!\S)\d{1,2}\.(?=\s(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)"
)
_QUOTATION: Final = re.compile(r"„([^“”\"]+)[“”\"]|“([^”]+)”|»([^«]+)«|«([^»]+)»|\"([^\"]+)\"")
_UNITS: Final = (
    r"Nm|mNm|kNm|N|kN|mm|cm|µm|m|km|m²|m³|mg|g|kg|t|ml|l|bar|mbar|Pa|kPa|MPa|°C|K|°|%|‰|V|mV|kV|A|mA|W|kW|MW|Hz|kHz|"
    r"s|ms|min|h|d|rpm|dB|l/min|m³/h|m/s|U/min|1/min|mm/s|EUR|€|USD|\$|CHF"
)
_FIGURE: Final = re.compile(rf"(?<![\w.,/-])([+±−-]?\w+(?:[.,:/–-]\w+)*)(?:[ \u00a0\u202f]?({_UNITS})(?![\w/²³]))?")


@dataclass(frozen=True, slots=True)
class Part:
    """One statement: ``draft[start:end] == text``, its marks in order, and its text with the marks blanked out."""

    text: str
    start: int
    end: int
    marks: tuple[str, ...]
    unmarked: str


def parts(draft: str) -> Iterator[Part]:
    """The statements of a draft: sentences and lines that hold a letter, a digit or a mark.

    >>> [(part.text, part.marks) for part in parts("Es gilt z. B. Nr. 5 am 3. Mai [1]. Dann 45 Nm. [2, 3] Ende")]
    [('Es gilt z. B. Nr. 5 am 3. Mai [1].', ('1',)), ('Dann 45 Nm. [2, 3]', ('2', '3')), ('Ende', ())]
    """
    start = 0
    inner = {place for found in _INNER.finditer(draft) for place in range(*found.span())}
    for found in _END.finditer(draft):
        if found.start() in inner:
            continue
        yield from _part(draft, start, found.end())
        start = found.end()
    yield from _part(draft, start, len(draft))


def quotations(text: str) -> tuple[str, ...]:
    """The texts in quotation marks, German, English or French, as they are written.

    >>> quotations('Dort steht „zwei Personen“ und "Freigabe".')
    ('zwei Personen', 'Freigabe')
    """
    found = (next(group for group in one.groups() if group) for one in _QUOTATION.finditer(text))
    return tuple(dict.fromkeys(found))


def figures(text: str) -> tuple[str, ...]:
    """Everything with a digit, as it is written, with its unit: numbers, dates, and names such as ``P-114``.

    Between number and unit stands one plain space, whatever was there, since typesetting changes it.

    >>> figures("45 Nm bei 4,5 bar und −5°C am 2024-05-01 an P-114 (C2), Stufe 3.")
    ('45 Nm', '4,5 bar', '−5 °C', '2024-05-01', 'P-114', 'C2', '3')
    """
    tokens = ((number, unit) for number, unit in _FIGURE.findall(text) if any(c.isnumeric() for c in number))
    return tuple(dict.fromkeys(f"{number} {unit}" if unit else number for number, unit in tokens))


def _part(draft: str, start: int, end: int) -> Iterator[Part]:
    text = draft[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    unmarked = _MARK.sub(" ", text)
    marks = dict.fromkeys(mark.strip() for found in _MARK.finditer(text) for mark in re.split("[,;]", found[1]))
    if marks or any(character.isalnum() for character in unmarked):
        yield Part(text, start, start + len(text), tuple(marks), unmarked)
