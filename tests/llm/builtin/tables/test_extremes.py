"""The rows with the highest or lowest figure, run over DuckDB: all that share it, also by an adjective."""

import duckdb
import pytest

from core.domain import ColumnCard, TableCard
from core.tasks import Query, WriteQuery

COLUMNS = (
    ColumnCard(name="Roller", type="text", samples=("R-1", "R-2", "R-3", "R-4")),
    ColumnCard(name="Price [EUR]", type="integer", samples=("90", "40", "90", "60")),
    ColumnCard(name="Weight [kg]", type="integer", samples=("7", "5", "3", "3")),
    ColumnCard(name="Stock", type="integer", samples=("1", "2", "3", "4")),
)
ROWS = "('R-1', 90, 7, 1), ('R-2', 40, 5, 2), ('R-3', 90, 3, 3), ('R-4', 60, 3, 4)"


def rollers(engine, question):
    card = TableCard(name="t1", title="Rollers", document="Catalogue", rows=4, columns=COLUMNS)
    query = engine.run(WriteQuery(question=question, tables=(card,)), Query)
    if not query.sql:
        return None
    with duckdb.connect() as connection:
        names = ", ".join(f'"{column.name}"' for column in COLUMNS)
        connection.execute(
            f"CREATE TABLE t1 AS SELECT row_number() OVER () AS _row, * FROM (VALUES {ROWS}) AS v({names})"
        )
        return [row[0] for row in connection.execute(query.sql, list(query.parameters)).fetchall()]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which roller has the highest price?", ["R-1", "R-3"]),
        ("Which roller is the most expensive?", ["R-1", "R-3"]),
        ("Which roller is the cheapest?", ["R-2"]),
        ("What is the lightest roller?", ["R-3", "R-4"]),
        ("最贵的 roller 是哪个？", ["R-1", "R-3"]),
        ("哪个 roller 最重？", ["R-1"]),
        ("Which rollers are expensive?", None),
        ("Which roller is the fastest?", None),
    ],
)
def test_all_rows_that_share_the_extreme_figure_are_told(engine, question, expected):
    assert rollers(engine, question) == expected
