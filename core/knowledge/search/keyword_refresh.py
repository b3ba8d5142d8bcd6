"""Updates the keyword index from the catalog before each use."""

import sqlite3
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from core.knowledge.search.aliases import AliasIndex
from core.knowledge.search.keywords import KeywordIndex
from core.knowledge.search.postings import Posting
from core.knowledge.stores.database import Database, saving_cache, translated_errors
from core.knowledge.stores.documents.catalog import IN, generation, many, read_chunk
from core.text.tokens import index_words

# Version of how a passage's words are counted: an index of another version is rebuilt.
FORMAT_VERSION = 9
SAVE_AFTER = 1000  # passages added since the last saving, or a quarter of all if that is more


class PersistentKeywordIndex:
    """The keyword index, cached on disk if it has a folder; what the cache lacks is read from the catalog."""

    def __init__(self, database: Database, folder: Path | None) -> None:
        self._database = database
        self._folder = folder
        self._lock = threading.Lock()
        self._index = KeywordIndex()
        self._generation = -1
        self._last = 0
        self._forgotten = 0
        self._unsaved = 0
        self._aliases = AliasIndex()
        with translated_errors():
            marks = self._index.load(folder) if folder is not None else None
        with database.reading() as connection:
            newest: int = connection.execute("SELECT ifnull(max(n), 0) FROM chunks").fetchone()[0]
            forgotten: int = connection.execute("SELECT ifnull(max(n), 0) FROM forgotten").fetchone()[0]
        if (
            marks
            and marks.get("form") == FORMAT_VERSION
            and marks["forgotten"] <= forgotten
            and marks["last"] <= self._highest(newest)
        ):
            self._last, self._forgotten = marks["last"], marks["forgotten"]
            self._aliases.load(marks["aliases"])
        else:
            self._index = KeywordIndex()

    def _highest(self, newest: int) -> int:
        with self._database.reading() as connection:
            row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'").fetchone()
        return newest if row is None else int(row[0])

    def fresh(self) -> KeywordIndex:
        """Return the index with everything that is visible now."""
        with self._lock, self._database.reading() as connection:
            now = generation(connection)
            if now == self._generation:
                return self._index
            removed = connection.execute(
                "SELECT n, document_id FROM forgotten WHERE n > ? AND what = 'document'", (self._forgotten,)
            ).fetchall()
            if removed:
                self._index.remove({row["document_id"] for row in removed})
                self._aliases.remove({row["document_id"] for row in removed})
                self._forgotten = removed[-1]["n"]
            rows = connection.execute("SELECT * FROM chunks WHERE n > ? ORDER BY n", (self._last,)).fetchall()
            if rows:
                names = names_of_documents(connection, {row["document_id"] for row in rows})
                self._index.add(_entry(row, names) for row in rows)
                for row in rows:
                    if row["kind"] != "table":  # whose columns are followed by their type in brackets
                        self._aliases.add(row["document_id"], row["text"])
                self._last = rows[-1]["n"]
                self._unsaved += len(rows)
            self._generation = now
            if self._unsaved > max(SAVE_AFTER, len(self._index) // 4):
                self._save()
            return self._index

    def asked(self, query: str) -> dict[str, float]:
        """Return the words a query is searched with and what each counts: its own, those it may have
        mistyped, and those of the other names that the library has for what it names."""
        index = self.fresh()
        with self._lock:
            others = self._aliases.others(query)
        return index.weighted(query, others)

    def _save(self) -> None:
        if self._folder is None:
            return
        with saving_cache():
            marks = {"form": FORMAT_VERSION, "last": self._last, "forgotten": self._forgotten}
            self._index.save(self._folder, {**marks, "aliases": self._aliases.dump()})
        self._unsaved = 0

    def save(self) -> None:
        """Write the cache, if it lacks something."""
        if self._unsaved:
            with self._lock:
                self._save()

    def rebuild(self) -> None:
        """Start over from the catalog."""
        with self._lock:
            self._index, self._aliases = KeywordIndex(), AliasIndex()
            self._generation, self._last = -1, 0
            self._unsaved = 1


def names_of_documents(connection: sqlite3.Connection, document_ids: Iterable[str]) -> dict[str, str]:
    """Return document id -> its title and the name of its file."""
    rows = connection.execute(
        f"SELECT id, title, name FROM documents WHERE id {IN}", (many(sorted(document_ids)),)
    )
    return {row["id"]: f"{row['title']}\n{PurePath(row['name']).stem.replace('_', ' ')}" for row in rows}


def _entry(row: sqlite3.Row, names: Mapping[str, str]) -> Posting:
    """Return a passage as it is searched; of a table, what stands beside it in its section counts too."""
    section = row["section_id"] if row["kind"] == "table" else ""
    return Posting(row["id"], row["document_id"], _searched(row, names), section)


def _searched(row: sqlite3.Row, names: Mapping[str, str]) -> str:
    """Return the words of a passage with those of its document's title and file name that it lacks.

    So a question that names a document finds all its passages, and no passage gains by repeating the title.
    The heading right above a passage counts twice: it says what a list or a table is about.
    """
    chunk = read_chunk(row)
    text = "\n".join((chunk.passage_text(), *chunk.heading_path[-1:]))
    own = set(index_words(text))
    name_words = names.get(row["document_id"], "").split()
    missing = [word for word in dict.fromkeys(name_words) if not own.issuperset(index_words(word))]
    return "\n".join((text, *missing))
