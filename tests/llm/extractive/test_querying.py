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
        ("How many lots are there?", 3),
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


PARTS = """TABLE "parts_7": Chamber parts of the PE-300 (6 rows)
- "Part" text: 'Chamber lid', 'Focus ring', 'Wafer clamp'
- "Stock" integer: 2, 5"""
PROPERTIES = """TABLE "facts_8": Main specifications of the PE-300 (9 rows)
- "Property" text: 'Chambers', 'Wafer diameter'
- "Value" text: '2 (A and B)', '300 mm'"""


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("How many chambers does the PE-300 have?", PARTS),
        ("How many wafers does the PE-300 hold?", PARTS),
        ("How many chambers does the PE-300 have?", PROPERTIES),
        ("How many urgent alarms were there?", ALARMS),
    ],
)
def test_rows_are_not_counted_for_what_they_are_not(engine, question, card):
    assert "count" not in engine.run(WriteQuery(question=question, tables=(card,)), Query).sql


def test_rows_are_counted_for_what_the_name_of_the_table_calls_them(engine):
    for question in ("How many parts does the PE-300 have?", "How many chamber parts are there?"):
        assert "count(*)" in engine.run(WriteQuery(question=question, tables=(PARTS,)), Query).sql


def test_without_a_table_that_speaks_of_it_there_is_no_query(engine):
    assert engine.run(WriteQuery(question="Who wrote Hamlet?", tables=(ALARMS,)), Query).sql == ""
    assert engine.run(WriteQuery(question="How many alarms?", tables=("garbage",)), Query).sql == ""


def test_a_refused_query_is_tried_once_more_plainly(engine):
    task = WriteQuery(question="How many critical alarms?", tables=(ALARMS,), failed="SELECT x", failure="no")
    again = engine.run(task, Query).sql
    assert again.startswith("SELECT * FROM") and "critical" in again
    assert engine.run(task.model_copy(update={"failed": again}), Query).sql == ""


ORDERS = """TABLE "orders_4": shipments-2024 (6 rows)
- "Order no" text: 'S-1', 'S-2', 'S-3', 'S-4', 'S-5', 'S-6'
- "Date" date: 2024-01-05, 2024-02-07
- "Customer" text: 'Aster', 'Bolt', 'Cirrus'
- "Country" text: 'Germany', 'Italy'
- "Product" text: 'gasket', 'bearing'
- "Quantity" integer: 10, 20
- "Minimum quantity" integer: 15, 5
- "Weight" real [kg]: 100, 250
- "Freight cost" real [EUR]: 50, 900
- "Status" text: 'delivered', 'cancelled'"""
STAFF = """TABLE "staff_5": staff (4 rows)
- "Name" text: 'Ana Kovac', 'Ben Ochieng', 'Carla Ruiz', 'Elin Berg'
- "Department" text: 'Finance', 'Logistics'
- "City" text: 'Graz', 'Porto'
- "Salary" integer [EUR]: 48000, 50000
- "Started" date: 2012-04-25, 2022-02-10"""
INSPECTIONS = """TABLE "checks_6": 设备巡检记录 (4 rows)
- "日期" date: 2025-01-01, 2025-03-02
- "设备" text: '冲压机', '注塑机'
- "班次" text: '早班', '夜班'
- "温度" real [℃]: 60, 85
- "缺陷数" integer: 0, 3
- "检查员" text: '王芳', '李强'"""


@pytest.fixture(scope="module")
def offices():
    with duckdb.connect() as connection:
        connection.execute("""
            CREATE TABLE orders_4 AS SELECT * FROM (VALUES
                (0, 'S-1', DATE '2024-01-05', 'Aster', 'Germany', 'gasket', 10, 15, 100.0, 50.0, 'delivered'),
                (1, 'S-2', DATE '2024-02-07', 'Bolt', 'Italy', 'gasket', 20, 5, 350.0, 900.0, 'cancelled'),
                (2, 'S-3', DATE '2024-02-09', 'Bolt', 'Italy', 'bearing', 30, 5, 250.0, 850.0, 'delivered'),
                (3, 'S-4', DATE '2024-03-01', 'Cirrus', 'Italy', 'bearing', 5, 9, 310.0, 20.0, 'cancelled'),
                (4, 'S-5', DATE '2024-05-01', 'Aster', 'Germany', 'bearing', 7, 1, 90.0, 60.0, 'delivered'),
                (5, 'S-6', DATE '2024-05-02', 'Aster', 'Germany', 'gasket', 9, 1, 95.0, 70.0, 'cancelled')
            ) t("_row", "Order no", "Date", "Customer", "Country", "Product", "Quantity", "Minimum quantity",
                "Weight", "Freight cost", "Status")""")
        connection.execute("""
            CREATE TABLE staff_5 AS SELECT * FROM (VALUES
                (0, 'Ana Kovac', 'Finance', 'Graz', 48000, DATE '2012-04-25'),
                (1, 'Ben Ochieng', 'Logistics', 'Porto', 50000, DATE '2022-02-10'),
                (2, 'Carla Ruiz', 'Finance', 'Graz', 61000, DATE '2018-01-18'),
                (3, 'Elin Berg', 'Finance', 'Porto', 40000, DATE '2019-01-01')
            ) t("_row", "Name", "Department", "City", "Salary", "Started")""")
        connection.execute("""
            CREATE TABLE checks_6 AS SELECT * FROM (VALUES
                (0, DATE '2025-01-01', '冲压机', '早班', 60.0, 0, '王芳'),
                (1, DATE '2025-03-02', '注塑机', '夜班', 85.0, 3, '王芳'),
                (2, DATE '2025-03-05', '注塑机', '早班', 70.0, 1, '李强'),
                (3, DATE '2025-04-01', '冲压机', '夜班', 82.0, 9, '王芳')
            ) t("_row", "日期", "设备", "班次", "温度", "缺陷数", "检查员")""")
        yield connection


