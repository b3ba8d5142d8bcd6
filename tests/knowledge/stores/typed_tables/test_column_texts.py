"""Values that hold a word of the question: as DuckDB finds them, each column read once."""

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain import Cell, Column, Table, TableData
from core.errors import KnowledgeError
from core.knowledge.stores.typed_tables.column_texts import ColumnTexts, Pair
from core.knowledge.stores.typed_tables.tables import TableStore

ODD = st.text(alphabet="aAIİıßẞéÉe\u0301ΣςǅK中%\n\0", max_size=4)
COLUMNS = (Column(name="tool", type="text"), Column(name='the "n"', type="real"))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableStore]:
    opened = TableStore(tmp_path_factory.mktemp("tables") / "tables.duckdb")
    yield opened
    opened.close()


def put(store: TableStore, texts: list[str | None], numbers: list[float | None] | None = None) -> None:
    numbers = numbers or [None] * len(texts)
    rows: list[tuple[Cell, ...]] = list(zip(texts, numbers, strict=True))
    card = Table(id="t", document_id="d", sql_name="t", name="t", columns=COLUMNS, row_count=len(rows))
    store.put(card, TableData(name="t", columns=COLUMNS, rows=rows))


def scanned(store: TableStore, words: list[str], limit: int) -> dict[str, list[str]]:
    """The same, asked of DuckDB in one scan a column."""
    holds = " OR ".join("contains(lower(CAST({0} AS VARCHAR)), ?)" for _ in words)
    found = {}
    for column in COLUMNS if words else ():
        name = '"' + column.name.replace('"', '""') + '"'
        rows = store._connection.cursor().execute(
            f"SELECT DISTINCT {name} FROM t WHERE {holds.format(name)} ORDER BY 1 LIMIT {limit}", words
        )
        found[column.name] = [str(value) for (value,) in rows.fetchall()]
    return {column: values for column, values in found.items() if values}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.one_of(st.none(), ODD), min_size=1, max_size=25),
    numbers=st.lists(st.sampled_from([None, 0.0, -0.0, 1.5, 1e22, 10.0]), min_size=25, max_size=25),
    words=st.lists(ODD.map(lambda text: text[-2:].lower()), max_size=2),
    limit=st.integers(1, 6),
)
def test_the_values_are_those_duckdb_finds_in_its_order(
    store: TableStore,
    texts: list[str | None],
    numbers: list[float | None],
    words: list[str],
    limit: int,
) -> None:
    put(store, texts, numbers[: len(texts)])
    names = [column.name for column in COLUMNS]
    expected = scanned(store, words, limit)
    assert store.values_with("t", names, words, limit) == expected
    assert store.values_with("t", names, words, limit) == expected  # and when they are remembered
    assert {name: store._scanned("t", name, words, limit) for name in names if words} == {
        name: expected.get(name, []) for name in names if words
    }


def test_letters_fold_as_in_duckdb(store: TableStore) -> None:
    put(store, ["İzmir", "IZMIR", "Straße", "STRASSE", "É-4", "E\u0301-4", "ΣΑΣ"])
    assert store.values_with("t", ["tool"], ["é"]) == {"tool": ["É-4"]}
    assert store.values_with("t", ["tool"], ["ss"]) == {"tool": ["STRASSE"]}
    assert store.values_with("t", ["tool"], ["σας"]) == {}  # lower() of DuckDB knows no final sigma
    assert store.values_with("t", ["tool"], ["σασ"]) == {"tool": ["ΣΑΣ"]}
    assert store.values_with("t", ["tool"], ["İzmir".lower()]) == scanned(store, ["İzmir".lower()], 40)


def test_a_column_is_read_once_and_anew_when_the_table_changes(store: TableStore) -> None:
    put(store, ["Etcher", "Stepper"])
    statements: list[str] = []

    class Counted:
        def __init__(self, real: duckdb.DuckDBPyConnection) -> None:
            self.real = real

        def cursor(self) -> duckdb.DuckDBPyConnection:
            statements.append("read")
            return self.real.cursor()

        def __getattr__(self, name: str) -> object:
            return getattr(self.real, name)

    real = store._connection
    store._connection = Counted(real)  # type: ignore[assignment]
    try:
        for word in ("etch", "step", "none", "e") * 5:
            store.values_with("t", ["tool"], [word])
        assert statements == ["read"]
        put(store, ["Etcher 2"])
        assert store.values_with("t", ["tool"], ["etch", "step"]) == {"tool": ["Etcher 2"]}
        assert statements == ["read", "read"]
    finally:
        store._connection = real
    store.drop(["t"])
    assert not store._texts._cache


def test_a_large_column_is_not_kept_and_found_all_the_same(tmp_path: Path) -> None:
    store = TableStore(tmp_path / "tables.duckdb")
    store._texts = ColumnTexts(most_of_one=20_000)
    put(store, [f"Lot {n:05d}" for n in range(3000)])
    assert store.values_with("t", ["tool"], ["lot 0012"], 3) == {
        "tool": ["Lot 00120", "Lot 00121", "Lot 00122"]
    }
    assert store._texts.size == 0
    store.close()


def test_memory_is_bounded_and_the_longest_unused_goes_first() -> None:
    texts = ColumnTexts(most=30_000)
    asked: list[str] = []

    def read(column: str) -> list[Pair]:
        asked.append(column)
        return [(f"{column} {n}", f"{column} {n}") for n in range(50)]

    def ask(column: str) -> None:
        found = texts.holding("t", column, ["7"], 2, lambda: read(column))
        assert found == [f"{column} 7", f"{column} 17"]

    for column in "ab":
        ask(column)
    for column in "cd":
        ask("a")
        ask(column)
        assert 0 < texts.size <= 30_000
    ask("a")
    ask("b")
    assert asked == list("abcdb")


def test_what_was_read_before_a_change_is_not_kept_after_it() -> None:
    texts = ColumnTexts()
    reading, go = threading.Event(), threading.Event()

    def old() -> Iterator[Pair]:
        reading.set()
        assert go.wait(10)
        yield "old", "old"

    late = threading.Thread(target=lambda: texts.holding("t", "c", ["o"], 5, old))
    late.start()
    assert reading.wait(10)
    texts.forget(["t"])
    go.set()
    late.join(10)
    assert texts.holding("t", "c", ["o"], 5, lambda: [("new one", "new one")]) == ["new one"]


def test_rows_read_again_are_those_stored_since(store: TableStore) -> None:
    put(store, ["a", "b"])
    assert store.values("t", 0, 10) == store.values("t", 0, 10) == [("a", None), ("b", None)]
    assert store.values("t", 1, 1) == [("b", None)]
    put(store, ["c"])
    assert store.values("t", 0, 10) == [("c", None)]
    store.drop(["t"])
    with pytest.raises(KnowledgeError):
        store.values("t", 0, 10)


def test_tables_come_and_go_while_others_read_their_rows(store: TableStore) -> None:
    put(store, [str(n) for n in range(400)])
    over = threading.Event()
    interval = sys.getswitchinterval()

    def read() -> None:
        at = 0
        while not over.is_set():
            at += 1
            store.values("t", 0, 1 + at % 90)
            store.values("t", at, 1)
            store.samples("t", "tool", at)

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        sys.setswitchinterval(1e-5)
        try:
            for _ in range(1500):
                store.drop(["other"])
        finally:
            over.set()
            sys.setswitchinterval(interval)
        for reader in readers:
            reader.result(timeout=30)
