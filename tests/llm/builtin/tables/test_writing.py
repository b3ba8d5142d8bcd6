"""Counting rows: only of what a row is, as the table's title says it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is known about the focus ring?", True),
        ("What is known about the stock of the focus ring?", False),
    ],
)
def test_of_a_thing_of_which_everything_is_asked_the_only_row_is_told_whole(engine, question, expected):
    query = engine.run(WriteQuery(question=question, tables=(card("Chamber parts of the PX-9"),)), Query)
    assert ('"Part", "Stock"' in query.sql and "count(*)" in query.sql) is expected


def test_a_chinese_count_of_what_a_column_counts_is_read_from_that_column(engine):
    columns = (
        ColumnCard(name="Number", type="text", samples=("PN-1", "PN-2")),
        ColumnCard(name="Minimum stock", type="integer", samples=("4", "2")),
        ColumnCard(name="Stock", type="integer", samples=("9", "2")),
    )
    table = card("Chamber parts").model_copy(update={"columns": columns})
    query = engine.run(WriteQuery(question="PN-1有多少库存？", tables=(table,), language="zh"), Query)
    assert 'sum("Stock")' in query.sql


def test_a_name_in_latin_letters_before_what_is_sought_in_chinese_is_none_of_it(engine):
    columns = (
        ColumnCard(name="First Name", type="text", samples=("Sheryl", "Roy")),
        ColumnCard(name="Subscription Date", type="date", samples=("2020-08-24", "2020-03-25")),
    )
    table = card("Customers").model_copy(update={"columns": columns})
    query = engine.run(WriteQuery(question="Sheryl的订阅日期是多少？", tables=(table,), language="zh"), Query)
    assert '"Subscription Date"' in query.sql


def test_things_named_together_are_added_up(engine):
    task = WriteQuery(
        question="How much stock do the focus ring and the lift pin have together?",
        tables=(card("Chamber parts of the PX-9"),),
    )
    query = engine.run(task, Query)
    assert "sum(" in query.sql and query.parameters == ("Focus ring", "Lift pin")


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("PN-1的价格是多少？", "Price"),
        ("PN-1的最低库存是多少？", "Minimum stock"),
        ("PN-1的库存是多少？", "Stock"),
    ],
)
def test_a_chinese_figure_of_one_thing_is_looked_up_not_counted(engine, question, column):
    figures = tuple(ColumnCard(name=name, type="integer") for name in ("Price", "Stock", "Minimum stock"))
    rows = TableCard(
        name="t1",
        title="Parts",
        columns=(ColumnCard(name="Part number", type="text", samples=("PN-1", "PN-2")), *figures),
        rows=2,
    )
    query = engine.run(WriteQuery(question=question, tables=(rows,)), Query)
    assert query.sql.startswith(f'SELECT "Part number", "{column}", _row FROM')
    assert query.parameters == ("PN-1",)


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


CARS = TableCard(
    name="cars",
    title="Sheet1",
    document="Road tests (testcars.ods)",
    columns=(
        ColumnCard(name="cyl", type="integer"),
        ColumnCard(name="hp", type="integer"),
        ColumnCard(name="wt", type="real", unit="t"),
        ColumnCard(name="gear", type="integer"),
    ),
    rows=32,
)
POWER = TableCard(
    name="power",
    title="iowa-electricity",
    document="iowa-electricity (iowa-electricity.csv)",
    columns=(
        ColumnCard(name="year", type="date"),
        ColumnCard(name="source", type="text", samples=("Fossil Fuels", "Nuclear Energy", "Renewables")),
        ColumnCard(name="net_generation", type="integer"),
    ),
    rows=51,
)


@pytest.mark.parametrize(
    ("question", "condition", "parameters"),
    [
        ("average horsepower of the 8-cylinder cars in testcars.ods", '"cyl" = ?', (8,)),
        ("how many cars have five gears?", '"gear" = ?', (5,)),
        ("how many cars have at least 100 hp?", '"hp" >= ?', (100,)),
        ("how many cars are over 3.5 t?", '"wt" > ?', (3.5,)),
    ],
)
def test_a_figure_beside_the_name_or_unit_of_a_column_is_a_condition(engine, question, condition, parameters):
    query = engine.run(WriteQuery(question=question, tables=(CARS,)), Query)
    assert condition in query.sql and query.sql.count("?") == 1 and query.parameters == parameters


def test_a_figure_within_a_name_is_no_condition(engine):
    assert not engine.run(
        WriteQuery(question="how many cars of the 9/11 gear are there?", tables=(CARS,)), Query
    ).sql


@given(
    st.lists(
        st.sampled_from(["how many", "cars", "gear", "cyl", "hp", "over", "average", "with"])
        | st.from_regex(r"[-+]?[0-9]{1,4}([.,/:-][0-9]{1,4}){0,3}[a-z%]?", fullmatch=True)
        | st.text(max_size=6),
        max_size=9,
    )
)
@example(["cars", "of", "gear", "1.4.0"])
def test_any_question_gets_a_query_or_none(engine, words):
    query = engine.run(WriteQuery(question=" ".join(words), tables=(CARS,)), Query)
    assert query.sql.startswith("SELECT") or not query.sql


YEARLY = TableCard(
    name="ducks",
    title="Duck observations",
    document="duck-counts2024 (duck-counts2024.csv)",
    columns=(
        ColumnCard(name="Year", type="integer"),
        ColumnCard(name="Freshwater Ducks", type="integer"),
        ColumnCard(name="Depth", type="real"),
        ColumnCard(name="Site", type="text", samples=("North", "South")),
        ColumnCard(name="source", type="text", samples=("https://ducks.org/north/duck-observations#2",)),
    ),
    rows=6,
)
THEFTS = TableCard(
    name="thefts",
    title="thefts",
    document="thefts2024_5yr (thefts2024_5yr.csv)",
    columns=(
        ColumnCard(name="region", type="text", samples=("North", "South")),
        ColumnCard(name="population", type="integer"),
        ColumnCard(name="total", type="integer"),
    ),
    rows=6,
)


@pytest.mark.parametrize(
    ("question", "query", "parameters"),
    [
        (
            "average number of freshwater ducks from 2019 to 2024?",
            '"Year" >= ? AND "Year" <= ?',
            (2019, 2024),
        ),
        (
            "In which year was the number of freshwater ducks highest between 2019 and 2024?",
            'IS NOT NULL QUALIFY rank() OVER (ORDER BY "Freshwater Ducks" DESC) = 1',
            (2019, 2024),
        ),
        ("What is the deepest depth?", 'ORDER BY "Depth" DESC', ()),
        ("What is the lowest depth at the North site?", 'ORDER BY "Depth" ASC', ("North",)),
        ("Add up the thefts of the South region in the thefts file", 'sum("total")', ("South",)),
        ("What is the population of the South region in the 5 yr thefts?", '"population"', ("South",)),
    ],
)
def test_spans_of_years_superlatives_totals_and_names_of_files(engine, question, query, parameters):
    written = engine.run(WriteQuery(question=question, tables=(YEARLY, THEFTS)), Query)
    assert query in written.sql and written.parameters == parameters


def test_years_that_are_set_against_each_other_are_no_span(engine):
    asked = "By how much did the freshwater ducks grow from 2019 to 2024?"
    written = engine.run(WriteQuery(question=asked, tables=(YEARLY,)), Query)
    assert "CASE WHEN" in written.sql and set(written.parameters) == {2019, 2024}


def test_how_far_two_figures_lie_apart_is_neither_of_them(engine):
    asked = "Which cars have the longest from gear to cyl?"
    assert not engine.run(WriteQuery(question=asked, tables=(CARS,)), Query).sql


def test_words_for_parts_of_a_chart_need_no_place_in_it(engine):
    chart = POWER.model_copy(update={"title": "Slide 2, Chart", "document": "Energy talk (energy.pptx)"})
    asked = "What is the net generation value of the Renewables series in the energy talk chart?"
    query = engine.run(WriteQuery(question=asked, tables=(chart,)), Query)
    assert '"net_generation"' in query.sql and query.parameters == ("Renewables",)


def test_a_verb_says_what_the_only_figure_of_a_table_is(reading_engine):
    asked = "In which year did Iowa produce the most from fossil fuels?"
    query = reading_engine.run(WriteQuery(question=asked, tables=(POWER,)), Query)
    assert query.sql.startswith('SELECT "source", "year", "net_generation"')
    assert "DESC) = 1" in query.sql and query.parameters == ("Fossil Fuels",)


@pytest.mark.parametrize(
    "question",
    ["How much did nuclear energy cost in Iowa in 2008?", "Did nuclear or renewables produce more in Iowa?"],
)
def test_a_verb_of_another_matter_is_left_open(reading_engine, question):
    assert not reading_engine.run(WriteQuery(question=question, tables=(POWER,)), Query).sql


@pytest.mark.parametrize(
    ("name", "asked", "read"),
    [
        ("SPOTAREA", "spot area", True),
        ("CHIPEDGEWIDTH", "chip edge width", True),
        ("SPOTAREA", "spot or area", False),
        ("SPOTAREAS", "area", False),
    ],
)
def test_a_name_written_as_one_word_is_said_by_its_words_beside_each_other(engine, name, asked, read):
    columns = (
        ColumnCard(name="Wafer", type="text", samples=("W-1", "W-2")),
        ColumnCard(name=name, type="integer", samples=("9", "2")),
        ColumnCard(name="SPOTS", type="integer", samples=("1", "2")),
    )
    table = TableCard(name="t1", title="Spots", document="Log", columns=columns, rows=6)
    query = engine.run(WriteQuery(question=f"What is the largest {asked} on W-1?", tables=(table,)), Query)
    assert (f'ORDER BY "{name}" DESC' in query.sql) is read
