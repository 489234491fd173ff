"""One suite for all stores: what is written into any of them is read back equal, and what is malformed is named."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import pytest

from tests.validity import servers, worlds
from tests.validity.folders import DIGEST
from workbench.errors import InputError
from workbench.intervals import Interval
from workbench.records import Row, refuse
from workbench.validity.checks import check_folder
from workbench.validity.loading import assemble
from workbench.validity.register import Register
from workbench.validity.settings import parse_settings
from workbench.validity.tables import REQUIRED

try:
    import psycopg

    from workbench.stores import postgres_register
except ModuleNotFoundError:  # the other stores are tested all the same
    psycopg = None

DATABASES = ("duckdb", "postgres-15", "postgres-18")
STORES = ("csv", "jsonl", "parquet", *DATABASES)


@dataclass
class Store:
    """A kind of store: writes registers to new places and reads them again."""

    kind: str
    folder: Path
    connection: psycopg.Connection | None
    numbers: Iterator[int]

    def write(self, register: Register) -> str | Path:
        number = next(self.numbers)
        if self.connection is not None:
            schema = f'schema "{number}"'
            postgres_register.write_register(self.connection, schema, register)
            return schema
        place = self.folder / (f"{number}.duckdb" if self.kind == "duckdb" else str(number))
        register.write(place, form="csv" if self.kind == "duckdb" else self.kind)  # type: ignore[arg-type]
        return place

    def read(self, place: str | Path) -> Register:
        if self.connection is not None:
            return postgres_register.read_register(self.connection, str(place))
        return Register.read(place)

    def execute(self, place: str | Path, statement: str) -> None:
        """A statement in a database; ``{}`` stands for the schema's name and a dot."""
        if self.connection is not None:
            self.connection.execute(statement.replace("{}", f'"{str(place).replace(chr(34), chr(34) * 2)}".'))
            self.connection.commit()
        else:
            with duckdb.connect(place) as connection:
                connection.execute(statement.replace("{}", ""))


@pytest.fixture(scope="module")
def connect() -> Iterator[Callable[[int], psycopg.Connection]]:
    """Connections to servers, each started once when it is first asked for."""
    with ExitStack() as stack:
        running: dict[int, str] = {}

        def connected(version: int) -> psycopg.Connection:
            if psycopg is None:
                pytest.skip("psycopg absent (install the extra postgres)")
            if version not in running:
                try:
                    running[version] = stack.enter_context(servers.server(version))
                except servers.Absent as absent:
                    pytest.skip(str(absent))
            return stack.enter_context(psycopg.connect(running[version]))

        yield connected


@contextmanager
def opened(name: str, folder: Path, connect: Callable[[int], psycopg.Connection]) -> Iterator[Store]:
    kind, _, version = name.partition("-")
    if not version:
        yield Store(kind, folder, None, itertools.count())
        return
    with connect(int(version)) as connection:
        yield Store(kind, folder, connection, SCHEMAS)


@pytest.fixture(params=STORES)
def store(
    request: pytest.FixtureRequest, tmp_path: Path, connect: Callable[[int], psycopg.Connection]
) -> Iterator[Store]:
    with opened(request.param, tmp_path, connect) as found:
        yield found


@pytest.fixture(params=DATABASES)
def database(
    request: pytest.FixtureRequest, tmp_path: Path, connect: Callable[[int], psycopg.Connection]
) -> Iterator[Store]:
    with opened(request.param, tmp_path, connect) as found:
        yield found


SCHEMAS = itertools.count()


