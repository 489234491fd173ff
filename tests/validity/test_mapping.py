"""Mappings: what they may say, what their SQL can reach, and that a bad one leaves nothing behind."""

import csv
import json
import re
import shlex
import tomllib
from pathlib import Path

import polars as pl
import pytest

from workbench.cli import main
from workbench.contract import OPERATOR, Actor, Request, Scope, Status
from workbench.errors import InputError
from workbench.validity.mapping import map_register
from workbench.validity.mapping_file import parse_mapping, read_mapping, written_settings
from workbench.validity.register import Register
from workbench.validity.settings import parse_settings

MAPPING = '''
[register]
name = "plants"
time = "logical"
history_from = 7
rules = "direct"
whole_documents = true

[constants]
tenant = "werk-nord"

[sources]
plants = "plants.csv"

[views]
numbered = """SELECT *, plant || '-' || since AS id FROM plants"""

[tables.revisions]
select = """
SELECT id AS revision_id, plant AS document_family, getvariable('tenant') AS tenant, 'reader' AS groups,
    'de' AS source_language, sha256(id) AS source_digest, NULL AS owner, NULL AS imported_at
FROM numbered
"""

[tables.applicability]
select = """
SELECT id AS revision_id, 'start' AS procedure_id, 'C1' AS asset_configuration, 'EU' AS region,
    since AS valid_from, coalesce(until, 'unbounded') AS valid_to, 'FG-' || id AS approval_ref,
    getvariable('history_from') AS recorded_from, 'unbounded' AS recorded_to
FROM numbered WHERE until IS NULL OR CAST(since AS INTEGER) < CAST(until AS INTEGER)
"""

[rejected]
select = """
SELECT id AS revision_id, since, until, 'empty' AS reason FROM numbered
WHERE until IS NOT NULL AND CAST(since AS INTEGER) >= CAST(until AS INTEGER)
"""
'''
PLANTS = "plant,since,until\nP2,3,9\nP1,0,5\nP1,5,\nP3,4,4\n"
READER = Actor("werk-nord", {"reader"})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "plants.csv").write_text(PLANTS, encoding="utf-8")
    return folder


def declare(folder: Path, text: str = MAPPING) -> Path:
    path = folder / "plants.toml"
    path.write_text(text, encoding="utf-8")
    return path


def changed(folder: Path, old: str, new: str) -> Path:
    assert old in MAPPING, old
    return declare(folder, MAPPING.replace(old, new))


def refusal(mapping: Path, source: Path) -> str:
    """What is said when the mapping is refused; nothing may be left behind."""
    to = mapping.parent / "register"
    with pytest.raises(InputError) as caught:
        map_register(mapping, source, to)
    assert not to.exists()
    assert [path.name for path in mapping.parent.iterdir() if path.name.startswith(".")] == []
    assert "\n" not in str(caught.value)
    return str(caught.value)


def resolved(register: Register, family: str, at: int) -> object:
    decision = register.resolve(Request(Scope(family, "start", "C1", "EU"), at=at), READER)
    return decision.revision_id or decision.status


def test_a_mapping_makes_a_register_that_answers(tmp_path: Path, source: Path) -> None:
    to = tmp_path / "new" / "register"
    counts = map_register(declare(tmp_path), source, to)
    assert counts == {"revisions": 4, "applicability": 3, "supersessions": 0, "equivalences": 0, "rejected": 1}
    assert sorted(path.name for path in to.iterdir()) == [
        *(
            "applicability.csv",
            "equivalences.csv",
            "register.toml",
            "rejected.csv",
            "revisions.csv",
            "supersessions.csv",
        )
    ]
    register = Register.read(to)
    assert [resolved(register, "P1", t) for t in (-1, 0, 4, 5)] == [Status.UNAVAILABLE, "P1-0", "P1-0", "P1-5"]
    assert (to / "rejected.csv").read_text() == "revision_id,since,until,reason\nP3-4,4,4,empty\n"


