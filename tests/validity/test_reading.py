# ruff: noqa: E501  (a table of cases, one case a line)
"""Every error of reading a register names file, row and column, and nothing malformed is loaded."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl
import pytest

from tests.validity.folders import DIGEST, FILES, SCOPES, SECTIONS, TOML, changed, with_row, write
from workbench.errors import InputError
from workbench.intervals import UNBOUNDED, Interval
from workbench.validity.register import Register

NOWHERE = 'zone = "Europe/Nowhere"\nday_starts = "06:00"\nskipped_time = "later"\ndoubled_time = "earlier"\n'
REVISION = f"X,f,T,a,en,{DIGEST},desk,2024-01-01"


def jsonl(*rows: dict[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


BROKEN = [
    # what, files, file, row, column, part of the message
    ("toml missing", {"register.toml": None}, None, None, None, "there is no register.toml"),
    ("toml broken", {"register.toml": "name = "}, "register.toml", None, None, "broken TOML"),
    ("toml binary", {"register.toml": b"\xff\xfe\x00"}, "register.toml", None, None, "no UTF-8"),
    ("unknown key", {"register.toml": TOML + "colour = 1\n"}, "register.toml", None, "colour", "unknown key"),
    ("key missing", {"register.toml": TOML.replace('rules = "direct"\n', "")}, "register.toml", None, "rules", "missing"),
    ("rules unknown", {"register.toml": TOML.replace("direct", "newest")}, "register.toml", None, "rules", "cannot"),
    ("time unknown", {"register.toml": TOML.replace("logical", "local")}, "register.toml", None, "time", "cannot"),
    ("flag no bool", {"register.toml": TOML + "whole_documents = 1\n"}, "register.toml", None, "whole_documents", "true"),
    ("stewards a string", changed("register.toml", '["stewards"]', '"stewards"'), "register.toml", None, "stewards", "list"),
    ("owner blank", changed("register.toml", '"desk"', '" "'), "register.toml", None, "owner", "blank"),
    ("history no step", changed("register.toml", "= 0", '= "x"'), "register.toml", None, "history_from", "no logical step"),
    ("zone unknown", {"register.toml": TOML + NOWHERE}, "register.toml", None, "zone", "not known"),
    ("day starts badly", {"register.toml": TOML + 'day_starts = "6 Uhr"\n'}, "register.toml", None, "day_starts", "06:00"),
    ("table missing", {"applicability.csv": None}, None, None, None, "the table applicability is missing"),
    ("two files", {"applicability.jsonl": ""}, None, None, None, "more than once"),
    ("binary table", {"revisions.csv": b"\x00\xff\xfe\x01"}, "revisions.csv", None, None, "no UTF-8"),
    ("binary Parquet", {"revisions.csv": None, "revisions.parquet": b"PAR1nonsense"}, "revisions.parquet", None, None, "Parquet"),
    ("empty file", {"revisions.csv": ""}, "revisions.csv", None, None, "empty"),
    ("unknown column", changed("revisions.csv", "imported_at", "imported"), "revisions.csv", 1, "imported", "unknown column"),
    ("column missing", changed("revisions.csv", ",imported_at", ""), "revisions.csv", 1, "imported_at", "missing"),
    ("column twice", changed("revisions.csv", "owner,", "tenant,"), "revisions.csv", 1, "tenant", "twice"),
    ("row too short", with_row("revisions", "X,f,T"), "revisions.csv", 7, None, "3 cells"),
    ("row too long", with_row("revisions", REVISION + ",x"), "revisions.csv", 7, None, "9 cells"),
    ("quote broken", with_row("revisions", '"X,f,T'), "revisions.csv", 7, None, "broken CSV"),
    ("id empty", with_row("revisions", REVISION[1:]), "revisions.csv", 7, "revision_id", "empty"),
    ("family blank", with_row("revisions", REVISION.replace(",f,", ", ,")), "revisions.csv", 7, "document_family", "blank"),
    ("groups empty", with_row("revisions", REVISION.replace(",a,", ",,")), "revisions.csv", 7, "groups", "empty"),
    ("group nameless", with_row("revisions", REVISION.replace(",a,", ",a;,")), "revisions.csv", 7, "groups", "empty"),
    ("groups no list", with_row("revisions", REVISION.replace(",a,", ",[a,")), "revisions.csv", 7, "groups", "JSON"),
    ("digest short", with_row("revisions", REVISION.replace(DIGEST, "00")), "revisions.csv", 7, "source_digest", "SHA-256"),
    ("digest upper", with_row("revisions", REVISION.replace(DIGEST, "A" * 64)), "revisions.csv", 7, "source_digest", "SHA"),
    ("id twice", with_row("revisions", REVISION, REVISION), "revisions.csv", 8, "revision_id", "row 7"),
    ("id reserved", with_row("revisions", "unknown" + REVISION[1:]), "revisions.csv", 7, "revision_id", "kept for"),
    ("id twice in JSONL", {"revisions.csv": None, "revisions.jsonl": '{"revision_id":"A","revision_id":"B"}\n'},
     "revisions.jsonl", 1, "revision_id", "twice"),
    ("lone surrogate", {"owners.jsonl": '{"document_family":"f","procedure_id":"p","owner":"\\ud800"}\n'},
     "owners.jsonl", 1, "owner", "surrogate"),
    ("broken JSON", {"owners.jsonl": '{"document_family":'}, "owners.jsonl", 1, None, "broken JSON"),
    ("no JSON object", {"owners.jsonl": "[1]\n"}, "owners.jsonl", 1, None, "no JSON object"),
    ("blank line", {"owners.jsonl": "\n"}, "owners.jsonl", 1, None, "broken JSON"),
    ("wrong type", {"owners.jsonl": jsonl({"document_family": "f", "procedure_id": 1, "owner": "x"})},
     "owners.jsonl", 1, "procedure_id", "not int"),
    ("start empty", with_row("applicability", "A,p,C,EU,,10,ok,0,unbounded"), "applicability.csv", 4, "valid_from", "empty"),
    ("end empty", with_row("applicability", "A,p,C,EU,0,,ok,0,unbounded"), "applicability.csv", 4, "valid_to", "empty"),
    ("recorded end empty", with_row("applicability", "A,p,C,EU,0,9,ok,0,"), "applicability.csv", 4, "recorded_to", "empty"),
    ("start unbounded", with_row("applicability", "A,p,C,EU,unbounded,9,ok,0,1"), "applicability.csv", 4, "valid_from", "start"),
    ("interval empty", with_row("applicability", "A,p,C,EU,9,9,ok,0,1"), "applicability.csv", 4, "valid_to", "empty"),
    ("interval inverted", with_row("applicability", "A,p,C,EU,9,8,ok,0,1"), "applicability.csv", 4, "valid_to", "inverted"),
    ("recorded inverted", with_row("applicability", "A,p,C,EU,8,9,ok,1,0"), "applicability.csv", 4, "recorded_to", "inverted"),
    ("step no integer", with_row("applicability", "A,p,C,EU,1.5,9,ok,0,1"), "applicability.csv", 4, "valid_from", "integer"),
    ("scope empty", with_row("applicability", "A,,C,EU,1,9,ok,0,1"), "applicability.csv", 4, "procedure_id", "empty"),
    ("revision unknown", with_row("applicability", "Z,p,C,EU,1,9,ok,0,1"), "applicability.csv", 4, "revision_id", "no such"),
    ("key twice", with_row("applicability", "A,p,C,EU,0,7,no,0,1"), "applicability.csv", 4, "revision_id", "row 2"),
    ("wildcard alone", with_row("applicability", "A,p,*,EU,1,9,ok,0,1"), "applicability.csv", 4, "asset_configuration", "wildcard"),
    ("wildcard of another kind", {**with_row("applicability", "A,p,C,*,1,9,ok,0,1"),
     "scopes.csv": SCOPES + "configuration,C,\n"}, "applicability.csv", 4, "region", "wildcard"),
    ("superseding unknown", with_row("supersessions", "Z,A,p,C,EU,5,9,ok,0,1"), "supersessions.csv", 3, "superseding", "no such"),
    ("unknown superseded", with_row("supersessions", "A,unknown,p,C,EU,5,9,ok,0,1"), "supersessions.csv", 3, "superseded", "no such"),
    ("across tenants", with_row("supersessions", "other-tenant,A,p,C,EU,5,9,ok,0,1"), "supersessions.csv", 3, "superseding", "U/f"),
    ("across families", with_row("supersessions", "other-family,A,p,C,EU,5,9,ok,0,1"), "supersessions.csv", 3, "superseding", "T/g"),
    ("supersession twice", with_row("supersessions", "B,A,p,C,EU,5,8,ok,0,1"), "supersessions.csv", 3, "superseding", "row 2"),
    ("supersession wild", with_row("supersessions", "B,A,p,C,*,5,8,ok,0,1"), "supersessions.csv", 3, "region", "wildcard"),
    ("relation inverted", with_row("supersessions", "B,A,p,C,EU,5,4,ok,0,1"), "supersessions.csv", 3, "effective_to", "inverted"),
    ("revives no truth", {"supersessions.csv": FILES["supersessions.csv"].replace("recorded_to\n", "recorded_to,revives\n")
     .replace("unbounded\n", "unbounded,yes\n")}, "supersessions.csv", 2, "revives", "neither"),
    ("edition unknown", with_row("equivalences", "q2,Z,A,de,ok,0,1"), "equivalences.csv", 3, "edition", "no such"),
    ("original unknown", with_row("equivalences", "q2,A-de,Z,de,ok,0,1"), "equivalences.csv", 3, "of_revision", "no such"),
    ("edition of a tenant", with_row("equivalences", "q2,other-tenant,A,de,ok,0,1"), "equivalences.csv", 3, "edition", "U/f"),
    ("edition of a family", with_row("equivalences", "q2,other-family,A,de,ok,0,1"), "equivalences.csv", 3, "edition", "T/g"),
    ("equivalence twice", with_row("equivalences", "q1,A-de,B,de,ok,0,1"), "equivalences.csv", 3, "equivalence_id", "row 2"),
    ("language empty", with_row("equivalences", "q2,A-de,B,,ok,0,1"), "equivalences.csv", 3, "language", "empty"),
    ("kind of scope", {"scopes.csv": SCOPES + "plant,C,\n"}, "scopes.csv", 2, "kind", "unknown kind"),
    ("wildcard declared", {"scopes.csv": SCOPES + "region,*,\n"}, "scopes.csv", 2, "value", "wildcard"),
    ("scope twice", {"scopes.csv": SCOPES + "region,EU,\nregion,EU,\n"}, "scopes.csv", 3, "value", "row 2"),
    ("section of nothing", {"sections.csv": SECTIONS + "Z,p,0,9\n"}, "sections.csv", 2, "document_id", "no such"),
    ("section inverted", {"sections.csv": SECTIONS + "A,p,9,9\n"}, "sections.csv", 2, "end", "ends at or before"),
    ("section negative", {"sections.csv": SECTIONS + "A,p,-1,9\n"}, "sections.csv", 2, "start", "position"),
    ("sections overlap", {"sections.csv": SECTIONS + "A,q,10,20\nA,p,0,9\nA,p,9,11\n"}, "sections.csv", 4, "start", "row 2"),
    ("sections overlap before", {"sections.csv": SECTIONS + "A,q,0,20\nA,p,19,30\n"}, "sections.csv", 3, "start", "row 2"),
    ("owner twice", {"owners.csv": "document_family,procedure_id,owner\nf,p,x\nf,p,y\n"}, "owners.csv", 3, "procedure_id", "row 2"),
    ("typed time", {"applicability.csv": None, "applicability.jsonl": jsonl(
        {"revision_id": "A", "procedure_id": "p", "asset_configuration": "C", "region": "EU", "valid_from": 0,
         "valid_to": "unbounded", "approval_ref": "", "recorded_from": "0", "recorded_to": "unbounded"})},
     "applicability.jsonl", 1, "valid_from", "valid_from_kind"),
    ("kind contradicts", {"applicability.csv": FILES["applicability.csv"].replace("recorded_to\n", "recorded_to,valid_to_kind\n")
     .replace("0,unbounded\n", "0,unbounded,unbounded\n")}, "applicability.csv", 2, "valid_to_kind", "contradicts"),
    ("kind contradicts the other way", {"applicability.csv": FILES["applicability.csv"]
     .replace("recorded_to\n", "recorded_to,recorded_to_kind\n").replace("0,unbounded\n", "0,unbounded,instant\n")},
     "applicability.csv", 2, "recorded_to_kind", "contradicts"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "file", "row", "column", "said"), [c[1:] for c in BROKEN], ids=[c[0] for c in BROKEN]
)
def test_what_is_malformed_is_refused_by_its_place(
    tmp_path: Path, files: dict[str, str | bytes | None], file: str, row: int, column: str, said: str
) -> None:
    folder = write(tmp_path, files)
    with pytest.raises(InputError) as caught:
        Register.read(folder)
    error = caught.value
    assert (error.file, error.column) == (file or str(folder), column)
    assert row is None or error.row == row
    assert said in str(error)
    assert "\n" not in str(error)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        Register.read(tmp_path / "absent")


def test_the_small_register_itself_is_sound(tmp_path: Path) -> None:
    register = Register.read(write(tmp_path, {}))
    assert (len(register.revisions), len(register.applicability)) == (5, 2)


def test_zero_rows_are_a_register(tmp_path: Path) -> None:
    headers = {name: text.splitlines()[0] + "\n" for name, text in FILES.items() if name.endswith(".csv")}
    register = Register.read(write(tmp_path, dict(headers)))
    assert register.applicability == ()


@pytest.mark.parametrize(
    "text",
    ["2024-05-01T06:00:00", "2024-05-01 06:00", "2024-05-01", "2023-02-29T00:00:00Z", "0000-01-01T00:00Z", "5", "now",
     "2024-05-01T06:00:00.1234567Z", "2024-05-01T25:00Z", "0001-01-01T00:00:00+01:00", "2024-05-01T06:00:00 CET"],
)  # fmt: skip
def test_a_timestamp_without_zone_or_sense_is_refused(tmp_path: Path, text: str) -> None:
    files = with_row("applicability", f"A,p,C,EU,{text},unbounded,ok,0,1")
    files["register.toml"] = TOML.replace('"logical"', '"utc"') + 'recorded_time = "logical"\n'
    rows = [line for line in files["applicability.csv"].splitlines() if not line.endswith("0,unbounded")]
    files["applicability.csv"] = "\n".join(rows) + "\n"
    files["supersessions.csv"] = FILES["supersessions.csv"].splitlines()[0] + "\n"
    with pytest.raises(InputError) as caught:
        Register.read(write(tmp_path, dict(files)))
    assert (caught.value.row, caught.value.column) == (2, "valid_from")


def test_typed_times_are_read_with_their_kind(tmp_path: Path) -> None:
    moment = datetime(2024, 5, 1, 6, tzinfo=UTC)
    frame = pl.DataFrame(
        {
            "revision_id": ["A", "B"],
            "procedure_id": ["p", "p"],
            "asset_configuration": ["C", "C"],
            "region": ["EU", "EU"],
            "valid_from": [moment, moment],
            "valid_from_kind": ["instant", "instant"],
            "valid_to": [moment.replace(year=2025), None],
            "valid_to_kind": ["instant", "unbounded"],
            "approval_ref": [None, "ok"],
            "recorded_from": [0, 1],
            "recorded_from_kind": ["instant", "instant"],
            "recorded_to": ["unbounded", "unbounded"],
        }
    )
    folder = write(
        tmp_path,
        {
            "applicability.csv": None,
            "supersessions.csv": FILES["supersessions.csv"].splitlines()[0] + "\n",
            "register.toml": TOML.replace('"logical"', '"utc"') + 'recorded_time = "logical"\n',
        },
    )
    frame.write_parquet(folder / "applicability.parquet")
    rule = Register.read(folder).settings.valid
    first, second = Register.read(folder).applicability
    assert first.valid == Interval(rule.read(moment), rule.read(moment.replace(year=2025)))
    assert second.valid.end == UNBOUNDED
    assert second.recorded == Interval(1, UNBOUNDED)

    frame.with_columns(valid_from=pl.col("valid_from").dt.replace_time_zone(None)).write_parquet(
        folder / "applicability.parquet"
    )
    with pytest.raises(InputError, match=r"row 1, column valid_from: .*no time zone"):
        Register.read(folder)


def test_a_date_needs_the_registers_rule(tmp_path: Path) -> None:
    day = 'zone = "Europe/Berlin"\nday_starts = "06:00"\nskipped_time = "later"\ndoubled_time = "earlier"\n'
    toml = TOML.replace('"logical"', '"utc"') + 'recorded_time = "logical"\n'
    files = {
        "register.toml": toml + day,
        "applicability.csv": FILES["applicability.csv"].splitlines()[0] + "\nA,p,C,EU,2024-05-01,unbounded,ok,0,1\n",
        "supersessions.csv": FILES["supersessions.csv"].splitlines()[0] + "\n",
    }
    register = Register.read(write(tmp_path, files))
    assert register.settings.valid.public(register.applicability[0].valid.start) == datetime(2024, 5, 1, 4, tzinfo=UTC)
    assert register.settings.valid.read(date(2024, 5, 1)) == register.applicability[0].valid.start
    with pytest.raises(InputError, match=r"row 2, column valid_from: .*zone, day_starts, skipped_time, doubled_time"):
        Register.read(write(tmp_path, {**files, "register.toml": toml}))
    with pytest.raises(InputError, match="state doubled_time"):
        Register.read(write(tmp_path, {**files, "register.toml": toml + day.rsplit("doubled", 1)[0]}))


def test_names_that_no_longer_differ_in_nfc_meet(tmp_path: Path) -> None:
    """Scope values are compared in NFC, so the same key written in two forms is written twice."""
    nfc, nfd = "Pr\u00fcfung", "Pru\u0308fung"
    with pytest.raises(InputError, match="row 4"):
        Register.read(
            write(tmp_path, dict(with_row("applicability", f"A,{nfc},C,EU,0,1,ok,0,1", f"A,{nfd},C,EU,0,2,ok,0,1")))
        )
