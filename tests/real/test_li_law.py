"""Liechtenstein law: the shipped registers against their source, and one question up to its verified manifest."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

import workbench as wb
from workbench.cli import main
from workbench.contract import fingerprint
from workbench.validity.instants import zone_named

QUESTION = "Welche Einspeisevergütung je kWh gilt für Photovoltaik-Anlagen?"
READER = wb.Actor("public", {"reader"})
ARTICLE = wb.Scope("LGBl-2008-118", "Art. 13 (1)", "LI", "LI")
TARIFFS = (
    ("2009-09-11", "LGBl-2008-118-v004", "0.45"),
    ("2010-04-07", "LGBl-2008-118-v005", "0.15"),
    ("2010-06-11", "LGBl-2008-118-v006", "0.45"),
    ("2011-09-29", "LGBl-2008-118-v007", "0.25"),
    ("2012-07-13", "LGBl-2008-118-v008", "0.15"),
    ("2015-02-01", "LGBl-2008-118-v010", "0.10"),
)
MICROSECOND = timedelta(microseconds=1)


def midnight(day: str) -> datetime:
    """The first instant of a day in Vaduz."""
    return datetime.fromisoformat(day).replace(tzinfo=zone_named("Europe/Vaduz")).astimezone(UTC)


def clock(day: str) -> Callable[[], datetime]:
    return lambda: midnight(day)


@pytest.fixture(scope="module")
def articles(repo: Path) -> wb.Register:
    return wb.Register.read(repo / "data" / "li-law-articles")


@pytest.fixture(scope="module")
def norms(repo: Path) -> wb.Register:
    return wb.Register.read(repo / "data" / "li-law-norms")


@pytest.fixture(scope="module")
def texts(real_data: Path) -> dict[str, str]:
    """Each article's text under the id of its revision."""
    with duckdb.connect() as connection:
        rows = connection.execute(
            "SELECT first_revision_id || '#' || article || ' (' || occurrence || ')', text FROM read_parquet(?) "
            "WHERE NOT spurious_in_bootstrap",
            [str(real_data / "li_law" / "articles.parquet")],
        ).fetchall()
    return dict(rows)


def document(name: str, text: str, *, groups: frozenset[str] = frozenset({"reader"})) -> wb.Document:
    return wb.Document(name, "public", groups, "1", text, "de")


@pytest.fixture(scope="module")
def corpus(texts: dict[str, str]) -> wb.Corpus:
    return wb.Corpus(document(name, text) for name, text in texts.items())


# --- the shipped files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["li-law-articles", "li-law-norms"])
def test_the_mapping_makes_the_shipped_register_byte_for_byte(
    name: str, folders: Callable[[str], Path], repo: Path
) -> None:
    made = {path.name: path.read_bytes() for path in folders(name).iterdir()}
    shipped = {path.name: path.read_bytes() for path in (repo / "data" / name).iterdir() if path.name != "README.md"}
    assert sorted(made) == sorted(shipped)
    assert [file for file in made if made[file] != shipped[file]] == []


@pytest.mark.parametrize("readme", ["li-law-articles", "li-law-norms", "mappings"])
def test_the_command_that_a_readme_prints_makes_the_shipped_register(
    readme: str,
    repo: Path,
    real_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (repo / "data" / readme / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"workbench (register map \S+ \S+ --to FOLDER)", text)
    words = line.replace("../shared/data", str(real_data)).replace("FOLDER", str(tmp_path / "made")).split()
    monkeypatch.chdir(repo)
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)
    made = wb.Register.read(tmp_path / "made")
    assert made.snapshot() == wb.Register.read(repo / "data" / made.settings.name).snapshot()


def test_an_articles_digest_is_that_of_its_text(articles: wb.Register, texts: dict[str, str]) -> None:
    assert {r.id: r.source_digest for r in articles.revisions.values()} == {
        name: fingerprint(text) for name, text in texts.items()
    }


def test_a_norms_digest_is_that_of_its_text_where_the_source_has_it(norms: wb.Register, real_data: Path) -> None:
    with duckdb.connect() as connection:
        path = str(real_data / "li_law" / "texts.parquet")
        rows = connection.execute("SELECT revision_id, text FROM read_parquet(?)", [path]).fetchall()
    assert len(rows) == 264
    assert [name for name, text in rows if norms.revisions[name].source_digest != fingerprint(text)] == []


