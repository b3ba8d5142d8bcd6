"""KLARF, SML and CIM mappings."""

import zipfile
from pathlib import Path

import pytest

from core.errors import MappingError, ParseError
from core.ingest.parsers import read
from core.ingest.parsers.fab import load_mapping
from tests.ingest.parsers.conftest import Reads, texts

KLARF = """FileVersion 1 2;
FileTimestamp 01-02-24 10:00:00;
LotID "L77";
WaferID "W03";
ClassLookup 2
  0 "Unclassified"
  4 "Particle";
DefectRecordSpec 5 DEFECTID XREL DEFECTAREA CLASSNUMBER IMAGELIST ;
DefectList
 1 8969.590 460.02 4 1 1 0
 2 8541.840 71.03 4 0
 3 12;
EndOfFile;
"""
KLARF18 = """Record FileRecord "1.8"
{
  Record LotRecord "L77"
  {
    Record WaferRecord "W03"
    {
      Field SlotNumber 1 {25}
      List DefectList
      {
        Columns 3 { int32 DEFECTID, int32 XREL, float DEFECTAREA }
        Data 2 { 1 1254960 6445.0 ; 2 NA 10.5 ; }
      }
    }
  }
}
EndOfFile;
"""
SML = """2024-05-01 10:00:00.120 RECV S6F11 W
<L [3]
  <U4 1>
  <U4 2001>
  <A "E3">
>.
2024-05-01 10:00:00.150 SEND S6F12
<B [1] 0x00>.
"""
MAPPING = """name: Etch log
match: ["etch_*.log"]
delimiter: ","
skip: 1
header: true
columns:
  - {source: ts, name: Time, type: datetime, time: true}
  - {source: t1, name: Chuck temperature, type: real, unit: °C}
  - {source: 3, name: Tool, entity: equipment}
"""


def test_defects_of_klarf_1_2_become_a_table_with_units_and_odd_rows_are_said(reads: Reads) -> None:
    parsed = reads("a.001", KLARF)
    table = parsed.tables[0]
    assert parsed.title == "Defects of lot L77, wafer W03"
    assert [(c.name, c.unit) for c in table.columns[:6]] == [
        ("Wafer", ""),
        ("DEFECTID", ""),
        ("XREL", "µm"),
        ("DEFECTAREA", "µm²"),
        ("CLASSNUMBER", ""),
        ("CLASS", ""),
    ]
    assert table.rows[0][:6] == ("W03", 1, 8969.59, 460.02, 4, "Particle")
    assert "A row of DefectList has 2 fields, not 5" in parsed.skipped[0]
    assert any("Particle (4): 2" in text for text in texts(parsed, "paragraph"))


def test_klarf_1_8_is_read_in_nanometres(reads: Reads) -> None:
    table = reads("a.klarf", KLARF18).tables[0]
    assert table.rows == (("W03", 1, 1254960, 6445.0), ("W03", 2, None, 10.5))
    assert table.columns[2].unit == "nm"


@pytest.mark.parametrize("text", [KLARF[:180], KLARF18[:200]])
def test_a_klarf_that_breaks_off_is_one_clear_error(text: str, reads: Reads) -> None:
    with pytest.raises(ParseError, match=r"a\.klarf"):
        reads("a.klarf", text)


def test_the_defects_of_several_wafers_know_their_wafer(reads: Reads) -> None:
    second = 'WaferID "W04";\nDefectList\n 1 1.5 2.5 4 0;\nEndOfFile;'
    parsed = reads("a.001", KLARF.replace(" 3 12;", " ;").replace("EndOfFile;", second))
    table = parsed.tables[0]
    assert parsed.title == "Defects of lot L77, wafers W03, W04"
    assert [row[:2] for row in table.rows] == [("W03", 1), ("W03", 2), ("W04", 1)]
    assert (table.name, table.columns[0].name) == ("Defects of lot L77", "Wafer")
    counts = ("3 defects.", "Wafer W03: 2 defects.", "Wafer W04: 1 defects.")
    result = zip(counts, ("Particle (4): 3", "Particle (4): 2", "Particle (4): 1"), strict=True)
    assert {f"{count} By class: {each}." for count, each in result} <= set(texts(parsed, "paragraph"))


def test_images_listed_on_lines_of_their_own_belong_to_the_defect_above(reads: Reads) -> None:
    text = KLARF.replace("4 1 1 0", "4 2\n 1 0\n 2 0")
    assert reads("a.001", text).tables[0].rows[0][-1] == "2 1 0 2 0"


def test_messages_keep_time_direction_meaning_and_values(reads: Reads) -> None:
    parsed = reads("a.sml", SML)
    rows = parsed.tables[0].rows
    assert rows[0][1:] == ("received", "S6F11", "event report", "1, 2001, E3")
    assert rows[1][1:4] == ("sent", "S6F12", "event report acknowledge")
    assert parsed.blocks[0].location.lines == (0, 5)


def test_an_alarm_is_a_row_with_when_it_was_set_and_cleared(reads: Reads) -> None:
    report = '2024-05-01 {time} RECV S5F1 W\n<L [3] <B [1] {code}> <U4 {id}> <A "{text}">>.\n'
    reports = [
        ("10:00:00", "0x86", 217, "HE LEAK"),
        ("10:00:05", "134", 9, ""),
        ("10:01:00", "0x06", 217, ""),
    ]
    reports += [("10:02:00", "0x06", 5, "DOOR")]  # set before the log begins
    log = "".join(report.format(time=t, code=c, id=n, text=x) for t, c, n, x in reports)
    alarms = reads("a.sml", log).tables[1]
    assert alarms.name == "alarms"
    assert [column.name for column in alarms.columns] == ["time", "alarm", "alarm id", "cleared"]
    day = "2024-05-01 "
    assert alarms.rows == (
        (f"{day}10:00:00", "HE LEAK", 217, f"{day}10:01:00"),
        (f"{day}10:00:05", "alarm 9", 9, None),
        (None, "DOOR", 5, f"{day}10:02:00"),
    )


