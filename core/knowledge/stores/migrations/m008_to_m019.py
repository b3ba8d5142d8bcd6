"""Migrations 8 to 19: embedders, enrichment, titles of conversations, owners, spellings of tags, edits."""

import sqlite3

from core.knowledge.stores.documents.visibility import LABELLED
from core.knowledge.stores.migrations.script import run_script


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


def m017_order_of_runs(connection: sqlite3.Connection) -> None:
    """Runs are numbered as they are asked (`n`) and as they end (`ended`), for a clock may be set back; up to
    where gaps were read is such a number, too. Jobs wait in the order of theirs."""
    _add(connection, "runs", "n", "INTEGER")
    _add(connection, "runs", "ended", "INTEGER")
    run_script(
        connection,
        """
        UPDATE runs SET n = o.place FROM (SELECT id, row_number() OVER (ORDER BY started, rowid) AS place
            FROM runs) o WHERE o.id = runs.id;
        UPDATE runs SET ended = o.place FROM (SELECT id, row_number() OVER (ORDER BY finished, id) AS place
            FROM runs WHERE status = 'done' AND finished IS NOT NULL) o WHERE o.id = runs.id;
        UPDATE learnt_state SET body = (SELECT count(*) FROM runs WHERE status = 'done'
            AND finished <= CAST(learnt_state.body AS REAL)) WHERE name LIKE '%gaps seen';
        INSERT OR REPLACE INTO counters SELECT 'runs asked', coalesce(max(n), 0) FROM runs;
        INSERT OR REPLACE INTO counters SELECT 'runs ended', coalesce(max(ended), 0) FROM runs;
        CREATE INDEX IF NOT EXISTS runs_order ON runs (n);
        CREATE INDEX IF NOT EXISTS runs_end ON runs (ended);
        DROP INDEX IF EXISTS jobs_status;
        DROP INDEX IF EXISTS jobs_created;
        CREATE INDEX jobs_status ON jobs (status)
        """,
    )
    for event in ("INSERT", "UPDATE OF status"):
        _number(connection, "ended", event, "NEW.status = 'done' AND NEW.finished IS NOT NULL")
    _number(connection, "n", "INSERT", "1")


def _number(connection: sqlite3.Connection, column: str, event: str, condition: str) -> None:
    """Give a run its next number where it has none; one that is copied keeps its own."""
    counter = {"n": "runs asked", "ended": "runs ended"}[column]
    connection.execute(
        f"CREATE TRIGGER IF NOT EXISTS runs_{column}_{event.split()[0].lower()} AFTER {event} ON runs"
        f" WHEN NEW.{column} IS NULL AND {condition} BEGIN"
        f" UPDATE counters SET value = max(value, (SELECT coalesce(max({column}), 0) FROM runs)) + 1"
        f" WHERE name = '{counter}';"
        f" UPDATE runs SET {column} = (SELECT value FROM counters WHERE name = '{counter}')"
        f" WHERE id = NEW.id; END"
    )


def m018_library_machine(connection: sqlite3.Connection) -> None:
    """The machine and the folder's number there, which tell a copy on another machine from the library."""
    _add(connection, "library_id", "machine", "TEXT NOT NULL DEFAULT ''")
    _add(connection, "library_id", "inode", "TEXT NOT NULL DEFAULT ''")


def m019_edited(connection: sqlite3.Connection) -> None:
    """Which chunks no longer say what their file says; what was edited before is not known."""
    _add(connection, "chunks", "edited", "INTEGER NOT NULL DEFAULT 0")
