"""What stands where in a sheet: labels in several rows, groups of rows, tables beside each other."""

import io
from collections.abc import Sequence

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference

from core.domain import Document, Parsed
from core.ingest.chunker import Chunker
from tests.ingest.parsers.conftest import Reads, texts

Row = Sequence[object]


def read(reads: Reads, rows: Sequence[Row]) -> Parsed:
    book, stream = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append([*row])
    book.save(stream)
    return reads("a.xlsx", stream.getvalue())


def names(parsed: Parsed, table: int = 0) -> list[str]:
    return [column.name for column in parsed.tables[table].columns]


def test_labels_stay_with_the_figures_an_empty_row_below_them(reads: Reads) -> None:
    rows = [
        ["In millions of CHF", None, "2023 H1", None, None, "2022 H1"],
        [None, "Sales (a)", "Profit", None, "Sales (a)", "Profit"],
        [],
        ["Zone NA", 12, 2, None, 11, 1],
        ["Zone EUR", 9, "—", None, 8, 3],
    ]
    parsed = read(reads, rows)
    assert names(parsed)[1:] == ["2023 H1 Sales (a)", "2023 H1 Profit", "2022 H1 Sales (a)", "2022 H1 Profit"]
    assert parsed.tables[0].rows == (("Zone NA", 12, 2, 11, 1), ("Zone EUR", 9, None, 8, 3))
    assert parsed.tables[0].caption == "In millions of CHF"


def test_rows_that_name_a_group_become_a_column(reads: Reads) -> None:
    rows = [
        ["Item", "2022 total", "2023 total"],
        ["Assets"],
        ["Cash", 5, 7],
        ["Stock", 3, 4],
        ["Debts"],
        ["Loans", 2, 1],
    ]
    parsed = read(reads, rows)
    assert names(parsed) == ["Group", "Item", "2022 total", "2023 total"]
    assert parsed.tables[0].rows[1:] == (("Assets", "Stock", 3, 4), ("Debts", "Loans", 2, 1))


def test_a_table_that_begins_lower_beside_another_is_a_table_of_its_own(reads: Reads) -> None:
    rows = [
        ["Lot", "n"],
        ["A", 1],
        ["B", 2, None, "Tool", "hours"],
        ["C", 3, None, "E1", 40],
        ["D", 4, None, "E2", 50],
    ]
    parsed = read(reads, rows)
    assert [table.rows[-1] for table in parsed.tables] == [("D", 4), ("E2", 50)]


def test_lines_above_a_table_are_its_headings_and_notes_below_are_not(reads: Reads) -> None:
    rows = [
        ["3. Segments"],
        [],
        ["Revenue"],
        ["Zone", "Sales"],
        ["NA", 1],
        ["EUR", 2],
        [],
        ["(a) Unaudited."],
    ]
    parsed = read(reads, rows)
    assert texts(parsed, "heading") == ["Sheet", "3. Segments", "Revenue"]
    assert texts(parsed, "paragraph") == ["(a) Unaudited."]


def test_a_table_without_a_title_stands_under_its_sheet_not_under_the_title_before(reads: Reads) -> None:
    rows = [["Revenue"], ["Zone", "Sales"], ["NA", 1], [], ["Tool", "Hours"], ["E1", 7], ["E2", 9]]
    kinds = [(block.kind, block.text.split("\n")[0]) for block in read(reads, rows).blocks]
    assert kinds[-2:] == [("heading", "Sheet"), ("table", "Tool | Hours")]


def test_letters_in_brackets_that_refer_to_notes_are_no_units(reads: Reads) -> None:
    parsed = read(reads, [["Zone", "Sales (c)", "Tax (d)"], ["NA", 1, 2], ["EUR", 3, 4]])
    assert [(column.name, column.unit) for column in parsed.tables[0].columns[1:]] == [
        ("Sales (c)", ""),
        ("Tax (d)", ""),
    ]


def test_rows_of_remarks_above_the_labels_are_said_of_the_table(reads: Reads) -> None:
    rows: list[Row] = [
        ["Output by shift", "Shift", None, None],
        ["Line", "early", "late", "night"],
        ["A", 40, 38, None],
        ["(none)", None, None, None],
        ["All", 40, 38, 12],
    ]
    parsed = read(reads, rows)
    assert names(parsed) == ["Line", "early", "late", "night"]
    assert parsed.tables[0].caption == "Output by shift Shift"


def test_a_row_above_labels_of_one_name_tells_them_apart(reads: Reads) -> None:
    rows: list[Row] = [
        [None, "2023", None, "2024", None],
        ["Line", "plan", "made", "plan", "made"],
        ["A", 40, 38, 42, 41],
        ["B", 20, 18, 22, 23],
    ]
    parsed = read(reads, rows)
    assert names(parsed) == ["Line", "2023 plan", "2023 made", "2024 plan", "2024 made"]


def test_notes_under_a_table_are_no_rows_of_it(reads: Reads) -> None:
    rows = [
        ["Zone", "Sales (a)", "Profit"],
        ["NA", 12, 2],
        ["EUR", 9, "—"],
        ["Total"],
        ["(a) Sales before other income."],
        ["Source: the books of the first half"],
        ["Figures are rounded, so that sums may differ by one."],
    ]
    parsed = read(reads, rows)
    assert [row[0] for row in parsed.tables[0].rows] == ["NA", "EUR", "Total"]
    assert texts(parsed, "paragraph") == [row[0] for row in rows[4:]]
    places = [block.location.rows for block in parsed.blocks if block.kind == "paragraph"]
    assert places == [(4, 4), (5, 5), (6, 6)]
    listed = read(reads, [["Step", "By"], ["a) Vent it", None], ["b) Wipe it", None], ["c) Close it", "Kim"]])
    assert len(listed.tables[0].rows) == 3  # a list is no table with notes


