"""Data that is broken or cut off: what is whole is kept, and it is said where it breaks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.parsers.trees.broken_json import repaired_json
from tests.ingest.parsers.conftest import Reads

RECORDS = [{"id": n, "name": f"Valve {n}", "pressure": n * 1.5} for n in range(30)]


@pytest.mark.parametrize(
    ("break_it", "kept", "line"),
    [
        (lambda text: text[: text.index('"Valve 12"') + 4], 13, 64),
        (lambda text: text.replace('"Valve 12"', "Valve 12"), 30, 64),
        (lambda text: text.replace('"Valve 12",', '"Valve 12,'), 30, 64),
        (lambda text: text.replace('"id": 12,', ""), 30, 0),
        (lambda text: text.replace('"id": 12,', '"id" 12,'), 30, 63),
        (lambda text: text[:-1], 30, 152),
    ],
    ids=["cut off", "no quotes", "quote not closed", "whole", "no colon", "last bracket"],
)
def test_records_before_and_after_a_break_are_kept(
    reads: Reads, break_it: object, kept: int, line: int
) -> None:
    assert callable(break_it)
    parsed = reads("a.json", break_it(json.dumps(RECORDS, indent=1)))
    rows = parsed.tables[0].rows
    sound = [row for row in rows if row[0] != 12]
    assert len(rows) == kept
    assert all((f"Valve {row[0]}", row[0] * 1.5) == row[1:] for row in sound if isinstance(row[0], int))
    assert not line or f"broken in line {line};" in parsed.skipped[0]


def test_several_values_comments_and_needless_commas_are_read(reads: Reads) -> None:
    assert reads("a.json", '{"a": 1}\n{"a": 2} {"a": 3}').tables[0].rows == ((1,), (2,), (3,))
    parsed = reads("b.json", '{\n // tool\n "tool": "E3", /* p, */ "list": [1, 2,], "url": "http://x//y",\n}')
    assert parsed.blocks[0].text == "tool: E3\nlist: 1, 2\nurl: http://x//y"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 999) | st.text('ab"\\{}[],: \n', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("kxy", max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


def scalars(value: object) -> list[object]:
    if isinstance(value, dict):
        return [each for inner in value.values() for each in scalars(inner)]
    return [each for inner in value for each in scalars(inner)] if isinstance(value, list) else [value]


@given(st.lists(VALUES), st.data())
def test_of_json_that_is_cut_off_nothing_is_made_up(value: list[object], data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(0, len(text)))]
    found = repaired_json(cut)
    if found is not None:
        given_ = scalars(value)
        assert all(each in given_ for each in scalars(found.value))


MYSQL = "CREATE TABLE `t` (`id` int, `note` text);\nINSERT INTO `t` VALUES (1,'a; b'),(2,'it''s'),(3,'cut"
COPY = "COPY lots (id, note) FROM stdin;\n1\tfirst\n2\tsecond\n3\tthi"


@pytest.mark.parametrize(
    ("dump", "rows"),
    [(MYSQL, ((1, "a; b"), (2, "it's"))), (COPY, ((1, "first"), (2, "second")))],
    ids=["values", "copy"],
)
def test_of_a_dump_that_is_cut_off_the_whole_rows_are_kept(
    reads: Reads, dump: str, rows: tuple[object, ...]
) -> None:
    parsed = reads("a.sql", dump)
    assert parsed.tables[0].rows == rows
    assert "breaks off in its last statement" in parsed.skipped[0]


def test_a_dump_that_lacks_only_its_last_semicolon_is_whole(reads: Reads) -> None:
    assert reads("a.sql", "CREATE TABLE t (a int);\nINSERT INTO t VALUES (1), (2)").skipped == ()


def test_xml_with_a_bare_ampersand_and_declarations_is_read(reads: Reads) -> None:
    places = "".join(f'<place code="{n}" name="Ebon & Jaluit {n}"/>' for n in range(3))
    dtd = "<!DOCTYPE list [ <!ELEMENT list (place+)>\n<!ATTLIST place name CDATA #REQUIRED\n> ]>"
    parsed = reads("a.xml", f"<?xml version='1.0'?>{dtd}<list>{places}</list>")
    assert parsed.tables[0].rows[2] == (2, "Ebon & Jaluit 2")
    assert "not well-formed" in parsed.skipped[0]


def test_what_is_filed_by_values_is_one_column_and_no_field_of_a_record_is_lost(reads: Reads) -> None:
    filed = [{"name": f"n{n}", "languages": {f"l{n}": f"Tongue {n}"}} for n in range(40)]
    table = reads("a.json", json.dumps(filed)).tables[0]
    assert [column.name for column in table.columns] == ["name", "languages"]
    assert table.rows[7] == ("n7", "l7: Tongue 7")
    wide = [{f"f{n}": n for n in range(230)}] * 2
    assert str(reads("b.json", json.dumps(wide)).tables[0].rows[0][-1]).endswith("f228: 228; f229: 229")
