"""A citation opens its source: the page with the quote marked, or the text around it (contract 2.11; S0).

What is shown is of the cited document alone, and only to whoever may read it. A file that is missing or was changed is
said by name, and the text is shown instead: never another file, never a place outside the corpus folder.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from workbench.cards import INK, PAPER
from workbench.contract import Actor, Citation, Document, Hit, Spans, Verdict
from workbench.convert.cited import Cited, place_of, source_bytes
from workbench.convert.provenance import FILE
from workbench.errors import EvidenceError, InputError, visible
from workbench.evidence.citations import UNAVAILABLE, resolve_citation
from workbench.evidence.corpus import Corpus
from workbench.evidence.cuts import Paragraphs, Passage
from workbench.evidence.labels import parse
from workbench.intervals import Interval
from workbench.pipeline.manifest import FORMAT, Manifest, ManifestError

MOST_PAGES: Final = 2
"""Pictures of a quote that goes on over more pages than these are not drawn; its pages are named."""
MOST_PICTURE: Final = 1_500_000
"""A picture of more bytes is drawn again at half the size, as for a page that is a photograph."""
MOST_NAMED: Final = 3
MOST_QUOTED: Final = 20_000
MOST_AROUND: Final = 600
_OPEN: Final = f'<div class="wb-source" style="color:{INK};background:{PAPER};padding:0.4em">'
NOTHING: Final = f'{_OPEN}<p class="wb-source-note">unavailable</p></div>'
_MARK: Final = "background:#ffd600;color:#000"
_GREY: Final = "color:#595959"
_PRE: Final = "white-space:pre-wrap;overflow-wrap:anywhere;margin:0.4em 0"


def source_html(
    corpus: Corpus,
    cited: Hit | Citation | Manifest | Mapping[str, object],
    *,
    actor: Actor | None = None,
    folder: str | Path | None = None,
) -> str:
    """The citation's source as an HTML fragment: the page's picture or the text, the quote marked, its place named.

    A PDF gives the picture of the page (PNG, inline) with page, table, row and column; HTML the element's path and id;
    Markdown and text the lines; these and a corpus without provenance the paragraph, with its neighbours in grey.
    Under a decision for parts of a document only, the other parts are neither quoted nor legible in the picture.

    A :class:`Hit` is what a view gave, so ``actor`` may be left out. Anything that was written down (a citation, a
    manifest, or the mapping of one) needs ``actor``: TypeError without. Where ``resolve_citation`` does not hold today,
    the fragment says ``unavailable`` and nothing else. ``folder`` is the corpus folder, by default the one that the
    corpus was read from. Of a manifest whose parts do not fit each other nothing is shown but that. Whether its
    decision still holds is for ``verify`` to say, with a register; its label is shown as what the manifest says.

    Everything is escaped, there is no script and no reference to anything else, and the size is bounded (about 4 MB).

    >>> from workbench.contract import Actor, Document
    >>> corpus = Corpus([Document("a", "nord", frozenset({"wartung"}), "1", "Halle <2>\\n\\nZwei Personen.")])
    >>> mechanic = Actor("nord", {"wartung"})
    >>> [hit] = corpus.view(mechanic).search("Personen")
    >>> print(source_html(corpus, hit))
    <div class="wb-source"...color:#595959">Halle &lt;2&gt;</p>...<mark ...>Zwei Personen.</mark>...</div>
    >>> "unavailable" in source_html(corpus, hit.citation(), actor=Actor("nord", {"leitung"}))
    True
    """
    citation: Hit | Citation | Mapping[str, object]
    if isinstance(cited, Mapping) and cited.get("format") == FORMAT:
        try:
            cited = Manifest.of(cited)
        except ManifestError:
            return NOTHING
    citation = cited.citation if isinstance(cited, Manifest) else cited
    if actor is not None:
        verdict = resolve_citation(actor, citation, corpus)
    elif isinstance(citation, Hit):
        verdict = _standing(corpus, citation)
    else:
        raise TypeError("only a hit may be opened without an actor; a citation is checked against today's access")
    if not verdict.ok:
        return NOTHING
    if isinstance(cited, Manifest) and (altered := _altered(cited)):
        return f'<div class="wb-source"><p class="wb-source-note">{_safe(altered)}</p></div>'
    given = citation if isinstance(citation, Mapping) else _mapping(citation)
    document = _document(corpus, given)
    span = _span(document.text, given)
    label = "historical: this text has been replaced" if verdict.historical else ""
    if isinstance(cited, Manifest):
        label = f"as the manifest says: {cited.label_after(verdict)}"
    place, notes, pictures = _opened(corpus.folder if folder is None else Path(folder), given, document)
    parts = [f'<p class="wb-source-label"><strong>{_safe(label)}</strong></p>'] if label else []
    where = _safe(" · ".join([document.id, f"version {document.version}", *place]))
    parts.append(f'<p class="wb-source-place">{where}</p>')
    parts += [f'<p class="wb-source-note">{_safe(note)}</p>' for note in notes]
    parts += pictures or [_text(document.text, span, _spans(given))]
    return f"{_OPEN}{''.join(parts)}</div>"


def _standing(corpus: Corpus, citation: Hit) -> Verdict:
    """Whether what a view gave still stands in the corpus, word for word; whose it is the view has checked."""
    document = corpus.get(citation.document_id)
    if document is None or (document.version, corpus.fingerprint(document.id)) != (
        citation.version,
        citation.content_sha256,
    ):
        return UNAVAILABLE
    return Verdict(document.text[citation.start : citation.end] == citation.quote)


def _altered(manifest: Manifest) -> str | None:
    """What of a manifest contradicts itself; it takes no register to see that."""
    context, citation = manifest.context, manifest.citation
    if context is None:
        return None
    if context.computed_id() != manifest.context_id:
        return "context_mismatch: this manifest was altered, so nothing is shown of it"
    allowed = {(one.document_id, one.content_sha256, one.spans) for one in context.allowed}
    if (citation.document_id, citation.content_sha256, citation.within) not in allowed:
        return "scope_mismatch: the citation is not of what this manifest's decision allows, so nothing is shown of it"
    return None


def _mapping(citation: Hit | Citation) -> Mapping[str, object]:
    return (citation.citation() if isinstance(citation, Hit) else citation).mapping()


def _document(corpus: Corpus, given: Mapping[str, object]) -> Document:
    """The state of the document that the citation is of: today's, or an archived one."""
    key = (str(given["document_id"]), str(given["version"]), str(given["content_sha256"]))
    document = corpus.state.documents[key[0]]
    if (document.version, corpus.fingerprint(document.id)) == key[1:]:
        return document
    return corpus.state.archive[key]


