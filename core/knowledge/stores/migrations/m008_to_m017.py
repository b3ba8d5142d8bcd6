"""Migrations 8 to 17: embedders, enrichment, titles of conversations, owners, spellings of tags, edits."""

import sqlite3

from core.knowledge.stores.migrations.script import run_script
from core.knowledge.stores.visibility import LABELLED


def m008_parents(connection: sqlite3.Connection) -> None:
    """The sections under a section are found by an index."""
    run_script(connection, "CREATE INDEX IF NOT EXISTS sections_parent ON sections (parent_id)")


def m009_embedders(connection: sqlite3.Connection) -> None:
    """The embedding models whose vectors are kept, and which of them serves."""
    run_script(
        connection,
        """
        CREATE TABLE IF NOT EXISTS embedders (
            digest TEXT PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, name TEXT NOT NULL,
            state TEXT NOT NULL, tokens INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID
        """,
    )


def m010_touched(connection: sqlite3.Connection) -> None:
    """The generation each document was last changed in; "" stands for the library at large."""
    run_script(
        connection,
        """
        CREATE TABLE touched (document_id TEXT PRIMARY KEY, generation INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO touched SELECT '', value FROM counters WHERE name = 'generation'
        """,
    )


def m011_chunk_summaries(connection: sqlite3.Connection) -> None:
    """What each chunk says in short; chunks distilled before have none until they are enriched anew."""
    run_script(connection, "ALTER TABLE chunks ADD COLUMN summary TEXT NOT NULL DEFAULT ''")


def m012_enrichment(connection: sqlite3.Connection) -> None:
    """Which collections a model enriches, which documents it is done with, and the classes of tags."""
    run_script(
        connection,
        """
        CREATE TABLE IF NOT EXISTS enriched_collections (collection TEXT PRIMARY KEY, at REAL NOT NULL);
        CREATE TABLE IF NOT EXISTS enriched_documents (
            document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE, engine TEXT NOT NULL,
            at REAL NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS tag_classes (
            n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, terms TEXT NOT NULL)
        """,
    )


def m013_conversation_titles(connection: sqlite3.Connection) -> None:
    """What readers call their conversations; one without a title goes by its first question."""
    run_script(connection, "CREATE TABLE conversation_titles (id TEXT PRIMARY KEY, title TEXT NOT NULL)")


def m014_owners(connection: sqlite3.Connection) -> None:
    """Who asked and taught, and which collections they could see; rows from before are of all of them."""
    for table in LABELLED:
        _add(connection, table, "owner", "TEXT NOT NULL DEFAULT ''")
        _add(connection, table, "saw", "TEXT")
    _add(connection, "runs", "shared", "INTEGER NOT NULL DEFAULT 0")
    connection.execute("CREATE INDEX IF NOT EXISTS runs_owner ON runs (owner, started)")


def _add(connection: sqlite3.Connection, table: str, column: str, declared: str) -> None:
    """Add a column, where the table does not have it already."""
    if column not in {each[1] for each in connection.execute(f"PRAGMA table_info({table})")}:
        connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {declared}")


def m015_tag_spellings(connection: sqlite3.Connection) -> None:
    """Tags are found in whatever case they are written."""
    connection.execute("CREATE INDEX IF NOT EXISTS tags_spelt ON tags (name COLLATE NOCASE)")


def m016_library_id(connection: sqlite3.Connection) -> None:
    """What tells a library's collections on a Chroma server from those of others, and the folder it was
    opened in last; `former` is the id of the library that it is a copy of."""
    run_script(
        connection,
        "CREATE TABLE library_id (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL,"
        " folder TEXT NOT NULL, former TEXT NOT NULL DEFAULT '')",
    )


def m017_edited(connection: sqlite3.Connection) -> None:
    """Which chunks no longer say what their file says; what was edited before is not known."""
    _add(connection, "chunks", "edited", "INTEGER NOT NULL DEFAULT 0")
