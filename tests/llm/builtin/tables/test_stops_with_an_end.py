"""Rows with a start, an end and a state: how long they lasted, which are still open, who told them."""

import duckdb
import pytest

from core.domain import ColumnCard, TableCard
from core.llm.builtin.tables.date_conditions import start_and_end
from core.tasks import Query, WriteQuery

STOPS = TableCard(
    name="stops",
    title="kiln-stops-2025",
    document="kiln-stops-2025 (kiln-stops-2025.csv)",
    columns=(
        ColumnCard(name="stop_id", type="text", samples=("S-1", "S-2", "S-3", "S-4", "S-5")),
        ColumnCard(name="start", type="datetime"),
        ColumnCard(name="end", type="datetime"),
        ColumnCard(name="kiln", type="text", samples=("K-01", "K-02", "K-03", "K-11")),
        ColumnCard(
            name="reason", type="text", samples=("burner out, zone 1", "burner out, zone 2", "belt torn")
        ),
        ColumnCard(name="reported_by", type="text", samples=("Orval", "Ruiz")),
        ColumnCard(
            name="remark",
            type="text",
            samples=(
                "Burner of K-03 was taken to the shop on 30 May, back since 07:30.",
                "Waited for the crane of hall 2.",
            ),
        ),
    ),
    rows=5,
)
STAFF = TableCard(
    name="staff",
    title="Staff",
    document="staff.json",
    columns=(ColumnCard(name="name", type="text", samples=("Mei Orval", "Jan Ruiz", "Ana Ruiz")),),
    rows=3,
)
ORDERS = TableCard(
    name="orders",
    title="Orders 2025",
    document="orders.xlsx",
    columns=(
        ColumnCard(name="Order no.", type="text", samples=("O-1", "O-2", "O-3", "O-4")),
        ColumnCard(name="Supplier", type="text", samples=("Brandt Ceramics", "Vale AG")),
        ColumnCard(name="Total EUR (net)", type="real", unit="EUR"),
        ColumnCard(name="Status", type="text", samples=("ordered", "delivered", "cancelled")),
        ColumnCard(name="Order date", type="date"),
        ColumnCard(name="Delivered on", type="date"),
    ),
    rows=4,
)
TABLES = (STOPS, STAFF, ORDERS)


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as held:
        held.execute(
            "CREATE TABLE stops AS SELECT row_number() OVER () AS _row, i AS stop_id,"
            ' s::TIMESTAMP AS "start", e::TIMESTAMP AS "end", k AS kiln, r AS reason, b AS reported_by'
            " FROM (VALUES"
            " ('S-1','2025-05-01 23:30','2025-05-02 01:00','K-01','burner out, zone 1','Orval'),"
            " ('S-2','2025-05-03 08:00','2025-05-03 08:30','K-02','burner out, zone 2','Orval'),"
            " ('S-3','2025-05-04 08:00','2025-05-04 12:00','K-03','belt torn','Ruiz'),"
            " ('S-4','2025-05-05 08:00','2025-05-05 08:20','K-11','belt torn','Ruiz'),"
            " ('S-5','2025-05-06 08:00',NULL,'K-03','belt torn','Ruiz')) v(i, s, e, k, r, b)"
        )
        held.execute(
            'CREATE TABLE orders AS SELECT row_number() OVER () AS _row, n AS "Order no.", s AS "Supplier",'
            ' t AS "Total EUR (net)", u AS "Status", d::DATE AS "Order date", l::DATE AS "Delivered on" FROM'
            " (VALUES ('O-1','Brandt Ceramics',100.0,'delivered','2025-03-01','2025-03-09'),"
            " ('O-2','Brandt Ceramics',40.0,'ordered','2025-04-01',NULL),"
            " ('O-3','Vale AG',7.0,'ordered','2025-04-02',NULL),"
            " ('O-4','Vale AG',9.0,'cancelled','2025-04-03',NULL)) v(n, s, t, u, d, l)"
        )
        yield held


