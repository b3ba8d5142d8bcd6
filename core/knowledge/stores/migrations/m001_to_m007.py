"""Migrations 1 to 7: documents, what is distilled from them, work, tokens, and what readers taught."""

import json
import sqlite3

from core.knowledge.stores.documents.links import BRACKETS
from core.knowledge.stores.migrations.script import run_script
from core.text.tokens import normal


def m001_documents(connection: sqlite3.Connection) -> None:
    """Documents, their entries, structure, chunks, table cards and references."""
    run_script(
        connection,
        """
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
        INSERT INTO counters VALUES ('generation', 0);
        CREATE TABLE documents (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
            media_type TEXT NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, size INTEGER NOT NULL,
            pages INTEGER NOT NULL, summary TEXT NOT NULL, date TEXT NOT NULL, metadata TEXT NOT NULL);
        CREATE TABLE entries (
            path TEXT NOT NULL, collection TEXT NOT NULL,
            document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            PRIMARY KEY (path, collection)) WITHOUT ROWID;
        CREATE INDEX entries_document ON entries (document_id);
        CREATE INDEX entries_collection ON entries (collection, document_id);
        CREATE TABLE sections (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
            document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE, parent_id TEXT,
            path TEXT NOT NULL, level INTEGER NOT NULL, place INTEGER NOT NULL, location TEXT NOT NULL,
            summary TEXT NOT NULL);
        CREATE INDEX sections_document ON sections (document_id, place);
        CREATE TABLE chunks (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
            document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE, section_id TEXT NOT NULL,
            text TEXT NOT NULL, heading_path TEXT NOT NULL, place INTEGER NOT NULL, tokens INTEGER NOT NULL,
            kind TEXT NOT NULL, location TEXT NOT NULL, language TEXT NOT NULL, table_id TEXT);
        CREATE INDEX chunks_document ON chunks (document_id, place);
        CREATE INDEX chunks_section ON chunks (section_id, place);
        CREATE TABLE tables (
            id TEXT PRIMARY KEY, document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            name TEXT NOT NULL, sql_name TEXT NOT NULL UNIQUE, columns TEXT NOT NULL,
            row_count INTEGER NOT NULL, caption TEXT NOT NULL, location TEXT NOT NULL) WITHOUT ROWID;
        CREATE INDEX tables_document ON tables (document_id);
        CREATE TABLE answers_to (
            key TEXT NOT NULL, document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            PRIMARY KEY (key, document_id)) WITHOUT ROWID;
        CREATE INDEX answers_to_document ON answers_to (document_id);
        CREATE TABLE links (
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            chunk_id TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, target_id TEXT,
            key TEXT NOT NULL, given INTEGER NOT NULL);
        CREATE UNIQUE INDEX links_once ON links (chunk_id, document_id, kind, text, ifnull(target_id, ''));
        CREATE INDEX links_document ON links (document_id);
        CREATE INDEX links_target ON links (target_id);
        CREATE INDEX links_open ON links (key) WHERE target_id IS NULL;
        CREATE TABLE unfinished (n INTEGER PRIMARY KEY AUTOINCREMENT, parts TEXT NOT NULL);
        CREATE TABLE forgotten (n INTEGER PRIMARY KEY AUTOINCREMENT, document_id TEXT NOT NULL,
            what TEXT NOT NULL)
        """,
    )


def m002_distilled(connection: sqlite3.Connection) -> None:
    """Atoms, entities with every name they go by, mentions, relations and tags."""
    run_script(
        connection,
        """
        CREATE TABLE atoms (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
            chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE, kind TEXT NOT NULL,
            text TEXT NOT NULL, maker TEXT NOT NULL, verified_by TEXT);
        CREATE INDEX atoms_chunk ON atoms (chunk_id);
        CREATE TABLE entities (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
            kind TEXT NOT NULL, aliases TEXT NOT NULL);
        CREATE TABLE entity_names (
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE, name TEXT NOT NULL,
            key TEXT NOT NULL, UNIQUE (entity_id, name));
        CREATE INDEX entity_names_key ON entity_names (key);
        CREATE TABLE mentions (
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE, entity_id TEXT NOT NULL,
            times INTEGER NOT NULL, UNIQUE (chunk_id, entity_id));
        CREATE INDEX mentions_entity ON mentions (entity_id);
        CREATE TABLE relations (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL,
            predicate TEXT NOT NULL, object TEXT NOT NULL,
            chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE, maker TEXT NOT NULL);
        CREATE INDEX relations_chunk ON relations (chunk_id);
        CREATE INDEX relations_subject ON relations (subject);
        CREATE INDEX relations_object ON relations (object);
        CREATE TABLE tags (
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE, name TEXT NOT NULL,
            tag_class TEXT NOT NULL, UNIQUE (chunk_id, name, tag_class));
        CREATE INDEX tags_name ON tags (name, tag_class)
        """,
    )


