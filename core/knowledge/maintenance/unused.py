"""Whether a library was ever used: one that nobody used is as good as none."""

from pathlib import Path

from core.errors import KnowledgeError
from core.knowledge.maintenance.diagnosis import PLACES
from core.knowledge.stores import read_only

_MADE_AT_OPENING = {"lock", *(name for names in PLACES.values() for name in names)}
_SIGNS = {  # of use, by the table they are in; numbers of rows stay when the rows are deleted
    "sqlite_sequence": "seq > 0",
    "counters": "name IN ('generation', 'runs asked') AND value > 0",
    "documents": "1",
    "jobs": "1",
    "runs": "1",
    "feedback": "1",
}


def never_used(folder: Path) -> bool:
    """Say whether nothing ever came into the library, and nothing else lies in its folder: it is not there,
    its first start was broken off, or it was only opened. What cannot be read counts as used."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    catalog = folder / "catalog.sqlite"
    if not names <= _MADE_AT_OPENING:
        return False
    if not catalog.exists() or not catalog.stat().st_size:
        return names <= {"lock", *PLACES["catalog"]}
    try:
        with read_only.reading_only(catalog) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            looks = (
                f"SELECT 1 FROM {table} WHERE {condition}"
                for table, condition in _SIGNS.items()
                if table in tables
            )
            return not any(connection.execute(look).fetchone() for look in looks)
    except (KnowledgeError, BlockingIOError):
        return False
