"""A table of a sheet whose rows, or groups of rows, have empty ones between them is one table."""

from collections.abc import Sequence

from core.domain import Parsed
from tests.ingest.parsers.conftest import Reads, texts
from tests.ingest.parsers.test_sheets import names, read

MONTHS: list[Sequence[object]] = [
    ["Table F-2 by month"],
    ["Cases commenced by chapter"],
    [],
    ["Year and", "Total", "Chap.", "Chap."],
    ["month", "filings", "7", "11"],
    [],
    ["200504", 167943, 132890, 562],
    [],
    ["200505", 152495, 119316, 509],
    [],
    ["200506", 147197, 112463, 497],
]


def parsed_once(parsed: Parsed) -> tuple[tuple[object, ...], ...]:
    assert len(parsed.tables) == 1
    return parsed.tables[0].rows


def test_rows_with_an_empty_one_between_them_stand_under_their_labels(reads: Reads) -> None:
    parsed = read(reads, MONTHS)
    rows = parsed_once(parsed)
    assert names(parsed) == ["Year and month", "Total filings", "Chap. 7", "Chap. 11"]
    assert [row[0] for row in rows] == ["2005-04-01", "2005-05-01", "2005-06-01"]
    assert rows[0][1:] == (167943, 132890, 562)
    assert "Table F-2 by month" in texts(parsed, "heading")


def test_groups_of_rows_go_on_under_the_labels_of_the_first(reads: Reads) -> None:
    rows: list[Sequence[object]] = [
        ["Region", "Share", "Number"],
        ["North", 0.3, 31],
        [],
        ["West", 0.2, 20],
        ["Porto", 0.1, 11],
        [],
        ["South", 0.4, 42],
    ]
    found = parsed_once(read(reads, rows))
    assert [row[0] for row in found] == ["North", "West", "Porto", "South"]


def test_two_tables_each_with_its_labels_stay_two(reads: Reads) -> None:
    table: list[Sequence[object]] = [["Tool", "Wafers", "Lots"], ["E-1", 5, 2], ["E-2", 7, 3]]
    parsed = read(reads, [*table, [], *table, [], *table])
    assert len(parsed.tables) == 3
    assert names(parsed, 2) == ["Tool", "Wafers", "Lots"]