def test_what_numbers_are_written_with_is_told_in_the_passages(reads: Reads) -> None:
    csv = "Sample,Weight,Loss,Rate\nA,24.0910,—,5.39E-05\nB,−121.0,2,1.2E-03\nC,7.5,3,0.5\nD,8,4,0.25\n"
    parsed = reads("a.csv", csv)
    table = parsed.tables[0]
    assert table.rows[0] == ("A", 24.091, None, 5.39e-05)
    document = Document(id="d", title="a", media_type="text/csv", name="a.csv")
    cut = Chunker(lambda text: len(text.split()), window=256).chunk(document, parsed)
    lines = cut.chunks[0].text.split("\n")
    assert lines[-4:] == [
        "A | 24.0910 | — | 5.39E-05",
        "B | -121.0 | 2 | 1.2E-03",
        "C | 7.5 | 3 | 0.5",
        "D | 8 | 4 | 0.25",
    ]


def test_remarks_strewn_under_a_table_are_no_rows_of_it(reads: Reads) -> None:
    rows: list[Row] = [
        ["Name", "Trade", "Age", "Kids", "Town"],
        ["Ann", "smith", 51, 2, "Ulm"],
        ["Bo", "baker", 44, 0, "Graz"],
        ["Cy", None, None, None, None],
    ]
    strewn: list[Row] = [
        [None, "That was the list", None, None, None],
        [None, None, None, None, "of last year."],
    ]
    parsed = read(reads, rows + strewn)
    assert len(parsed.tables[0].rows) == 3 and parsed.tables[0].columns[2].type == "integer"
    assert texts(parsed, "paragraph")[-2:] == ["That was the list", "of last year."]


def test_a_text_merged_over_rows_and_columns_stands_once(reads: Reads) -> None:
    book, stream = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet["A1"] = "How it was counted. " * 12
    sheet.merge_cells("A1:F9")
    for at, (name, says) in enumerate(
        [("Sheet", "Holds"), ("cases", "counts by day"), ("wards", "beds")], 12
    ):
        sheet[f"A{at}"], sheet[f"C{at}"] = name, says
        sheet.merge_cells(f"A{at}:B{at}")
        sheet.merge_cells(f"C{at}:F{at}")
    book.save(stream)
    parsed = reads("a.xlsx", stream.getvalue())
    assert texts(parsed, "paragraph") == [("How it was counted. " * 12).strip()]
    assert names(parsed) == ["Sheet", "Holds"]
    assert parsed.tables[0].rows == (("cases", "counts by day"), ("wards", "beds"))


def test_days_and_limits_below_the_labels_are_no_labels(reads: Reads) -> None:
    days = [["12/06/2021", f"{day}/02/2020", "<5" if day < 24 else day] for day in range(21, 29)]
    parsed = read(reads, [["as of", "day of death", "deaths"], *days])
    assert names(parsed) == ["as of", "day of death", "deaths"]
    assert len(parsed.tables[0].rows) == len(days)


def test_labels_in_three_rows_head_their_columns_and_a_row_of_all_is_said_once(reads: Reads) -> None:
    book, stream = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (
        [None, None, "Current", None, None, None, "Projected"],
        [None, None, "Phase 1", None, "Phase 2", None, "Phase 1"],
        ["Country", "Area", "#", "%", "#", "%", "#", "%"],
        ["All of it in April", None, 900, 0.25, 20, 0.0, 70, 0.375],
        ["Norland", "Badghis", 500, 0.1, 12, 0.2, 40, 0.5],
        ["Norland", "Zabul", 400, 0.15, 8, 0, 30, 0.25],
    ):
        sheet.append(row)
    for area in ("C1:F1", "G1:H1", "C2:D2", "E2:F2", "G2:H2", "A4:B4"):
        sheet.merge_cells(area)
    for column in "DFH":
        for at in (4, 5, 6):
            sheet[f"{column}{at}"].number_format = "#%; -#%; 0"
    book.save(stream)
    parsed = reads("a.xlsx", stream.getvalue())
    assert [f"{c.name} {c.unit}".strip() for c in parsed.tables[0].columns] == [
        "Country",
        "Area",
        "Current Phase 1 #",
        "Current Phase 1 %",
        "Current Phase 2 #",
        "Current Phase 2 %",
        "Projected Phase 1 #",
        "Projected Phase 1 %",
    ]
    assert parsed.tables[0].rows[0] == ("All of it in April", None, 900, 25, 20, 0, 70, 37.5)
    assert parsed.tables[0].rows[2] == ("Norland", "Zabul", 400, 15, 8, 0, 30, 25)


def test_a_chart_stands_on_the_sheet_that_shows_it(reads: Reads) -> None:
    book = Workbook()
    data = book.active
    data.title = "Counts"
    for row in (("Year", "Ducks"), (2019, 120), (2020, 135)):
        data.append(row)
    for number, sheet in enumerate((book.create_chartsheet("Plot"), book.create_sheet("Board"), data)):
        chart = BarChart()
        chart.title = f"Chart {number}"
        chart.add_data(Reference(data, min_col=2, min_row=2, max_row=3))
        sheet.add_chart(chart)
    stream = io.BytesIO()
    book.save(stream)
    parsed = reads("a.xlsx", stream.getvalue())
    assert [(block.text, block.location.sheet) for block in parsed.blocks if block.kind != "table"] == [
        ("Counts", "Counts"),
        ("Chart 2: Series 1", "Counts"),
        ("Plot", "Plot"),
        ("Chart 0: Series 1", "Plot"),
        ("Board", "Board"),
        ("Chart 1: Series 1", "Board"),
    ]
