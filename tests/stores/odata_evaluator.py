"""A reader and evaluator of exactly the OData forms that the builder writes, and an index in memory that uses it.

It stands for the language's meaning by its reference, not for a service: whether a service reads it so is not shown.
Anything else than these forms is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Test = Callable[[Mapping[str, Any], Any], bool]
TOKEN = re.compile(r"'(?:[^']|'')*'|-?\d+|search\.in|[A-Za-z_]\w*(?:/[A-Za-z_]\w*)*|[(),:]", re.ASCII)


class Malformed(ValueError):
    pass


def evaluate(written: str, document: Mapping[str, Any]) -> bool:
    """Whether the filter holds for the document."""
    return read(written)(document, None)


def read(written: str) -> Test:
    """The filter's meaning."""
    reader = Reader(tokens(written))
    test = reader.conjunction()
    if reader.left:
        raise Malformed(reader.left)
    return test


def tokens(written: str) -> list[str]:
    found, at = [], 0
    while at < len(written):
        if written[at] == " ":
            at += 1
            continue
        match = TOKEN.match(written, at)
        if match is None:
            raise Malformed(written[at:])
        found.append(match[0])
        at = match.end()
    return found


def literal(token: str) -> str | int:
    if token.startswith("'"):
        return token[1:-1].replace("''", "'")
    if not re.fullmatch(r"-?\d+", token) or not -(2**63) <= int(token) < 2**63:
        raise Malformed(token)
    return int(token)


def value(path: str, document: Mapping[str, Any], variable: Any) -> Any:
    if path == "m":
        return variable
    if path.startswith("r/"):
        return variable.get(path[2:])
    return document.get(path)


@dataclass
class Reader:
    left: list[str]

    def take(self, *wanted: str) -> str:
        if not self.left or (wanted and self.left[0] not in wanted):
            raise Malformed(self.left[:3])
        return self.left.pop(0)

    def conjunction(self) -> Test:
        tests, words = [self.one()], set()
        while self.left and self.left[0] in ("and", "or"):
            words.add(self.take())
            tests.append(self.one())
        if len(words) > 1:
            raise Malformed("and beside or without brackets")
        return joined(all if words != {"or"} else any, tests)

    def one(self) -> Test:
        head = self.take()
        if head == "(":
            test = self.conjunction()
            self.take(")")
            return test
        if head == "search.in":
            return self.listed()
        if head.endswith("/any"):
            return self.some(head.removesuffix("/any"))
        return self.compared(head)

    def listed(self) -> Test:
        self.take("(")
        path, _, values, _, delimiter, _ = (self.take() for _ in range(6))
        members = str(literal(values)).split(str(literal(delimiter)))
        return lambda document, variable: value(path, document, variable) in members

    def some(self, array: str) -> Test:
        self.take("(")
        self.take("r", "m")
        self.take(":")
        test = self.conjunction()
        self.take(")")
        return lambda document, _: any(test(document, member) for member in document.get(array) or ())

    def compared(self, path: str) -> Test:
        operator, wanted = self.take("eq", "le", "gt"), literal(self.take())

        def test(document: Mapping[str, Any], variable: Any) -> bool:
            found = value(path, document, variable)
            if type(found) is not type(wanted):
                return False
            return {"eq": found == wanted, "le": found <= wanted, "gt": found > wanted}[operator]

        return test


def joined(how: Callable[[Any], bool], tests: list[Test]) -> Test:
    return lambda document, variable: how(test(document, variable) for test in tests)


@dataclass
class Index:
    """Documents in memory behind the two requests that the engine makes."""

    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    bodies: list[dict[str, Any]] = field(default_factory=list)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        if path == "docs/index":
            return {"value": [self.changed(action) for action in body["value"]]}
        assert path == "docs/search"
        self.bodies.append(body)
        where = read(body["filter"]) if "filter" in body else lambda *_: True
        found = [one for _, one in sorted(self.documents.items()) if where(one, None)]
        if body.get("count"):
            return {"@odata.count": len(found), "value": []}
        if "vectorQueries" in body:
            [nearest] = body["vectorQueries"]
            found = [one | {"@search.score": dot(one["embedding"], nearest["vector"])} for one in found]
            found = sorted(found, key=lambda one: -one["@search.score"])[: nearest["k"]]
        kept = {"@search.score", *body["select"].split(",")}
        return {"value": [{name: one[name] for name in kept & one.keys()} for one in found[: body["top"]]]}

    def changed(self, action: dict[str, Any]) -> dict[str, Any]:
        what, key = action["@search.action"], action["key"]
        if what == "delete":
            self.documents.pop(key, None)
        else:
            self.documents[key] = {name: part for name, part in action.items() if name != "@search.action"}
        return {"key": key, "status": True}


def dot(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
