"""How the validity panel writes: the "why not" table, the timeline's words, and what to do about a refusal."""

from __future__ import annotations

from typing import Any, Final

from workbench.contract import Decision, Status
from workbench.show.tables_bars import DECIDES
from workbench.show.tables_timeline import Frame
from workbench.show.widgets_writing import boxed, line, safe, table

MEANS: Final = {
    "DECIDES": "decides",
    "RIVAL": "a rival: approved too, without precedence",
    "NO_EDITION": "decides, but has no reviewed edition in this language",
    "GIVEN_EARLIER": "given earlier, not at this time",
    "GIVEN_LATER": "given later, not at this time",
    "OTHER_SCOPE": "for another configuration or region",
    "NOT_SAID_THEN": "not on record as known then",
    "CORRECTED": "corrected since; this row is closed",
    "NOT_YET_VALID": "not yet valid",
    "ENDED": "ended",
    "SUCCESSOR_UNKNOWN": "its successor is known to exist, but not recorded",
}
HEADS: Final = {
    "revision_id": "revision",
    "verdict": "at this time",
    "interval": "from, until",
    "configuration": "configuration",
    "region": "region",
    "approval_ref": "approval",
    "row": "row",
}
NOBODY: Final = "No revision is ever given for this scope."
NOT_ASKED: Final = "Nothing was looked for: the scope is not complete."
HERE: Final = {
    Status.UNAVAILABLE: "move the sliders, choose another scope, or ask the stewards of the register.",
    Status.NO_EQUIVALENT_EDITION: "choose another language above.",
    Status.HISTORY_UNAVAILABLE: "move “known at” to its right end: the register as corrected today.",
}


def why_table(rows: Frame, *, protected: bool, reason: str | None, asked: bool = True) -> str:
    """The frame of ``tables.why_not`` as HTML; ``reason`` is the protected one, for whoever may see it."""
    names = [name for name in HEADS if protected or name in ("revision_id", "verdict", "interval")]
    shown = [[_said(name, row[name]) for name in names] for row in rows.iter_rows(named=True)]
    who = "as the record says (protected)" if protected else "as you are told"
    made = table(f"Why, and why not: {who}", [HEADS[name] for name in names], shown) if shown else ""
    told = f"<p style='margin:0'>Reason (protected): {safe(reason)}</p>" if reason else ""
    empty = safe(NOBODY if asked else NOT_ASKED)
    return f'<div role="group" aria-label="Why not" style="{boxed("text")}">{told}{made or empty}</div>'


def _said(name: str, value: object) -> object:
    if name != "verdict":
        return value
    verdict, _, by = str(value).partition(" ")
    return f"superseded by {by}" if verdict == "SUPERSEDED_BY" else MEANS.get(str(value), value)


def in_words(frame: Frame, decision: Decision) -> str:
    """What the picture of a timeline shows, for whoever cannot see it: what decides when, and where the cursor is."""
    bars = (row for row in frame.iter_rows(named=True) if row["lane"] == DECIDES)
    return line(f"Timeline. {'; '.join(_bar(bar) for bar in bars)}. The cursor: {decision!r}")


def _bar(bar: dict[str, Any]) -> str:
    start = "always" if bar["start"] is None else bar["start"]
    return f"{bar['label']} from {start} until {'unbounded' if bar['end'] is None else bar['end']}"


def here(decision: Decision) -> str:
    """What to do about a refusal in the panel.

    >>> here(Decision(Status.UNRESOLVED_AUTHORITY, rivals=("a", "b"), owner="Redaktion"))
    'this conflict is owned by Redaktion; ask there which of a, b applies, and use none of them until then.'
    """
    if decision.status is Status.MISSING_SCOPE:
        return f"choose {', '.join(decision.missing)} above."
    if decision.status is Status.UNRESOLVED_AUTHORITY:
        owner = decision.owner or "nobody yet (the register states no owner)"
        rivals = ", ".join(decision.rivals)
        return (
            f"this conflict is owned by {owner}; ask there which of {rivals} applies, and use none of them until then."
        )
    return HERE.get(decision.status, "")
