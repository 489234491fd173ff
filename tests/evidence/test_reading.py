import hashlib
import json

import polars as pl
import pytest

from workbench.contract import Actor, Document
from workbench.errors import InputError
from workbench.evidence.corpus import Corpus

HEADER = "id,tenant,groups,version,language,text\n"
GOOD = {"id": "a", "tenant": "nord", "groups": ["wartung", "leitung"], "version": "1", "language": None, "text": "Eins"}


def write(folder, name, text):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def refusal(folder):
    with pytest.raises(InputError) as caught:
        Corpus.read(folder)
    assert "\n" not in str(caught.value)
    return caught.value


def test_three_formats_say_the_same(tmp_path):
    rows = [GOOD, {**GOOD, "id": "b", "language": "de", "text": 'Zwei, "drei"\n\nvier'}]
    for name in ("csv", "jsonl", "parquet"):
        (tmp_path / name).mkdir()
    quoted = '"Zwei, ""drei""\n\nvier"'
    write(
        tmp_path / "csv",
        "documents.csv",
        HEADER + f"a,nord,wartung;leitung,1,,Eins\nb,nord,wartung;leitung,1,de,{quoted}\n",
    )
    write(tmp_path / "jsonl", "documents.jsonl", "\n".join(json.dumps(row) for row in rows))
    pl.DataFrame(rows, schema_overrides={"language": pl.String}).write_parquet(
        tmp_path / "parquet" / "documents.parquet"
    )
    corpora = [Corpus.read(tmp_path / name) for name in ("csv", "jsonl", "parquet")]
    assert corpora[0].documents == corpora[1].documents == corpora[2].documents
    assert len({corpus.digest for corpus in corpora}) == 1
    assert corpora[0].get("b").language == "de"
    assert corpora[0].get("nirgends") is None


@pytest.mark.parametrize(
    ("text", "row", "column"),
    [
        (HEADER + "a,nord,g,1,,x\na,nord,g,1,,y\n", 3, "id"),
        (HEADER + "a,nord,g,1,,\n", 2, "text"),
        (HEADER + "a,nord,,1,,x\n", 2, "groups"),
        (HEADER + ",nord,g,1,,x\n", 2, "id"),
        (HEADER + "a,nord,g,1\n", 2, None),
        (HEADER.replace("groups", "grops") + "a,nord,g,1,,x\n", 1, "grops"),
        ("id,tenant,version,text\na,nord,1,x\n", 1, "groups"),
        ("id,tenant,groups,version,text,path\na,nord,g,1,x,x.txt\n", 2, "path"),
        ("id,tenant,groups,version,text,path\na,nord,g,1,,\n", 2, "text"),
        ("id,tenant,groups,version,path\na,nord,g,1,fehlt.txt\n", 2, "path"),
        ("id,tenant,groups,version,path\na,nord,g,1,/etc/hostname\n", 2, "path"),
        ("id,tenant,groups,version,path\na,nord,g,1,../geheim.txt\n", 2, "path"),
        ("id,tenant,groups,version,path\na,nord,g,1,in/../../geheim.txt\n", 2, "path"),
        ("id,tenant,groups,version,path\na,nord,g,1,C:\\geheim.txt\n", 2, "path"),
        ("id,tenant,groups,version,path\na,nord,g,1,link.txt\n", 2, "path"),
        ("id,tenant,groups,version,path\na,nord,g,1,linked/geheim.txt\n", 2, "path"),
        ("id,tenant,groups,version,path\na,nord,g,1,latin1.txt\n", 2, "path"),
        (HEADER.encode() + b"a,nord,g,1,,\xff\n", 2, None),
    ],
)
def test_an_error_names_its_place(tmp_path, text, row, column):
    folder = tmp_path / "corpus"
    folder.mkdir()
    write(tmp_path, "geheim.txt", "geheim")
    write(folder, "latin1.txt", "für".encode("latin-1"))
    (folder / "link.txt").symlink_to(tmp_path / "geheim.txt")
    (folder / "linked").symlink_to(tmp_path)
    write(folder, "documents.csv", text)
    error = refusal(folder)
    assert (error.file, error.row, error.column) == ("documents.csv", row, column)
    assert "geheim" not in (error.message or "")


