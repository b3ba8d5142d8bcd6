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