def m003_work(connection: sqlite3.Connection) -> None:
    """Runs with their events, jobs, feedback."""
    run_script(
        connection,
        """
        CREATE TABLE runs (
            id TEXT PRIMARY KEY, conversation TEXT NOT NULL, question TEXT NOT NULL, status TEXT NOT NULL,
            started REAL NOT NULL, finished REAL, report TEXT);
        CREATE INDEX runs_conversation ON runs (conversation, started);
        CREATE INDEX runs_started ON runs (started);
        CREATE INDEX runs_status ON runs (status);
        CREATE TABLE events (
            run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
            body TEXT NOT NULL, PRIMARY KEY (run_id, seq)) WITHOUT ROWID;
        CREATE TABLE jobs (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, status TEXT NOT NULL,
            created REAL NOT NULL, body TEXT NOT NULL);
        CREATE INDEX jobs_status ON jobs (status, created, n);
        CREATE INDEX jobs_created ON jobs (created, n);
        CREATE TABLE feedback (
            n INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, at REAL NOT NULL,
            body TEXT NOT NULL, undone REAL);
        CREATE INDEX feedback_run ON feedback (run)
        """,
    )


def m004_tokens(connection: sqlite3.Connection) -> None:
    """Where each chunk's token vectors are in the token file."""
    run_script(
        connection,
        """
        CREATE TABLE token_spans (
            chunk_id TEXT PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE, start INTEGER NOT NULL,
            rows INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX token_spans_start ON token_spans (start)
        """,
    )


def m005_subjects(connection: sqlite3.Connection) -> None:
    """What is about an entity: sections and documents. Libraries from before learn it from their headings."""
    run_script(
        connection,
        """
        CREATE TABLE subjects (
            n INTEGER PRIMARY KEY AUTOINCREMENT, entity_id TEXT NOT NULL, node_id TEXT NOT NULL,
            document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            UNIQUE (entity_id, node_id));
        CREATE INDEX subjects_document ON subjects (document_id);
        INSERT INTO subjects (entity_id, node_id, document_id)
            SELECT DISTINCT e.entity_id, a.document_id, a.document_id
            FROM answers_to a JOIN entity_names e ON e.key = a.key
        """,
    )
    sections = connection.execute("SELECT id, document_id, path FROM sections").fetchall()
    connection.executemany(
        "INSERT OR IGNORE INTO subjects (entity_id, node_id, document_id)"
        " SELECT entity_id, ?, ? FROM entity_names WHERE key = ?",
        (
            (section_id, document_id, key)
            for section_id, document_id, path in sections
            for heading in json.loads(path)[-1:]
            for key in {normal(heading), normal(BRACKETS.sub("", heading))}
        ),
    )


def m006_tag_pairs(connection: sqlite3.Connection) -> None:
    """What people say and the library's term for it, as learnt."""
    run_script(
        connection,
        """
        CREATE TABLE IF NOT EXISTS tag_pairs (
            n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, said TEXT NOT NULL, meant TEXT NOT NULL,
            times INTEGER NOT NULL, teacher TEXT NOT NULL, evidence TEXT NOT NULL, at REAL NOT NULL,
            UNIQUE (key, meant))
        """,
    )


def m007_learnt(connection: sqlite3.Connection) -> None:
    """What readers taught: changes, verified answers, usefulness, plans; gaps, updates and self-tests."""
    run_script(
        connection,
        """
        CREATE TABLE changes (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
            status TEXT NOT NULL, feedback INTEGER NOT NULL, body TEXT NOT NULL);
        CREATE INDEX changes_status ON changes (status);
        CREATE TABLE verified_answers (
            n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, id TEXT NOT NULL UNIQUE,
            body TEXT NOT NULL);
        CREATE TABLE usefulness (
            chunk_id TEXT NOT NULL, tag TEXT NOT NULL, type TEXT NOT NULL, good INTEGER NOT NULL,
            bad INTEGER NOT NULL, PRIMARY KEY (chunk_id, tag, type)) WITHOUT ROWID;
        CREATE TABLE accepted_plans (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL, vector BLOB);
        CREATE TABLE gaps (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, key TEXT NOT NULL,
            status TEXT NOT NULL, body TEXT NOT NULL);
        CREATE INDEX gaps_status ON gaps (status, n);
        CREATE TABLE updates (
            n INTEGER PRIMARY KEY AUTOINCREMENT, status TEXT NOT NULL, body TEXT NOT NULL);
        CREATE TABLE self_tests (n INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, body TEXT NOT NULL);
        CREATE TABLE saved_questions (
            n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, question TEXT NOT NULL);
        CREATE TABLE learnt_state (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID
        """,
    )