def _span(text: str, given: Mapping[str, object]) -> Interval:
    start, end, number = given.get("start"), given.get("end"), given.get("paragraph")
    if isinstance(start, int) and isinstance(end, int):
        return Interval(start, end)
    cut, label = Paragraphs(), given.get("cut")
    found = (cut if label is None else parse(str(label)) or cut).passage(text, int(str(number)), _spans(given))
    assert found is not None  # it has been resolved
    return Interval(found.start, found.end)


def _spans(given: Mapping[str, object]) -> Spans | None:
    """The parts of the document that the citation's decision allows; ``None`` for all of it."""
    within = given.get("within")
    return tuple(Interval(*span) for span in within) if isinstance(within, list | tuple) else None


def _opened(
    folder: Path | None, given: Mapping[str, object], document: Document
) -> tuple[list[str], list[str], list[str]]:
    """The words that name the place, what has to be said, and the pictures of the pages, where there are any."""
    if folder is None or not (folder / FILE).is_file():
        return [], [], []  # a corpus of texts has no sources, and its text is all there is
    try:
        cited = place_of(folder, given)
    except (InputError, EvidenceError, ValueError, LookupError, TypeError, OSError) as error:
        return [], [f"its place in the source is not known: {_reason(error)}; this is its text"], []
    place = _place(cited)
    try:
        if cited.kind == "pdf":
            return place, [], _pictures(folder, cited, document.text[cited.start : cited.end])
        source_bytes(folder, cited)
        return place, [], []
    except (InputError, OSError) as error:
        return place, [f"the source cannot be shown: {_reason(error)}; this is its text"], []
    except ImportError as error:
        return place, [f"a page's picture needs {error.name}: pip install 'workbench[convert]'; this is its text"], []


def _reason(error: Exception) -> str:
    if isinstance(error, InputError | EvidenceError):
        return str(error)
    return f"its provenance cannot be read ({type(error).__name__})"


