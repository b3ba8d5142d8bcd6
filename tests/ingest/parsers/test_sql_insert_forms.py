"""Rows that a dump writes in other forms than VALUES (...): MySQL's SET and ROW, Oracle's INSERT ALL."""

import pytest

from tests.ingest.parsers.conftest import Reads

Rows = dict[str, tuple[tuple[object, ...], ...]]


def rows_of(reads: Reads, dump: str) -> tuple[Rows, tuple[str, ...]]:
    parsed = reads("a.sql", dump)
    return {table.name: table.rows for table in parsed.tables}, parsed.skipped


def test_what_mysql_sets_is_a_row(reads: Reads) -> None:
    dump = """CREATE TABLE `pumps` (`id` int, `name` varchar(40), `note` text, `at` date);
INSERT INTO `pumps` SET `id` = 1, `name` = 'Turbo, 3 stages; new', at = '2025-03-01';
INSERT IGNORE INTO pumps SET pumps.name = "Roots", id = -2, note = NULL ON DUPLICATE KEY UPDATE id = 9;
REPLACE INTO pumps SET id=3, name=CONCAT('a', 'b');
"""
    rows, skipped = rows_of(reads, dump)
    assert rows["pumps"] == (
        (1, "Turbo, 3 stages; new", None, "2025-03-01"),
        (-2, "Roots", None, None),
        (3, "ab", None, None),
    )
    assert skipped == ()


def test_what_is_no_assignment_is_no_row(reads: Reads) -> None:
    rows, skipped = rows_of(reads, "INSERT INTO t (a) VALUES (1);\nINSERT INTO t SET a 2;\n")
    assert rows == {"t": ((1,),)} and "were not run: 1" in skipped[0]


@pytest.mark.parametrize("form", ["ROW(1, 'x'), ROW(2, 'ROW(')", "row (1,'x') ,\n row (2,'ROW(')"])
def test_rows_of_mysql_are_rows(reads: Reads, form: str) -> None:
    rows, skipped = rows_of(reads, f"INSERT INTO t (a, b) VALUES {form};")
    assert (rows, skipped) == ({"t": ((1, "x"), (2, "ROW("))}, ())


def test_a_torn_row_of_mysql_takes_no_other_with_it(reads: Reads) -> None:
    rows, skipped = rows_of(reads, "INSERT INTO t (a, b) VALUES ROW(1, 'x'), ROW(2, 'y z' w), ROW(3, 'v');")
    assert rows == {"t": ((1, "x"), (3, "v"))} and "broken: 1" in skipped[0]


def test_what_oracle_inserts_at_once_are_the_rows_of_each_table(reads: Reads) -> None:
    dump = """CREATE TABLE tools (id NUMBER(4), name VARCHAR2(40));
INSERT ALL
  INTO tools (id, name) VALUES (1, 'Etcher into (the) hall')
  INTO tools (id, name) VALUES (2, 'It''s a "select"')
  INTO fab.lots VALUES ('L1', TO_DATE('2025-03-01', 'YYYY-MM-DD'), 25)
SELECT * FROM dual;
insert all into tools values (3, 'Coater') select 1 from DUAL;
"""
    rows, skipped = rows_of(reads, dump)
    assert rows["tools"] == ((1, "Etcher into (the) hall"), (2, 'It\'s a "select"'), (3, "Coater"))
    assert rows["lots"] == (("L1", "2025-03-01", 25),)
    assert skipped == ()


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT ALL INTO t (a) VALUES (x) SELECT x FROM other;",
        "INSERT ALL WHEN x > 1 THEN INTO t (a) VALUES (1) SELECT * FROM dual;",
        "INSERT FIRST INTO t (a) VALUES (x) SELECT 2 x FROM dual;",
    ],
)
def test_what_a_query_decides_is_not_made_up(reads: Reads, statement: str) -> None:
    rows, skipped = rows_of(reads, f"INSERT INTO t (a) VALUES (7);\n{statement}\n")
    assert rows == {"t": ((7,),)} and "were not run: 1" in skipped[0]
