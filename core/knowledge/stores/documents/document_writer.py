"""How a document comes in: announced first, then written outside SQLite, then visible at once.

A document's id is the hash of its bytes: the same bytes are the same document, under however many paths.
Other bytes under a known path are a newer version of the file: it keeps what was learnt of the older one
(`carry_over`) and reuses its vectors (`vector_reuse`), and the older one goes unless another path has it.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain import Distilled, Entry, Table, TableData
from core.knowledge.search.titles import TitleFinder
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.documents import catalog, distilled, links, totals
from core.knowledge.stores.documents.carry_over import carry_over
from core.knowledge.stores.documents.indexable import DistilledDocument, IndexableDocument
from core.knowledge.stores.documents.removal import Removals
from core.knowledge.stores.external_stores import ExternalStores, record_unfinished, remove_unfinished


@dataclass(frozen=True)
class DocumentWriter:
    """Adds and enriches. Its caller lets one thread in at a time."""

    external: ExternalStores
    tokens: TokenFile
    titles: TitleFinder
    removals: Removals

    def add_many(self, items: Sequence[tuple[IndexableDocument, Entry]]) -> list[str]:
        """Add documents, known ones only their entry; return those that no path points to any more."""
        for indexable, entry in items:
            indexable.check()
            if entry.document_id != indexable.document.id:
                raise ValueError(f"the entry {entry.path} is not of the document {indexable.document.id}")
        with self.external.database.reading() as connection:
            known = catalog.known(connection, "documents", [p.document.id for p, _ in items])
            news = {p.document.id: p for p, _ in items if p.document.id not in known}
            shared = catalog.known(connection, "chunks", [c.id for p in news.values() for c in p.chunks])
            used_names = {row[0] for row in connection.execute("SELECT sql_name FROM tables")}
        if shared:
            raise ValueError(f"chunk ids of another document: {sorted(shared)[:3]}")
        added = [_with_own_table_names(indexable, used_names) for indexable in news.values()]
        number = self.external.announce(_parts(added)) if added else 0
        stored = [self._write_outside(indexable) for indexable in added]
        self.external.put_vectors(
            "chunks",
            [(c.id, v, p.document.id) for p in added for c, v in zip(p.chunks, p.vectors, strict=True)],
        )
        spans = self.tokens.append(
            [
                (c.id, t)
                for p in added
                if p.tokens
                for c, t in zip(p.chunks, p.tokens, strict=True)
                if c.id not in p.same
            ]
        )
        same = {chunk: before for p in added for chunk, before in p.same.items()}
        rows = self.tokens.spans(list(same.values()))
        spans += [(chunk, *rows[before]) for chunk, before in same.items() if before in rows]
        found = self.titles.find([p.document for p in added], [c for p in added for c in p.chunks])
        replaced: set[str] = set()
        with self.external.database.writing() as connection:
            for indexable, tables in zip(added, stored, strict=True):
                catalog.put_document(connection, indexable.document)
                catalog.put_sections(connection, indexable.sections)
                catalog.put_chunks(connection, indexable.chunks)
                catalog.put_tables(connection, tables)
            links.put_answers(connection, [p.document for p in added])
            links.put_references(connection, [r for p in added for r in p.references])
            links.put_references(connection, found, stated=False)
            links.settle_citations(connection, found)
            if spans:
                self.tokens.record(connection, spans)
            for _, entry in items:
                before = catalog.put_entry(connection, entry)
                replaced |= {before} if before else set()
            carry_over(connection, same, {d for d in replaced if not catalog.entries(connection, d)})
            remove_unfinished(connection, number)
            catalog.count_change(connection, *(entry.document_id for _, entry in items))
        return self.removals.without_entry(replaced)

    def _write_outside(self, indexable: IndexableDocument) -> list[Table]:
        return [self.external.tables.put(table, data) for table, data in indexable.tables]

    def link(self, entry: Entry) -> list[str]:
        """Add a path to a known document; return the documents that no path points to any more."""
        with self.external.database.writing() as connection:
            catalog.document(connection, entry.document_id)
            before = catalog.put_entry(connection, entry)
            catalog.count_change(connection, entry.document_id)
        return self.removals.without_entry([before] if before else [])

    def enrich_many(self, items: Sequence[DistilledDocument], *, anew: bool = False) -> None:
        """Add what was distilled, except from chunks that were removed meanwhile.

        With `anew` it replaces what was distilled before, in the same transaction; verified answers stay.
        """
        for enriched in items:
            enriched.check()
        ids = [enriched.document_id for enriched in items]
        with self.external.database.reading() as connection:
            for document_id in ids:
                catalog.document(connection, document_id)
            rows = connection.execute(
                f"SELECT id FROM chunks WHERE document_id {catalog.IN}", (catalog.many(ids),)
            )
            here = {row[0] for row in rows}
        filtered = [enriched.only(here) for enriched in items]
        atoms = [row for enriched in filtered for row in enriched.rows("atoms")]
        sections = [row for enriched in filtered for row in enriched.rows("sections")]
        documents = [row for enriched in filtered for row in enriched.rows("document")]
        number = self.external.announce(
            {
                "atoms": [row[0] for row in atoms],
                "sections": [row[0] for row in sections],
                "documents": [row[0] for row in documents],
            }
        )
        self.external.put_vectors("atoms", atoms)
        self.external.put_vectors("sections", sections)
        self.external.put_vectors("documents", documents)
        removed: dict[str, list[str]] = {"atoms": [], "sections": [], "documents": []}
        with self.external.database.writing() as connection:
            for enriched in filtered if anew else ():
                self._replace(connection, enriched, removed)
            left = record_unfinished(connection, removed) if anew else 0
            for enriched in filtered:
                distilled.put_distilled(connection, enriched.distilled)
                links.put_references(connection, enriched.distilled.references)
                if enriched.distilled.document_summary:
                    summary = (enriched.distilled.document_summary, enriched.document_id)
                    connection.execute("UPDATE documents SET summary = ? WHERE id = ?", summary)
            remove_unfinished(connection, number)
            catalog.count_change(connection, *ids)
        if anew:
            self.removals.finish(left, removed)

    def _replace(
        self, connection: sqlite3.Connection, enriched: DistilledDocument, removed: dict[str, list[str]]
    ) -> None:
        """Drop what was distilled from a document before; add to `removed` what loses its vector by that."""
        parts = totals.parts_of(connection, enriched.document_id)
        verified = tuple(
            atom for atom in distilled.atoms(connection, parts["chunks"]) if atom.verified_by is not None
        )
        new = enriched.distilled
        atom_ids = {atom.id for atom in (*new.atoms, *verified) if atom.searched}
        removed["atoms"] += [each for each in parts["atoms"] if each not in atom_ids]
        removed["sections"] += [each for each in parts["sections"] if each not in new.section_summaries]
        removed["documents"] += [] if new.document_summary else [enriched.document_id]
        distilled.drop_distilled(connection, enriched.document_id)
        catalog.record_deletion(connection, enriched.document_id, "distilled")
        distilled.put_distilled(connection, Distilled(atoms=verified))


def _parts(items: Sequence[IndexableDocument]) -> dict[str, list[str]]:
    ids = [p.document.id for p in items]
    return {
        "chunks": [c.id for p in items for c in p.chunks],
        "tables": [t.sql_name for p in items for t, _ in p.tables],
        "files": ids,
    }


def _with_own_table_names(indexable: IndexableDocument, used_names: set[str]) -> IndexableDocument:
    """Return the document with table names that no other table in the library has."""
    tables: list[tuple[Table, TableData]] = []
    for table, data in indexable.tables:
        name = table.sql_name
        while name.casefold() in used_names:
            name = f"{name}_{table.id[:6]}"
        used_names.add(name.casefold())
        tables.append(
            (table if name == table.sql_name else table.model_copy(update={"sql_name": name}), data)
        )
    return replace(indexable, tables=tuple(tables))
