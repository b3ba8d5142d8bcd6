"""Finds the entities and documents a text names, with how much each name says."""

import math
import sqlite3
from collections.abc import Iterable

from core.knowledge.search.keyword_refresh import PersistentKeywordIndex
from core.knowledge.search.name_matching import NameIndex, keys_in
from core.knowledge.search.titles import meant
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents.catalog import IN, many
from core.knowledge.stores.documents.links import names_of
from core.text.tokens import STOP_WORDS, normal

MIN_ENTITY_WEIGHT = 0.05


class EntityLinker:
    """Looks up every run of words of a text among the names of entities and documents.

    The catalog's index of names is asked, so nothing is loaded before the first question.
    """

    def __init__(self, database: Database, words: PersistentKeywordIndex) -> None:
        self._database = database
        self._words = words

    def link(self, text: str) -> list[tuple[str, float]]:
        """Return (entity or document id, specificity), the most specific first.

        Specificity goes from 1, named once in the library, towards 0, named everywhere. "Born" may be a
        village, but "where was she born" does not mean it: a common word or phrase is no name.
        """
        words = self._words.fresh()
        keys = keys_in(text)
        with self._database.reading() as connection:
            found = _entities(connection, keys).find(text)
            entities = {
                n
                for name in found
                if meant(name.surface, words) and not _is_phrase(name.surface)
                for n in name.ids
            }
            documents = {n for name in _documents(connection, keys).find(text) for n in name.ids}
            times = connection.execute(
                "SELECT id, (SELECT count(*) FROM mentions WHERE entity_id = e.id) FROM entities e"
                f" WHERE id {IN}"
                " UNION ALL SELECT id, (SELECT count(*) FROM links WHERE target_id = d.id) FROM documents d"
                f" WHERE id {IN}",
                (many(sorted(entities)), many(sorted(documents))),
            ).fetchall()
        scale = math.log(len(words) + 2)
        weighed = [
            (node, max(MIN_ENTITY_WEIGHT, 1 - math.log(max(count, 1)) / scale)) for node, count in times
        ]
        return sorted(weighed, key=lambda pair: (-pair[1], pair[0]))


def _entities(connection: sqlite3.Connection, keys: Iterable[str]) -> NameIndex:
    """Return the names of entities with one of the normal forms."""
    names = NameIndex()
    rows = connection.execute(
        f"SELECT name, entity_id, key FROM entity_names WHERE key {IN} ORDER BY n", (many(keys),)
    )
    for row in rows:
        names.add(*row)
    return names


def _documents(connection: sqlite3.Connection, keys: set[str]) -> NameIndex:
    """Return the names of documents with one of the normal forms; here a name need not have its capital."""
    names = NameIndex()
    rows = connection.execute(
        f"SELECT DISTINCT d.id, d.title, d.name FROM answers_to a JOIN documents d ON d.id = a.document_id"
        f" WHERE a.key {IN} ORDER BY d.n",
        (many(keys),),
    )
    for document_id, title, file_name in rows:
        for name in names_of(title, file_name):
            if normal(name) in keys:
                names.add(name, document_id)
    return names


def _is_phrase(surface: str) -> bool:
    """Say whether words are a phrase, such as "place of birth", and not a name."""
    return surface.islower() and not STOP_WORDS.isdisjoint(surface.split())
