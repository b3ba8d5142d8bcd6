"""Migration 20: what each class of tags has in common, and the key factors the classes came of."""

import sqlite3

from core.knowledge.stores.migrations.script import run_script


def m020_tag_factors(connection: sqlite3.Connection) -> None:
    """A factor goes with the chunk that it was named in."""
    run_script(
        connection,
        """
        ALTER TABLE tag_classes ADD COLUMN description TEXT NOT NULL DEFAULT '';
        CREATE TABLE tag_factors (
            n INTEGER PRIMARY KEY, chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
            name TEXT NOT NULL, UNIQUE (chunk_id, name));
        """,
    )