def test_a_binary_file_is_no_corpus(tmp_path):
    write(tmp_path, "documents.csv", b"\x00\x01\x02\xff")
    assert "UTF-8" in refusal(tmp_path).message


def test_a_path_says_plainly_where_it_leads(tmp_path):
    (tmp_path / "in").mkdir()
    write(tmp_path, "a.txt", "Eins")
    for path in ("in/../a.txt", str(tmp_path / "a.txt"), "in\\..\\a.txt"):
        write(tmp_path, "documents.csv", f"id,tenant,groups,version,path\na,nord,g,1,{path}\n")
        assert "leads out of the folder" in refusal(tmp_path).message


def test_a_lone_surrogate_is_refused(tmp_path):
    write(tmp_path, "documents.jsonl", json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "id": "b", "text": "x\ud800"}))
    error = refusal(tmp_path)
    assert (error.row, error.column) == (2, "text")
    assert "surrogate" in error.message


def test_wrong_types_are_refused(tmp_path):
    for column, value in [("id", 3), ("text", 3), ("groups", 3), ("groups", [3]), ("version", 1), ("language", 1)]:
        write(tmp_path, "documents.jsonl", json.dumps({**GOOD, column: value}))
        assert refusal(tmp_path).column == column


def test_missing_folder_and_table(tmp_path):
    assert "no such folder" in str(refusal(tmp_path / "fehlt"))
    assert "documents.csv" in str(refusal(tmp_path))
    write(tmp_path, "documents.csv", HEADER)
    assert len(Corpus.read(tmp_path)) == 0
    write(tmp_path, "documents.jsonl", "")
    assert "more than once" in str(refusal(tmp_path))


def test_a_path_is_read_as_it_is(tmp_path):
    raw = "Über\r\n\r\nalles".encode()
    (tmp_path / "texte").mkdir()
    write(tmp_path / "texte", "a.txt", raw)
    write(tmp_path, "documents.csv", "id,tenant,groups,version,path\na,nord,g,1,texte/a.txt\n")
    corpus = Corpus.read(tmp_path)
    assert corpus.get("a").text.encode() == raw
    assert corpus.fingerprint("a") == hashlib.sha256(raw).hexdigest()


def test_a_folder_of_texts(tmp_path):
    (tmp_path / "b").mkdir()
    write(tmp_path, "a.txt", "Eins")
    write(tmp_path / "b", "c.md", "Zwei")
    write(tmp_path, "bild.png", b"\xff")
    corpus = Corpus.from_texts(tmp_path, tenant="nord", groups={"g"}, version="7", language="de")
    assert [(d.id, d.text) for d in corpus.documents] == [("a.txt", "Eins"), ("b/c.md", "Zwei")]
    assert corpus.get("a.txt") == Document("a.txt", "nord", frozenset({"g"}), "7", "Eins", "de")
    write(tmp_path, "d.txt", b"\xff")
    with pytest.raises(InputError, match=r"d\.txt.*UTF-8"):
        Corpus.from_texts(tmp_path, tenant="nord", groups={"g"}, version="7")
    (tmp_path / "d.txt").unlink()
    outside = tmp_path.parent / "aussen.txt"
    outside.write_text("aussen")
    (tmp_path / "e.txt").symlink_to(outside)
    with pytest.raises(InputError, match="leads out"):
        Corpus.from_texts(tmp_path, tenant="nord", groups={"g"}, version="7")
    (tmp_path / "leer").mkdir()
    with pytest.raises(InputError, match="no text"):
        Corpus.from_texts(tmp_path / "leer", tenant="nord", groups={"g"}, version="7")


def test_fifty_megabytes(tmp_path):
    text = ("Wartung der Pumpe. " * 500 + "\n\n") * 5_300 + "Nadel im Heuhaufen"
    assert len(text) > 50_000_000
    write(tmp_path, "gross.txt", text)
    corpus = Corpus.from_texts(tmp_path, tenant="nord", groups={"g"}, version="1")
    [hit] = corpus.view(Actor("nord", {"g"})).search("nadel")
    assert (hit.paragraph, hit.quote) == (5_301, "Nadel im Heuhaufen")
