"""Tables that a typesetter breaks over pages are one again, and each row stands on its own page."""

import io
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Table

from core.domain import Document, Parsed
from core.ingest.chunker import Chunker
from tests.ingest.parsers.conftest import Reads

BODY = getSampleStyleSheet()["BodyText"]
HEADER = ("Lot", "Tool", "Started", "Wafers", "Yield (%)")
RULED = [("GRID", (0, 0), (-1, -1), 0.5, "black")]
BANDED = [("LINEABOVE", (0, 0), (-1, 0), 1, "black"), ("LINEBELOW", (0, 0), (-1, 0), 0.5, "black")]
STYLES = {"ruled": RULED, "unruled": [], "banded": BANDED}
PER_PAGE = 33  # rows, header included, that fit a page


def lots(first: int, count: int) -> list[tuple[str, ...]]:
    return [
        (
            f"L{n:04}",
            f"ETCH-{n % 7:02}",
            f"2025-03-{n % 28 + 1:02}",
            str(20 + n % 5),
            f"{80 + n % 17}.{n % 9 + 1}",
        )
        for n in range(first, first + count)
    ]


def table(rows: Sequence[Sequence[str]], style: str, *, repeat: int = 0, wide: int = 90) -> Table:
    return Table(rows, colWidths=[wide] * len(rows[0]), rowHeights=18, repeatRows=repeat, style=STYLES[style])


def typeset(*parts: Flowable, head: Callable[[int], str] | None = None) -> bytes:
    """Return a PDF; `head` says what stands at the top of each page, its number at the foot."""

    def margins(page: Canvas, _: SimpleDocTemplate) -> None:
        page.setFont("Helvetica", 7)
        if head is not None:
            page.drawString(60, 775, head(page.getPageNumber()))
            page.drawCentredString(300, 25, f"Page {page.getPageNumber()}")

    tables_of = io.BytesIO()
    made = SimpleDocTemplate(
        tables_of, pagesize=(600, 800), leftMargin=60, rightMargin=60, topMargin=80, bottomMargin=80
    )
    made.build(list(parts), onFirstPage=margins, onLaterPages=margins)
    return tables_of.getvalue()


def tables_of(parsed: Parsed) -> list[tuple[str, int]]:
    """Return each table by the name of its first column, with its rows."""
    return [(each.columns[0].name, len(each.rows)) for each in parsed.tables]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("repeat", [0, 1])
@pytest.mark.parametrize("margins", [False, True])
def test_a_table_of_three_pages_is_one(reads: Reads, style: str, repeat: int, margins: bool) -> None:
    rows = lots(1, 80)
    whole = table([HEADER, *rows], style, repeat=repeat)
    parsed = reads("a.pdf", typeset(whole, head=(lambda n: "Lots of the quarter") if margins else None))
    assert parsed.pages == 3
    (found,) = parsed.tables
    assert [column.name for column in found.columns] == ["Lot", "Tool", "Started", "Wafers", "Yield"]
    assert [row[0] for row in found.rows] == [row[0] for row in rows]
    assert [part.page for part in found.location.parts] == [0, 1, 2]
    assert [box.page for box in found.location.boxes] == [0, 1, 2]
    spans = [part.rows for part in found.location.parts]
    assert spans[0][0] == 0 and spans[-1][1] == 79
    assert all(before[1] + 1 == after[0] for before, after in pairwise(spans))
    on_last = {row[0] for row in found.rows[spans[2][0] :]}
    assert set(re.findall(r"L\d{4}", parsed.blocks[-1].text)) >= on_last


