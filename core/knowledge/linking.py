"""Finds the entities and documents a text names, with how much each name says."""

import math
import threading

from core.knowledge.catalog import IN, many
from core.knowledge.catching import KeywordShelf
from core.knowledge.database import Database
from core.knowledge.names import NameIndex
from core.knowledge.titles import TitleFinder, meant
from core.knowledge.words import STOP_WORDS

LEAST = 0.05


class EntityLinker:
    """Knows the names of all entities; asks the title finder for those of documents."""

    def __init__(self, database: Database, titles: TitleFinder, words: KeywordShelf) -> None:
        self._database = database
        self._titles = titles
        self._words = words
        self._lock = threading.Lock()
        self._names = NameIndex()
        self._last = 0

    def link(self, text: str) -> list[tuple[str, float]]:
        """Return (entity or document id, specificity), the most specific first.

        Specificity goes from 1, named once in the library, towards 0, named everywhere. "Born" may be a
        village, but "where was she born" does not speak of it: a common word or phrase is no name.
        """
        with self._lock:
            self._refresh()
            names = list(self._names.find(text))
        words = self._words.fresh()
        entities = {
            n for name in names if meant(name.surface, words) and not _said(name.surface) for n in name.ids
        }
        documents = self._titles.named(text)
        with self._database.reading() as connection:
            every: int = connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
            times = connection.execute(
                "SELECT id, (SELECT count(*) FROM mentions WHERE entity_id = e.id) FROM entities e"
                f" WHERE id {IN}"
                " UNION ALL SELECT id, (SELECT count(*) FROM links WHERE target_id = d.id) FROM documents d"
                f" WHERE id {IN}",
                (many(sorted(entities)), many(sorted(documents))),
            ).fetchall()
        scale = math.log(every + 2)
        weighed = [(node, max(LEAST, 1 - math.log(max(count, 1)) / scale)) for node, count in times]
        return sorted(weighed, key=lambda pair: (-pair[1], pair[0]))

    def _refresh(self) -> None:
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT n, entity_id, name, key FROM entity_names WHERE n > ? ORDER BY n", (self._last,)
            ).fetchall()
        for number, entity_id, name, key in rows:
            self._names.add(name, entity_id, key)
            self._last = number


def _said(surface: str) -> bool:
    """Say whether words are a phrase, such as "place of birth", and not a name."""
    return surface.islower() and not STOP_WORDS.isdisjoint(surface.split())
