"""The first and last row of a log, sums of the unit that is counted, and letters as values: over DuckDB."""

import duckdb
import pytest

from core.domain import ColumnCard, TableCard
from core.tasks import Query, WriteQuery

NUMBERED = ColumnCard(name="Oven", type="integer", samples=("4001", "4007"))
COLUMNS = (
    ColumnCard(name="Time", type="datetime", samples=("2025-01-05 08:00:00",)),
    ColumnCard(name="Kiln", type="text", samples=("K-1", "K-2")),
    ColumnCard(name="Chamber", type="text", samples=("A", "B")),
    ColumnCard(name="Alarm", type="text", samples=("E-7", "E-9")),
    ColumnCard(name="Downtime", type="integer", unit="min", samples=("10", "20")),
)
ROWS = (
    "(TIMESTAMP '2025-01-05 08:00:00', 'K-1', 'A', 'E-7', 10),"
    "('2025-02-01 09:00:00', 'K-1', 'B', 'E-9', 20),"
    "('2025-03-01 10:00:00', 'K-2', 'A', 'E-7', 30), ('2025-04-01 11:00:00', 'K-1', 'B', 'E-7', 40)"
)


def row_texts(engine, question):
    card = TableCard(name="t1", title="alarms", document="alarms.csv", rows=4, columns=COLUMNS)
    query = engine.run(WriteQuery(question=question, tables=(card,)), Query)
    if not query.sql:
        return None
    with duckdb.connect() as connection:
        names = ", ".join(f'"{column.name}"' for column in COLUMNS)
        connection.execute(
            f"CREATE TABLE t1 AS SELECT row_number() OVER () AS _row, * FROM (VALUES {ROWS}) AS v({names})"
        )
        return {
            str(cell) for row in connection.execute(query.sql, query.parameters).fetchall() for cell in row
        }


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("When was the last E-7 alarm?", "2025-04-01 11:00:00"),
        ("When was the first alarm of K-2?", "2025-03-01 10:00:00"),
        ("Which kiln raised the first E-7 alarm?", "K-1"),
        ("K-1最后一次报警E-7是什么时候？", "2025-04-01 11:00:00"),
        ("Which kiln raised alarm E-7 last?", "K-1"),
        ("How many minutes of downtime did E-7 cause?", "80"),
        ("How many alarms did chamber A of K-1 raise?", "1"),
        ("How many alarms did chamber B raise?", "2"),
        ("how many alarms did chamber a of K-1 have?", "1"),
        ("how many alarms did chamber b raise?", "2"),
        ("K-1的A腔报警了多少次？", "1"),
    ],
)
def test_a_log_tells_its_ends_its_sums_and_what_a_letter_names(engine, question, holds):
    assert holds in row_texts(engine, question)


def test_how_often_something_happened_is_not_the_highest_number_of_its_things(engine):
    card = TableCard(name="t1", title="alarms", document="alarms.csv", rows=4, columns=(*COLUMNS, NUMBERED))
    task = WriteQuery(question="Which oven had alarm E-7 most often?", tables=(card,))
    assert "rank()" not in engine.run(task, Query).sql


@pytest.mark.parametrize(
    "question",
    [
        "What was the downtime of K-1 in the last week?",  # which week that is no row says
        "How many alarms did chamber C raise?",
        "How much downtime per bowl had K-1?",
    ],
)
def test_what_the_log_has_no_place_for_is_not_computed(engine, question):
    assert row_texts(engine, question) is None
