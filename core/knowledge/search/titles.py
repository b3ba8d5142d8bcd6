"""Finds where one document names another: by its title, or by the number in its title or file name.

These edges of the resource layer carry most of what multi-hop retrieval needs; they are found both ways, new
texts that name known documents and known texts that name new documents, whatever the order of arrival.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence

from core.domain import Chunk, Document, Reference
from core.knowledge.search.keyword_refresh import PersistentKeywordIndex
from core.knowledge.search.keywords import KeywordIndex
from core.knowledge.search.name_matching import NameIndex, NameMatch
from core.knowledge.stores.database import Database
from core.knowledge.stores.documents import catalog
from core.knowledge.stores.documents.links import names_of
from core.text.tokens import IS_CJK

# A one-word title in more passages than this, and in 2 % of all, is a word and not a name
COMMON_WORD_PASSAGES = 50


class TitleFinder:
    """Knows the names of all documents."""

    def __init__(self, database: Database, words: PersistentKeywordIndex) -> None:
        self._database = database
        self._words = words
        self._lock = threading.Lock()
        self._names = NameIndex()
        self._last = 0
        self._forgotten = 0
        self._ids: set[str] = set()

    def find(self, documents: Sequence[Document], chunks: Sequence[Chunk]) -> list[Reference]:
        """Return the references that come with new documents, from their chunks and to them."""
        words = self._words.fresh()
        arriving = NameIndex()
        called = {document.id: names_of(document.title, document.name) for document in documents}
        for document_id, names in called.items():
            for name in names:
                arriving.add(name, document_id)
        with self._lock:
            self._refresh()
            known = {chunk.id: list(self._names.find(chunk.text)) for chunk in chunks}
            living = self._ids | called.keys()
        found = [
            reference
            for chunk in chunks
            for reference in _references(chunk, [*known[chunk.id], *arriving.find(chunk.text)], words)
            if reference.target_id in living
        ]
        for document_id, names in called.items():
            found += self._elsewhere(document_id, names, words)
        return list(dict.fromkeys(found))

    def _refresh(self) -> None:
        """Take in new documents. Names of documents that are gone stay, their ids do not."""
        with self._database.reading() as connection:
            removed = connection.execute(
                "SELECT n, document_id FROM forgotten WHERE n > ? AND what = 'document'"
                " AND document_id NOT IN (SELECT id FROM documents) ORDER BY n",
                (self._forgotten,),
            ).fetchall()
            new = connection.execute(
                "SELECT n, id, title, name FROM documents WHERE n > ? ORDER BY n", (self._last,)
            ).fetchall()
        for number, document_id in removed:
            self._ids.discard(document_id)
            self._forgotten = number
        for number, document_id, title, file_name in new:
            self._ids.add(document_id)
            self._last = number
            for name in names_of(title, file_name):
                self._names.add(name, document_id)

    def _elsewhere(self, document_id: str, names: set[str], words: KeywordIndex) -> list[Reference]:
        """Return the references of known chunks to a new document."""
        index = NameIndex()
        candidates: set[str] = set()
        for name in names:
            index.add(name, document_id)
            candidates |= set(words.holding(name, _most(words)) or ())
        if not candidates:
            return []
        with self._database.reading() as connection:
            chunks = catalog.chunks(connection, None, None, sorted(candidates))
        return [r for chunk in chunks for r in _references(chunk, index.find(chunk.text), words)]


def _most(words: KeywordIndex) -> int:
    return max(COMMON_WORD_PASSAGES, len(words) // 50)


def _references(chunk: Chunk, names: Iterable[NameMatch], words: KeywordIndex) -> Iterator[Reference]:
    for found in names:
        for target in found.ids if meant(found.surface, words) else ():
            if target != chunk.document_id:
                yield Reference(
                    document_id=chunk.document_id,
                    chunk_id=chunk.id,
                    kind="title",
                    text=found.surface,
                    target_id=target,
                )


def meant(surface: str, words: KeywordIndex) -> bool:
    """Say whether words are meant as a name: more than one, or one with a capital that is not common."""
    if IS_CJK.search(surface) or " " in surface or any(sign.isdigit() for sign in surface):
        return True
    return surface[0].isupper() and words.holding(surface, _most(words)) is not None
