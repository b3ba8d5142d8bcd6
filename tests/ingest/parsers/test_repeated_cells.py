"""Cells and rows of OpenDocument tables that are repeated, without end too: what is left out is said."""

import pytest

from tests.ingest.parsers.conftest import Reads
from tests.ingest.parsers.test_office import cell, number, odf, row

ENDLESS = 10**18


def sheet(rows: str) -> bytes:
    body = f"<office:spreadsheet><table:table table:name='S'>{rows}</table:table></office:spreadsheet>"
    return odf("spreadsheet", body)


def repeated(times: int, *cells: str) -> str:
    return row(*cells).replace(
        "<table:table-row", f"<table:table-row table:number-rows-repeated='{times}'", 1
    )


def wide(times: int, text: str = "x") -> str:
    return cell(text, f"table:number-columns-repeated='{times}'")


def blank(times: int) -> str:
    return f"<table:table-cell table:number-columns-repeated='{times}'/>"


def test_a_row_repeated_without_end_is_read_500_times_and_the_rest_is_said(reads: Reads) -> None:
    parsed = reads("a.ods", sheet(row(cell("Lot"), cell("n")) + repeated(ENDLESS, cell("A"), number(3))))
    assert len(parsed.tables[0].rows) == 500
    statement = "Sheet S: 999,999,999,999,999,500 rows were left out: a repeated row is read 500 times."
    assert parsed.skipped == (statement,)


def test_a_cell_repeated_without_end_is_read_up_to_column_2000_and_the_rest_is_said(reads: Reads) -> None:
    rows = row(cell("Lot"), wide(ENDLESS, "n")) + repeated(2, cell("A"), wide(2_499, "b"), cell("c"))
    parsed = reads("a.ods", sheet(rows))
    assert len(parsed.tables[0].columns) == 2000
    left = ENDLESS - 1_999 + 2 * 501
    assert parsed.skipped == (f"Sheet S: {left:,} cells beyond column 2,000 were left out.",)


def test_tables_of_texts_say_it_too(reads: Reads) -> None:
    rows = row(cell("Lot"), cell("n")) + repeated(900, cell("A"), number(3))
    table = f"<office:text><table:table table:name='T'>{rows}</table:table></office:text>"
    assert "T: 400 rows were left out" in str(reads("a.odt", odf("text", table)).skipped)


@pytest.mark.parametrize("rows", [500, 1])
def test_what_is_repeated_within_the_limits_is_read_whole(reads: Reads, rows: int) -> None:
    parsed = reads("a.ods", sheet(row(cell("Lot"), cell("n")) + repeated(rows, cell("A"), number(3))))
    assert (len(parsed.tables[0].rows), parsed.skipped) == (rows, ())


def test_empty_cells_and_rows_without_end_are_no_loss(reads: Reads) -> None:
    rows = (
        row(cell("Lot"), cell("n"), blank(ENDLESS)) + row(cell("A"), number(3)) + repeated(ENDLESS, blank(9))
    )
    parsed = reads("a.ods", sheet(rows))
    assert (parsed.tables[0].rows, parsed.skipped) == ((("A", 3),), ())


def test_a_value_behind_many_empty_cells_stands_in_its_column(reads: Reads) -> None:
    labels = row(cell("Lot"), *(cell(f"c{n}") for n in range(200)), cell("n"))
    parsed = reads("a.ods", sheet(labels + row(cell("A"), blank(200), number(3))))
    assert parsed.tables[0].rows[0][-1] == 3 and len(parsed.tables[0].rows[0]) == 202


def test_a_merge_without_end_costs_no_more_than_the_cells_there_are(reads: Reads) -> None:
    endless = f"table:number-rows-spanned='{ENDLESS}' table:number-columns-spanned='{ENDLESS}'"
    rows = row(cell("Lot"), cell("n")) + row(cell("A"), number(3)) + row(cell("B", endless))
    assert reads("a.ods", sheet(rows)).tables[0].rows[0][0] == "A"