def test_a_mapped_file_gives_typed_columns_and_names_its_entities(tmp_path: Path) -> None:
    path = tmp_path / "etch_01.log"
    path.write_text(
        "# made by E3\nts,t1,eqp\n2024-05-01 10:00,60,E3\n2024-05-01 10:01,60.5,E4\nbroken line\n"
    )
    parsed = read(path, "etch_01.log", mappings=[load_mapping(MAPPING, "m.yaml")])
    table = parsed.tables[0]
    assert [(c.name, c.type, c.unit) for c in table.columns][1] == ("Chuck temperature", "real", "°C")
    assert table.rows[0] == ("2024-05-01 10:00:00", 60.0, "E3")
    assert "Equipment: E3, E4." in texts(parsed, "paragraph")
    assert parsed.skipped == ("Line 5 did not fit the mapping and stands as text.",)


def test_a_regex_mapping_cuts_lines_by_its_groups(tmp_path: Path) -> None:
    path = tmp_path / "pump.txt"
    path.write_text("[10:00] P=3.5 mTorr\n[10:01] P=3.7 mTorr\n")
    mapping = load_mapping(
        "name: P\nmatch: '*.txt'\nregex: 'P=(?P<p>\\S+)'\ncolumns: [{source: p, name: P, type: real}]", "m"
    )
    assert read(path, "pump.txt", mappings=[mapping]).tables[0].rows == ((3.5,), (3.7,))


def test_a_mapping_of_fixed_columns_cuts_lines_by_their_characters(tmp_path: Path) -> None:
    path = tmp_path / "metro.dat"
    path.write_text("L1001 W03  45.2\nL1002 W04  46.1\n\n")
    columns = "[{source: 1-5, name: Lot, entity: lot}, {source: 12-15, name: CD, type: real, unit: nm}]"
    mapping = load_mapping(f"name: CD\nmatch: '*.dat'\nfixed: true\ncolumns: {columns}", "m")
    assert read(path, "metro.dat", mappings=[mapping]).tables[0].rows == (("L1001", 45.2), ("L1002", 46.1))


def test_a_file_in_an_archive_is_read_by_its_mapping_too(tmp_path: Path) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pump.txt", "P=3.5\nP=3.7\n")
    mapping = load_mapping(
        "name: P\nmatch: '*.txt'\nregex: 'P=(?P<p>\\S+)'\ncolumns: [{source: p, name: P, type: real}]", "m"
    )
    assert read(path, "logs.zip", mappings=[mapping]).tables[0].rows == ((3.5,), (3.7,))


@pytest.mark.parametrize(
    ("before", "after", "line", "content"),
    [
        ("type: real", "type: number", 8, "type"),
        ("delimiter: ','", "", 1, "either a delimiter or a regex"),
        ("skip: 1", "skip: -1", 4, "skip"),
        ("source: 3", "source: 0", 9, "counted from 1"),
        ("match: [", "match: {", 2, "expected"),
    ],
)
def test_an_error_in_a_mapping_names_its_line(before: str, after: str, line: int, content: str) -> None:
    text = MAPPING.replace('"', "'").replace(before, after)
    with pytest.raises(MappingError, match=f"m.yaml, line {line}: .*{content}"):
        load_mapping(text, "m.yaml")


@pytest.mark.parametrize(
    ("change", "line", "content"),
    [
        (("name: Tool", "name: TIME"), 9, "column 3, name: two columns have the same name"),
        (("entity: equipment", "time: true"), 9, "column 3, time: only one column can be the time"),
        (("unit: °C", "units: °C"), 8, "column 2, units: there is no such key; is unit meant?"),
        (("delimiter: ','", "delimiter: ','\nfixed: true"), 4, "fixed: give either a delimiter"),
    ],
)
def test_what_columns_have_wrong_together_is_said_at_the_one_that_is(
    change: tuple[str, str], line: int, content: str
) -> None:
    text = MAPPING.replace('"', "'").replace(*change)
    with pytest.raises(MappingError) as caught:
        load_mapping(text, "m.yaml")
    assert str(caught.value).startswith(f"m.yaml, line {line}: {content}")


def test_a_single_value_of_another_type_leaves_its_column_typed_and_is_said(tmp_path: Path) -> None:
    path = tmp_path / "pump.txt"
    mapping = load_mapping(
        "name: P\nmatch: '*.txt'\ndelimiter: ','\n"
        "columns: [{source: 1, name: P, type: real}, {source: 2, name: N}]",
        "m",
    )
    path.write_text("1,a\n2.5,b\nfault,c\n,d\n4,e\n")
    parsed = read(path, "pump.txt", mappings=[mapping])
    assert [row[0] for row in parsed.tables[0].rows] == [1.0, 2.5, None, None, 4.0]
    assert parsed.skipped == ("P: 1 value is not of type real and left empty (line 3: “fault”).",)
    path.write_text("ok,a\nfault,b\n3,c\n")
    parsed = read(path, "pump.txt", mappings=[mapping])
    assert parsed.tables[0].columns[0].type == "text"
    assert parsed.skipped == ("Column P is not all of type real; it stays text.",)
    path.write_text(",a\n,b\n")
    assert read(path, "pump.txt", mappings=[mapping]).tables[0].columns[0].type == "real"
