"""Rows put together by what a column says: which group has most, a mean for each; ties are all told."""

import duckdb
import pytest

from core.domain import ColumnCard, KeyCard, TableCard
from core.tasks import Query, WriteQuery

CUSTOMERS = TableCard(
    name="customers",
    title="Customers",
    document="shop.sql",
    columns=(
        ColumnCard(name="CustomerId", type="integer", samples=("1", "2")),
        ColumnCard(name="Name", type="text", samples=("Ann", "Bo")),
        ColumnCard(name="Country", type="text", samples=("USA", "Norway", "Chile")),
        ColumnCard(name="Debt", type="real", samples=("5", "70")),
    ),
    rows=6,
)
ORDERS = TableCard(
    name="orders",
    title="Orders",
    document="shop.sql",
    columns=(
        ColumnCard(name="OrderId", type="integer", samples=("1", "2")),
        ColumnCard(name="CustomerId", type="integer", samples=("1", "2")),
    ),
    rows=4,
    keys=(KeyCard(column="CustomerId", table="customers", other="CustomerId"),),
)


@pytest.fixture(scope="module")
def shop():
    with duckdb.connect() as database:
        database.execute(
            'CREATE TABLE customers ("CustomerId" int, "Name" text, "Country" text, "Debt" double)'
        )
        database.execute(
            "INSERT INTO customers VALUES (1,'Ann','USA',5),(2,'Bo','Norway',70),(3,'Cy','USA',20),"
            "(4,'Di','Norway',1),(5,'Bo','Chile',40),(6,'Ed',NULL,900)"
        )
        database.execute('CREATE TABLE orders ("OrderId" int, "CustomerId" int)')
        database.execute("INSERT INTO orders VALUES (1,2),(2,2),(3,5),(4,1)")
        yield database


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which country has the most customers?", [("Norway", 2), ("USA", 2)]),
        ("Which country has the fewest customers?", [("Chile", 1)]),
        ("Which country has the highest average debt?", [("Chile", 40.0)]),
        ("Which country has the lowest total debt of its customers?", [("USA", 25.0)]),
        ("Which country has the most debt?", [("Norway", 71.0)]),
        ("How many customers are there in each country?", [("Norway", 2), ("USA", 2), ("Chile", 1)]),
        ("What is the average debt per country?", [("Chile", 40.0), ("Norway", 35.5), ("USA", 12.5)]),
        ("Which Country in the shop has the most customers?", [("Norway", 2), ("USA", 2)]),
        ("Which customer has the most orders?", [("Bo", 2)]),
        ("Which customer has the most orders in the Shop database?", [("Bo", 2)]),
        ("Are there more customers in Chile or in Norway?", [("Norway", 2), ("Chile", 1)]),
        ("Are there more orders in the USA or in Norway?", [("Norway", 2), ("USA", 1)]),
    ],
)
def test_groups_are_counted_and_compared(engine, shop, question, rows):
    query = engine.run(WriteQuery(question=question, tables=(CUSTOMERS, ORDERS)), Query)
    assert query.sql and shop.execute(query.sql, query.parameters).fetchall() == rows


@pytest.mark.parametrize(
    "question",
    [
        "Which country has the most unpaid customers?",
        "Which countries do not have customers?",
        "How many customers and managers are there?",
        "Which country has at least 2 customers?",
        "Which manager has the highest average debt?",
        "Which country has the most employees?",
        "What is the average debt per city?",
        "How many customers are there in each city?",
    ],
)
def test_a_group_or_a_thing_that_no_column_holds_is_not_counted(engine, question):
    assert not engine.run(WriteQuery(question=question, tables=(CUSTOMERS, ORDERS)), Query).sql


def test_a_mean_per_year_is_taken_over_rows_that_are_years(engine):
    ducks = TableCard(
        name="ducks",
        title="Number of ducks per year",
        columns=(ColumnCard(name="Year", type="integer"), ColumnCard(name="Ducks", type="integer")),
        rows=6,
    )
    asked = "What is the average number of ducks per year?"
    assert "avg(" in engine.run(WriteQuery(question=asked, tables=(ducks,)), Query).sql
    monthly = ducks.model_copy(update={"title": "Number of ducks"})
    assert not engine.run(WriteQuery(question=asked, tables=(monthly,)), Query).sql


def test_rows_that_may_stand_for_several_are_not_counted(engine):
    tally = ColumnCard(name="No. of", type="integer", samples=("12", "40"))
    notices = CUSTOMERS.model_copy(update={"columns": (*CUSTOMERS.columns, tally)})
    asked = "Which country has the most customers?"
    assert not engine.run(WriteQuery(question=asked, tables=(notices,)), Query).sql
