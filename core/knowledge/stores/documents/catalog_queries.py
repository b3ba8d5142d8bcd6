"""What can be read from the library without searching it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.domain import (
    Atom,
    Cell,
    Chunk,
    Document,
    Entity,
    Entry,
    Reference,
    Relation,
    Scope,
    Section,
    Table,
    Tag,
)
from core.errors import NotFound, QueryError
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents import catalog, distilled, links, totals
from core.knowledge.stores.external_stores import ExternalStores
from core.knowledge.stores.typed_tables.query_lineage import Lineage, lineage
from core.knowledge.stores.typed_tables.query_validation import allowed_query
from core.knowledge.stores.typed_tables.typed_rows import ROW
from core.knowledge.stores.vector_index.vector_reuse import ReusableVectors, reusable_vectors_at
from core.ports import Vectors

if TYPE_CHECKING:
    import pandas as pd

EVERYTHING = Scope()


class TracedResult(NamedTuple):
    """A query's result, where each of its columns comes from, and the tables it was read from."""

    frame: "pd.DataFrame"
    columns: tuple[Lineage, ...]
    tables: tuple[Table, ...]


class CatalogQueries:
    """The reading half of the knowledge base."""

    database: Database
    external: ExternalStores

    def generation(self) -> int:
        """Return a number that grows with every change; a key for whatever is cached by its user."""
        with self.database.reading() as connection:
            return catalog.generation(connection)

    def edited_documents(self) -> set[str]:
        """Return the ids of documents with chunks that a reader changed or split."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM documents WHERE revised <> 0"
                " UNION SELECT document_id FROM chunks WHERE edited <> 0"
            )
            return {row[0] for row in rows}

    def touched_since(self, generation: int) -> set[str] | None:
        """Return the ids of documents changed since a generation, None where one concerns all of them."""
        with self.database.reading() as connection:
            return catalog.touched_since(connection, generation)

    def counts(self, scope: Scope = EVERYTHING) -> dict[str, int]:
        """Return how many documents, sections, chunks, atoms, entities ... the scope holds."""
        with self.database.reading() as connection:
            return totals.counts(connection, scope)

    def sample_texts(self, most: int) -> list[str]:
        """Return the texts of prose passages, at most so many, evenly from the whole library."""
        with self.database.reading() as connection:
            return totals.sample_texts(connection, most)

    def documents(self, scope: Scope = EVERYTHING) -> list[Document]:
        """Return documents in the order they were added."""
        with self.database.reading() as connection:
            return catalog.documents(connection, scope)

    def document(self, document_id: str) -> Document:
        """Return a document; raises NotFound."""
        with self.database.reading() as connection:
            return catalog.document(connection, document_id)

    def titles(self, ids: Iterable[str] | None = None) -> dict[str, str]:
        """Return document id -> title, of all or of these."""
        where, values = ("", ()) if ids is None else (f" WHERE id {catalog.IN}", (catalog.many(ids),))
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT id, title FROM documents{where}", values)
            return {row[0]: row[1] for row in rows}

    def document_ids(self, scope: Scope = EVERYTHING) -> set[str] | None:
        """Return the ids of the documents a scope allows, None where it allows all."""
        with self.database.reading() as connection:
            allowed = catalog.in_scope(connection, scope)
        return None if allowed is None else set(allowed)

    def entries(self, document_id: str | None = None) -> list[Entry]:
        """Return the paths documents were added under."""
        with self.database.reading() as connection:
            return catalog.entries(connection, document_id)

    def collections(self) -> list[str]:
        """Return the names of all collections."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT DISTINCT collection FROM entries ORDER BY collection")
            return [row[0] for row in rows]

    def sections(self, document_id: str) -> list[Section]:
        """Return a document's sections in reading order."""
        with self.database.reading() as connection:
            return catalog.sections(connection, document_id)

    def chunks(
        self,
        document_id: str | None = None,
        section_id: str | None = None,
        ids: Sequence[str] | None = None,
        most: int | None = None,
    ) -> list[Chunk]:
        """Return chunks in reading order, all or the first so many, or in the order of the ids; unknown ids
        are left out."""
        with self.database.reading() as connection:
            return catalog.chunks(connection, document_id, section_id, ids, most)

    def atoms(self, chunk_ids: Sequence[str]) -> list[Atom]:
        """Return the atoms of the chunks."""
        with self.database.reading() as connection:
            return distilled.atoms(connection, chunk_ids)

    def atoms_by_id(self, ids: Sequence[str]) -> list[Atom]:
        """Return atoms in the order of the ids; unknown ids are left out."""
        with self.database.reading() as connection:
            return distilled.atoms_by_id(connection, ids)

    def entities(
        self,
        chunk_id: str | None = None,
        named: str | None = None,
        limit: int = 100,
        ids: Sequence[str] | None = None,
    ) -> list[Entity]:
        """Return entities, the most mentioned first: of a chunk, with words in the name, or by id."""
        with self.database.reading() as connection:
            return distilled.entities(connection, chunk_id, named, ids, limit)

    def entities_called(self, names: Sequence[str]) -> list[Entity]:
        """Return the entities that go by one of the names, as a name or an alias."""
        with self.database.reading() as connection:
            return distilled.entities_called(connection, names)

    def shared_names(self, chunk_ids: Sequence[str], others: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return chunk id -> entity id -> name of what the chunks and one of the `others` name, what the
        library mentions most first."""
        with self.database.reading() as connection:
            return distilled.shared_names(connection, chunk_ids, others)

    def mentions(self, entity_id: str) -> list[str]:
        """Return the ids of the chunks that name the entity."""
        with self.database.reading() as connection:
            return distilled.mentions(connection, entity_id)

    def relations(self, entity_id: str | None = None, chunk_id: str | None = None) -> list[Relation]:
        """Return relations an entity takes part in, or that a chunk says."""
        with self.database.reading() as connection:
            return distilled.relations(connection, entity_id, chunk_id)

    def references(self, document_id: str) -> list[Reference]:
        """Return the document's references to others."""
        with self.database.reading() as connection:
            return links.references(connection, document_id)

    def referring(self, document_id: str) -> list[Reference]:
        """Return the references that point to the document."""
        with self.database.reading() as connection:
            return links.referring(connection, document_id)

    def pointed_to(self) -> dict[str, set[str]]:
        """Return, per document that other documents point to, which do."""
        with self.database.reading() as connection:
            return links.pointed_to(connection)

    def document_tags(self) -> dict[str, Counter[str]]:
        """Return, per document, how many of its chunks carry each tag."""
        with self.database.reading() as connection:
            return distilled.document_tags(connection)

    def document_vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of documents' summaries, of shape (d,), by the documents that have one."""
        return self.external.indexes["documents"].fetch(ids)

    def chunk_vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of chunks, of shape (d,), by the chunks that have one."""
        return self.external.indexes["chunks"].fetch(ids)

    def tags(self, chunk_id: str | None = None) -> list[Tag]:
        """Return the tags of a chunk, or all."""
        with self.database.reading() as connection:
            return distilled.tags(connection, chunk_id)

    def tag_counts(self) -> list[tuple[str, str, int]]:
        """Return (class, name, chunks), the most used first."""
        with self.database.reading() as connection:
            return distilled.tag_counts(connection)

    def tables(self, document_id: str | None = None, scope: Scope = EVERYTHING) -> list[Table]:
        """Return the tables of a document, or of a scope, without their rows."""
        with self.database.reading() as connection:
            return catalog.tables(connection, document_id, scope)

    def rows(self, table_id: str, offset: int = 0, limit: int = 200) -> "pd.DataFrame":
        """Return rows of a table in their order; raises NotFound."""
        return self.external.tables.rows(self._sql_name(table_id), offset, limit)

    def row_values(self, table_id: str, offset: int = 0, limit: int = 200) -> list[tuple[Any, ...]]:
        """Return the values of rows of a table in their order; raises NotFound."""
        return self.external.tables.values(self._sql_name(table_id), offset, limit)

    def _sql_name(self, table_id: str) -> str:
        with self.database.reading() as connection:
            row = connection.execute("SELECT sql_name FROM tables WHERE id = ?", (table_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no table {table_id}")
        return str(row[0])

    def query(
        self, sql: str, limit: int = 200, scope: Scope = EVERYTHING, parameters: Sequence[Cell] = ()
    ) -> "pd.DataFrame":
        """Run one read-only SELECT over the tables in scope, named by `sql_name`; every table also has the
        column `_row`, its 0-based row number. `parameters` fill its `?`, in order. Raises QueryError."""
        names = [table.sql_name for table in self.tables(scope=scope)]
        return self.external.tables.query(sql, names, limit, parameters=parameters)

    def traced_query(
        self, sql: str, limit: int, scope: Scope, parameters: Sequence[Cell] = ()
    ) -> TracedResult:
        """Run a query as `query` does, but only one whose result holds nothing that no table holds.

        Raises QueryError.
        """
        tables = {table.sql_name: table for table in self.tables(scope=scope)}
        allowed = allowed_query(sql, tables, len(parameters))
        read = tuple(tables[name] for name in tables if name in allowed.tables)
        schema = {table.sql_name: (ROW, *(column.name for column in table.columns)) for table in read}
        columns = lineage(allowed.sql, schema)
        frame = self.external.tables.query(allowed.sql, list(schema), limit, parameters=parameters)
        if len(frame.columns) != len(columns):
            raise QueryError("the columns of the result could not be traced to tables")
        return TracedResult(frame, columns, read)

    def values_with(self, table: Table, columns: Sequence[str], words: Sequence[str]) -> dict[str, list[str]]:
        """Return, by column, different values of the table that hold one of the words."""
        return self.external.tables.values_with(table.sql_name, columns, words)

    def refers(self, table: Table, column: str, other: Table, key: str) -> bool:
        """Say whether every value of a column stands once in the `key` column of another table."""
        return self.external.tables.refers(table.sql_name, column, other.sql_name, key)

    def share_rows(self, table: Table, other: Table) -> bool:
        """Say whether two tables of the same columns have a row in common."""
        names = [column.name for column in table.columns]
        return self.external.tables.share_rows(table.sql_name, other.sql_name, names)

    def samples(self, table: Table, column: str, limit: int) -> list[object]:
        """Return different values of a table's column, those of the first rows first."""
        return self.external.tables.samples(table.sql_name, column, limit)

    def extent(self, table: Table, column: str) -> tuple[object, object]:
        """Return the least and the greatest value of a table's column, None twice where it holds none."""
        return self.external.tables.extent(table.sql_name, column)

    def reusable_vectors(self, path: str, collection: str) -> ReusableVectors:
        """Return the vectors of the document at a path that a newer version of its file can reuse."""
        return reusable_vectors_at(self.external, path, collection)

    def original(self, document_id: str) -> Path | None:
        """Return the kept copy of the document's file."""
        if self.database.partial and not self.titles([document_id]):
            return None
        return self.external.originals.find(document_id)

    def image(self, document_id: str, name: str) -> bytes | None:
        """Return an image kept for the document."""
        if self.database.partial and not self.titles([document_id]):
            return None
        found = self.external.images.find(document_id, name)
        return None if found is None else found.read_bytes()
