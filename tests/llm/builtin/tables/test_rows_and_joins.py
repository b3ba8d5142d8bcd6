"""Which value is meant, what two rows differ by, and rows counted over a key."""

import duckdb
import pytest

from core.domain import ColumnCard, KeyCard, TableCard
from core.tasks import Query, WriteQuery

PUMPS = TableCard(
    name="pumps",
    title="pump_data",
    document="pump_data (pump_data.csv)",
    columns=(
        ColumnCard(name="pump", type="text", samples=("iXH 80", "A 12")),
        ColumnCard(
            name="source",
            type="text",
            samples=("https://pumps.example/edwards-pump-80.php", "https://pumps.example/ebara-pump-12.php"),
        ),
        ColumnCard(name="maker", type="text", samples=("Edwards", "Ebara")),
        ColumnCard(name="T_outlet", type="integer"),
    ),
    rows=3,
)
GENRES = TableCard(
    name="genre",
    title="Genre",
    document="Shop (shop.sql)",
    columns=(
        ColumnCard(name="GenreId", type="integer"),
        ColumnCard(name="Name", type="text", samples=("Metal",)),
    ),
    rows=3,
)
TRACKS = TableCard(
    name="track",
    title="Track",
    document="Shop (shop.sql)",
    columns=(
        ColumnCard(name="Name", type="text", samples=("One",)),
        ColumnCard(name="MediaId", type="integer"),
        ColumnCard(name="GenreId", type="integer"),
    ),
    # The values of both are in Genre: only one column is called as the key is.
    keys=(
        KeyCard(column="MediaId", table="genre", other="GenreId"),
        KeyCard(column="GenreId", table="genre", other="GenreId"),
    ),
    rows=4,
)


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as held:
        held.execute("CREATE TABLE pumps (source TEXT, maker TEXT, pump TEXT, T_outlet INT)")
        held.execute(
            "INSERT INTO pumps VALUES ('edwards-pump', 'Edwards', 'iXH 80', 70),"
            " ('edwards-pump', 'Ebara', 'A 12', 55), ('x', 'Edwards', 'nXDS', 40)"
        )
        held.execute(
            "CREATE TABLE genre AS SELECT * FROM (VALUES (1, 'Rock'), (2, 'Metal')) t(GenreId, Name)"
        )
        held.execute(
            "CREATE TABLE track AS SELECT * FROM (VALUES"
            " ('One', 1, 2), ('Two', 2, 1), ('Three', 1, 2), ('Four', 1, 2)) t(Name, MediaId, GenreId)"
        )
        for table in ("pumps", "genre", "track"):  # as the store's own have
            held.execute(f"ALTER TABLE {table} ADD COLUMN _row BIGINT")
            held.execute(f"UPDATE {table} SET _row = rowid")
        yield held


@pytest.mark.parametrize(
    ("question", "tables", "figure"),
    [
        ("How many pump models by Edwards are in the pump list?", (PUMPS,), 2),  # not what an address names
        ("What is the difference in outlet temperature between the iXH 80 and the A 12?", (PUMPS,), 15),
        ("How much higher is the outlet temperature of the iXH 80 than of the A 12?", (PUMPS,), 15),
        ("How many Metal tracks are there?", (GENRES, TRACKS), 3),
        ("How many Metal tracks are there?", (TRACKS, GENRES), 3),
    ],
)
def test_the_query_brings_the_figure(engine, database, question, tables, figure):
    query = engine.run(WriteQuery(question=question, tables=tables), Query)
    assert database.execute(query.sql, query.parameters).fetchone()[0] == figure


@pytest.mark.parametrize(
    ("question", "tables", "expected"),
    [
        ("Which makers are in the pump data?", (PUMPS,), ["Edwards", "Ebara"]),
        ("What are the makers of the pumps?", (PUMPS,), ["Edwards", "Ebara"]),
        ("genres in the shop", (TRACKS, GENRES), ["Rock", "Metal"]),
    ],
)
def test_what_a_small_table_holds_is_listed(engine, database, question, tables, expected):
    query = engine.run(WriteQuery(question=question, tables=tables), Query)
    assert [row[0] for row in database.execute(query.sql, query.parameters).fetchall()] == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which makers are there?",  # of which table is not said
        "Which makers of pumps deliver late?",
        "Which maker is in the pump data?",
        "How many Metal albums are there?",  # rows are tracks
        "How many more Metal tracks are there than Rock tracks?",
        "How many Metal tracks did Ulrich write?",  # no place for the name
        "What is the difference in price between the iXH 80 and the A 12?",
    ],
)
def test_what_the_tables_have_no_place_for_is_not_queried(engine, question):
    assert not engine.run(WriteQuery(question=question, tables=(PUMPS, GENRES, TRACKS)), Query).sql


TESTS = TableCard(
    name="tests",
    title="Results",
    document="Log (log.xlsx)",
    columns=(
        ColumnCard(name="Jar no.", type="text", samples=("J-1", "J-2", "J-3")),
        ColumnCard(name="Gloss", type="integer", unit="%"),
    ),
    keys=(KeyCard(column="Jar no.", table="jars", other="Jar no."),),
    rows=3,
)
JARS = TableCard(
    name="jars",
    title="Jars",
    document="Log (log.xlsx)",
    columns=(
        ColumnCard(name="Jar no.", type="text", samples=("J-1", "J-2", "J-3")),
        ColumnCard(name="Glaze", type="text", samples=("Celadon", "Tenmoku 3 kg")),
        ColumnCard(name="Price", type="integer", unit="EUR"),
    ),
    rows=3,
)