def test_the_shipped_files_hold_facts_and_no_sentences(texts: dict[str, str], repo: Path, real_data: Path) -> None:
    """No paragraph of an article and no title of a norm that is longer than a few words stands in any shipped file."""
    with duckdb.connect() as connection:
        path = str(real_data / "li_law" / "revisions.parquet")
        titles = {row[0] for row in connection.execute("SELECT title FROM read_parquet(?)", [path]).fetchall()}
    said = {part for text in texts.values() for part in text.split("\n\n")} | titles
    said = {part for part in said if len(part.split()) > 4}
    for name in ("li-law-articles", "li-law-norms"):
        for path in (repo / "data" / name).iterdir():
            cells = {cell for line in path.read_text(encoding="utf-8").splitlines() for cell in line.split(",")}
            assert cells & said == set()
            assert "Einspeise" not in path.read_text(encoding="utf-8")


# --- one question, from decision to manifest -----------------------------------------------------------------------


def windows() -> list[tuple[datetime, str, str]]:
    """Each tariff at its first instant, somewhere within, and one microsecond before the next one."""
    asked = []
    ends = [midnight(day) for day, _, _ in TARIFFS[1:]] + [midnight("2026-04-17")]
    for (day, version, value), end in zip(TARIFFS, ends, strict=True):
        start = midnight(day)
        asked += [
            (at, version, value) for at in (start, start + MICROSECOND, start + (end - start) / 2, end - MICROSECOND)
        ]
    return asked


@pytest.mark.parametrize(("at", "version", "value"), windows(), ids=lambda part: str(part))
def test_the_tariff_of_the_instant_is_found_and_verified(
    at: datetime, version: str, value: str, articles: wb.Register, corpus: wb.Corpus
) -> None:
    decision = articles.resolve(wb.Request(ARTICLE, at=at), READER, clock=clock("2026-04-17"))
    assert (decision.status, decision.revision_id) == ("RESOLVED", f"{version}#Art. 13 (1)")
    assert decision.mode == "historical"
    hits = corpus.view(READER, decision).rank(QUESTION, depth=10, match="any")
    assert {hit.document_id for hit in hits} == {decision.revision_id}
    assert any(f"Einspeisevergütung von {value} Franken pro Kilowattstunde" in hit.quote for hit in hits)
    others = {other for _, _, other in TARIFFS} - {value}
    assert not any(f"{other} Franken" in hit.quote for hit in hits for other in others)
    for hit in hits:
        verdict = wb.verify(wb.cite(hit, decision).mapping(), READER, corpus, articles, clock=clock("2026-04-17"))
        assert verdict.ok
        assert verdict.historical == (version != TARIFFS[-1][1])


def test_the_day_of_a_date_is_asked_as_a_day(articles: wb.Register) -> None:
    for day, version, _ in TARIFFS:
        decision = articles.resolve(wb.Request(ARTICLE, at=day), READER)
        assert decision.revision_id == f"{version}#Art. 13 (1)"
        assert decision.valid_from == midnight(day)


@pytest.mark.parametrize("at", ["2009-09-10", midnight("2009-09-11") - MICROSECOND, "2008-06-01", "1900-01-01"])
def test_before_the_first_known_revision_nothing_is_dated_back(
    at: object, articles: wb.Register, corpus: wb.Corpus
) -> None:
    request = wb.Request(ARTICLE, at=at)
    decision = articles.resolve(request, READER)
    assert decision.status == "UNAVAILABLE"
    assert articles.explain(request, READER, reader=wb.OPERATOR).reason == "NO_APPLICABLE_REVISION"
    with pytest.raises(wb.ContextError):
        corpus.view(READER, decision)


def test_unrestricted_the_question_finds_tariffs_that_do_not_apply(corpus: wb.Corpus) -> None:
    """What the decision is for: without it the same words rank all six tariffs, nearly alike."""
    hits = corpus.view(READER).rank(QUESTION, depth=20, match="any")
    found = {hit.document_id for hit in hits if "Franken pro Kilowattstunde" in hit.quote}
    assert found >= {f"{version}#Art. 13 (1)" for _, version, _ in TARIFFS}


@pytest.fixture(scope="module")
def manifest(articles: wb.Register, corpus: wb.Corpus) -> dict[str, object]:
    decision = articles.resolve(wb.Request(ARTICLE, at="2010-05-01"), READER)
    hit = next(h for h in corpus.view(READER, decision).rank(QUESTION, depth=10, match="any") if "0.15" in h.quote)
    return wb.cite(hit, decision).mapping()


