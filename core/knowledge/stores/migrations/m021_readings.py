"""Migration 21: by which version of reading each document was made; of those from before it is not known."""

import sqlite3


def m021_readings(connection: sqlite3.Connection) -> None:
    """A document without a version counts as read by an earlier one."""
    if "reading" not in {each[1] for each in connection.execute("PRAGMA table_info(documents)")}:
        connection.execute("ALTER TABLE documents ADD COLUMN reading TEXT NOT NULL DEFAULT ''")
