"""What happened in a span of time: rows of a log are counted and told by the days the question names."""

import duckdb
import pytest

from core.domain import ColumnCard, TableCard
from core.tasks import Query, WriteQuery

LOG = TableCard(
    name="log",
    title="alarm-log-2025-H1",
    document="alarm-log-2025-H1 (alarm-log-2025-H1.csv)",
    columns=(
        ColumnCard(name="Time", type="datetime"),
        ColumnCard(name="Tool", type="text", samples=("ETCH-03", "ETCH-05")),
        ColumnCard(name="Alarm", type="text", samples=("E-217", "E-305")),
        ColumnCard(name="Severity", type="text", samples=("warning", "stop")),
        ColumnCard(name="Downtime", type="integer", unit="min"),
    ),
    rows=6,
)
ROWS = """VALUES ('2025-02-28 23:59:59', 'ETCH-03', 'E-217', 'stop', 5),
  ('2025-03-01 00:00:00', 'ETCH-03', 'E-217', 'stop', 7),
  ('2025-03-10 08:00:00', 'ETCH-03', 'E-305', 'warning', 1),
  ('2025-03-14 23:00:00', 'ETCH-03', 'E-217', 'stop', 9),
  ('2025-03-31 23:59:00', 'ETCH-05', 'E-217', 'stop', 2),
  ('2025-04-01 00:00:00', 'ETCH-03', 'E-217', 'stop', 4)"""


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as held:
        held.execute(
            f"CREATE TABLE log AS SELECT t::TIMESTAMP AS Time, * EXCLUDE t FROM ({ROWS})"
            " v(t, Tool, Alarm, Severity, Downtime)"
        )
        yield held


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many times did ETCH-03 raise E-217 in March 2025?", [(2,)]),
        ("How often did E-217 occur after 1 March 2025?", [(3,)]),
        ("How often did E-217 occur since 1 March 2025?", [(4,)]),
        ("How often did E-217 occur before 14 March 2025?", [(2,)]),
        ("How many alarms did ETCH-05 raise in March 2025?", [(1,)]),
        ("2025年3月ETCH-03报了多少次E-217？", [(2,)]),
        ("Which alarms did ETCH-03 raise between 10 March and 14 March 2025?", [("E-217", 1), ("E-305", 1)]),
        ("Which alarms did ETCH-03 raise from 1 to 14 March 2025?", [("E-217", 2), ("E-305", 1)]),
        ("Which alarms were logged on 1 April 2025?", [("E-217", 1)]),
        ("How many alarms did ETCH-03 raise in March 1855?", [(0,)]),  # a year of any century
        (
            "Which alarms did the tool send between 10 March 2025 and 31 March 2025?",
            [("E-217", "ETCH-03, ETCH-05", 2), ("E-305", "ETCH-03", 1)],
        ),
        ("Which tools raised E-217 in March 2025?", [("ETCH-03", 2), ("ETCH-05", 1)]),
        ("2025年3月10日至14日ETCH-03发出了哪些报警？", [("E-217", 1), ("E-305", 1)]),
        ("What was the total downtime of ETCH-03 in March 2025?", [(17, 3)]),
        ("2025年3月ETCH-03报警E-217共发生了多少次？", [(2,)]),  # an alarm, not the severity "warning"
        ("2025年3月ETCH-03的警告有多少次？", [(1,)]),
    ],
)
def test_rows_of_a_log_are_those_of_the_span(engine, database, question, rows):
    query = engine.run(WriteQuery(question=question, tables=(LOG,)), Query)
    assert database.execute(query.sql, query.parameters).fetchall() == rows


@pytest.mark.parametrize(
    ("span", "times"),
    [
        ("between 10 March 2025 08:00 and 14 March 2025 22:59", 1),
        ("between 10 March 08:01 and 14 March 2025 23:00", 1),
        ("from 08:00 on 10 March 2025 to 23:00 on 14 March 2025", 2),
        ("between 2025-03-10T08:00:01 and 2025-03-14T23:00:00", 1),
        ("between 7 am and 9 am on 10 March 2025", 1),
        ("on 14 March 2025 between 20:00 and 11 pm", 1),
        ("since 14 March 2025 at 23:00", 3),
        ("after 14 March 2025 at 23:00", 2),
        ("before 10 March 2025 8:00", 2),
        ("until 10 March 2025 8:00", 3),
        ("at 23:00 on 14 March 2025", 1),
        ("2025年3月10日8点至12点", 1),
        ("2025年3月10日8点01分到14日下午11点", 1),
        ("2025年3月10日上午8时到2025年3月14日23:00之间", 2),
    ],
)
def test_rows_of_a_log_are_those_between_two_times(engine, database, span, times):
    asked = (
        f"{span}有多少次报警？" if span[0] == "2" and "年" in span else f"How many alarms were logged {span}?"
    )
    query = engine.run(WriteQuery(question=asked, tables=(LOG,)), Query)
    assert query.sql and database.execute(query.sql, query.parameters).fetchall() == [(times,)], query


@pytest.mark.parametrize(
    "question",
    [
        "How many operators did ETCH-03 have in March 2025?",  # rows are alarms
        "How often was ETCH-03 cleaned in March 2025?",  # the log does not say it
        "Which alarms did ETCH-03 raise on 10 March, 12 March 2025?",  # no span
        "2025年3月10日14日ETCH-03报了多少次E-217？",  # none either
        "2025年3月14日至10日ETCH-03报了多少次E-217？",
        "2025年3月10日至41日ETCH-03报了多少次E-217？",
        "How many alarms were logged from 08:00 on 10 to 18:00 on 12 March 2025?",
        "How many alarms were logged in March 2025 at 08:00?",
        "How many alarms were logged on 10 March 2025 between 09:00 and 08:00?",
    ],
)
def test_what_a_log_does_not_say_is_not_counted_in_it(engine, question):
    assert not engine.run(WriteQuery(question=question, tables=(LOG,)), Query).sql
