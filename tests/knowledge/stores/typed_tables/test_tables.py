"""Typed tables, and what a query over them may and may not do."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.domain import Column, Scope, TableData
from core.errors import KnowledgeError, NotFound, QueryError
from core.knowledge.base import IndexableDocument, KnowledgeBase
from tests.knowledge.conftest import YIELD, entry_of, make_document

Add = Callable[..., IndexableDocument]


def test_rows_come_back_typed_and_in_their_order(library: KnowledgeBase, add: Add) -> None:
    prepared = add("Yield", "Monthly yield.", tables=[YIELD])
    table = library.tables(prepared.document.id)[0]
    assert [column.unit for column in table.columns] == ["", "", "%"] and table.row_count == 4
    frame = library.rows(table.id)
    assert list(frame.columns) == ["month", "line", "yield"]
    assert frame["yield"].tolist()[:3] == [91.5, 92.25, 88.0] and frame["yield"].isna().tolist()[3]
    assert library.rows(table.id, offset=1, limit=1)["yield"].tolist() == [92.25]
    with pytest.raises(NotFound):
        library.rows("unknown")


def test_a_query_counts_groups_and_cites_rows(library: KnowledgeBase, add: Add) -> None:
    add("Yield", "Monthly yield.", tables=[YIELD])
    means = library.query('SELECT line, avg("yield") AS mean FROM yield_by_month GROUP BY line ORDER BY line')
    assert means["mean"].tolist() == pytest.approx([91.875, 88.0])
    best = library.query(
        'WITH t AS (SELECT * FROM yield_by_month) SELECT _row FROM t ORDER BY "yield" DESC NULLS LAST LIMIT 1'
    )
    assert best["_row"].tolist() == [1]
    assert len(library.query("SELECT * FROM yield_by_month", limit=2)) == 2
    late = library.query("SELECT strftime(month, '%Y-%m') AS m FROM yield_by_month WHERE _row IN (1, 3)")
    assert late["m"].tolist() == ["2025-02", "2025-02"]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """A library with a table, which every hostile query meets: what one does to it shows at the next."""
    with KnowledgeBase(tmp_path_factory.mktemp("asked") / "library", "test") as opened:
        prepared = make_document("Yield", ["Monthly yield."], tables=[YIELD])
        opened.add(prepared, entry_of(prepared))
        yield opened


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE yield_by_month",
        "DELETE FROM yield_by_month",
        "UPDATE yield_by_month SET line = 'x'",
        "INSERT INTO yield_by_month VALUES (1)",
        "CREATE TABLE t AS SELECT 1",
        "SELECT 1; DROP TABLE yield_by_month",
        "COPY yield_by_month TO '/tmp/stolen.csv'",
        "ATTACH '/tmp/other.db'",
        "PRAGMA database_list",
        "SET memory_limit = '100GB'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "CALL pragma_version()",
        "EXPLAIN SELECT 1",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_csv_auto('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM read_parquet('https://example.org/x.parquet')",
        "SELECT * FROM '/etc/passwd'",
        'SELECT * FROM "/etc/passwd"',
        "SELECT * FROM glob('/*')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM main.sqlite_master",
        "SELECT * FROM duckdb_tables",
        "SELECT (SELECT content FROM read_text('/etc/passwd'))",
        "WITH t AS (SELECT * FROM read_csv('/etc/passwd')) SELECT * FROM t",
        "SELECT getenv('HOME')",
        "SELECT current_setting('memory_limit')",
        "SELECT * FROM query('SELECT 1')",
        "SELECT * FROM query_table('yield_by_month')",
        "SELECT * FROM unknown_table",
        "SELECT $1",
        "SELECT ?",
        "FROM (DELETE FROM yield_by_month RETURNING *)",
        "",
        "   ;  ",
        "not a query at all",
        "SELECT " + "(" * 3000 + "1" + ")" * 3000,
        "SELECT '" + "x" * 30_000 + "'",
    ],
)
def test_a_hostile_query_is_refused(asked: KnowledgeBase, sql: str) -> None:
    with pytest.raises(QueryError) as refused:
        asked.query(sql)
    assert str(refused.value) and "SELECT" in refused.value.hint
    assert len(asked.query("SELECT * FROM yield_by_month")) == 4


def test_a_query_sees_only_the_tables_of_its_scope(library: KnowledgeBase, add: Add) -> None:
    add("Yield", "Monthly yield.", tables=[YIELD], collection="secret")
    with pytest.raises(QueryError, match="no table"):
        library.query("SELECT * FROM yield_by_month", scope=Scope(collections=("open",)))


def test_a_query_that_takes_too_long_is_stopped(library: KnowledgeBase, add: Add) -> None:
    add("Yield", "Monthly yield.", tables=[YIELD])
    began = time.monotonic()
    with pytest.raises(QueryError, match="longer than"):
        library.external.tables.query(
            "SELECT count(*) FROM range(100000000) a, range(1000000) b", ["yield_by_month"], 10, seconds=0.3
        )
    assert time.monotonic() - began < 5


def test_a_column_whose_cells_do_not_fit_its_type_becomes_text_and_loses_none(
    library: KnowledgeBase, add: Add
) -> None:
    odd = TableData(
        name="odd",
        columns=(
            Column(name="count", type="integer"),
            Column(name="Count"),
            Column(name=""),
            Column(name="day", type="date"),
        ),
        rows=((1, "a", None, "2025-01-01"), ("n/a", "b", True, "2025-13-01"), (3,)),
    )
    prepared = add("Odd", "An odd table.", tables=[odd])
    table = library.tables(prepared.document.id)[0]
    assert [column.name for column in table.columns] == ["count", "Count 2", "column 3", "day"]
    assert [column.type for column in table.columns] == ["text", "text", "text", "text"]
    assert library.rows(table.id)["count"].tolist() == ["1", "n/a", "3"]


def test_two_documents_may_bring_a_table_of_one_name(library: KnowledgeBase, add: Add) -> None:
    add("Yield 2024", "First.", tables=[YIELD])
    add("Yield 2025", "Second.", tables=[YIELD])
    names = [table.sql_name for table in library.tables()]
    assert len(set(names)) == 2
    for name in names:
        assert len(library.query(f'SELECT * FROM "{name}"')) == 4


def test_tables_are_there_after_opening_again(folder: Path, library: KnowledgeBase, add: Add) -> None:
    add("Yield", "Monthly yield.", tables=[YIELD])
    library.close()
    with KnowledgeBase(folder, "test") as again:
        assert again.query("SELECT count(*) AS n FROM yield_by_month")["n"].tolist() == [4]


def test_a_clause_named_like_a_hidden_table_gives_no_way_to_it(library: KnowledgeBase, add: Add) -> None:
    add("Yield", "Monthly yield.", tables=[YIELD])
    hidden = YIELD.model_copy(update={"name": "wages"})
    add("Wages", "Who earns what.", tables=[hidden], collection="closed")
    name = next(table.sql_name for table in library.tables() if table.sql_name != "yield_by_month")
    scope = Scope(collections=("default",))
    for sql in (
        f"WITH {name} AS (SELECT * FROM {name}) SELECT * FROM {name}",
        f"WITH RECURSIVE {name} AS (SELECT * FROM {name}) SELECT * FROM {name}",
        f"WITH RECURSIVE {name} AS (SELECT * FROM {name} UNION ALL SELECT 1) SELECT * FROM {name}",
        f"WITH a AS (SELECT * FROM {name}), {name} AS (SELECT 1) SELECT * FROM a",
        f"SELECT * FROM (WITH {name} AS (SELECT 1) SELECT * FROM {name}) x, {name}",
        f"SELECT (SELECT count(*) FROM {name.upper()})",
        f"SELECT * FROM yield_by_month, LATERAL (SELECT * FROM {name})",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM duckdb_tables",
        "SELECT * FROM duckdb_tables()",
        "SELECT * FROM pg_catalog.pg_class",
        f"SELECT * FROM query_table('{name}')",
        f"FROM {name}",
    ):
        with pytest.raises(QueryError):
            library.query(sql, scope=scope)
    for sql in (
        f"WITH {name} AS (SELECT 7 AS n) SELECT n FROM {name.upper()}",
        f"WITH RECURSIVE {name} AS (SELECT 1 AS n UNION ALL SELECT n + 6 FROM {name} WHERE n < 7) "
        f"SELECT max(n) AS n FROM {name}",
        f"SELECT {name}.n FROM (SELECT 7 AS n FROM yield_by_month) AS {name}",
    ):
        assert set(library.query(sql, scope=scope)["n"]) == {7}


def test_a_query_has_a_gigabyte_and_its_time_whatever_it_calls(library: KnowledgeBase, add: Add) -> None:
    add("Yield", "Monthly yield.", tables=[YIELD])
    query = library.external.tables.query
    mine = psutil.Process().memory_info().rss
    for sql, why in (
        ("SELECT repeat('x', 2000000000) AS x FROM yield_by_month", "memory"),
        ("SELECT length(string_agg(repeat('y', 10000000), '')) FROM range(1000)", "memory"),
        ("SELECT list(r) FROM range(1000000000) x(r)", "memory"),
        ("SELECT repeat('z', 20000000) AS x FROM yield_by_month", "MB"),
        ("SELECT lpad('x', 2000000000, 'y') FROM yield_by_month", "memory|longer"),
        ("SELECT levenshtein(repeat('a', 200000), repeat('b', 200000)) FROM range(50)", "longer"),
        ("WITH RECURSIVE z AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM z) SELECT max(x) FROM z", "longer"),
    ):
        began = time.monotonic()
        with pytest.raises(QueryError, match=why):
            query(sql, ["yield_by_month"], 10, seconds=0.5 if "longer" in why else 10)
        assert time.monotonic() - began < 20, sql  # a busy machine takes its time to start a process
    assert psutil.Process().memory_info().rss - mine < 200_000_000
    assert len(query("SELECT * FROM yield_by_month", ["yield_by_month"], 10)) == 4


def test_a_table_that_changed_is_read_as_it_is_now(library: KnowledgeBase, add: Add) -> None:
    prepared = add("Yield", "Monthly yield.", tables=[YIELD])
    assert library.query("SELECT count(*) AS n FROM yield_by_month")["n"].tolist() == [4]
    card = library.tables(prepared.document.id)[0]
    library.external.tables.put(card, YIELD.model_copy(update={"rows": YIELD.rows[:1]}))
    assert library.query("SELECT count(*) AS n FROM yield_by_month")["n"].tolist() == [1]
    library.external.tables.drop(["yield_by_month"])
    with pytest.raises(KnowledgeError):
        library.query("SELECT count(*) AS n FROM yield_by_month")
