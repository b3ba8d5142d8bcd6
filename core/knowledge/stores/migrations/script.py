"""A migration written as statements of SQL."""

import sqlite3


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Execute statements separated by semicolons, within the transaction that is open."""
    for statement in script.split(";"):
        if statement.strip():
            connection.execute(statement)
