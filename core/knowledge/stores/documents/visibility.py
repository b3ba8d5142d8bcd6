"""Whose rows are whose, and the catalog as one person sees it.

A connection that reads for a person has temporary views in place of the tables, by the same names: every
statement of every store, and every index built from them, sees what the person may see and nothing else. A
row that was made of the library (a run, something learnt) names the collections its maker could see; it is
there for those to whom none of them is closed. No list of collections stands for all there are.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from core.domain import Value
from core.knowledge.stores.database import Database
from core.text.sql_quoting import quoted_text

VISIBLE = "EXISTS (SELECT 1 FROM main.entries e WHERE e.document_id = {} AND e.collection NOT IN hidden)"
IN_VISIBLE = (
    "EXISTS (SELECT 1 FROM main.chunks c JOIN main.entries e ON e.document_id = c.document_id"
    " WHERE c.id = {} AND e.collection NOT IN hidden)"
)
LEARNT = ("changes", "verified_answers", "accepted_plans", "tag_pairs", "self_tests", "saved_questions")
PERSONAL = ("runs", "feedback", "gaps", "updates")
LABELLED = (*PERSONAL, *LEARNT)
TEXTS = {"runs": "report", "feedback": "undone", "tag_pairs": "times", "saved_questions": "question"}
UNSEEN = "saw IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(saw) j WHERE j.value IN hidden)"
OWNED = "owner = (SELECT name FROM viewer)"
VIEWS: dict[str, str] = {  # for every person
    "runs": f"SELECT * FROM main.runs WHERE ({OWNED} OR shared) AND {{learnt}}",
    "events": "SELECT * FROM main.events WHERE run_id IN (SELECT id FROM temp.runs)",
    "conversation_titles": "SELECT * FROM main.conversation_titles"
    " WHERE id IN (SELECT conversation FROM temp.runs)",
    **{table: f"SELECT * FROM main.{table} WHERE {OWNED} AND {{learnt}}" for table in PERSONAL[1:]},
}
ENTITY = "FROM temp.entity_names n WHERE n.entity_id = e.id"
CLOSED_TARGET = (
    "(t.target_id IS NOT NULL AND t.target_id IN"
    f" (SELECT id FROM main.documents d WHERE NOT {VISIBLE.format('d.id')}))"
)
OTHER_TARGET = (
    "(SELECT a.document_id FROM main.answers_to a JOIN main.documents d ON d.id = a.document_id"
    f" WHERE a.key = t.key AND d.id <> t.document_id AND {VISIBLE.format('d.id')} ORDER BY d.n LIMIT 1)"
)
CLOSED_VIEWS: dict[str, str] = {  # for those to whom a collection is closed
    "entries": "SELECT * FROM main.entries WHERE collection NOT IN hidden",
    "documents": f"SELECT * FROM main.documents d WHERE {VISIBLE.format('d.id')}",
    **{
        table: f"SELECT * FROM main.{table} t WHERE {VISIBLE.format('t.document_id')}"
        for table in ("sections", "chunks", "tables", "answers_to", "subjects", "enriched_documents")
    },
    # What points to a closed document points to an open one of that name; what the closed one's title alone
    # made a reference is none.
    "links": f"SELECT n, document_id, chunk_id, kind, text, CASE WHEN {CLOSED_TARGET} THEN {OTHER_TARGET}"
    f" ELSE target_id END AS target_id, key, given FROM main.links t WHERE {VISIBLE.format('t.document_id')}"
    f" AND (given OR NOT {CLOSED_TARGET})",
    **{
        table: f"SELECT * FROM main.{table} t WHERE {IN_VISIBLE.format('t.chunk_id')}"
        for table in ("mentions", "relations", "tags", "token_spans", "usefulness")
    },
    "verified_answers": "SELECT * FROM main.verified_answers WHERE {learnt}",
    "atoms": f"SELECT * FROM main.atoms t WHERE {IN_VISIBLE.format('t.chunk_id')}"
    " AND (verified_by IS NULL OR id IN (SELECT id FROM temp.verified_answers))",
    # A name is there if a passage that names the thing says it; a thing has the names that are there.
    "entity_names": "SELECT * FROM main.entity_names n WHERE EXISTS (SELECT 1 FROM main.mentions m"
    " JOIN main.chunks c ON c.id = m.chunk_id JOIN main.entries e ON e.document_id = c.document_id"
    " WHERE m.entity_id = n.entity_id AND e.collection NOT IN hidden"
    " AND instr(lower(c.text || ' ' || c.heading_path), lower(n.name)))",
    "entities": f"SELECT e.n, e.id, coalesce((SELECT n.name {ENTITY} AND n.name = e.name),"
    f" (SELECT n.name {ENTITY} ORDER BY n.n LIMIT 1)) AS name, e.kind,"
    f" (SELECT json_group_array(n.name) {ENTITY} AND n.name <> e.name) AS aliases"
    f" FROM main.entities e WHERE EXISTS (SELECT 1 {ENTITY})",
    "touched": f"SELECT * FROM main.touched WHERE document_id = '' OR {VISIBLE.format('document_id')}",
    "enriched_collections": "SELECT * FROM main.enriched_collections WHERE collection NOT IN hidden",
    "tag_classes": "SELECT * FROM main.tag_classes WHERE 0",
    "tag_factors": "SELECT * FROM main.tag_factors WHERE 0",
    "jobs": "SELECT * FROM main.jobs WHERE json_extract(body, '$.collection') NOT IN hidden",
    **{
        table: f"SELECT * FROM main.{table} WHERE {{learnt}}"
        for table in LEARNT
        if table != "verified_answers"
    },
}


class Viewer(Value):
    """Who reads, and which collections are closed to them."""

    name: str = ""
    hidden: frozenset[str] = frozenset()


class ViewerDatabase(Database):
    """The catalog as a person sees it; what is written through it is theirs."""

    partial = True

    def __init__(self, whole: Database, viewer: Viewer) -> None:
        super().__init__(whole.path)
        self._whole = whole
        self._viewer = viewer
        self.owner = viewer.name
        self._labelling = threading.local()
        self._triggers = [trigger for table in LABELLED for trigger in _triggers(table, viewer)]

    def _connect(self) -> sqlite3.Connection:
        connection = super()._connect()
        connection.execute("CREATE TEMP TABLE viewer (name TEXT)")
        connection.execute("INSERT INTO viewer VALUES (?)", (self._viewer.name,))
        connection.execute("CREATE TEMP TABLE hidden (name TEXT PRIMARY KEY) WITHOUT ROWID")
        connection.executemany("INSERT INTO hidden VALUES (?)", [(name,) for name in self._viewer.hidden])
        learnt = UNSEEN if self._viewer.hidden else "1"
        views = {**CLOSED_VIEWS, **VIEWS} if self._viewer.hidden else VIEWS
        for table, select in views.items():
            connection.execute(f"CREATE TEMP VIEW {table} AS {select.format(learnt=learnt)}")
        return connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that sees what the person may; inside a block that writes, that block's own."""
        if getattr(self._labelling, "on", False):
            with self._whole.reading() as connection:
                yield connection
            return
        with super().reading() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend the library's own writing connection; new rows are given their owner and what was seen."""
        with self._whole.writing() as connection:
            if getattr(self._labelling, "on", False):
                yield connection
                return
            self._labelling.on = True
            try:
                for trigger in self._triggers:
                    connection.execute(trigger)
                yield connection
            finally:
                self._labelling.on = False
                for table in LABELLED:
                    connection.execute(f"DROP TRIGGER IF EXISTS temp.made_{table}")
                    connection.execute(f"DROP TRIGGER IF EXISTS temp.changed_{table}")

    def shown(self) -> frozenset[str]:
        """Return the ids of the documents that are seen."""
        with self.reading() as connection:
            return frozenset(row[0] for row in connection.execute("SELECT id FROM documents"))


