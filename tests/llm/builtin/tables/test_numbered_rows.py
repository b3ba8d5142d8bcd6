"""Numbers that only tell rows apart are counted, never added up, averaged or ranked."""

import pytest

from core.domain import ColumnCard, TableCard
from core.tasks import Query, WriteQuery

ORDERS = TableCard(
    name="t1",
    title="work-orders",
    rows=60,
    columns=(
        ColumnCard(name="Work order", type="integer", samples=("880100", "880107"), numbers_rows=True),
        ColumnCard(name="Station ID", type="integer", samples=("70411", "70412")),
        ColumnCard(name="Fault", type="text", samples=("seal leak", "motor trip")),
        ColumnCard(name="Hours", type="integer", samples=("4", "9")),
        ColumnCard(name="Pumps", type="integer", samples=("2", "6")),
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "What is the sum of the work orders?",
        "What is the average work order?",
        "What is the largest work order?",
        "What is the mean station ID of the pumping stations?",
        "What is the maximum station ID of the pumps?",
    ],
)
def test_identifiers_are_never_put_together(engine, question):
    assert not engine.run(WriteQuery(question=question, tables=(ORDERS,)), Query).sql


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many work orders are there?", 'count(DISTINCT "Work order")'),
        ("How many work orders had a seal leak?", 'count(DISTINCT "Work order")'),
        ("What is the total of the hours?", 'sum("Hours")'),
        ("What is the fault of work order 880107?", '"Fault"'),
    ],
)
def test_what_they_number_is_counted_and_looked_up(engine, question, expected):
    assert expected in engine.run(WriteQuery(question=question, tables=(ORDERS,)), Query).sql
