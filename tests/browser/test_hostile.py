"""A hostile document, with hostile names around it, is text: in each panel and display it executes and asks nothing."""

import csv
import json
from hashlib import sha256
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.desk import POLLING, Lab, press, run

PAYLOADS = [
    "<script>window.pwned='script'</script>",
    "<img src=pwned.png onerror=\"window.pwned='img'\">",
    "<iframe src=\"javascript:parent.pwned='iframe'\"></iframe>",
    "<iframe srcdoc=\"<script>parent.pwned='srcdoc'</script>\"></iframe>",
    "<a href=\"javascript:window.pwned='link'\">klick</a>",
    "<svg onload=\"window.pwned='svg'\"><circle r=9></svg>",
    "<style>body{display:none!important}</style>",
    "<link rel=stylesheet href=http://evil.example/pwned.css>",
    "<base href=http://evil.example/>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<form action=http://evil.example/><button autofocus>x</button></form>",
    "</td></table></div><script>window.pwned='closed'</script>",
    "\" autofocus onfocus=\"window.pwned='attribute'",
    "' onmouseover='window.pwned=1",
    "</script><script>window.pwned='json'</script>",
    "$\\href{javascript:window.pwned='math'}{x}$",
    "[x](javascript:window.pwned='markdown') ![x](http://evil.example/x.png)",
    "\x1b[31mrot\x1b[0m \x1b]8;;http://evil.example/\x07klick\x1b]8;;\x07",
    "\u202etxet neddih\u202c \u200b\u2066x\u2069",
    "&lt;script&gt;window.pwned='entity'&lt;/script&gt;",
]
HOSTILE = " ".join(PAYLOADS)
NAME = "n<img src=pwned.png onerror=\"window.pwned='name'\">'\"</script><script>window.pwned='name'</script>"
TEXT = "\n\n".join(f"Anzug {number}: {HOSTILE}" for number in range(3))

CELLS = [
    """
import workbench as wb
corpus, register = wb.Corpus.read("hostile/corpus"), wb.Register.read("hostile/register")
actor = wb.Actor("werk", {"w"})
name = register.revisions and next(iter(register.revisions.values())).family
scope = wb.Scope(name, name, name, "EU")
wb.widgets.search(corpus, actor=actor, register=register, scope=scope, at=1, query="Anzug")
""",
    'wb.widgets.search(corpus, actor=actor, register=register, scope=wb.Scope(name, name, name, "US"), at=1)',
    "wb.widgets.validity(register, actor=actor, scope=scope, at=1)",
    "wb.widgets.validity_slider(register, scope, actor=actor, at=1)",
    'wb.widgets.tuner(corpus, wb.read_questions("hostile/questions.jsonl"), actor=actor)',
    "decision = register.resolve(wb.Request(scope, at=1), actor)\ndecision",
    'register.resolve(wb.Request(wb.Scope(name, name, name, "US"), at=1), actor)',
    'hit = corpus.view(actor, decision).search("Anzug")[0]\nhit',
    "manifest = wb.cite(hit, decision)\nmanifest",
    "wb.verify(manifest, actor, corpus, register)",
    "from IPython.display import HTML\nHTML(wb.source_html(corpus, manifest, actor=actor))",
    "corpus.get(hit.document_id)",
    "actor, scope, name, hit.quote",
    "print(corpus.get(hit.document_id).text)",
]


