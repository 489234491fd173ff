"""The settings of a register, as ``register.toml`` states them (contract 5); nothing unstated is guessed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import Final, Literal

from workbench.contract import group_set
from workbench.errors import InputError
from workbench.validity.instants import DayRule, InstantError, Kind, TimeRule, zone_named

FILE: Final = "register.toml"
DAY_KEYS: Final = ("zone", "day_starts", "skipped_time", "doubled_time")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a register says of itself. ``history_from`` is in recorded time; ``None``: no history is declared."""

    name: str
    valid: TimeRule
    recorded: TimeRule
    rules: Literal["direct", "transitive"]
    rules_version: str = "1"
    history_from: int | None = None
    gaps_reported: bool = False
    whole_documents: bool = False
    source_language_permitted: bool = False
    stewards: frozenset[str] = frozenset()
    owner: str | None = None

    @property
    def rule_set(self) -> str:
        """The name and version that every context carries."""
        return f"{self.rules}/{self.rules_version}"

    def written(self) -> dict[str, object]:
        """The settings as the keys of ``register.toml``, in one order, for digests and for writing them out."""
        days = self.valid.days
        history = None if self.history_from is None else self.recorded.spell(self.history_from)
        found: dict[str, object | None] = {
            "name": self.name,
            "time": self.valid.kind,
            "recorded_time": self.recorded.kind,
            "history_from": history if history is None or self.recorded.kind == "utc" else int(history),
            "zone": days.zone if days else None,
            "day_starts": days.day_starts.isoformat() if days else None,
            "skipped_time": days.skipped_time if days else None,
            "doubled_time": days.doubled_time if days else None,
            "rules": self.rules,
            "rules_version": self.rules_version,
            "gaps": "reported" if self.gaps_reported else "allowed",
            "whole_documents": self.whole_documents,
            "source_language": "permitted" if self.source_language_permitted else "refused",
            "stewards": sorted(self.stewards),
            "owner": self.owner,
        }
        return {key: value for key, value in found.items() if value is not None}


KEYS: Final = (
    *("name", "time", "recorded_time", "history_from", *DAY_KEYS, "rules", "rules_version"),
    *("gaps", "whole_documents", "source_language", "stewards", "owner"),
)


def read_settings(folder: Path) -> Settings:
    """The settings of the register in a folder; raises InputError naming the key."""
    path = folder / FILE
    if not path.is_file():
        raise InputError(f"there is no {FILE}", file=str(folder), remedy="a register is a folder with this file")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text", file=FILE) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"broken TOML: {error}", file=FILE) from None
    return parse_settings(found)


def parse_settings(found: Mapping[str, object]) -> Settings:
    """The settings from the keys and values of ``register.toml``.

    >>> parse_settings({"name": "pump-seal", "time": "logical", "rules": "direct"}).rule_set
    'direct/1'
    """
    for key in found:
        if key not in KEYS:
            raise InputError("unknown key", file=FILE, column=key, remedy=f"known are {', '.join(KEYS)}")
    for key in ("name", "time", "rules"):
        if key not in found:
            raise InputError("the key is missing", file=FILE, column=key, remedy="add it")
    kind = _choice(found, "time", ("logical", "utc"))
    recorded_kind = _choice(found, "recorded_time", ("logical", "utc"), default=kind)
    days, missing = _day_rule(found)
    recorded = TimeRule(_kind(recorded_kind), days, missing)
    return Settings(
        name=_text(found, "name") or "",
        valid=TimeRule(_kind(kind), days, missing),
        recorded=recorded,
        rules="direct" if _choice(found, "rules", ("direct", "transitive")) == "direct" else "transitive",
        rules_version=_text(found, "rules_version") or "1",
        history_from=_history(found, recorded),
        gaps_reported=_choice(found, "gaps", ("allowed", "reported"), default="allowed") == "reported",
        whole_documents=_flag(found, "whole_documents"),
        source_language_permitted=_choice(found, "source_language", ("permitted", "refused"), default="refused")
        == "permitted",
        stewards=_names(found, "stewards"),
        owner=_text(found, "owner"),
    )


def _kind(text: str) -> Kind:
    return "logical" if text == "logical" else "utc"


def _wrong(key: str, value: object, remedy: str) -> InputError:
    return InputError("the value cannot be used", file=FILE, column=key, found=value, remedy=remedy)


def _text(found: Mapping[str, object], key: str) -> str | None:
    value = found.get(key)
    if value is None:
        return None
    if isinstance(value, str) and value.strip():
        return value
    raise _wrong(key, value, "write a text that is not blank")


def _choice(found: Mapping[str, object], key: str, choices: tuple[str, ...], *, default: str | None = None) -> str:
    value = found.get(key, default)
    if isinstance(value, str) and value in choices:
        return value
    raise _wrong(key, value, f"write {' or '.join(choices)}")


def _flag(found: Mapping[str, object], key: str) -> bool:
    value = found.get(key, False)
    if isinstance(value, bool):
        return value
    raise _wrong(key, value, "write true or false")


def _names(found: Mapping[str, object], key: str) -> frozenset[str]:
    value = found.get(key, [])
    if isinstance(value, list) and all(isinstance(name, str) and name.strip() for name in value):
        return group_set(value)
    raise _wrong(key, value, 'write a list of names, like ["redaktion"]')


def _history(found: Mapping[str, object], recorded: TimeRule) -> int | None:
    if "history_from" not in found:
        return None
    try:
        return recorded.read(found["history_from"])
    except InstantError as error:
        raise InputError(str(error), file=FILE, column="history_from") from None


def _day_rule(found: Mapping[str, object]) -> tuple[DayRule | None, tuple[str, ...]]:
    missing = tuple(key for key in DAY_KEYS if key not in found)
    zone = _text(found, "zone")
    starts = found.get("day_starts", time(0))
    if isinstance(starts, str):
        try:
            starts = time.fromisoformat(starts)
        except ValueError:
            raise _wrong("day_starts", starts, "write a local time like 06:00") from None
    if not isinstance(starts, time) or starts.tzinfo is not None:
        raise _wrong("day_starts", starts, "write a local time like 06:00")
    choices = ("earlier", "later", "error")
    skipped = _choice(found, "skipped_time", choices, default="error")
    doubled = _choice(found, "doubled_time", choices, default="error")
    if zone is not None:
        try:
            zone_named(zone)
        except InstantError as error:
            raise InputError(str(error), file=FILE, column="zone") from None
    if zone is None or missing:
        return None, missing
    return DayRule(zone, starts, _chosen(skipped), _chosen(doubled)), ()


def _chosen(text: str) -> Literal["earlier", "later", "error"]:
    return "earlier" if text == "earlier" else "later" if text == "later" else "error"
