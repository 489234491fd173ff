"""Each real register as a whole: what its check finds, and its projection against the resolver at every boundary."""

from collections import Counter
from collections.abc import Callable

import duckdb
import polars as pl
import pytest

import workbench as wb
from workbench.validity.projection import project

READER = wb.Actor("public", {"reader"})
FOUND = {
    "li-law-articles": {},
    "li-law-norms": {},
    "eol": {"SUCCESSOR_UNKNOWN": 101, "SCOPE_MISMATCH": 101},
    "rfc": {"SUCCESSOR_UNKNOWN": 3, "SCOPE_MISMATCH": 3, "OVERLAP": 2699},
    "rfc-http": {"OVERLAP": 13},
    "rfc-history": {},
    "pep": {"SUCCESSOR_UNKNOWN": 4, "SCOPE_MISMATCH": 1, "OVERLAP": 2},
    "faa-ad": {"SUCCESSOR_UNKNOWN": 746, "OVERLAP": 1},
}
# What the sources do not tell of any row at all, or have no documents for.
UNSTATED = {"OWNER_MISSING", "IMPORT_TIME_MISSING", "PROCEDURE_UNLOCATED"}
# A recorded time for the registers whose present state is not the interesting one.
KNOWN_AT = {"rfc-history": "2018-08-12", "eol": "2022-06-01"}

NAMES = {
    "document_family": "family",
    "procedure_id": "procedure",
    "asset_configuration": "configuration",
}  # what a row calls them, and what a request does

Mapped = Callable[[str], wb.Register]


@pytest.mark.parametrize("name", FOUND)
def test_the_check_finds_what_the_source_lacks(name: str, mapped: Mapped) -> None:
    found = Counter(str(finding.code) for finding in mapped(name).check())
    assert {code: count for code, count in found.items() if code not in UNSTATED} == FOUND[name]
    if name.startswith("li-law"):
        assert found.keys() & UNSTATED == set()


def test_what_stands_for_an_approval_is_written_down(mapped: Mapped) -> None:
    """Where the source names no act, the rows say that they rest on their publication, by one declared constant."""
    said = {
        name: Counter(str(row.approval_ref).split(" ")[0] for row in mapped(name).applicability)
        for name in ("li-law-articles", "li-law-norms")
    }
    assert said == {
        "li-law-articles": {"LGBl.": 1547, "published": 562},
        "li-law-norms": {"LGBl.": 2888, "published": 5137},
    }


def test_every_scope_of_the_norms_resolves_and_the_articles_have_their_gaps(mapped: Mapped) -> None:
    """Repealed articles end, and nine of them come back years later: a gap is what the law says."""
    gaps = {
        name: [f for f in mapped(name).check(every_scope=True) if f.code == "NO_APPLICABLE_REVISION"]
        for name in ("li-law-articles", "li-law-norms")
    }
    assert {name: len(found) for name, found in gaps.items()} == {"li-law-articles": 20, "li-law-norms": 0}
    assert sum("unbounded)" not in finding.message for finding in gaps["li-law-articles"]) == 9


def test_a_revision_without_a_text_is_a_finding(mapped: Mapped, real_data: object) -> None:
    """The source has the texts of 264 of the 8,025 versions; the others are absent from the corpus, none differs."""
    with duckdb.connect() as connection:
        path = f"{real_data}/li_law/texts.parquet"
        rows = connection.execute("SELECT revision_id, text FROM read_parquet(?)", [path]).fetchall()
    corpus = wb.Corpus(wb.Document(name, "public", frozenset({"reader"}), "1", text, "de") for name, text in rows)
    found = Counter(str(finding.code) for finding in mapped("li-law-norms").check(corpus))
    assert found == {"DOCUMENT_ABSENT": 8025 - 264}


def boundaries(frame: pl.DataFrame) -> pl.DataFrame:
    """The projection's intervals, each asked at its first instant and at its last one."""
    frame = frame.rename(NAMES)
    last = pl.coalesce(pl.col("valid_to") - pl.duration(microseconds=1), pl.col("valid_from") + pl.duration(days=36500))
    return pl.concat([frame.with_columns(at=pl.col("valid_from")), frame.with_columns(at=last)])


@pytest.mark.parametrize("name", FOUND)
def test_projection_and_many_requests_equal_the_resolver_at_every_boundary(name: str, mapped: Mapped) -> None:
    register, known_at = mapped(name), KNOWN_AT.get(name)
    frame = boundaries(project(register if known_at is None else register.as_known_at(known_at)))
    assert frame.height > 0
    asked = frame.select(*NAMES.values(), "region", "at", "tenant", groups=pl.lit("reader"))
    many = register.resolve_many(asked.with_columns(known_at=pl.lit(known_at, dtype=pl.String)))
    for row, answer in zip(frame.iter_rows(named=True), many.iter_rows(named=True), strict=True):
        scope = wb.Scope(row["family"], row["procedure"], row["configuration"], row["region"])
        one = register.resolve(wb.Request(scope, at=row["at"], known_at=known_at), READER)
        if row["outcome"] == "revision":
            assert (one.revision_id, one.valid_from) == (row["revision_id"], row["valid_from"])
            assert one.valid_to == (row["valid_to"] or "unbounded")
        elif row["outcome"] == "conflict":
            assert (one.status, list(one.rivals)) == ("UNRESOLVED_AUTHORITY", row["rivals"])
        else:
            assert one.status == "UNAVAILABLE"
        assert (answer["status"], answer["revision_id"], answer["valid_from"]) == (
            one.status,
            one.revision_id,
            one.valid_from,
        )