def again(texts: dict[str, str], change: Callable[[str], wb.Document | None]) -> wb.Corpus:
    """The corpus with the cited document changed; ``None`` takes it away."""
    cited = "LGBl-2008-118-v005#Art. 13 (1)"
    others = [
        document(name, text) for name, text in texts.items() if name.startswith("LGBl-2008-118") and name != cited
    ]
    changed = change(texts[cited])
    return wb.Corpus(others if changed is None else [*others, changed])


def test_an_edited_text_makes_the_manifest_fail(
    manifest: dict[str, object], texts: dict[str, str], articles: wb.Register
) -> None:
    name = str(manifest["document_id"])
    assert wb.verify(manifest, READER, again(texts, lambda text: document(name, text)), articles).ok
    for edit in (("0.15", "0.45"), ("0.15", "0,15"), ("Franken", "Franken ")):
        edited = again(texts, lambda text, edit=edit: document(name, text.replace(*edit)))  # type: ignore[misc]
        assert wb.verify(manifest, READER, edited, articles).failed == "source_changed"
    elsewhere = again(texts, lambda text: document(name, text + "\n\nNachtrag"))
    assert wb.verify(manifest, READER, elsewhere, articles).failed == "source_changed"


def test_withdrawn_access_makes_the_manifest_fail_and_says_no_more(
    manifest: dict[str, object], texts: dict[str, str], articles: wb.Register, corpus: wb.Corpus
) -> None:
    name = str(manifest["document_id"])
    withdrawn = again(texts, lambda text: document(name, text, groups=frozenset({"editor"})))
    gone = again(texts, lambda _: None)
    strangers = (
        wb.Actor("public", {"guest"}),
        wb.Actor("other", {"reader"}),
        wb.Actor("public", {"reader"}, active=False),
    )
    answers = [wb.verify(manifest, READER, withdrawn, articles), wb.verify(manifest, READER, gone, articles)]
    answers += [wb.verify(manifest, stranger, corpus, articles) for stranger in strangers]
    assert {answer.failed for answer in answers} == {"unavailable"}
    assert len(set(answers)) == 1


def test_a_forged_quote_or_time_makes_the_manifest_fail(
    manifest: dict[str, object], articles: wb.Register, corpus: wb.Corpus
) -> None:
    quote = str(manifest["quote"]).replace("0.15", "0.45")
    assert wb.verify({**manifest, "quote": quote}, READER, corpus, articles).failed == "quote_mismatch"
    later = {**manifest, "reference_time": "2012-01-01T00:00:00Z"}
    assert wb.verify(later, READER, corpus, articles).failed == "context_mismatch"


# --- the registers as a whole --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["articles", "norms"])
def test_every_row_resolves_at_its_first_instant_and_not_before(name: str, request: pytest.FixtureRequest) -> None:
    """Resolved at every boundary: each revision from its first instant to one microsecond before its end."""
    register: wb.Register = request.getfixturevalue(name)
    rule = register.settings.valid
    starts = {(row.scope, row.valid.end) for row in register.applicability}
    for row in register.applicability:
        scope = wb.Scope(row.scope.family, row.scope.procedure, row.scope.configuration, row.scope.region)
        at = [rule.public(row.valid.start)]
        if rule.spell(row.valid.end) != "unbounded":
            at.append(rule.public(row.valid.end - 1))
        found = [register.resolve(wb.Request(scope, at=instant), READER).revision_id for instant in at]
        assert found == [row.revision_id] * len(at)
        before = register.resolve(wb.Request(scope, at=rule.public(row.valid.start - 1)), READER)
        assert (before.status == "RESOLVED") == ((row.scope, row.valid.start) in starts)


def test_what_the_registers_knew_before_the_export_is_not_known(articles: wb.Register, norms: wb.Register) -> None:
    for register, procedure in ((articles, "Art. 13 (1)"), (norms, "norm")):
        scope = wb.Scope("LGBl-2008-118", procedure, "LI", "LI")
        for known_at, status in (("2026-04-16", "HISTORY_UNAVAILABLE"), ("2026-04-17", "RESOLVED")):
            assert register.resolve(wb.Request(scope, at="2020-01-01", known_at=known_at), READER).status == status


def test_a_name_alone_does_not_choose_among_five_articles(articles: wb.Register) -> None:
    def at(procedure: str) -> str | None:
        scope = wb.Scope("LGBl-2000-088", procedure, "LI", "LI")
        return articles.resolve(wb.Request(scope, at="2010-01-01"), READER).revision_id

    assert at("Art. 6b") is None
    assert [at(f"Art. 6b ({n})") for n in range(1, 7)] == [f"LGBl-2000-088-v003#Art. 6b ({n})" for n in range(1, 6)] + [
        None
    ]
