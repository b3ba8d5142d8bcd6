"""Tables of different files are joined over a key that both call alike."""

from core.domain import Column, Entry, Scope, TableData
from core.knowledge.base import IndexableDocument
from core.llm.builtin import BuiltinLLM
from core.retrieval.table_cards import TableCards
from core.retrieval.table_query import TableQuery
from tests.fab_library import _document, _table, make_library


def station_table(key: str) -> TableData:
    columns = (Column(name=key, type="integer"), Column(name="Station"), Column(name="Pumps", type="integer"))
    return TableData(
        name="Stations", columns=columns, rows=((70411, "Orval", 4), (70412, "Brixen", 2), (70519, "Velm", 6))
    )


ORDERS = TableData(
    name="Work orders",
    columns=(
        Column(name="Work order", type="integer"),
        Column(name="Station ID", type="integer"),
        Column(name="Fault"),
    ),
    rows=tuple(
        (880100 + 7 * at, station, fault)
        for at, (station, fault) in enumerate(
            [
                (70411, "leak"),
                (70411, "trip"),
                (70519, "leak"),
                (70519, "trip"),
                (70519, "trip"),
                (70412, "leak"),
            ]
        )
    ),
)


RUST = TableData(
    name="Rust",
    columns=(Column(name="Station ID", type="integer"), Column(name="Depth", type="real", unit="mm")),
    rows=((70411, 0.4), (70519, 1.2), (70412, 0.1)),
)


def asked(tmp_path, embedder, key: str, question: str, table: TableData = ORDERS) -> list[str]:
    with make_library(tmp_path / "library", embedder, station_table(key)) as made:
        document, section, chunks = _document("Orders", ("Work orders of the year.",))
        encoded = embedder.encode([chunk.passage_text() for chunk in chunks])
        made.add(
            IndexableDocument(
                document,
                (section,),
                chunks,
                ((_table(document, table), table),),
                (),
                encoded.vectors,
                encoded.tokens,
            ),
            Entry(path=document.name, document_id=document.id, collection="fab"),
        )
        keys = [key for card in TableCards(made).of(made.tables()) for key in card.keys]
        assert bool(keys) is (key == "Station ID")
        answer = TableQuery(made, BuiltinLLM()).ask(question, Scope(), lambda event: None)
    return [passage.chunk.text for passage in answer.passages]


def test_rows_of_one_file_are_counted_by_what_another_calls_them(tmp_path, embedder):
    result = asked(tmp_path, embedder, "Station ID", "Which station had the most work orders?")
    assert set(result) == {"Station: Velm; number of Work orders: 3"}


def test_columns_that_are_called_otherwise_are_not_joined(tmp_path, embedder):
    assert asked(tmp_path, embedder, "ID", "Which station had the most work orders?") == []


def test_a_look_up_over_a_key_does_not_rank(tmp_path, embedder):
    assert asked(tmp_path, embedder, "Station ID", "Which station had the most trips?") == []


def test_a_row_of_each_for_the_same_thing_is_asked_as_one(tmp_path, embedder):
    result = asked(tmp_path, embedder, "Station ID", "What depth does the rust of Velm have?", RUST)
    assert result and all("Velm" in text and "1.2" in text for text in result)
