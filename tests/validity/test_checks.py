# ruff: noqa: E501  (a table of cases, one case a line)
"""Each finding has a faulty register that triggers exactly it; sound registers trigger none."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.validity.folders import DIGEST, FILES, SCOPES, SECTIONS, TOML, write
from workbench.contract import OPERATOR, Actor, Document, Request, Scope, Status, fingerprint
from workbench.errors import ContextError, InputError
from workbench.validity.checks import check_folder
from workbench.validity.findings import Code, Finding, as_html, as_text, worklist
from workbench.validity.register import Register

HEADS = {name: text.splitlines()[0] + "\n" for name, text in FILES.items() if name.endswith(".csv")}
SOUND = {
    "register.toml": TOML + "whole_documents = true\n",
    "revisions.csv": HEADS["revisions.csv"]
    + "".join(f"{name},f,T,a,en,{fingerprint('text of ' + name)},desk of {name},2024-01-01\n" for name in "ABCD"),
    "applicability.csv": HEADS["applicability.csv"] + "A,p,C,EU,0,10,ok,0,unbounded\nB,p,C,EU,5,10,ok,0,unbounded\n",
}


def applied(*rows: str) -> dict[str, str]:
    return {"applicability.csv": HEADS["applicability.csv"] + "".join(row + "\n" for row in rows)}


def superseded(*rows: str) -> dict[str, str]:
    return {"supersessions.csv": HEADS["supersessions.csv"] + "".join(row + "\n" for row in rows)}


def toml(**keys: str) -> dict[str, str]:
    return {"register.toml": SOUND["register.toml"] + "".join(f"{key} = {value}\n" for key, value in keys.items())}


def revisions(old: str, new: str) -> dict[str, str]:
    assert old in SOUND["revisions.csv"]
    return {"revisions.csv": SOUND["revisions.csv"].replace(old, new)}


TRANSITIVE = {"register.toml": SOUND["register.toml"].replace("direct", "transitive")}
TREE = {"scopes.csv": SCOPES + "region,EU,\nregion,DE,EU\nconfiguration,C,\n"}
EDITION = revisions("D,f,T,a,en", "D,f,T,a,de")


def equivalent(*rows: str) -> dict[str, str]:
    return {"equivalences.csv": HEADS["equivalences.csv"] + "".join(row + "\n" for row in rows)}


FAULTY: list[tuple[Code, list[Mapping[str, str]], str, int | None, str]] = [
    # what is found, the change that brings it about, in which table and row, who owns it
    (Code.MALFORMED, [applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,EU,9,5,ok,0,unbounded"), superseded()], "applicability", 3, "desk of B"),
    (Code.DANGLING_REFERENCE, [superseded("B,A,p,C,EU,5,10,ok,0,unbounded", "Z,A,p,C,EU,5,10,ok,0,unbounded")], "supersessions", 3, "desk of A"),
    (Code.SCOPE_MISMATCH, [superseded("B,A,p,C,EU,5,10,ok,0,unbounded", "B,A,p,C,CH,5,10,ok,0,unbounded"), applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded", "A,p,C,CH,0,10,ok,0,unbounded")], "supersessions", 3, "desk of A"),
    (Code.CYCLE, [applied("A,p,C,EU,0,5,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded"), superseded("A,B,p,C,EU,0,10,ok,0,unbounded", "B,A,p,C,EU,0,10,ok,0,unbounded")], "supersessions", 2, "desk of B"),
    (Code.SELF_SUPERSESSION, [superseded("B,A,p,C,EU,5,10,ok,0,unbounded", "A,A,p,C,EU,0,10,ok,0,unbounded")], "supersessions", 3, "desk of A"),
    (Code.REVIVAL, [applied("A,p,C,EU,0,20,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded")], "supersessions", 2, "desk of A"),
    (Code.REVIVAL, [superseded("B,A,p,C,EU,5,9,ok,0,unbounded")], "supersessions", 2, "desk of A"),
    (Code.SUCCESSOR_UNKNOWN, [superseded("B,A,p,C,EU,5,10,ok,0,unbounded", "unknown,B,p,C,EU,9,unbounded,ok,0,unbounded")], "supersessions", 3, "desk of B"),
    (Code.OVERLAP, [superseded()], "applicability", 3, "desk of A, desk of B"),
    (Code.HIERARCHY_CONFLICT, [TREE, superseded(), applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,DE,5,10,ok,0,unbounded")], "applicability", 3, "desk of A, desk of B"),
    (Code.GAP, [toml(gaps='"reported"'), applied("A,p,C,EU,0,6,ok,0,unbounded", "B,p,C,EU,5,6,ok,0,unbounded", "C,p,C,EU,8,9,ok,0,unbounded")], "applicability", 3, "desk of B"),
    (Code.DOUBLE_APPLICABILITY, [applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded", "A,p,C,EU,4,5,ok,0,unbounded")], "applicability", 4, "desk of A"),
    (Code.SEVERAL_EDITIONS, [EDITION, equivalent("q1,D,A,de,ok,0,unbounded", "q2,D,A,de,ok,0,unbounded")], "equivalences", 3, "desk of A"),
    (Code.EDITION_WITH_APPLICABILITY, [EDITION, equivalent("q1,D,A,de,ok,0,unbounded"), applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded", "D,p,C,EU,10,11,ok,0,unbounded")], "equivalences", 2, "desk of A"),
    (Code.UNKNOWN_SCOPE_VALUE, [TREE, applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded", "C,p,C,CH,5,10,ok,0,unbounded")], "applicability", 4, "desk of C"),
    (Code.HIERARCHY_CYCLE, [{"scopes.csv": SCOPES + "region,EU,\nregion,X,Y\nregion,Y,X\nregion,Z,Y\n"}], "scopes", 3, "desk"),
    (Code.PROCEDURE_UNLOCATED, [{"register.toml": TOML, "sections.csv": SECTIONS + "B,p,0,9\n"}], "applicability", 2, "desk of A"),
    (Code.PROCEDURE_UNLOCATED, [EDITION, equivalent("q1,D,A,de,ok,0,unbounded"), {"sections.csv": SECTIONS + "D,q,0,9\n"}], "equivalences", 2, "desk of A"),
    (Code.LANGUAGE_WITHOUT_CODE, [revisions("C,f,T,a,en", "C,f,T,a,English")], "revisions", 4, "desk of C"),
    (Code.LANGUAGE_WITHOUT_CODE, [EDITION, equivalent("q1,D,A,DE,ok,0,unbounded")], "equivalences", 2, "desk of A"),
    (Code.OWNER_MISSING, [revisions("desk of C", "")], "revisions", 4, "desk"),
    (Code.IMPORT_TIME_MISSING, [revisions("desk of C,2024-01-01", "desk of C,")], "revisions", 4, "desk of C"),
    (Code.APPROVAL_MISSING, [applied("A,p,C,EU,0,10,,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded")], "applicability", 2, "desk of A"),
    (Code.APPROVAL_MISSING, [superseded("B,A,p,C,EU,5,10,,0,unbounded")], "supersessions", 2, "desk of A"),
    (Code.REVIEW_MISSING, [EDITION, equivalent("q1,D,A,de,,0,unbounded")], "equivalences", 2, "desk of A"),
]  # fmt: skip


def faulty(folder: Path, changes: list[Mapping[str, str]]) -> Path:
    files: dict[str, str | bytes | None] = {**HEADS, **superseded("B,A,p,C,EU,5,10,ok,0,unbounded"), **SOUND}
    for change in changes:
        files |= change
    return write(folder, files)


@pytest.mark.parametrize(
    ("code", "changes", "table", "row", "owner"),
    FAULTY,
    ids=lambda found: str(found) if isinstance(found, Code) else "",
)
def test_each_fault_triggers_exactly_its_finding(
    tmp_path: Path, code: Code, changes: list[Mapping[str, str]], table: str, row: int, owner: str
) -> None:
    found = check_folder(faulty(tmp_path, changes))
    assert {finding.code for finding in found} == {code}
    first = found[0]
    assert (first.table, first.row, first.owner) == (table, row, owner)
    assert first.message
    assert first.remedy


def test_a_sound_register_triggers_nothing(tmp_path: Path, repo: Path) -> None:
    assert check_folder(faulty(tmp_path, [])) == []
    assert check_folder(repo / "data" / "pump-seal", every_scope=True) == []


def test_every_code_has_its_faulty_register() -> None:
    with_corpus = {code for code, *_ in AGAINST} | {Code.NO_APPLICABLE_REVISION, Code.UNRESOLVED_AUTHORITY}
    assert {code for code, *_ in FAULTY} | with_corpus == set(Code)


# --- against a corpus --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Texts:
    """The corpus of the sound register, with some documents replaced."""

    replaced: Mapping[str, Document | None]

    def get(self, document_id: str, /) -> Document | None:
        if document_id in self.replaced:
            return self.replaced[document_id]
        return document(document_id, f"text of {document_id}")


def document(name: str, text: str, tenant: str = "T", groups: str = "a") -> Document:
    return Document(name, tenant, frozenset(groups), "1", text)


AGAINST: list[tuple[Code, Mapping[str, Document | None], str, int]] = [
    (Code.DOCUMENT_ABSENT, {"C": None}, "revisions", 4),
    (Code.DIGEST_MISMATCH, {"C": document("C", "another text")}, "revisions", 4),
    (Code.ACCESS_MISMATCH, {"C": document("C", "text of C", groups="ab")}, "revisions", 4),
    (Code.ACCESS_MISMATCH, {"C": document("C", "text of C", tenant="U")}, "revisions", 4),
    (Code.SECTION_OFF_BORDERS, {}, "sections", 2),
]


@pytest.mark.parametrize(("code", "replaced", "table", "row"), AGAINST)
def test_each_difference_from_the_corpus_is_found(
    tmp_path: Path, code: Code, replaced: Mapping[str, Document | None], table: str, row: int
) -> None:
    sections = {"sections.csv": SECTIONS + "A,p,0,5\n"} if code is Code.SECTION_OFF_BORDERS else {}
    register = Register.read(faulty(tmp_path, [sections]))
    assert register.check() == []
    (found,) = register.check(Texts(replaced))
    assert (found.code, found.table, found.row) == (code, table, row)


def test_sections_may_take_the_separator_along_or_not(tmp_path: Path) -> None:
    text = "one\n\ntwo\n\n\n\nfour"
    for start, end, off in [
        (0, 3, False),
        (0, 5, False),
        (3, 8, False),
        (5, 8, False),
        (12, 16, False),
        (5, 7, True),
        (0, 17, True),
    ]:
        row = {"sections.csv": SECTIONS + f"A,p,{start},{end}\n"}
        register = Register.read(faulty(tmp_path, [row, revisions(fingerprint("text of A"), fingerprint(text))]))
        assert bool(register.check(Texts({"A": document("A", text)}))) is off, (start, end)


# --- every scope -------------------------------------------------------------------------------------------------


def test_every_scope_lists_what_is_not_one_revision(tmp_path: Path) -> None:
    tree = {"scopes.csv": SCOPES + "region,DE,EU\nregion,AT,EU\nconfiguration,C,\n"}
    rows = applied(
        "A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,DE,5,10,ok,0,unbounded", "C,q,C,DE,3,unbounded,ok,0,unbounded"
    )
    files = faulty(tmp_path, [tree, rows, superseded("unknown,C,q,C,DE,7,8,ok,0,unbounded")])
    blocked = {Code.NO_APPLICABLE_REVISION, Code.UNRESOLVED_AUTHORITY, Code.SUCCESSOR_UNKNOWN}
    found = [f for f in check_folder(files, every_scope=True) if f.row is None]
    assert {f.code for f in found} <= blocked
    assert [(f.code.value, f.message.split(" in ")[1], f.owner) for f in found] == [
        ("NO_APPLICABLE_REVISION", "[10,unbounded) for f / p / C / AT", "desk of A"),
        ("NO_APPLICABLE_REVISION", "[10,unbounded) for f / p / C / DE", "desk of A, desk of B"),
        ("NO_APPLICABLE_REVISION", "[ever,unbounded) for f / q / C / AT", "desk"),
        ("SUCCESSOR_UNKNOWN", "[7,unbounded) for f / q / C / DE", "desk of C"),
        ("UNRESOLVED_AUTHORITY", "[5,10) for f / p / C / DE", "desk of A, desk of B"),
    ]
    assert {f.code for f in check_folder(files)} == {Code.HIERARCHY_CONFLICT, Code.SUCCESSOR_UNKNOWN}


# --- reading leniently -------------------------------------------------------------------------------------------


def test_all_malformed_rows_are_listed(tmp_path: Path) -> None:
    files = faulty(
        tmp_path,
        [
            {"revisions.csv": SOUND["revisions.csv"] + "X,f,T\n" + f"Y,f,T,,en,{DIGEST},desk,2024\n"},
            applied(
                "A,p,C,EU,0,10,ok,0,unbounded",
                "A,p,C,EU,x,10,ok,0,unbounded",
                "B,p,C,EU,5,10,ok,0,unbounded",
                "Y,p,C,EU,5,10,ok,0,1",
            ),
            {
                "owners.jsonl": '{"document_family":"f","procedure_id":"p","owner":"\\ud800"}\nnonsense\n{"document_family":"f"}\n'
            },
        ],
    )
    found = [(f.code.value, f.table, f.row) for f in check_folder(files)]
    assert found == [
        ("MALFORMED", "applicability", 3),
        ("DANGLING_REFERENCE", "applicability", 5),
        ("MALFORMED", "owners", 1),
        ("MALFORMED", "owners", 2),
        ("MALFORMED", "owners", 3),
        ("MALFORMED", "revisions", 6),
        ("MALFORMED", "revisions", 7),
    ]
    with pytest.raises(InputError):
        Register.read(files)


def test_a_malformed_row_is_its_owner_s_and_says_nothing_of_others(tmp_path: Path) -> None:
    """What the row would have said is not known, so nobody says that its revision has no row in a scope."""
    first = "A,p,C,EU,0,10,ok,0,unbounded"
    found = check_folder(faulty(tmp_path / "malformed", [applied(first, "B,p,C,EU,x,10,ok,0,unbounded")]))
    assert [(f.code, f.owner) for f in found] == [(Code.MALFORMED, "desk of B")]
    found = check_folder(faulty(tmp_path / "absent", [applied(first)]))
    assert [f.code for f in found] == [Code.SCOPE_MISMATCH]


def test_a_table_that_cannot_be_read_is_one_finding(tmp_path: Path) -> None:
    found = check_folder(faulty(tmp_path, [{"owners.csv": "document_family,procedure,owner\n"}]))
    assert [(f.code.value, f.table, f.row) for f in found] == [("MALFORMED", "owners", 1)]
    with pytest.raises(InputError, match="no such folder"):
        check_folder(tmp_path / "absent")


# --- who sees and who owns ---------------------------------------------------------------------------------------


def test_a_steward_sees_the_own_tenant_and_nobody_else_anything(tmp_path: Path) -> None:
    both = Register.read(
        faulty(
            tmp_path,
            [
                {
                    "revisions.csv": SOUND["revisions.csv"]
                    .replace("D,f,T,a,en", "D,f,U,a,English")
                    .replace("C,f,T,a,en", "C,f,T,a,Deutsch")
                }
            ],
        )
    )
    assert len(both.check(actor=OPERATOR)) == 2
    assert [f.row for f in both.check(actor=Actor("T", {"stewards"}))] == [4]
    assert [f.row for f in both.check(actor=Actor("U", {"stewards"}))] == [5]
    with pytest.raises(ContextError):
        both.check(actor=Actor("T", {"a"}))


def test_the_worklist_groups_by_owner_and_escapes() -> None:
    findings = [
        Finding(Code.GAP, "applicability", 9, "nothing <b>applies</b>", None, "add"),
        Finding(Code.OVERLAP, "applicability", 3, "two apply", "seal desk", "decide"),
        Finding(Code.GAP, "applicability", 2, "nothing applies", "seal desk", "add"),
    ]
    assert {owner: [f.row for f in found] for owner, found in worklist(findings).items()} == {
        "seal desk": [2, 3],
        "(no owner)": [9],
    }
    assert as_text(findings).splitlines()[0] == "seal desk (2)"
    assert "&lt;b&gt;" in as_html(findings)
    assert "<b>" not in as_html(findings)
    assert json.loads(json.dumps(findings[0].mapping()))["code"] == "GAP"


def test_only_what_holds_today_is_checked(tmp_path: Path) -> None:
    """Closed rows are history: what was wrong in them has been corrected."""
    rows = applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded", "C,p,C,EU,5,10,,0,4")
    assert (
        check_folder(faulty(tmp_path, [rows, superseded("B,A,p,C,EU,5,10,ok,0,unbounded", "B,A,p,X,EU,5,10,,0,4")]))
        == []
    )


def test_a_relation_in_a_scope_without_rows_says_what_becomes_of_the_scope(tmp_path: Path) -> None:
    """A recorded successor has no effect there; an unrecorded one keeps the scope from being given out."""
    rows = applied("A,p,C,EU,0,10,ok,0,unbounded", "B,p,C,EU,5,10,ok,0,unbounded", "B,p,C,CH,0,10,ok,0,unbounded")
    for successor, words, status in (
        ("C", "has no row in the scope f / p / C / CH, so the relation has no effect there", Status.RESOLVED),
        ("unknown", "has no row in the scope f / p / C / CH, and the scope is not given out", Status.UNAVAILABLE),
    ):
        relation = superseded("B,A,p,C,EU,5,10,ok,0,unbounded", f"{successor},A,p,C,CH,0,unbounded,ok,0,unbounded")
        folder = faulty(tmp_path / successor, [rows, relation])
        found = [f for f in check_folder(folder) if f.code is Code.SCOPE_MISMATCH and f.message.startswith("A ")]
        assert [f.row for f in found] == [3]
        assert words in found[0].message
        decision = Register.read(folder).resolve(Request(Scope("f", "p", "C", "CH"), at=4), Actor("T", {"a"}))
        assert decision.status is status


def test_a_chain_through_a_revision_without_rows_is_no_mismatch(tmp_path: Path) -> None:
    rows = applied("A,p,C,EU,0,10,ok,0,unbounded", "C,p,C,EU,5,10,ok,0,unbounded")
    chain = superseded("C,B,p,C,EU,5,10,ok,0,unbounded", "B,A,p,C,EU,5,10,ok,0,unbounded")
    assert check_folder(faulty(tmp_path, [rows, chain, TRANSITIVE])) == []
    assert Code.SCOPE_MISMATCH in {f.code for f in check_folder(faulty(tmp_path, [rows, chain]))}