def odd() -> Register:
    """A register of everything that could get lost on the way."""
    names = [
        "plain",
        " leading",
        'quo"ted',
        "com,ma",
        "line\nbreak",
        "tab\t",
        "Ü\u0308x",
        "back\\slash",
        "\u202eright",
        "🔧",
        "NULL",
        "\\N",
    ]
    groups = [
        "a",
        "a;b",
        '["[a]"]',
        '["a", "b"]',
        '["x;y", "z"]',
        'quo"te',
        "ö",
        "a b",
        "{a}",
        "a,b",
        "NULL",
        '["a\\nb"]',
    ]
    rows = {name: [] for name in REQUIRED}
    for name, group in zip(names, groups, strict=True):
        rows["revisions"].append([name, "f,1", "T;1", group, "en", DIGEST, "", "2024-01-01"])
    starts = ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2024-03-31T01:00:00+01:00", "2024-02-29"]
    ends = ["9999-12-31T23:59:59.999999Z", "unbounded", "2024-10-27T02:30:00.000001+02:00", "2024-03-01"]
    for name, start, end in zip(names, starts * 3, ends * 3, strict=True):
        rows["applicability"].append(
            [name, 'p"1', "*", "EU", start, end, "" if name == "plain" else name, "-5", "unbounded"]
        )
        rows["applicability"].append([name, "p", "Pru\u0308f", "DE", start, end, "ok", "-5", "17"])
    rows["supersessions"].append(
        ["unknown", "plain", "p", "Prüf", "EU", starts[2], "unbounded", "", "0", "unbounded", "true"]
    )
    rows["supersessions"].append(["plain", "🔧", "p", "Prüf", "EU", starts[2], ends[2], "ok", "0", "3", "false"])
    rows["equivalences"].append(["q;1", "com,ma", "plain", "de", "", "0", "unbounded"])
    rows["scopes"] += [["configuration", "Prüf", ""], ["region", "EU", ""], ["region", "DE", "EU"]]
    rows["sections"] += [["plain", "p", "0", "10"], ["plain", 'p"1', "10", "999999"]]
    rows["owners"].append(["f,1", "p", 'the "desk"\nof two lines'])
    settings = {
        "name": 'odd "register" \\ Ü\x7f\n', "time": "utc", "recorded_time": "logical", "history_from": -5,
        "zone": "Europe/Berlin", "day_starts": "02:30:00", "skipped_time": "later", "doubled_time": "earlier",
        "rules": "transitive", "rules_version": "2;x", "gaps": "reported", "whole_documents": True,
        "source_language": "permitted", "stewards": ["a;b", "[x", 'y"z'], "owner": "Ö",
    }  # fmt: skip
    columns = {name: (*REQUIRED[name], "revives") if name == "supersessions" else REQUIRED[name] for name in REQUIRED}
    tables = {
        name: [Row(name, number, dict(zip(columns[name], row, strict=True))) for number, row in enumerate(table, 2)]
        for name, table in rows.items()
    }
    return Register.of(assemble(parse_settings(settings), tables, refuse))


def test_nothing_gets_lost(store: Store) -> None:
    register = odd()
    again = store.read(store.write(register))
    assert again == register
    assert again.snapshot() == register.snapshot()
    assert list(again.revisions) == list(register.revisions)
    assert store.read(store.write(again)) == register


def test_zero_rows_are_kept_as_such(store: Store) -> None:
    empty = Register(parse_settings({"name": "empty", "time": "logical", "rules": "direct"}), {}, owners={})
    assert store.read(store.write(empty)) == empty


def test_random_registers_come_back_equal(store: Store) -> None:
    for seed in range(15):
        register = worlds.register(worlds.world(seed))
        again = store.read(store.write(register))
        assert again == register
        assert again.project().equals(register.project())


def test_nothing_is_overwritten(store: Store) -> None:
    register = worlds.register(worlds.world(1))
    place = store.write(register)
    store.numbers = itertools.repeat(int("".join(filter(str.isdigit, Path(str(place)).stem))))
    with pytest.raises(InputError, match="there already"):
        store.write(replace(register, supersessions=()))
    assert store.read(place) == register


def test_a_register_that_is_not_there_is_an_error(store: Store) -> None:
    with pytest.raises(InputError):
        store.read("absent.duckdb" if store.kind == "duckdb" else "absent")


