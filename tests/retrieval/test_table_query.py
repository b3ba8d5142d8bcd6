import pytest

from core.domain import Box, Column, Location, RowsOnPage, Scope, TableData
from core.llm.builtin import BuiltinLLM
from core.retrieval.table_cards import TableCards
from core.retrieval.table_query import TableQuery
from core.tasks import Query
from core.trace import TableQueried
from tests.doubles import ScriptedLLM
from tests.fab_library import make_library

QUESTION = "What was the yield of ETCH-02 in 2025-02?"


def ask(library, *lines, question=QUESTION):
    events = []
    llm = ScriptedLLM(*lines)
    return TableQuery(library, llm).ask(question, Scope(), events.append, sub_question=3), events, llm


def test_the_card_tells_names_types_units_and_values(library):
    (card,) = TableCards(library).of(library.tables())
    assert (card.name, card.title, card.rows) == ("monthly_yield", "Monthly yield, FAB-2", 4)
    assert [(c.name, c.type, c.unit, c.samples) for c in card.columns] == [
        ("Month", "text", "", ("2025-01", "2025-02")),
        ("Tool", "text", "", ("ETCH-01", "ETCH-02")),
        ("Yield", "real", "%", ("91.5", "88", "92.5")),
    ]


def test_tables_are_linked_by_the_questions_words(library):
    query = TableQuery(library, ScriptedLLM())
    assert [t.name for t in query.linked(QUESTION, Scope())] == ["Monthly yield"]
    assert query.linked("Who won the world cup?", Scope()) == []
    assert query.linked(QUESTION, Scope(collections=("food",))) == []


def test_a_table_is_linked_by_a_value_alone(library):
    query = TableQuery(library, ScriptedLLM())
    assert [t.name for t in query.linked("How good was ETCH-02?", Scope())] == ["Monthly yield"]


def test_a_value_far_down_a_long_column_stands_on_the_card_where_the_question_names_it(tmp_path, embedder):
    rows = tuple((f"S-{1000 + n}", n) for n in range(60))
    columns = (Column(name="Order"), Column(name="Weight", type="integer", unit="kg"))
    with make_library(
        tmp_path / "library", embedder, TableData(name="Orders", columns=columns, rows=rows)
    ) as made:
        (plain,), (asked_of,) = (
            TableCards(made).of(made.tables(), question) for question in ("", "What did S-1055 weigh?")
        )
        assert "S-1055" not in plain.columns[0].samples
        assert asked_of.columns[0].samples[:2] == ("S-1055", "S-1000")
        asked = TableQuery(made, BuiltinLLM()).ask("What weight had S-1055?", Scope(), lambda event: None)
    assert [p.chunk.text for p in asked.passages] == ["Order: S-1055; Weight [kg]: 55"]


@pytest.mark.parametrize(
    ("values", "numbered"),
    [
        ((880100, 880107, 880093, 880051), True),
        ((1, 2, 3, 4), True),
        ((880100, 880107, 880107, 880051), False),  # two rows of one number
        ((2021, 2022, 2023, 2024), False),  # years
        ((310, 1850, 640, 3200), False),  # amounts
    ],
)
def test_a_first_column_that_numbers_the_rows_is_told_from_amounts_and_years(
    tmp_path, embedder, values, numbered
):
    rows = tuple((value, 10 * at) for at, value in enumerate(values))
    columns = (Column(name="Job", type="integer"), Column(name="Hours", type="integer"))
    with make_library(
        tmp_path / "library", embedder, TableData(name="Jobs", columns=columns, rows=rows)
    ) as made:
        (card,) = TableCards(made).of(made.tables())
    assert [column.numbers_rows for column in card.columns] == [numbered, False]


