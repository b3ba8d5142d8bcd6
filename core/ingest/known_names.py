"""What the library calls things: titles, headings, and short forms with what they stand for."""

from collections.abc import Iterable, Sequence
from threading import RLock

from core.domain import Chunk, Document, Entity, Section
from core.ingest.distilled_assembly import names_of
from core.ingest.entity_resolution import entity_id, normal, pairs_in
from core.knowledge.base import KnowledgeBase
from core.text.title_names import TitleNames


class LibraryNames:
    """Knows the names of all documents, of those that are still to be distilled too.

    So it makes no difference whether "ESC" is explained in a document that came earlier or later.
    """

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge = knowledge
        self._lock = RLock()
        self._names = TitleNames()
        self._ids: set[str] = set()
        self._generation = -1  # of the library when the names were last updated
        self._meant: dict[str, dict[str, str]] = {}  # normal short form -> normal long form -> long form

    def names(self) -> TitleNames:
        """Return the titles and headings of the library as it is now; read from it at the first call."""
        with self._lock:
            now = self._knowledge.generation()
            if now != self._generation:
                self._catch_up(
                    None if self._generation < 0 else self._knowledge.touched_since(self._generation)
                )
                self._generation = now
            return self._names

    def _catch_up(self, touched: set[str] | None) -> None:
        """Drop the names of documents that are gone and add those that are new, among the touched ones
        or among all."""
        here = self._knowledge.titles(touched).keys()
        removed = (self._ids if touched is None else self._ids & touched) - here
        self._names.drop(removed)
        self._ids -= removed
        for document_id in [each for each in here if each not in self._ids]:
            document = self._knowledge.document(document_id)
            chunks = [] if document.summary else self._knowledge.chunks(document_id)
            self.learn(document, self._knowledge.sections(document_id), chunks)

    def learn(self, document: Document, sections: Iterable[Section], chunks: Sequence[Chunk]) -> None:
        """Add a document that has just become visible."""
        with self._lock:
            self._ids.add(document.id)
            for name, target in names_of(document, sections):
                self._names.add(name, target)
            for chunk in chunks:
                if "(" in chunk.text or "（" in chunk.text:
                    for name, short in pairs_in(chunk.text):
                        self._meant.setdefault(normal(short), {})[normal(name)] = name

    def explain(self, entities: Iterable[Entity]) -> None:
        """Add the short forms a document explains, before the library holds them."""
        with self._lock:
            for entity in entities:
                for short in entity.aliases:
                    self._meant.setdefault(normal(short), {})[normal(entity.name)] = entity.name

    def meant(self, short_forms: Sequence[str]) -> Iterable[Entity]:
        """Yield what short forms stand for, as explained anywhere in the library."""
        with self._lock:
            for short in short_forms:
                for name in self._meant.get(normal(short), {}).values():
                    yield Entity(id=entity_id(name), name=name, aliases=(short,))
            wanted = set(short_forms)
            for entity in self._knowledge.entities_called(short_forms):
                if not wanted.isdisjoint(entity.aliases):
                    yield entity
