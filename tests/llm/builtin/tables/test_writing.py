"""Counting rows: only of what a row is, as the table's title says it."""

import pytest

from core.domain import ColumnCard, TableCard
from core.llm.builtin.tables.linking import head_of
from core.tasks import Query, WriteQuery

COLUMNS = (
    ColumnCard(name="Part", type="text", samples=("Focus ring", "Lift pin")),
    ColumnCard(name="Stock", type="integer", samples=("9", "2")),
)


def card(title: str) -> TableCard:
    return TableCard(name="t1", title=title, document="Catalogue of the PX-9", columns=COLUMNS, rows=6)


@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("Chamber parts of the PX-9 etcher", "part"),
        ("Table 3. Maintenance intervals", "interv"),
        ("Alarms by month", "alarm"),
        ("TrackList", "list"),
    ],
)
def test_a_row_is_what_the_title_says_before_its_preposition(title, head):
    assert head_of(card(title)).startswith(head[:4])


@pytest.mark.parametrize(("question", "counts"), [("chambers", False), ("parts", True)])
def test_rows_are_counted_only_as_what_they_are(engine, question, counts):
    task = WriteQuery(
        question=f"How many {question} does the PX-9 have?", tables=(card("Chamber parts of the PX-9"),)
    )
    assert ("count(" in engine.run(task, Query).sql) is counts


def test_things_named_together_are_added_up(engine):
    task = WriteQuery(
        question="How much stock do the focus ring and the lift pin have together?",
        tables=(card("Chamber parts of the PX-9"),),
    )
    query = engine.run(task, Query)
    assert "sum(" in query.sql and query.parameters == ("Focus ring", "Lift pin")


def test_a_part_of_a_value_is_not_counted_as_that_value(engine):
    rows = TableCard(
        name="t1",
        title="Albums",
        columns=(ColumnCard(name="Title", type="text", samples=("Led Zeppelin I",)),),
        rows=9,
    )
    task = WriteQuery(question="How many Led Zeppelin albums are there?", tables=(rows,))
    assert engine.run(task, Query).sql == ""


@pytest.mark.parametrize("question", ["How many parts does the PX-9 have?", "Which part has the most stock?"])
def test_one_page_of_a_longer_table_is_not_added_up(engine, question):
    whole = card("Chamber parts of the PX-9")
    page = whole.model_copy(update={"partial": True})
    assert engine.run(WriteQuery(question=question, tables=(whole,)), Query).sql
    assert not engine.run(WriteQuery(question=question, tables=(page,)), Query).sql
