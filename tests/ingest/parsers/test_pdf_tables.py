"""PDF: tables as people see them, drawn with reportlab so that every line and word has a known place."""

import io
from collections.abc import Callable, Sequence

from reportlab.pdfgen import canvas

from core.domain import Parsed
from core.ingest.parsers.pdf.tables.grids import RulingLine, grids_of
from tests.ingest.parsers.conftest import Reads, texts

Draw = Callable[[canvas.Canvas], None]
LEFT, TOP, WIDE, HIGH = 60, 740, 110, 18


def sheet(*draw: Draw) -> bytes:
    buffer = io.BytesIO()
    made = canvas.Canvas(buffer, pagesize=(600, 800))
    for each in draw:
        each(made)
    made.save()
    return buffer.getvalue()


def cells(
    *rows: Sequence[str], top: int = TOP, left: int = LEFT, wide: int = WIDE, pitch: int = HIGH
) -> Draw:
    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 9)
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                page.drawString(left + 4 + wide * x, top - 12 - pitch * y, cell)

    return draw


def level(*ys: int, right: int = 4, left: int = LEFT) -> Draw:
    return lambda page: [page.line(left, y, left + WIDE * right, y) for y in ys] and None


def upright(*xs: int, top: int = TOP, low: int = 600) -> Draw:
    return lambda page: [page.line(LEFT + WIDE * x, top, LEFT + WIDE * x, low) for x in xs] and None


def shown(parsed: Parsed, number: int = 0) -> list[list[str]]:
    text = texts(parsed, "table")[number]
    return [line.split(" | ") for line in text.split("\n")]


def test_rows_that_no_line_parts_are_rows(reads: Reads) -> None:
    rows = [
        ("State", "Plants", "Output"),
        ("Indiana", "12", "400"),
        ("Iowa", "7", "90"),
        ("Kansas", "3", "45"),
    ]
    parsed = reads("a.pdf", sheet(cells(*rows), level(740, 722, 668, right=3), upright(1, 2, low=668)))
    assert shown(parsed) == [list(row) for row in rows]


def test_the_sides_a_table_leaves_open_are_closed() -> None:
    across = [RulingLine(60, y, 360, y) for y in (100, 140, 180)]
    down = [RulingLine(x, 100, x, 180) for x in (160, 260)]
    (grid,) = grids_of([*across, *down, RulingLine(60, 100, 60, 140)])  # the left side is half drawn
    assert len(grid.cells) == 6
    assert grid.bbox == (60, 100, 360, 180)


def test_a_wrapped_cell_stays_one_row(reads: Reads) -> None:
    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 9)
        for x, lines in (
            (64, ("Replacement of the", "gasket by the")),
            (174, ("Needs a plan and", "permission")),
        ):
            for y, line in enumerate(lines):
                page.drawString(x, 712 - 11 * y, line)

    head = cells(("What is to be done", "What it needs"))
    parsed = reads("a.pdf", sheet(head, draw, level(740, 722, 694, right=2), upright(0, 1, 2, low=694)))
    assert shown(parsed)[1:] == [["Replacement of the gasket by the", "Needs a plan and permission"]]


def test_labels_over_columns_and_beside_rows_stand_with_each(reads: Reads) -> None:
    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 9)
        page.drawCentredString(LEFT + 2 * WIDE, 728, "Score")
        page.drawString(64, 719, "Model")
        page.drawString(64, 683, "Large")
        page.line(LEFT + WIDE, 722, LEFT + 3 * WIDE, 722)

    body = cells(("", "easy", "hard"), ("", "0.91", "0.72"), ("", "0.88", "0.70"), top=722)
    frame = (level(740, 704, 668, right=3), upright(0, 1, 3, low=668), upright(2, top=722, low=668))
    parsed = reads("a.pdf", sheet(draw, body, *frame))
    assert shown(parsed) == [
        ["Model", "Score easy", "Score hard"],
        ["Large", "0.91", "0.72"],
        ["Large", "0.88", "0.70"],
    ]


def test_a_title_row_is_no_header_and_pairs_under_titles_are_fields(reads: Reads) -> None:
    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 9)
        page.drawString(64, 728, "Customer Information")
        page.drawString(64 + 2 * WIDE, 728, "Vehicle Information")

    rows = [
        ("Insured name", "Gabriel Diaz", "Year", "2022"),
        ("Repair Order #", "RO-20221108", "Make", "Jeep"),
    ]
    lines = (level(740, 722, 704, 686), upright(0, 2, 4, low=686), upright(1, 3, top=722, low=686))
    parsed = reads("a.pdf", sheet(draw, cells(*rows, top=722), *lines))
    assert [table.caption for table in parsed.tables] == ["Customer Information", "Vehicle Information"]
    assert shown(parsed, 0)[1:] == [["Insured name", "Gabriel Diaz"], ["Repair Order #", "RO-20221108"]]
    assert shown(parsed, 1)[1:] == [["Year", "2022"], ["Make", "Jeep"]]


