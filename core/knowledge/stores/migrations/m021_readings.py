"""Migration 21: by which version of reading each document was made, and whether a reader changed its chunks.

Of documents from before the version is not known: they count as read by an earlier one. Nor is it known
that a chunk was split before; that its words were changed is.
"""

import sqlite3


def m021_readings(connection: sqlite3.Connection) -> None:
    """Add both columns to the documents."""
    there = {each[1] for each in connection.execute("PRAGMA table_info(documents)")}
    if "reading" not in there:
        connection.execute("ALTER TABLE documents ADD COLUMN reading TEXT NOT NULL DEFAULT ''")
    if "revised" not in there:
        connection.execute("ALTER TABLE documents ADD COLUMN revised INTEGER NOT NULL DEFAULT 0")
