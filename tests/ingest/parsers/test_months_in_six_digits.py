"""Months written as 200512 are dates where the column says so or counts them on; like codes are not."""

import io

import pytest
from openpyxl import Workbook

from tests.ingest.parsers.conftest import Reads

YEARS = [f"{year}{month:02}" for year in (2004, 2005) for month in range(1, 13)]


def column(reads: Reads, name: str, *cells: str) -> tuple[str, list[object]]:
    """Return the type and the values of a column of a CSV, beside another."""
    rows = "\n".join(f"{cell},{n}.5" for n, cell in enumerate(cells))
    (table,) = reads("a.csv", f"{name},Amount\n{rows}\n").tables
    return table.columns[0].type, [row[0] for row in table.rows]


@pytest.mark.parametrize(
    "name", ["Month", "report_period", "DATE", "YYYYMM", "年月", "Período", "Mes de venta"]
)
def test_a_column_that_is_called_so_holds_months(reads: Reads, name: str) -> None:
    assert column(reads, name, "200512", "200503", "199901") == (
        "date",
        ["2005-12-01", "2005-03-01", "1999-01-01"],
    )


def test_a_column_that_counts_months_over_a_new_year_holds_months(reads: Reads) -> None:
    kind, values = column(reads, "key", *YEARS)
    assert kind == "date" and values[11:13] == ["2004-12-01", "2005-01-01"]
    assert column(reads, "key", *reversed(YEARS[9:14]))[0] == "date"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Part", ["200401", "200402", "200403", "200404", "200405"]),  # codes that count on within a year
        ("Part", ["200411", "200412", "200501"]),  # too few to tell
        ("Part", [*YEARS[:5], *YEARS[8:]]),  # a gap
        ("Month", ["200512", "200513", "200601"]),  # there is no such month
        ("Month", ["200512", "12", "200601"]),
        ("Monthly rent", ["200512", "200601", "200602"]),
        ("Date", ["200512", "200511", "200410"]),  # these may be days of April and May 2020
        ("Price", ["200101", "190012", "205006"]),
    ],
)
def test_what_may_be_something_else_stays_a_number(reads: Reads, name: str, cells: list[str]) -> None:
    assert column(reads, name, *cells) == ("integer", [int(cell) for cell in cells])


def test_cells_of_a_workbook_are_read_so_too_and_empty_ones_stay_empty(reads: Reads) -> None:
    book, held = Workbook(), io.BytesIO()
    for row in (("Month", "Sold"), (200511, 7), (None, 8), (200512, 9)):
        book.active.append(row)
    book.save(held)
    (table,) = reads("a.xlsx", held.getvalue()).tables
    assert [(row[0], row[1]) for row in table.rows] == [("2005-11-01", 7), (None, 8), ("2005-12-01", 9)]