def test_picked_rows_are_cited_by_their_place(library):
    sql = 'SELECT _row, "Yield" FROM monthly_yield WHERE "Tool" = \'ETCH-02\''
    answer, events, _ = ask(library, Query(sql=sql))
    assert [(p.chunk.location.rows, p.chunk.text) for p in answer.passages] == [
        ((1, 1), "Yield [%]: 88"),
        ((3, 3), "Yield [%]: 90"),
    ]
    assert answer.passages[0].chunk.location.label() == "Yield, row 2"
    assert answer.passages[0].document_title == "Lithography"
    assert answer.sql == sql and answer.passages[0].sub_question == 3
    assert events == [
        TableQueried(
            table="Monthly yield",
            sql=sql,
            columns=("_row", "Yield"),
            rows=(("1", "88"), ("3", "90")),
            sub_question=3,
        )
    ]


def test_a_computed_value_cites_the_whole_table(library):
    answer, _, _ = ask(library, Query(sql='SELECT max("Yield") AS best FROM monthly_yield'))
    assert [(p.chunk.text, p.chunk.location.rows) for p in answer.passages] == [("best: 92.5", (0, 3))]


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT \'Acme\' AS "Tool", 97.5 AS "Yield" FROM monthly_yield LIMIT 1',
        'SELECT coalesce(max("Yield"), 97.5) AS "Yield" FROM monthly_yield WHERE false',
        'SELECT * FROM (VALUES (\'ETCH-02\', 97.5)) AS monthly_yield("Tool", "Yield")',
    ],
)
def test_what_a_query_makes_up_is_no_evidence(library, sql):
    answer, events, _ = ask(library, Query(sql=sql))
    assert answer.passages == () and len(events) == 2 and all(event.failure for event in events)


@pytest.mark.parametrize(
    ("sql", "text", "rows"),
    [
        # an alias that says more than the tables and the question, or that is another column's name
        ('SELECT count(*) AS "Acme is the supplier" FROM monthly_yield', "count(*): 4", (0, 3)),
        ('SELECT max("Month") AS "Yield" FROM monthly_yield', "max(Month): 2025-02", (0, 3)),
        ('SELECT "Tool" AS "Month" FROM monthly_yield LIMIT 1', "Tool: ETCH-01", (0, 3)),
        ('SELECT count("Yield") AS "Yield" FROM monthly_yield', "count(*): 4", (0, 3)),
        ('SELECT avg("Yield") AS "Yield" FROM monthly_yield', "Yield [%]: 90.5", (0, 3)),
        # a number of a row that the other values are not in
        (
            'SELECT 3 - 3 * count(*) / 4 + min(_row) AS _row, max("Yield") AS best FROM monthly_yield',
            "",
            None,
        ),
        (
            'SELECT a._row, b."Yield" FROM monthly_yield a JOIN monthly_yield b ON a."Tool" = b."Tool" '
            "WHERE a._row = 0 AND b._row = 2",
            "Yield [%]: 92.5",
            (0, 3),
        ),
        ('SELECT max(_row) AS _row, min("Yield") AS best FROM monthly_yield', "best: 88", (0, 3)),
    ],
)
def test_a_result_is_called_and_cited_by_what_it_comes_from(library, sql, text, rows):
    answer, _, _ = ask(library, Query(sql=sql))
    stated = [(p.chunk.text, p.chunk.location.rows) for p in answer.passages]
    assert stated == ([(text, rows)] if text else [])


def test_a_refused_query_is_told_and_repaired_once(library):
    right = Query(sql="SELECT count(*) AS n FROM monthly_yield")
    answer, events, llm = ask(library, Query(sql="DROP TABLE monthly_yield"), right)
    assert [bool(e.failure) for e in events] == [True, False]
    assert "only SELECT" in events[0].failure
    assert llm.asked[1].failed == "DROP TABLE monthly_yield" and llm.asked[1].failure == events[0].failure
    assert answer.passages[0].chunk.text == "n: 4"


def test_two_failures_end_without_an_answer(library):
    answer, events, llm = ask(library, Query(sql="SELECT x FROM monthly_yield"))
    assert answer.passages == () and answer.sql == ""
    assert len(events) == len(llm.asked) == 2 and all(e.failure for e in events)


