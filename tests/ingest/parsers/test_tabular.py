"""Raw rows become typed tables."""

import pytest

from core.ingest.parsers.cells import typed
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.header_units import split_unit, unit_at_end
from core.ingest.parsers.raw_tables import rows_of_text


@pytest.mark.parametrize(
    ("header", "name", "unit"),
    [
        ("Thickness (nm)", "Thickness", "nm"),
        ("yield [%]", "yield", "%"),
        ("Yield %", "Yield", "%"),
        ("Dose (mJ/cm²)", "Dose", "mJ/cm²"),
        ("膜厚（nm）", "膜厚", "nm"),
        ("Pressure, mTorr", "Pressure", "mTorr"),
        ("Rate [arb]", "Rate", "arb"),
        ("Revenue (total)", "Revenue (total)", ""),
        ("Wafer [1]", "Wafer [1]", ""),
        ("Name", "Name", ""),
        ("Life (h) longest", "Life longest", "h"),
        ("From (nm) to (mm)", "From (nm) to", "mm"),
    ],
)
def test_units_are_read_from_headers(header: str, name: str, unit: str) -> None:
    assert split_unit(header) == (name, unit)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("thickness_nm", "nm"),
        ("helium_leak_sccm", "sccm"),
        ("Pressure mTorr", "mTorr"),
        ("yield_pct", "%"),
        ("chuck_temperature_C", "°C"),
        ("rf_power_W", "W"),
        ("vitamin_C", ""),
        ("class_a", ""),
        ("etch_time_min", ""),
        ("nm", ""),
        ("alarm_code", ""),
    ],
)
def test_a_name_from_a_program_tells_its_unit_where_it_can_be_nothing_else(name: str, unit: str) -> None:
    assert unit_at_end(name) == unit


def test_only_columns_of_numbers_have_a_unit_by_their_name() -> None:
    made = rows_of_text("t", [["gap_mm", "layer_nm"], ["1.5", "oxide"], ["2", "metal"]])
    assert made is not None
    assert [(c.name, c.unit) for c in made.table.columns] == [("gap_mm", "mm"), ("layer_nm", "")]


def test_a_column_of_units_that_never_changes_is_the_unit_of_the_only_numbers() -> None:
    rows = [["tool", "value", "unit"], ["E1", "7.1", "mTorr"], ["E2", "7.3", "mTorr"]]
    made = rows_of_text("t", rows)
    assert made is not None
    assert made.table.columns[1].unit == "mTorr"
    made = rows_of_text("t", [*rows, ["E3", "9", "Pa"]])
    assert made is not None
    assert made.table.columns[1].unit == ""


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "2", "n/a"], "integer", [1, 2, None]),
        (["1,234", "5"], "integer", [1234, 5]),
        (["1.5", "2"], "real", [1.5, 2.0]),
        (["1,5", "2,25"], "real", [1.5, 2.25]),
        (["(3.5)", "1.0"], "real", [-3.5, 1.0]),
        (["−4", "+15"], "integer", [-4, 15]),
        (["00123", "00456"], "text", ["00123", "00456"]),
        (["yes", "no"], "boolean", [True, False]),
        (["2024-11-15", "2024/12/01"], "date", ["2024-11-15", "2024-12-01"]),
        (["2021-01", "2021-02"], "date", ["2021-01-01", "2021-02-01"]),
        (["2021年3月", "2021年4月"], "date", ["2021-03-01", "2021-04-01"]),
        (["13/02/2024", "01/03/2024"], "date", ["2024-02-13", "2024-03-01"]),
        (["01/02/2024", "03/04/2024"], "text", ["01/02/2024", "03/04/2024"]),
        (
            ["2024-01-02 03:04", "2024-01-02T05:06:07"],
            "datetime",
            ["2024-01-02 03:04:00", "2024-01-02 05:06:07"],
        ),
        (["12", "CRITICAL"], "text", ["12", "CRITICAL"]),
        (["1" * 25, "2"], "text", ["1" * 25, "2"]),
    ],
)
def test_a_column_takes_the_narrowest_type_all_its_cells_fit(
    cells: list[str], kind: str, values: list[object]
) -> None:
    assert typed(cells)[:2] == (kind, values)


def test_a_unit_all_cells_carry_becomes_the_columns_unit() -> None:
    assert typed(["95.2%", "93.1 %"]) == ("real", [95.2, 93.1], "%")
    assert typed(["$1,000.50", "$3.00"]) == ("real", [1000.5, 3.0], "$")
    assert typed(["$1", "€2"])[0] == "text"