def test_the_same_sources_give_the_same_bytes_in_any_order(tmp_path: Path, source: Path) -> None:
    def made(name: str) -> dict[str, bytes]:
        map_register(declare(tmp_path), source, tmp_path / name)
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    before = made("one")
    header, *rows = PLANTS.splitlines()
    (source / "plants.csv").write_text("\n".join([header, *reversed(rows)]), encoding="utf-8")
    assert made("two") == before
    assert before["applicability.csv"].splitlines()[1].startswith(b"P1-0,")


def test_parquet_where_the_mapping_asks_for_it(tmp_path: Path, source: Path) -> None:
    mapping = changed(tmp_path, "[tables.applicability]\n", '[tables.applicability]\nformat = "parquet"\n')
    map_register(mapping, source, tmp_path / "register")
    frame = pl.read_parquet(tmp_path / "register" / "applicability.parquet")
    assert frame["valid_to"].to_list() == ["5", "unbounded", "9"]
    assert set(frame.dtypes) == {pl.String}
    assert resolved(Register.read(tmp_path / "register"), "P1", 5) == "P1-5"


def test_sources_of_all_three_kinds_are_read_as_they_are_written(tmp_path: Path, source: Path) -> None:
    (source / "plants.csv").unlink()
    rows = [line.split(",") for line in PLANTS.splitlines()]
    frame = pl.DataFrame([dict(zip(rows[0], (c or None for c in row), strict=True)) for row in rows[1:]])
    frame.write_parquet(source / "plants.parquet")
    frame.write_ndjson(source / "plants.jsonl")
    frame.write_csv(source / "plants.csv")
    made = []
    for kind in ("csv", "jsonl", "parquet"):
        map_register(changed(tmp_path, "plants.csv", f"plants.{kind}"), source, tmp_path / kind)
        made.append((tmp_path / kind / "applicability.csv").read_bytes())
    assert made[0] == made[1] == made[2]


def test_a_csv_source_stays_text(tmp_path: Path, source: Path) -> None:
    (source / "plants.csv").write_text("plant,since,until\n007,0,\n", encoding="utf-8")
    map_register(declare(tmp_path), source, tmp_path / "register")
    assert resolved(Register.read(tmp_path / "register"), "007", 0) == "007-0"


@pytest.mark.parametrize("folder", ["a*", "a?", "[a]", "it's", 'a "b"', "a;b"])
def test_a_source_folder_is_a_name_and_no_pattern(folder: str, tmp_path: Path) -> None:
    here = tmp_path / folder
    here.mkdir()
    (here / "plants.csv").write_text("plant,since,until\nP1,0,\n", encoding="utf-8")
    (tmp_path / "ab").mkdir(exist_ok=True)
    (tmp_path / "ab" / "plants.csv").write_text("plant,since,until\nP9,0,\n", encoding="utf-8")
    assert map_register(declare(tmp_path), here, tmp_path / "register")["revisions"] == 1
    assert resolved(Register.read(tmp_path / "register"), "P1", 0) == "P1-0"


