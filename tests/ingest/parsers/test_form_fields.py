"""Rows of labels and values become fields: which value belongs to which label."""

from core.ingest.parsers.form_fields import fields_of
from core.ingest.parsers.office.label_cells import fields_in


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


def test_a_table_of_labels_each_with_one_value_is_a_form_and_one_of_figures_is_not() -> None:
    rows = [["Name:", "Bo", "Ward:", "7"], ["Bed:", "12", "Diet:", None]]
    assert fields_in(rows) == [
        ["Field", "Value"],
        *(["Name:", "Bo"], ["Bed:", "12"], ["Ward:", "7"], ["Diet:", ""]),
    ]
    assert fields_in([["Sales:", "12", "13"], ["Costs:", "9", "8"]]) is None
