"""Exports of sheets and databases as delimited text, with what stands around their tables."""

import pytest

from tests.ingest.parsers.conftest import Reads

_ROWS = "Line A,LA,7738\nLine B,LB,1781\nLine C,LC,18588\n"


def test_titles_above_the_header_of_an_export_are_its_titles(reads: Reads) -> None:
    parsed = reads("a.csv", f",,\nStops by line in 2010,,\nLine,Short,Stops in total\n{_ROWS}")
    (table,) = parsed.tables
    assert [column.name for column in table.columns] == ["Line", "Short", "Stops in total"]
    assert len(table.rows) == 3
    assert (parsed.title, table.caption) == ("Stops by line in 2010",) * 2


def test_an_instruments_settings_stand_apart_from_its_readings(reads: Reads) -> None:
    source = "Instrument,K-2\nOperator,Ann\n\nTime,Temperature (C),Pressure (Pa)\n0,20.5,3\n1,21.5,4\n"
    parsed = reads("a.csv", source)
    _, readings = parsed.tables
    assert "Instrument | K-2\nOperator | Ann" in parsed.blocks[0].text
    assert [column.unit for column in readings.columns] == ["", "C", "Pa"]
    assert readings.rows == ((0, 20.5, 3), (1, 21.5, 4))


def test_empty_lines_within_a_table_part_nothing(reads: Reads) -> None:
    (table,) = reads("a.csv", "lot,yield\nA,1\n\nB,2\n\nC,3\n").tables
    assert [row[0] for row in table.rows] == ["A", "B", "C"]


def test_a_text_of_equally_many_fields_on_every_line_is_a_table(reads: Reads) -> None:
    source = 'No|Site|What\n7|NORTH|"as found" pump off\n8|SOUTH|"valve open" and left\n9|EAST|none\n'
    (table,) = reads("a.txt", source).tables
    assert [column.name for column in table.columns] == ["No", "Site", "What"]
    assert [row[1] for row in table.rows] == ["NORTH", "SOUTH", "EAST"]


def test_a_text_in_fields_keeps_the_quotes_its_fields_begin_with(reads: Reads) -> None:
    source = 'No|What|Site\n7|"Pump off|NORTH\n8|"Valve" open|SOUTH\n9|none|EAST\n'
    (table,) = reads("a.txt", source).tables
    assert table.rows[0] == (7, '"Pump off', "NORTH")
    assert len(table.rows) == 3


def test_a_first_row_with_a_decimal_above_decimals_is_no_header(reads: Reads) -> None:
    (table,) = reads("a.csv", "Horta,CTH,490.0,J\nLisbon,LIS,518.0,R\nPorto,POR,490.5,G\n").tables
    assert len(table.rows) == 3
    assert table.columns[0].name == "column 1"


def test_a_first_row_that_begins_as_those_below_it_is_no_header(reads: Reads) -> None:
    (table,) = reads(
        "a.csv", "-p,processor,chip to build for\n-o,output,file to write\n-q,quiet,no words\n"
    ).tables
    assert [row[0] for row in table.rows] == ["-p", "-o", "-q"]


def test_a_grid_of_codes_has_no_header(reads: Reads) -> None:
    (table,) = reads("a.csv", "p10f200,p10f202\np12c508,p12c509\np16f848,p16c505\n").tables
    assert len(table.rows) == 3


def test_prose_with_semicolons_stays_prose(reads: Reads) -> None:
    parsed = reads(
        "a.txt", "It rained; it was cold; we left.\nThen it cleared; we came back.\nAll was well.\n"
    )
    assert not parsed.tables


def test_records_parted_by_colons_are_a_table(reads: Reads) -> None:
    source = (
        "# users\nroot:x:0:0:root:/u/root\ndaemon:x:1:1:daemon:/usr/sbin\nann:x:1000:1000:Ann Lee:/u/ann\n"
    )
    for name in ("passwd", "users.txt"):
        (table,) = reads(name, source).tables
        assert table.rows[-1] == ("ann", "x", 1000, 1000, "Ann Lee", "/u/ann")


def test_times_addresses_and_labels_with_colons_are_no_table(reads: Reads) -> None:
    for line in (
        "12:30:0{}:555 pump on",
        "a{}:1b:2c:3d:4e:5f",
        "Note: part {}: see: this: there",
        "https://a:8{}:b:c",
    ):
        assert not reads("a.txt", "".join(f"{line.format(n)}\n" for n in range(6))).tables


def test_a_file_of_one_column_with_times_stays_one_column(reads: Reads) -> None:
    parsed = reads("a.csv", "start\n12:30:01\n12:31:02\n12:32:03\n")
    assert all(len(table.columns) == 1 for table in parsed.tables)


@pytest.mark.parametrize(
    ("name", "text", "columns"),
    [
        ("a.tsv", "# zones\n#code\tzone\nAD\tAndorra\nAE\tDubai\n", ["code", "zone"]),
        ("a.csv", "# name, age\nBob,3\nAnn,4\n", ["name", "age"]),
        ("a.csv", "# Source: Smith, Rome\nname,age\nBob,3\nAnn,4\n", ["name", "age"]),
    ],
)
def test_a_header_in_the_last_comment_names_the_columns(
    reads: Reads, name: str, text: str, columns: list[str]
) -> None:
    table = reads(name, text).tables[0]
    assert ([column.name for column in table.columns], len(table.rows)) == (columns, 2)
