"""Compaction: deleted documents give their room back, what is left is as it was."""

import uuid
from pathlib import Path

from core.knowledge.base import KnowledgeBase
from tests.knowledge.conftest import YIELD, entry_of, make_document, token_vectors, vector
from tests.making import nothing_left


def test_compaction_gives_back_the_room_of_deleted_documents(folder: Path, library: KnowledgeBase) -> None:
    texts = [
        f"Passage {n} on pumps, valves and filters of the tool, once more and at length." for n in range(40)
    ]
    documents = [
        make_document(f"Report {n}", [f"{n}: {text}" for text in texts], tables=[YIELD]) for n in range(12)
    ]
    for prepared in documents:
        library.add(prepared, entry_of(prepared))
    library.cache.put("key", b"value" * 1000)
    kept = documents[5]
    for prepared in documents:
        if prepared is not kept:
            assert nothing_left(library.remove(prepared.document.id))
    orphan = folder / "chroma" / str(uuid.uuid4())
    orphan.mkdir()
    (orphan / "data_level0.bin").write_bytes(b"x" * 100_000)
    chunk = kept.chunks[7]
    before = library.late_interaction(token_vectors("valves"), [chunk.id])
    sizes = {each.what: each for each in library.compact()}
    assert set(sizes) == {"token vectors", "tables", "vectors", "cache", "catalog"}
    assert all(each.after <= each.before for what, each in sizes.items() if what != "tables")
    assert sizes["token vectors"].after < sizes["token vectors"].before / 8
    assert sizes["catalog"].after < sizes["catalog"].before / 2
    assert not orphan.exists()
    assert library.late_interaction(token_vectors("valves"), [chunk.id]) == before
    assert library.nearest(vector(chunk.passage_text()), "chunks", 1)[0].id == chunk.id
    assert library.rows(library.tables()[0].id).shape[0] == 4
    assert library.cache.get("key") == b"value" * 1000
    assert library.check() == []
    library.add(documents[0], entry_of(documents[0]))
    assert library.counts()["documents"] == 2
    library.close()
    with KnowledgeBase(folder, "test") as again:
        assert again.check() == []
        assert again.counts()["tables"] == 2


def test_tables_are_compacted_into_a_smaller_file(folder: Path, library: KnowledgeBase) -> None:
    rows = tuple((f"wafer {n} of a long lot number that repeats {n * 7919}", n) for n in range(20_000))
    wide = YIELD.model_copy(update={"columns": YIELD.columns[:2], "rows": rows})
    large, small = (
        make_document(name, [name], tables=[table]) for name, table in (("A", wide), ("B", YIELD))
    )
    for prepared in (large, small):
        library.add(prepared, entry_of(prepared))
    library.remove(large.document.id)
    sizes = {each.what: each for each in library.compact()}
    assert sizes["tables"].after < sizes["tables"].before
    assert [table.row_count for table in library.tables()] == [4]
    assert library.query(f"SELECT count(*) AS n FROM {library.tables()[0].sql_name}")["n"][0] == 4
