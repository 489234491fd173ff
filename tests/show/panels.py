"""What a test reads of a panel: all its widgets, and the tags, roles and words of their HTML."""

from html.parser import HTMLParser

import ipywidgets


class Page(HTMLParser):
    """The tags, attributes, roles and words of a piece of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.roles: set[str] = set()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.add(tag)
        self.attributes.update(given)
        self.found.append((tag, given))
        if given.get("role"):
            self.roles.add(given["role"])

    def handle_data(self, data):
        self.words += data


def page_of(widget: ipywidgets.HTML) -> Page:
    return Page(widget.value)


def words_of(widget: ipywidgets.HTML) -> str:
    return page_of(widget).words


def widgets_in(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """The widget and all inside it."""
    return [widget, *(inner for child in getattr(widget, "children", ()) for inner in widgets_in(child))]


def text_in(widget: ipywidgets.Widget) -> str:
    """All that a widget and those inside it send to a page; of a list its labels, for its values stay in the kernel."""
    said = []
    for each in widgets_in(widget):
        state = each.get_state()
        said += [state.get(name, "") for name in ("value", "description", "tooltip")]
        said += state.get("_options_labels", ())
    return "\n".join(one for one in said if isinstance(one, str))
