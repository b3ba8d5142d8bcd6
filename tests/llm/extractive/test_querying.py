import duckdb
import pytest

from core.tasks import Query, WriteQuery

ALARMS = """TABLE "alarms_1": alarm-log-2025-H1 (6 rows)
- "Time" datetime: 2025-01-01 02:29:41, 2025-01-03 06:56:15
- "Tool" text: 'ETCH-03', 'ETCH-04', 'ETCH-05'
- "Chamber" text: 'A', 'B'
- "Alarm" text: 'E-217', 'E-305'
- "Severity" text: 'warning', 'critical'
- "Downtime (min)" integer: 10, 20, 30"""
YIELDS = """TABLE "yield_2": Monthly yield, FAB-2 (6 rows)
- "Month" date: 2023-01-01, 2023-02-01
- "Product" text: 'A77', 'B12'
- "Yield" real [%]: 93.1, 92.8"""

PARTICLES = """TABLE "particles_3": Added particles per wafer (4 rows)
- "Lot" text: 'L25-0301', 'L25-0317', 'L25-0318'
- "Tool" text: 'ETCH-03 B', 'ETCH-02 A'
- "Wafers measured" integer: 6, 25
- "Particle number" integer: 1, 2
- "Added particles" integer: 71, 164, 24"""


@pytest.fixture(scope="module")
def base():
    with duckdb.connect() as connection:
        connection.execute("""
            CREATE TABLE alarms_1 AS SELECT * FROM (VALUES
                (0, TIMESTAMP '2025-01-01 02:29:41', 'ETCH-03', 'A', 'E-217', 'warning', 10),
                (1, TIMESTAMP '2025-01-03 06:56:15', 'ETCH-03', 'B', 'E-217', 'critical', 20),
                (2, TIMESTAMP '2025-03-02 10:00:00', 'ETCH-03', 'B', 'E-305', 'warning', 5),
                (3, TIMESTAMP '2025-04-09 10:00:00', 'ETCH-04', 'A', 'E-305', 'critical', 60),
                (4, TIMESTAMP '2025-05-01 10:00:00', 'ETCH-04', 'B', 'E-217', 'warning', 7),
                (5, TIMESTAMP '2025-06-30 10:00:00', 'ETCH-05', 'A', 'E-305', 'warning', 1)
            ) t("_row", "Time", "Tool", "Chamber", "Alarm", "Severity", "Downtime (min)")""")
        connection.execute("""
            CREATE TABLE yield_2 AS SELECT * FROM (VALUES
                (0, DATE '2023-01-01', 'A77', 93.0), (1, DATE '2023-02-01', 'A77', 91.0),
                (2, DATE '2024-01-01', 'A77', 90.0), (3, DATE '2023-01-01', 'B12', 95.0),
                (4, DATE '2023-02-01', 'B12', 94.0), (5, DATE '2024-01-01', 'B12', 89.0)
            ) t("_row", "Month", "Product", "Yield")""")
        connection.execute("""
            CREATE TABLE particles_3 AS SELECT * FROM (VALUES
                (0, 'L25-0301', 'ETCH-03 B', 6, 71, 1), (1, 'L25-0317', 'ETCH-03 B', 25, 164, 2),
                (2, 'L25-0318', 'ETCH-02 A', 6, 24, 3), (3, 'L25-0317', 'ETCH-02 A', 5, 6, 4)
            ) t("_row", "Lot", "Tool", "Wafers measured", "Added particles", "Particle number")""")
        yield connection


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many alarms did ETCH-03 raise between January and March 2025?", [3]),
        ("How many alarms did ETCH-04 raise in Q2 2025?", [2]),
        ("How many times did E-217 occur on chamber B?", [2]),
        ("How many different tools raised alarms?", [3]),
        ("What is the total downtime of ETCH-03?", [35]),
        ("Which tool had the most downtime?", ["ETCH-04", 67]),
        ("Which tool raised the most alarms?", ["ETCH-03", 3]),
        ("What is the average yield of A77 in 2023?", [92.0]),
        ("Which product had the highest yield in 2023?", ["B12", 95.0]),
        ("What was the median yield of B12?", [94.0]),
        ("Compare the average yield of A77 and B12 in 2023", ["A77", 92.0]),
        ("top 3 highest yields", [3]),
        ("Which months had a yield below 90?", [5]),
        ("List the critical alarms of ETCH-04", [3]),
        ("ETCH-03在2025年1月一共发生了多少次报警？", [2]),
        ("2023年A77的平均良率是多少？", [92.0]),
        ("哪台设备的停机时间最长？", ["ETCH-04", 67]),
        ("alarms on 3 January 2025", [1]),
        ("How many alarms since April?", [3]),
    ],
)
def test_a_question_becomes_a_query_that_answers_it(engine, base, question, first):
    sql = engine.run(WriteQuery(question=question, tables=(ALARMS, YIELDS)), Query).sql
    row = base.execute(sql).fetchone()
    assert row is not None
    found = [
        str(v)[:7] if hasattr(v, "year") else round(v, 3) if isinstance(v, float) else v
        for v in map(_plain, row)
    ]
    assert found[: len(first)] == first, sql


def _plain(value):
    return float(value) if type(value).__name__ == "Decimal" else value


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many particles does lot L25-0317 show?", 170),
        ("How many particles did L25-0301 show?", 71),
        ("How many wafers of lot L25-0317 were measured?", 30),
        ("How many lots are there?", 4),
    ],
)
def test_a_column_that_counts_is_added_up_and_its_rows_are_not_counted(engine, base, question, first):
    sql = engine.run(WriteQuery(question=question, tables=(PARTICLES,)), Query).sql
    assert int(base.execute(sql).fetchone()[0]) == first, sql


def test_rows_that_are_listed_keep_their_numbers(engine, base):
    sql = engine.run(WriteQuery(question="List the critical alarms", tables=(ALARMS,)), Query).sql
    assert "_row" in [column[0] for column in base.execute(sql).description]
    assert [row[0] for row in base.execute(sql).fetchall()] == [1, 3]


def test_names_and_values_are_quoted_so_that_they_cannot_break_out(engine):
    card = 'TABLE "a""b": x (1 rows)\n- "co""l" text: \'O Hara; DROP\', \'it\'\'s\''
    sql = engine.run(WriteQuery(question="rows with O Hara; DROP in col", tables=(card,)), Query).sql
    assert sql == """SELECT * FROM "a""b" WHERE "co""l" = 'O Hara; DROP' ORDER BY _row LIMIT 50"""


def test_without_a_table_that_speaks_of_it_there_is_no_query(engine):
    assert engine.run(WriteQuery(question="Who wrote Hamlet?", tables=(ALARMS,)), Query).sql == ""
    assert engine.run(WriteQuery(question="How many alarms?", tables=("garbage",)), Query).sql == ""


def test_a_refused_query_is_tried_once_more_plainly(engine):
    task = WriteQuery(question="How many critical alarms?", tables=(ALARMS,), failed="SELECT x", failure="no")
    again = engine.run(task, Query).sql
    assert again.startswith("SELECT * FROM") and "critical" in again
    assert engine.run(task.model_copy(update={"failed": again}), Query).sql == ""
