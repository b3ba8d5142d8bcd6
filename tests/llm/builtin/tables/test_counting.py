"""What a written query counts and averages in real rows: things once each, and only rows with a figure."""

import duckdb
import pytest

from core.domain import ColumnCard, TableCard
from core.tasks import Query, WriteQuery


@pytest.mark.parametrize(("place", "rows"), [("Hong Kong", []), ("Macao", [(21.0, 1)])])
def test_a_row_without_the_figure_has_no_mean_of_it(engine, place, rows):
    columns = (
        ColumnCard(name="Place", type="text", samples=("Hong Kong", "Macao")),
        ColumnCard(name="Temperature", type="real", samples=("21.0",)),
    )
    table = TableCard(name="t1", title="Temperature by place", columns=columns, rows=3)
    query = engine.run(WriteQuery(question=f"average temperature of {place}", tables=(table,)), Query)
    with duckdb.connect() as held:
        values = "('Hong Kong', NULL), ('Macao', 21.0), ('Macao', NULL)"
        held.execute(f"CREATE TABLE t1 AS SELECT * FROM (VALUES {values}) v(Place, Temperature)")
        assert held.execute(query.sql, query.parameters).fetchall() == rows


@pytest.mark.parametrize(
    ("counted", "rows"), [("customers subscribed in 2020", [(2,)]), ("agents subscribed in 2020", None)]
)
def test_things_whose_identifiers_a_column_holds_are_counted_each_once(engine, counted, rows):
    columns = (
        ColumnCard(name="Customer Id", type="text", samples=("C1", "C2")),
        ColumnCard(name="Subscription Date", type="date", samples=("2020-01-05",)),
    )
    table = TableCard(name="t1", title="export", document="export.csv", columns=columns, rows=4)
    query = engine.run(WriteQuery(question=f"How many {counted}?", tables=(table,)), Query)
    if rows is None:
        assert not query.sql
        return
    with duckdb.connect() as held:
        values = "('C1', DATE '2020-01-05'), ('C1', '2020-03-01'), ('C2', '2020-02-01'), ('C3', '2021-02-01')"
        held.execute(
            f'CREATE TABLE t1 AS SELECT * FROM (VALUES {values}) v("Customer Id", "Subscription Date")'
        )
        assert held.execute(query.sql, query.parameters).fetchall() == rows


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many tablets of Amoxivet are there?", False),
        ("What is the total of the tablets?", False),
        ("How many tablets per pack has Amoxivet?", True),
    ],
)
def test_what_is_in_each_of_something_is_not_how_much_there_is(engine, question, expected):
    columns = (
        ColumnCard(name="Medicine", type="text", samples=("Amoxivet", "Wormex")),
        ColumnCard(name="Packs", type="integer", samples=("6", "15")),
        ColumnCard(name="Tablets per pack", type="integer", samples=("20", "2")),
    )
    cupboard = TableCard(name="t1", title="Cupboard", document="Cupboard", columns=columns, rows=2)
    assert bool(engine.run(WriteQuery(question=question, tables=(cupboard,)), Query).sql) is expected
