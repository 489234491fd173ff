"""Manifests as W3C Web Annotations, for tools that know nothing of this one (contract 4.5).

Web Annotation Data Model (W3C Recommendation, 23 February 2017): a ``TextQuoteSelector`` (4.2.4) with the verbatim
quote and what stands around it, and a ``TextPositionSelector`` (4.2.5), both in Unicode code points, never in units
of UTF-16. The source is named by its digest (RFC 6920), and everything else of the manifest is the annotation's body.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from workbench.contract import Actor, Citation
from workbench.errors import EvidenceError
from workbench.evidence.citations import resolve_citation
from workbench.evidence.corpus import Corpus
from workbench.intervals import Interval
from workbench.pipeline.manifest import Manifest, ManifestError

CONTEXT: Final = "http://www.w3.org/ns/anno.jsonld"
NOT_STANDING: Final = "This citation does not stand in what the actor may read; there is nothing to annotate."
AROUND: Final = 32
_SELECTED: Final = ("quote", "start", "end")
_SHA256: Final = re.compile("[0-9a-f]{64}")


def to_annotation(manifest: Manifest, actor: Actor, corpus: Corpus, *, around: int = AROUND) -> dict[str, object]:
    """The manifest as a Web Annotation (JSON-LD values) of the text as it stands in the corpus.

    ``around`` is how many code points before and after the quote are given as prefix and suffix. They never reach
    beyond the part of the document that was searched: what stands next to it may be a replaced instruction. Raises
    EvidenceError where the citation does not resolve for this actor today.
    """
    citation = manifest.citation
    verdict = resolve_citation(actor, citation, corpus)
    if not verdict.ok:
        raise EvidenceError(NOT_STANDING)
    label = manifest.label_after(verdict)
    body = {key: value for key, value in manifest.mapping().items() if key not in _SELECTED}
    position = {"type": "TextPositionSelector", "start": citation.start, "end": citation.end}
    quote = {"type": "TextQuoteSelector", "exact": citation.quote, **_surroundings(citation, corpus, around)}
    return {
        "@context": CONTEXT,
        "id": _named(manifest.digest()),
        "type": "Annotation",
        "motivation": "identifying",
        "body": [
            {"type": "TextualBody", "purpose": "tagging", "format": "text/plain", "value": label},
            {"type": "TextualBody", "purpose": "describing", "format": "application/json", "value": _canonical(body)},
        ],
        "target": {
            "type": "SpecificResource",
            "source": _named(citation.content_sha256),
            "selector": [position, quote],
        },
    }


def from_annotation(annotation: object) -> Manifest:
    """The manifest that an annotation of :func:`to_annotation` stands for, equal to the one that it was made from.

    Quote and offsets are the selectors'. Raises ManifestError where a part is missing or contradicts another; whether
    the manifest holds is for :func:`~workbench.pipeline.verify.verify` to say.
    """
    whole = _object(annotation, "the annotation")
    if whole.get("type") != "Annotation":
        raise ManifestError("type: Annotation is wanted")
    target = _object(whole.get("target"), "target")
    position = _selector(target, "TextPositionSelector")
    quote = _selector(target, "TextQuoteSelector")
    found = {**_body(whole), "quote": quote.get("exact"), "start": position.get("start"), "end": position.get("end")}
    manifest = Manifest.of(found)
    citation = manifest.citation
    if (citation.end or 0) - (citation.start or 0) != len(citation.quote):
        raise ManifestError("selector: the quote is not as long as its position; offsets are code points, not UTF-16")
    if target.get("source") != _named(citation.content_sha256):
        raise ManifestError("target: the source is not the document of the body")
    return manifest


def _surroundings(citation: Citation, corpus: Corpus, around: int) -> dict[str, str]:
    document = corpus.get(citation.document_id)
    start, end = citation.start, citation.end
    if document is None or start is None or end is None:
        return {}
    if corpus.fingerprint(document.id) != citation.content_sha256:
        return {}  # the archived text holds the quote; today's text is no surrounding of it
    passage = Interval(start, end)
    parts = citation.within or (Interval(0, len(document.text)),)
    part = next(part for part in parts if part.covers(passage))
    return {
        "prefix": document.text[max(part.start, start - around) : start],
        "suffix": document.text[end : min(part.end, end + around)],
    }


def _named(sha256: str) -> str:
    """The name of content by its digest: RFC 6920's ``ni`` URI."""
    if not _SHA256.fullmatch(sha256):
        raise ManifestError("content_sha256: a SHA-256 in lower-case hex is wanted")
    code = base64.urlsafe_b64encode(bytes.fromhex(sha256)).rstrip(b"=").decode("ascii")
    return f"ni:///sha-256;{code}"


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _object(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ManifestError(f"{name}: a JSON object is wanted")
    return value


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value]


def _selector(target: Mapping[str, object], kind: str) -> Mapping[str, object]:
    found = [one for one in _listed(target.get("selector")) if isinstance(one, Mapping) and one.get("type") == kind]
    if len(found) != 1:
        raise ManifestError(f"target: exactly one {kind} is wanted")
    return found[0]


def _body(whole: Mapping[str, object]) -> dict[str, object]:
    """The manifest's other fields, out of the one JSON body."""
    bodies = [one for one in _listed(whole.get("body")) if isinstance(one, Mapping)]
    texts = [one.get("value") for one in bodies if one.get("format") == "application/json"]
    if len(texts) != 1 or not isinstance(texts[0], str):
        raise ManifestError("body: one JSON body is wanted")
    try:
        found = json.loads(texts[0])
    except (ValueError, RecursionError):
        raise ManifestError("body: this is no JSON") from None
    kept = dict(_object(found, "body"))
    for key in _SELECTED:
        if key in kept:
            raise ManifestError(f"body: {key} is the selectors' to say")
    return kept