# --- databases only ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP TABLE {}settings", "settings is missing"),
        ("DROP TABLE {}applicability", "the table applicability is missing"),
        ("ALTER TABLE {}applicability ADD COLUMN colour text", "column colour: unknown column"),
        ("ALTER TABLE {}applicability DROP COLUMN approval_ref", "column approval_ref: the column is missing"),
        ("UPDATE {}applicability SET valid_to = NULL", "row 1, column valid_to: the cell is empty"),
        ("UPDATE {}applicability SET valid_to = 'infinity'", "row 1, column valid_to: 'infinity' is no"),
        ("UPDATE {}applicability SET revision_id = 'nobody'", "row 1, column revision_id: no such revision"),
        ("UPDATE {}settings SET value = '\"newest\"' WHERE key = 'rules'", "column rules"),
    ],
)
def test_what_is_malformed_in_a_database_is_named(database: Store, statement: str, said: str) -> None:
    place = database.write(odd())
    database.execute(place, statement)
    with pytest.raises(InputError) as caught:
        database.read(place)
    assert said in str(caught.value)


def test_typed_times_in_a_database_need_their_kind_and_are_no_infinity(database: Store) -> None:
    register = worlds.register(next(made for made in map(worlds.world, range(99)) if made.settings["time"] == "utc"))
    register = replace(register, applicability=tuple(a for a in register.applicability if a.valid.end < 2**62))
    place = database.write(register)
    for column in ("valid_from", "valid_to"):
        kind = "timestamptz" if database.kind == "postgres" else "TIMESTAMP WITH TIME ZONE"
        using = f"USING CAST({column} AS {kind})"
        database.execute(place, f"ALTER TABLE {{}}applicability ALTER COLUMN {column} TYPE {kind} {using}")
    with pytest.raises(InputError, match="valid_from_kind"):
        database.read(place)
    for column in ("valid_from", "valid_to"):
        database.execute(place, f"ALTER TABLE {{}}applicability ADD COLUMN {column}_kind varchar DEFAULT 'instant'")
    assert database.read(place) == register
    database.execute(place, "UPDATE {}applicability SET valid_to = 'infinity'")
    with pytest.raises(InputError, match=r"infinite time|cannot be read"):
        database.read(place)


def test_a_file_that_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_bytes(b"no database at all")
    with pytest.raises(InputError, match="no readable DuckDB file"):
        Register.read(tmp_path / "x.duckdb")


def test_a_duckdb_file_is_checked_leniently(tmp_path: Path) -> None:
    odd().write(tmp_path / "x.duckdb")
    with duckdb.connect(tmp_path / "x.duckdb") as connection:
        connection.execute("UPDATE applicability SET valid_to = NULL WHERE revision_id = 'plain'")
    found = [(f.code.value, f.table, f.row) for f in check_folder(tmp_path / "x.duckdb") if f.code.value == "MALFORMED"]
    assert found == [("MALFORMED", "applicability", 1), ("MALFORMED", "applicability", 2)]


def test_an_unknown_form_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown form"):
        odd().write(tmp_path / "x", form="xlsx")  # type: ignore[arg-type]


# --- PostgreSQL's canonical table ----------------------------------------------------------------------------------


@pytest.fixture(params=(15, 18))
def connection(
    request: pytest.FixtureRequest, connect: Callable[[int], psycopg.Connection]
) -> Iterator[psycopg.Connection]:
    with connect(request.param) as found:
        yield found


def canonical(connection: psycopg.Connection, register: Register) -> str:
    schema = f"canonical{next(SCHEMAS)}"
    postgres_register.write_register(connection, schema, register)
    postgres_register.write_canonical(connection, schema, register)
    connection.commit()
    return schema


