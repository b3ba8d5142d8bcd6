"""One word of a question may stand open where it restricts nothing; all others forbid a query."""

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
    ("question", "measure"),
    [
        ("Which turbine type has the highest rated power?", "nominal_power"),
        ("Which machine of the turbine fleet has the highest price?", "price"),
        ("Which turbine type of the Nordhavn data has the highest nominal power?", ""),
    ],
)
def test_a_word_that_stands_in_for_another_or_calls_the_thing_may_stand_open(engine, question, measure):
    query = engine.run(WriteQuery(question=question, tables=(TURBINES,)), Query)
    assert (f'ORDER BY "{measure}" DESC' in query.sql) if measure else not query.sql


@pytest.mark.parametrize(
    "question",
    [
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
