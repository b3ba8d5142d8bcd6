"""Names and texts as SQL takes them, in DuckDB and SQLite alike: for what cannot be bound as a parameter."""


def quoted(name: str) -> str:
    """Return a table's or column's name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def quoted_text(text: str) -> str:
    """Return a text in single quotes."""
    return "'" + text.replace("'", "''") + "'"