@pytest.fixture(scope="module")
def pottery():
    with duckdb.connect() as held:
        held.execute("""CREATE TABLE tests AS SELECT *, row_number() OVER () AS _row FROM
            (VALUES ('J-1', 71), ('J-2', 84), ('J-3', 60)) t("Jar no.", "Gloss")""")
        held.execute("""CREATE TABLE jars AS SELECT *, row_number() OVER () AS _row FROM
            (VALUES ('J-1', 'Celadon', 9), ('J-2', 'Tenmoku 3 kg', 7), ('J-3', 'Celadon', 5))
            t("Jar no.", "Glaze", "Price")""")
        yield held


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("What gloss does the Tenmoku glaze have?", {84}),
        ("Which glaze has the lowest gloss?", {"Celadon", 60}),
        ("What is the average gloss of Celadon?", {65.5}),
        ("What does the jar J-2 cost?", {7}),  # as the column is called in other words
        ("What is the total price of all results?", set()),  # once for each row of another table
        ("Which glazes do not have a gloss?", set()),
    ],
)
def test_two_tables_that_a_key_joins_are_asked_as_one(engine, pottery, question, figures):
    query = engine.run(WriteQuery(question=question, tables=(TESTS, JARS)), Query)
    rows = pottery.execute(query.sql, query.parameters).fetchall() if query.sql else []
    assert figures <= {cell for row in rows for cell in row} and bool(rows) is bool(figures)


def test_of_two_editions_the_table_of_the_latest_is_asked(engine):
    cards = tuple(
        JARS.model_copy(update={"name": name, "document": f"Glazes, revision {name[-1]}"})
        for name in ("jars1", "jars2")
    )
    query = engine.run(WriteQuery(question="What is the price of J-2?", tables=cards), Query)
    assert '"jars2"' in query.sql and '"jars1"' not in query.sql


@pytest.mark.parametrize(
    ("question", "last", "expected"),
    [
        ("Until when is TH-11 calibrated?", "Valid until", '"Valid until"'),
        ("When is TH-11 calibrated again?", "Valid until", '"Valid until"'),
        ("TH-11 的 calibrated 有效期到什么时候？", "Valid until", '"Valid until"'),
        ("Until when is TH-11 calibrated?", "Bought on", ""),
        ("When was TH-11 calibrated?", "Valid until", '"Calibrated on"'),
    ],
)
def test_until_when_is_told_by_the_column_of_an_end(engine, question, last, expected):
    columns = (
        ColumnCard(name="Instrument", samples=("TH-11", "TH-12")),
        ColumnCard(name="Calibrated on", type="date", samples=("2024-02-12",)),
        ColumnCard(name=last, type="date", samples=("2025-02-12",)),
    )
    card = TableCard(name="t1", title="Instruments", document="Instruments", rows=2, columns=columns)
    sql = engine.run(WriteQuery(question=question, tables=(card,)), Query).sql
    assert (
        (expected in sql and ('"Calibrated on"' in sql) is (expected == '"Calibrated on"'))
        if expected
        else not sql
    )


@pytest.mark.parametrize(
    ("question", "third", "expected"),
    [
        ("What is the stock value of PN-1?", "Price", False),
        ("PN-1 的库存价值是多少？", "Price", False),
        ("What is the stock value of PN-1?", "Stock value", True),
        ("What is the stock of PN-1?", "Price", True),
    ],
)
def test_what_a_stock_is_worth_is_not_how_much_there_is(engine, question, third, expected):
    columns = (
        ColumnCard(name="Part", samples=("PN-1", "PN-2")),
        ColumnCard(name="Stock", type="integer", samples=("12", "75")),
        ColumnCard(name=third, type="real", samples=("6.5", "3.2")),
    )
    card = TableCard(name="t1", title="Parts", document="Parts", rows=2, columns=columns)
    assert bool(engine.run(WriteQuery(question=question, tables=(card,)), Query).sql) is expected


MONTHS = ("January", "February", "March", "April", "May")


@pytest.mark.parametrize(
    ("span", "mean"),
    [
        ("from February to April", 30.0),
        ("between February and April", 30.0),
        ("in February and April", 25.0),
        ("in April", 40.0),
    ],
)
def test_months_from_one_to_another_are_all_those_between(engine, span, mean):
    columns = (
        ColumnCard(name="Month", samples=MONTHS),
        ColumnCard(name="Dust", type="integer", samples=("20", "10")),
    )
    card = TableCard(name="t1", title="Dust", document="Dust", rows=5, columns=columns)
    query = engine.run(WriteQuery(question=f"What was the average dust {span}?", tables=(card,)), Query)
    with duckdb.connect() as held:
        rows = zip(MONTHS, (20, 10, 40, 40, 40), strict=True)
        held.execute("CREATE TABLE t1 (Month VARCHAR, Dust INTEGER)")
        held.executemany("INSERT INTO t1 VALUES (?, ?)", list(rows))
        assert held.execute(query.sql, query.parameters).fetchall()[0][0] == mean
