"""Rows of labels and values become fields: which value belongs to which label."""

from core.ingest.parsers.pdf.tables.fields import fields_of


def test_a_label_behind_a_value_begins_a_field_of_its_own() -> None:
    merged = "Physician: Dr. Ann Lee"
    rows = [
        ["Name:", "Bo Berg", "unreadable words", "unreadable words"],
        ["Born:", "3 May 1950", merged, merged],  # one cell over two columns
        ["Number:", "P-17", "Insurance:", "Blue Shield"],
    ]
    (form,) = fields_of(rows) or ()
    assert form.pairs == [
        ("Name:", "Bo Berg"),
        ("", "unreadable words"),
        ("Born:", "3 May 1950"),
        ("Physician:", "Dr. Ann Lee"),
        ("Number:", "P-17"),
        ("Insurance:", "Blue Shield"),
    ]


def test_a_value_of_several_cells_and_lines_stays_together() -> None:
    rows = [["Limits:", "12", "12"], ["Site:", "North", ""], ["", "Hall 3", ""]]
    (form,) = fields_of(rows) or ()
    assert form.pairs == [("Limits:", "12 12"), ("Site:", "North\nHall 3")]


def test_a_field_above_the_labels_of_its_column_is_kept() -> None:
    rows = [["Due:", "2 March", "", "To pay", "104.90"], ["Name:", "Bo", "Bank:", "Nordbank", ""]]
    (form,) = fields_of(rows) or ()
    assert ("To pay", "104.90") in form.pairs
