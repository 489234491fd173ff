"""The pieces of a report's page: whatever a text holds, it is read back as text and the page stays whole."""

from hypothesis import example, given
from hypothesis import strategies as st

from tests.show.pages import Reader
from workbench.errors import visible
from workbench.show.report.page import (
    Marked,
    State,
    code,
    element,
    link,
    listed,
    page,
    paragraph,
    section,
    state,
    table,
    text,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(TEXTS, TEXTS, TEXTS)
@example("</title><script>", "</caption></table>", '"><img src=x onerror=alert(1)>')
@example("\x1b[31m", "\u202e", "&amp;&#60;")
def test_any_text_is_read_back_as_text(title: str, one: str, other: str) -> None:
    cells = [[one, Marked(code(other))], [Marked(link("part", other)), Marked(listed([text(one), text(other)]))]]
    body = section(
        "part",
        f"T {title}",
        paragraph(one, kind=other),
        table(f"C {one}", ["a", f"b {other}"], cells),
        element("p", state(State.FAILS, other)),
    )
    read = Reader(page(f"X {title}", element("h1", text("one")), element("main", body)))
    assert read.broken == []
    [found] = read.tables
    assert found.caption == f"C {visible(one)}"
    assert found.rows[0] == [visible(one), visible(other)]
    assert found.head == ["a", f"b {visible(other)}"]
    assert read.headings[-1] == (2, f"T {visible(title)}")


def test_a_state_is_a_word_before_it_is_a_colour() -> None:
    assert [Reader(page("t", element("h1", state(one)))).headings[0][1] for one in State] == [
        *("✓ holds", "✗ fails", "– not shown"),
    ]