def asked(engine, database, question, tables=TABLES):
    query = engine.run(WriteQuery(question=question, tables=tables), Query)
    return database.execute(query.sql, query.parameters).fetchall() if query.sql else []


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What was the longest kiln stop?", ("S-3", "K-03", 240.0)),
        ("How long did the longest kiln stop last?", ("S-3", "K-03", 240.0)),
        ("How long was the shortest kiln stop, in hours?", ("S-4", "K-11", 0.33)),
        ("How long did the kiln stop of K-01 last?", ("S-1", "K-01", 90.0)),
    ],
)
def test_the_row_that_lasted_longest_is_found_by_its_start_and_end(engine, database, question, row):
    (found,) = asked(engine, database, question)
    assert set(row) <= set(found)


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("What was the total duration of all kiln stops in minutes?", (380.0, 4)),  # one has no end
        ("What was the average duration of the kiln stops of K-02 in minutes?", (30.0, 1)),
    ],
)
def test_durations_are_added_up_over_midnight(engine, database, question, figures):
    assert asked(engine, database, question) == [figures]


def test_two_columns_of_ends_tell_no_duration():
    twice = STOPS.model_copy(update={"columns": (*STOPS.columns, ColumnCard(name="end_2", type="datetime"))})
    assert start_and_end(STOPS) is not None
    assert start_and_end(twice) is None


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Is any kiln stop still open?", [("S-5",)]),
        ("Which orders have not been delivered yet?", [("O-2",), ("O-3",), ("O-4",)]),
        ("Which orders are not delivered by Brandt Ceramics?", [("O-2",)]),
    ],
)
def test_what_is_not_done_yet_has_an_empty_cell(engine, database, question, rows):
    found = asked(engine, database, question)
    assert [tuple(cell for cell in row if str(cell)[:2] in ("S-", "O-")) for row in found] == rows


def test_what_is_not_delivered_is_counted_by_its_state(engine, database):
    found = asked(engine, database, "How many orders are not delivered yet?")
    assert found == [("ordered", 2), ("cancelled", 1)]


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many kiln stops did Mei Orval report?", 2),
        ("How many kiln stops did Jan Ruiz report?", None),  # or was it Ana
        ("How many kiln stops did Tom Orval report?", None),  # nobody is called so
        ("How many entries does the 2025 kiln stop log have for K-03?", 2),
        ("How many kiln stops had K-01 to K-03?", 4),
        ("How many kiln stops had K-01 and K-03?", 3),
        ("How many kiln stops were there on 30 May at 07:30?", None),  # no part of a remark is a condition
    ],
)
def test_rows_are_counted_by_who_and_by_which(engine, database, question, count):
    assert asked(engine, database, question) == ([(count,)] if count is not None else [])


def test_a_value_is_called_by_what_stands_before_its_comma(engine, database):
    found = asked(engine, database, "How long did the kiln stops because of burner out last?")
    assert [row[0] for row in found] == ["S-1", "S-2"]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the total of our orders with Brandt Ceramics?", [(140.0, 2)]),
        ("On which day was the kiln stop because of burner out, zone 2?", [("2025-05-03 08:00:00",)]),
    ],
)
def test_totals_and_days_stand_in_the_column_that_tells_them(engine, database, question, rows):
    found = asked(engine, database, question)
    assert [tuple(str(c) for c in row if str(c).startswith("2025")) or row for row in found] == rows


def test_of_two_columns_of_days_none_is_guessed(engine):
    question = "Which orders were due on the order or delivered date in April 2025?"
    assert not engine.run(WriteQuery(question=question, tables=(ORDERS,)), Query).sql


def test_what_documents_mention_is_counted_in_no_table(engine):
    query = engine.run(WriteQuery(question="Which kiln is mentioned most?", tables=TABLES), Query)
    assert not query.sql
