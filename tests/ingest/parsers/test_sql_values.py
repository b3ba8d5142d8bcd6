"""What a dump writes besides plain values: casts, dates, glued texts, calls, subselects; no row is lost."""

import pytest

from tests.ingest.parsers.conftest import Reads, texts


def _rows(reads: Reads, dump: str) -> tuple[tuple[object, ...], ...]:
    return reads("a.sql", dump).tables[0].rows


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'00:01'::interval", "00:01"),
        ("NULL::character varying(20)", None),
        ("CAST(N'tall' AS nvarchar(20))", "tall"),
        ("(-7)::numeric(8, 2)", -7),
        ("- 5", -5),
        ("DATE '2024-05-01'", "2024-05-01"),
        ("TIMESTAMP WITHOUT TIME ZONE '2024-05-01 10:00'", "2024-05-01 10:00"),
        ("INTERVAL '3' DAY", "3 day"),
        ("E'it\\'s'", "it's"),
        ("$$two ) words$$", "two ) words"),
        (f"E'`{'long ' * 1000}'", f"`{'long ' * 1000}".rstrip()),
        ("'a' || ' b' || chr(33)", "a b!"),
        ("replace('one\\ntwo','\\n',char(32))", "one two"),
        ("to_date('17-DEC-80','DD-MON-RR')", "17-DEC-80"),
    ],
)
def test_a_cell_made_of_literals_is_its_value(reads: Reads, written: str, value: object) -> None:
    found = _rows(reads, f"INSERT INTO t (k, cell) VALUES ('key', {written}), ('other', 'x');")
    assert found[0][1] == (str(value) if isinstance(value, int) else value)
    assert len(found) == 2


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("i18n.i18n('Álava')", "Álava"),
        ("currval('clin.seq')", "currval('clin.seq')"),
        ("md5('x')", "md5('x')"),
        ("now()  - interval '3 days'", "now() - interval '3 days'"),
        ("(select id from clin.route where name = 'i.m.')", "i.m. (route name)"),
        (
            "(select max(id) from route where name = 'i.m.')",
            "(select max(id) from route where name = 'i.m.')",
        ),
        ("(select id from route where name <> 'i.m.')", "(select id from route where name <> 'i.m.')"),
    ],
)
def test_what_only_the_database_could_work_out_is_said_not_run(
    reads: Reads, written: str, value: str
) -> None:
    parsed = reads("a.sql", f"INSERT INTO t (k, cell) VALUES (1, {written});")
    assert (parsed.tables[0].rows, parsed.skipped) == (((1, value),), ())


def test_lines_for_the_program_that_loads_a_dump_cost_no_statement(reads: Reads) -> None:
    dump = """\\set ON_ERROR_STOP 1
INSERT INTO t (a, rem) VALUES (1, 'first');
\\echo don't stop
INSERT INTO t (a, rem) VALUES (2, 'of
REM two lines');
REM it's the third
INSERT INTO t (a, rem) VALUES (3, 'third');"""
    assert _rows(reads, dump) == ((1, "first"), (2, "of REM two lines"), (3, "third"))


def test_rows_that_a_select_names_are_read_and_those_of_a_table_are_not(reads: Reads) -> None:
    dump = """INSERT INTO t (a, b) SELECT 1, 'x' UNION ALL SELECT -2, 'y' AS b;
INSERT INTO t (a, b) SELECT 3, 'z' WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = 3);
INSERT INTO t (a, b) SELECT a, 'w' FROM u;"""
    parsed = reads("a.sql", dump)
    assert parsed.tables[0].rows == ((1, "x"), (-2, "y"), (3, "z"))
    assert parsed.skipped == ("Statements that compute what they write were not run: 1.",)


def test_a_torn_row_takes_no_other_with_it(reads: Reads) -> None:
    torn = ["(1, 'one', f('x'))", "2, 'two', f('x'))", "(3, 'three, f('x'))", "(4, 'four', f('x'))"]
    parsed = reads("a.sql", f"INSERT INTO t (a, b, c) VALUES {', '.join(torn)};")
    assert parsed.tables[0].rows == ((1, "one", "x"), (4, "four", "x"))


def test_functions_of_a_file_cannot_make_a_text_grow(reads: Reads) -> None:
    bomb = "replace(" * 15 + "'aaaa'" + ",'a','aaaaaaaaaa')" * 15
    parsed = reads("a.sql", f"INSERT INTO t (a, b) VALUES (1, {bomb}), (2, {'(' * 300}1{')' * 300});")
    assert len(texts(parsed, "table")[0]) < 1500
