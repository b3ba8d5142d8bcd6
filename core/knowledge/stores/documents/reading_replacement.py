"""Replaces the reading of a document's file by another, in one transaction.

The document keeps its id, its paths and its place among the others; chunks that say the same under the same
headings keep their ids, and with them verdicts and verified answers. Until the transaction ends the earlier
reading is searched.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Atom, Distilled, Reference, Scope, Table, TableData
from core.knowledge.search.titles import TitleFinder
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.documents import catalog, distilled, links, totals
from core.knowledge.stores.documents.indexable import IndexableDocument
from core.knowledge.stores.external_stores import ExternalStores, record_unfinished, remove_unfinished

OWN_KINDS = ("title", "entity")  # references that are found in the library, not in the file


@dataclass(frozen=True)
class ReadingReplacement:
    """Compares and replaces readings. Its caller lets one thread in at a time."""

    external: ExternalStores
    tokens: TokenFile
    titles: TitleFinder

    def take(self, read: IndexableDocument) -> bool:
        """Replace the reading that is held, or, where it says the same, note its version alone; say
        whether it differs. Raises NotFound, ValueError if its parts do not belong together."""
        read.check()
        differs = not self.is_held(read)
        if differs:
            self.replace(read)
        else:
            self.note(read.document.id, read.document.reading)
        return differs

    def is_held(self, read: IndexableDocument) -> bool:
        """Say whether the library holds just this reading; vectors are not looked at. Raises NotFound."""
        about = {"summary": "", "reading": ""}
        with self.external.database.reading() as connection:
            document = catalog.document(connection, read.document.id)
            sections = catalog.sections(connection, document.id)
            chunks = catalog.chunks(connection, document.id, None, None)
            cited = links.references(connection, document.id)
        same_text = (
            document.model_copy(update=about) == read.document.model_copy(update=about)
            and [each.model_copy(update={"summary": ""}) for each in sections] == list(read.sections)
            and [each.model_copy(update={"summary": ""}) for each in chunks] == list(read.chunks)
            and _keys(cited) == _keys(read.references)
        )
        return same_text and self._same_tables(read)

    def _same_tables(self, read: IndexableDocument) -> bool:
        cards = self._cards(read)
        return len(cards) == len(read.tables) and all(
            self._matching_card(cards, table, data) is not None for table, data in read.tables
        )

    def _cards(self, read: IndexableDocument) -> dict[str, Table]:
        with self.external.database.reading() as connection:
            return {each.id: each for each in catalog.tables(connection, read.document.id, Scope())}

    def _matching_card(self, cards: dict[str, Table], table: Table, data: TableData) -> Table | None:
        """Return the card with the rows that are held, if they are the same; None where they are not."""
        card = cards.get(table.id)
        if card is None or (card.name, card.caption, card.location) != (
            table.name,
            table.caption,
            table.location,
        ):
            return None
        return card if self.external.tables.has_same_rows(card, data) else None

    def note(self, document_id: str, reading: str) -> None:
        """Write down that a document reads the same by another version."""
        with self.external.database.writing() as connection:
            connection.execute("UPDATE documents SET reading = ? WHERE id = ?", (reading, document_id))

    def replace(self, read: IndexableDocument) -> None:
        """Replace the reading that is held. Raises NotFound.

        What was distilled goes, but for verified answers whose chunk stays: it is to be enriched anew.
        """
        document = read.document
        cards, fresh = self._named(read)
        number = self.external.announce(
            {"chunks": [chunk.id for chunk in read.chunks], "tables": [table.sql_name for table, _ in fresh]}
        )
        written = {table.id: self.external.tables.put(table, data) for table, data in fresh}
        self.external.put_vectors(
            "chunks", [(c.id, v, document.id) for c, v in zip(read.chunks, read.vectors, strict=True)]
        )
        spans = self._spans(read)
        found = self.titles.find([document], read.chunks)
        with self.external.database.writing() as connection:
            catalog.document(connection, document.id)
            parts = totals.parts_of(connection, document.id)
            verified = [a for a in distilled.atoms(connection, parts["chunks"]) if a.verified_by is not None]
            stay = {chunk.id for chunk in read.chunks}
            remaining = [atom for atom in verified if atom.chunk_id in stay]
            left = record_unfinished(connection, removed := _leaving(parts, remaining))
            _clear(connection, document.id)
            catalog.change_document(connection, document)
            catalog.put_sections(connection, read.sections)
            catalog.put_chunks(connection, read.chunks)
            catalog.put_tables(connection, [written.get(card.id, card) for card in cards])
            links.put_answers(connection, [document])
            links.put_references(connection, read.references)
            links.put_references(connection, found, stated=False)
            links.settle_citations(connection, found)
            self.tokens.record(connection, spans)
            distilled.put_distilled(connection, Distilled(atoms=tuple(remaining)))
            remove_unfinished(connection, number)
            catalog.count_change(connection, document.id)
        self.external.clear(removed)
        with self.external.database.writing() as connection:
            remove_unfinished(connection, left)

    def _named(self, read: IndexableDocument) -> tuple[list[Table], list[tuple[Table, TableData]]]:
        """Return the cards of the tables, and those whose rows are not held yet, under names of their own:
        what is queried meanwhile stays as it is."""
        existing = self._cards(read)
        with self.external.database.reading() as connection:
            used_names = {row[0].casefold() for row in connection.execute("SELECT sql_name FROM tables")}
        cards: list[Table] = []
        fresh: list[tuple[Table, TableData]] = []
        for table, data in read.tables:
            card = self._matching_card(existing, table, data)
            if card is None:
                name = table.sql_name
                while name.casefold() in used_names:
                    name = f"{name}_{table.id[:6]}"
                used_names.add(name.casefold())
                card = table.model_copy(update={"sql_name": name})
                fresh.append((card, data))
            cards.append(card)
        return cards, fresh

    def _spans(self, read: IndexableDocument) -> list[tuple[str, int, int]]:
        """Return where the token vectors of the chunks stand: written now, or those of an equal chunk."""
        rows = zip(read.chunks, read.tokens or (), strict=bool(read.tokens))
        spans = self.tokens.append([(chunk.id, t) for chunk, t in rows if chunk.id not in read.same])
        reused = self.tokens.spans(list(read.same.values()))
        return [*spans, *((new, *reused[old]) for new, old in read.same.items() if old in reused)]


def _keys(references: Sequence[Reference]) -> set[tuple[str, str, str]]:
    return {(each.chunk_id, each.kind, each.text) for each in references if each.kind not in OWN_KINDS}


def _leaving(parts: dict[str, list[str]], remaining: Sequence[Atom]) -> dict[str, list[str]]:
    """Return the ids of which the other stores may hold something no more: they keep what is still shown."""
    stay = {atom.id for atom in remaining}
    return {**parts, "atoms": [each for each in parts["atoms"] if each not in stay], "files": []}


def _clear(connection: sqlite3.Connection, document_id: str) -> None:
    """Delete the rows of a document but for its own; the indexes forget it and take in what comes anew."""
    distilled.drop_distilled(connection, document_id)
    for table in ("enriched_documents", "links", "answers_to", "chunks", "sections", "tables"):
        connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))
    links.unlink_target(connection, document_id)
    for what in ("document", "edges"):
        catalog.record_deletion(connection, document_id, what)
