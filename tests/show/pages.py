"""A strict reader of a report's page: what it holds, and every rule of the page that it breaks."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"meta", "img", "br"}
ALLOWED = VOID | set(
    "html head title style body header nav main section article h1 h2 h3 p ul ol li a strong span code mark div table "
    "caption thead tbody tr th td figure figcaption".split()
)
ATTRIBUTES = set(
    "id class lang href src alt style scope role tabindex aria-label aria-labelledby charset content name "
    "http-equiv".split()
)


@dataclass
class Table:
    """A table as read: its caption, its head, and the text of each row's cells."""

    caption: str = ""
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


class Reader(HTMLParser):
    """Reads one page; ``broken`` lists what is against the rules."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.broken: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.tables: list[Table] = []
        self.labels: list[str] = []
        self.language = ""
        self.words: list[str] = []
        self.feed(page)
        self.close()
        if self.open:
            self.broken.append(f"left open: {self.open}")
        if len(self.ids) != len(set(self.ids)):
            self.broken.append("an id is there twice")
        self.broken += [f"leads nowhere: {to}" for to in self.targets if to not in self.ids]
        self.broken += [f"names nothing: {to}" for to in self.labels if to not in self.ids]
        levels = [level for level, _ in self.headings]
        if levels[:1] != [1] or levels.count(1) != 1 or any(b > a + 1 for a, b in pairwise(levels)):
            self.broken.append(f"headings out of order: {levels}")
        self.broken += [f"no caption: {table.head}" for table in self.tables if not table.caption]
        self.broken += [f"a column without a name: {table.caption}" for table in self.tables if not all(table.head)]
        regions = [table.caption for table in self.tables] + [said for level, said in self.headings if level == 2]
        self.broken += [f"two parts are called {one}" for one in set(regions) if regions.count(one) > 1]

    def handle_decl(self, decl: str) -> None:
        if decl != "DOCTYPE html":
            self.broken.append(f"another document type: {decl}")

    def handle_comment(self, data: str) -> None:
        self.broken.append("a comment")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in ALLOWED or len(given) != len(attrs):
            self.broken.append(f"not allowed: <{tag}> {given}")
        self.broken += [f"not allowed: {name} of <{tag}>" for name in given if name not in ATTRIBUTES]
        if "url(" in given.get("style", ""):
            self.broken.append("a style that loads")
        self._led(tag, given)
        if tag == "html":
            self.language = given.get("lang", "")
        if tag == "th" and given.get("scope") not in ("col", "row"):
            self.broken.append("a header cell without scope")
        if tag == "img" and not given.get("alt"):
            self.broken.append("a picture without words")
        if tag == "table":
            self.tables.append(Table())
        if tag == "tr" and self.open[-1:] == ["tbody"]:
            self.tables[-1].rows.append([])
        if tag in ("td", "th") and "tbody" in self.open:
            self.tables[-1].rows[-1].append("")
        if tag == "th" and "thead" in self.open:
            self.tables[-1].head.append("")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))
        if tag not in VOID:
            self.open.append(tag)

    def _led(self, tag: str, given: dict[str, str]) -> None:
        if "id" in given:
            self.ids.append(given["id"])
        if "aria-labelledby" in given:
            self.labels.append(given["aria-labelledby"])
        if "href" in given:
            if not given["href"].startswith("#"):
                self.broken.append(f"leads outside: {given['href']}")
            self.targets.append(given["href"][1:])
        if "src" in given and not given["src"].startswith("data:image/png;base64,"):
            self.broken.append(f"loads: {given['src'][:60]}")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.broken.append(f"closed out of order: {tag}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if "caption" in self.open:
            self.tables[-1].caption += data
        elif "thead" in self.open:
            self.tables[-1].head[-1] += data
        elif "tbody" in self.open and self.tables[-1].rows[-1]:
            self.tables[-1].rows[-1][-1] += data
        if any(re.fullmatch("h[1-6]", tag) for tag in self.open):
            level, said = self.headings[-1]
            self.headings[-1] = (level, said + data)

    @property
    def text(self) -> str:
        """Everything that is read, in order."""
        return "".join(self.words)

    def table(self, caption: str) -> Table:
        """The table whose caption begins so."""
        return next(table for table in self.tables if table.caption.startswith(caption))
