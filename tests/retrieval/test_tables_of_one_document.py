"""What is asked of tables with the same columns in one document is answered from the rows of all."""

import pytest

from core.domain import Cell, Column, Entry, Scope, TableData
from core.knowledge.base import IndexableDocument
from core.llm.builtin import BuiltinLLM
from core.retrieval.table_cards import TableCards
from core.retrieval.table_query import TableQuery
from tests.fab_library import _document, _table, make_library

COLUMNS = (
    Column(name="Part"), Column(name="Price", type="real", unit="EUR"),
    Column(name="Stock", type="integer"), Column(name="Minimum stock", type="integer"),
)  # fmt: skip
CHAMBER = (("Focus ring", 1950.0, 4, 2), ("Showerhead", 17900.0, 1, 3))
VACUUM = (("Dry pump", 21400.0, 0, 1), ("Gate seal", 310.0, 9, 5), ("Gauge", 440.0, 2, 2))


def table(name: str, rows: tuple[tuple[Cell, ...], ...]) -> TableData:
    return TableData(name=name, columns=COLUMNS, rows=rows)


def asked(tmp_path, embedder, question: str, *tables: TableData) -> tuple[set[str], int, bool]:
    """Return what a query of the rules tells, from how many tables, and whether these are clear."""
    with make_library(tmp_path / "library", embedder) as made:
        document, section, chunks = _document("Parts catalogue", ("Spare parts of the plant.",))
        encoded = embedder.encode([chunk.passage_text() for chunk in chunks])
        held = tuple((_table(document, data), data) for data in tables)
        held = tuple(
            (one.model_copy(update={"id": f"{one.id}{at}"}), data) for at, (one, data) in enumerate(held)
        )
        made.add(
            IndexableDocument(document, (section,), chunks, held, (), encoded.vectors, encoded.tokens),
            Entry(path=document.name, document_id=document.id, collection="fab"),
        )
        cards = TableCards(made).of([one for one, _ in held])
        answer = TableQuery(made, BuiltinLLM()).ask(question, Scope(), lambda event: None)
    shown = {line for passage in answer.passages for line in passage.chunk.text.split("\n")}
    return shown, len(answer.passages), not any(card.unclear_siblings for card in cards)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the average price of the parts in the catalogue?", {"mean of Price: 8400; rows: 5"}),
        (
            "Which parts are below the minimum stock?",
            {"Part: Showerhead; Stock: 1; Minimum stock: 3", "Part: Dry pump; Stock: 0; Minimum stock: 1"},
        ),
        ("How many parts does the catalogue list?", {"number of parts: 5"}),
    ],
)
def test_all_tables_are_read_and_cited(tmp_path, embedder, question, expected):
    found = asked(
        tmp_path, embedder, question, table("Chamber parts", CHAMBER), table("Vacuum parts", VACUUM)
    )
    assert found == (expected, 2, True)


def test_rows_that_stand_in_two_tables_are_not_counted_twice(tmp_path, embedder):
    tables = table("Chamber parts", CHAMBER), table("Parts on order", (*VACUUM, CHAMBER[0]))
    assert asked(tmp_path, embedder, "What is the average price of the parts?", *tables) == (set(), 0, False)


def test_a_table_that_sums_up_the_others_is_not_added_to_them(tmp_path, embedder):
    tables = table("Chamber parts", CHAMBER), table("All parts", (("Everything", 19850.0, 5, 5),))
    assert asked(tmp_path, embedder, "What is the average price of the parts?", *tables)[:2] == (set(), 0)
