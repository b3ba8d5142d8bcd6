"""Days without a year where a table is of one, days a table does not reach to, states, and initials."""

import duckdb
import pytest

from core.domain import ColumnCard, TableCard
from core.llm.builtin.answer.parsed_question import read
from core.llm.builtin.tables.stated_states import conditions_on_states
from core.tasks import Query, WriteQuery

CHECKS = TableCard(
    name="checks",
    title="checks_2024",
    document="checks_2024 (checks_2024.csv)",
    columns=(
        ColumnCard(name="check_id", type="text", samples=("C-1", "C-2", "C-3")),
        ColumnCard(name="date", type="date", first="2024-05-13", last="2024-05-24"),
        ColumnCard(name="batch", type="text", samples=("B-7", "B-8", "B-9")),
        ColumnCard(name="verdict", type="text", samples=("pass", "fail")),
        ColumnCard(name="analyst", type="text", samples=("Y. Demir", "A. Ruiz", "I. Mayer")),
    ),
    rows=3,
)
PARTS = TableCard(
    name="parts",
    title="spare_parts",
    document="spare_parts (spare_parts.csv)",
    columns=(
        ColumnCard(name="part_no", type="text", samples=("P-1", "P-2", "P-3")),
        ColumnCard(name="supplier", type="text", samples=("Norvalve AS", "Vale AG")),
        ColumnCard(name="critical", type="text", samples=("yes", "no")),
        ColumnCard(name="stock", type="integer"),
        ColumnCard(name="min_stock", type="integer"),
    ),
    rows=3,
)


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as held:
        held.execute(
            "CREATE TABLE checks AS SELECT row_number() OVER () AS _row, i AS check_id, d::DATE AS date,"
            " b AS batch, v AS verdict, a AS analyst FROM (VALUES"
            " ('C-1','2024-05-13','B-7','pass','A. Ruiz'),"
            " ('C-2','2024-05-20','B-8','fail','Y. Demir'), ('C-3','2024-05-24','B-9','fail','Y. Demir'))"
            " t(i, d, b, v, a)"
        )
        held.execute(
            "CREATE TABLE parts AS SELECT row_number() OVER () AS _row, * FROM (VALUES"
            " ('P-1','Norvalve AS','no',0,1), ('P-2','Norvalve AS','yes',2,2), ('P-3','Vale AG','yes',0,4))"
            " t(part_no, supplier, critical, stock, min_stock)"
        )
        yield held


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many checks were there on 20 May?", [(1,)]),
        ("How many checks were there between 13 May and 20 May?", [(2,)]),
        ("How many checks were there on 25 May?", []),  # the table ends on the 24th
        ("How many checks were there in March 2024?", []),
        ("How many checks were there in 2023?", []),
        ("How many checks that fail did Yusuf Demir do as analyst?", [(2,)]),
        ("How many checks that fail did Zoe Demir do as analyst?", []),
        ("How many checks between 13 May and 24 May were not a pass?", [(2,)]),
        (
            "How many checks did Yusuf Demir do as analyst between 13 May and 24 May?",
            [(2,)],
        ),  # none of them is Mayer's
        ("How many spare parts are out of stock?", [(2,)]),
        ("How many spare parts of Norvalve AS are out of stock?", [(1,)]),
        ("How many critical spare parts are out of stock?", [(1,)]),
        ("How many spare parts are below their minimum stock?", [(2,)]),
    ],
)
def test_days_and_states_are_those_the_table_tells(engine, database, question, rows):
    query = engine.run(WriteQuery(question=question, tables=(CHECKS, PARTS)), Query)
    assert (database.execute(query.sql, query.parameters).fetchall() if query.sql else []) == rows


def test_a_day_without_a_year_says_nothing_of_a_table_of_several(engine):
    dated = ColumnCard(name="date", type="date", first="2023-05-13", last="2024-05-24")
    columns = tuple(dated if column.name == "date" else column for column in CHECKS.columns)
    card = CHECKS.model_copy(update={"columns": columns})
    question = "How many checks were there on 20 May?"
    assert not engine.run(WriteQuery(question=question, tables=(card,)), Query).sql


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who has a crane licence?", "yes"),
        ("Who has no crane licence?", "no"),
        ("Which fitters are without a crane licence?", "no"),
        ("Which fitters with a crane licence are not on shift B?", None),  # what is denied is another thing
        ("Does Ana Ruiz have a crane licence?", None),
    ],
)
def test_a_column_of_yes_and_no_is_asked_for_by_its_name(question, value):
    licence = ColumnCard(name="Crane licence", type="text", samples=("yes", "no"))
    found = conditions_on_states(read(question), CHECKS.model_copy(update={"columns": (licence,)}))
    assert [one.values for one in found] == ([(value,)] if value else [])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many checks were not analysed by Yusuf Demir as analyst?", [(1,)]),
        ("Which batches did not fail at Yusuf Demir as analyst?", []),  # not those that others failed
    ],
)
def test_what_is_not_so_of_a_row_is_told_and_not_what_is_so_of_others(engine, database, question, rows):
    query = engine.run(WriteQuery(question=question, tables=(CHECKS,)), Query)
    assert (database.execute(query.sql, query.parameters).fetchall() if query.sql else []) == rows
