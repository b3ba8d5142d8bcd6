"""The library as its users see it."""

import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.domain import Distilled, Scope
from core.errors import NotFound
from core.knowledge.base import IndexableDocument, KnowledgeBase
from core.knowledge.maintenance.backups import Backups
from core.knowledge.stores.documents.originals import make_private
from core.knowledge.stores.migrations import MIGRATIONS
from tests.knowledge.conftest import YIELD, entry_of, make_document, vector
from tests.making import nothing_left

Add = Callable[..., IndexableDocument]


def test_a_document_that_was_added_is_read_back_as_it_was(library: KnowledgeBase, add: Add) -> None:
    prepared = add("Etch recipe", "The chamber is heated to 60 °C.", "The plasma runs 40 seconds.")
    assert library.documents() == [prepared.document]
    assert library.sections(prepared.document.id) == list(prepared.sections)
    assert library.chunks(prepared.document.id) == list(prepared.chunks)
    assert library.entries() == [entry_of(prepared)]
    assert library.collections() == ["default"]


def test_adding_twice_changes_nothing(library: KnowledgeBase, add: Add) -> None:
    first = add("Etch recipe", "The chamber is heated to 60 °C.", tables=[YIELD])
    before = (library.counts(), library.entries(), library.nearest(vector("chamber"), "chunks", 10))
    library.add(first, entry_of(first))
    assert (library.counts(), library.entries(), library.nearest(vector("chamber"), "chunks", 10)) == before
    assert library.check() == []


def test_words_and_vectors_find_the_chunk(library: KnowledgeBase, add: Add) -> None:
    etch = add("Etch recipe", "The chamber is heated to 60 °C.", "The plasma runs 40 seconds.")
    add("Lithography", "The resist is spun at 3000 rpm.")
    assert library.keyword("heated chambers", 5)[0].id == etch.chunks[0].id
    near = library.nearest(vector("plasma runs seconds"), "chunks", 2)
    assert near[0].id == etch.chunks[1].id
    assert near[0].score > near[1].score


def test_a_scope_keeps_every_search_inside(library: KnowledgeBase, add: Add) -> None:
    first = add("Etch recipe", "The chamber is heated.", collection="etch", tables=[YIELD])
    second = add("Clean recipe", "The chamber is rinsed.", collection="wet")
    etch, wet = Scope(collections=("etch",)), Scope(documents=(second.document.id,))
    assert [hit.id for hit in library.keyword("chamber", 5, etch)] == [first.chunks[0].id]
    assert [hit.id for hit in library.nearest(vector("chamber"), "chunks", 5, wet)] == [second.chunks[0].id]
    assert [document.title for document in library.documents(etch)] == ["Etch recipe"]
    assert library.counts(wet)["chunks"] == 1
    assert library.tables(scope=wet) == []
    nowhere = Scope(collections=("none",))
    assert library.keyword("chamber", 5, nowhere) == []
    assert library.nearest(vector("chamber"), "chunks", 5, nowhere) == []


def test_a_wide_scope_is_kept_too(library: KnowledgeBase) -> None:
    wide = [make_document(f"Wide {n}", [f"Pump {n} runs."], tokens=False) for n in range(350)]
    near = [make_document(f"Near {n}", ["The chamber is heated."], tokens=False) for n in range(60)]
    library.add_many([(p, entry_of(p, "wide")) for p in wide] + [(p, entry_of(p, "near")) for p in near])
    inside = {prepared.chunks[0].id for prepared in wide}
    hits = library.nearest(vector("The chamber is heated."), "chunks", 5, Scope(collections=("wide",)))
    assert len(hits) == 5 and {hit.id for hit in hits} <= inside
    everything = library.nearest(vector("The chamber is heated."), "chunks", 5)
    assert not {hit.id for hit in everything} & inside


def test_removing_a_document_leaves_nothing_of_it(library: KnowledgeBase, add: Add, tmp_path: Path) -> None:
    source = tmp_path / "etch.txt"
    source.write_text("bytes")
    prepared = add("Etch recipe", "The chamber is heated.", tables=[YIELD], references=[("file", "x.pdf")])
    library.keep_original(prepared.document.id, source)
    library.external.images.write(prepared.document.id, "figure.png", b"image")
    other = add("Clean recipe", "The chamber is rinsed.")
    promised = library.removal(prepared.document.id)
    removal = library.remove(prepared.document.id)
    assert removal.counts == promised.counts
    assert removal.counts["chunks"] == 1 and removal.counts["rows"] == 4 and removal.counts["files"] == 2
    assert nothing_left(removal) and set(removal.left.values()) == {0}
    assert {"keywords", "token_spans", "links", "files", "vectors of chunks"} <= set(removal.left)
    assert [hit.id for hit in library.keyword("chamber", 5)] == [other.chunks[0].id]
    assert [hit.id for hit in library.nearest(vector("chamber"), "chunks", 5)] == [other.chunks[0].id]
    assert library.original(prepared.document.id) is None
    assert library.check() == []
    with pytest.raises(NotFound):
        library.document(prepared.document.id)