def test_the_key_is_temporal_where_postgresql_has_such_keys(connection: psycopg.Connection) -> None:
    schema = canonical(connection, worlds.register(worlds.world(1)))
    found = connection.execute(
        "SELECT contype, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE conrelid = %s::regclass AND contype IN ('p', 'x')",
        (f"{schema}.canonical",),
    ).fetchall()
    assert len(found) == 1
    kind, definition = found[0]
    if connection.info.server_version >= 180_000:
        assert (kind, definition.endswith("valid WITHOUT OVERLAPS)")) == ("p", True)
    else:
        assert (kind, definition.startswith("EXCLUDE USING gist")) == ("x", True)


def test_the_canonical_table_holds_the_projection(connection: psycopg.Connection) -> None:
    for seed in range(12):
        register = worlds.register(worlds.world(seed))
        schema = canonical(connection, register)
        rows = register.project().select(pl_columns()).rows()
        assert postgres_register.read_canonical(connection, schema) == rows
        postgres_register.write_canonical(connection, schema, register)  # again, in its own place
        assert postgres_register.read_canonical(connection, schema) == rows


def pl_columns() -> list[str]:
    return [*postgres_register.SCOPE, "valid_from", "valid_to", "outcome", "revision_id", "rivals"]


ROW = "('T', 'f', 'p', 'C', 'EU', {range}, 'revision', 'A', '{{}}')"


@pytest.mark.parametrize(
    ("row", "refused"),
    [
        (ROW.format(range="'[10,20)'"), None),  # adjacent
        (ROW.format(range="'[9,20)'"), "ExclusionViolation"),
        (ROW.format(range="'[0,)'"), "ExclusionViolation"),
        (ROW.format(range="'[9,20)'").replace("'EU'", "'CH'"), None),
        (ROW.format(range="'[10,20)'").replace("'EU'", "NULL"), "NotNullViolation"),
        (ROW.format(range="'[10,20)'").replace("'EU'", "' '"), "CheckViolation"),
        (ROW.format(range="'[10,20)'").replace("'EU'", "U&'u\\0308'"), "CheckViolation"),  # not in NFC
        (ROW.format(range="'[10,10)'"), "CheckViolation"),
        (ROW.format(range="'empty'"), "CheckViolation"),
        (ROW.format(range="'(,20)'").replace("'EU'", "'CH'"), "CheckViolation"),
        (ROW.format(range="NULL"), "NotNullViolation"),
        (ROW.format(range="'[10,20)'").replace("'revision'", "'newest'"), "CheckViolation"),
        (ROW.format(range="'[10,20)'").replace("'A'", "NULL"), "CheckViolation"),
    ],
)
def test_postgres_itself_refuses_a_second_decision(
    connection: psycopg.Connection, row: str, refused: str | None
) -> None:
    empty = Register(parse_settings({"name": "e", "time": "logical", "rules": "direct"}), {})
    place = f"{canonical(connection, empty)}.canonical"
    connection.execute(f"INSERT INTO {place} VALUES {ROW.format(range=chr(39) + '[0,10)' + chr(39))}")
    if refused is None:
        connection.execute(f"INSERT INTO {place} VALUES {row}")
    else:
        with pytest.raises(getattr(psycopg.errors, refused)):
            connection.execute(f"INSERT INTO {place} VALUES {row}")
    connection.rollback()


def test_raw_tables_keep_what_conflicts(connection: psycopg.Connection) -> None:
    register = worlds.register(worlds.world(3))
    first = register.applicability[0]
    rival = replace(first, revision_id=next(name for name in register.revisions if name != first.revision_id))
    both = replace(register, applicability=(first, replace(rival, recorded=Interval(0, 2**63 - 1))))
    schema = canonical(connection, both)
    assert postgres_register.read_register(connection, schema).applicability == both.applicability


def test_what_postgres_cannot_store_is_refused_by_its_place(connection: psycopg.Connection) -> None:
    register = worlds.register(worlds.world(3))
    changed = replace(register.applicability[0], approval_ref="a\0b")
    with pytest.raises(InputError, match=r"applicability, row 1, column approval_ref: PostgreSQL stores no NUL"):
        canonical(connection, replace(register, applicability=(changed,)))
