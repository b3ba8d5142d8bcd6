"""What is put together of one table is not told where the question means those of other files as well."""

import pytest

from core.domain import ColumnCard, TableCard
from core.tasks import Query, WriteQuery

COLUMNS = (
    ColumnCard(name="Pump", type="text", samples=("P-11", "P-12")),
    ColumnCard(name="Fault", type="text", samples=("seal leak", "motor trip")),
    ColumnCard(name="Hours", type="integer", samples=("4", "9")),
)
NORTH = TableCard(name="t1", title="Repairs", document="Log of the north works", rows=60, columns=COLUMNS)
SOUTH = NORTH.model_copy(update={"name": "t2", "document": "Log of the south works", "rows": 20})
STAFF = TableCard(
    name="t3",
    title="Staff",
    document="Rota",
    rows=9,
    columns=(
        ColumnCard(name="Name", type="text", samples=("Ada",)),
        ColumnCard(name="Hours", type="integer"),
    ),
)


def query(engine, question: str, *tables: TableCard) -> str:
    return engine.run(WriteQuery(question=question, tables=tables), Query).sql


@pytest.mark.parametrize(
    "question",
    [
        "How many repairs are there?",
        "How many repairs had a seal leak?",
        "What is the total of the hours of the repairs?",
        "What are the total hours per pump?",
        "Which pump has the highest hours?",
    ],
)
def test_rows_of_several_files_are_not_put_together_of_one(engine, question):
    assert query(engine, question, NORTH, STAFF)
    assert not query(engine, question, NORTH, SOUTH)


@pytest.mark.parametrize(
    ("question", "table"),
    [("How many repairs were there in the north works?", "t1"),
     ("What is the total of the hours of the repairs of the south works?", "t2")],
)  # fmt: skip
def test_a_file_that_is_named_is_the_one_that_is_asked(engine, question, table):
    assert f'"{table}"' in query(engine, question, NORTH, SOUTH)


def test_one_row_is_looked_up_wherever_it_stands(engine):
    assert '"t1"' in query(engine, "What was the fault of pump P-11?", NORTH, SOUTH)


PARTS = (
    ColumnCard(name="Part", type="text", samples=("O-ring", "ESC")),
    ColumnCard(name="Price", type="real", unit="EUR"),
    ColumnCard(name="Stock", type="integer"),
    ColumnCard(name="Minimum stock", type="integer"),
)
CHAMBER = TableCard(name="t4", title="Chamber parts", document="Spare parts catalogue", rows=6, columns=PARTS)
VACUUM = CHAMBER.model_copy(update={"name": "t5", "title": "Vacuum parts"})
BOTH = "UNION ALL"


@pytest.mark.parametrize(
    "question",
    [
        "What is the average price of the spare parts?",
        "Which part has the highest price?",
        "How many parts are there in the spare parts catalogue?",
        "Which spare parts are below the minimum stock?",
        "Which parts have a price of more than 500 EUR?",
        "Which parts are there in the spare parts catalogue?",
    ],
)
def test_tables_of_one_document_are_asked_together(engine, question):
    both = query(engine, question, CHAMBER, VACUUM)
    assert BOTH in both and '"t4"' in both and '"t5"' in both and "_row" not in both
    assert BOTH not in query(engine, question, CHAMBER, STAFF)
    assert not query(engine, question, CHAMBER.model_copy(update={"unclear_siblings": True}), STAFF)


def test_the_table_that_is_named_is_asked_alone(engine):
    assert BOTH not in query(engine, "What is the average price of the vacuum parts?", VACUUM, CHAMBER)


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("Which parts are below the minimum stock?", '"Stock" < "Minimum stock"'),
        ("How many parts are below their minimum stock?", '"Stock" < "Minimum stock"'),
        ("Which parts have a stock below the minimum stock?", '"Stock" < "Minimum stock"'),
        ("Which parts have a price below 500 EUR?", '"Price" < ?'),
        ("Which parts have a price above the average?", '"Price" > (SELECT avg("Price") FROM "t4")'),
        ("Which parts have a price of more than the median?", '"Price" > (SELECT median("Price") FROM "t4")'),
    ],
)
def test_a_comparison_is_a_condition(engine, question, condition):
    assert condition in query(engine, question, CHAMBER)


@pytest.mark.parametrize(
    "question", ["Which parts are above the average?", "Which parts are above the limit?"]
)
def test_a_comparison_that_no_condition_says_is_not_left_out(engine, question):
    assert not query(engine, question, CHAMBER)


def test_a_comparison_in_chinese_is_a_condition_and_never_left_out(engine):
    stock = TableCard(
        name="t6",
        title="备件",
        document="备件目录",
        rows=6,
        columns=(
            ColumnCard(name="部件", type="text", samples=("密封圈", "静电吸盘")),
            ColumnCard(name="库存", type="integer"),
            ColumnCard(name="最低库存", type="integer"),
        ),
    )
    assert '"库存" < "最低库存"' in query(engine, "哪些部件的库存低于最低库存？", stock)
    assert '"库存" < (SELECT avg("库存") FROM "t6")' in query(engine, "哪些部件的库存低于平均值？", stock)
    assert not query(engine, "哪些部件低于平均值？", stock)


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("Which parts cost less than 500 EUR?", '"Price" < ?'),
        ("Which parts cost more than the average price?", '"Price" > (SELECT avg("Price") FROM "t4")'),
    ],
)
def test_a_verb_of_the_figure_that_is_compared_is_no_condition(reading_engine, question, condition):
    assert condition in query(reading_engine, question, CHAMBER)


@pytest.mark.parametrize("word", ["discounted", "premium", "expensive", "costed"])
def test_a_word_near_to_the_figure_that_is_compared_stays_a_condition(reading_engine, word):
    assert not query(reading_engine, f"Which {word} parts have a price of more than 500 EUR?", CHAMBER)


def test_a_row_that_others_are_compared_with_is_not_looked_up(reading_engine):
    assert query(reading_engine, "What is the price of the ESC?", CHAMBER)
    for question in (
        "Which parts have a lower price than the ESC?",
        "Which parts have another price than the ESC?",
    ):
        assert not query(reading_engine, question, CHAMBER)