def test_the_same_bytes_at_two_paths_are_one_document_with_two_entries(
    library: KnowledgeBase, add: Add
) -> None:
    prepared = add("Etch recipe", "The chamber is heated.")
    second = entry_of(prepared).model_copy(update={"path": "/elsewhere/copy.txt"})
    library.link(second)
    assert len(library.documents()) == 1 and len(library.entries(prepared.document.id)) == 2
    assert library.unlink("/files/Etch recipe.txt") is None
    assert library.keyword("chamber", 5)
    removal = library.unlink("/elsewhere/copy.txt")
    assert removal is not None and nothing_left(removal)
    assert library.documents() == []


def test_a_path_that_holds_something_new_gives_up_the_old_document(library: KnowledgeBase, add: Add) -> None:
    add("Etch recipe", "The chamber is heated.")
    changed = make_document("Etch recipe", ["The chamber is cooled."])
    library.add(changed, entry_of(changed))
    assert [document.id for document in library.documents()] == [changed.document.id]
    assert library.keyword("heated", 5) == []


def test_a_chunk_has_its_summary_until_what_was_distilled_goes(library: KnowledgeBase, add: Add) -> None:
    prepared = add("Etch recipe", "The chamber is heated to 60 °C.", "The plasma runs 40 seconds.")
    first, second = prepared.chunks
    items = Distilled(chunk_summaries={second.id: "It runs.", "gone": "Nothing."})
    for _ in range(2):
        library.enrich(prepared.document.id, items, {})
    found = library.chunks(prepared.document.id)
    assert found == [first, second.model_copy(update={"summary": "It runs."})]
    assert library.keyword("runs", 5)[0].id == second.id and library.check() == []
    library.remove_enrichment(prepared.document.id)
    assert library.chunks(prepared.document.id) == [first, second]


def test_a_library_from_before_chunks_had_summaries_keeps_its_chunks(
    folder: Path, library: KnowledgeBase, add: Add
) -> None:
    prepared = add("Etch recipe", "The chamber is heated to 60 °C.", "The plasma runs 40 seconds.")
    library.close()
    (folder / "seal.json").unlink()  # older ones wrote none
    with closing(sqlite3.connect(":memory:")) as older:
        for migration in MIGRATIONS[:10]:
            migration(older)
        known = {row[0] for row in older.execute("SELECT name FROM sqlite_master")}
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if name not in known:
                connection.execute(f"DROP TABLE {name}")
        connection.execute("ALTER TABLE chunks DROP COLUMN summary")
        connection.execute("PRAGMA user_version = 10")
        connection.commit()
    with KnowledgeBase(folder, "test") as again:
        assert again.chunks(prepared.document.id) == list(prepared.chunks)
        assert again.check() == []
        (backup,) = Backups(folder).list()
        assert (backup.reason, backup.version, backup.documents) == ("migration", 10, (prepared.document.id,))
        chunk = prepared.chunks[0]
        again.enrich(prepared.document.id, Distilled(chunk_summaries={chunk.id: "Heat."}), {})
        assert again.chunks(ids=[chunk.id])[0].summary == "Heat."


def test_only_its_owner_may_enter_a_library(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "library"
    for mode in (None, 0o755):
        if mode is not None:
            folder.chmod(mode)
        KnowledgeBase(folder, "digest").close()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    make_private(shared)  # no library yet: whose it is besides is not known
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755


def test_what_is_changed_together_is_kept_together_or_not_at_all(library: KnowledgeBase, add: Add) -> None:
    add("Etch recipe", "The chamber is heated to 60 °C.")

    def change() -> None:
        library.learn_tag_pair("oven", "chamber")
        assert len(library.tag_pairs()) == 1  # the block sees what it has written

    with pytest.raises(ZeroDivisionError), library.atomically():
        change()
        raise ZeroDivisionError
    assert library.tag_pairs() == []
    with library.atomically():
        change()
    assert len(library.tag_pairs()) == 1