def test_cells_are_spelt_as_tables_want_them(tmp_path: Path, source: Path) -> None:
    mapping = tmp_path / "spelt.toml"
    text = MAPPING.replace(
        'time = "logical"\nhistory_from = 7', 'time = "utc"\nhistory_from = 2024-01-01T00:00:00+01:00'
    )
    text = text.replace("'reader' AS groups", "['wartung', 'reader'] AS groups")
    text = text.replace("since AS valid_from", "TIMESTAMPTZ '2024-05-01 02:00:00.5+02' AS valid_from")
    text = text.replace("coalesce(until, 'unbounded') AS valid_to", "'unbounded' AS valid_to")
    mapping.write_text(text, encoding="utf-8")
    map_register(mapping, source, tmp_path / "register")
    with (tmp_path / "register" / "applicability.csv").open(newline="") as file:
        row = next(csv.DictReader(file))
    assert (row["valid_from"], row["recorded_from"]) == ("2024-05-01T00:00:00.500000Z", "2023-12-31T23:00:00Z")
    assert ",wartung;reader," in (tmp_path / "register" / "revisions.csv").read_text()
    assert Register.read(tmp_path / "register").settings.history_from == 1_704_063_600_000_000


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("sha256(id)", "CAST(random () AS VARCHAR)", "[tables.revisions]: random answers differently each time"),
        ("sha256(id)", "strftime(current_date, '%Y')", "current_date answers differently"),
        ("sha256(id)", "strftime(\"now\"/**/(), '%Y')", "now answers differently"),
        ("FROM numbered\n", "FROM numbered USING SAMPLE 1\n", "USING SAMPLE answers differently"),
        ("getvariable('tenant')", "getvariable('tennant')", "no such constant is written down (found 'tennant')"),
        ('tenant = "werk-nord"', 'tenant = "werk-nord"\nregion = "EU"', "[constants], region: no SELECT uses it"),
        (
            'tenant = "werk-nord"',
            'tenant = "werk-nord"\nname = "x"',
            "[constants], name: [register] states this already",
        ),
        ("[constants]", "[constant]", "constant: unknown section"),
        ("[tables.applicability]", "[tables.applicabilty]", "[tables.applicabilty]: unknown table"),
        ("[tables.applicability]", "[tables.scopes]", "[tables.applicability]: the section is missing"),
        ("'de' AS source_language", "'de' AS sprache", "[tables.revisions]: unknown column (found 'sprache')"),
        ("'de' AS source_language,", "", "[tables.revisions]: the column source_language is missing"),
        ("'de' AS source_language", "'de' AS owner", "[tables.revisions]: the column is there twice (found 'owner')"),
        ("FROM numbered\n", "FROM nowhere\n", "[tables.revisions]: DuckDB refuses this: Catalog Error"),
        ("FROM numbered\n", "FROM numbered WHERE (\n", "[tables.revisions]: DuckDB cannot read this: Parser Error"),
        ("FROM numbered\n", "FROM numbered; SELECT 1\n", "[tables.revisions]: this is not one SELECT"),
        (
            "SELECT *, plant || '-'",
            "CREATE TABLE x AS SELECT *, plant || '-'",
            "[views], numbered: this is not one SELECT",
        ),
        ("'empty' AS reason", "'' AS reason", "[rejected], column reason: a reason is missing"),
        ("'empty' AS reason", "'empty' AS why", "[rejected], column reason: a reason is missing"),
        ('time = "logical"', 'time = "lunar"', "[register], time: the value cannot be used (found 'lunar')"),
        (
            'plants = "plants.csv"',
            'plants = "plants.xlsx"',
            "[sources], plants: a .csv, .jsonl or .parquet file is wanted",
        ),
        (
            'plants = "plants.csv"',
            'plants = "gone.csv"',
            "there is no such file in the source folder (found 'gone.csv')",
        ),
        ('plants = "plants.csv"', 'plants = "../plants.csv"', "the file lies outside the source folder"),
        ('plants = "plants.csv"', 'plants = "/etc/x.csv"', "the file lies outside the source folder"),
        ("since AS valid_from", "NULL AS valid_from", "applicability.csv, row 2, column valid_from: the cell is empty"),
        ("coalesce(until, 'unbounded')", "since", "column valid_to: the interval [0,0) is empty"),
        ("'FG-' || id AS approval_ref", "1.5 AS approval_ref", "column approval_ref: Decimal has no spelling"),
        ("'FG-' || id AS", "TIMESTAMP '2024-05-01' AS", "column approval_ref: a time without zone"),
        ("'reader' AS groups", "['a;b'] AS groups", "a name in the list holds the separator ;"),
        ("rules =", "rules", "broken TOML"),
    ],
)
def test_a_wrong_mapping_is_refused_by_name_and_place(
    old: str, new: str, said: str, tmp_path: Path, source: Path
) -> None:
    found = refusal(changed(tmp_path, old, new), source)
    assert found.startswith("plants.toml")
    assert said in found