@pytest.mark.parametrize(
    ("question", "column", "values"),
    [
        ("How many orders weighed more than 300 kg?", 0, [2]),
        ("How many shipments of gaskets were cancelled?", 0, [2]),
        ("How many departments are there?", 0, [2]),
        ("How many people work in Graz?", 0, [2]),
        ("Which department has the most people?", 0, ["Finance"]),
        ("Top 2 customers by freight cost", 0, ["Bolt", "Aster"]),
        ("What is the smallest quantity shipped in an order of bearings?", 2, [5]),
        ("Which shipments to Italy cost more than 800 EUR in freight?", 1, ["S-2", "S-3"]),
        ("Which orders are below their minimum quantity?", 1, ["S-1", "S-4"]),
        ("Which customers had more than 2 shipments?", 0, ["Aster"]),
        ("Which product was cancelled most often?", 0, ["gasket"]),
        ("Who has the highest salary?", 1, ["Carla Ruiz"]),
        ("How many shipments cost less than 100 EUR?", 0, [4]),
        ("What is the heaviest shipment?", 1, ["S-2"]),
        ("In which month were the most shipments made?", 0, ["2024-02"]),
        ("Who started last?", 1, ["Ben Ochieng"]),
        ("What does Elin Berg earn?", 4, [40000]),
        ("温度超过80度的记录有多少条？", 0, [2]),
        ("缺陷数最多的前2台设备是哪些？", 0, ["冲压机", "注塑机"]),
        ("2025年3月的最高温度是多少？", 2, [85]),
        ("夜班一共发现了多少个缺陷？", 0, [12]),
    ],
)
def test_every_condition_of_the_question_is_in_the_query(engine, offices, question, column, values):
    sql = engine.run(WriteQuery(question=question, tables=(ORDERS, STAFF, INSPECTIONS)), Query).sql
    assert [_plain(row[column]) for row in offices.execute(sql).fetchall()] == values, sql


def test_years_that_are_compared_stand_apart(base, engine):
    question = "How does the average yield of A77 in 2023 differ from 2024?"
    reply = engine.run(WriteQuery(question=question, tables=(YIELDS,)), Query)
    assert [row[:2] for row in base.execute(reply.sql).fetchall()] == [("2023", 92.0), ("2024", 90.0)]


@pytest.mark.parametrize(
    "question",
    [
        "How many persons must be present when a chamber is opened?",
        "How long does the wet clean of chamber B take?",
        "How far does the seal band stand from the wafer edge?",
        "更换静电吸盘需要多长时间？",
        "How many alarms did ETCH-99 raise?",
        "How many alarms were raised in Dresden?",
        "How many alarms lasted more than 3 lightyears?",
        "Why did the downtime of ETCH-03 rise in March 2025?",
        "How many employees does ETCH-03 have?",
        "What is the total revenue of ETCH-04?",
    ],
)
def test_a_table_without_a_place_for_a_condition_is_not_asked(engine, question):
    reply = engine.run(WriteQuery(question=question, tables=(ALARMS, YIELDS)), Query)
    assert reply.sql == "" and reply.reason


def test_the_rows_say_by_a_columns_name_why_they_are_there(engine):
    def sql(question):
        return engine.run(WriteQuery(question=question, tables=(ORDERS,)), Query).sql

    assert '"Freight cost" AS "highest Freight cost [EUR]"' in sql("Which is the highest freight cost?")
    assert '"Weight" AS "found Weight [kg]"' in sql("Which orders weigh more than 300 kg?")
    assert "'Weight > 300 kg' AS" in sql("How many orders weigh more than 300 kg?")
