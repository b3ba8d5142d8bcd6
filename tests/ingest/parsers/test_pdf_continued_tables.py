"""Tables of PDFs that continue: over a page, over notes between their rows, under a header or under none."""

import pytest

from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.test_pdf import Text, lines, pdf


def grid(top: float, rows: int, columns: int = 3) -> str:
    """Return the lines of a table with cells of 120 × 20 points."""
    low, right = top - 20 * rows, 50 + 120 * columns
    level = "".join(f"50 {top - 20 * i} m {right} {top - 20 * i} l S\n" for i in range(rows + 1))
    return level + "".join(f"{50 + 120 * i} {top} m {50 + 120 * i} {low} l S\n" for i in range(columns + 1))


def cells(top: float, *rows: tuple[str, ...], font: str = "F1") -> list[Text]:
    return [
        (60 + 120 * x, top - 15 - 20 * y, 10, font, cell)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
    ]


def test_a_table_goes_on_under_its_header_on_the_next_page(reads: Reads) -> None:
    first = cells(
        740, ("Lot", "Started", "Yield (%)"), ("A1", "03/02/2025", "93.5"), ("A2", "13/02/2025", "88")
    )
    second = cells(740, ("A3", "02/03/2025", "91"), ("A4", "14/03/2025", "90.5"), ("A5", "15/03/2025", "87"))
    (table,) = reads("a.pdf", pdf(first, second, extra=grid(740, 3))).tables
    assert [column.name for column in table.columns] == ["Lot", "Started", "Yield"]
    assert [row[0] for row in table.rows] == ["A1", "A2", "A3", "A4", "A5"]
    assert table.rows[2] == ("A3", "2025-03-02", 91.0)
    assert [(part.rows, part.page) for part in table.location.parts] == [((0, 1), 0), ((2, 4), 1)]
    assert (table.name, table.caption) == ("Table 1, pages 1 to 2", "")


@pytest.mark.parametrize("last", ["Wafers", "Yield (%)"])
def test_a_header_that_comes_again_is_no_row_and_another_one_is_kept(reads: Reads, last: str) -> None:
    rows = ("A1", "03/02/2025", "93.5"), ("A2", "13/02/2025", "88")
    first, second = (cells(740, ("Lot", "Started", name), *rows) for name in ("Yield (%)", last))
    tables = reads("a.pdf", pdf(first, second, extra=grid(740, 3))).tables
    lengths = [(table.columns[2].name, len(table.rows)) for table in tables]
    assert lengths == ([("Yield", 4)] if last == "Yield (%)" else [("Yield", 2), ("Wafers", 2)])


def test_words_between_two_tables_part_them(reads: Reads) -> None:
    rows = ("A1", "03/02/2025", "93.5"), ("A2", "13/02/2025", "88")
    first = cells(740, ("Lot", "Started", "Yield (%)"), *rows)
    second = [*lines(60, 770, "The lots of the other tool are these:"), *cells(740, *rows)]
    _, two = reads("a.pdf", pdf(first, second, extra=grid(740, 3))).tables
    assert two.caption == ""
    second[0] = (60, 770, 10, "F1", "Table 1 \\(continued\\): lots")
    parsed = reads("a.pdf", pdf(first, second, extra=grid(740, 3)))
    assert [len(table.rows) for table in parsed.tables] == [4]
    assert not any("continued" in block.text for block in parsed.blocks)


def test_a_row_of_words_goes_on_unless_it_is_set_as_a_header_is(reads: Reads) -> None:
    first = cells(740, ("Tool", "Fault", "Cure"), font="F2")
    first += cells(
        720, ("ETCH-03", "edge ring worn", "ring changed"), ("ETCH-05", "no flow", "valve cleaned")
    )
    rows = (("ETCH-07", "arcing", "liner changed"), ("ETCH-09", "leak", "seal changed"))
    more = cells(740, *rows, ("ETCH-11", "noise", "pump changed"))
    other = cells(740, ("Pump", "Sound", "Hours"), font="F2") + cells(720, *rows)
    drawn = grid(740, 3)
    assert reads("a.pdf", pdf(first, more, extra=drawn)).tables[0].rows[2] == rows[0]
    assert reads("a.pdf", pdf(first, other, extra=drawn)).tables[1].columns[0].name == "Pump"


def test_rows_with_a_note_between_them_and_their_sum_are_one_table(reads: Reads) -> None:
    at = (50.0, 130.0, 220.0, 330.0, 430.0)
    rows = [
        ("Lot", "Tool", "Recipe", "Wafers", "Price"),
        ("L1", "ETCH-03", "OX-22", "25", "$250"),
        ("L2", "ETCH-05", "OX-22", "24", "$240"),
        ("L3", "ETCH-03", "OX-24", "12", "$120"),
    ]
    shown: list[Text] = []
    for n, cells in enumerate(rows):
        shown += [(x, 700 - 30 * n, 8, "F1", cell) for x, cell in zip(at, cells, strict=True)]
    notes = [
        (50, 655 - 30 * n, 6, "F1", f"All prices of order {n} follow the usual terms of sale.")
        for n in range(2)
    ]
    total: list[Text] = [(50, 595, 8, "F1", "Sum of all the orders:"), (430, 595, 8, "F1", "$610")]
    parsed = reads("a.pdf", pdf([*shown, *notes, *total]))
    assert len(parsed.tables) == 1
    assert [row[0] for row in parsed.tables[0].rows] == ["L1", "L2", "L3", "Sum of all the orders:"]
    assert parsed.tables[0].rows[-1][-1] == 610
    assert len([text for text in texts(parsed, "paragraph") if "usual terms" in text]) >= 1