def test_each_row_is_cited_on_the_page_it_stands_on(reads: Reads) -> None:
    parsed = reads("a.pdf", typeset(table([HEADER, *lots(1, 80)], "ruled", repeat=1)))
    document = Document(id="d" * 20, title="Lots", media_type=parsed.media_type, name="a.pdf")
    cut = Chunker(lambda text: len(text.split()) + 2, 256).chunk(document, parsed)
    ((card, _),) = cut.tables
    starts = [part.rows[0] for part in card.location.parts]
    pages = {}
    for chunk in cut.chunks:
        for code in re.findall(r"L\d{4}", chunk.text):
            pages[int(code[1:]) - 1] = (chunk.location.page, {box.page for box in chunk.location.boxes})
    assert len(pages) == 80
    for row, (page, boxes) in pages.items():
        on = sum(row >= start for start in starts) - 1
        assert (page, boxes) == (on, {on}), row
    assert card.location.on_pages(0, 79) == [part.rows for part in card.location.parts]
    assert card.location.at_rows(starts[1], starts[1]).page == 1


def test_words_between_the_pages_part_two_tables(reads: Reads) -> None:
    one, two = (table([HEADER, *lots(n, 20)], "ruled") for n in (1, 50))
    between = Paragraph("The lots of the second fab were started later than those of the first.", BODY)
    assert tables_of(reads("a.pdf", typeset(one, PageBreak(), between, two))) == [("Lot", 20), ("Lot", 20)]
    assert tables_of(reads("b.pdf", typeset(one, between, PageBreak(), two))) == [("Lot", 20), ("Lot", 20)]


@pytest.mark.parametrize("style", STYLES)
def test_a_table_with_another_header_stays_apart(reads: Reads, style: str) -> None:
    """The first ends at the very foot of its page; both have as many columns at the same places."""
    one = table([HEADER, *lots(1, PER_PAGE - 1)], style)
    other = ("Pump", "Tool", "Checked", "Hours", "Pressure")
    two = table([other, *((f"P{row[0][1:]}", *row[1:]) for row in lots(50, 12))], style)
    parsed = reads("a.pdf", typeset(one, PageBreak(), two))
    assert parsed.pages == 2
    assert tables_of(parsed) == [("Lot", PER_PAGE - 1), ("Pump", 12)]
    assert [each.location.parts for each in parsed.tables] == [(), ()]


@pytest.mark.parametrize("style", STYLES)
def test_a_table_with_other_columns_stays_apart(reads: Reads, style: str) -> None:
    one = table([HEADER, *lots(1, PER_PAGE - 1)], style)
    two = table([row[:3] for row in lots(50, 12)], style, wide=150)
    assert len(reads("a.pdf", typeset(one, PageBreak(), two)).tables) == 2


def test_two_tables_on_pages_side_by_side_with_their_titles_stay_apart(reads: Reads) -> None:
    parts: list[Flowable] = []
    for n, tool in enumerate(("first", "second")):
        result = Paragraph(f"Table {n + 1}: Lots of the {tool} tool", BODY)
        parts += [result, table([HEADER, *lots(1 + 40 * n, 20)], "ruled"), PageBreak()]
    assert tables_of(reads("a.pdf", typeset(*parts))) == [("Lot", 20), ("Lot", 20)]


def test_a_running_head_that_names_something_else_parts_tables(reads: Reads) -> None:
    def pages(head: Callable[[int], str]) -> list[tuple[str, int]]:
        tables = [table([HEADER, *lots(40 * n, 20)], "ruled") for n in range(3)]
        parts = [each for made in tables for each in (made, PageBreak())]
        return tables_of(reads("a.pdf", typeset(*parts[:-1], head=head)))

    assert pages(lambda n: f"Lots of the quarter, sheet {n}") == [("Lot", 60)]
    assert pages(lambda n: f"Lots of tool ETCH-0{n}") == [("Lot", 20)] * 3


def test_a_table_over_pages_is_called_by_its_caption(reads: Reads) -> None:
    caption = Paragraph("Table 1: Lots of the first quarter", BODY)
    parsed = reads("a.pdf", typeset(caption, table([HEADER, *lots(1, 80)], "ruled", repeat=1)))
    document = Document(id="d" * 20, title="Lots", media_type=parsed.media_type, name="a.pdf")
    ((card, _),) = Chunker(lambda text: len(text.split()) + 2, 256).chunk(document, parsed).tables
    assert card.called() == card.caption == "Table 1: Lots of the first quarter"