def test_labels_with_colons_are_fields_though_their_blocks_stand_askew(reads: Reads) -> None:
    left = cells(("Name:", "Premier Group"), ("Contact:", "Michael Chen"), ("", "555 Broadway"), pitch=12)
    right = cells(("Billing Type:", "Net 30"), ("Terms:", "Corporate"), top=734, left=330, pitch=12)
    fields = shown(reads("a.pdf", sheet(left, right)))[1:]
    assert ["Contact:", "Michael Chen 555 Broadway"] in fields
    assert ["Billing Type:", "Net 30"] in fields


def test_level_lines_alone_part_rows_under_a_title_and_above_a_note(reads: Reads) -> None:
    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 9)
        page.drawString(64, 728, "Rates that hold for all shops of the chain from March")
        for y, line in enumerate(("bread, rolls, cakes and all", "other goods")):
            page.drawString(64 + WIDE, 692 - 11 * y, line)
        page.drawString(64, 692, "Bakery")
        page.drawString(64, 640, "* The rates are for purchases that are paid by card in the shop itself.")

    body = cells(("Kind", "Goods"), top=722)
    last = cells(("Fuel", "all kinds"), top=673)
    parsed = reads("a.pdf", sheet(draw, body, last, level(740, 722, 704, 673, 655, 630, right=2)))
    assert shown(parsed) == [
        ["Kind", "Goods"],
        ["Bakery", "bread, rolls, cakes and all other goods"],
        ["Fuel", "all kinds"],
    ]
    text = " ".join(block.text for block in parsed.blocks)
    assert "* The rates are for purchases" in text
    assert "Rates that hold" in text or parsed.tables[0].caption.startswith("Rates")


def test_a_label_over_columns_of_a_borderless_table_names_each(reads: Reads) -> None:
    body = cells(
        ("Plant", "steel", "glass"), ("Oslo", "12", "7"), ("Lyon", "9", "4"), ("Turin", "8", "2"), top=722
    )

    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 9)
        page.drawString(64, 728, "Site")
        page.drawString(LEFT + WIDE + 4, 728, "Output in thousand tons a year")

    head, *rows = shown(reads("a.pdf", sheet(draw, body)))
    assert head == [
        "Site Plant",
        "Output in thousand tons a year steel",
        "Output in thousand tons a year glass",
    ]
    assert rows == [["Oslo", "12", "7"], ["Lyon", "9", "4"], ["Turin", "8", "2"]]


def test_columns_between_upright_lines_are_read_one_after_the_other(reads: Reads) -> None:
    offices = [
        ("GOVERNOR", ""),
        ("KASHKARI", "247"),
        ("BROWN", "69"),
        ("", ""),
        ("TREASURER", ""),
        ("CONLON", "240"),
    ]
    left = cells(*offices, ("CHIANG", "68"), top=700, left=60, wide=180, pitch=14)
    right = cells(*((name[::-1], votes) for name, votes in offices), top=700, left=330, wide=180, pitch=14)
    line: Draw = lambda page: page.line(300, 710, 300, 480)  # noqa: E731
    text = " ".join(block.text for block in reads("a.pdf", sheet(left, right, line)).blocks)
    assert "KASHKARI 247 BROWN 69" in " ".join(text.replace("|", " ").split())
    assert text.index("CHIANG") < text.index("RONREVOG")


def test_what_stands_over_a_heading_is_no_row_of_the_table_below(reads: Reads) -> None:
    rows = [
        ("Measure", "Value", "Range"),
        ("Pressure", "142", "120"),
        ("Rate", "78", "60"),
        ("Flow", "9", "7"),
    ]
    above = cells(("Physician", "Ann Lee", "BCB-44"), top=700)
    heading = cells(("Vital signs",), top=672)
    assert shown(reads("a.pdf", sheet(above, heading, cells(*rows, top=644, pitch=13)))) == [
        list(row) for row in rows
    ]


def test_a_label_with_its_value_over_some_columns_is_no_part_of_their_names(reads: Reads) -> None:
    rows = [
        ("", "Title: Care of pumps"),
        ("Action", "Name", "Date", "Signature"),
        ("Written by", "Ann", "May 2"),
    ]
    lines = level(740, 722, 704, 686), upright(0, 1, 3, 4, low=686), upright(2, top=722, low=686)
    (table,) = reads("a.pdf", sheet(cells(*rows), *lines)).tables
    assert [column.name for column in table.columns] == ["Action", "Name", "Date", "Signature"]
    assert table.caption == "Title: Care of pumps"
    spanning = [("", "Sales"), ("Plant", "2021", "2022", "Total"), ("Oslo", "12", "14", "26")]
    (table,) = reads("b.pdf", sheet(cells(*spanning), *lines)).tables
    assert [column.name for column in table.columns] == ["Plant", "Sales 2021", "Sales 2022", "Total"]