@pytest.mark.parametrize(
    "broken",
    [
        {"tables": 3},
        {"tables": {"revisions": "SELECT 1", "applicability": {"select": "SELECT 1"}}},
        {"tables": {"revisions": {"select": ""}, "applicability": {"select": "SELECT 1"}}},
        {"tables": {"revisions": {"select": "SELECT 1", "format": "xlsx"}, "applicability": {"select": "SELECT 1"}}},
        {"tables": {"revisions": {"select": "SELECT 1", "sql": "x"}, "applicability": {"select": "SELECT 1"}}},
        {"rejected": 3},
        {"rejected": {"select": "SELECT 1", "format": "parquet"}},
        {"quarantine": 3},
        {"quarantine": [3]},
        {"quarantine": [{"where": {"revision_id": 3}, "reason": "x"}]},
        {"quarantine": [{"where": {"revision_id": "x"}, "reason": "x", "effective_from": 3}]},
        {"views": {"v": 3}},
        {"views": {"a b": "SELECT 1"}},
        {"views": {"plants": "SELECT 1"}, "sources": {"plants": "plants.csv"}},
        {"sources": {"plants": 3}},
        {"sources": {'a"; DROP TABLE b': "plants.csv"}},
        {"constants": {"x": {}}},
        {"constants": {"x": []}},
        {"constants": {"x": [1]}},
        {"constants": {"Grüße": "x"}},
        {"register": {}},
        {"register": {"name": "x", "time": "logical", "rules": "direct", "rule": 1}},
        {"registers": {}},
    ],
)
def test_a_mapping_of_another_shape_is_refused(broken: dict[str, object]) -> None:
    whole = {
        "register": {"name": "x", "time": "logical", "rules": "direct"},
        "tables": {"revisions": {"select": "SELECT 1"}, "applicability": {"select": "SELECT 1"}},
    }
    assert parse_mapping("m.toml", whole).file == "m.toml"
    with pytest.raises(InputError, match=r"^m\.toml, "):
        parse_mapping("m.toml", {**whole, **broken})


def test_a_text_may_hold_the_words_that_no_sql_may_call(tmp_path: Path, source: Path) -> None:
    mapping = changed(
        tmp_path, "'empty' AS reason", "'ends now() -- or random()' AS reason /* not now() */ -- nor now()\n"
    )
    map_register(mapping, source, tmp_path / "register")
    assert "ends now() -- or random()" in (tmp_path / "register" / "rejected.csv").read_text()


def test_columns_stand_in_the_contracts_order_and_rejected_rows_in_their_own(tmp_path: Path, source: Path) -> None:
    (source / "plants.csv").write_text("plant,since,until\nP9,2,1\nP5,4,4\nP7,3,3\n", encoding="utf-8")
    text = MAPPING.replace("id AS revision_id, 'start' AS procedure_id,", "'start' AS procedure_id, id AS revision_id,")
    text = text.replace(
        "FROM numbered\nWHERE until IS NOT NULL", "FROM (FROM numbered ORDER BY plant DESC)\nWHERE until IS NOT NULL"
    )
    map_register(declare(tmp_path, text), source, tmp_path / "register")
    assert (tmp_path / "register" / "applicability.csv").read_text().startswith("revision_id,procedure_id,")
    rows = (tmp_path / "register" / "rejected.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["P5-4", "P7-3", "P9-2"]


def test_times_are_written_out_in_utc_wherever_the_machine_stands(tmp_path: Path, source: Path) -> None:
    written = "strftime(TIMESTAMPTZ '2024-05-01 02:00:00+02', '%Y-%m-%dT%H:%M:%SZ') AS approval_ref"
    map_register(changed(tmp_path, "'FG-' || id AS approval_ref", written), source, tmp_path / "register")
    assert ",2024-05-01T00:00:00Z," in (tmp_path / "register" / "applicability.csv").read_text()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, source: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="the register cannot be written here"):
        map_register(declare(tmp_path), source, tmp_path / "file" / "register")


@pytest.mark.parametrize(
    "reach",
    [
        "read_csv('{path}')",
        "'{path}'",
        "read_text('{path}')",
        "glob('{folder}/*')",
    ],
)
def test_the_sql_reaches_its_sources_and_nothing_else(reach: str, tmp_path: Path, source: Path) -> None:
    """Not even a file beside the declared ones, whose name it knows."""
    (source / "other.csv").write_text("a\n1\n", encoding="utf-8")
    sql = reach.format(path=source / "other.csv", folder=source)
    found = refusal(changed(tmp_path, "FROM numbered\n", f"FROM numbered, {sql}\n"), source)
    assert "[tables.revisions]: DuckDB refuses this" in found