def test_a_table_without_a_header_gets_numbered_columns() -> None:
    made = rows_of_text("t", [["1", "2"], ["3", "4"]])
    assert made is not None
    assert [column.name for column in made.table.columns] == ["column 1", "column 2"]
    assert made.table.rows == ((1, 2), (3, 4))


def test_ragged_rows_are_filled_and_nothing_is_dropped() -> None:
    made = rows_of_text("t", [["a", "b"], ["1"], ["2", "3", "4"]], header=1)
    assert made is not None
    assert made.table.rows == ((1, None, None), (2, 3, 4))


def test_a_spanning_header_row_is_joined_with_the_one_below() -> None:
    rows = [["Line 1", "Line 1", "Line 2"], ["yield (%)", "lots", "yield (%)"], ["93", "4", "95"]]
    made = rows_of_text("t", rows)
    assert made is not None
    assert [column.name for column in made.table.columns] == ["Line 1 yield", "Line 1 lots", "Line 2 yield"]


def test_the_text_has_the_header_first_and_a_line_for_each_row() -> None:
    made = rows_of_text("t", [["Lot", "Note"], ["A1", "two\nlines"], ["A2", ""]], header=1)
    assert made is not None
    assert made.text == "Lot | Note\nA1 | two lines\nA2 | "


def test_names_beside_their_values_are_no_header() -> None:
    made = rows_of_text("t", [["Lot:", "A1", "Tool:", "E3"], ["Step:", "7", "Recipe:", "R2"]])
    assert made is not None
    assert len(made.table.rows) == 2


def test_a_long_table_is_read_out_in_part_and_kept_whole() -> None:
    draft = Draft("long.csv", "text/csv")
    draft.rows("long", [["a", "b"], *([i, i] for i in range(3000))])
    parsed = draft.parsed()
    assert len(parsed.tables[0].rows) == 3000
    assert parsed.blocks[0].text.count("\n") == 2000
    assert parsed.skipped == ()  # how many rows are searched as text is the chunker's to say


def test_a_row_of_labels_alone_names_the_columns_and_a_row_of_figures_does_not() -> None:
    labels, figures = (rows_of_text("t", [row]) for row in (["Lot", "Tool", "Operator"], ["Lot", "3", "4.5"]))
    assert labels is not None and figures is not None
    assert [column.name for column in labels.table.columns] == ["Lot", "Tool", "Operator"]
    assert (labels.text, labels.table.rows) == ("Lot | Tool | Operator", ())
    assert len(figures.table.rows) == 1


def test_the_first_of_rows_with_dates_is_no_header() -> None:
    rows = [
        ["Version 1.0", "HJ", "1999-05-17"],
        ["Version 2.0", "ME", "2000-03-20"],
        ["3.5", "ME", "2001-05-28"],
    ]
    made = rows_of_text("t", rows)
    assert made and len(made.table.rows) == 3 and made.table.columns[2].type == "date"


def test_the_first_of_rows_whose_values_come_again_is_no_header() -> None:
    rows = [
        ["108E8CC4000800A9", "DS18S20", "Basic", "Temperature", "°C"],
        ["264E1169000000B5", "MPX4115A", "Baro", "Pressure", "hPa"],
        ["10D184C40008009D", "DS18S20", "Soil", "Temperature", "°C"],
    ]
    made = rows_of_text("t", rows)
    assert made and len(made.table.rows) == 3
    ticked = rows_of_text(
        "t", [["may sell", "YES", "NO"], ["may rent", "YES", "NO"], ["may let", "YES", "NO"]]
    )
    assert ticked and len(ticked.table.rows) == 3
    labelled = rows_of_text("t", [["Name", "Type", "Use"], ["Name", "key", "all"], ["Size", "figure", "few"]])
    assert labelled and [c.name for c in labelled.table.columns] == ["Name", "Type", "Use"]


def test_a_header_of_several_rows_stands_over_its_columns() -> None:
    rows = [
        ["Description", "", "Machine", "Model", "", "Features"],
        ["Description", "", "Type", "", "", "Features"],
        ["Description", "", "", "", "", "Features"],
        ["System S814", "8286", "", "", "41A", "all"],
        ["System S822", "8284", "", "", "22A", "all"],
    ]
    made = rows_of_text("t", rows)
    assert made and [c.name for c in made.table.columns] == [
        "Description",
        "Machine Type",
        "Model",
        "Features",
    ]
    assert made.table.rows == (("System S814", 8286, "41A", "all"), ("System S822", 8284, "22A", "all"))


def test_rows_that_say_the_same_as_the_header_are_rows() -> None:
    for rows in (
        [["Activity", "Steel"], ["code", "Steel"], ["unit", "kilogram"]],
        [["number"], ["number"]],
    ):
        made = rows_of_text("t", rows)
        assert made and len(made.table.rows) == len(rows) - 1
