"""Cards in PDFs: labels and values in three columns beside each other are fields, never read across."""

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.test_pdf import PROSE, Text, lines, pdf

CARD = (
    (("Order", "PO-4411"), ("Customer", "Ann Lee"), ("Ship to", "Dock 4")),
    (("Date", "1 May 2024"), ("City", "Ghent"), ("Carrier", "DHL")),
    (("Status", "open"), ("Phone", "555-0101"), ("Weight", "12 kg")),
)
# the label's font and size, where the value stands beside it or below it (points), lines apart
LAYOUTS = {
    "bold": ("F2", 10, 70, 0, 14),
    "plain": ("F1", 10, 70, 0, 14),
    "bold before the value": ("F2", 10, 0, 0, 14),
    "bold above": ("F2", 10, 0, -13, 40),
    "small above": ("F1", 7, 0, -13, 40),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_card_of_three_columns_gives_each_label_its_value(reads: Reads, layout: str) -> None:
    font, size, beside, below, step = LAYOUTS[layout]
    page: list[Text] = lines(60, 700, *PROSE)
    for row, pairs in enumerate(CARD):
        for x, (label, value) in zip((60, 230, 400), pairs, strict=True):
            y = 600 - step * row
            behind = beside or (0 if below else stringWidth(label, "Helvetica-Bold", size) + 3)
            page += [(x, y, size, font, label), (x + behind, y + below, 10, "F1", value)]
    parsed = reads("a.pdf", pdf(page))
    assert parsed.tables[0].columns[0].name == "Field"
    assert parsed.tables[0].rows == tuple(pair for column in zip(*CARD, strict=True) for pair in column)


def test_a_table_whose_columns_are_of_a_kind_is_no_card(reads: Reads) -> None:
    rows = (("Pump", "Hours", "Site", "Days"), ("Alpha", "812", "Ghent", "4"), ("Beta", "77", "Liege", "61"))
    rows += (("Gamma", "930", "Mons", "12"),)
    page: list[Text] = lines(60, 700, *PROSE)
    for at, row in enumerate(rows):
        page += [(x, 600 - 14 * at, 10, "F1", cell) for x, cell in zip((60, 160, 260, 360), row, strict=True)]
    parsed = reads("a.pdf", pdf(page))
    assert [column.name for column in parsed.tables[0].columns] == list(rows[0])