def test_a_source_that_leads_out_of_its_folder_is_refused(tmp_path: Path, source: Path) -> None:
    (source / "plants.csv").rename(tmp_path / "elsewhere.csv")
    (source / "plants.csv").symlink_to(tmp_path / "elsewhere.csv")
    assert "the file lies outside the source folder" in refusal(declare(tmp_path), source)


def test_a_register_is_never_overwritten(tmp_path: Path, source: Path) -> None:
    to = tmp_path / "register"
    map_register(declare(tmp_path), source, to)
    before = (to / "applicability.csv").read_bytes()
    (source / "plants.csv").write_text("plant,since,until\nP7,0,\n", encoding="utf-8")
    with pytest.raises(InputError, match="never overwritten"):
        map_register(declare(tmp_path), source, to)
    assert (to / "applicability.csv").read_bytes() == before


def test_missing_files_are_named(tmp_path: Path, source: Path) -> None:
    assert "there is no such mapping" in refusal(tmp_path / "none.toml", source)
    assert "there is no such folder" in refusal(declare(tmp_path), tmp_path / "none")
    (tmp_path / "plants.toml").write_bytes(b"\xff\xfe")
    assert "no UTF-8" in refusal(tmp_path / "plants.toml", source)
    declare(tmp_path)
    (source / "plants.csv").write_bytes(b"plant,since,until\n\xff,0,\n")
    assert "plants.csv cannot be read" in refusal(tmp_path / "plants.toml", source)


# --- rows taken out by name ----------------------------------------------------------------------------------------

QUARANTINE = """
[[quarantine]]
where = { revision_id = "P1-5" }
reason = "the approval could not be found"
"""


def test_a_quarantined_row_gives_its_scope_an_unknown_successor(tmp_path: Path, source: Path) -> None:
    to = tmp_path / "register"
    counts = map_register(declare(tmp_path, MAPPING + QUARANTINE), source, to)
    assert counts == {"revisions": 4, "applicability": 2, "supersessions": 1, "equivalences": 0, "rejected": 2}
    register = Register.read(to)
    assert [resolved(register, "P1", t) for t in (4, 5, 100)] == ["P1-0", Status.UNAVAILABLE, Status.UNAVAILABLE]
    steward = register.explain(Request(Scope("P1", "start", "C1", "EU"), at=5), READER, reader=OPERATOR)
    assert steward.reason == "SUCCESSOR_UNKNOWN"
    assert resolved(register, "P2", 5) == "P2-3"
    with (to / "rejected.csv").open(newline="") as file:
        reasons = {row["revision_id"]: row["reason"] for row in csv.DictReader(file)}
    assert reasons == {"P3-4": "empty", "P1-5": "the approval could not be found"}


def test_a_quarantined_row_that_would_be_refused_lets_the_register_load(tmp_path: Path, source: Path) -> None:
    (source / "plants.csv").write_text("plant,since,until\nP1,0,6\nP1,6,4\n", encoding="utf-8")
    everything = MAPPING.replace(
        "FROM numbered WHERE until IS NULL OR CAST(since AS INTEGER) < CAST(until AS INTEGER)", "FROM numbered"
    )
    assert "the interval [6,4) is inverted" in refusal(declare(tmp_path, everything), source)
    map_register(declare(tmp_path, everything + QUARANTINE.replace("P1-5", "P1-6")), source, tmp_path / "register")
    register = Register.read(tmp_path / "register")
    assert [resolved(register, "P1", t) for t in (3, 4, 5)] == ["P1-0", Status.UNAVAILABLE, Status.UNAVAILABLE]