def _place(cited: Cited) -> list[str]:
    """The place in words: file, page, table with rows and columns, element, lines."""
    words = [f"file {cited.file or cited.source}"]
    if cited.pages:
        words.append(_several("page", cited.pages))
    for path, name, line in cited.elements[:MOST_NAMED]:
        words.append(f"element {path}{f', id {name}' if name else ''}, line {line}")
    if len(cited.elements) > MOST_NAMED:
        words.append(f"and {len(cited.elements) - MOST_NAMED} elements more")
    if cited.lines:
        words.append(_several("line", sorted({line.line for line in cited.lines})))
    values = sorted(cell for cell in cited.cells if cell not in cited.headings) or sorted(cited.cells)
    rows = [(row, _several("column", [c.column for c in cells])) for row, cells in groupby(values, lambda c: c[:2])]
    names = {number: f" ({_short(caption, 120)})" for number, caption in cited.captions if caption}
    words += [f"table {t}{names.get(t, '')}, row {row}, {columns}" for (t, row), columns in rows[:MOST_NAMED]]
    if len(rows) > MOST_NAMED:
        words.append(f"and {len(rows) - MOST_NAMED} rows more")
    return words


def _several(what: str, numbers: Iterable[int]) -> str:
    """Numbers as runs: lines 3 to 5 and 9.

    >>> _several("line", [3, 4, 5, 9]), _several("page", [2])
    ('lines 3–5, 9', 'page 2')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}–{r[-1]}" for r in runs)
    return f"{what}{'' if len(runs) == 1 and len(runs[0]) == 1 else 's'} {said}"


def _pictures(folder: Path, cited: Cited, quote: str) -> list[str]:
    from workbench.convert.picture import SCALE, page_picture  # needs the extra

    made = []
    for page in cited.pages[:MOST_PAGES]:
        raw = page_picture(folder, cited, page=page, scale=None)
        if len(raw) > MOST_PICTURE:
            raw = page_picture(folder, cited, page=page, scale=SCALE / 2)
        alt = _safe(f"Page {page} of {cited.file}, marked in yellow: {_short(quote)}")
        data = base64.b64encode(raw).decode("ascii")
        made.append(
            f'<figure style="margin:0.4em 0"><img src="data:image/png;base64,{data}" alt="{alt}" '
            f'style="max-width:100%;height:auto;border:1px solid #767676">'
            f"<figcaption>Page {page}, the quote marked in yellow{_covered(cited, page)}</figcaption></figure>"
        )
    return made


def _covered(cited: Cited, page: int) -> str:
    others = any(box.page == page for box in cited.outside)
    return "; covered in grey is all but what this decision is about" if others else ""


def _text(text: str, span: Interval, within: Spans | None) -> str:
    """The paragraphs of the quote with the quote marked, and the one before and after it in grey."""
    searchable = list(Paragraphs().passages(text))
    mine = [p for p in searchable if p.start < span.end and p.end > span.start]
    if not mine:
        return ""
    around = [p for p in (searchable.index(mine[0]) - 1, searchable.index(mine[-1]) + 1) if 0 <= p < len(searchable)]
    shown = {searchable[at] for at in around if within is None or any(s.covers(_of(searchable[at])) for s in within)}
    made, left = [], MOST_QUOTED
    for passage in sorted({*mine, *shown}):
        if passage in shown:
            words = text[passage.start : passage.end]  # of a long one, the part that is next to the quote
            words = _short(words, MOST_AROUND, tail=passage.start < span.start)
            made.append(f'<p style="{_PRE};{_GREY}">{_safe(words)}</p>')
            continue
        start, end = max(passage.start, span.start), min(passage.end, span.end)
        quote = text[start : min(end, start + left)]
        left -= len(quote)
        more = f" … {end - start - len(quote)} characters more" if len(quote) < end - start else ""
        before = _short(text[passage.start : start], MOST_AROUND, tail=True)
        after = _short(text[end : passage.end], MOST_AROUND)
        if quote:
            made.append(
                f'<p style="{_PRE}">{_safe(before)}<mark style="{_MARK}">{_safe(quote)}</mark>{more}{_safe(after)}</p>'
            )
    return "".join(made)


def _of(passage: Passage) -> Interval:
    return Interval(passage.start, passage.end)


def _short(text: str, most: int = 300, *, tail: bool = False) -> str:
    """At most so many characters of a text, of its beginning or its end."""
    if len(text) <= most:
        return text
    return f"… {text[-most:]}" if tail else f"{text[:most]} …"


def _safe(text: str) -> str:
    return html.escape(visible(text, keep="\n\t"))