def _triggers(table: str, viewer: Viewer) -> tuple[str, str]:
    """Return what labels a row when it is made and when its text (`body`, or what `TEXTS` names) changes."""
    owner = quoted_text(viewer.name)
    closed = quoted_text(json.dumps(sorted(viewer.hidden), ensure_ascii=False))
    seen = (
        "SELECT DISTINCT collection AS name FROM main.entries"
        f" WHERE collection NOT IN (SELECT value FROM json_each({closed}))"
    )
    both = f"SELECT value AS name FROM json_each(OLD.saw) UNION {seen}"
    here = f"UPDATE {table} SET owner = {owner}, saw = (SELECT json_group_array(name) FROM ({seen}))"
    grown = f"UPDATE {table} SET saw = (SELECT json_group_array(name) FROM ({both}))"
    return (
        f"CREATE TEMP TRIGGER made_{table} AFTER INSERT ON main.{table}"
        f" BEGIN {here} WHERE rowid = NEW.rowid; END",
        f"CREATE TEMP TRIGGER changed_{table} AFTER UPDATE OF {TEXTS.get(table, 'body')} ON main.{table}"
        f" WHEN OLD.saw IS NOT NULL BEGIN {grown} WHERE rowid = NEW.rowid; END",
    )


def owns(database: Database, conversation: str) -> bool:
    """Say whether a conversation is that of whoever reads; of somebody else's it is not, even if shared."""
    with database.reading() as connection:
        rows = connection.execute("SELECT owner FROM runs WHERE conversation = ?", (conversation,)).fetchall()
    return bool(rows) and (database.owner is None or {row[0] for row in rows} == {database.owner})


def share(database: Database, conversation: str, on: bool) -> None:
    """Let everybody who sees all that a conversation could see read it, or its owner alone."""
    with database.writing() as connection:
        connection.execute("UPDATE runs SET shared = ? WHERE conversation = ?", (on, conversation))


def shared(database: Database, conversation: str) -> bool:
    """Say whether others may read a conversation."""
    with database.reading() as connection:
        row = connection.execute(
            "SELECT max(shared) FROM runs WHERE conversation = ?", (conversation,)
        ).fetchone()
    return bool(row[0])
