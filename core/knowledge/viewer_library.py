"""The library as one person sees it: what is closed to them is in no store, index, count or cache of theirs.

All stores read the catalog through the person's own connections (`stores/documents/visibility.py`). Where a
collection is closed, keyword index and graph are built anew from the visible rows, so that neither a word's
weight nor a path through the graph reveals the rest. Vectors, tables and files are shared, and reached only
through visible rows.
"""

import copy
import threading
from collections.abc import Sequence
from dataclasses import replace

from core.domain import identify
from core.knowledge.base import KnowledgeBase
from core.knowledge.learned.feedback_log import FeedbackStore
from core.knowledge.learned.learned_store import LearnedStore
from core.knowledge.learned.tag_pairs import PairStore
from core.knowledge.search.entity_linking import EntityLinker
from core.knowledge.search.graph_index import PersistentGraph
from core.knowledge.search.keyword_refresh import PersistentKeywordIndex
from core.knowledge.search.token_projection import Bytes
from core.knowledge.search.token_vectors import TokenFile
from core.knowledge.stores.activity.jobs import JobStore
from core.knowledge.stores.activity.runs import RunStore
from core.knowledge.stores.documents.catalog import IN, many
from core.knowledge.stores.documents.enrichment_state import EnrichmentStore
from core.knowledge.stores.documents.visibility import Viewer, ViewerDatabase
from core.ports import Vectors

NO_CHUNK_ID = ""  # no chunk has this id


class ViewerTokenVectors(TokenFile):
    """The token vectors of the chunks that are seen."""

    def __init__(self, whole: TokenFile, database: ViewerDatabase) -> None:
        self._whole, self._seen = whole, database

    def _shown(self, chunk_ids: Sequence[str]) -> list[str]:
        with self._seen.reading() as connection:
            rows = connection.execute(f"SELECT id FROM chunks WHERE id {IN}", (many(chunk_ids),))
            shown = {row[0] for row in rows}
        return [chunk_id if chunk_id in shown else NO_CHUNK_ID for chunk_id in chunk_ids]

    def read(self, chunk_ids: Sequence[str]) -> list[Bytes]:
        return self._whole.read(self._shown(chunk_ids))

    def project(self, tokens: Vectors) -> Vectors:
        return self._whole.project(tokens)

    def unit(self) -> float:
        return self._whole.unit()

    def late_interaction(self, tokens: Vectors, chunk_ids: Sequence[str]) -> list[float | None]:
        return self._whole.late_interaction(tokens, self._shown(chunk_ids))


class ViewerIndexes:
    """What is built from the documents that somebody sees; for all people who see the same."""

    def __init__(self, library: KnowledgeBase, hidden: frozenset[str]) -> None:
        self._library = library
        self._database = ViewerDatabase(library.database, Viewer(hidden=hidden))
        self._generation = -1
        self._shown, self._there = frozenset[str](), frozenset[str]()
        self._lock = threading.Lock()
        self.words = PersistentKeywordIndex(self._database, None)
        self.graph = PersistentGraph(self._database, None)
        self.linker = EntityLinker(self._database, self.words)
        self.tokens = ViewerTokenVectors(library.tokens, self._database)

    def refresh(self) -> None:
        """Build the indexes anew if a document that stays went out of sight, or one came into sight that was
        there before; what is new or gone they find out by themselves."""
        with self._lock:
            now = self._library.generation()
            if now == self._generation:
                return
            shown, there = self._database.shown(), frozenset(self._library.titles())
            if (self._shown - shown) & there or (shown - self._shown) & self._there:
                self.words.rebuild()
                self.graph.rebuild()
            self._generation, self._shown, self._there = now, shown, there


class ViewerLibraries:
    """The library as each of its people sees it."""

    def __init__(self, library: KnowledgeBase) -> None:
        self._library = library
        self._indexes: dict[frozenset[str], ViewerIndexes] = {}
        self._lock = threading.Lock()

    def of(self, viewer: Viewer) -> KnowledgeBase:
        """Return the library as somebody sees it. It has no life of its own: the whole one is closed."""
        database = ViewerDatabase(self._library.database, viewer)
        seen = copy.copy(self._library)
        seen.database = database
        seen.external = replace(self._library.external, database=database)
        seen.runs, seen.jobs, seen.feedback = RunStore(database), JobStore(database), FeedbackStore(database)
        seen.enrichment, seen.pairs = EnrichmentStore(database), PairStore(database)
        seen.learned = LearnedStore(database, whose=identify(viewer.name, *sorted(viewer.hidden)))
        if viewer.hidden:
            restricted = self._of(viewer.hidden)
            seen.words, seen.graph, seen.linker = restricted.words, restricted.graph, restricted.linker
            seen.tokens = restricted.tokens
        return seen

    def _of(self, hidden: frozenset[str]) -> ViewerIndexes:
        with self._lock:
            if hidden not in self._indexes:
                self._indexes[hidden] = ViewerIndexes(self._library, hidden)
            return self._indexes[hidden]

    def refresh(self, hidden: frozenset[str]) -> None:
        """Let the indexes of what is seen catch up with documents that changed their collection."""
        if hidden:
            self._of(hidden).refresh()
