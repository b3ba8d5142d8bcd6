"""A record beside each kept original: its name, where it came from and when, should the catalog be lost."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from core.domain import Entry, Value, identify
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents import catalog
from core.knowledge.stores.documents.originals import RECORD, FileStore


class Provenance(Value):
    """Where a document came from; `added` orders documents as they came."""

    document_id: str
    name: str
    entries: tuple[tuple[str, str], ...]  # (path, collection)
    added: int


@dataclass(frozen=True)
class ProvenanceRecords:
    """Writes and reads the records; each carries a digest of itself."""

    database: Database
    originals: FileStore

    def write(self, document_ids: Iterable[str]) -> None:
        """Write down what the catalog knows about documents whose originals are kept."""
        for document_id in sorted(set(document_ids)):
            record = self.known(document_id)
            if record is not None and self.originals.find(document_id) is not None:
                self.originals.write(document_id, RECORD, sealed(record))

    def begin(self) -> None:
        """Write the records of a library from before there were any, once."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT 1 FROM counters WHERE name = 'provenance'").fetchone()
            ids = [each[0] for each in connection.execute("SELECT id FROM documents")]
        if row is None:
            self.write(ids)
            with self.database.writing() as connection:
                connection.execute("INSERT OR REPLACE INTO counters (name, value) VALUES ('provenance', 1)")

    def known(self, document_id: str) -> Provenance | None:
        """Return a document's provenance as the catalog has it, or None."""
        with self.database.reading() as connection:
            return provenance_of(connection, document_id)

    def at(self, entries: Iterable[Entry]) -> list[str]:
        """Return the documents that the paths of entries point to now."""
        statement = "SELECT document_id FROM entries WHERE path = ? AND collection = ?"
        with self.database.reading() as connection:
            found = (connection.execute(statement, (e.path, e.collection)).fetchone() for e in entries)
            return [row[0] for row in found if row is not None]

    def differ(self) -> list[str]:
        """Return the documents with an original whose record is missing or says something else."""
        with self.database.reading() as connection:
            ids = [row[0] for row in connection.execute("SELECT id FROM documents ORDER BY n")]
        return [
            each
            for each in ids
            if self.originals.find(each) is not None and read_record(self.originals, each) != self.known(each)
        ]


def provenance_of(connection: sqlite3.Connection, document_id: str) -> Provenance | None:
    """Return a document's record from an open catalog, None where it has no such document."""
    row = connection.execute("SELECT n, name FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        return None
    entries = tuple((e.path, e.collection) for e in catalog.entries(connection, document_id))
    return Provenance(document_id=document_id, name=row[1], entries=entries, added=row[0])


def sealed(record: Provenance) -> bytes:
    """Return the bytes of a record's file."""
    body = json.dumps(record.model_dump(mode="json"), ensure_ascii=True)
    return f"{identify(body)}\n{body}\n".encode()


def read_record(originals: FileStore, document_id: str) -> Provenance | None:
    """Return the record beside an original, None where it is missing or damaged."""
    try:
        digest, body = originals.path(document_id, RECORD).read_text("utf-8").split("\n", 1)
        body = body.removesuffix("\n")
        return Provenance.model_validate_json(body) if digest == identify(body) else None
    except (OSError, UnicodeDecodeError, ValueError, ValidationError):
        return None
