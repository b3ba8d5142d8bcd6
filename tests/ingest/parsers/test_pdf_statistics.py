"""PDF: tables of a statistical yearbook, level lines above and below and no line between the rows."""

from reportlab.pdfgen import canvas

from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.test_pdf_tables import Draw, sheet, shown

LEFT, RIGHT = 60, 460
PLACES = (200, 260, 340, 400)  # of the figures' left edges


def table(top: int, header: list[list[tuple[float, str]]], rows: list[tuple[str, ...]]) -> Draw:
    """Draw a header and rows of figures under their places, a line above, between and below them."""

    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 8)
        low = top - 12 * len(header) - 4
        for at, line in enumerate(header):
            for x, label in line:
                page.drawCentredString(x, top - 11 - 11 * at, label)
        for at, (label, *figures) in enumerate(rows):
            page.drawString(LEFT, low - 11 - 11 * at, label)
            for x, figure in zip(PLACES, figures, strict=False):
                page.drawRightString(x + 30, low - 11 - 11 * at, figure)
        for y in (top, low, low - 11 * len(rows) - 6):
            page.line(LEFT, y, RIGHT, y)

    return draw


def text(*lines: str, top: int) -> Draw:
    def draw(page: canvas.Canvas) -> None:
        page.setFont("Helvetica", 8)
        for at, line in enumerate(lines):
            page.drawString(LEFT, top - 10 * at, line)

    return draw


def upright(*places: tuple[float, int, int]) -> Draw:
    return lambda page: [page.line(x, top, x, low) for x, top, low in places] and None


HEADER = [[(120, "Trade"), (230, "Total"), (310, "Men"), (370, "Women"), (432, "Not said")]]
ROWS = [
    ("Welders . . . . . . . . . . . . . .", "1,200", "900", "290", "10"),
    ("Machine setters and", ),
    ("operators . . . . . . . . . . . .", "840", "500", "335", "5"),
    ("Fitters . . . . . . . . . . . . . .", "72", "60", "12", "(X)"),
    ("Painters . . . . . . . . . . . . .", "31", "20", "11", "1"),
    ("Drivers . . . . . . . . . . . . . .", "45", "40", "5", "2"),
    ("Clerks . . . . . . . . . . . . . . .", "61", "20", "41", "4"),
]  # fmt: skip
NOTES = (
    "X Not applicable. Those without a trade of their own are left out of all figures here.",
    "Source: the office's own count at the end of the year, published in the spring after it.",
    "Table 8. People by trade and age, in the same count as the table above it",
)


def test_notes_between_level_lines_part_two_tables(reads: Reads) -> None:
    second = [
        ("Welders . . . . . .", "300", "400", "450", "50"),
        ("Fitters . . . . . .", "20", "22", "25", "5"),
    ]
    ages = [[(120, "Trade"), (230, "Under 30"), (290, "30 to 45"), (370, "46 to 60"), (432, "Over 60")]]
    parsed = reads("a.pdf", sheet(table(740, HEADER, ROWS), text(*NOTES, top=630), table(590, ages, second)))
    first, other = parsed.tables
    assert [column.name for column in first.columns] == ["Trade", "Total", "Men", "Women", "Not said"]
    assert [column.name for column in other.columns][1:] == ["Under 30", "30 to 45", "46 to 60", "Over 60"]
    assert other.rows == (("Welders", 300, 400, 450, 50), ("Fitters", 20, 22, 25, 5))
    assert any("Not applicable" in each for each in texts(parsed, "paragraph"))


def test_dots_lead_to_figures_and_a_label_goes_on_below(reads: Reads) -> None:
    parsed = reads("a.pdf", sheet(table(740, HEADER, ROWS)))
    labels = [row[0] for row in parsed.tables[0].rows]
    assert labels[:3] == ["Welders", "Machine setters and operators", "Fitters"]
    assert parsed.tables[0].rows[1][1:] == (840, 500, 335, 5)
    assert parsed.tables[0].rows[2][4] is None  # no number, and no text in a column of numbers


def test_upright_lines_in_a_header_say_how_far_a_label_reaches(reads: Reads) -> None:
    header = [
        [(255, "Men"), (395, "Women")],
        [(120, "Trade"), (215, "Under 30"), (275, "30 and over"), (355, "Under 30"), (415, "30 and over")],
    ]
    rows = [("Welders", "300", "600", "90", "200"), ("Fitters", "20", "40", "5", "7")]
    lines = upright((190, 740, 660), (325, 740, 660))
    parsed = reads("a.pdf", sheet(table(740, header, rows), lines))
    assert shown(parsed)[0] == [
        "Trade",
        "Men Under 30",
        "Men 30 and over",
        "Women Under 30",
        "Women 30 and over",
    ]
