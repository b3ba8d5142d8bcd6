"""A word of a question for which a table has no place forbids a query: it may restrict what is asked."""

import pytest

from core.domain import ColumnCard, TableCard
from core.tasks import Query, WriteQuery

TURBINES = TableCard(
    name="t1",
    title="turbine fleet",
    document="fleet.csv",
    columns=(
        ColumnCard(name="turbine_type", type="text", samples=("N131", "V164")),
        ColumnCard(name="maker", type="text", samples=("Nordex", "Vestas")),
        ColumnCard(name="nominal_power", type="integer", samples=("3300", "9500")),
        ColumnCard(name="price", type="real", samples=("2.5", "7.5")),
    ),
    rows=9,
)


@pytest.mark.parametrize(
    "question",
    [
        "Which turbine type has the highest rated power?",
        "What is the average price of imported turbine types?",
        "Which turbine type has the highest price increase?",
        "Which turbine type has the highest steel price?",
        "How many turbine types does Nordex sell?",
        "What is the price of the turbine type N131 abroad?",
        "How often was the turbine type N131 stopped?",
    ],
)
def test_a_word_that_may_restrict_forbids_the_query(engine, question):
    assert not engine.run(WriteQuery(question=question, tables=(TURBINES,)), Query).sql
