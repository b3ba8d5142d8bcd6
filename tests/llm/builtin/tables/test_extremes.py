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


DOGS = TableCard(
    name="t1",
    title="Fees",
    document="Fees",
    rows=2,
    columns=(
        ColumnCard(name="Service", type="text", samples=("Neutering", "Vaccination")),
        ColumnCard(name="Dog EUR", type="integer", unit="EUR", samples=("290", "65")),
    ),
)
PATIENTS = TableCard(
    name="t2",
    title="Patients",
    document="Patients",
    rows=2,
    columns=(
        ColumnCard(name="Name", type="text", samples=("Otis", "Biscuit")),
        ColumnCard(name="Species", type="text", samples=("Dog", "Cat")),
        ColumnCard(name="Weight kg", type="real", unit="kg", samples=("31.0", "23.5")),
    ),
)


@pytest.mark.parametrize(
    ("tables", "expected"),
    [((DOGS,), ""), ((DOGS, PATIENTS), '"Weight kg" DESC'), ((PATIENTS,), '"Weight kg" DESC')],
)
def test_the_heaviest_is_no_price_of_what_is_ranked(engine, tables, expected):
    query = engine.run(WriteQuery(question="Which dog is the heaviest?", tables=tables), Query)
    assert (expected in query.sql) if expected else not query.sql


@pytest.mark.parametrize(
    ("name", "question", "expected"),
    [
        ("Route", "What is the sum of the routes?", False),
        ("车号", "车号合计是多少？", False),
        ("Routes", "What is the sum of the routes?", True),
        ("Loaves", "What is the sum of the loaves?", True),
    ],
)
def test_the_numbers_by_which_things_are_called_are_not_added_up(engine, name, question, expected):
    columns = (
        ColumnCard(name="Shop", type="text", samples=("Mill Lane", "Harbour Street")),
        ColumnCard(name=name, type="integer", samples=("14", "22")),
    )
    card = TableCard(name="t1", title="Deliveries", document="Deliveries", rows=4, columns=columns)
    assert bool(engine.run(WriteQuery(question=question, tables=(card,)), Query).sql) is expected