@pytest.mark.parametrize("sql", ["", "   "])
def test_a_model_that_sees_no_query_is_taken_at_its_word(library, sql):
    answer, events, llm = ask(library, Query(sql=sql))
    assert answer.passages == () and events == [] and len(llm.asked) == 1


def test_no_rows_are_no_evidence(library):
    answer, events, _ = ask(library, Query(sql='SELECT * FROM monthly_yield WHERE "Yield" > 99'))
    assert answer.passages == () and events[0].rows == () and not events[0].failure


def test_a_question_about_no_table_asks_nothing(library):
    answer, _, llm = ask(library, Query(sql="SELECT 1"), question="Who won the world cup?")
    assert answer.passages == () and llm.asked == []


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the average yield?", "90.5"),
        ("What is the highest yield of ETCH-02?", "90"),
        ("What is the total yield of ETCH-01?", "184"),
    ],
)
def test_the_built_in_engine_computes(library, question, value):
    answer = TableQuery(library, BuiltinLLM()).ask(question, Scope(), lambda event: None)
    assert answer.passages, answer
    assert value in " ".join(p.chunk.text for p in answer.passages)


def test_a_column_is_asked_for_by_what_the_file_says_it_stands_for(tmp_path, embedder):
    columns = (
        Column(name="site"),
        Column(name="pn", type="integer", unit="kW", note="Nominal power of a turbine, by its maker"),
        Column(name="vw_in", type="real", note="Cut-in wind speed"),
    )
    rows = (("Skagen", 3000, 3.5), ("Ribe", 2300, 4.0))
    data = TableData(name="Turbines", columns=columns, rows=rows)
    with make_library(tmp_path / "library", embedder, data) as made:
        query = TableQuery(made, BuiltinLLM())
        stated = [
            [p.chunk.text for p in query.ask(question, Scope(), lambda event: None).passages]
            for question in (
                "What is the nominal power of Skagen?",
                "Which site has the highest cut-in wind speed?",
            )
        ]
    assert stated == [
        ["site: Skagen; pn = Nominal power of a turbine [kW]: 3000"],
        ["site: Ribe; vw_in = Cut-in wind speed: 4"],
    ]


def test_a_table_is_linked_by_the_words_within_its_name(tmp_path, embedder):
    columns = (Column(name="MediaTypeId", type="integer"), Column(name="Name"))
    data = TableData(name="MediaType", columns=columns, rows=((1, "Vinyl"), (2, "Tape")))
    with make_library(tmp_path / "library", embedder, data) as made:
        query = TableQuery(made, BuiltinLLM())
        found = query.ask("Which media types are there?", Scope(), lambda event: None)
    assert [p.chunk.text for p in found.passages] == ["Name: Vinyl\nName: Tape"]


def test_rows_of_a_table_over_two_pages_are_cited_each_on_its_own(tmp_path, embedder):
    boxes = [Box(page=page, x0=0.1, y0=0.1, x1=0.9, y1=0.9) for page in (4, 5)]
    parts = (
        RowsOnPage(rows=(0, 2), page=4, boxes=boxes[:1]),
        RowsOnPage(rows=(3, 5), page=5, boxes=boxes[1:]),
    )
    data = TableData(
        name="Orders",
        columns=(Column(name="Order"), Column(name="Weight", type="integer", unit="kg")),
        rows=tuple((f"S-{n}", n) for n in range(6)),
        location=Location(page=4, boxes=tuple(boxes), parts=parts),
    )
    sql = 'SELECT _row, "Weight" FROM orders WHERE "Weight" BETWEEN 1 AND 4'
    with make_library(tmp_path / "library", embedder, data) as made:
        query = TableQuery(made, ScriptedLLM(Query(sql=sql)))
        asked = query.ask("What weight had S-1 to S-4 of the orders?", Scope(), lambda event: None)
    stated = [(p.chunk.location.page, p.chunk.location.rows, p.chunk.location.boxes) for p in asked.passages]
    assert stated == [(4, (1, 2), (boxes[0],)), (5, (3, 4), (boxes[1],))]
