"""What a model enriches: the collections switched on, the documents it is done with, the classes of tags."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.knowledge.stores.database import Database
from core.knowledge.stores.documents.catalog import IN, count_change, many, record_deletion
from core.tasks import TagClass


@dataclass(frozen=True)
class EnrichmentStore:
    """Rows of SQLite; a document that goes takes its row with it."""

    database: Database

    def switch(self, collection: str, on: bool) -> None:
        """Let a model enrich a collection, or no longer; what it has done stays."""
        with self.database.writing() as connection:
            if on:
                connection.execute(
                    "INSERT OR IGNORE INTO enriched_collections (collection, at) VALUES (?, ?)",
                    (collection, time.time()),
                )
            else:
                connection.execute("DELETE FROM enriched_collections WHERE collection = ?", (collection,))

    def switched_on(self) -> tuple[str, ...]:
        """Return the collections a model enriches, the first switched on first."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT collection FROM enriched_collections ORDER BY at, collection")
            return tuple(row[0] for row in rows)

    def waiting(self, collections: Sequence[str] | None) -> tuple[str, ...]:
        """Return the documents of collections (None: of all) that no model has enriched, in order of their
        paths; those that the rules have not enriched yet come later."""
        wanted = "" if collections is None else f"AND e.collection {IN}"
        values = [] if collections is None else [many(list(collections))]
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT d.id FROM documents d JOIN entries e ON e.document_id = d.id"
                f" WHERE d.summary <> '' {wanted}"
                " AND d.id NOT IN (SELECT document_id FROM enriched_documents) ORDER BY e.path",
                values,
            )
            return tuple(dict.fromkeys(row[0] for row in rows))

    def done(self, document_id: str, engine: str) -> None:
        """Note that an engine has enriched a document."""
        with self.database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO enriched_documents (document_id, engine, at) VALUES (?, ?, ?)",
                (document_id, engine, time.time()),
            )

    def forget(self, collection: str) -> None:
        """Let a model enrich the documents of a collection once more."""
        with self.database.writing() as connection:
            connection.execute(
                "DELETE FROM enriched_documents WHERE document_id IN"
                " (SELECT document_id FROM entries WHERE collection = ?)",
                (collection,),
            )

    def engines(self) -> dict[str, int]:
        """Return for each engine how many documents it has enriched."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT engine, count(*) FROM enriched_documents GROUP BY engine")
            return {row[0]: row[1] for row in rows}

    # -- classes of tags -------------------------------------------------------------------

    def classes(self) -> tuple[TagClass, ...]:
        """Return the classes of tags with the terms that belong to each."""
        with self.database.reading() as connection:
            rows = connection.execute("SELECT name, terms, description FROM tag_classes ORDER BY n")
            return tuple(
                TagClass(name=name, terms=tuple(json.loads(terms)), description=description)
                for name, terms, description in rows
            )

    def passages_of_prose(self, least_tokens: int) -> dict[str, int]:
        """Return document -> how many of its chunks are prose of at least so many tokens."""
        with self.database.reading() as connection:
            return dict(
                connection.execute(
                    "SELECT document_id, count(*) FROM chunks WHERE kind = 'text' AND tokens >= ?"
                    " GROUP BY document_id ORDER BY document_id",
                    (least_tokens,),
                ).fetchall()
            )

    def factors(self) -> dict[str, tuple[str, ...]]:
        """Return chunk id -> the key factors that were named in it when the classes were made."""
        found: dict[str, list[str]] = {}
        with self.database.reading() as connection:
            for chunk_id, name in connection.execute("SELECT chunk_id, name FROM tag_factors ORDER BY n"):
                found.setdefault(chunk_id, []).append(name)
        return {chunk_id: tuple(names) for chunk_id, names in found.items()}

    def keep_factors(self, factors: Mapping[str, Sequence[str]]) -> None:
        """Replace all key factors by these, by chunk."""
        with self.database.writing() as connection:
            connection.execute("DELETE FROM tag_factors")
            connection.executemany(
                "INSERT OR IGNORE INTO tag_factors (chunk_id, name) SELECT id, ?2 FROM chunks WHERE id = ?1",
                ((chunk_id, name) for chunk_id, names in factors.items() for name in names),
            )

    def set_classes(
        self, classes: Sequence[TagClass], saying: Mapping[str, Sequence[str]] | None = None
    ) -> int:
        """Replace all classes by these; return how many tags changed theirs or came.

        A key factor that is among a class' terms is a tag of the chunk it was named in, and of those `saying`
        it (term -> ids of chunks).
        """
        with self.database.writing() as connection:
            connection.execute("DELETE FROM tag_classes")
            changed = 0
            for each in classes:
                terms = json.dumps(list(each.terms), ensure_ascii=False)
                connection.execute(
                    "INSERT INTO tag_classes (name, terms, description) VALUES (?, ?, ?)",
                    (each.name, terms, each.description),
                )
                changed += sum(
                    connection.execute(statement, (each.name, terms)).rowcount
                    for statement in (
                        "UPDATE OR IGNORE tags SET tag_class = ?1 WHERE tag_class <> ?1"
                        " AND lower(name) IN (SELECT lower(value) FROM json_each(?2))",
                        "INSERT OR IGNORE INTO tags (chunk_id, name, tag_class) SELECT chunk_id, name, ?1"
                        " FROM tag_factors f WHERE lower(name) IN (SELECT lower(value) FROM json_each(?2))"
                        " AND NOT EXISTS (SELECT 1 FROM tags t WHERE t.chunk_id = f.chunk_id"
                        " AND lower(t.name) = lower(f.name))",
                    )
                )
                changed += sum(
                    connection.execute(
                        "INSERT OR IGNORE INTO tags (chunk_id, name, tag_class) SELECT id, ?2, ?3 FROM chunks"
                        " WHERE id = ?1 AND NOT EXISTS"
                        " (SELECT 1 FROM tags WHERE chunk_id = ?1 AND lower(name) = lower(?2))",
                        (chunk_id, term, each.name),
                    ).rowcount
                    for term in each.terms
                    for chunk_id in (saying or {}).get(term, ())
                )
            if changed:
                documents = [row[0] for row in connection.execute("SELECT id FROM documents")]
                for document_id in documents:  # the graph's edges of tags are drawn anew
                    record_deletion(connection, document_id, "distilled")
                count_change(connection, *documents)
            return changed