def write(folder: Path, rows: list[dict[str, str]]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_world(folder: Path) -> None:
    """A corpus and a register whose texts and names are all hostile; one scope resolves, one has rivals."""
    names = [f"{NAME}{number}" for number in range(3)]
    common = {"tenant": "werk", "groups": "w"}
    documents = [{"id": name, **common, "version": NAME, "language": "de", "text": TEXT} for name in names]
    write(folder / "corpus" / "documents.csv", documents)
    digest = sha256(TEXT.encode()).hexdigest()
    more = {"document_family": NAME, **common, "source_language": "de", "source_digest": digest}
    more |= {"owner": NAME, "imported_at": "2026-11-09"}
    write(folder / "register" / "revisions.csv", [{"revision_id": name, **more} for name in names])
    span = {"valid_from": "0", "valid_to": "unbounded", "recorded_from": "0", "recorded_to": "unbounded"}
    where = {"procedure_id": NAME, "asset_configuration": NAME, "approval_ref": NAME, **span}
    rows = [{"revision_id": names[0], "region": "EU"}, *({"revision_id": name, "region": "US"} for name in names[1:])]
    write(folder / "register" / "applicability.csv", [{**row, **where} for row in rows])
    heads = "superseding superseded procedure_id asset_configuration region effective_from effective_to approval_ref"
    (folder / "register" / "supersessions.csv").write_text(",".join(heads.split()) + ",recorded_from,recorded_to\n")
    (folder / "register" / "equivalences.csv").write_text(
        "equivalence_id,edition,of_revision,language,review_ref,recorded_from,recorded_to\n"
    )
    settings = ["name", "owner"]
    told = "\n".join(f"{key} = {json.dumps(HOSTILE, ensure_ascii=True)}" for key in settings)
    (folder / "register" / "register.toml").write_text(
        f'{told}\ntime = "logical"\nhistory_from = 0\nrules = "direct"\nrules_version = "1"\ngaps = "allowed"\n'
        'whole_documents = true\nsource_language = "refused"\nstewards = ["redaktion"]\n'
    )
    gold = [{"document_id": names[0], "start": 0, "end": 20}]
    asked = (
        f"Anzug {' '.join(payload for payload in PAYLOADS if payload.isprintable())}"  # others are refused as queries
    )
    question = {"question_id": NAME, "question": asked, "kind": "answerable", "gold": gold, "tags": [NAME]}
    (folder / "questions.jsonl").write_text(json.dumps(question) + "\n")


def test_nothing_hostile_runs_or_asks(lab: Lab, page: Page, pictures: Path) -> None:
    write_world(lab.folder / "hostile")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    run(page, lab.url(lab.write("hostile.ipynb", *CELLS)))

    quotes = page.locator(".wb-search-quote")
    expect(quotes).to_have_count(3)
    for words in ("verify", "open", "place"):
        page.locator(f".wb-search-{words}").nth(0).click()
    expect(page.locator(".wb-search-source").first).to_contain_text("<script>")
    press(page, "wb-asof", "ArrowRight")
    press(page, "wb-validity-asof", "ArrowLeft")
    press(page, "wb-tuner-size", "ArrowRight")
    expect(page.locator(".wb-tuner-before")).to_contain_text("<script>")
    for quote in quotes.all():
        quote.hover()

    outputs = page.locator(".jp-OutputArea-output")
    assert outputs.count() >= len(CELLS)
    for planted in (
        "script",
        "iframe",
        "svg:has(circle)",
        "img[src*=pwned]",
        "img[src*=evil]",
        "link",
        "base",
        "meta",
        "form",
        "[onerror], [onload], [onfocus], [onmouseover]",
        "a[href^=javascript]",
        ":is(.jp-RenderedHTMLCommon, .jupyter-widgets) a[href*=evil]",  # plain text is made a link by JupyterLab
    ):
        assert outputs.locator(planted).count() == 0, planted
    assert page.evaluate("window.pwned") is None
    assert [url for url in asked if "pwned" in url or "evil" in url] == []
    expect(page.locator(".jp-NotebookPanel")).to_be_visible()

    shown = " ".join(page.locator(".wb-search, .wb-validity, .wb-tuner, .wb-slider").all_inner_texts())
    for payload in PAYLOADS[:12]:
        assert payload in " ".join(page.locator(".wb-search-hits").first.inner_text().split()), payload
    for hidden in ("\x1b", "\u202e", "\u200b", "\u2066"):
        assert hidden not in shown
    assert "⟨U+202E⟩" in shown
    page.screenshot(path=pictures / "hostile.png")


def test_the_sentinel_sees_what_does_run(lab: Lab, page: Page) -> None:
    careless = f"from ipywidgets import HTML\nHTML({PAYLOADS[1]!r})"
    run(page, lab.url(lab.write("careless.ipynb", careless)))
    page.wait_for_function("window.pwned === 'img'", polling=POLLING)