def test_when_a_quarantine_begins_can_be_stated(tmp_path: Path, source: Path) -> None:
    stated = QUARANTINE + "effective_from = '2'\n"
    map_register(declare(tmp_path, MAPPING + stated), source, tmp_path / "register")
    register = Register.read(tmp_path / "register")
    assert [resolved(register, "P1", t) for t in (1, 2)] == ["P1-0", Status.UNAVAILABLE]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("P1-5", "P1-6", "[[quarantine]] 1: no row has these values"),
        ("revision_id", "revision", "[[quarantine]] 1, revision: unknown column"),
        ('reason = "the approval could not be found"', "", "[[quarantine]] 1: the reason is missing"),
        ('{ revision_id = "P1-5" }', "{}", "[[quarantine]] 1: where names no row"),
        ("reason =", "reasons =", "are the keys of an entry"),
    ],
)
def test_a_quarantine_names_its_rows(old: str, new: str, said: str, tmp_path: Path, source: Path) -> None:
    assert said in refusal(declare(tmp_path, MAPPING + QUARANTINE.replace(old, new)), source)


def test_a_quarantined_row_without_readable_ends_needs_a_stated_start(tmp_path: Path, source: Path) -> None:
    (source / "plants.csv").write_text("plant,since,until\nP1,0,\nP1,soon,\n", encoding="utf-8")
    everything = re.sub(r"FROM numbered WHERE until IS NULL[^\n]*", "FROM numbered", MAPPING.split("[rejected]")[0])
    entry = QUARANTINE.replace("P1-5", "P1-soon")
    assert "state effective_from" in refusal(declare(tmp_path, everything + entry), source)
    map_register(declare(tmp_path, everything + entry + "effective_from = '9'"), source, tmp_path / "register")
    assert resolved(Register.read(tmp_path / "register"), "P1", 9) is Status.UNAVAILABLE


# --- writing settings ----------------------------------------------------------------------------------------------


def test_settings_are_written_as_they_were_meant() -> None:
    register = {
        "owner": 'Redaktion "Nord"\\\t\u007f ä',
        "name": "x",
        "time": "utc",
        "zone": "Europe/Vaduz",
        "day_starts": "06:00",
        "skipped_time": "later",
        "doubled_time": "earlier",
        "history_from": "2024-01-01",
        "rules": "transitive",
        "stewards": ["a", "b"],
        "whole_documents": True,
    }
    again = tomllib.loads(written_settings(register))
    assert again == register
    assert parse_settings(again).written() == parse_settings(register).written()


# --- the shipped registers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "rows", "rejected"), [("li-law-articles", 2109, 75), ("li-law-norms", 8025, 0)])
def test_the_shipped_registers_are_what_their_mappings_say(name: str, rows: int, rejected: int, repo: Path) -> None:
    folder = repo / "data" / name
    register = Register.read(folder)
    assert (len(register.revisions), len(register.applicability)) == (rows, rows)
    assert (len(register.supersessions), len(register.equivalences)) == (0, 0)
    assert register.check() == []
    assert len((folder / "rejected.csv").read_text().splitlines()) == rejected + 1
    declared = read_mapping(repo / "data" / "mappings" / f"{name}.toml")
    assert (folder / "register.toml").read_text() == written_settings(declared.register)
    assert sum(path.stat().st_size for path in folder.iterdir()) < 3_000_000


@pytest.mark.parametrize("name", ["li-law-articles", "li-law-norms"])
def test_the_question_that_the_readme_prints_is_answered(
    name: str, repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = re.findall(
        r"^    workbench (resolve .*)$", (repo / "data" / name / "README.md").read_text(), re.MULTILINE
    )
    monkeypatch.chdir(repo)
    assert main([*shlex.split(line), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["revision_id"].split("#")[0]) == ("RESOLVED", "LGBl-2008-118-v005")
    assert (answer["valid_from"], answer["valid_to"]) == ("2010-04-06T22:00:00Z", "2010-06-10T22:00:00Z")


def test_every_shipped_mapping_can_be_read(repo: Path) -> None:
    found = [
        parse_mapping(path.name, tomllib.loads(path.read_text())) for path in (repo / "data/mappings").glob("*.toml")
    ]
    assert {declared.register["name"] for declared in found} == {"li-law-articles", "li-law-norms"}
