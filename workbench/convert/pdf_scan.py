"""A look at a PDF's bytes before any library opens it: is it whole, and does it stay within the limits.

Compressed parts are unpacked here with a bound, so that a bomb is met where it can do no harm, and a part that does not
unpack is damage that a tolerant reader would pass over in silence. PDF 1.7 (ISO 32000-1), 7.3.8, 7.4, 7.5.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workbench.convert.limits import Limits
from workbench.convert.refusals import refuse

_OBJECT: Final = re.compile(rb"(?<![0-9])(\d{1,10})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b")
_STREAM: Final = re.compile(rb"\bstream(?:\r\n|\n|\r)")
_LENGTH: Final = re.compile(rb"/Length[ \t\r\n]+(\d{1,12})(?![ \t\r\n]+\d+[ \t\r\n]+R)")
_FILTERS: Final = re.compile(rb"/(?:Filter|F)[ \t\r\n]*(\[[^\]]{0,400}\]|/[A-Za-z0-9]{1,30})")
_COUNT: Final = re.compile(rb"/N[ \t\r\n]+(\d{1,10})")
_NEST: Final = re.compile(rb"<<|>>|\[|\]")
_STARTXREF: Final = re.compile(rb"startxref[ \t\r\n]+(\d{1,15})")
_STEP: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Scan:
    """What the bytes say: how many objects, how much they unpack to, and whether they are encrypted."""

    objects: int
    unpacked: int
    encrypted: bool


def scan(raw: bytes, limits: Limits) -> Scan:
    """Whether the file is whole and within the limits; Refused by name where it is not."""
    if len(raw) > limits.source:
        raise refuse("too_large", f"it has {len(raw)} bytes")
    if b"%PDF-" not in raw[:1024]:
        raise refuse("damaged", "it does not begin as a PDF")
    if b"%%EOF" not in raw[-2048:]:
        raise refuse("damaged", "its end is missing")
    _need_start(raw)
    encrypted = re.search(rb"/Encrypt[ \t\r\n]+(?:\d+[ \t\r\n]+\d+[ \t\r\n]+R|<<)", raw) is not None
    objects = sum(1 for _ in _OBJECT.finditer(raw))
    outside: list[bytes] = []
    last = unpacked = 0
    for start, end, about in _streams(raw):
        outside.append(raw[last:start])
        last = end
        if encrypted:
            continue
        filters = _names(about)
        held, size = _unpack(raw[start:end], filters, limits.unpacked - unpacked)
        unpacked += size
        if b"/ObjStm" in about:
            count = _COUNT.search(about)
            objects += int(count[1]) if count else 0
            outside.append(held)
    outside.append(raw[last:])
    if objects > limits.objects:
        raise refuse("too_many_objects", f"it says to hold {objects} objects")
    _need_shallow(outside, limits)
    return Scan(objects, unpacked, encrypted)


def _need_start(raw: bytes) -> None:
    """The table of objects must be where the file says; a reader that repairs it may leave pages out."""
    found = _STARTXREF.findall(raw[-4096:])
    if not found:
        raise refuse("damaged", "it does not say where its table of objects is")
    shift = raw.find(b"%PDF-")  # places count from the header
    at = int(found[-1])
    for start in (at, at + shift):
        part = raw[start : start + 40].lstrip()
        if part.startswith(b"xref") or _OBJECT.match(part):
            return
    if at != 0:  # a linearized file may say 0 in its first part, never in its last
        raise refuse("damaged", "its table of objects is not where it says")


def _streams(raw: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Start and end of each stream, and the dictionary before it."""
    at = 0
    while (found := _STREAM.search(raw, at)) is not None:
        start = found.end()
        if raw[max(0, found.start() - 3) : found.start()] == b"end":
            at = start
            continue
        begins = max(raw.rfind(b"obj", max(0, found.start() - 20_000), found.start()), 0)
        about = raw[begins : found.start()]
        if not about.rstrip().endswith(b">>"):
            at = start
            continue
        length = _LENGTH.search(about)
        end = start + int(length[1]) if length else -1
        if end < start or not raw[end : end + 20].lstrip().startswith(b"endstream"):
            end = raw.find(b"endstream", start)
            if end < 0:
                raise refuse("damaged", f"a part that begins at byte {start} has no end")
        yield start, end, about
        at = end


def _names(about: bytes) -> list[bytes]:
    found = _FILTERS.search(about)
    return re.findall(rb"/([A-Za-z0-9]+)", found[1]) if found else []


def _unpack(data: bytes, filters: list[bytes], left: int) -> tuple[bytes, int]:
    """The stream's bytes and how much was unpacked on the way; pictures' own codings are left to their reader."""
    size = 0
    for name in filters:
        if name in (b"FlateDecode", b"Fl"):
            data = _inflate(data, left - size)
        elif name in (b"ASCII85Decode", b"A85"):
            try:
                data = base64.a85decode(re.sub(rb"\s", b"", data.rpartition(b"~>")[0] or data))
            except ValueError:
                raise refuse("damaged", "a part of it does not unpack (ASCII85)") from None
        elif name in (b"ASCIIHexDecode", b"AHx"):
            data = bytes.fromhex(re.sub(rb"[^0-9A-Fa-f]", b"", data)[: len(data) // 2 * 2].decode() or "00")
        else:
            break
        size += len(data)
        if size > left:
            raise refuse("bomb", "it unpacks to more than the limit")
    return data, size


def _inflate(data: bytes, left: int) -> bytes:
    engine = zlib.decompressobj()
    made: list[bytes] = []
    size = 0
    try:
        while data and not engine.eof:
            part = engine.decompress(data, _STEP)
            made.append(part)
            size += len(part)
            if size > left:
                raise refuse("bomb", "it unpacks to more than the limit")
            data = engine.unconsumed_tail
    except zlib.error as error:
        raise refuse("damaged", f"a part of it does not unpack ({error})") from None
    if not engine.eof and size:
        raise refuse("damaged", "a part of it ends too early")
    return b"".join(made)


def _need_shallow(parts: list[bytes], limits: Limits) -> None:
    for part in parts:
        depth = 0
        for found in _NEST.finditer(part):
            depth = depth + 1 if found[0] in (b"<<", b"[") else max(0, depth - 1)
            if depth > limits.depth:
                raise refuse("too_deep", f"objects are nested more than {limits.depth} deep")
