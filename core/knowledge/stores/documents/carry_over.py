"""Transfers what was learnt of a chunk to the chunk of equal text in a newer version of its file."""

import re
import sqlite3
from collections.abc import Mapping

from core.knowledge.stores.documents.catalog import IN, many

_ID = re.compile(r'"([0-9a-f]{20})"')
_BODIES = ("verified_answers", "changes")  # tables whose bodies, in JSON, name chunks


def carry_over(connection: sqlite3.Connection, same: Mapping[str, str], leaving: set[str]) -> None:
    """Let verdicts, verified answers and the changes that made them name the newer chunks.

    `same` maps new chunk ids to old ones. Only chunks of the documents that are `leaving` are replaced; the
    others stay, and so do the verdicts on them.
    """
    if not same or not leaving:
        return
    rows = connection.execute(
        f"SELECT id FROM chunks WHERE id {IN} AND document_id {IN}",
        (many(same.values()), many(leaving)),
    )
    leaving_ids = {row[0] for row in rows}
    newer = {old: new for new, old in same.items() if old in leaving_ids}
    connection.executemany(
        "UPDATE OR REPLACE usefulness SET chunk_id = ? WHERE chunk_id = ?",
        [(new, old) for old, new in newer.items()],
    )
    for table in _BODIES:
        for number, body in connection.execute(f"SELECT n, body FROM {table}").fetchall():
            renamed = _ID.sub(lambda match: f'"{newer.get(match[1], match[1])}"', body)
            if renamed != body:
                connection.execute(f"UPDATE {table} SET body = ? WHERE n = ?", (renamed, number))
